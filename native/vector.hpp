// Many boards of one game, stepped at once, for learners: actions in; observations, rewards and masks out.
//
// A step plays the mover's action on each board, lets the opponent answer if there is one inside, and begins a new game
// where one has ended. An observation is two planes of bytes, the cells of the player to move first; an action is a
// cell, or where marks fall a column. What is random is drawn from the seed, the number of the step and of the board
// alone, as src/noughts/play/vector.py says, which defines all of this.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "game.hpp"

namespace noughts {

enum class Opponent { none, random, first, exact };
enum class Illegal { refuse, lose, ignore };
enum class Side { first, second, random };  // the learner's: who moves first at the start, or second

// Where a step writes, a row a board; `finals`, the observation at the end of a game, may be null.
struct Rows {
    int8_t *planes, *masks;
    float* rewards;
    uint8_t *ended, *illegal;
    int8_t* finals;
};

// Boards and what can be done with some of them, from number `first` on.
class Boards {
  public:
    static constexpr int most = 64;  // at a time

    virtual ~Boards() = default;
    // The cell that each action plays; -1 where it cannot be taken.
    virtual void aim(size_t first, int count, const int64_t* actions, int32_t* cells) const = 0;
    // The movers play these cells (-1: nothing), and it is the others' turn. over: 1 a line, 2 a full board, else 0.
    virtual void play(size_t first, int count, const int32_t* cells, uint8_t* over) = 0;
    virtual void restart(size_t first, int count, const uint8_t* which) = 0;
    virtual void show(size_t first, int count, int8_t* planes, int8_t* masks) const = 0;
    // The moves of one board: how many, and the cell of each, ascending.
    virtual int moves(size_t board) const = 0;
    virtual int move(size_t board, int number) const = 0;
    // The set of best moves of one board of at most 32 cells.
    virtual uint64_t best(size_t board) = 0;
};

// The best moves of a position, as a set, from a table.
using Best = std::function<uint64_t(uint32_t x, uint32_t o)>;

class Vector {
  public:
    // `cells` is the start: 0 free, 1 X, 2 O.
    Vector(const Game& game, size_t count, const std::string& cells, Opponent opponent, Side side, Illegal illegal,
           Best best, const Kernels& kernels);

    // Begins all games anew.
    void reset(const Rows& rows);
    void seed(uint64_t seed);
    // The number of boards, or the first of those whose action is illegal where that is refused: nothing has changed.
    size_t step(const int64_t* actions, const Rows& rows);

    size_t count() const { return count_; }
    const int cells, actions;

  private:
    void begin(size_t first, int count, const uint8_t* which);
    void answer(size_t first, int count, const uint8_t* which, int draw, uint8_t* over);
    uint64_t word(size_t board, int draw) const;

    std::unique_ptr<Boards> boards_;
    size_t count_;
    Opponent opponent_;
    Side side_;
    Illegal illegal_;
    float line_reward_;  // of the one who completes a line
    std::vector<int32_t> aims_;  // the cells of the actions of this step
    uint64_t first_word_ = 0, steps_ = 0;
};

}  // namespace noughts
