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

    bool may_play(int cell) const;
    void push(int cell);  // one that may be played
    int pop();            // there must be a move to take back

    std::string bytes() const {
        std::string found;
        for (int cell = 0; cell < cells(); cell++) found.push_back(char(byte_[at(cell)]));
        return found;
    }

  private:
    static constexpr uint8_t edge = 3;

    int stride() const { return columns_ + 1; }
    size_t at(int cell) const { return size_t(cell + cell / columns_ + stride() + 1); }

    bool completes(size_t place) const;

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
