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
struct Direction {
    int steps;
    int shift[8];
    uint64_t starts[most_words];  // one word is enough up to 64 cells
};

// The board and its lines: see geometry.hpp, which fills it.
struct Geometry {
    int rows, columns, k;
    int cells;
    int directions;  // those that hold a line: at most 4
    Direction direction[4];
    uint64_t board;         // all cells, up to 64 of them
    uint16_t has_line[32];  // up to 9 cells: bit (b >> 5) of word (b & 31) says whether the set b has a line
};

// Verdicts, as the batch routines write them.
enum Code : uint8_t { ongoing = 0, x_wins = 1, o_wins = 2, draw = 3 };

// What is wrong with a batch: these bits, or-ed.
enum Fault : int { overlap = 1, outside = 2, bad_value = 4 };

// Results of many games.
struct Tally {
    uint64_t x_wins, o_wins, draws, plies;
};

// Where playouts start. `free` lists the empty cells, ascending.
struct Start {
    const Geometry* geometry;
    uint64_t x[4], o[4];  // up to 256 cells
    uint8_t free[256];
    int free_count;
    int turn;        // 0: X moves next, 1: O
    int marks[2];    // how many X, O have
    uint64_t state;  // the random stream: see simd/playout.cpp
};

struct Kernels {
    // Judge n boards given as sets of cells. `line_code[s]` is written when side s has a line. Returns Faults.
    int (*status16)(const Geometry&, const uint8_t line_code[2], const uint16_t* x, const uint16_t* o, uint8_t* codes, size_t n);
    int (*status32)(const Geometry&, const uint8_t line_code[2], const uint32_t* x, const uint32_t* o, uint8_t* codes, size_t n);
    int (*status64)(const Geometry&, const uint8_t line_code[2], const uint64_t* x, const uint64_t* o, uint8_t* codes, size_t n);
    // Judge n boards given as cells of +1 (X), -1 (O), 0 (empty); any size of board.
    int (*status_planes)(const Geometry&, const uint8_t line_code[2], const int8_t* planes, uint8_t* codes, size_t n);
    // Play the games number first … first + n - 1 to the end and add them to the tally.
    void (*playouts)(const Start&, uint64_t first, uint64_t n, Tally&);
};

}  // namespace noughts
