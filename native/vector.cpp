#include "vector.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "board.hpp"

namespace noughts {

namespace {

// ---- Boards of at most 64 cells: two sets each, of the player to move and of the other. ----

class SmallBoards final : public Boards {
  public:
    SmallBoards(const Game& game, size_t count, const std::string& cells, Best best, const Kernels& kernels)
        : game_(game), kernels_(kernels), best_(std::move(best)) {
        uint64_t side[2] = {0, 0};
        for (int cell = 0; cell < game.cells; cell++)
            if (cells[cell]) side[cells[cell] - 1] |= uint64_t{1} << cell;
        const bool x_moves = std::popcount(side[0]) == std::popcount(side[1]);
        start_[0] = side[!x_moves], start_[1] = side[x_moves];
        mine_.resize(count, start_[0]), theirs_.resize(count, start_[1]);
    }

    void aim(size_t first, int count, const int64_t* actions, int32_t* cells) const override {
        kernels_.aim(game_, &mine_[first], &theirs_[first], actions, cells, count);
    }
    void play(size_t first, int count, const int32_t* cells, uint8_t* over) override {
        kernels_.place(game_, &mine_[first], &theirs_[first], cells, over, count);
    }
    void restart(size_t first, int count, const uint8_t* which) override {
        uint64_t *mine = &mine_[first], *theirs = &theirs_[first];
        const uint64_t start[2] = {start_[0], start_[1]};
        for (int i = 0; i < count; i++) {  // without a branch: which games end cannot be foreseen
            const uint64_t keep = uint64_t(which[i]) - 1;
            mine[i] = (mine[i] & keep) | (start[0] & ~keep);
            theirs[i] = (theirs[i] & keep) | (start[1] & ~keep);
        }
    }
    void show(size_t first, int count, int8_t* planes, int8_t* masks) const override {
        kernels_.show(game_, &mine_[first], &theirs_[first], planes, masks, count);
    }
    int moves(size_t board) const override { return std::popcount(open(board)); }
    int move(size_t board, int number) const override {
        uint64_t left = open(board);
        while (number--) left &= left - 1;
        return std::countr_zero(left);
    }
    uint64_t best(size_t board) override {
        const uint32_t mine = uint32_t(mine_[board]), theirs = uint32_t(theirs_[board]);
        const bool x_moves = std::popcount(mine) == std::popcount(theirs);
        return x_moves ? best_(mine, theirs) : best_(theirs, mine);
    }

  private:
    uint64_t open(size_t board) const { return playable(game_, game_.board & ~(mine_[board] | theirs_[board])); }

    const Game& game_;
    const Kernels& kernels_;
    Best best_;
    uint64_t start_[2];
    std::vector<uint64_t> mine_, theirs_;
};

// ---- Larger boards: a Board each, and beside it what will be shown, so that showing it is copying. ----

class LargeBoards final : public Boards {
  public:
    LargeBoards(const Game& game, size_t count, const std::string& cells)
        : game_(game), actions_(game.gravity ? game.columns : game.cells), start_(game, cells, ongoing),
          seen_start_(size_t(2 * game.cells + actions_)), boards_(count, start_) {
        for (int cell = 0; cell < game.cells; cell++)
            if (cells[cell]) seen_start_[size_t(cells[cell] - 1) * game.cells + cell] = 1;
        for (int action = 0; action < actions_; action++) mask(seen_start_.data())[action] = !cells[action];
        for (size_t board = 0; board < count; board++)
            seen_.insert(seen_.end(), seen_start_.begin(), seen_start_.end());
    }

    void aim(size_t first, int count, const int64_t* actions, int32_t* cells) const override {
        for (int i = 0; i < count; i++) {
            const int64_t action = actions[i];
            const bool open = 0 <= action && action < actions_ && mask(seen(first + i))[action];
            cells[i] = open ? cell_of(first + i, int(action)) : -1;
        }
    }
    void play(size_t first, int count, const int32_t* cells, uint8_t* over) override {
        for (int i = 0; i < count; i++) {
            over[i] = 0;
            if (cells[i] < 0) continue;
            Board& board = boards_[first + i];
            int8_t* seen = this->seen(first + i);
            seen[size_t(board.turn()) * game_.cells + cells[i]] = 1;
            if (!game_.gravity) mask(seen)[cells[i]] = 0;
            else if (cells[i] < game_.columns) mask(seen)[cells[i]] = 0;  // the top of its column
            board.push(cells[i]);
            over[i] = board.status() == ongoing ? 0 : board.status() == draw ? 2 : 1;
        }
    }
    void restart(size_t first, int count, const uint8_t* which) override {
        for (int i = 0; i < count; i++) {
            if (!which[i]) continue;
            boards_[first + i] = start_;
            std::copy(seen_start_.begin(), seen_start_.end(), seen(first + i));
        }
    }
    void show(size_t first, int count, int8_t* planes, int8_t* masks) const override {
        const size_t cells = size_t(game_.cells);
        for (int i = 0; i < count; i++) {
            const int8_t* seen = this->seen(first + i);
            const int turn = boards_[first + i].turn();
            planes = std::copy_n(seen + size_t(turn) * cells, cells, planes);
            planes = std::copy_n(seen + size_t(1 - turn) * cells, cells, planes);
            if (masks) masks = std::copy_n(mask(seen), actions_, masks);
        }
    }
    int moves(size_t board) const override {
        const int8_t* open = mask(seen(board));
        return int(std::count(open, open + actions_, 1));
    }
    int move(size_t board, int number) const override {
        if (game_.gravity) {  // ascending by cell, not by column
            for (int cell = 0;; cell++)
                if (boards_[board].may_play(cell) && number-- == 0) return cell;
        }
        const int8_t* open = mask(seen(board));
        int cell = 0;
        for (; !open[cell] || number--; cell++) {}
        return cell;
    }
    uint64_t best(size_t) override { return 0; }  // there is no table of so large a game

  private:
    int8_t* mask(int8_t* seen) const { return seen + 2 * game_.cells; }
    const int8_t* mask(const int8_t* seen) const { return seen + 2 * game_.cells; }
    int8_t* seen(size_t board) { return seen_.data() + board * seen_start_.size(); }
    const int8_t* seen(size_t board) const { return seen_.data() + board * seen_start_.size(); }
    int cell_of(size_t board, int action) const {
        if (!game_.gravity) return action;
        int cell = action;
        while (!boards_[board].may_play(cell)) cell += game_.columns;
        return cell;
    }

    const Game& game_;
    const int actions_;
    const Board start_;
    std::vector<int8_t> seen_start_, seen_;  // X's plane, O's plane, the mask
    std::vector<Board> boards_;
};

uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

constexpr int draws = 4;  // random words a board and step: what an answer, a first move and a side are drawn from
constexpr int for_answer = 0, for_opening = 1, for_side = 2;

int chosen(uint64_t word, int among) { return int((word >> 32) * uint64_t(among) >> 32); }

}  // namespace

Vector::Vector(const Game& game, size_t count, const std::string& start, Opponent opponent, Side side, Illegal illegal,
               Best best, const Kernels& kernels)
    : cells(game.cells), actions(game.gravity ? game.columns : game.cells), count_(count), opponent_(opponent),
      side_(side), illegal_(illegal), line_reward_(completing_wins(game) ? 1.0f : -1.0f), aims_(count) {
    if (game.cells <= 64) boards_ = std::make_unique<SmallBoards>(game, count, start, std::move(best), kernels);
    else boards_ = std::make_unique<LargeBoards>(game, count, start);
    seed(0);
}

void Vector::seed(uint64_t seed) { first_word_ = mix(seed), steps_ = 0; }

uint64_t Vector::word(size_t board, int draw) const {
    const uint64_t index = (steps_ * count_ + board) * draws + draw;
    return mix(first_word_ + (index + 1) * 0x9E3779B97F4A7C15);
}

void Vector::reset(const Rows& rows) {
    steps_++;
    const uint8_t all[Boards::most] = {
#define EIGHT 1, 1, 1, 1, 1, 1, 1, 1
        EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT};
#undef EIGHT
    for (size_t first = 0; first < count_; first += Boards::most) {
        const int count = int(std::min<size_t>(Boards::most, count_ - first));
        begin(first, count, all);
        boards_->show(first, count, rows.planes + first * 2 * cells, rows.masks + first * actions);
    }
    std::fill_n(rows.rewards, count_, 0.0f);
    std::fill_n(rows.ended, count_, uint8_t(0));
    std::fill_n(rows.illegal, count_, uint8_t(0));
}

size_t Vector::step(const int64_t* given, const Rows& rows) {
    for (size_t first = 0; first < count_; first += Boards::most) {
        const int count = int(std::min<size_t>(Boards::most, count_ - first));
        int32_t* at = &aims_[first];
        boards_->aim(first, count, given + first, at);
        if (illegal_ != Illegal::refuse) continue;
        int32_t lowest = 0;
        for (int i = 0; i < count; i++) lowest = std::min(lowest, at[i]);
        if (lowest < 0) return first + size_t(std::find(at, at + count, -1) - at);
    }
    steps_++;
    const bool loses = illegal_ == Illegal::lose;
    const float worth[4] = {0.0f, line_reward_, 0.0f, loses ? -1.0f : 0.0f};  // going on, a line, full, illegal
    for (size_t first = 0; first < count_; first += Boards::most) {
        const int count = int(std::min<size_t>(Boards::most, count_ - first));
        const int32_t* at = &aims_[first];
        uint8_t over[Boards::most], ended[Boards::most], illegal[Boards::most], others_turn[Boards::most] = {};
        boards_->play(first, count, at, over);
        float* rewards = rows.rewards + first;
        for (int i = 0; i < count; i++) illegal[i] = at[i] < 0;
        for (int i = 0; i < count; i++) rewards[i] = worth[over[i] | 3 * illegal[i]];
        for (int i = 0; i < count; i++) ended[i] = (over[i] != 0) | (illegal[i] & loses);
        if (opponent_ != Opponent::none) {
            uint8_t answers[Boards::most];
            for (int i = 0; i < count; i++) answers[i] = !ended[i] & !illegal[i];
            std::copy_n(over, count, others_turn);  // the learner's move was the last
            answer(first, count, answers, for_answer, over);
            for (int i = 0; i < count; i++) rewards[i] -= over[i] == 1 ? line_reward_ : 0.0f;
            for (int i = 0; i < count; i++) ended[i] |= over[i] != 0;
        }
        std::copy_n(illegal, count, rows.illegal + first);
        std::copy_n(ended, count, rows.ended + first);
        if (rows.finals)
            for (int i = 0; i < count; i++) {
                if (!ended[i]) continue;
                int8_t* row = rows.finals + (first + i) * 2 * cells;
                boards_->show(first + i, 1, row, nullptr);
                if (others_turn[i]) std::swap_ranges(row, row + cells, row + cells);
            }
        begin(first, count, ended);
        boards_->show(first, count, rows.planes + first * 2 * cells, rows.masks + first * actions);
    }
    return count_;
}

// New games on these boards, up to the learner's first move.
void Vector::begin(size_t first, int count, const uint8_t* which) {
    boards_->restart(first, count, which);
    if (opponent_ == Opponent::none || side_ == Side::first) return;
    uint8_t opened[Boards::most], over[Boards::most];
    for (int i = 0; i < count; i++)
        opened[i] = which[i] && (side_ == Side::second || chosen(word(first + i, for_side), 2) == 1);
    answer(first, count, opened, for_opening, over);
}

// The opponent moves on these boards.
void Vector::answer(size_t first, int count, const uint8_t* which, int draw, uint8_t* over) {
    int32_t at[Boards::most];
    for (int i = 0; i < count; i++) {
        at[i] = -1;
        if (!which[i]) continue;
        const size_t board = first + i;
        if (opponent_ == Opponent::first) at[i] = boards_->move(board, 0);
        else if (opponent_ == Opponent::random)
            at[i] = boards_->move(board, chosen(word(board, draw), boards_->moves(board)));
        else {
            uint64_t best = boards_->best(board);
            for (int j = chosen(word(board, draw), std::popcount(best)); j > 0; j--) best &= best - 1;
            at[i] = std::countr_zero(best);
        }
    }
    boards_->play(first, count, at, over);
}

}  // namespace noughts
