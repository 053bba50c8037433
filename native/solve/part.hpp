// One part of a level: a range of its X sets, made from parts of the level after it. The same bytes whoever makes it.
//
//     level 2x + 1   O to move   | part 0 | part 1 | part 2 | part 3 |    only those that it reads are there
//     level 2x       X to move      | part 0 | part 1 | part 2 |          the X sets begin … end - 1
//     level 2x - 1   O to move      | part 0 | part 1 | part 2 |          the same X sets
//
// A part of level 2x - 1 waits as it does in memory (kept.hpp): two codes in a byte where they fit.
#pragma once

#include <array>
#include <string>

#include "step.hpp"

namespace noughts::solve {

struct PartTask {
    uint64_t begin = 0, end = 0;              // X sets
    uint64_t won_begin = 0, won_end = 0;      // and sets of index.won whose positions are counted with them
    uint64_t per_part = 1;                    // blocks in each part of level 2x + 1
    std::vector<const Code*> above;           // its parts, as they wait; null where none is read
    Code *even = nullptr, *odd = nullptr, *waiting = nullptr;  // where the blocks go; null: nowhere
    int threads = 1;
};

struct PartFound {
    std::array<uint64_t, 256> even{}, odd{};  // positions by code, each orbit in full, those that X has just won too
    uint64_t even_sum = 0, odd_sum = 0;       // of (place + 1) * code over the bytes, modulo 2^64
};

// All that the parts of two levels share. Several threads may use it at once.
class PartStep {
   public:
    PartStep(const Solver& solver, int x, int threads, const std::string& isa);

    // For each part of level 2x + 1, whether the X sets begin … end - 1 read it.
    std::vector<uint8_t> reads(uint64_t begin, uint64_t end, uint64_t per_part) const;
    PartFound solve(const PartTask& task, const Poll& poll) const;
    // Blocks of level 2x + 1, as they wait.
    void wait(const Code* above, uint64_t blocks, Code* waiting) const;

    uint64_t even_bytes() const { return step_.has_even ? index_.block_bytes(2 * x_) : 0; }
    uint64_t odd_bytes() const { return step_.has_odd ? index_.block_bytes(2 * x_ - 1) : 0; }
    uint64_t waiting_bytes() const { return step_.has_odd ? Kept::stride(index_, 2 * x_ - 1) : 0; }
    uint64_t above_bytes() const { return x_ < index_.top ? Kept::stride(index_, 2 * x_ + 1) : 0; }
    const Solver& solver() const { return solver_; }
    int x() const { return x_; }

   private:
    Kept kept() const { return {index_, kernels_, completing_wins(solver_.game)}; }

    const Solver& solver_;
    const Index& index_;
    const Kernels& kernels_;
    const int x_;
    Step step_;
};

}  // namespace noughts::solve
