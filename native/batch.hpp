// Who has won, on many boards: the kernels of simd/batch.cpp, shared out over threads.
#pragma once

#include "job.hpp"
#include "simd/kernels.hpp"

namespace noughts {

// judge(first, count, line_code) judges a part of the boards and returns its Faults; this returns those of all.
template <typename Judge>
int judge_boards(uint64_t n, uint64_t chunk, bool misere, int threads, const Poll& poll, Judge judge) {
    // Who completes a line wins; in misere it is the other one.
    const uint8_t standard_code[2] = {x_wins, o_wins}, misere_code[2] = {o_wins, x_wins};
    const uint8_t* line_code = misere ? misere_code : standard_code;
    std::atomic<int> faults{0};
    share_out(n, chunk, threads, poll,
              [&](uint64_t first, uint64_t count) { faults |= judge(first, count, line_code); });
    return faults;
}

// Lane: uint16_t, uint32_t or uint64_t, at least as many bits as the board has cells; bit i is cell i.
template <typename Lane>
int status_of_bits(const Kernels& kernels, const Geometry& g, bool misere, const Lane* x, const Lane* o, uint8_t* codes,
                   uint64_t n, int threads, const Poll& poll) {
    Status<Lane>* status;
    if constexpr (sizeof(Lane) == 2) status = kernels.status16;
    else if constexpr (sizeof(Lane) == 4) status = kernels.status32;
    else status = kernels.status64;
    const auto judge = [&](uint64_t first, uint64_t count, const uint8_t* line_code) {
        return status(g, line_code, x + first, o + first, codes + first, count);
    };
    return judge_boards(n, 1 << 20, misere, threads, poll, judge);
}

// planes: n boards of rows x columns cells, +1 for X, -1 for O, 0 for empty.
inline int status_of_planes(const Kernels& kernels, const Geometry& g, bool misere, const int8_t* planes,
                            uint8_t* codes, uint64_t n, int threads, const Poll& poll) {
    const uint64_t cells = uint64_t(g.cells);
    const auto judge = [&](uint64_t first, uint64_t count, const uint8_t* line_code) {
        return kernels.status_planes(g, line_code, planes + first * cells, codes + first, count);
    };
    return judge_boards(n, (1 << 22) / cells, misere, threads, poll, judge);
}

}  // namespace noughts
