// The lines of a board of up to 32 x 32, and how full each is, kept move by move.
//
// For each player and each cell it is known whether a mark there completes a line, or leaves one that lacks a single
// cell more (a four). A move touches the lines through its cell alone; nothing scans the board.
#pragma once

#include <stdint.h>

#include <array>
#include <bit>
#include <vector>

#include "simd/kernels.hpp"

namespace noughts {

// A set of cells of a board of up to 1024.
class CellSet {
  public:
    static constexpr int words = 16;

    void add(int cell) { word_[cell / 64] |= uint64_t{1} << cell % 64; }
    void drop(int cell) { word_[cell / 64] &= ~(uint64_t{1} << cell % 64); }
    bool has(int cell) const { return word_[cell / 64] >> cell % 64 & 1; }
    bool any() const {
        uint64_t all = 0;
        for (const uint64_t word : word_) all |= word;
        return all;
    }
    int first() const {  // -1: none
        for (int i = 0; i < words; i++)
            if (word_[i]) return i * 64 + std::countr_zero(word_[i]);
        return -1;
    }
    int count() const {
        int all = 0;
        for (const uint64_t word : word_) all += std::popcount(word);
        return all;
    }
    CellSet& operator|=(const CellSet& other) {
        for (int i = 0; i < words; i++) word_[i] |= other.word_[i];
        return *this;
    }
    CellSet operator&(const CellSet& other) const {
        CellSet both;
        for (int i = 0; i < words; i++) both.word_[i] = word_[i] & other.word_[i];
        return both;
    }
    bool operator==(const CellSet&) const = default;

  private:
    std::array<uint64_t, words> word_{};
};

// Which cells make each line, and which lines a cell belongs to. Where only exactly k count, a line has cells right
// before and after it: a mark of its owner on one makes it too long.
class LineTable {
  public:
    explicit LineTable(const Game& game);

    struct Range {
        const uint16_t *first, *last;
        const uint16_t* begin() const { return first; }
        const uint16_t* end() const { return last; }
    };
    Range cells_of(int line) const { return {&cells_[line * k], &cells_[line * k] + k}; }
    Range through(int cell) const { return range(through_, through_start_, cell); }
    Range beside(int cell) const { return range(beside_, beside_start_, cell); }

    const int cells, k;
    int lines = 0;

  private:
    static Range range(const std::vector<uint16_t>& all, const std::vector<uint32_t>& start, int cell) {
        return {all.data() + start[cell], all.data() + start[cell + 1]};
    }
    std::vector<uint16_t> cells_, through_, beside_;
    std::vector<uint32_t> through_start_, beside_start_;
};

class LineBoard {
  public:
    explicit LineBoard(const LineTable& table);

    void put(int side, int cell);
    void take(int side, int cell);

    const CellSet& free() const { return free_; }
    CellSet completing(int side) const { return lacking_[side][0].set & free_; }
    CellSet fours(int side) const { return lacking_[side][1].set & free_; }
    CellSet threes(int side) const;  // asked seldom: looks at each line
    uint64_t key() const { return key_; }  // of who holds which cells: what each mark is, together
    static uint64_t mixed(int side, int cell);

    // Calls tell(line, how many cells of it the side holds) for each line that a side can still complete.
    template <typename Tell>
    void each_open(int side, Tell tell) const {
        for (int line = 0; line < table_.lines; line++)
            if (const Line& each = lines_[line]; !each.held[1 - side] && !each.beside[side])
                tell(line, int(each.held[side]));
    }

  private:
    // In how many live lines that lack so many cells each cell is.
    struct Lacking {
        std::vector<uint8_t> count;
        CellSet set;
    };
    // How many cells of a line each side holds, and of those right before and after it, where they count.
    struct Line {
        uint8_t held[2], beside[2];
    };
    void count(int side, int line, int lacks, int by);

    const LineTable& table_;
    std::vector<Line> lines_;
    Lacking lacking_[2][2];  // [side][how many cells - 1]
    CellSet free_;
    uint64_t key_ = 0;
};

}  // namespace noughts
