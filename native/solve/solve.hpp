// Strong solving: the exact value and remoteness of every position of a game of at most 25 cells.
//
//     Solver solver(make_game(4, 4, 4, false, false));
//     Result result = solver.run({.threads = 2});
//     decode(result.start, 0, 16)                     tie in 16
//
// No Python here, and nothing is printed: what is found leaves through the callbacks of Options and the Result.
// index.hpp says where a position lies in the bytes of a level.
#pragma once

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "index.hpp"
#include "../game.hpp"

namespace noughts::solve {

// ---- one byte for each position
//
// Not the remoteness but the number of marks at the END of the game is kept, and not for the player to move but for X:
//
//     code      1 … 25               127       229 … 253               255
//               O wins at `code`     tie       X wins at 254 - code    cannot arise
//
// The better for X, the larger: X takes the largest child and O the smallest, and that is all there is to do.
using Code = uint8_t;
constexpr Code tie_code = 127, unreachable_code = 255;
constexpr Code x_wins_at(int marks) { return Code(254 - marks); }
constexpr Code o_wins_at(int marks) { return Code(marks); }

enum class Outcome : uint8_t { loss, tie, win, unreachable };
struct Value {
    Outcome outcome;  // for the player to move
    int remoteness;   // plies to the end
    bool operator==(const Value&) const = default;
};
Value decode(Code code, int marks, int cells);

// ---- what a run tells

// Positions that can arise, all of them, not one for each orbit.
struct Level {
    int marks = 0;
    uint64_t positions = 0;
    uint64_t classes = 0;               // their orbits under symmetry
    uint64_t tie = 0;
    uint64_t win[most_cells + 1] = {};  // [remoteness], for the player to move
    uint64_t loss[most_cells + 1] = {};
};

struct Result {
    bool finished = false;              // false: stopped
    Code start = unreachable_code;      // the empty board
    std::vector<Level> levels;          // those that this run finished, from the fullest board down
};

struct Estimate {
    std::vector<uint64_t> level_bytes;  // [marks] as handed to `save`
    uint64_t bytes = 0;                 // their sum: what there is to compute
    uint64_t memory = 0;                // bytes at the worst moment
};

struct Progress {
    int level;                          // marks of the level at work
    uint64_t done, total;               // bytes of all levels of this run
};

struct Options {
    int threads = 1;
    uint64_t memory = 0;                // refuse to start above so many bytes; 0: no limit
    std::string isa = {};               // "baseline", "avx2", "avx512"; "": the best that this machine has

    // Called by the calling thread about ten times a second; false stops the run.
    std::function<bool(const Progress&)> progress = {};
    // Stops the run within a fraction of a second when it becomes true.
    const std::atomic<bool>* stop = nullptr;

    // Receives bytes offset … offset + size - 1 of a level when they are final: in any order, from any thread, also
    // at the same time. An exception stops the run and comes out of it.
    std::function<void(int level, uint64_t offset, const Code* bytes, uint64_t size)> save = {};
    // All of this level has been saved, and these are its counts. Called by the calling thread.
    std::function<void(const Level&)> level_done = {};

    // Go on below a level with an odd number of marks that was saved before, given all its bytes.
    int resume_level = -1;
    const Code* resume_bytes = nullptr;
};

// ---- the solver

// The game needs more than there is: the message says how much.
struct TooLarge : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Solver {
   public:
    explicit Solver(const Game& game);  // TooLarge: more than 25 cells

    Estimate estimate(int threads = 1) const;
    Result run(const Options& options = {}) const;  // TooLarge: above the memory limit

    // Sets of row-major cells; O's and X's numbers must be those of a level.
    static constexpr uint64_t no_byte = ~uint64_t(0);
    // Where a position lies in its level; no_byte where X has a line.
    uint64_t locate(uint32_t x, uint32_t o) const;
    // The code of a position, given the bytes of its level.
    Code lookup(uint32_t x, uint32_t o, const Code* level) const;
    // The same from the bytes of the next level, by the rules: what `lookup` must agree with.
    Code derive(uint32_t x, uint32_t o, const Code* next_level) const;

    // A line was completed by the last of so many marks.
    Code completed(int marks) const {
        return game.line_code[marks % 2 == 0] == x_wins ? x_wins_at(marks) : o_wins_at(marks);
    }

    const Game game;
    const Board board;
    const Index index;
};

}  // namespace noughts::solve
