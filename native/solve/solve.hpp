// Strong solving: the exact value and remoteness of every position of a game.
//
//     std::unique_ptr<Strong> solver = make_solver(make_game(4, 4, 4, false, false));
//     Result result = solver->run({.threads = 2});
//     decode(result.start, 0, 16)                     tie in 16
//
// No Python here, and nothing is printed: what is found leaves through the callbacks of Options and the Result.
// index.hpp says where a position lies in the bytes of a level, falling.hpp the same where marks fall.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "index.hpp"
#include "../game.hpp"
#include "../job.hpp"

namespace noughts::solve {

// ---- one byte for each position
//
// Not the remoteness but the number of marks at the END of the game is kept, and not for the player to move but for X:
//
//     code      1 … 32               127       222 … 253               255
//               O wins at `code`     tie       X wins at 254 - code    cannot arise
//
// The better for X, the larger: X takes the largest child and O the smallest, and that is all there is to do.
using Code = uint8_t;
constexpr int most_marks = 32;  // of a game that is solved
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
    uint64_t win[most_marks + 1] = {};  // [remoteness], for the player to move
    uint64_t loss[most_marks + 1] = {};
};

struct Result {
    bool finished = false;              // false: stopped
    Code start = unreachable_code;      // the empty board
    std::vector<Level> levels;          // those that this run finished, from the fullest board down
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

    // Go on below a level that was saved before, given all its bytes. Its marks are odd in number, unless marks fall.
    int resume_level = -1;
    const Code* resume_bytes = nullptr;
};

// ---- the solver

// The game needs more than there is: the message says how much.
struct TooLarge : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Sets of row-major cells.
struct Sets {
    uint32_t x, o;
    int marks() const { return std::popcount(x) + std::popcount(o); }
};

// What the bytes of a level amount to: positions by code, each orbit in full, and their orbits where those can be told
// from one level.
struct Counted {
    std::array<uint64_t, 256> codes{};
    uint64_t classes = 0;
    Level level(int marks, int cells) const;
};

// What solves one game, and knows where its positions lie. O's and X's numbers must be those of a level.
class Strong {
   public:
    explicit Strong(const Game& game) : game(game) {}
    virtual ~Strong() = default;
    Strong(const Strong&) = delete;

    virtual uint64_t level_bytes(int level) const = 0;  // as handed to `save`
    virtual uint64_t block_bytes(int level) const = 0;  // of positions that lie together: a level is so many blocks
    virtual uint64_t memory(int threads) const = 0;     // bytes at the worst moment of a run
    virtual Result run(const Options& options = {}) const = 0;  // TooLarge: above the memory limit

    // Where a position lies in its level; no_byte where its code is known without.
    static constexpr uint64_t no_byte = ~uint64_t(0);
    virtual uint64_t locate(Sets sets) const = 0;
    virtual Code without_byte(Sets sets) const = 0;
    // The position whose byte lies at this place of its level: the inverse of `locate`, up to symmetry.
    virtual Sets position_at(int level, uint64_t place) const = 0;
    // The code of a position that cannot arise, or in which the game is over; 0 where it goes on.
    virtual Code judge(Sets sets) const = 0;
    // How many positions of a level have each code, also of those that have no byte.
    virtual Counted count(int level, const Code* bytes, int threads, const Poll& poll) const = 0;
    // The orbits of each level, given the number of its positions; empty where `count` tells them.
    virtual std::vector<uint64_t> classes(const std::vector<uint64_t>& positions, int threads) const = 0;

    // The code of a position, given the bytes of its level.
    Code lookup(Sets sets, const Code* level) const;
    // The same from the bytes of the next level, by the rules: what `lookup` must agree with.
    Code derive(Sets sets, const Code* next_level) const;
    // A line was completed by the last of so many marks.
    Code completed(int marks) const {
        return game.line_code[marks % 2 == 0] == x_wins ? x_wins_at(marks) : o_wins_at(marks);
    }

    const Game game;

   protected:
    void require_memory(const Options& options) const;
};

std::unique_ptr<Strong> make_solver(const Game& game);  // TooLarge: more cells than it takes

// The solver of games in which a mark may be put on any free cell: boards of up to
// 30 cells, where there is the memory.
class Solver final : public Strong {
   public:
    explicit Solver(const Game& game);

    uint64_t level_bytes(int level) const override { return index.level_bytes(level); }
    uint64_t block_bytes(int level) const override { return index.block_bytes(level); }
    uint64_t memory(int threads) const override;
    Result run(const Options& options = {}) const override;
    uint64_t locate(Sets sets) const override;
    Code without_byte(Sets sets) const override;
    Sets position_at(int level, uint64_t place) const override;
    Code judge(Sets sets) const override;
    Counted count(int level, const Code* bytes, int threads, const Poll& poll) const override;
    std::vector<uint64_t> classes(const std::vector<uint64_t>& positions, int threads) const override;
    // By number of marks, the positions that each symmetry but the identity leaves as they are, all together.
    std::vector<uint64_t> fixed(int threads, const std::function<bool()>& stop) const;

    static constexpr int most_solved = most_cells;
    const Board board;
    const Index index;
};

}  // namespace noughts::solve
