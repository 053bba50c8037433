// A win by fours: see noughts/proofs/fours.py, whose plain search says what is right.
#pragma once

#include <vector>

#include "job.hpp"
#include "lines.hpp"

namespace noughts {

struct FoursFound {
    std::vector<int> line;  // both players' moves, empty without a win
    bool complete;          // false: the nodes were spent before it was sure
    uint64_t nodes;
};

// The shortest win of the attacker, who is to move. Nobody has a line.
FoursFound search_fours(const LineTable& table, const std::vector<int>& attacker, const std::vector<int>& defender,
                        uint64_t nodes, const Poll& poll);

}  // namespace noughts
