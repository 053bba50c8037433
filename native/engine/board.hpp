// A board of up to 32 x 32 with the shapes of its free cells, for both players, kept move by move.
//
// A move changes the shapes of the free cells on its four lines, as far as an arm reaches, and nothing else. What a
// cell is worth to a player is decided by the two best of its four shapes, its pair; the pairs of both make its kind.
// What the kinds of all free cells mean is for the network to say, whose sums are kept as well.
//
// A line is a word for each player: bit pad + i is its i-th cell, and all other bits are set.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "network.hpp"
#include "shapes.hpp"

namespace noughts::engine {

// What a mark on the cell does, the most urgent last. A cell that wins: the line is completed with the next mark,
// whatever the other does, unless he completes one first.
enum Role : uint8_t { idle, useful, threatens, forces, wins, completes, roles };

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
    Board(const Game& game, const Network& network);  // which must outlive it

    void put(int side, int cell);
    void take(int side, int cell);  // the last that was put

    bool is_free(int cell) const { return !taken_[cell]; }
    int marks() const { return marks_; }
    uint64_t key() const { return key_; }  // of who holds which cells
    uint64_t key_after(int side, int cell) const { return key_ ^ mark_[2 * cell + side]; }
    Shape shape(int side, int cell, int way) const { return Shape(shape_[cell] >> (8 * way + 4 * side) & 15); }
    int kind(int side, int cell) const { return side ? meaning_[kind_[cell]].turned : kind_[cell]; }  // for a player
    // Marks at most two cells away; counted only where a line without marks is looked at no more, so that shapes do not
    // tell what is near.
    int near(int cell) const { return near_[cell]; }
    Shape best(int side, int cell) const { return meaning_[kind_[cell]].best[side]; }
    const Cells& in_role(int side, Role role) const { return role_[side][role]; }
    int evaluation(int side) const { return network_->score(sums_[side]); }  // for the player to move
    const Network& network() const { return *network_; }
    // The free cells on which a mark of the other can touch what the side would make on a cell: those within reach on
    // each line along which it makes a four or better. The cell itself is one.
    void around(int side, int cell, std::vector<int>& found) const;

    const int cells, rows, columns;

  private:
    struct Place {
        uint8_t line, index, length;  // of the cell, along one direction
    };
    struct Change {  // of a cell: what was there before
        uint16_t cell, kind;
        uint32_t shape;
    };
    struct Before {
        size_t changes;
        std::array<Sums, 2> sums;
    };
    struct Meaning {  // of a kind
        uint16_t turned = 0;  // the same, for the other player
        Role role[2] = {idle, idle};
        Shape best[2] = {none, none};
    };
    void toggle(int side, int cell);
    void crowd(int cell, int more);
    void renew_from(int way, int cell);
    void renew(int cell, int way, uint8_t shape);
    void set_kind(int cell, int kind);

    ShapeTable table_;
    const Network* network_;
    std::vector<std::array<Place, 4>> place_;                    // [cell][way]
    std::array<std::array<std::array<uint64_t, 64>, 4>, 2> line_;  // [side][way][line]
    std::vector<uint8_t> taken_;
    std::vector<uint32_t> shape_;  // [cell]: a byte for each way, side 0 in its low four bits, side 1 above
    std::vector<uint16_t> kind_;                 // [cell], for side 0
    std::array<std::array<Cells, roles>, 2> role_;
    std::array<Sums, 2> sums_{};  // [side]: of all free cells, if it is to move
    std::vector<Change> changes_;
    std::vector<Before> before_;  // each `put`
    std::vector<uint8_t> pair_of_;  // by four shapes of four bits each
    std::vector<Meaning> meaning_;  // [kind]
    std::vector<uint8_t> near_;     // [cell]
    std::vector<uint64_t> mark_;    // [2 * cell + side]: what a mark there changes in the key
    int step_[4];
    int marks_ = 0;
    uint64_t key_ = 0;
};

}  // namespace noughts::engine
