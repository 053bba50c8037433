// A board that changes in place: one move and its status in a few nanoseconds, on any board.
//
// Each cell is a byte, in rows one byte longer than the board's, with a row above and one below:
//
//     # # # # #        # is neither X, O nor free, so that a walk along a line ends at the edge by itself: the byte
//     . . . #          after a row is the one before the next
//     . . . #
//     # # # # #
//
// Only lines through the last move can be new, so a move looks along the four of its cell.
#pragma once

#include <string>
#include <vector>

#include "simd/kernels.hpp"

namespace noughts {

class Board {
  public:
    // `cells`: 0 free, 1 X, 2 O; `code`: how the game stands.
    Board(const Game& game, const std::string& cells, uint8_t code)
        : rows_(game.rows), columns_(game.columns), k_(game.k), exact_(game.exact), gravity_(game.gravity),
          line_code_{game.line_code[0], game.line_code[1]}, free_(game.cells), status_(code),
          byte_(size_t(game.rows + 2) * stride() + 1, edge), played_(game.cells) {
        for (int cell = 0; cell < game.cells; cell++) {
            byte_[at(cell)] = uint8_t(cells[cell]);
            if (cells[cell] == 0) continue;
            free_--;
            turn_ ^= 1;
        }
    }

    int cells() const { return rows_ * columns_; }
    int turn() const { return turn_; }  // 0: X, 1: O
    uint8_t status() const { return status_; }
    int marks() const { return cells() - free_; }
    std::vector<uint16_t> played() const { return {played_.begin(), played_.begin() + pushed_}; }
    bool can_pop() const { return pushed_ > 0; }

    bool may_play(int cell) const {
        if (status_ != ongoing || cell < 0 || cell >= cells()) return false;
        const size_t place = at(cell);
        return byte_[place] == 0 && (!gravity_ || byte_[place + stride()] != 0);
    }

    // The cell must be one that may be played.
    void push(int cell) {
        const size_t place = at(cell);
        byte_[place] = uint8_t(turn_ + 1);
        free_--;
        status_ = completes(place) ? line_code_[turn_] : free_ ? ongoing : draw;
        turn_ ^= 1;
        played_[pushed_++] = uint16_t(cell);
    }

    // There must be a move to take back.
    int pop() {
        const int cell = played_[--pushed_];
        byte_[at(cell)] = 0;
        free_++;
        turn_ ^= 1;
        status_ = ongoing;
        return cell;
    }

    std::string bytes() const {
        std::string found;
        for (int cell = 0; cell < cells(); cell++) found.push_back(char(byte_[at(cell)]));
        return found;
    }

  private:
    static constexpr uint8_t edge = 3;

    int stride() const { return columns_ + 1; }
    size_t at(int cell) const { return size_t(cell + cell / columns_ + stride() + 1); }

    bool completes(size_t place) const {
        const uint8_t mark = byte_[place];
        const int longest = k_ + exact_;  // how long a run needs to be counted
        for (const int step : {1, stride() - 1, stride(), stride() + 1}) {
            int run = 1;
            for (size_t p = place + step; run < longest && byte_[p] == mark; p += step) run++;
            for (size_t p = place - step; run < longest && byte_[p] == mark; p -= step) run++;
            if (run == k_) return true;
        }
        return false;
    }

    int rows_, columns_, k_;
    bool exact_, gravity_;
    uint8_t line_code_[2];
    int free_, turn_ = 0;
    uint8_t status_;
    int pushed_ = 0;
    std::vector<uint8_t> byte_;
    std::vector<uint16_t> played_;  // the first `pushed_` of them; as long as it can get, since growing takes time
};

}  // namespace noughts
