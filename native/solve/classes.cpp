#include "classes.hpp"

#include <algorithm>
#include <utility>

#include "../job.hpp"

namespace noughts::solve {
namespace {

struct Walk {
    static constexpr Set none = ~Set(0);  // what the lines have in common while there is no line

    const Board& board;
    const std::function<bool()>& stop;
    std::vector<Set> cycles;
    std::vector<std::vector<Set>> lines;  // [cycle] lines whose last cycle this is
    std::array<uint64_t, most_cells + 1> found{};

    Walk(const Board& board, const std::array<uint8_t, most_cells>& map, const std::function<bool()>& stop)
        : board(board), stop(stop) {
        Set seen = 0;
        for (int cell = 0; cell < board.cells; cell++) {
            if (seen >> cell & 1) continue;
            Set cycle = 0;
            for (int at = cell; !(cycle >> at & 1); at = map[at]) cycle |= Set(1) << at;
            seen |= cycle;
            cycles.push_back(cycle);
        }
        lines.resize(cycles.size());
        for (Set line : board.lines) {
            size_t last = 0;
            for (size_t i = 0; i < cycles.size(); i++)
                if (line & cycles[i]) last = i;
            lines[last].push_back(line);
        }
    }

    // The cells common to a player's lines, or `none`, after his cycle number i. Exact: not before all cycles are
    // there.
    template <bool exact>
    Set common(size_t i, Set own, Set before) const {
        if (exact) return none;
        for (Set line : lines[i])
            if ((own & line) == line) before &= line;
        return before;
    }

    template <bool exact>
    void go(size_t i, Set x, Set o, Set x_common, Set o_common) {
        const int xs = std::popcount(x), os = std::popcount(o);
        if (xs > (board.cells + 1) / 2 || os > board.cells / 2 || (i == 6 && stop())) return;
        if (i == cycles.size()) {
            const bool x_line = x_common != none, o_line = o_common != none;
            if (xs == os ? !x_line : xs == os + 1 && !o_line) {
                const auto [last, other] = xs == os ? std::pair(o, x) : std::pair(x, o);
                found[xs + os] += !exact || (board.is_open(other) && (board.is_open(last) || board.is_won(last)));
            }
            return;
        }
        go<exact>(i + 1, x, o, x_common, o_common);
        const Set new_x = common<exact>(i, x | cycles[i], x_common);
        if (new_x && (new_x == none || o_common == none)) go<exact>(i + 1, x | cycles[i], o, new_x, o_common);
        const Set new_o = common<exact>(i, o | cycles[i], o_common);
        if (new_o && (new_o == none || x_common == none)) go<exact>(i + 1, x, o | cycles[i], x_common, new_o);
    }
};

}  // namespace

Fixed::Fixed(const Board& board, int threads, const std::function<bool()>& stop) : symmetries_(board.map.size()) {
    // Conjugate symmetries (a mirror, and the same mirror on the turned board) leave equally many: list one of them.
    std::vector<std::pair<int, int>> kinds;  // symmetry, how many are like it
    for (int s = 1; s < int(board.map.size()); s++) {
        auto like = [&](int other) {
            return std::any_of(board.map.begin(), board.map.end(), [&](const auto& turn) {
                for (int cell = 0; cell < board.cells; cell++)
                    if (turn[board.map[s][cell]] != board.map[other][turn[cell]]) return false;
                return true;
            });
        };
        auto known = std::find_if(kinds.begin(), kinds.end(), [&](auto kind) { return like(kind.first); });
        if (known != kinds.end()) known->second++;
        else kinds.emplace_back(s, 1);
    }
    std::vector<Walk> walks;
    for (auto [s, alike] : kinds) walks.emplace_back(board, board.map[s], stop);
    auto walk = [&](int, uint64_t begin, uint64_t) {
        if (board.exact) walks[begin].go<true>(0, 0, 0, Walk::none, Walk::none);
        else walks[begin].go<false>(0, 0, 0, Walk::none, Walk::none);
    };
    share(threads, walks.size(), 1, walk, stop);
    for (size_t i = 0; i < walks.size(); i++)
        for (int n = 0; n <= board.cells; n++) sum_[n] += walks[i].found[n] * uint64_t(kinds[i].second);
}

}  // namespace noughts::solve
