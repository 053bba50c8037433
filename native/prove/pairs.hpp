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

template <int W>
class Pairs {
  public:
    // Looks for pairs: one way down, with a few steps back; and longer where that came near.
    bool find(const Family<W>& family) {
        const int lines = int(family.lines.size());
        limit_ = 8 + lines / 8;
        longer_ = 40 * limit_;
        return go(family.lines, 0);
    }

    int light = 4 * whole;                   // the smallest sum that was seen
    std::vector<std::pair<int, int>> found;  // if there are pairs

  private:
    static constexpr int near = whole / 10 * 19;  // from further away it was never seen to succeed

    bool go(const std::vector<Line<W>>& open, size_t depth) {
        std::array<int, 64 * W> weight;
        Cells<W> seen;
        int sum = 0, most = 0;
        const Line<W>* shortest = nullptr;
        for (const Line<W>& line : open) {
            const int each = weight_of(line.size);
            sum += each;
            if (!shortest || line.size < shortest->size) shortest = &line;
            (line.cells - seen).each([&](int cell) { weight[cell] = 0; });
            seen |= line.cells;
            line.cells.each([&](int cell) { most = std::max(most, weight[cell] += each); });
        }
        light = std::min(light, sum), least_ = std::min(least_, sum + most);
        if (sum + most < whole) return true;
        if (shortest->size < 2 || spent()) return false;
        struct Choice {
            int change, one, other;  // of the sum, if these become a pair
        };
        std::vector<Choice> choices;
        for (Cells<W> rest = shortest->cells; rest.any();) {
            const int one = rest.first();
            rest = rest.without_first();
            rest.each([&](int other) { choices.push_back({weight[one] + weight[other], one, other}); });
        }
        for (const Line<W>& line : open)
            if (const Cells<W> both = line.cells & shortest->cells; both.any() && !both.single())
                for (Choice& choice : choices)
                    if (both.has(choice.one) && both.has(choice.other)) choice.change -= 3 * weight_of(line.size);
        std::stable_sort(choices.begin(), choices.end(), [](auto& a, auto& b) { return a.change < b.change; });
        if (rest_.size() <= depth) rest_.resize(depth + 1);
        for (const Choice& choice : choices) {
            if (!without(open, choice.one, choice.other, depth)) continue;
            found.emplace_back(choice.one, choice.other);
            // `rest_` may move when deeper ones are added, so the lines are handed on and taken back.
            std::vector<Line<W>> rest = std::move(rest_[depth]);
            const bool done = go(rest, depth + 1);
            rest_[depth] = std::move(rest);
            if (done) return true;
            found.pop_back();
            if (limit_ <= 0) return false;
        }
        return false;
    }

    // The lines that a pair leaves; false if one of them cannot be served any more.
    bool without(const std::vector<Line<W>>& open, int one, int other, size_t depth) {
        std::vector<Line<W>>& rest = rest_[depth];
        rest.clear();
        const Cells<W> pair = Cells<W>::one(one) | Cells<W>::one(other);
        for (const Line<W>& line : open) {
            const int held = line.cells.has(one) + line.cells.has(other);
            if (held == 2) continue;
            if (line.size - held < 2) return false;
            rest.push_back({line.cells - pair, line.size - held});
        }
        return true;
    }

    bool spent() {
        if (limit_-- > 0) return false;
        if (least_ >= near) return true;
        limit_ = longer_, longer_ = 0;
        return limit_-- <= 0;
    }

    int limit_ = 0, longer_ = 0, least_ = 4 * whole;
    std::vector<std::vector<Line<W>>> rest_;
};

}  // namespace noughts::prove
