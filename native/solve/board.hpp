// The board as the solver sees it: cells renumbered orbit by orbit, its symmetries, and its lines.
//
// A symmetry moves a cell only within its orbit. With the cells of an orbit numbered side by side, small orbits first,
//
//     5x5, row by row             renumbered             orbits   0 | 1-4 | 5-8 | 9-12 | 13-16 | 17-24
//      0  1  2  3  4               1 17  5 19  3
//      5  6  7  8  9              21  9 13 11 22
//     10 11 12 13 14      ->       7 15  0 16  8
//     15 16 17 18 19              23 10 14 12 24
//     20 21 22 23 24               2 18  6 20  4
//
// a symmetry also keeps the free cells of an orbit side by side. That is what makes a symmetry of a whole block of
// positions a matter of moving rows and shuffling lanes (see kernels.hpp).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "../game.hpp"

namespace noughts::solve {

using Set = uint32_t;  // a set of cells in the solver's numbering

constexpr int most_cells = 30;  // of a board; a GPU takes 28

// binomial(n, k) for n up to 32, 0 where k > n.
extern const std::array<std::array<uint32_t, 34>, 33> binomials;
inline uint32_t binomial(int n, int k) { return k < 0 || n < 0 ? 0 : binomials[n][k]; }

struct Board {
    int k, cells;
    bool exact;                                        // only exactly k in a row count
    Set all;
    std::array<uint8_t, most_cells> number;            // row-major cell -> the solver's number
    std::vector<int> orbit_end;                        // one past the last number of each orbit
    std::vector<std::array<uint8_t, most_cells>> map;  // each symmetry, number -> number; the identity first
    std::vector<Set> lines;                            // k cells in a row; exact: not a line, if one more joins them
    std::vector<Set> tangles;                          // the smallest sets whose lines share no cell; not exact

    explicit Board(const Game& game);

    Set renumber(uint32_t row_major) const;
    Set image(Set set, int symmetry) const {
        const auto& t = images_[symmetry];
        return t[0][set & 1023] | t[1][set >> 10 & 1023] | t[2][set >> 20];
    }

    // Where only exactly k count: a bit for each set that is open, that is won.
    const std::vector<uint64_t>& open_bits() const { return open_; }
    const std::vector<uint64_t>& won_bits() const { return won_; }

    // Can a player have this set without ever having had a line?
    bool is_open(Set set) const {
        if (exact) return open_[set / 64] >> set % 64 & 1;
        for (Set line : lines)
            if ((set & line) == line) return false;
        return true;
    }
    // Can the last move to this set have completed its lines, the first ones? That was on a cell which they all share.
    bool is_won(Set set) const {
        if (exact) return won_[set / 64] >> set % 64 & 1;
        Set shared = all;
        bool any = false;
        for (Set line : lines)
            if ((set & line) == line) shared &= line, any = true;
        return any && shared;
    }

   private:
    void find_kinds(const Game& game);

    std::vector<std::array<std::array<Set, 1024>, 3>> images_;
    std::vector<uint64_t> open_, won_;                 // exact: a bit for each set
};

}  // namespace noughts::solve
