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
        burden_.assign(family.lines.size(), 1.0f);
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
    };
    struct Choice {
        float change;  // of what weighs upon all lines, if these become a pair
        int one, other;
    };

    float felt(const Open& line) const { return float(weight_of(line.size)) * burden_[line.line]; }

    bool pass(const Family<W>& family) {
        found.clear(), open_.clear();
        for (const Line<W>& line : family.lines) open_.push_back({line.cells, line.size, int(open_.size())});
        for (;;) {
            std::array<int, 64 * W> weight;
            Cells<W> seen;
            int sum = 0, most = 0;
            const Open* hardest = nullptr;
            for (const Open& line : open_) {
                const int each = weight_of(line.size);
                sum += each;
                if (!hardest || felt(line) > felt(*hardest)) hardest = &line;
                (line.cells - seen).each([&](int cell) { weight[cell] = 0, felt_[cell] = 0; });
                seen |= line.cells;
                line.cells.each([&](int cell) {
                    most = std::max(most, weight[cell] += each);
                    felt_[cell] += felt(line);
                });
            }
            light = std::min(light, sum), least_ = std::min(least_, sum + most);
            if (sum + most < whole) return true;
            if (!serve(*hardest)) return false;
        }
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
                    if (both.has(choice.one) && both.has(choice.other)) choice.change -= 3 * felt(each);
        std::stable_sort(choices_.begin(), choices_.end(), [](auto& a, auto& b) { return a.change < b.change; });
        int in_the_way = -1;
        for (const Choice& choice : choices_) {
            const int failed = without(choice.one, choice.other);
            if (failed < 0) {
                found.emplace_back(choice.one, choice.other);
                open_.swap(rest_);
                return true;
            }
            if (in_the_way < 0) in_the_way = failed;
        }
        burden_[line.line] *= 2;
        if (in_the_way >= 0) burden_[in_the_way] *= 2;
        return false;
    }

    // The lines that a pair leaves, in rest_; if one of them can then not be served any more, its number, else -1.
    int without(int one, int other) {
        rest_.clear();
        const Cells<W> pair = Cells<W>::one(one) | Cells<W>::one(other);
        for (const Open& line : open_) {
            const int held = line.cells.has(one) + line.cells.has(other);
            if (held == 2) continue;
            if (line.size - held < 2) return line.line;
            rest_.push_back({line.cells - pair, line.size - held, line.line});
        }
        return -1;
    }

    int least_ = 4 * whole;
    std::vector<float> burden_;  // how often a line could not be served, as a factor
    std::array<float, 64 * W> felt_;
    std::vector<Choice> choices_;
    std::vector<Open> open_, rest_;
};

}  // namespace noughts::prove
