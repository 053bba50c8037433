// A win by fours and threes: see noughts/proofs/threes.py, whose plain search says what is right.
#pragma once

#include <vector>

#include "job.hpp"
#include "lines.hpp"

namespace noughts {

struct ThreatsFound {
    // As strategy.hpp writes it; empty without a win.
    std::vector<int> strategy;
    bool complete;  // false: the nodes were spent before it was sure
    uint64_t nodes;
};

constexpr uint64_t few_nodes = 500;  // of one search by fours

// A win of the attacker, who is to move; if `first` is a cell, one that begins there and completes no line yet. Each
// search by fours on the way may take so many nodes (`question`). Nobody has a line.
ThreatsFound search_threats(const LineTable& table, const std::vector<int>& attacker, const std::vector<int>& defender,
                            int first, const Budget& budget, const Poll& poll, uint64_t question = few_nodes);

}  // namespace noughts
