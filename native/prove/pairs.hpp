// Pairs and weight: the leaf of a proof that a player holds.
//
// Disjoint pairs of cells, of which the holder always gets one, serve every line that contains both cells of one. What
// the others lack outside the pairs has a weight: 2^-n for a line that lacks n cells. Let `sum` be the weight of all of
// them, and `most` that of those through the heaviest cell. If sum + most < 1, the holder takes the heaviest cell
// whenever the other moves outside the pairs, and no line is ever completed (Erdős and Selfridge).
#pragma once

#include <algorithm>
#include <utility>

#include "prove/family.hpp"

namespace noughts::prove {

constexpr int whole = 1 << 20;  // the weight 1

inline int weight_of(int size) { return whole >> std::min(size, 20); }

// Pairs are chosen one after another, each for the line that is hardest to serve. Where one cannot be served, it and
// the line that was in its way count as twice as heavy from now on, and it begins again.
template <int W>
class Pairs {
  public:
    bool find(const Family<W>& family) {
        burden_.assign(family.lines.size(), 1);
        for (int i = 0; i < passes; i++) {
            if (pass(family)) return true;
            if (least_ >= near) return false;
        }
        return false;
    }

    int light = 4 * whole;                   // the smallest sum that was seen
    std::vector<std::pair<int, int>> found;  // if there are pairs

  private:
    static constexpr int passes = 10;
    static constexpr int near = whole / 10 * 19;  // from further away it was never seen to succeed

    struct Open {
        Cells<W> cells;  // those that it lacks outside the pairs
        int size, line;
        int64_t felt;  // its weight, with the burden of what failed before
    };
    struct Choice {
        int64_t change;  // of what weighs upon all lines, if these become a pair
        int one, other;
    };

    bool pass(const Family<W>& family) {
        found.clear(), open_.clear();
        sum_ = 0, weight_ = {}, felt_ = {};
        for (const Line<W>& line : family.lines) {
            const int number = int(open_.size());
            open_.push_back({line.cells, line.size, number, weight_of(line.size) * burden_[number]});
            weigh(open_.back(), 1);
        }
        const Cells<W> cells = family.all();
        for (;;) {
            int most = 0;
            cells.each([&](int cell) { most = std::max(most, weight_[cell]); });
            light = std::min(light, sum_), least_ = std::min(least_, sum_ + most);
            if (sum_ + most < whole) return true;
            const Open* hardest = &open_[0];
            for (const Open& line : open_)
                if (line.felt > hardest->felt) hardest = &line;
            if (!serve(*hardest)) return false;
        }
    }

    // Adds what a line weighs to its cells, or takes it away.
    void weigh(const Open& line, int sign) {
        const int weight = sign * weight_of(line.size);
        const int64_t felt = sign * line.felt;
        sum_ += weight;
        line.cells.each([&](int cell) { weight_[cell] += weight, felt_[cell] += felt; });
    }

    // Adds the best pair for a line, and leaves the lines that are still to be served.
    bool serve(const Open& line) {
        choices_.clear();
        for (Cells<W> rest = line.cells; rest.any();) {
            const int one = rest.first();
            rest = rest.without_first();
            rest.each([&](int other) { choices_.push_back({felt_[one] + felt_[other], one, other}); });
        }
        for (const Open& each : open_)
            if (const Cells<W> both = each.cells & line.cells; both.any() && !both.single())
                for (Choice& choice : choices_)
                    if (both.has(choice.one) && both.has(choice.other)) choice.change -= 3 * each.felt;
        std::stable_sort(choices_.begin(), choices_.end(), [](auto& a, auto& b) { return a.change < b.change; });
        int in_the_way = -1;
        for (const Choice& choice : choices_) {
            const int failed = stranded(choice.one, choice.other);
            if (failed < 0) return pair(choice.one, choice.other), true;
            if (in_the_way < 0) in_the_way = failed;
        }
        burden_[line.line] *= 2;
        if (in_the_way >= 0) burden_[in_the_way] *= 2;
        return false;
    }

    // The number of a line that could not be served any more if these became a pair, or -1.
    int stranded(int one, int other) const {
        for (const Open& line : open_)
            if (line.size < 3 && line.cells.has(one) != line.cells.has(other)) return line.line;
        return -1;
    }

    void pair(int one, int other) {
        found.emplace_back(one, other);
        const Cells<W> both = Cells<W>::one(one) | Cells<W>::one(other);
        size_t kept = 0;
        for (Open& line : open_) {
            if (line.cells.meets(both)) {
                weigh(line, -1);
                if (both.within(line.cells)) continue;
                line.cells -= both, line.size--;
                line.felt = weight_of(line.size) * burden_[line.line];
                weigh(line, 1);
            }
            open_[kept++] = line;
        }
        open_.resize(kept);
    }

    int least_ = 4 * whole, sum_ = 0;
    std::vector<int64_t> burden_;  // how often a line could not be served, as a factor
    std::array<int, 64 * W> weight_;
    std::array<int64_t, 64 * W> felt_;
    std::vector<Choice> choices_;
    std::vector<Open> open_;
};

}  // namespace noughts::prove
