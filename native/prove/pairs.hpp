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
// the line that was in its way count as twice as heavy from now on, and it begins again. Once the weight is small
// enough it goes on, as long as the leaf then depends on fewer cells.
template <int W>
class Pairs {
  public:
    bool find(const Family<W>& family) {
        lines_ = int(family.lines.size()), words_ = (lines_ + 63) / 64;
        burden_.assign(lines_, 1);
        cells_ = family.all();
        for (int i = 0;; i++) {
            if (pass(family)) return true;
            if (int64_t{i} * whole >= int64_t{passes} * (near - least_)) return false;
        }
    }

    int light = 4 * whole;                   // the smallest sum that was seen
    std::vector<std::pair<int, int>> found;  // if there are pairs
    Cells<W> zone;                           // the cells that the leaf depends on

  private:
    // It is tried the more often the nearer it came: at a distance of 1 so many times.
    static constexpr int passes = 40;
    static constexpr int near = whole / 100 * 230;  // from further away it was hardly ever seen to succeed
    static constexpr int most_words = 4 * W;      // a board has at most four lines for each cell

    struct Open {
        Cells<W> cells;  // those that it lacks outside the pairs
        int size;
        int64_t felt;  // its weight, with the burden of what failed before
    };
    struct Set {  // of lines
        std::array<uint64_t, most_words> word;
        void add(int line) { word[line / 64] |= uint64_t{1} << line % 64; }
        void drop(int line) { word[line / 64] &= ~(uint64_t{1} << line % 64); }
    };

    // Calls go(line) for lines of so many words, of which word(i) tells the i-th.
    template <typename Word, typename Go>
    void each(Word word, Go go) const {
        for (int i = 0; i < words_; i++)
            for (uint64_t rest = word(i); rest; rest &= rest - 1) go(i * 64 + std::countr_zero(rest));
    }

    bool pass(const Family<W>& family) {
        found.clear(), open_.clear();
        sum_ = 0, weight_ = {}, felt_ = {}, left_ = {}, short_ = {};
        cells_.each([&](int cell) { std::fill_n(through_[cell].word.begin(), words_, 0); });
        for (const Line<W>& line : family.lines) {
            const int number = int(open_.size());
            open_.push_back({line.cells, line.size, weight_of(line.size) * burden_[number]});
            line.cells.each([&](int cell) { through_[cell].add(number); });
            left_.add(number);
            if (line.size < 3) short_.add(number);
            weigh(open_.back(), 1);
        }
        bool good = false;
        size_t length = 0;
        for (int left = lines_;; left = int(lines_left())) {
            int most = 0;
            cells_.each([&](int cell) { most = std::max(most, weight_[cell]); });
            light = std::min(light, sum_), least_ = std::min(least_, sum_ + most);
            if (sum_ + most < whole) {
                const Cells<W> needs = needed();
                if (!good || needs.count() < zone.count()) zone = needs, length = found.size();
                good = true;
            }
            if (!left || !serve()) break;
        }
        if (good) found.resize(length);
        return good;
    }

    int lines_left() const {
        int all = 0;
        for (int i = 0; i < words_; i++) all += std::popcount(left_.word[i]);
        return all;
    }

    Cells<W> needed() const {
        Cells<W> needs;
        each([&](int i) { return left_.word[i]; }, [&](int line) { needs |= open_[line].cells; });
        for (const auto& [one, other] : found) needs |= Cells<W>::one(one) | Cells<W>::one(other);
        return needs;
    }

    // Adds what a line weighs to its cells, or takes it away.
    void weigh(const Open& line, int sign) {
        const int weight = sign * weight_of(line.size);
        const int64_t felt = sign * line.felt;
        sum_ += weight;
        line.cells.each([&](int cell) { weight_[cell] += weight, felt_[cell] += felt; });
    }

    // Adds the best pair for the hardest line, and leaves the lines that are still to be served.
    bool serve() {
        int hardest = -1;
        each([&](int i) { return left_.word[i]; }, [&](int line) {
            if (hardest < 0 || open_[line].felt > open_[hardest].felt) hardest = line;
        });
        int64_t least = 0, least_fit = 0;
        int best[2] = {-1, -1}, fit[2] = {-1, -1};
        for (Cells<W> rest = open_[hardest].cells; rest.any();) {
            const int one = rest.first();
            rest = rest.without_first();
            rest.each([&](int other) {
                const auto &a = through_[one].word, &b = through_[other].word;
                int64_t served = 0;
                each([&](int i) { return a[i] & b[i]; }, [&](int line) { served += open_[line].felt; });
                const int64_t change = felt_[one] + felt_[other] - 3 * served;
                if (best[0] < 0 || change < least) least = change, best[0] = one, best[1] = other;
                if ((fit[0] < 0 || change < least_fit) && stranded(one, other) < 0)
                    least_fit = change, fit[0] = one, fit[1] = other;
            });
        }
        if (fit[0] >= 0) return pair(fit[0], fit[1]), true;
        burden_[hardest] *= 2;
        if (best[0] >= 0) burden_[stranded(best[0], best[1])] *= 2;
        return false;
    }

    // The first line that could not be served any more if these became a pair, or -1.
    int stranded(int one, int other) const {
        for (int i = 0; i < words_; i++)
            if (const uint64_t lost = (through_[one].word[i] ^ through_[other].word[i]) & short_.word[i])
                return i * 64 + std::countr_zero(lost);
        return -1;
    }

    void pair(int one, int other) {
        found.emplace_back(one, other);
        const Cells<W> both = Cells<W>::one(one) | Cells<W>::one(other);
        const Set a = through_[one], b = through_[other];
        each([&](int i) { return a.word[i] | b.word[i]; }, [&](int number) {
            Open& line = open_[number];
            weigh(line, -1);
            if (both.within(line.cells)) {
                line.cells.each([&](int cell) { through_[cell].drop(number); });
                left_.drop(number), short_.drop(number);
                return;
            }
            line.cells -= both;
            through_[one].drop(number), through_[other].drop(number);
            if (--line.size < 3) short_.add(number);
            line.felt = weight_of(line.size) * burden_[number];
            weigh(line, 1);
        });
    }

    int lines_ = 0, words_ = 0;
    int least_ = 4 * whole, sum_ = 0;
    Cells<W> cells_;
    std::vector<int64_t> burden_;  // how often a line could not be served, as a factor
    std::array<int, 64 * W> weight_;
    std::array<int64_t, 64 * W> felt_;
    std::array<Set, 64 * W> through_;  // the open lines through each cell
    Set left_, short_;                 // the lines that no pair serves, and those of them that lack less than three
    std::vector<Open> open_;
};

}  // namespace noughts::prove
