#include "board.hpp"

namespace noughts::engine {
namespace {

uint64_t mixed(uint64_t x) {
    x = (x + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

Role role_of(int best, int second) {
    if (best == five) return completes;
    if (best == open_four || (best == four && second == four)) return wins;
    if (best == four) return forces;
    if (best == open_three) return threatens;
    return best ? useful : idle;
}

const Sums zero{};

void add(Sums& sums, const Sums& more, const Sums& less) {
    for (int i = 0; i < width; i++) sums[i] = int16_t(sums[i] + more[i] - less[i]);
}

// One player's half of four bytes, as four shapes of four bits.
uint32_t packed(uint32_t both, int side) {
    uint32_t four = both >> 4 * side & 0x0F0F0F0F;
    four = (four | four >> 4) & 0x00FF00FF;
    return (four | four >> 8) & 0xFFFF;
}

}  // namespace

Board::Board(const Game& game, const Network& network)
    : cells(game.cells), rows(game.rows), columns(game.columns), table_(game), network_(&network), place_(game.cells),
      taken_(game.cells), shape_(game.cells), kind_(game.cells), pair_of_(1 << 16), meaning_(kinds),
      near_(game.cells),      step_{1, columns, columns + 1, columns - 1} {
    for (size_t code = 0; code < pair_of_.size(); code++) {
        int best = least_shape(game.k), second = best;
        for (int way = 0; way < 4; way++) {
            const int shape = code >> 4 * way & 15;
            if (shape > best) second = best, best = shape;
            else if (shape > second) second = shape;
        }
        pair_of_[code] = uint8_t(best * (best + 1) / 2 + second);
    }
    for (int i = 0; i < 2 * cells; i++) mark_.push_back(mixed(uint64_t(i)));
    std::array<Role, pairs> role{};
    std::array<Shape, pairs> top{};
    for (int best = 0; best < shapes; best++)
        for (int second = 0; second <= best; second++) {
            const int pair = best * (best + 1) / 2 + second;
            role[pair] = role_of(best, second), top[pair] = Shape(best);
        }
    for (int own = 0; own < pairs; own++)
        for (int other = 0; other < pairs; other++)
            meaning_[own * pairs + other] = {
                uint16_t(other * pairs + own), {role[own], role[other]}, {top[own], top[other]}};
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            const auto place = [&](int line, int before, int after) {
                return Place{uint8_t(line), uint8_t(before), uint8_t(before + 1 + after)};
            };
            const int above = row, left = column, below = rows - 1 - row, right = columns - 1 - column;
            place_[row * columns + column] = {
                place(row, left, right), place(column, above, below),
                place(right + row, std::min(above, left), std::min(below, right)),
                place(row + column, std::min(above, right), std::min(below, left))};
        }
    for (auto& each : line_)
        for (auto& way : each) way.fill(~uint64_t{0});
    for (const auto& four : place_)
        for (int way = 0; way < 4; way++)
            for (auto& each : line_) each[way][four[way].line] &= ~(uint64_t{1} << (ShapeTable::pad + four[way].index));
    for (int cell = 0; cell < cells; cell++) {
        for (auto& each : role_) each[idle].add(cell);
        for (int way = 0; way < 4; way++) {
            const Place place = place_[cell][way];
            const auto of = [&](int side) { return line_[side][way][place.line]; };
            if (place.length >= table_.k) renew(cell, way, table_.both(of(0), of(1), place.index));
        }
    }
    changes_.clear();
}

void Board::put(int side, int cell) {
    before_.push_back({changes_.size(), sums_});
    for (int each = 0; each < 2; each++) {
        role_[each][meaning_[kind_[cell]].role[each]].drop(cell);
        add(sums_[each], zero, network_->row[kind(each, cell)]);
    }
    taken_[cell] = 1, marks_++;
    crowd(cell, 1);
    toggle(side, cell);
    for (int way = 0; way < 4; way++)
        if (place_[cell][way].length >= table_.k) renew_from(way, cell);
}

// Undoes the last `put`.
void Board::take(int side, int cell) {
    for (; changes_.size() > before_.back().changes; changes_.pop_back()) {
        const Change& change = changes_.back();
        shape_[change.cell] = change.shape;
        if (change.kind != kind_[change.cell]) set_kind(change.cell, change.kind);
    }
    sums_ = before_.back().sums;
    before_.pop_back();
    toggle(side, cell);
    taken_[cell] = 0, marks_--;
    crowd(cell, -1);
    for (int each = 0; each < 2; each++) role_[each][meaning_[kind_[cell]].role[each]].add(cell);
}

void Board::toggle(int side, int cell) {
    key_ = key_after(side, cell);
    for (int way = 0; way < 4; way++) {
        const Place place = place_[cell][way];
        line_[side][way][place.line] ^= uint64_t{1} << (ShapeTable::pad + place.index);
    }
}

void Board::crowd(int cell, int more) {
    if (least_shape(table_.k) == none) return;
    const int row = cell / columns, column = cell % columns;
    for (int r = std::max(0, row - 2); r <= std::min(rows - 1, row + 2); r++)
        for (int c = std::max(0, column - 2); c <= std::min(columns - 1, column + 2); c++)
            near_[r * columns + c] = uint8_t(near_[r * columns + c] + more);
}

// The shapes along one line through a cell that has changed. A mark of one player ends the other's arms: what lies
// beyond one of each has not changed.
void Board::renew_from(int way, int cell) {
    const Place place = place_[cell][way];
    const uint64_t first = line_[0][way][place.line], second = line_[1][way][place.line];
    for (const int turn : {-1, 1}) {
        bool seen[2] = {false, false};
        const int reach = std::min<int>(table_.arm, turn < 0 ? place.index : place.length - 1 - place.index);
        int other = cell, i = place.index;
        for (int left = reach; left && !(seen[0] && seen[1]); left--) {
            other += turn * step_[way], i += turn;
            if (first >> (ShapeTable::pad + i) & 1) seen[0] = true;
            else if (second >> (ShapeTable::pad + i) & 1) seen[1] = true;
            else if (const uint8_t shape = table_.both(first, second, i); shape != uint8_t(shape_[other] >> 8 * way))
                renew(other, way, shape);
        }
    }
}

void Board::renew(int cell, int way, uint8_t shape) {
    const uint32_t four = shape_[cell], now = (four & ~(0xFFu << 8 * way)) | uint32_t(shape) << 8 * way;
    const int before = kind_[cell], kind = pair_of_[packed(now, 0)] * pairs + pair_of_[packed(now, 1)];
    changes_.push_back({uint16_t(cell), uint16_t(before), four});
    shape_[cell] = now;
    if (kind == before) return;
    set_kind(cell, kind);
    add(sums_[0], network_->row[kind], network_->row[before]);
    add(sums_[1], network_->row[meaning_[kind].turned], network_->row[meaning_[before].turned]);
}

void Board::set_kind(int cell, int kind) {
    const Meaning &before = meaning_[kind_[cell]], &after = meaning_[kind];
    kind_[cell] = uint16_t(kind);
    for (int side = 0; side < 2; side++)
        if (before.role[side] != after.role[side])
            role_[side][before.role[side]].drop(cell), role_[side][after.role[side]].add(cell);
}

void Board::around(int side, int cell, std::vector<int>& found) const {
    found.assign(1, cell);
    for (int way = 0; way < 4; way++) {
        if (shape(side, cell, way) < four) continue;
        const Place place = place_[cell][way];
        const uint64_t theirs = line_[1 - side][way][place.line];
        for (const int turn : {-1, 1})
            for (int i = place.index + turn, other = cell + turn * step_[way], left = table_.arm;
                 left && i >= 0 && i < place.length && !(theirs >> (ShapeTable::pad + i) & 1);
                 i += turn, other += turn * step_[way], left--)
                if (!taken_[other]) found.push_back(other);
    }
}

}  // namespace noughts::engine
