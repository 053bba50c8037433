// What the solver and its SIMD kernels share: plain data only, so that a file built with special flags leaks no code.
//
// A block is an array with one byte for each set of `size` cells out of `cells` free ones, sets in ascending (colex)
// order of their bit masks. The lowest `low` cells are treated as vector lanes: for every set T of the other, high,
// cells the sets T + L lie side by side, a ROW with one byte (lane) for each L of size - |T| low cells:
//
//      mask     high cells | low cells
//      row T0      0 0 1   |  L0 L1 L2 ...      rows in ascending order of T,
//      row T1      0 1 0   |  L0 L1 L2 ...      lanes in ascending order of L,
//      row T2      0 1 1   |  L0 ...            fewer low cells where T has more
//
// A row is one vector or two. Rows with equally many high cells form a Group: equally many lanes, equally many moves.
#pragma once
#include <stdint.h>

namespace noughts::solve {

struct Group {
    uint32_t rows;
    uint32_t lanes;
    uint32_t child_lanes;   // of the child's row that a move on a low cell leads to
    uint32_t highs;         // moves on a high cell, the same number in each row
    uint32_t lows;          // moves on a low cell: how many shuffles
    const uint32_t* top;    // [rows] T
    const uint32_t* to;     // [rows] where the row lies in its block
    const uint32_t* low;    // [rows] where the row that a move on a low cell leads to lies in the child
    const uint32_t* high;   // [rows][highs] the same for each move on a high cell
    const uint8_t* shuffle; // [lows][one or two vectors] for each lane the child's lane; 255: no such move
};

// How to fill a block from its children.
struct Plan {
    uint32_t low;           // low cells
    uint32_t high;          // high cells
    uint32_t bytes;         // of the block
    uint32_t stride;        // x_moves: from the child of one free cell to the child of the next
    uint32_t groups;
    const Group* group;
    uint8_t seed;           // what a row starts from: the worst code, or a tie where the board is full
};

// How to fill a block from itself, seen through a symmetry.
struct Turn {
    uint32_t low, high;
    uint32_t groups;        // of which rows, lanes, top and to are used, and `lows`: where its low sets start in `set`
    const Group* group;
    const uint32_t* row;    // [2^high] where row T lies
    const uint16_t* set;    // [2^low] the low sets by size, then mask
    const uint8_t* lane;    // [2^low] the lane of a low set
};

// Bits over the lanes of each row: two words for the block of X to move, then two for that of O to move.
struct Marks { uint64_t x[2], o[2]; };

// What marked lanes hold instead of what the children say.
struct Override {
    const Marks* line;      // [2^high] O has a line; null: nowhere
    const Marks* tangle;    // O has lines without a common cell; null: nowhere
    uint8_t line_code, tangle_code;
};

// Two codes in one byte, for the levels that wait in memory. Sixteen kinds are enough: those that are kept lie
//
//     o_first, o_first + 2, …   (O wins)      127 (tie)      x_first, x_first + 2, …   (X wins)
//
// and the kinds are numbered in this order. Byte i of 64 holds the codes i and 64 + i of 128.
struct Packing {
    uint8_t code[16];       // of each kind
    uint8_t o_first, x_first, tie_kind;
};

struct Kernels {
    const char* name;
    uint32_t low;           // most low cells
    uint32_t width;         // bytes of a vector
    void (*x_moves)(const Plan&, const uint8_t* children, const Override&, uint8_t* block);
    void (*o_moves)(const Plan&, const uint8_t* child, const Override&, uint8_t* block);
    // block[S] = child[map(S)]; the map keeps low cells low and high cells high. scratch: 2^high words
    void (*turn)(const Turn&, const uint8_t* map, const uint8_t* child, uint8_t* block, uint32_t* scratch);
    void (*pack)(const Packing&, const uint8_t* block, uint64_t bytes, uint8_t* packed);
    void (*unpack)(const Packing&, const uint8_t* packed, uint64_t bytes, uint8_t* block);
    // marks[T] |= more[|T|] for all T above `from`
    void (*mark)(Marks* marks, const Marks* more, uint32_t from, uint32_t high);
    uint64_t (*unmarked)(const Plan&, const Marks*);  // how many sets of a block of O to move
    // counts[i] += how often codes[i] occurs
    void (*count)(const uint8_t* block, uint64_t bytes, const uint8_t* codes, uint32_t kinds, uint64_t* counts);
};

constexpr uint64_t padding = 128;  // how far past its end a kernel may read and write a block
constexpr uint64_t packed_bytes(uint64_t bytes) { return (bytes + 127) / 128 * 64; }

}  // namespace noughts::solve
