#include "fours.hpp"

#include <unordered_map>

namespace noughts {
namespace {

constexpr int never = 1 << 16;
struct Spent {};

class Search {
  public:
    Search(const LineTable& table, uint64_t limit, const Poll& poll) : board(table), limit_(limit), poll_(poll) {}

    // Does the attacker (0), to move, win with so many moves? Then `line` is the first way, backwards.
    bool win(int moves) {
        if (nodes == limit_) throw Spent{};
        if (++nodes % 4096 == 0) poll_();
        if (const int done = board.completing(0).first(); done >= 0) return line.push_back(done), true;
        const CellSet must = board.completing(1);
        const int stop = must.first();
        if (must.count() > 1) return false;
        CellSet makers = board.fours(0);
        if (stop >= 0) makers = makers & must;
        if (moves == 1) return cut |= makers.any(), false;
        const uint64_t key = board.key();
        if (const auto known = lost_.find(key); known != lost_.end() && known->second >= moves)
            return cut |= known->second < never, false;
        const bool before = cut;
        cut = false;
        for (int cell; (cell = makers.first()) >= 0; makers.drop(cell)) {
            board.put(0, cell);
            const int answer = board.completing(0).first();
            board.put(1, answer);
            const bool wins = win(moves - 1);
            board.take(1, answer), board.take(0, cell);
            if (wins) return line.push_back(answer), line.push_back(cell), true;
        }
        lost_[key] = cut ? moves : never;
        cut |= before;
        return false;
    }

    LineBoard board;
    std::vector<int> line;
    bool cut = false;  // was anything left out because it takes more moves?
    uint64_t nodes = 0;

  private:
    const uint64_t limit_;
    const Poll& poll_;
    std::unordered_map<uint64_t, int> lost_;  // where so many moves are not enough, or no number is
};

}  // namespace

FoursFound search_fours(const LineTable& table, const std::vector<int>& attacker, const std::vector<int>& defender,
                        uint64_t nodes, const Poll& poll) {
    Search search(table, nodes, poll);
    for (const int cell : attacker) search.board.put(0, cell);
    for (const int cell : defender) search.board.put(1, cell);
    bool complete = true;
    try {
        for (int moves = 1; moves <= table.cells; moves++) {
            search.cut = false;
            if (search.win(moves) || !search.cut) break;
        }
    } catch (Spent) {
        complete = false;
    }
    return {{search.line.rbegin(), search.line.rend()}, complete, search.nodes};
}

}  // namespace noughts
