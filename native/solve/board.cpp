#include "board.hpp"

#include <algorithm>
#include <type_traits>

namespace noughts::solve {

static constexpr auto make_binomials = [] {
    std::remove_cv_t<decltype(binomials)> b{};
    for (int n = 0; n < int(b.size()); n++) {
        b[n][0] = 1;
        for (int k = 1; k <= n; k++) b[n][k] = b[n - 1][k - 1] + b[n - 1][k];
    }
    return b;
};
constinit const std::array<std::array<uint32_t, 34>, 33> binomials = make_binomials();

namespace {

using Map = std::array<uint8_t, most_cells>;

// Every symmetry as a map of row-major cells, the identity first, each once.
std::vector<Map> symmetries(int rows, int columns) {
    std::vector<Map> found;
    for (int s = 0; s < (rows == columns ? 8 : 4); s++) {
        Map map{};
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                int r = s & 1 ? rows - 1 - row : row;
                int c = s & 2 ? columns - 1 - column : column;
                if (s & 4) std::swap(r, c);
                map[row * columns + column] = uint8_t(r * columns + c);
            }
        if (std::find(found.begin(), found.end(), map) == found.end()) found.push_back(map);
    }
    return found;
}

std::vector<std::vector<int>> orbits(const std::vector<Map>& maps, int cells) {
    std::vector<std::vector<int>> found;
    Set seen = 0;
    for (int cell = 0; cell < cells; cell++) {
        if (seen >> cell & 1) continue;
        std::vector<int> orbit;
        for (const Map& map : maps)
            if (!(seen >> map[cell] & 1)) seen |= Set(1) << map[cell], orbit.push_back(map[cell]);
        found.push_back(orbit);
    }
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.size() < b.size(); });
    return found;
}

// Sets of lines with no common cell, grown a line at a time; each line has to make the common cells fewer.
void grow(const std::vector<Set>& lines, size_t from, Set common, Set all, std::vector<Set>& found) {
    if (!common) {
        found.push_back(all);
        return;
    }
    for (size_t i = from; i < lines.size(); i++)
        if ((common & lines[i]) != common) grow(lines, i + 1, common & lines[i], all | lines[i], found);
}

std::vector<Set> smallest(std::vector<Set> sets) {
    std::sort(sets.begin(), sets.end(), [](Set a, Set b) {
        return std::pair(std::popcount(a), a) < std::pair(std::popcount(b), b);
    });
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::vector<Set> kept;
    for (Set set : sets) {
        auto inside = [&](Set small) { return (set & small) == small; };
        if (std::none_of(kept.begin(), kept.end(), inside)) kept.push_back(set);
    }
    return kept;
}

}  // namespace

Board::Board(const Game& game) : k(game.k), cells(game.cells), exact(game.exact) {
    all = Set((uint64_t(1) << cells) - 1);
    const auto maps = symmetries(game.rows, game.columns);
    int next = 0;
    for (const auto& orbit : orbits(maps, cells)) {
        for (int cell : orbit) number[cell] = uint8_t(next++);
        orbit_end.push_back(next);
    }
    for (const Map& by_cell : maps) {
        Map& by_number = map.emplace_back();
        for (int cell = 0; cell < cells; cell++) by_number[number[cell]] = number[by_cell[cell]];
        auto& table = images_.emplace_back();
        for (int cell = 0; cell < cells; cell++)
            for (int bits = 0, bit = 1 << cell % 10; bits < bit; bits++)
                table[cell / 10][bit + bits] = table[cell / 10][bits] | Set(1) << by_number[cell];
    }
    for (int d = 0; d < game.directions; d++)
        for (uint64_t starts = game.direction[d].starts[0]; starts; starts &= starts - 1) {
            Set line = 0;
            for (int i = 0; i < k; i++) line |= Set(1) << number[std::countr_zero(starts) + i * game.direction[d].step];
            lines.push_back(line);
        }
    if (exact) {
        find_kinds(game);
        return;
    }
    std::vector<Set> found;
    grow(lines, 0, all, 0, found);
    tangles = smallest(std::move(found));
}

// Where a longer run is no line, the order of the marks matters: a set without a line is open if some cell leaves an
// open one when it is taken away, and one with a line is won if some cell does.
void Board::find_kinds(const Game& game) {
    const uint64_t sets = uint64_t(1) << cells;
    open_.assign((sets + 63) / 64, 0), won_ = open_;
    open_[0] = 1;
    std::array<std::array<uint32_t, 1024>, 3> row_major{};  // the inverse of `renumber`, ten cells at a time
    for (int cell = 0; cell < cells; cell++)
        for (int bits = 0, n = number[cell], bit = 1 << n % 10; bits < 1024; bits++)
            if (bits & bit) row_major[n / 10][bits] |= uint32_t(1) << cell;
    for (Set set = 1; set < sets; set++) {
        if (std::popcount(set) > (cells + 1) / 2) continue;  // nobody has so many
        bool arises = false;
        for (Set left = set; left && !arises; left &= left - 1) arises = is_open(set & ~(left & -left));
        if (!arises) continue;
        const uint32_t seen = row_major[0][set & 1023] | row_major[1][set >> 10 & 1023] | row_major[2][set >> 20];
        (has_line(game, seen) ? won_ : open_)[set / 64] |= uint64_t(1) << set % 64;
    }
}

Set Board::renumber(uint32_t row_major) const {
    Set set = 0;
    for (; row_major; row_major &= row_major - 1) set |= Set(1) << number[std::countr_zero(row_major)];
    return set;
}

}  // namespace noughts::solve
