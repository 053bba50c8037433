#include "search.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace noughts {
namespace {

constexpr int64_t infinity = std::numeric_limits<int64_t>::max();

// A move's score and whether it ends the game travel in one number: `ends` is added for each completed line.
constexpr int bits_of_score = 54;
constexpr int64_t ends = int64_t{1} << bits_of_score;
constexpr bool is_end(int64_t look) { return look >= ends / 2; }
constexpr int64_t score_of(int64_t look) {
    return int64_t(uint64_t(look) << (64 - bits_of_score)) >> (64 - bits_of_score);
}

// The weights of evaluate.py: 0, 1, 3, 8, 21, … each three times the last less the one before.
int64_t weight(int marks) {
    int64_t before = -1, now = 0;
    for (int i = 0; i < marks; i++) now = 3 * now - std::exchange(before, now);
    return now;
}

// What a line with so many marks of each side adds to the score. Where only exactly k count, a mark right beside it
// shuts it to its owner.
int64_t worth(const Game& game, int xs, int os, bool x_beside = false, bool o_beside = false) {
    if ((xs && os) || (xs && x_beside) || (os && o_beside)) return 0;
    const int64_t sum = weight(xs) - weight(os);
    return (completing_wins(game) ? sum : -sum) + (xs == game.k || os == game.k ? ends : 0);
}

// The numbers of the lines through each cell; the last list is all of them. And, where only exactly k count, of those
// that it lies right before or after.
struct Lines {
    std::vector<std::vector<uint32_t>> through, beside;
};

Lines lines_of(const Game& game) {
    Lines found;
    auto &through = found.through, &beside = found.beside;
    through.resize(size_t(game.cells) + 1), beside.resize(size_t(game.cells));
    for (int d = 0; d < game.directions; d++) {
        const Direction& direction = game.direction[d];
        for (int start = 0; start < game.cells; start++) {
            if (!(direction.starts[start / 64] >> start % 64 & 1)) continue;
            const auto line = uint32_t(through.back().size());
            through.back().push_back(line);
            for (int i = 0; i < game.k; i++) through[size_t(start + i * direction.step)].push_back(line);
            if (!game.exact) continue;
            // Two lines that start side by side: each has the other's far end right beside it.
            const int next = start + direction.step;
            if (next < game.cells && direction.starts[next / 64] >> next % 64 & 1)
                beside[size_t(start + game.k * direction.step)].push_back(line);
            const int before = start - direction.step;
            if (before >= 0 && direction.starts[before / 64] >> before % 64 & 1) beside[size_t(before)].push_back(line);
        }
    }
    return found;
}

// The board of a small game: the states of all its lines in one word, two lines a field.
//
//     3x3k3    … | line 3, line 2 | line 1, line 0 |      a line's state: xs + 4 * os, in 4 bits
//
// A move adds one number to the word, and the score is the sum of one table look-up for each field.
template <bool gravity>
class SmallBoard {
  public:
    struct State {
        uint64_t lines;
        uint64_t moves;  // bit i: the i-th cell in the order of the search may be played
    };
    using Rest = uint64_t;

    static bool holds(const SearchRequest& request, const Lines& lines) {
        const Game& game = request.game;
        return !game.exact && game.k <= 5 && game.cells <= 64 &&
               lines.through.back().size() * size_t(bits(game.k)) <= 64;
    }

    SmallBoard(const SearchRequest& request, const Lines& lines) : cells(request.order) {
        const auto& through = lines.through;
        const int k = request.game.k, width = bits(k);
        field = 2 * width;
        value.resize(size_t{1} << field);
        for (int state = 0; state < (k + 1) * (k + 1); state++)
            value[size_t(state)] = worth(request.game, state % (k + 1), state / (k + 1));
        for (size_t pair = size_t{1} << width; pair < value.size(); pair++)
            value[pair] = value[pair >> width] + value[pair & ((size_t{1} << width) - 1)];
        for (size_t i = 0; i < cells.size(); i++) {
            add[0][i] = add[1][i] = 0;
            for (uint32_t line : through[size_t(cells[i])]) {
                add[0][i] += uint64_t{1} << line * uint32_t(width);
                add[1][i] += uint64_t(k + 1) << line * uint32_t(width);
            }
        }
        const auto place = [&](int cell) { return int(std::find(cells.begin(), cells.end(), cell) - cells.begin()); };
        const int columns = request.game.columns, last_row = request.game.cells - columns;
        root = {0, 0};
        for (size_t i = 0; i < cells.size(); i++) {
            turns[i] = uint64_t{1} << i;
            if (!gravity || cells[i] >= last_row) root.moves |= turns[i];
            if (gravity && cells[i] >= columns) turns[i] |= uint64_t{1} << place(cells[i] - columns);
        }
        for (int cell : request.x) root = play<0>(root, place(cell));
        for (int cell : request.o) root = play<1>(root, place(cell));
        root_score = look_at(root.lines);
        free = request.game.cells - int(request.x.size() + request.o.size());
    }

    template <int side>
    int64_t look(const State& state, int64_t, int move) const {
        return look_at(state.lines + add[side][move]);
    }

    template <int side>
    State play(const State& state, int move) const {
        return {state.lines + add[side][move],
                gravity ? state.moves ^ turns[move] : state.moves & ~(uint64_t{1} << move)};
    }

    template <int side>
    void undo(int) const {}

    Rest all(const State& state) const { return state.moves; }
    bool any(Rest rest) const { return rest != 0; }
    int first(Rest rest) const { return std::countr_zero(rest); }
    Rest next(Rest rest) const { return rest & (rest - 1); }

    int cell(int move) const { return cells[size_t(move)]; }

    State root;
    int64_t root_score;
    int free;  // cells at the root

  private:
    static int bits(int k) { return std::bit_width(unsigned((k + 1) * (k + 1) - 1)); }

    int64_t look_at(uint64_t lines) const {
        int64_t sum = 0;
        for (; lines; lines >>= field) sum += value[lines & ((uint64_t{1} << field) - 1)];
        return sum;
    }

    std::vector<int> cells;
    std::vector<int64_t> value;
    int field;  // in bits
    uint64_t add[2][64];
    uint64_t turns[64];  // where marks fall: what a move closes and opens, its own cell and the one above
};

// The board of any game: a counter a line. Nothing is ever scanned: a move looks at the lines through its cell only.
//
//   state[line]       xs + (k + 1) * os, and where only exactly k count + (k + 1)^2 * (xs beside it + 3 * os beside it)
//   gain[side][s]     by how much a mark of this side on a line in state s changes the score; [2 + side] beside it
//   after, before     the moves as a ring in the order of the search; `end` stands between the last and the first
template <bool exact, bool gravity>
class LargeBoard {
  public:
    struct State {};
    using Rest = int;

    LargeBoard(const SearchRequest& request, const Lines& all)
        : end(request.game.cells), columns(request.game.columns) {
        const auto& [through, beside] = all;
        const int k = request.game.k;
        state.assign(through.back().size(), 0);
        step[0] = 1, step[1] = uint32_t(k + 1), step[2] = step[1] * step[1], step[3] = 3 * step[2];
        const auto worth_of = [&](size_t s) {
            const int marks = int(s % step[2]), near = int(s / step[2]);
            return worth(request.game, marks % (k + 1), marks / (k + 1), near % 3 > 0, near / 3 > 0);
        };
        for (int way = 0; way < (exact ? 4 : 2); way++) {
            gain[way].assign(step[2] * (exact ? 9 : 1), 0);
            for (size_t near = 0; near < gain[way].size(); near += step[2])
                for (int os = 0; os <= k; os++)
                    for (int xs = 0; xs + os + (way < 2) <= k; xs++)
                        if (const size_t s = near + size_t(xs + os * (k + 1)); s + step[way] < gain[way].size())
                            gain[way][s] = worth_of(s + step[way]) - worth_of(s);
        }
        std::vector<size_t> first;  // in `lines`; their places in memory are known when all are there
        for (int cell = 0; cell < end; cell++)
            for (const auto* list : {&through[size_t(cell)], &beside[size_t(cell)]}) {
                first.push_back(lines.size());
                lines.insert(lines.end(), list->begin(), list->end());
            }
        first.push_back(lines.size());
        for (size_t i = 0; i < first.size(); i++)
            (i % 2 ? first_beside : first_line).push_back(lines.data() + first[i]);

        std::vector<bool> taken(request.order.size());
        for (int cell : request.x) root_score = look<0>(root, root_score, cell), mark(cell, step[0], step[2]);
        for (int cell : request.o) root_score = look<1>(root, root_score, cell), mark(cell, step[1], step[3]);
        for (const auto* cells : {&request.x, &request.o})
            for (int cell : *cells) taken[size_t(cell)] = true;

        after.resize(size_t(end) + 1), before.resize(size_t(end) + 1), rank.resize(gravity ? size_t(end) : 0);
        int last = end, number = 0;
        for (int cell : request.order) {
            if (gravity) rank[size_t(cell)] = number++;
            if (taken[size_t(cell)] || (gravity && cell + columns < end && !taken[size_t(cell + columns)])) continue;
            after[size_t(last)] = cell, before[size_t(cell)] = last, last = cell;
        }
        after[size_t(last)] = end, before[size_t(end)] = last;
        free = request.game.cells - int(request.x.size() + request.o.size());
    }

    template <int side>
    int64_t look(const State&, int64_t score, int cell) const {
        for (const uint32_t *line = first_line[cell], *stop = first_beside[cell]; line != stop; line++)
            score += gain[side][state[*line]];
        if (exact)
            for (const uint32_t *line = first_beside[cell], *stop = first_line[cell + 1]; line != stop; line++)
                score += gain[2 + side][state[*line]];
        return score;
    }

    template <int side>
    State play(const State&, int cell) {
        mark(cell, step[side], step[2 + side]);
        take_out(cell);
        if (gravity && cell >= columns) put_in(cell - columns, before[cell]);
        return {};
    }

    // Undoes the last play.
    template <int side>
    void undo(int cell) {
        mark(cell, 0 - step[side], 0 - step[2 + side]);
        if (gravity && cell >= columns) take_out(cell - columns);
        after[before[cell]] = before[after[cell]] = cell;  // which it still knows
    }

    Rest all(const State&) const { return after[end]; }
    bool any(Rest rest) const { return rest != end; }
    int first(Rest rest) const { return rest; }
    Rest next(Rest rest) const { return after[rest]; }

    int cell(int move) const { return move; }

    State root;
    int64_t root_score = 0;
    int free;  // cells at the root

  private:
    void mark(int cell, uint32_t on, uint32_t near) {
        for (const uint32_t *line = first_line[cell], *stop = first_beside[cell]; line != stop; line++)
            state[*line] += on;
        if (exact)
            for (const uint32_t *line = first_beside[cell], *stop = first_line[cell + 1]; line != stop; line++)
                state[*line] += near;
    }

    void take_out(int cell) { after[before[cell]] = after[cell], before[after[cell]] = before[cell]; }

    // Into its place in the order, which is looked for from that of another on.
    void put_in(int cell, int from) {
        while (from != end && rank[from] > rank[cell]) from = before[from];
        while (after[from] != end && rank[after[from]] < rank[cell]) from = after[from];
        before[cell] = from, after[cell] = after[from];
        after[from] = before[after[from]] = cell;
    }

    int end, columns;
    std::vector<uint32_t> lines;                             // those through cell 0, beside it, through cell 1, …
    std::vector<const uint32_t*> first_line, first_beside;   // where those of a cell begin
    std::vector<uint32_t> state;
    std::vector<int64_t> gain[4];
    uint32_t step[4];
    std::vector<int> after, before;
    std::vector<int> rank;  // where marks fall: the place of each cell in the order of the search
};

// A move that waits to be searched. The best for the side comes first, of equals the one with the lowest number.
struct Candidate {
    int64_t look;
    int move;
};
template <int side>
bool comes_later(const Candidate& a, const Candidate& b) {
    const int64_t score_a = score_of(a.look), score_b = score_of(b.look);
    if (score_a != score_b) return side == 0 ? score_a < score_b : score_a > score_b;
    return a.move > b.move;
}

template <typename Board, bool by_evaluation, bool prunes>
class Search {
    using State = typename Board::State;
    static constexpr int64_t worst(int side) { return side == 0 ? -infinity : infinity; }

  public:
    Search(const SearchRequest& request, const Lines& lines, const Poll& poll)
        : request(request), poll(poll), board(request, lines) {}

    template <int side>
    std::vector<SearchedMove> root() {
        std::vector<SearchedMove> found;
        const int depth = std::min(request.depth, board.free);
        candidates.resize(size_t(depth) + 1);
        if (request.carried) nodes++;
        int64_t alpha = -infinity, beta = infinity;
        each_move<side>(board.root, board.root_score, depth, [&](int move, int64_t look) {
            const SearchedMove start{board.cell(move), 0, Bound::exact, nodes, alpha_cuts, beta_cuts};
            nodes++;
            const int64_t score = child<side>(board.root, move, look, depth, alpha, beta);
            const Bound bound = score <= alpha ? Bound::upper : score >= beta ? Bound::lower : Bound::exact;
            found.push_back({start.cell, score, bound, nodes - start.nodes,
                             alpha_cuts - start.alpha_cuts, beta_cuts - start.beta_cuts});
            if (request.carried && prunes)
                (side == 0 ? alpha : beta) = side == 0 ? std::max(alpha, score) : std::min(beta, score);
            return true;
        });
        if (nodes > request.limit) throw SearchLimitReached{};
        return found;
    }

  private:
    // The score of a position that is not over, with `depth` plies to go.
    template <int side>
    int64_t inner(const State& state, int64_t score, int depth, int64_t alpha, int64_t beta) {
        if (nodes + sorted >= check_at) check();
        int64_t best = worst(side);
        each_move<side>(state, score, depth, [&](int move, int64_t look) {
            nodes++;
            const int64_t value = child<side>(state, move, look, depth, alpha, beta);
            best = side == 0 ? std::max(best, value) : std::min(best, value);
            if (!prunes) return true;
            if (side == 0) alpha = std::max(alpha, best);
            else beta = std::min(beta, best);
            if (alpha < beta) return true;
            (side == 0 ? beta_cuts : alpha_cuts)++;
            return false;
        });
        return best;
    }

    // The score after a move, of which `look` is known. The node has been counted.
    template <int side>
    int64_t child(const State& state, int move, int64_t look, int depth, int64_t alpha, int64_t beta) {
        if (depth == 1 || is_end(look)) return score_of(look);
        const int64_t score = inner<1 - side>(board.template play<side>(state, move), look, depth - 1, alpha, beta);
        board.template undo<side>(move);
        return score;
    }

    // Calls visit(move, look) for each move, in order, until it returns false.
    template <int side, typename Visit>
    void each_move(const State& state, int64_t score, int depth, Visit visit) {
        if constexpr (!by_evaluation) {
            for (auto rest = board.all(state); board.any(rest); rest = board.next(rest)) {
                const int move = board.first(rest);
                if (!visit(move, board.template look<side>(state, score, move))) return;
            }
        } else {
            std::vector<Candidate>& list = candidates[size_t(depth)];
            list.clear();
            for (auto rest = board.all(state); board.any(rest); rest = board.next(rest)) {
                const int move = board.first(rest);
                list.push_back({board.template look<side>(state, score, move), move});
            }
            sorted += list.size();
            // A heap: most nodes are cut after a move or two, and need no more than that sorted.
            std::make_heap(list.begin(), list.end(), comes_later<side>);
            for (auto end = list.end(); end != list.begin();) {
                std::pop_heap(list.begin(), end--, comes_later<side>);
                if (!visit(end->move, end->look)) return;
            }
        }
    }

    void check() {
        if (nodes > request.limit) throw SearchLimitReached{};
        poll();
        check_at = nodes + sorted + (1 << 18);
    }

    const SearchRequest& request;
    const Poll& poll;
    Board board;
    std::vector<std::vector<Candidate>> candidates;  // of each depth
    uint64_t nodes = 0, alpha_cuts = 0, beta_cuts = 0;
    uint64_t sorted = 0;          // moves looked at to sort them: work, too
    uint64_t check_at = 1 << 18;  // of either
};

template <typename Board, bool by_evaluation, bool prunes>
std::vector<SearchedMove> run(const SearchRequest& request, const Lines& lines, const Poll& poll) {
    Search<Board, by_evaluation, prunes> search(request, lines, poll);
    return request.x.size() == request.o.size() ? search.template root<0>() : search.template root<1>();
}

template <typename Board>
std::vector<SearchedMove> run(const SearchRequest& request, const Lines& lines, const Poll& poll) {
    const auto go = request.prunes ? request.by_evaluation ? run<Board, true, true> : run<Board, false, true>
                                   : request.by_evaluation ? run<Board, true, false> : run<Board, false, false>;
    return go(request, lines, poll);
}

template <bool gravity>
std::vector<SearchedMove> on_a_board(const SearchRequest& request, const Lines& lines, const Poll& poll) {
    if (request.game.exact) return run<LargeBoard<true, gravity>>(request, lines, poll);
    return SmallBoard<gravity>::holds(request, lines) ? run<SmallBoard<gravity>>(request, lines, poll)
                                                      : run<LargeBoard<false, gravity>>(request, lines, poll);
}

}  // namespace

std::vector<SearchedMove> search_moves(const SearchRequest& request, const Poll& poll) {
    const Lines lines = lines_of(request.game);
    return (request.game.gravity ? on_a_board<true> : on_a_board<false>)(request, lines, poll);
}

}  // namespace noughts
