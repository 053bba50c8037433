// What matters of a position to one who holds: which free cells each line still open lacks.
//
// A player's family is the set of those lines, none of which contains another. When the player takes a cell, its lines
// lack one cell less; when the other takes it, they are gone. Everything else about the board may be forgotten: cells
// that are in no line, marks that are in none, and which board it was.
#pragma once

#include <stdint.h>

#include <array>
#include <bit>
#include <vector>

namespace noughts::prove {

// A set of up to 64 W cells.
template <int W>
struct Cells {
    std::array<uint64_t, W> word{};

    static Cells everything() {
        Cells set;
        set.word.fill(~uint64_t{0});
        return set;
    }
    static Cells one(int cell) {
        Cells set;
        set.word[cell / 64] = uint64_t{1} << cell % 64;
        return set;
    }
    bool has(int cell) const { return word[cell / 64] >> cell % 64 & 1; }
    bool any() const {
        uint64_t all = 0;
        for (int i = 0; i < W; i++) all |= word[i];
        return all;
    }
    int count() const {
        int all = 0;
        for (int i = 0; i < W; i++) all += std::popcount(word[i]);
        return all;
    }
    int first() const {  // of a set that is not empty
        for (int i = 0;; i++)
            if (word[i]) return i * 64 + std::countr_zero(word[i]);
    }
    bool within(const Cells& other) const {
        uint64_t more = 0;
        for (int i = 0; i < W; i++) more |= word[i] & ~other.word[i];
        return !more;
    }
    bool meets(const Cells& other) const {
        uint64_t both = 0;
        for (int i = 0; i < W; i++) both |= word[i] & other.word[i];
        return both;
    }
    bool single() const { return any() && !without_first().any(); }
    Cells without_first() const {
        Cells rest = *this;
        for (int i = 0; i < W; i++)
            if (rest.word[i]) return rest.word[i] &= rest.word[i] - 1, rest;
        return rest;
    }
    Cells& operator|=(const Cells& other) {
        for (int i = 0; i < W; i++) word[i] |= other.word[i];
        return *this;
    }
    Cells& operator&=(const Cells& other) {
        for (int i = 0; i < W; i++) word[i] &= other.word[i];
        return *this;
    }
    Cells& operator-=(const Cells& other) {
        for (int i = 0; i < W; i++) word[i] &= ~other.word[i];
        return *this;
    }
    friend Cells operator|(Cells a, const Cells& b) { return a |= b; }
    friend Cells operator&(Cells a, const Cells& b) { return a &= b; }
    friend Cells operator-(Cells a, const Cells& b) { return a -= b; }
    bool operator==(const Cells&) const = default;

    template <typename Do>
    void each(Do go) const {
        for (int i = 0; i < W; i++)
            for (uint64_t rest = word[i]; rest; rest &= rest - 1) go(i * 64 + std::countr_zero(rest));
    }
};

template <int W>
struct Line {
    Cells<W> cells;  // those that it lacks
    int size;
};

template <int W>
struct Family {
    std::vector<Line<W>> lines;

    void add(const Cells<W>& cells) {
        const int size = cells.count();
        for (const Line<W>& line : lines)
            if (line.cells.within(cells)) return;
        std::erase_if(lines, [&](const Line<W>& line) { return cells.within(line.cells); });
        lines.push_back({cells, size});
    }

    // Its player takes a cell. Those that shrink contain no other, and none of them another: only others may go.
    void take(int cell) {
        const Cells<W> taken = Cells<W>::one(cell);
        const auto shrinks = [&](const Line<W>& line) { return line.cells.has(cell); };
        const auto middle = std::partition(lines.begin(), lines.end(), shrinks);
        for (auto line = lines.begin(); line != middle; ++line) line->cells -= taken, line->size--;
        const auto gone = [&](const Line<W>& longer) {
            for (auto line = lines.begin(); line != middle; ++line)
                if (line->cells.within(longer.cells)) return true;
            return false;
        };
        lines.erase(std::remove_if(middle, lines.end(), gone), lines.end());
    }

    // The other takes a cell.
    void lose(int cell) {
        std::erase_if(lines, [&](const Line<W>& line) { return line.cells.has(cell); });
    }

    Cells<W> all() const {
        Cells<W> found;
        for (const Line<W>& line : lines) found |= line.cells;
        return found;
    }

    // The cells of those that lack so many.
    Cells<W> lacking(int size) const {
        Cells<W> found;
        for (const Line<W>& line : lines)
            if (line.size == size) found |= line.cells;
        return found;
    }
};

}  // namespace noughts::prove
