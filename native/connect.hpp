// Exact values where marks fall: alpha-beta with a table of positions.
//
// The bits of a set stand column by column, from the bottom, with one more above each column that is never played:
//
//     6x7    5 12 19 26 33 40 47        taken + bottom carries into the lowest free cell of every column
//            …                          one step: up 1, right 7, and the diagonals 8 and 6
//            1  8 15 22 29 36 43
//            0  7 14 21 28 35 42
//
// A score is for the player to move, and larger is better: 0 for a tie; for a win 1 if it takes all the cells, or all
// but one, 2 if it comes a move of the winner earlier, and so on; for a loss the same, negative. So an outcome and its
// distance are one number, and every search asks only: is it at least so much?
#pragma once

#include <stdint.h>

#include <atomic>
#include <optional>

#include "game.hpp"
#include "job.hpp"
#include "solve/bytes.hpp"

namespace noughts {

// What was found of positions: a lower and an upper bound of the score each, in one word.
//
//     | what the place does not say of the position | work 6 | lower + 31: 6 | upper + 31: 6 |
//
// A position may lie in any of four places side by side; the one that took the least work gives way. Words are read and
// written whole, so that threads may share the table.
class ScoreTable {
  public:
    explicit ScoreTable(int bits);  // 2^bits words, at least 2^20

    struct Bounds {
        int lower, upper;
    };
    static uint64_t hash(uint64_t key) { return key * 0x9E3779B97F4A7C15u; }  // odd: no two keys become one
    void prefetch(uint64_t hash) const { __builtin_prefetch(bucket(hash)); }
    bool find(uint64_t hash, Bounds& bounds) const;
    void keep(uint64_t hash, Bounds bounds, uint64_t work);
    void clear();

  private:
    static constexpr int ways = 4, offset = 31;
    static constexpr uint64_t about = (1 << 18) - 1;

    using Word = std::atomic<uint64_t>;
    Word* bucket(uint64_t hash) const { return &words_[(hash >> (64 - bits_)) & ~uint64_t(ways - 1)]; }
    uint64_t tag(uint64_t hash) const { return hash << (bits_ - 2); }

    const int bits_;
    solve::Bytes memory_;
    Word* words_;  // buckets lie in one line of the cache each
};

struct SearchedValue {
    int sign;         // 1: the player to move wins, 0: a tie, -1: loses
    int remoteness;   // plies to the end
    uint64_t nodes;   // positions that were searched
};

// The solver of one game with gravity, and what it remembers.
class Connect {
  public:
    // (rows + 1) x columns must be at most 64.
    Connect(const Game& game, int table_bits) : game(game), table(table_bits) {}

    static bool takes(const Game& game) { return game.gravity && (game.rows + 1) * game.columns <= 64; }

    // The value of a position that can arise; none if more than about so many nodes would have to be searched. The sets
    // are those of the game, bit i = cell i.
    std::optional<SearchedValue> value(uint64_t x, uint64_t o, uint64_t limit, int threads, const Poll& poll);

    // What was found is forgotten.
    void forget() { table.clear(); }

    const Game game;
    std::atomic<uint64_t> searched{0};  // nodes of the last search, or so far

  private:
    ScoreTable table;
};

}  // namespace noughts
