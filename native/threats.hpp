// A win by fours and threes: see noughts/proofs/threes.py, whose plain search says what is right.
#pragma once

#include <vector>

#include "job.hpp"
#include "lines.hpp"

namespace noughts {

struct ThreatsFound {
    // The strategy, each node after those that it leads to, the last the first move: the cell where the attacker moves;
    // the node that follows if the other does nothing, or -1 if the game is over; the number of replies that are
    // answered otherwise; each of these and the node that answers it. Empty without a win.
    std::vector<int> strategy;
    bool complete;  // false: the nodes were spent before it was sure
    uint64_t nodes;
};

// A win of the attacker, who is to move; if `first` is a cell, one that begins there and completes no line yet. Nobody
// has a line.
ThreatsFound search_threats(const LineTable& table, const std::vector<int>& attacker, const std::vector<int>& defender,
                            int first, const Budget& budget, const Poll& poll);

}  // namespace noughts
