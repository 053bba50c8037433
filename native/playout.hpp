// Random games to the end: the kernels of simd/playout.cpp, shared out over threads.
//
// Each game's moves depend on the seed and its number alone, so neither the threads nor the processor change a result.
#pragma once

#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "game.hpp"
#include "job.hpp"

namespace noughts {

// The position in which these cells are taken. The game must not be over; the board is at most 32 x 32.
inline Start make_start(const Game& g, const std::vector<int>& x, const std::vector<int>& o, uint64_t seed) {
    Start start{};
    start.game = &g;
    start.seed = seed;
    const auto taken = [&](int cell) { return (start.x[cell / 64] | start.o[cell / 64]) >> cell % 64 & 1; };
    const auto put = [&](const std::vector<int>& cells, uint64_t (&set)[16]) {
        for (int cell : cells) {
            if (cell < 0 || cell >= g.cells) throw std::invalid_argument("a mark lies outside the board");
            if (taken(cell)) throw std::invalid_argument("two marks lie on one cell");
            set[cell / 64] |= uint64_t{1} << cell % 64;
        }
    };
    put(x, start.x), put(o, start.o);
    for (int cell = 0; cell < g.cells; cell++) {
        const bool lies = !g.gravity || cell + g.columns >= g.cells || taken(cell + g.columns);
        if (!lies && taken(cell)) throw std::invalid_argument("a mark hangs in the air");
        if (lies && !taken(cell)) start.free[start.free_count++] = uint16_t(cell);
    }
    start.marks[0] = int(x.size()), start.marks[1] = int(o.size());
    start.turn = start.marks[0] - start.marks[1];
    if (start.turn != 0 && start.turn != 1) throw std::invalid_argument("X must have as many marks as O, or one more");
    return start;
}

inline Tally playouts(const Kernels& kernels, const Start& start, uint64_t games, int threads, const Poll& poll) {
    Tally total{};
    std::mutex mutex;
    share_out(games, 1 << 14, threads, poll, [&](uint64_t first, uint64_t count) {
        Tally part{};
        kernels.playouts(start, first, count, part);
        const std::lock_guard lock(mutex);
        total.x_wins += part.x_wins;
        total.o_wins += part.o_wins;
        total.draws += part.draws;
        total.plies += part.plies;
    });
    if (!completing_wins(*start.game)) std::swap(total.x_wins, total.o_wins);  // counted by who completed a line
    return total;
}

}  // namespace noughts
