#include "solve.hpp"

#include <algorithm>
#include <string>

#include "kept.hpp"

namespace noughts::solve {
namespace {

const Game& checked(const Game& game) {
    if (game.cells > most_cells)
        throw TooLarge("strong solving takes at most 25 cells, this board has " + std::to_string(game.cells));
    return game;
}

}  // namespace

Value decode(Code code, int marks, int cells) {
    if (code == unreachable_code) return {Outcome::unreachable, 0};
    if (code == tie_code) return {Outcome::tie, cells - marks};
    const bool x_wins = code > tie_code, x_to_move = marks % 2 == 0;
    return {x_wins == x_to_move ? Outcome::win : Outcome::loss, (x_wins ? 254 - code : code) - marks};
}

Solver::Solver(const Game& game) : game(checked(game)), board(game), index(board) {}

Estimate Solver::estimate(int threads) const {
    Estimate e;
    for (int level = 0; level <= board.cells; level++) {
        e.level_bytes.push_back(index.level_bytes(level));
        e.bytes += e.level_bytes.back();
    }
    uint64_t step = 0;  // the finder, and for each thread the blocks and marks of an X
    for (int x = 0; x <= index.top; x++) {
        const uint64_t blocks = (board.cells + 8) * std::max(index.block_bytes(2 * x), index.block_bytes(2 * x + 1));
        const uint64_t marks = uint64_t(64) << std::max(0, x < board.k ? 0 : board.cells - x - 5);
        step = std::max(step, 4 * uint64_t(binomial(board.cells, x + 1)) + uint64_t(threads) * (blocks + marks));
    }
    e.memory = Kept::memory(index, 0) + Kept::memory(index, 1) + step;
    for (int x = 0; x <= index.top; x++) e.memory += (index.open[x].size() + index.won[x].size()) * sizeof(Set);
    if (board.exact) e.memory += uint64_t(2) << board.cells >> 3;
    e.memory += e.memory / 64;  // the small things
    return e;
}

uint64_t Solver::locate(uint32_t x, uint32_t o) const {
    const Set x_set = board.renumber(x);
    return board.is_open(x_set) ? index.locate(x_set, board.renumber(o)) : no_byte;
}

Code Solver::lookup(uint32_t x, uint32_t o, const Code* level) const {
    const uint64_t at = locate(x, o);
    if (at != no_byte) return level[at];
    const int marks = std::popcount(x) + std::popcount(o);
    const bool x_has_just_won = marks % 2 && board.is_won(board.renumber(x)) && board.is_open(board.renumber(o));
    return x_has_just_won ? completed(marks) : unreachable_code;
}

Code Solver::derive(uint32_t x, uint32_t o, const Code* next_level) const {
    const int marks = std::popcount(x) + std::popcount(o);
    const bool x_to_move = marks % 2 == 0;
    const Set last = board.renumber(x_to_move ? o : x), other = board.renumber(x_to_move ? x : o);
    if (!board.is_open(other)) return unreachable_code;
    if (!board.is_open(last)) return board.is_won(last) ? completed(marks) : unreachable_code;
    if (marks == board.cells) return tie_code;
    Code best = x_to_move ? 0 : 255;
    for (int cell = 0; cell < board.cells; cell++) {
        const uint32_t bit = uint32_t(1) << cell;
        if ((x | o) & bit) continue;
        const Code child = x_to_move ? lookup(x | bit, o, next_level) : lookup(x, o | bit, next_level);
        best = x_to_move ? std::max(best, child) : std::min(best, child);
    }
    return best;
}

}  // namespace noughts::solve
