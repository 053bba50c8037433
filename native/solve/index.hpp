// Which X sets have a block, and where a position lies.
//
//     level n   X has x = ceil(n / 2) cells, O has o = floor(n / 2)
//
//     byte      block of the 1st X            block of the 2nd X           ...
//               O 1st, 2nd, 3rd set ...       O 1st, 2nd, 3rd set ...
//
// One X of each orbit has a block: its smallest set. A set that holds a line has none: if X has just completed it the
// game is over whatever O has, and otherwise the position cannot arise. O's sets are those of o out of the cells that X
// left free, counted from the lowest free cell, in ascending (colex) order: the i-th smallest cell c of a set adds
// binomial(c, i) to its rank.
#pragma once

#include <cstddef>

#include "board.hpp"

namespace noughts::solve {

// The place of a set among all sets of its size, in ascending order.
inline uint32_t colex(Set set) {
    uint32_t rank = 0;
    for (int i = 1; set; set &= set - 1) rank += binomial(std::countr_zero(set), i++);
    return rank;
}

// The cells of a free set, counted from the lowest.
class Places {
   public:
    explicit Places(Set free) {
        for (uint8_t n = 0; free; free &= free - 1) place_[std::countr_zero(free)] = n++;
    }
    uint8_t operator[](int cell) const { return place_[cell]; }
    // A subset of the free cells as it looks when only they are counted.
    Set squeeze(Set set) const {
        Set out = 0;
        for (; set; set &= set - 1) out |= Set(1) << place_[std::countr_zero(set)];
        return out;
    }

   private:
    uint8_t place_[most_cells];
};

struct Index {
    explicit Index(const Board& board);

    const Board& board;
    int top;                             // the most cells X can have
    std::vector<std::vector<Set>> open;  // [x] the smallest set of each orbit without a line, ascending
    std::vector<std::vector<Set>> won;   // [x] the same for sets whose lines have a common cell: X can have just won

    int orbit_size(Set set) const;
    uint64_t block_bytes(int level) const { return binomial(board.cells - (level + 1) / 2, level / 2); }
    uint64_t level_bytes(int level) const { return open[(level + 1) / 2].size() * block_bytes(level); }

    // Where the position (X, O) lies in its level. X must have no line.
    uint64_t locate(Set x, Set o) const;
};

// From any X of one size to its block, in one look.
class Finder {
   public:
    static constexpr uint32_t none = ~0u;  // X has a line

    Finder(const Index& index, int x);
    void fill(std::size_t begin, std::size_t end);  // enter the blocks begin … end - 1; several threads can

    // number * 8 + the symmetry that takes the set to the set that has the block
    uint32_t operator()(Set set) const { return entry_[rank(set)]; }

   private:
    uint32_t rank(Set set) const { return low_[set & 8191] + high_[set >> 13]; }  // of 13 cells and the rest

    const Index& index_;
    int x_;
    std::vector<int> inverse_;
    std::vector<uint32_t> low_, high_, entry_;
};

}  // namespace noughts::solve
