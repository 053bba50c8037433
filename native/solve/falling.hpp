// Strong solving where marks fall, of at most 32 cells.
//
// How high the columns stand is a rack, and its number is the sum of height[c] (rows + 1)^c. A level has a block of
// bytes for each rack with so many marks, ascending; of two racks that mirror each other the smaller number has it. In
// the block there is a byte for each way to share the marks out between X and O:
//
//     string    the marks column by column, each from the bottom: bit i set where the i-th is X's
//     byte      the rank of the string among those with as many X, ascending
//
//         . . .
//         O . .      heights 2 0 1, string X O X: bits 0 and 2
//         X . X
//
// Which positions can arise is found level by level upwards, what they are worth downwards. A block that is its own
// mirror image has a byte for both of two positions that mirror each other.
#pragma once

#include "bytes.hpp"
#include "solve.hpp"

namespace noughts::solve {

using String = uint64_t;

// A rack and what its strings mean.
struct Rack {
    static constexpr int most_columns = 32;

    uint32_t number;
    bool symmetric;
    uint8_t start[most_columns + 1];  // where each column begins in a string; its end is the start of the next
};

// The racks of a board, and the bits of a position as sets: column by column from the bottom, with one more above each
// column that is never played.
class Racks {
   public:
    explicit Racks(const Game& game);  // TooLarge: more racks than are taken, or more than 64 bits

    uint64_t count(int marks) const { return of_[marks].size(); }
    Rack rack(int marks, uint64_t place) const { return make(of_[marks][place]); }
    Rack make(uint32_t number) const;
    uint32_t number(uint64_t taken) const;
    uint32_t add(uint32_t number, int column, int marks) const { return number + uint32_t(marks * int(unit_[column])); }

    struct Place {
        uint64_t block;
        bool mirrored;  // the block is that of the mirror image
    };
    Place place(uint32_t number) const { return {place_[number] >> 1, bool(place_[number] & 1)}; }

    uint64_t taken(const Rack& rack) const { return spread(rack, ~String(0)); }
    // The string as a set: X's cells.
    uint64_t spread(const Rack& rack, String string) const {
        uint64_t set = 0;
        for (int c = 0; c < columns; c++) set |= column(rack, string, c) << c * high;
        return set;
    }
    String gather(const Rack& rack, uint64_t set) const {
        String string = 0;
        for (int c = 0; c < columns; c++) string |= (set >> c * high & ((uint64_t(1) << rows) - 1)) << rack.start[c];
        return string;
    }
    // The string of the mirror image.
    String mirror(const Rack& rack, String string) const {
        String out = 0;
        for (int c = 0; c < columns; c++)
            out |= column(rack, string, c) << (rack.start[columns] - rack.start[c + 1]);
        return out;
    }
    bool has_line(uint64_t set) const;
    uint64_t tops(uint64_t taken) const { return (taken + bottom) >> 1 & taken; }

    uint64_t to_set(uint32_t row_major) const;
    uint32_t to_row_major(uint64_t set) const;

    const int rows, columns, high, k;
    const bool exact;
    uint64_t bottom = 0;

   private:
    static String column(const Rack& rack, String string, int c) {
        return string >> rack.start[c] & ((String(1) << (rack.start[c + 1] - rack.start[c])) - 1);
    }

    std::vector<uint32_t> unit_;                // what a mark in a column adds to the number
    std::vector<std::vector<uint32_t>> of_;     // [marks] those that have a block, ascending
    std::vector<uint32_t> place_;               // [number] block * 2 + mirrored
};

class Falling final : public Strong {
   public:
    explicit Falling(const Game& game);

    uint64_t level_bytes(int level) const override { return racks.count(level) * block_bytes(level); }
    uint64_t block_bytes(int level) const override { return binomial(level, (level + 1) / 2); }
    uint64_t memory(int threads) const override;
    Result run(const Options& options = {}) const override;
    uint64_t locate(Sets sets) const override;
    Code without_byte(Sets) const override { return unreachable_code; }  // there is no such position
    Sets position_at(int level, uint64_t place) const override;
    Code judge(Sets sets) const override;
    Counted count(int level, const Code* bytes, int threads, const Poll& poll) const override;
    std::vector<uint64_t> classes(const std::vector<uint64_t>&, int) const override { return {}; }

    const Racks racks;
};

// How many positions can arise with 0, 1, … `marks` marks, at most 32, on a board that may be larger than is solved:
// told level by level. `counting_memory` is what it takes, in bytes.
void count_positions(const Game& game, int marks, int threads, const Poll& poll,
                     const std::function<void(uint64_t positions)>& level_done);
uint64_t counting_memory(const Game& game, int marks);

}  // namespace noughts::solve
