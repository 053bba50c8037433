#include "board.hpp"

namespace noughts::engine {

uint64_t mixed(uint64_t x) {
    x = (x + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

namespace {

Role role_of(int best, int second) {
    if (best == five) return completes;
    if (best == open_four || (best == four && second == four)) return wins;
    if (best == four) return forces;
    if (best == open_three) return threatens;
    return best ? useful : idle;
}

}  // namespace

Board::Board(const Game& game, const Weights& weights)
    : cells(game.cells), rows(game.rows), columns(game.columns), table_(game), weights_(weights), place_(game.cells),
      taken_(game.cells), step_{1, columns, columns + 1, columns - 1} {
    for (int code = 0; code < int(pair_of_.size()); code++) {
        int best = none, second = none;
        for (int way = 0, rest = code; way < 4; way++, rest /= shapes) {
            const int shape = rest % shapes;
            if (shape > best) second = best, best = shape;
            else if (shape > second) second = shape;
        }
        pair_of_[code] = uint8_t(best * shapes + second);
    }
    for (int pair = 0; pair < pairs; pair++) role_of_[pair] = role_of(pair / shapes, pair % shapes);
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
    for (int side = 0; side < 2; side++) shape_[side].resize(cells), pair_[side].resize(cells);
    for (int cell = 0; cell < cells; cell++)
        for (int side = 0; side < 2; side++) {
            role_[side][idle].add(cell);
            for (int way = 0; way < 4; way++)
                set_shape(side, cell, way, table_.at(0, 0, place_[cell][way].length, place_[cell][way].index));
        }
    changes_.clear();
}

void Board::put(int side, int cell) {
    before_.push_back({changes_.size(), sum_});
    for (int each = 0; each < 2; each++) {
        const int pair = pair_[each][cell];
        role_[each][role_of_[pair]].drop(cell);
        sum_[each].mover -= weights_.mover[pair], sum_[each].waiter -= weights_.waiter[pair];
    }
    taken_[cell] = 1, marks_++;
    toggle(side, cell);
    for (int way = 0; way < 4; way++)
        if (place_[cell][way].length >= table_.k) renew_from(way, cell);
}

// Undoes the last `put`.
void Board::take(int side, int cell) {
    for (; changes_.size() > before_.back().changes; changes_.pop_back()) {
        const Change& change = changes_.back();
        shape_[change.side][change.cell][change.way] = change.shape;
        if (change.pair != pair_[change.side][change.cell]) set_pair(change.side, change.cell, change.pair);
    }
    sum_ = before_.back().sum;
    before_.pop_back();
    toggle(side, cell);
    taken_[cell] = 0, marks_--;
    for (int each = 0; each < 2; each++) role_[each][role_of_[pair_[each][cell]]].add(cell);
}

void Board::toggle(int side, int cell) {
    key_ ^= mixed(uint64_t(cell * 2 + side));
    for (int way = 0; way < 4; way++) {
        const Place place = place_[cell][way];
        line_[side][way][place.line] ^= uint64_t{1} << place.index;
    }
}

// The shapes along one line through a cell that has changed. A mark of one player ends the other's arms: what lies
// beyond it has not changed for him.
void Board::renew_from(int way, int cell) {
    const Place place = place_[cell][way];
    const uint64_t first = line_[0][way][place.line], second = line_[1][way][place.line];
    for (const int turn : {-1, 1}) {
        bool felt[2] = {true, true};
        const int reach = std::min<int>(table_.arm, turn < 0 ? place.index : place.length - 1 - place.index);
        int other = cell, i = place.index;
        for (int left = reach; left && (felt[0] || felt[1]); left--) {
            other += turn * step_[way], i += turn;
            if (first >> i & 1) felt[1] = false;
            else if (second >> i & 1) felt[0] = false;
            else {
                if (felt[0]) set_shape(0, other, way, table_.at(first, second, place.length, i));
                if (felt[1]) set_shape(1, other, way, table_.at(second, first, place.length, i));
            }
        }
    }
}

void Board::set_shape(int side, int cell, int way, Shape shape) {
    std::array<Shape, 4>& now = shape_[side][cell];
    if (now[way] == shape) return;
    changes_.push_back({uint16_t(cell), uint8_t(side), uint8_t(way), now[way], pair_[side][cell]});
    now[way] = shape;
    const int code = ((now[0] * shapes + now[1]) * shapes + now[2]) * shapes + now[3];
    const int before = pair_[side][cell], pair = pair_of_[code];
    if (pair == before) return;
    set_pair(side, cell, pair);
    sum_[side].mover += weights_.mover[pair] - weights_.mover[before];
    sum_[side].waiter += weights_.waiter[pair] - weights_.waiter[before];
}

void Board::set_pair(int side, int cell, int pair) {
    const Role before = role_of_[pair_[side][cell]], after = role_of_[pair];
    pair_[side][cell] = uint8_t(pair);
    if (before != after) role_[side][before].drop(cell), role_[side][after].add(cell);
}

void Board::around(int side, int cell, std::vector<int>& found) const {
    found.assign(1, cell);
    for (int way = 0; way < 4; way++) {
        if (shape_[side][cell][way] < four) continue;
        const Place place = place_[cell][way];
        const uint64_t theirs = line_[1 - side][way][place.line];
        for (const int turn : {-1, 1})
            for (int i = place.index + turn, other = cell + turn * step_[way], left = table_.arm;
                 left && i >= 0 && i < place.length && !(theirs >> i & 1);
                 i += turn, other += turn * step_[way], left--)
                if (!taken_[other]) found.push_back(other);
    }
}

}  // namespace noughts::engine
