#include "solve.hpp"

#include <algorithm>
#include <mutex>
#include <string>

#include "classes.hpp"
#include "falling.hpp"
#include "kept.hpp"

namespace noughts::solve {

Value decode(Code code, int marks, int cells) {
    if (code == unreachable_code) return {Outcome::unreachable, 0};
    if (code == tie_code) return {Outcome::tie, cells - marks};
    const bool x_wins = code > tie_code, x_to_move = marks % 2 == 0;
    return {x_wins == x_to_move ? Outcome::win : Outcome::loss, (x_wins ? 254 - code : code) - marks};
}

Level Counted::level(int marks, int cells) const {
    Level found;
    found.marks = marks, found.classes = classes;
    for (int code = 0; code < unreachable_code; code++) {
        if (!codes[code]) continue;
        const Value value = decode(Code(code), marks, cells);
        found.positions += codes[code];
        if (value.outcome == Outcome::tie) found.tie += codes[code];
        else (value.outcome == Outcome::win ? found.win : found.loss)[value.remoteness] += codes[code];
    }
    return found;
}

// ---- what all solvers share

std::unique_ptr<Strong> make_solver(const Game& game) {
    if (game.gravity) return std::make_unique<Falling>(game);
    if (game.cells > most_cells)
        throw TooLarge("strong solving takes at most " + std::to_string(most_cells) + " cells, this board has " +
                       std::to_string(game.cells));
    return std::make_unique<Solver>(game);
}

void Strong::require_memory(const Options& options) const {
    const uint64_t needed = memory(std::max(1, options.threads));
    if (options.memory && needed > options.memory)
        throw TooLarge("solving takes " + std::to_string(needed) + " bytes of memory, the limit is " +
                       std::to_string(options.memory));
}

Code Strong::lookup(Sets sets, const Code* level) const {
    const uint64_t at = locate(sets);
    return at == no_byte ? without_byte(sets) : level[at];
}

Code Strong::derive(Sets sets, const Code* next_level) const {
    if (const Code code = judge(sets)) return code;
    const bool x_to_move = sets.marks() % 2 == 0;
    Code best = x_to_move ? 0 : 255;
    for (uint64_t moves = playable(game, game.board & ~uint64_t(sets.x | sets.o)); moves; moves &= moves - 1) {
        const uint32_t bit = uint32_t(moves & -moves);
        const Code child = lookup(x_to_move ? Sets{sets.x | bit, sets.o} : Sets{sets.x, sets.o | bit}, next_level);
        best = x_to_move ? std::max(best, child) : std::min(best, child);
    }
    return best;
}

// ---- marks on any free cell

Solver::Solver(const Game& game) : Strong(game), board(game), index(board) {}

uint64_t Solver::memory(int threads) const {
    uint64_t step = 0;  // the finder, and for each thread the blocks and marks of an X
    for (int x = 0; x <= index.top; x++) {
        const uint64_t blocks = (board.cells + 8) * std::max(index.block_bytes(2 * x), index.block_bytes(2 * x + 1));
        const uint64_t marks = uint64_t(64) << std::max(0, x < board.k ? 0 : board.cells - x - 5);
        step = std::max(step, 4 * uint64_t(binomial(board.cells, x + 1)) + uint64_t(threads) * (blocks + marks));
    }
    uint64_t bytes = Kept::memory(index, 0) + Kept::memory(index, 1) + step;
    for (int x = 0; x <= index.top; x++) bytes += (index.open[x].size() + index.won[x].size()) * sizeof(Set);
    if (board.exact) bytes += uint64_t(2) << board.cells >> 3;
    return bytes + bytes / 64;  // the small things
}

uint64_t Solver::locate(Sets sets) const {
    const Set x = board.renumber(sets.x);
    return board.is_open(x) ? index.locate(x, board.renumber(sets.o)) : no_byte;
}

Code Solver::without_byte(Sets sets) const {
    const int marks = sets.marks();
    const bool x_has_just_won =
        marks % 2 && board.is_won(board.renumber(sets.x)) && board.is_open(board.renumber(sets.o));
    return x_has_just_won ? completed(marks) : unreachable_code;
}

Sets Solver::position_at(int level, uint64_t place) const {
    const uint64_t block = index.block_bytes(level);
    const Set x = index.open[(level + 1) / 2][place / block], free = board.all & ~x;
    uint64_t rank = place % block;
    Set counted = 0;  // O, in places among the free cells: the largest first
    int above = std::popcount(free);
    for (int i = level / 2; i > 0; i--) {
        do above--;
        while (binomial(above, i) > rank);
        rank -= binomial(above, i);
        counted |= Set(1) << above;
    }
    Sets found{0, 0};
    for (int cell = 0; cell < board.cells; cell++) {
        const Set bit = Set(1) << board.number[cell];
        if (x & bit) found.x |= uint32_t(1) << cell;
        else if (counted >> std::popcount(free & (bit - 1)) & 1) found.o |= uint32_t(1) << cell;
    }
    return found;
}

Code Solver::judge(Sets sets) const {
    const int marks = sets.marks();
    const bool x_to_move = marks % 2 == 0;
    const Set last = board.renumber(x_to_move ? sets.o : sets.x), other = board.renumber(x_to_move ? sets.x : sets.o);
    if (!board.is_open(other)) return unreachable_code;
    if (!board.is_open(last)) return board.is_won(last) ? completed(marks) : unreachable_code;
    return marks == board.cells ? tie_code : Code(0);
}

// O's sets of `held` and so many more of the free cells that are open, one by one.
static uint64_t open_sets(const Board& board, Set free, Set held, int more) {
    if (more < 0 || more > std::popcount(free)) return 0;
    if (more == 0) return board.is_open(held);
    const Set cell = free & -free;
    return open_sets(board, free ^ cell, held | cell, more - 1) + open_sets(board, free ^ cell, held, more);
}

// The same by the first cell of a line that they lack; exact: those that lack none may still be open.
static uint64_t without_line(const Board& board, Set free, Set held, int more) {
    for (Set line : board.lines) {
        if (line & ~(free | held)) continue;
        uint64_t found = 0;
        for (Set left = line & free; left && more >= 0; left &= left - 1, more--) {
            const Set cell = left & -left;
            free &= ~cell;
            found += without_line(board, free, held, more);
            held |= cell;
        }
        return board.exact ? found + open_sets(board, free, held, more) : found;
    }
    return binomial(std::popcount(free), more);
}

Counted Solver::count(int level, const Code* bytes, int threads, const Poll& poll) const {
    const int x = (level + 1) / 2;
    const uint64_t block = index.block_bytes(level);
    Counted all;
    std::mutex adding;
    share_out(index.open[x].size(), std::max<uint64_t>(1, 500'000 / block), threads, poll,
              [&](uint64_t first, uint64_t count) {
        std::array<uint64_t, 256> some{};
        for (uint64_t number = first; number < first + count; number++) {
            uint32_t seen[4][256] = {};  // four, as neighbours are often equal
            const Code* own = bytes + number * block;
            for (uint64_t i = 0; i < block; i++) seen[i % 4][own[i]]++;
            const uint64_t weight = uint64_t(index.orbit_size(index.open[x][number]));
            for (int code = 0; code < 256; code++)
                some[code] += weight * (uint64_t(seen[0][code]) + seen[1][code] + seen[2][code] + seen[3][code]);
        }
        const std::lock_guard held(adding);
        for (int code = 0; code < 256; code++) all.codes[code] += some[code];
    });
    if (level % 2 == 0) return all;
    std::atomic<uint64_t> won{0};
    share_out(index.won[x].size(), 256, threads, poll, [&](uint64_t first, uint64_t count) {
        for (uint64_t number = first; number < first + count; number++) {
            const Set own = index.won[x][number];
            won += without_line(board, board.all & ~own, 0, level / 2) * uint64_t(index.orbit_size(own));
        }
    });
    all.codes[completed(level)] += won;
    return all;
}

std::vector<uint64_t> Solver::fixed(int threads, const std::function<bool()>& stop) const {
    const Fixed fixed(board, threads, stop);
    std::vector<uint64_t> found;
    for (int marks = 0; marks <= board.cells; marks++) found.push_back(fixed.sum(marks));
    return found;
}

std::vector<uint64_t> Solver::classes(const std::vector<uint64_t>& positions, int threads) const {
    const Fixed fixed(board, threads, [] { return false; });
    std::vector<uint64_t> found;
    for (uint64_t level : positions) found.push_back(fixed.classes(int(found.size()), level));
    return found;
}

}  // namespace noughts::solve
