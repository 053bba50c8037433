// One step of the solver: from the level where X has x + 1 cells and O is to move, to the one where X has x.
//
//     level 2x + 1   O to move   a block for each X + c       waits in memory
//     level 2x       X to move   max over the cells c         never leaves the cache
//     level 2x - 1   O to move   min over O's moves           waits in memory for the next step
//
// The level in between is made and used up block by block, since O's moves stay within the block of an X.
#pragma once

#include <optional>

#include "kept.hpp"
#include "plan.hpp"
#include "solve.hpp"

namespace noughts::solve {

// What one thread needs.
struct Worker {
    const Kept* above = nullptr;                       // the blocks of X + c
    Kept* below = nullptr;                             // where those of level 2x - 1 go to wait; null: nowhere
    std::vector<Code> even, odd;                       // the block of an X
    std::vector<Code> children, child;                 // the blocks of X + c, side by side; one before it is turned
    std::vector<Marks> line, tangle;
    std::vector<uint32_t> scratch;
    uint64_t even_counts[256] = {}, odd_counts[256] = {};  // [code] positions, each orbit in full
};

class Step {
   public:
    Step(const Solver& solver, const Kernels& kernels, int x);

    const bool has_even, has_odd;  // whether there is a level 2x, a level 2x - 1

    // First of all: enter the blocks begin … end - 1 of the level above into the finder.
    void enter(size_t begin, size_t end) { finder_->fill(begin, end); }
    Worker worker(const Kept* above, Kept* below) const;
    // The numbers of the blocks of level 2x + 1 that the X set of this number reads, one for each cell that X can take.
    std::vector<uint32_t> reads(size_t number) const;
    // Solve the X sets begin … end - 1. `even` and `odd`, unless null, receive their blocks one after the other.
    void solve(Worker&, size_t begin, size_t end, Code* even, Code* odd) const;
    // Count the positions where X has just won, for the sets begin … end - 1 of index.won.
    void count_won(Worker&, size_t begin, size_t end) const;

   private:
    int low_cells(Set x) const;
    void fetch_children(Worker&, Set x) const;
    void fetch(Worker&, Set next, uint32_t found, Code* child) const;
    bool mark(std::vector<Marks>& marks, const std::vector<Set>& sets, Set x) const;
    bool mark_lines(Worker&, Set x) const;
    bool mark_tangles(Worker&, Set x) const;
    void count(const Code* block, uint64_t bytes, int level, int weight, uint64_t* counts) const;
    Code completed(int marks) const { return solver_.completed(marks); }

    const Solver& solver_;
    const Kernels& kernels_;
    const int x_, free_;
    std::optional<Finder> finder_;                    // none where the board is full
    std::optional<PlanTables> x_moves_, o_moves_;
    std::vector<std::optional<TurnTables>> turns_;    // [low cells], those in use
    std::optional<MarkTables> marks_;                 // none where O has too few cells for a line
};

}  // namespace noughts::solve
