#include "fours.hpp"

namespace noughts {
namespace {
constexpr size_t most = 1 << 22;  // positions that stay known; some 200 MB
}

// Does the attacker (0), to move, win with so many moves? Then `line_` is the first way, backwards.
bool FoursSearch::win(int moves) {
    if (nodes_ == budget_->nodes) return spent_ = true, false;
    if (++nodes_ % 4096 == 0) {
        poll_();
        if (budget_->late()) return spent_ = true, false;
    }
    if (const int done = board_.completing(0).first(); done >= 0) return line_.push_back(done), true;
    const CellSet must = board_.completing(1);
    const int stop = must.first();
    if (must.count() > 1) return false;
    CellSet makers = board_.fours(0);
    if (stop >= 0) makers = makers & must;
    if (!makers.any()) return false;
    if (moves == 1) return cut_ = true, false;
    const uint64_t key = board_.key();
    if (const auto known = lost_.find(key); known != lost_.end() && known->second >= moves)
        return cut_ |= known->second < never, false;
    const bool before = cut_;
    cut_ = false;
    for (int cell; (cell = makers.first()) >= 0; makers.drop(cell)) {
        board_.put(0, cell);
        const int answer = board_.completing(0).first();
        board_.put(1, answer);
        const bool wins = win(moves - 1);
        board_.take(1, answer), board_.take(0, cell);
        if (wins) return line_.push_back(answer), line_.push_back(cell), true;
        if (spent_) return false;
    }
    if (lost_.size() == most) lost_.clear();
    lost_[key] = cut_ ? moves : never;
    cut_ |= before;
    return false;
}

FoursFound FoursSearch::ask(const Budget& budget, int most_moves) {
    line_.clear(), nodes_ = 0, budget_ = &budget, spent_ = false;
    for (int moves = 1; moves <= most_moves; moves++) {
        cut_ = false;
        if (win(moves) || !cut_ || spent_) break;
    }
    return {{line_.rbegin(), line_.rend()}, !spent_, nodes_};
}

FoursFound search_fours(const LineTable& table, const std::vector<int>& attacker, const std::vector<int>& defender,
                        const Budget& budget, const Poll& poll) {
    LineBoard board(table);
    for (const int cell : attacker) board.put(0, cell);
    for (const int cell : defender) board.put(1, cell);
    return FoursSearch(board, poll).ask(budget);
}

}  // namespace noughts
