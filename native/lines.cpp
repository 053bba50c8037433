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

LineBoard::LineBoard(const LineTable& table) : table_(table), lines_(table.lines) {
    for (auto& side : lacking_)
        for (Lacking& each : side) each.count.resize(table.cells);
    for (int line = 0; line < table.lines; line++) count(0, line, table.k, 1), count(1, line, table.k, 1);
    for (int cell = 0; cell < table.cells; cell++) free_.add(cell);
}

// A line counts for a side while the other has no cell of it, and nothing makes it too long. So a mark changes what its
// own side lacks, and only the first one in a line takes it from the other.
void LineBoard::put(int side, int cell) {
    for (const uint16_t line : table_.through(cell)) {
        Line& at = lines_[line];
        const int held = at.held[side]++;
        if (!at.held[1 - side] && !at.beside[side])
            count(side, line, table_.k - held, -1), count(side, line, table_.k - held - 1, 1);
        if (!held && !at.beside[1 - side]) count(1 - side, line, table_.k - at.held[1 - side], -1);
    }
    for (const uint16_t line : table_.beside(cell)) {
        Line& at = lines_[line];
        if (!at.beside[side]++ && !at.held[1 - side]) count(side, line, table_.k - at.held[side], -1);
    }
    free_.drop(cell), key_ ^= mixed(side, cell);
}

void LineBoard::take(int side, int cell) {
    for (const uint16_t line : table_.through(cell)) {
        Line& at = lines_[line];
        const int held = --at.held[side];
        if (!at.held[1 - side] && !at.beside[side])
            count(side, line, table_.k - held - 1, -1), count(side, line, table_.k - held, 1);
        if (!held && !at.beside[1 - side]) count(1 - side, line, table_.k - at.held[1 - side], 1);
    }
    for (const uint16_t line : table_.beside(cell)) {
        Line& at = lines_[line];
        if (!--at.beside[side] && !at.held[1 - side]) count(side, line, table_.k - at.held[side], 1);
    }
    free_.add(cell), key_ ^= mixed(side, cell);
}

// One live line more or less that lacks so many cells.
void LineBoard::count(int side, int line, int lacks, int by) {
    if (lacks > 2 || lacks < 1) return;
    Lacking& lacking = lacking_[side][lacks - 1];
    for (const uint16_t cell : table_.cells_of(line)) {
        const uint8_t count = lacking.count[cell] = uint8_t(lacking.count[cell] + by);
        if (by > 0 && count == 1) lacking.set.add(cell);
        if (by < 0 && count == 0) lacking.set.drop(cell);
    }
}

CellSet LineBoard::threes(int side) const {
    CellSet found;
    for (int line = 0; line < table_.lines; line++) {
        const Line& at = lines_[line];
        if (at.held[side] + 3 == table_.k && !at.held[1 - side] && !at.beside[side])
            for (const uint16_t cell : table_.cells_of(line)) found.add(cell);
    }
    return found & free_;
}

uint64_t LineBoard::mixed(int side, int cell) {
    uint64_t x = uint64_t(cell * 2 + side + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

}  // namespace noughts
