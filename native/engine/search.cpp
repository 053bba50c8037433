#include "search.hpp"

#include <algorithm>
#include <cmath>

namespace noughts::engine {
namespace {

constexpr int answers_deep = 4;     // plies beyond the depth that answer a threat
constexpr int reach = 4;            // cells within which a mark serves another
constexpr int widest = 20;          // quiet moves of a node that are looked at
constexpr int near = 3;             // plies before the leaves, where fewer are, and scores far from the window decide
constexpr int step = 70;            // how far a score may be off, for each ply

// Quiet moves that are looked at so near the leaves.
int wide_enough(int depth) { return depth <= near ? 4 + 4 * depth : widest; }

struct Reductions {
    int8_t of[64][64];
    Reductions() {
        for (int depth = 0; depth < 64; depth++)
            for (int number = 0; number < 64; number++)
                of[depth][number] = int8_t(depth && number ? 0.5 + std::log(depth) * std::log(number) / 2.0 : 0.0);
    }
};
const Reductions reductions;

}  // namespace

Search::Search(const Board& empty, Table& table, const std::atomic<bool>& stop, unsigned without)
    : board(empty), table_(table), stop_(stop), without_(without), list_(longest + 1) {
    for (auto& each : history_) each.resize(board.cells);
}

void Search::begin(const std::vector<int>& mine, const std::vector<int>& theirs, const Limits& limits) {
    while (!placed_.empty()) board.take(placed_.back().side, placed_.back().cell), placed_.pop_back();
    for (const int cell : mine) placed_.push_back({0, cell});
    for (const int cell : theirs) placed_.push_back({1, cell});
    for (const Mark& mark : placed_) board.put(mark.side, mark.cell);
    limits_ = limits;
    nodes = 0, next_look_ = 0, best = -1, seldepth = 0;
    for (auto& each : killer_) each = {-1, -1};
    list_moves(0, 0, table_.find(key(0)).move);
    moves.clear();
    for (size_t i = 0; i < list_[0].size(); i++) moves.push_back(pick(0, i));
    if (std::any_of(moves.begin(), moves.end(), [&](int cell) { return !far_off(cell); }))
        std::erase_if(moves, [&](int cell) { return far_off(cell); });
}

// On a large board a mark that no other is near is lost time, and the first one belongs in the centre or beside it.
bool Search::far_off(int cell) const {
    const int row = cell / board.columns, column = cell % board.columns;
    if (placed_.empty()) {
        const int off = std::max(std::abs(2 * row + 1 - board.rows), std::abs(2 * column + 1 - board.columns));
        return std::min(board.rows, board.columns) > reach && off > 3;  // half cells
    }
    return std::none_of(placed_.begin(), placed_.end(), [&](const Mark& mark) {
        const int down = mark.cell / board.columns - row, right = mark.cell % board.columns - column;
        return std::max(std::abs(down), std::abs(right)) <= reach;
    });
}

void Search::forget() {
    for (auto& each : history_) std::fill(each.begin(), each.end(), 0);
}

void Search::look_at_clock() {
    if (nodes >= limits_.nodes) throw Stopped{};
    if (nodes < next_look_) return;
    next_look_ = nodes + 512;
    if (stop_.load(std::memory_order_relaxed) || Clock::now() >= limits_.deadline) throw Stopped{};
}

// The moves that come into question: those that a threat leaves, or else those that do something.
void Search::list_moves(int side, int ply, int hint) {
    std::vector<Move>& list = list_[ply];
    list.clear();
    const auto add = [&](int cell) {
        int score = board.network().urgency[board.kind(side, cell)] + board.near(cell);
        if (cell == hint) score += 1 << 24;
        if (uses(ordering)) score += history_[side][cell];
        if (uses(ordering) && (cell == killer_[ply][0] || cell == killer_[ply][1])) score += 256;
        list.push_back({cell, score});
    };
    for (const auto& [who, role] : {std::pair{side, completes}, {1 - side, completes}, {side, wins}})
        if (const Cells& cells = board.in_role(who, role); cells.count()) return add(cells.first());
    if (const Cells& threat = board.in_role(1 - side, wins); threat.count()) {
        board.around(1 - side, threat.first(), around_);
        for (const int cell : around_) add(cell);
        board.in_role(side, forces).each([&](int cell) {
            if (std::find(around_.begin(), around_.end(), cell) == around_.end()) add(cell);
        });
    } else {
        for (const Role role : {forces, threatens, useful}) board.in_role(side, role).each(add);
        board.in_role(side, idle).each([&](int cell) {
            if (board.best(1 - side, cell)) add(cell);
        });
        if (list.empty())
            for (int cell = 0; cell < board.cells; cell++)
                if (board.is_free(cell)) add(cell);
    }
}

// Brings the likeliest of the moves from i on to place i.
int Search::pick(int ply, size_t i) {
    std::vector<Move>& list = list_[ply];
    size_t top = i;
    for (size_t j = i + 1; j < list.size(); j++)
        if (list[j].score > list[top].score) top = j;
    std::swap(list[i], list[top]);
    return list[i].cell;
}

int Search::search(int side, int depth, int alpha, int beta, int ply) {
    nodes++;
    look_at_clock();
    seldepth = std::max(seldepth, ply);
    if (board.in_role(side, completes).count()) return winning - ply - 1;
    if (full()) return 0;
    const int threats = board.in_role(1 - side, completes).count();
    if (threats > 1) return -(winning - ply - 2);
    if (!threats && board.in_role(side, wins).count()) return winning - ply - 3;
    alpha = std::max(alpha, -(winning - ply - 2)), beta = std::min(beta, winning - ply - 3);
    if (alpha >= beta) return alpha;
    if (ply >= longest) return board.evaluation(side);

    const bool wide = beta - alpha > 1;
    const Known known = uses(remembering) ? table_.find(key(side)) : Known{};
    int hint = known.move;
    if (known.bound && !wide && known.depth >= depth) {
        int score = known.score;
        if (score > sure) score -= ply;
        if (score < -sure) score += ply;
        if (known.bound == precise || (known.bound == lower ? score >= beta : score <= alpha)) return score;
    }

    bool hopeless = false;  // only moves that threaten something can still bring the score up
    const bool threatened = !threats && board.in_role(1 - side, wins).count();
    if (!threats) {
        if (!threatened) {
            const int now = board.evaluation(side);
            if (depth <= 0) return now;
            if (uses(skipping) && !wide && depth <= near) {
                if (now - step * depth >= beta && beta > -sure) return now;
                hopeless = now + step * depth <= alpha - step / 2 && alpha < sure;
            }
        } else if (depth <= -answers_deep) {
            return board.evaluation(side);
        }
    }

    list_moves(side, ply, hint);
    int best_here = -infinite, chosen = -1, number = 0;
    const int before = alpha;
    const bool quiet = !threats && !threatened;
    for (size_t i = 0; i < list_[ply].size(); i++) {
        const int cell = pick(ply, i);
        const int mine = board.best(side, cell), theirs = board.best(1 - side, cell);
        if (quiet && number >= widest) break;
        if (quiet && !wide && mine < open_three) {
            if (uses(choosing) && number >= wide_enough(depth)) continue;
            if (hopeless && number && theirs < open_three) continue;
        }
        const int left = threats && uses(answering) ? depth : depth - 1;
        table_.expect(key_after(side, cell));
        board.put(side, cell);
        int score;
        try {
            if (number == 0) {
                score = -search(1 - side, left, -beta, -alpha, ply + 1);
            } else {
                int less = 0;
                if (uses(reducing) && quiet && depth >= 3 && number >= 3 && mine < open_three && theirs < open_three)
                    less = std::min<int>(reductions.of[std::min(depth, 63)][std::min(number, 63)] + !wide, left - 1);
                score = -search(1 - side, left - less, -alpha - 1, -alpha, ply + 1);
                if (less && score > alpha) score = -search(1 - side, left, -alpha - 1, -alpha, ply + 1);
                if (score > alpha && score < beta) score = -search(1 - side, left, -beta, -alpha, ply + 1);
            }
        } catch (const Stopped&) {
            board.take(side, cell);
            throw;
        }
        board.take(side, cell);
        number++;
        if (score > best_here) best_here = score, chosen = cell;
        if (score > alpha) alpha = score;
        if (alpha >= beta) {
            if (quiet && mine < four) {
                if (killer_[ply][0] != cell) killer_[ply] = {cell, killer_[ply][0]};
                int& merit = history_[side][cell];
                merit += depth * depth;
                if (merit > 1 << 12)
                    for (auto& each : history_)
                        for (int& value : each) value /= 2;
            }
            break;
        }
    }
    int stored = best_here;
    if (stored > sure) stored += ply;
    if (stored < -sure) stored -= ply;
    table_.keep(key(side), {chosen, stored, depth, best_here >= beta ? lower : best_here > before ? precise : upper});
    return best_here;
}

int Search::root(int depth, int alpha, int beta, const std::vector<int>& excluded) {
    best = -1, best_score = -infinite;
    int number = 0;
    for (size_t i = 0; i < moves.size(); i++) {
        const int cell = moves[i];
        if (std::find(excluded.begin(), excluded.end(), cell) != excluded.end()) continue;
        int score;
        board.put(0, cell);
        try {
            if (number == 0) {
                score = -search(1, depth - 1, -beta, -alpha, 1);
            } else {
                const int less = uses(reducing) && depth >= 3 && number >= 6 && board.in_role(1, wins).count() == 0
                                     ? std::min(reductions.of[std::min(depth, 63)][std::min(number, 63)] / 2, depth - 2)
                                     : 0;
                score = -search(1, depth - 1 - less, -alpha - 1, -alpha, 1);
                if (less && score > alpha) score = -search(1, depth - 1, -alpha - 1, -alpha, 1);
                if (score > alpha && score < beta) score = -search(1, depth - 1, -beta, -alpha, 1);
            }
        } catch (const Stopped&) {
            board.take(0, cell);
            throw;
        }
        board.take(0, cell);
        number++;
        if (score > best_score) best_score = score;
        if (score > alpha || best < 0) {
            alpha = std::max(alpha, score), best = cell;
            moves.erase(moves.begin() + long(i)), moves.insert(moves.begin() + long(excluded.size()), cell);
        }
        if (alpha >= beta) break;
    }
    return best_score;
}

std::vector<int> Search::line(int first) const {
    Board after = board;
    std::vector<int> found{first};
    after.put(0, first);
    for (int side = 1; int(found.size()) < 40 && after.marks() < after.cells; side = 1 - side) {
        int next = -1;
        const auto play = [&](int who, Role role) {
            if (next < 0 && after.in_role(who, role).count()) next = after.in_role(who, role).first();
        };
        play(side, completes), play(1 - side, completes), play(side, wins);
        const bool over = after.in_role(side, completes).count();
        if (next < 0) next = table_.find(side ? after.key() ^ turned : after.key()).move;
        if (next < 0 || !after.is_free(next)) break;
        found.push_back(next);
        if (over) break;
        after.put(side, next);
    }
    return found;
}

}  // namespace noughts::engine
