// The hot loops, compiled once per instruction set.
//
// Every simd/*.cpp is compiled several times, with other flags and another NOUGHTS_ISA each time (baseline, avx2,
// avx512), into a namespace of that name. The linker keeps one copy of an inline function that several files share,
// perhaps the AVX-512 one: so these files, and this header, contain plain data and plain loops only, nothing from the
// C++ library. The rest of the core reaches them through the table `Kernels` (see isa.hpp).
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace noughts {

constexpr int most_words = 256 * 256 / 64;  // the largest board, one bit a cell

// One direction in which lines run. With the cells numbered row by row, neighbours differ by a fixed number, and
//
//     b &= b >> shift[0];  b &= b >> shift[1];  …
//
// leaves bit i set when k cells in a row from i are all in b. Each step doubles the length of the run, so there are
// about log2(k) steps. Runs that wrap round an edge of the board are among them; `starts` has the true first cells.
// Where only exactly k in a row count, two of those side by side begin one longer run:
//
//     longer = b & b >> step;  b &= ~(longer | longer << step)
struct Direction {
    int step;  // from a cell to the next
    int steps;
    int shift[8];
    uint64_t starts[most_words];  // one word is enough up to 64 cells
    uint64_t longer;              // the first cells that leave room for k + 1, where there are at most 64 cells
};

// Verdicts, as the batch routines write them.
constexpr uint8_t ongoing = 0, x_wins = 1, o_wins = 2, draw = 3;

// A board, its lines, and what completing one means: see game.hpp, which fills it.
struct Game {
    int rows, columns, k;
    int cells;
    uint8_t line_code[2];  // the verdict when X, when O has completed a line
    bool exact;            // only exactly k in a row count, and longer runs fit on the board
    bool gravity;          // a mark falls to the lowest free cell of its column
    int directions;  // those that hold a line: at most 4
    Direction direction[4];
    uint64_t board;   // the set of all cells, where there are at most 64
    uint64_t bottom;  // the last row, where there are at most 64 cells
};

// What is wrong with a batch: these bits, or-ed.
constexpr int overlap = 1, outside = 2, bad_value = 4;

// Results of many games, by who completed a line.
struct Tally {
    uint64_t x_wins, o_wins, draws, plies;
};

// Where playouts start. `free` lists the empty cells that may be played, ascending.
struct Start {
    const Game* game;
    uint64_t x[16], o[16];  // up to 1,024 cells
    uint16_t free[1024];
    int free_count;
    int marks[2];  // how many X has, and O
    int turn;      // 0: X moves next, 1: O
    uint64_t seed;
};

// Judge n boards given as sets of cells. Returns Faults.
template <typename Lane>
using Status = int(const Game&, const Lane* x, const Lane* o, uint8_t* codes, size_t n);

// Judge n boards of any size given as cells of +1 (X), -1 (O), 0 (empty).
using StatusOfPlanes = int(const Game&, const int8_t* planes, uint8_t* codes, size_t n);

// Play the games number first … first + n - 1 to the end and add them to the tally.
using Playouts = void(const Start&, uint64_t first, uint64_t n, Tally&);

// For learners: at most 64 boards of at most 64 cells, given as the sets of the player to move and of the other.
// Aim: the cell that each action plays, or -1. Place: play cells (see vector.hpp). Show: planes, and masks if any.
using Aim = void(const Game&, const uint64_t* mine, const uint64_t* theirs, const int64_t* actions, int32_t* cells,
                 size_t n);
using Place = void(const Game&, uint64_t* mine, uint64_t* theirs, const int32_t* cells, uint8_t* over, size_t n);
using Show = void(const Game&, const uint64_t* mine, const uint64_t* theirs, int8_t* planes, int8_t* masks, size_t n);

struct Kernels {
    Status<uint16_t>* status16;
    Status<uint32_t>* status32;
    Status<uint64_t>* status64;
    StatusOfPlanes* status_planes;
    Playouts* playouts;
    Aim* aim;
    Place* place;
    Show* show;
};

}  // namespace noughts
