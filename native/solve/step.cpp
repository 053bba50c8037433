#include "step.hpp"

#include <algorithm>
#include <cstring>

namespace noughts::solve {

Step::Step(const Solver& solver, const Kernels& kernels, int x)
    : has_even(2 * x <= solver.board.cells), has_odd(x > 0), solver_(solver), kernels_(kernels), x_(x),
      free_(solver.board.cells - x) {
    const Index& index = solver.index;
    const int cells = solver.board.cells;
    if (has_even) x_moves_ = PlanTables::x_moves(kernels, free_, x, 2 * x == cells ? tie_code : 0);
    if (has_odd) o_moves_ = PlanTables::o_moves(kernels, free_, x - 1, 2 * x - 1 == cells ? tie_code : 255);
    if (x >= solver.board.k) marks_.emplace(kernels, free_, x);
    if (x == index.top) return;

    finder_.emplace(index, x + 1);
    turns_.resize(kernels.low + 1);
    for (Set set : index.open[x + 1])
        if (auto& turn = turns_[low_cells(set)]; !turn) turn.emplace(free_ - 1, x, low_cells(set));
}

// The free cells of the lowest orbits, as many orbits as fit into a row: a symmetry keeps them the lowest.
int Step::low_cells(Set x) const {
    int low = 0;
    for (int end : solver_.board.orbit_end) {
        const int free = end - std::popcount(x & ((Set(1) << end) - 1));
        if (free > int(kernels_.low)) break;
        low = free;
    }
    return low;
}

Worker Step::worker(const Kept* above, Kept* below) const {
    Worker w;
    w.above = above, w.below = below;
    w.even.resize((has_even ? (*x_moves_)->bytes : 0) + padding);
    if (has_odd) w.odd.resize((*o_moves_)->bytes + padding);
    if (finder_) w.child.resize((*x_moves_)->stride), w.children.resize(free_ * w.child.size());
    if (marks_) w.line.resize(size_t(1) << marks_->high), w.tangle = w.line;
    for (const auto& turn : turns_)
        if (turn) w.scratch.resize(std::max(w.scratch.size(), size_t(1) << (*turn)->high));
    return w;
}

std::vector<uint32_t> Step::reads(size_t number) const {
    std::vector<uint32_t> found;
    const Set x = solver_.index.open[x_][number];
    for (Set left = finder_ ? solver_.board.all & ~x : 0; left; left &= left - 1)
        if (const uint32_t block = (*finder_)(x | (left & -left)); block != Finder::none) found.push_back(block / 8);
    return found;
}

// The blocks that X's moves lead to, their sets in the order of the cells that remain free.
void Step::fetch_children(Worker& w, Set x) const {
    Code* child = w.children.data();
    for (Set left = solver_.board.all & ~x; left; left &= left - 1, child += w.child.size()) {
        const Set next = x | (left & -left);
        const uint32_t found = (*finder_)(next);
        if (found == Finder::none) std::memset(child, completed(2 * x_ + 1), w.child.size());
        else fetch(w, next, found, child);
    }
}

void Step::fetch(Worker& w, Set next, uint32_t found, Code* child) const {
    const Board& board = solver_.board;
    const uint32_t number = found / 8, symmetry = found % 8;
    if (symmetry == 0) return w.above->get(number, child);
    const Places places(board.all & ~board.image(next, int(symmetry)));
    uint8_t map[most_cells];
    int n = 0;
    for (Set left = board.all & ~next; left; left &= left - 1)
        map[n++] = places[board.map[symmetry][std::countr_zero(left)]];
    w.above->get(number, w.child.data());
    kernels_.turn(**turns_[low_cells(next)], map, w.child.data(), child, w.scratch.data());
}

// Mark O's sets that hold one of these; false if there is none.
bool Step::mark(std::vector<Marks>& marks, const std::vector<Set>& sets, Set x) const {
    const Places places(solver_.board.all & ~x);
    bool any = false;
    for (Set set : sets) {
        if (set & x) continue;
        if (!any) std::fill(marks.begin(), marks.end(), Marks{});
        any = true;
        const Set seen = places.squeeze(set);
        kernels_.mark(marks.data(), marks_->above(seen), seen >> marks_->low, uint32_t(marks_->high));
    }
    return any;
}

// Mark O's sets that are not open; false if there is none.
bool Step::mark_lines(Worker& w, Set x) const {
    const Board& board = solver_.board;
    if (!mark(w.line, board.lines, x)) return false;
    if (!board.exact) return true;
    // Only sets with k in a row need a look. Those that are open after all lose their mark; those that cannot arise at
    // all are noted as tangles.
    std::fill(w.tangle.begin(), w.tangle.end(), Marks{});
    Set free[most_cells];
    int n = 0;
    for (Set left = board.all & ~x; left; left &= left - 1) free[n++] = left & -left;
    const auto spread = [&](Set set, int first) {
        Set found = 0;
        for (; set; set &= set - 1) found |= free[first + std::countr_zero(set)];
        return found;
    };
    const uint32_t width = kernels_.width;
    for (Set top = 0; top < w.line.size(); top++) {
        const Set high = spread(top, marks_->low);
        const auto look = [&](uint64_t (&line)[2], uint64_t (&tangle)[2], int size) {
            for (uint32_t word = 0; word < 2; word++)
                for (uint64_t left = line[word]; left; left &= left - 1) {
                    const uint64_t bit = left & -left;
                    const Set low = marks_->lanes[size][word * width + uint32_t(std::countr_zero(left))];
                    const Set set = high | spread(low, 0);
                    if (board.is_open(set)) line[word] &= ~bit;
                    else if (!board.is_won(set)) tangle[word] |= bit;
                }
        };
        look(w.line[top].x, w.tangle[top].x, x_ - std::popcount(top));
        look(w.line[top].o, w.tangle[top].o, x_ - 1 - std::popcount(top));
    }
    return true;
}

// After that: mark O's sets that no last move explains; false if there is none.
bool Step::mark_tangles(Worker& w, Set x) const {
    return solver_.board.exact || mark(w.tangle, solver_.board.tangles, x);
}

void Step::count(const Code* block, uint64_t bytes, int level, int weight, uint64_t* counts) const {
    Code codes[most_cells + 2] = {tie_code};
    uint64_t found[most_cells + 2] = {};
    uint32_t kinds = 1;
    for (int end = std::max(level, 1); end <= solver_.board.cells; end++) codes[kinds++] = completed(end);
    kernels_.count(block, bytes, codes, kinds, found);
    for (uint32_t i = 0; i < kinds; i++) counts[codes[i]] += uint64_t(weight) * found[i];
}

void Step::solve(Worker& w, size_t begin, size_t end, Code* even, Code* odd) const {
    for (size_t number = begin; number < end; number++) {
        const Set x = solver_.index.open[x_][number];
        const int weight = solver_.index.orbit_size(x);
        const Marks* line = marks_ && mark_lines(w, x) ? w.line.data() : nullptr;
        if (has_even) {
            const Marks* tangle = line && mark_tangles(w, x) ? w.tangle.data() : nullptr;
            if (finder_) fetch_children(w, x);
            const Plan& plan = **x_moves_;
            const Override instead = {line, tangle, completed(2 * x_), unreachable_code};
            kernels_.x_moves(plan, w.children.data(), instead, w.even.data());
            count(w.even.data(), plan.bytes, 2 * x_, weight, w.even_counts);
            if (even) std::memcpy(even, w.even.data(), plan.bytes), even += plan.bytes;
        }
        if (has_odd) {
            const Plan& plan = **o_moves_;
            kernels_.o_moves(plan, w.even.data(), {line, nullptr, unreachable_code, 0}, w.odd.data());
            count(w.odd.data(), plan.bytes, 2 * x_ - 1, weight, w.odd_counts);
            if (odd) std::memcpy(odd, w.odd.data(), plan.bytes), odd += plan.bytes;
            if (w.below) w.below->put(number, w.odd.data());
        }
    }
}

void Step::count_won(Worker& w, size_t begin, size_t end) const {
    const Plan& plan = **o_moves_;
    for (size_t number = begin; number < end; number++) {
        const Set x = solver_.index.won[x_][number];
        const bool lines = mark_lines(w, x);  // O's, which must not be there
        const uint64_t open = lines ? kernels_.unmarked(plan, w.line.data()) : plan.bytes;
        w.odd_counts[completed(2 * x_ - 1)] += open * uint64_t(solver_.index.orbit_size(x));
    }
}

}  // namespace noughts::solve
