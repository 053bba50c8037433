// The turns of a board onto itself.
#pragma once

#include <stdint.h>

#include <array>
#include <utility>
#include <vector>

#include "simd/kernels.hpp"

namespace noughts::prove {

// Numbered as in certificates: 4 swaps rows and columns, then 1 mirrors left and right, 2 top and bottom.
struct Turns {
    std::vector<std::vector<uint16_t>> to;  // [turn][cell]

    explicit Turns(const Game& game) {
        for (int turn = 0; turn < (game.rows == game.columns ? 8 : 4); turn++) {
            std::vector<uint16_t> cells;
            for (int cell = 0; cell < game.cells; cell++) {
                int row = cell / game.columns, column = cell % game.columns;
                if (turn & 4) std::swap(row, column);
                if (turn & 1) column = game.columns - 1 - column;
                if (turn & 2) row = game.rows - 1 - row;
                cells.push_back(uint16_t(row * game.columns + column));
            }
            to.push_back(cells);
        }
    }
    // The turn that does one after another.
    int then(int first, int second) const {
        for (int turn = 0; turn < int(to.size()); turn++) {
            bool fits = true;
            for (size_t cell = 0; cell < to[0].size(); cell++) fits &= to[turn][cell] == to[second][to[first][cell]];
            if (fits) return turn;
        }
        return 0;
    }

    // The turn that undoes one.
    static constexpr std::array<int, 8> inverse{0, 1, 2, 3, 4, 6, 5, 7};
};

}  // namespace noughts::prove
