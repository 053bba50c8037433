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

class ShapeTable {
  public:
    explicit ShapeTable(const Game& game);

    // The shape of a cell whose line holds `mine` and `theirs`, bit i for the i-th of `length` cells.
    Shape at(uint64_t mine, uint64_t theirs, int length, int i) {
        const uint64_t right_wall = (theirs | ~uint64_t{0} << length) >> 1 >> i;
        const uint64_t left_wall = theirs << 1 << (63 - i) | ~uint64_t{0} >> i;
        const int right = std::min(std::countr_zero(right_wall), arm);
        const int left = std::min(std::countl_zero(left_wall), arm);
        const uint64_t right_code = (mine >> 1 >> i & ((uint64_t{1} << right) - 1)) | uint64_t{1} << right;
        const uint64_t left_code = (mine << 1 << (63 - i) >> 1 >> (63 - left)) | uint64_t{1} << left;
        const uint64_t code = right_code | left_code << (arm + 1);
        if (!table_.empty()) return table_[code];
        if (const auto known = seen_.find(code); known != seen_.end()) return known->second;
        if (seen_.size() >= most_seen) seen_.clear();
        return seen_[code] = decide(code);
    }

    const int k, arm;  // how far a cell is felt

  private:
    static constexpr size_t most_seen = 1 << 17;  // some 8 MB
    struct Window {
        uint64_t mine, free;
        bool operator==(const Window&) const = default;
    };
    struct Mixed {
        size_t operator()(const Window& window) const { return window.mine * 0x9E3779B97F4A7C15u ^ window.free; }
    };
    Shape decide(uint64_t code);
    Shape of(uint64_t mine, uint64_t free);  // the cell at bit `arm` is mine

    const bool exact_;
    std::vector<Shape> table_;                         // of all pairs of arms, where they are not too many
    std::unordered_map<uint64_t, Shape> seen_;         // otherwise of those that came up
    std::unordered_map<Window, Shape, Mixed> known_;   // windows met while a shape is decided
};

}  // namespace noughts::engine
