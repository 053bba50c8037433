#include "plan.hpp"

#include <algorithm>

#include "index.hpp"

namespace noughts::solve {
namespace {

// All sets of `size` out of `cells`, ascending.
std::vector<Set> sets_of(int size, int cells) {
    std::vector<Set> sets(binomial(cells, size));
    Set set = (Set(1) << size) - 1;
    for (Set& out : sets) {
        out = set;
        if (!set) break;
        const Set up = set + (set & -set);  // the lowest run's top cell moves up, the rest of it falls to the bottom
        set = up | ((set ^ up) >> 2) >> std::countr_zero(set);
    }
    return sets;
}

// Where the row of T lies in a block of sets of `size`, split above `low` cells.
uint32_t row_at(int low, Set top, int size) {
    int i = size - std::popcount(top) + 1;
    uint32_t at = 0;
    for (; top; top &= top - 1) at += binomial(low + std::countr_zero(top), i++);
    return at;
}

// The set when a place that it does not use is taken away.
Set without_place(Set set, int place) {
    const Set below = (Set(1) << place) - 1;
    return (set & below) | (set >> 1 & ~below);
}

}  // namespace

Rows::Rows(int cells, int size, int low) {
    const int high = cells - low;
    for (int i = std::max(0, size - high); i <= std::min(low, size); i++) {
        Columns& c = columns.emplace_back();
        c.top = sets_of(size - i, high);
        for (Set top : c.top) c.to.push_back(row_at(low, top, size));
        Group& g = groups.emplace_back();
        g.rows = uint32_t(c.top.size());
        g.lanes = binomial(low, i);
        g.top = c.top.data(), g.to = c.to.data();
        low_size.push_back(i);
    }
}

PlanTables::PlanTables(const Kernels& kernels, int cells, int size, uint8_t seed)
    : rows_(cells, size, std::min(cells, int(kernels.low))) {
    plan_.low = std::min(uint32_t(cells), kernels.low);
    plan_.high = uint32_t(cells) - plan_.low;
    plan_.bytes = binomial(cells, size);
    plan_.groups = uint32_t(rows_.groups.size());
    plan_.group = rows_.groups.data();
    plan_.seed = seed;
    shuffle_.resize(plan_.low + 1);
}

uint8_t* PlanTables::new_shuffle(const Kernels& kernels, int low_size, int moves, uint8_t nothing) {
    const uint32_t lanes = binomial(int(plan_.low), low_size), vectors = (lanes + kernels.width - 1) / kernels.width;
    shuffle_[low_size].assign(size_t(moves) * vectors * kernels.width, nothing);
    return shuffle_[low_size].data();
}

PlanTables PlanTables::x_moves(const Kernels& kernels, int cells, int size, uint8_t seed) {
    PlanTables tables(kernels, cells, size, seed);
    Plan& plan = tables.plan_;
    const int low = int(plan.low), high = int(plan.high);
    plan.stride = uint32_t(2 * packed_bytes(binomial(cells - 1, size)) + padding);
    for (size_t n = 0; n < plan.groups; n++) {
        Group& g = tables.rows_.groups[n];
        auto& c = tables.rows_.columns[n];
        const int i = tables.rows_.low_size[n];
        g.highs = uint32_t(high - (size - i));
        g.lows = uint32_t(i < low ? low : 0);
        g.child_lanes = binomial(low - 1, i);
        for (Set top : c.top) {
            c.low.push_back(g.lows ? row_at(low - 1, top, size) : 0);
            for (int q = 0; q < high; q++) {
                if (top >> q & 1) continue;
                c.high.push_back(uint32_t(low + q) * plan.stride + row_at(low, without_place(top, q), size));
            }
        }
        uint8_t* shuffle = tables.new_shuffle(kernels, i, int(g.lows), 255);
        for (uint32_t p = 0; p < g.lows; p++) {
            uint8_t* lane = shuffle + p * (tables.shuffle_[i].size() / g.lows);
            for (Set set : sets_of(i, low)) *lane++ = set >> p & 1 ? 255 : uint8_t(colex(without_place(set, int(p))));
        }
        g.low = c.low.data(), g.high = c.high.data(), g.shuffle = shuffle;
    }
    return tables;
}

PlanTables PlanTables::o_moves(const Kernels& kernels, int cells, int size, uint8_t seed) {
    PlanTables tables(kernels, cells, size, seed);
    const Plan& plan = tables.plan_;
    const int low = int(plan.low), high = int(plan.high);
    for (size_t n = 0; n < plan.groups; n++) {
        Group& g = tables.rows_.groups[n];
        auto& c = tables.rows_.columns[n];
        const int i = tables.rows_.low_size[n];
        g.highs = uint32_t(high - (size - i));
        g.lows = uint32_t(low - i);
        g.child_lanes = binomial(low, i + 1);
        for (Set top : c.top) {
            c.low.push_back(g.lows ? row_at(low, top, size + 1) : 0);
            for (int q = 0; q < high; q++)
                if (!(top >> q & 1)) c.high.push_back(row_at(low, top | Set(1) << q, size + 1));
        }
        uint8_t* shuffle = tables.new_shuffle(kernels, i, int(g.lows), 0);
        for (Set set : sets_of(i, low)) {  // the n-th shuffle adds the n-th cell that the set has not
            uint8_t* lane = shuffle++;
            for (Set left = ~set & ((Set(1) << low) - 1); left; left &= left - 1) {
                *lane = uint8_t(colex(set | (left & -left)));
                lane += tables.shuffle_[i].size() / g.lows;
            }
        }
        g.low = c.low.data(), g.high = c.high.data(), g.shuffle = tables.shuffle_[i].data();
    }
    return tables;
}

TurnTables::TurnTables(int cells, int size, int low)
    : rows_(cells, size, low), row_(size_t(1) << (cells - low)), lane_(size_t(1) << low) {
    std::vector<uint32_t> start;
    for (int i = 0; i <= low; i++) {
        start.push_back(uint32_t(set_.size()));
        for (Set set : sets_of(i, low)) set_.push_back(uint16_t(set)), lane_[set] = uint8_t(colex(set));
    }
    for (size_t n = 0; n < rows_.groups.size(); n++) {
        Group& g = rows_.groups[n];
        g.lows = start[rows_.low_size[n]];
        for (uint32_t r = 0; r < g.rows; r++) row_[g.top[r]] = g.to[r];
    }
    turn_ = {uint32_t(low), uint32_t(cells - low), uint32_t(rows_.groups.size()), rows_.groups.data(),
             row_.data(),   set_.data(),           lane_.data()};
}

MarkTables::MarkTables(const Kernels& kernels, int cells, int size)
    : low(std::min(cells, int(kernels.low))), high(cells - low), marks_(size_t(high + 1) << low) {
    for (int i = 0; i <= low; i++) lanes.push_back(sets_of(i, low));
    for (Set set = 0; set < Set(1) << low; set++)
        for (Set more = set; more < Set(1) << low; more = (more + 1) | set) {
            const uint32_t lane = colex(more), word = lane / kernels.width;
            const uint64_t bit = uint64_t(1) << lane % kernels.width;
            const int t = size - std::popcount(more);  // high cells that go with these low ones
            if (t >= 0 && t <= high) marks_[set * (high + 1) + t].x[word] |= bit;
            if (t >= 1 && t <= high + 1) marks_[set * (high + 1) + t - 1].o[word] |= bit;
        }
}

}  // namespace noughts::solve
