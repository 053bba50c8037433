// A board of up to 32 x 32 with the shapes of its free cells, for both players, kept move by move.
//
// A move changes the shapes of the free cells on its four lines, as far as an arm reaches, and nothing else. What a
// cell is worth to a player is decided by the two best of its four shapes; the evaluation is the sum over all free
// cells, and is kept as well.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "shapes.hpp"

namespace noughts::engine {

// What a mark on the cell does, the most urgent last. A cell that wins: the line is completed with the next mark,
// whatever the other does, unless he completes one first.
enum Role : uint8_t { idle, useful, threatens, forces, wins, completes, roles };

constexpr int pairs = shapes * shapes;  // of a cell's two best shapes: best * shapes + second

// The worth of a cell by its pair: to the player to move, and to the other; hundredths of a unit of log-odds.
struct Weights {
    std::array<int, pairs> mover{}, waiter{};
    int tempo = 0;  // of being to move
};

class Cells {  // a set of cells of a board of up to 1024
  public:
    void add(int cell) { word_[cell / 64] |= uint64_t{1} << cell % 64, count_++; }
    void drop(int cell) { word_[cell / 64] &= ~(uint64_t{1} << cell % 64), count_--; }
    bool has(int cell) const { return word_[cell / 64] >> cell % 64 & 1; }
    int count() const { return count_; }
    int first() const {
        int i = 0;
        while (!word_[i]) i++;
        return i * 64 + std::countr_zero(word_[i]);
    }
    template <typename Visit>
    void each(Visit visit) const {
        for (int left = count_, i = 0; left; i++)
            for (uint64_t word = word_[i]; word; word &= word - 1, left--) visit(i * 64 + std::countr_zero(word));
    }

  private:
    std::array<uint64_t, 16> word_{};
    int count_ = 0;
};

class Board {
  public:
    Board(const Game& game, const Weights& weights);

    void put(int side, int cell);
    void take(int side, int cell);  // the last that was put

    bool is_free(int cell) const { return !taken_[cell]; }
    int marks() const { return marks_; }
    uint64_t key() const { return key_; }  // of who holds which cells
    Shape shape(int side, int cell, int way) const { return shape_[side][cell][way]; }
    int pair(int side, int cell) const { return pair_[side][cell]; }
    const Cells& in_role(int side, Role role) const { return role_[side][role]; }
    int evaluation(int side) const {  // for the player to move
        return weights_.tempo + sum_[side].mover - sum_[1 - side].waiter;
    }
    // The free cells on which a mark of the other can touch what the side would make on a cell: those within reach on
    // each line along which it makes a four or better. The cell itself is one.
    void around(int side, int cell, std::vector<int>& found) const;

    const int cells, rows, columns;

  private:
    struct Place {
        uint8_t line, index, length;  // of the cell, along one direction
    };
    struct Change {  // of a shape: what it was, and the pair of its cell
        uint16_t cell;
        uint8_t side, way;
        Shape shape;
        uint8_t pair;
    };
    struct Sum {
        int mover = 0, waiter = 0;
    };
    struct Before {
        size_t changes;
        std::array<Sum, 2> sum;
    };
    void toggle(int side, int cell);
    void renew_from(int way, int cell);
    void set_shape(int side, int cell, int way, Shape shape);
    void set_pair(int side, int cell, int pair);

    ShapeTable table_;
    Weights weights_;
    std::vector<std::array<Place, 4>> place_;                 // [cell][way]
    std::array<std::array<std::array<uint64_t, 64>, 4>, 2> line_{};  // [side][way][line]: bit i, its i-th cell
    std::vector<uint8_t> taken_;
    std::vector<std::array<Shape, 4>> shape_[2];
    std::vector<uint8_t> pair_[2];
    std::array<Cells, roles> role_[2];
    std::array<Sum, 2> sum_{};  // [side]: the worth of its cells if it is to move, and if not
    std::vector<Change> changes_;
    std::vector<Before> before_;  // each `put`
    std::array<uint8_t, shapes * shapes * shapes * shapes> pair_of_;
    std::array<Role, pairs> role_of_;
    int step_[4];
    int marks_ = 0;
    uint64_t key_ = 0;
};

uint64_t mixed(uint64_t x);

}  // namespace noughts::engine
