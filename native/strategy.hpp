// A winning strategy as numbers, as noughts/proofs/threes.py reads it.
#pragma once

#include <utility>
#include <vector>

namespace noughts {

// Each node comes after those that it leads to, the last is the first move: the cell where the attacker moves (-1: the
// other moves first); the node that follows if the other does nothing, or -1 if the game is over; the number of replies
// that are answered otherwise; each of these and the node that answers it.
class Strategy {
  public:
    int put(int cell, int idle, const std::vector<std::pair<int, int>>& answers) {
        numbers.push_back(cell), numbers.push_back(idle), numbers.push_back(int(answers.size()));
        for (const auto& [reply, node] : answers) numbers.push_back(reply), numbers.push_back(node);
        return count_++;
    }

    // A win by fours, from its i-th move on.
    int put_line(const std::vector<int>& line, size_t i = 0) {
        if (i + 1 == line.size()) return put(line[i], -1, {});
        const int idle = put(line[i + 1], -1, {});
        const int rest = put_line(line, i + 2);
        return put(line[i], idle, {{line[i + 1], rest}});
    }

    std::vector<int> numbers;

  private:
    int count_ = 0;
};

}  // namespace noughts
