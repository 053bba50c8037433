// Principal variation search over the shapes of a board: see docs/explanation/engine.md.
//
// Scores are for the player to move, in hundredths of a unit of log-odds; beyond `sure` they are wins that the search
// has found: `winning` less the plies to the end. What it has found it believes; proofs are for the provers.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <vector>

#include "board.hpp"
#include "table.hpp"

namespace noughts::engine {

constexpr int winning = 30000, sure = 29000, infinite = 32000;
constexpr int longest = 128;  // plies that the search looks ahead
constexpr uint64_t turned = 0x5851F42D4C957F2Du;  // mixed into the key where side 1 is to move
using Clock = std::chrono::steady_clock;

struct Limits {
    Clock::time_point deadline = Clock::time_point::max();
    uint64_t nodes = ~uint64_t{0};  // of one thread
};

struct Stopped {};

// What the search can do without, one bit each: for those who measure what an idea gains.
enum Idea : unsigned {
    remembering = 1,  // the table of positions
    ordering = 2,     // moves that cut before are tried first
    reducing = 4,     // late quiet moves are looked at less deeply
    answering = 8,    // a forced reply costs no depth
    narrowing = 16,   // each depth begins with a narrow window around the score of the last
    skipping = 32,    // near the leaves, far from the window, quiet positions and moves are passed over
    checking = 64,    // the prover looks at the move that the search has chosen
    choosing = 256,   // near the leaves only the likeliest quiet moves are looked at (128 is for the prover before)
};

class Search {
  public:
    Search(const Board& empty, Table& table, const std::atomic<bool>& stop, unsigned without);

    // The position to search: the player to move is side 0.
    void begin(const std::vector<int>& mine, const std::vector<int>& theirs, const Limits& limits);
    void forget();  // what was learned about moves

    // The score of the root moves that are not `excluded`, to a depth. Throws Stopped, and the best line so far stands.
    int root(int depth, int alpha, int beta, const std::vector<int>& excluded);
    std::vector<int> line(int first) const;  // from a root move on, as far as the table knows it

    std::vector<int> moves;  // of the root, the best first
    int best = -1;           // of the last call of `root`, or -1
    int best_score = 0;
    uint64_t nodes = 0;
    int seldepth = 0;
    Board board;

  private:
    struct Move {
        int cell, score;
    };
    struct Mark {
        int side, cell;
    };
    int search(int side, int depth, int alpha, int beta, int ply);
    void list_moves(int side, int ply, int hint);
    int pick(int ply, size_t i);
    bool far_off(int cell) const;
    void look_at_clock();
    uint64_t key(int side) const { return side ? board.key() ^ turned : board.key(); }
    uint64_t key_after(int side, int cell) const {
        return side ? board.key_after(side, cell) : board.key_after(side, cell) ^ turned;
    }
    bool uses(Idea idea) const { return !(without_ & idea); }
    bool full() const { return board.marks() == board.cells; }

    Table& table_;
    const std::atomic<bool>& stop_;
    const unsigned without_;
    Limits limits_;
    uint64_t next_look_ = 0;  // at the clock
    std::vector<Mark> placed_;
    std::vector<std::vector<Move>> list_;  // [ply]
    std::vector<int> around_;
    std::array<std::array<int, 2>, longest + 1> killer_;
    std::vector<int> history_[2];
};

}  // namespace noughts::engine
