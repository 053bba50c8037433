#include "lines.hpp"

namespace noughts {

LineTable::LineTable(const Game& game) : cells(game.cells), k(game.k) {
    std::vector<std::vector<uint16_t>> through(cells), beside(cells);
    const int ways[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    const auto inside = [&](int row, int column) {
        return row >= 0 && row < game.rows && column >= 0 && column < game.columns;
    };
    for (int row = 0; row < game.rows; row++)
        for (int column = 0; column < game.columns; column++)
            for (const auto [down, right] : ways) {
                if (!inside(row + (k - 1) * down, column + (k - 1) * right)) continue;
                for (int i = 0; i < k; i++) {
                    const int cell = (row + i * down) * game.columns + column + i * right;
                    cells_.push_back(uint16_t(cell));
                    through[cell].push_back(uint16_t(lines));
                }
                for (const int i : {-1, k})
                    if (game.exact && inside(row + i * down, column + i * right))
                        beside[(row + i * down) * game.columns + column + i * right].push_back(uint16_t(lines));
                lines++;
            }
    for (int cell = 0; cell < cells; cell++) {
        through_start_.push_back(uint32_t(through_.size())), beside_start_.push_back(uint32_t(beside_.size()));
        through_.insert(through_.end(), through[cell].begin(), through[cell].end());
        beside_.insert(beside_.end(), beside[cell].begin(), beside[cell].end());
    }
    through_start_.push_back(uint32_t(through_.size())), beside_start_.push_back(uint32_t(beside_.size()));
}

LineBoard::LineBoard(const LineTable& table, int most) : table_(table), most_(most) {
    for (int side = 0; side < 2; side++) {
        held_[side].resize(table.lines), beside_[side].resize(table.lines);
        for (Lacking& each : lacking_[side]) each.count.resize(table.cells);
    }
    for (int line = 0; line < table.lines; line++) enter(0, line, 1), enter(1, line, 1);
    for (int cell = 0; cell < table.cells; cell++) free_.add(cell);
}

void LineBoard::change(int side, int cell, int by) {
    for (const uint16_t line : table_.through(cell)) {
        enter(0, line, -1), enter(1, line, -1);
        held_[side][line] = uint8_t(held_[side][line] + by);
        enter(0, line, 1), enter(1, line, 1);
    }
    for (const uint16_t line : table_.beside(cell)) {
        enter(side, line, -1);
        beside_[side][line] = uint8_t(beside_[side][line] + by);
        enter(side, line, 1);
    }
}

// A line counts for a side while the other has no cell of it, and nothing makes it too long.
void LineBoard::enter(int side, int line, int by) {
    const int lacks = table_.k - held_[side][line];
    if (lacks > most_ || lacks < 1 || held_[1 - side][line] || beside_[side][line]) return;
    Lacking& lacking = lacking_[side][lacks - 1];
    for (const uint16_t cell : table_.cells_of(line)) {
        const uint8_t count = lacking.count[cell] = uint8_t(lacking.count[cell] + by);
        if (by > 0 && count == 1) lacking.set.add(cell);
        if (by < 0 && count == 0) lacking.set.drop(cell);
    }
}

uint64_t LineBoard::mixed(int side, int cell) {
    uint64_t x = uint64_t(cell * 2 + side + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

}  // namespace noughts
