// What a mark on a free cell would make along one line, for any k: see noughts/engine/shapes.py, which says what is
// right.
//
// Along a line a cell has two arms. An arm ends before the first cell that the other holds, at the edge, or after the
// farthest cell that can matter; its code is a bit a cell (1: mine) under a leading 1. A pair of arms, and nothing
// else, decides the shape:
//
//     O . X _ X X .        left arm of _: X then free, 2 cells     right arm: X X free, 3 cells
//           ^              -> completes nothing, but X X X X can then be completed on two cells: an open four
#pragma once

#include <stdint.h>

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <vector>

#include "game.hpp"

namespace noughts::engine {

// A mark on the cell makes a line that lacks 4 cells more, 3, 2, 1, or none. Open: in two ways, so that the other
// cannot stop it with one mark. The names are those of five in a row, for every k.
enum Shape : uint8_t { none, one, open_one, two, open_two, three, open_three, four, open_four, five, shapes };

// What counts as nothing: see noughts/engine/shapes.py.
constexpr int least_shape(int k) { return k > 5 ? open_one : none; }

class ShapeTable {
  public:
    explicit ShapeTable(const Game& game);

    // The shapes of the i-th cell of a line, for both: of the owner of `first` in the low four bits, of `second` above.
    // A line begins at bit `pad`, and all that is not on the board is a mark of both.
    uint8_t both(uint64_t first, uint64_t second, int i) {
        if (windows_.empty()) return uint8_t(at(first, second, i) | at(second, first, i) << 4);
        return windows_[around(first, i) | around(second, i) << 2 * arm];
    }

    static constexpr int pad = 4;

    const int k, arm;  // how far a cell is felt

  private:
    static constexpr size_t most_seen = 1 << 15;  // some 2 MB
    struct Window {
        uint64_t mine, free;
        bool operator==(const Window&) const = default;
    };
    struct Mixed {
        size_t operator()(const Window& window) const { return window.mine * 0x9E3779B97F4A7C15u ^ window.free; }
    };
    // The marks on the arms of a cell: bit by bit, the cell itself left out.
    uint64_t around(uint64_t line, int i) const {
        const uint64_t window = line >> (i + pad - arm), right = (uint64_t{1} << arm) - 1;
        return (window & right) | (window >> 1 & right << arm);
    }
    Shape at(uint64_t mine, uint64_t theirs, int i);
    Shape decide(uint64_t code);
    Shape of(uint64_t mine, uint64_t free);  // the cell at bit `arm` is mine

    const bool exact_;
    std::vector<uint8_t> windows_;                     // of all that both can have on short arms, for both
    std::vector<Shape> table_;                         // of all pairs of arms, where they are not too many
    std::unordered_map<uint64_t, Shape> seen_;         // otherwise of those that came up
    std::unordered_map<Window, Shape, Mixed> known_;   // windows met while a shape is decided
};

}  // namespace noughts::engine
