// Who has won, on many boards: the kernels of simd/batch.cpp, shared out over threads.
#pragma once

#include "job.hpp"
#include "simd/kernels.hpp"

namespace noughts {

// judge(first, count) judges a part of the boards and returns its Faults; this returns those of all.
template <typename Judge>
int judge_boards(uint64_t n, uint64_t chunk, int threads, const Poll& poll, Judge judge) {
    std::atomic<int> faults{0};
    share_out(n, chunk, threads, poll, [&](uint64_t first, uint64_t count) { faults |= judge(first, count); });
    return faults;
}

// Lane: uint16_t, uint32_t or uint64_t, at least as many bits as the board has cells; bit i is cell i.
template <typename Lane>
int status_of_bits(const Kernels& kernels, const Game& game, const Lane* x, const Lane* o, uint8_t* codes, uint64_t n,
                   int threads, const Poll& poll) {
    Status<Lane>* status;
    if constexpr (sizeof(Lane) == 2) status = kernels.status16;
    else if constexpr (sizeof(Lane) == 4) status = kernels.status32;
    else status = kernels.status64;
    return judge_boards(n, 1 << 20, threads, poll, [&](uint64_t first, uint64_t count) {
        return status(game, x + first, o + first, codes + first, count);
    });
}

// planes: n boards of rows x columns cells, +1 for X, -1 for O, 0 for empty.
inline int status_of_planes(const Kernels& kernels, const Game& game, const int8_t* planes, uint8_t* codes, uint64_t n,
                            int threads, const Poll& poll) {
    const uint64_t cells = uint64_t(game.cells);
    return judge_boards(n, (1 << 22) / cells, threads, poll, [&](uint64_t first, uint64_t count) {
        return kernels.status_planes(game, planes + first * cells, codes + first, count);
    });
}

}  // namespace noughts
