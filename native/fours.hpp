// A win by fours: see noughts/proofs/fours.py, whose plain search says what is right.
#pragma once

#include <unordered_map>
#include <vector>

#include "job.hpp"
#include "lines.hpp"

namespace noughts {

struct FoursFound {
    std::vector<int> line;  // both players' moves, empty without a win
    bool complete;          // false: the nodes were spent before it was sure
    uint64_t nodes;
};

// The search behind it, for many questions on one board: what was found lost stays known.
class FoursSearch {
  public:
    static constexpr int never = 1 << 16;  // more moves than there are

    FoursSearch(LineBoard& board, const Poll& poll) : board_(board), poll_(poll) {}

    // The shortest win of player 0, who is to move, within so many nodes, of at most so many moves. Nobody has a line.
    FoursFound ask(const Budget& budget, int moves = never - 1);

  private:
    bool win(int moves);

    LineBoard& board_;
    const Poll& poll_;
    std::vector<int> line_;  // backwards
    bool cut_ = false;       // was anything left out because it takes more moves?
    bool spent_ = false;     // were the nodes too few?
    uint64_t nodes_ = 0;
    const Budget* budget_ = nullptr;
    std::unordered_map<uint64_t, int> lost_;  // where so many moves are not enough, or no number is
};

// The shortest win of the attacker, who is to move. Nobody has a line.
FoursFound search_fours(const LineTable& table, const std::vector<int>& attacker, const std::vector<int>& defender,
                        const Budget& budget, const Poll& poll);

}  // namespace noughts
