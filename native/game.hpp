// A game: lines on a board of rows x columns cells, k in a row, and what completing one means.
//
// A set of cells is an integer, bit i for cell i, row by row from the top left, with no padding:
//
//     3x3   0 1 2      step to the next cell:   east        1          (0 1 2)
//           3 4 5                               south       columns    (0 3 6)
//           6 7 8                               south-east  columns+1  (0 4 8)
//                                               south-west  columns-1  (2 4 6)
//
// The shifts of kernels.hpp find k cells at equal steps; whether such a run stays on the board depends on its first
// cell alone, so masking with the first cells that leave room for k makes the test exact.
#pragma once

#include "simd/kernels.hpp"

namespace noughts {

inline bool has_line(const Game& game, uint64_t set) {
    uint64_t found = 0;
    for (int d = 0; d < game.directions; d++) {
        const Direction& direction = game.direction[d];
        uint64_t run = set;
        for (int i = 0; i < direction.steps; i++) run &= run >> direction.shift[i];
        run &= direction.starts[0];
        if (game.exact) {
            const uint64_t longer = run & run >> direction.step;
            run &= ~(longer | longer << direction.step);
        }
        found |= run;
    }
    return found != 0;
}

// The cells that would complete a line if they joined the set: for each place j of a line, the starts of lines of which
// all other cells are there, moved to that place. Taken cells may be among them. Unrolled for the usual k; k = 0 asks
// the game. Directions that hold no line have no starts, so all four are tried blindly. Where only exactly k count, a
// line that has a cell of the set right before or after it has no start.
template <int k>
inline uint64_t completions(const Game& game, uint64_t set) {
    const int length = k ? k : game.k;
    uint64_t found = 0;
    for (const Direction& direction : game.direction) {
        const int step = direction.step;
        uint64_t starts = direction.starts[0];
        if (game.exact && direction.longer)
            starts &= ~((set & direction.longer) << step | (set >> length * step & direction.longer));
        uint64_t run[k ? k : 64];  // run[m]: where m cells in a row start
        run[0] = ~uint64_t{0};
        uint64_t next = set;
        for (int m = 1; m < length; m++, next >>= step) run[m] = run[m - 1] & next;
        for (int j = 0; j < length - 1; j++)
            found |= (run[j] & run[length - 1 - j] >> (j + 1) * step & starts) << j * step;
        found |= (run[length - 1] & starts) << (length - 1) * step;
    }
    return found;
}

// The cells that may be played, of those that are free. Boards have at most 64 cells.
inline uint64_t playable(const Game& game, uint64_t free) {
    if (!game.gravity || game.columns >= 64) return free;
    return free & ((game.board & ~free) >> game.columns | game.bottom);
}

// Does the one who completes a line win?
inline bool completing_wins(const Game& game) { return game.line_code[0] == x_wins; }

inline Game make_game(int rows, int columns, int k, bool misere, bool exact, bool gravity = false) {
    Game g{};
    g.rows = rows, g.columns = columns, g.k = k;
    g.exact = exact && k > 1 && (k < rows || k < columns);  // with k = 1 the first mark is a line already
    g.gravity = gravity;
    g.line_code[misere] = x_wins, g.line_code[!misere] = o_wins;
    g.cells = rows * columns;
    g.board = g.cells < 64 ? (uint64_t{1} << g.cells) - 1 : ~uint64_t{0};
    g.bottom = g.board & ~(columns < 64 ? g.board >> columns : 0);

    const struct { int down, right; } ways[4] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (auto [down, right] : ways) {
        // The first cells that leave room for k are a rectangle of the board.
        const int reach = k - 1;
        const int last_row = rows - 1 - down * reach;
        const int first_column = right < 0 ? reach : 0;
        const int last_column = right > 0 ? columns - 1 - reach : columns - 1;
        if (last_row < 0 || first_column > last_column) continue;

        Direction& direction = g.direction[g.directions++];
        direction.step = down * columns + right;
        for (int length = 1, more; length < k; length += more) {
            more = length <= k - length ? length : k - length;
            direction.shift[direction.steps++] = direction.step * more;
        }
        for (int row = 0; row <= last_row; row++)
            for (int column = first_column; column <= last_column; column++) {
                const int cell = row * columns + column;
                direction.starts[cell / 64] |= uint64_t{1} << cell % 64;
            }
        if (g.cells <= 64) direction.longer = direction.starts[0] & direction.starts[0] >> direction.step;
        if (k == 1) break;  // a single cell lies in every direction; once is enough
    }
    return g;
}

}  // namespace noughts
