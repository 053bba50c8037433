#include "shapes.hpp"

namespace noughts::engine {
namespace {

constexpr int tabled = 9;    // cells of an arm: beyond, a table would have millions of entries
constexpr int windowed = 4;  // the same, for what both can have there
constexpr int deepest = 4;  // cells that a line may lack

}  // namespace

ShapeTable::ShapeTable(const Game& game) : k(game.k), arm(game.exact ? game.k : game.k - 1), exact_(game.exact) {
    if (arm > tabled) return;
    table_.resize(size_t{1} << 2 * (arm + 1));
    for (uint64_t code = 0; code < table_.size(); code++)
        if (code >> (arm + 1) && code & ((uint64_t{1} << (arm + 1)) - 1)) table_[code] = decide(code);
    known_.clear();
    if (arm > windowed) return;
    const size_t all = size_t{1} << 2 * arm;
    std::vector<uint8_t> found(all * all);
    for (uint64_t code = 0; code < found.size(); code++) {
        const auto line = [&](uint64_t marks) {
            const uint64_t right = (uint64_t{1} << arm) - 1;
            return ((marks & right) | (marks >> arm) << (arm + 1)) << (pad - arm) | ~uint64_t{0} << (pad + arm + 1);
        };
        const uint64_t first = line(code % all), second = line(code / all);
        found[code] = uint8_t(at(first, second, 0) | at(second, first, 0) << 4);
    }
    windows_ = std::move(found);
}

// The shape of a cell of a line that holds `mine`; the marks of both stand where the board ends.
Shape ShapeTable::at(uint64_t mine, uint64_t theirs, int i) {
    i += pad;
    const int right = std::min(std::countr_zero(theirs >> 1 >> i), arm);
    const int left = std::min(std::countl_zero(theirs << 1 << (63 - i)), arm);
    const uint64_t right_code = (mine >> 1 >> i & ((uint64_t{1} << right) - 1)) | uint64_t{1} << right;
    const uint64_t left_code = (mine << 1 << (63 - i) >> 1 >> (63 - left)) | uint64_t{1} << left;
    const uint64_t code = right_code | left_code << (arm + 1);
    if (!table_.empty()) return table_[code];
    if (const auto known = seen_.find(code); known != seen_.end()) return known->second;
    if (seen_.size() >= most_seen) seen_.clear();
    return seen_[code] = decide(code);
}

Shape ShapeTable::decide(uint64_t code) {
    const uint64_t right = code & ((uint64_t{1} << (arm + 1)) - 1), left = code >> (arm + 1);
    const int right_cells = int(std::bit_width(right)) - 1, left_cells = int(std::bit_width(left)) - 1;
    const uint64_t right_mine = right ^ uint64_t{1} << right_cells, left_mine = left ^ uint64_t{1} << left_cells;
    const uint64_t mine = uint64_t{1} << arm | right_mine << (arm + 1) | left_mine << (arm - left_cells);
    const uint64_t seen = ((uint64_t{1} << (left_cells + 1 + right_cells)) - 1) << (arm - left_cells);
    if (known_.size() > most_seen) known_.clear();
    return of(mine, seen & ~mine);
}

// Of the lines through the cell, those that lack fewest; then the best that one of their cells leads to.
Shape ShapeTable::of(uint64_t mine, uint64_t free) {
    const Window window{mine, free};
    if (const auto known = known_.find(window); known != known_.end()) return known->second;
    const uint64_t line = (uint64_t{1} << k) - 1;
    int fewest = deepest + 1;
    uint64_t lacking = 0;
    for (int first = std::max(0, arm - k + 1); first <= arm; first++) {
        const uint64_t cells = line << first;
        if (cells & ~(mine | free)) continue;
        if (exact_ && ((first > 0 && mine >> (first - 1) & 1) || mine >> (first + k) & 1)) continue;
        const int lacks = k - std::popcount(cells & mine);
        if (lacks < fewest) fewest = lacks, lacking = 0;
        if (lacks == fewest) lacking |= cells & free;
    }
    Shape found = none;
    if (fewest == 0) {
        found = five;
    } else if (fewest == 1) {
        found = lacking & (lacking - 1) ? open_four : four;
    } else if (fewest <= deepest) {
        for (uint64_t left = lacking; left; left &= left - 1) {
            const uint64_t cell = left & -left;
            const int next = of(mine | cell, free & ~cell) - 2;
            if (next > found) found = Shape(next);
        }
    }
    return known_[window] = found;
}

}  // namespace noughts::engine
