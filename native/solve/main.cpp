// A stand-alone driver for development.
//
//     solve 4x4k4 [--threads 2] [--isa avx2] [--levels]     counts and times
//     solve 4x4k4 --check                                   compare every position and count with a plain recursion
//     solve 5x5k4 --sample 14 200                           compare 200 random positions of level 14 with it
//     solve 6x7k4g --count 14                               positions that can arise with up to 14 marks
//     solve --test                                          check small games in every way
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <unordered_map>

#include "../isa.hpp"
#include "falling.hpp"

using namespace noughts::solve;
using noughts::Game;

namespace {

using ull = unsigned long long;
const char* name(Value value) {
    const char* names[] = {"loss", "tie", "win", "unreachable"};
    return names[int(value.outcome)];
}

// The definition of right: what the rules say, position by position. Sets of row-major cells.
class Reference {
   public:
    explicit Reference(const Game& game) : game_(game), cells_(game.rows * game.columns) {
        const int ways[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        for (int row = 0; row < game.rows; row++)
            for (int column = 0; column < game.columns; column++)
                for (auto [down, right] : ways) {
                    uint32_t line = 0;
                    bool inside = true;
                    for (int i = 0; i < game.k; i++) {
                        const int r = row + down * i, c = column + right * i;
                        inside = inside && r < game.rows && c >= 0 && c < game.columns;
                        if (inside) line |= 1u << (r * game.columns + c);
                    }
                    if (!inside) continue;
                    const auto bit = [&](int r, int c) {
                        return r >= 0 && r < game.rows && c >= 0 && c < game.columns ? 1u << (r * game.columns + c)
                                                                                     : 0u;
                    };
                    const uint32_t beside =
                        bit(row - down, column - right) | bit(row + down * game.k, column + right * game.k);
                    lines_.push_back({line, game.exact ? beside : 0});
                }
    }

    Value solve(uint32_t x, uint32_t o) {
        const uint64_t key = uint64_t(x) << 32 | o;
        if (auto known = value.find(key); known != value.end()) return known->second;
        const Value found = judge(x, o);
        return value[key] = found;
    }

    bool has_line(uint32_t set) const {
        for (auto [line, beside] : lines_)
            if ((set & (line | beside)) == line) return true;
        return false;
    }

    std::unordered_map<uint64_t, Value> value;  // every position that was met: X << 32 | O

   private:
    static int order(Value v) {
        return v.outcome == Outcome::win ? 1000 - v.remoteness : v.outcome == Outcome::tie ? 0 : v.remoteness - 1000;
    }
    Value judge(uint32_t x, uint32_t o) {
        const int marks = std::popcount(x) + std::popcount(o);
        const bool x_moves = marks % 2 == 0;
        if (has_line(x_moves ? o : x)) return {noughts::completing_wins(game_) ? Outcome::loss : Outcome::win, 0};
        if (marks == cells_) return {Outcome::tie, 0};
        Value best{Outcome::loss, -1};
        for (int cell = 0; cell < cells_; cell++) {
            const uint32_t bit = 1u << cell;
            const int below = cell + game_.columns;
            const bool hangs = game_.gravity && below < cells_ && !((x | o) >> below & 1);
            if ((x | o) & bit || hangs) continue;
            Value v = x_moves ? solve(x | bit, o) : solve(x, o | bit);
            v.outcome = Outcome(2 - int(v.outcome));
            v.remoteness++;
            if (best.remoteness < 0 || order(v) > order(best)) best = v;
        }
        return best;
    }

    Game game_;
    int cells_;
    std::vector<std::pair<uint32_t, uint32_t>> lines_;  // and what makes them too long
};

using Levels = std::vector<std::vector<Code>>;  // [marks] all bytes

Levels room(const Strong& solver) {
    Levels levels;
    for (int n = 0; n <= solver.game.cells; n++) levels.emplace_back(solver.level_bytes(n), Code(77));
    return levels;
}

Options into(Levels& levels, Options options) {
    options.save = [&](int level, uint64_t offset, const Code* bytes, uint64_t size) {
        if (offset + size > levels[level].size()) std::abort();
        std::memcpy(levels[level].data() + offset, bytes, size);
    };
    return options;
}

// The smallest of what the symmetries make of a position. Where marks fall, the mirror is the only one.
uint64_t smallest(const Game& game, uint32_t x, uint32_t o) {
    uint64_t least = ~uint64_t(0);
    for (int s = 0; s < 8; s++) {
        const bool flips = s & 1, mirrors = s & 2, turns = s & 4;
        if ((flips && game.gravity) || (turns && (game.gravity || game.rows != game.columns))) continue;
        uint64_t image = 0;
        for (int row = 0; row < game.rows; row++)
            for (int column = 0; column < game.columns; column++) {
                int to_row = flips ? game.rows - 1 - row : row;
                int to_column = mirrors ? game.columns - 1 - column : column;
                if (turns) std::swap(to_row, to_column);
                const int cell = row * game.columns + column, to = to_row * game.columns + to_column;
                image |= uint64_t(x >> cell & 1) << (to + 32) | uint64_t(o >> cell & 1) << to;
            }
        least = std::min(least, image);
    }
    return least;
}

bool same(const Level& a, const Level& b) {
    return a.positions == b.positions && a.classes == b.classes && a.tie == b.tie &&
           !std::memcmp(a.win, b.win, sizeof a.win) && !std::memcmp(a.loss, b.loss, sizeof a.loss);
}

// Every position: value and remoteness. Every byte: marked unreachable exactly where the position cannot arise.
// Every level: its counts and classes.
bool check(const Strong& solver, const Options& options) {
    const Game& game = solver.game;
    Levels levels = room(solver);
    const Result result = solver.run(into(levels, options));
    Reference reference(solver.game);
    reference.solve(0, 0);
    ull wrong = 0, bytes = 0, unreachable = 0;
    std::vector<Level> counts(game.cells + 1);
    std::vector<std::set<uint64_t>> classes(game.cells + 1);
    for (const auto& [key, value] : reference.value) {
        const auto x = uint32_t(key >> 32), o = uint32_t(key);
        const int marks = std::popcount(x) + std::popcount(o);
        const Code code = solver.lookup({x, o}, levels[marks].data());
        const Value got = decode(code, marks, game.cells);
        wrong += code != solver.derive({x, o}, marks < game.cells ? levels[marks + 1].data() : nullptr);
        if (!(got == value) && wrong++ < 5)
            std::printf("X %x O %x: %s %d, should be %s %d\n", x, o, name(got), got.remoteness, name(value),
                        value.remoteness);
        Level& level = counts[marks];
        level.positions++;
        if (value.outcome == Outcome::tie) level.tie++;
        else (value.outcome == Outcome::win ? level.win : level.loss)[value.remoteness]++;
        classes[marks].insert(smallest(game, x, o));
    }
    for (int n = 0; n <= game.cells; n++) {
        const Counted counted = solver.count(n, levels[n].data(), 2, [] {});
        wrong += counted.level(n, game.cells).positions != counts[n].positions;
        for (uint64_t at = 0; at < levels[n].size(); at++) {
            const Sets sets = solver.position_at(n, at);
            const bool arises = reference.value.contains(uint64_t(sets.x) << 32 | sets.o);
            wrong += solver.locate(sets) != at || arises == (levels[n][at] == unreachable_code);
            wrong += solver.derive(sets, n < game.cells ? levels[n + 1].data() : nullptr) != levels[n][at];
            bytes++, unreachable += !arises;
        }
    }
    bool equal = result.finished && result.levels.size() == counts.size();
    for (const Level& level : result.levels) {
        counts[level.marks].classes = classes[level.marks].size();
        equal = equal && same(level, counts[level.marks]);
    }
    std::printf("%zu positions, %llu bytes, %llu of them unreachable: %llu wrong, counts %s\n", reference.value.size(),
                bytes, unreachable, wrong, equal ? "equal" : "DIFFER");
    return !wrong && equal;
}

// Threads, instruction sets and a resumed run change nothing; a run can be stopped.
bool steady(const Strong& solver) {
    Levels levels = room(solver);
    const Result result = solver.run(into(levels, {}));
    bool good = true;
    auto compare = [&](Options options) {
        Levels again = room(solver);
        if (options.resume_level >= 0)
            for (int n = options.resume_level; n <= solver.game.cells; n++) again[n] = levels[n];
        const Result other = solver.run(into(again, options));
        const size_t skipped = result.levels.size() - other.levels.size();
        good = good && other.finished && other.start == result.start && again == levels;
        for (size_t i = skipped; i < result.levels.size(); i++)
            good = good && same(other.levels[i - skipped], result.levels[i]);
    };
    compare({.threads = 3});
    for (const noughts::Isa& isa : noughts::available_isas()) compare({.isa = isa.name});
    for (int level = 1; level <= solver.game.cells; level += solver.game.gravity ? 1 : 2)
        compare({.resume_level = level, .resume_bytes = levels[level].data()});
    const std::atomic<bool> stop{true};
    good = good && !solver.run({.stop = &stop}).finished;
    try { solver.run({.memory = 1}), good = false; } catch (const TooLarge&) {}
    std::printf("threads, instruction sets, resuming, stopping: %s\n", good ? "the same" : "DIFFERENT");
    return good;
}

bool sample(const Strong& solver, Options options, int level, int count) {
    std::vector<Code> bytes(solver.level_bytes(level));
    options.save = [&](int n, uint64_t offset, const Code* from, uint64_t size) {
        if (n == level) std::memcpy(bytes.data() + offset, from, size);
    };
    solver.run(options);
    std::mt19937 random(7);
    Reference reference(solver.game);
    int wrong = 0, kinds[4] = {};
    for (int done = 0; done < count;) {
        uint32_t sides[2] = {0, 0};
        for (int marks = 0; marks < level;) {
            const uint32_t bit = 1u << random() % solver.game.cells, taken = sides[0] | sides[1];
            if (noughts::playable(solver.game, solver.game.board & ~uint64_t(taken)) & bit) sides[marks++ % 2] |= bit;
        }
        if (reference.has_line(sides[0]) || reference.has_line(sides[1])) continue;
        const Value got = decode(solver.lookup({sides[0], sides[1]}, bytes.data()), level, solver.game.cells);
        wrong += !(got == reference.solve(sides[0], sides[1]));
        kinds[int(got.outcome)]++, done++;
    }
    std::printf("level %d: %d positions without a line (%d win, %d tie, %d loss), %d wrong; the recursion met %zu\n",
                level, count, kinds[2], kinds[1], kinds[0], wrong, reference.value.size());
    return !wrong;
}

Game parse(const std::string& text) {
    int rows = 0, columns = 0, k = 0;
    char letters[4] = {};
    const int found = std::sscanf(text.c_str(), "%dx%dk%d%3s", &rows, &columns, &k, letters);
    if (found < 3 || rows < 1 || columns < 1 || rows * columns > 64 || k < 1 || k > std::max(rows, columns))
        throw std::invalid_argument("what is " + text + "?");
    const auto has = [&](char letter) { return std::strchr(letters, letter) != nullptr; };
    return noughts::make_game(rows, columns, k, has('m'), has('e'), has('g'));
}

int test() {
    bool good = true;
    for (const char* text : {"1x1k1", "1x2k1", "1x2k2", "2x2k1", "2x2k2", "1x7k3", "1x8k2", "2x5k3", "2x7k4", "3x3k1",
                             "3x3k2", "3x3k3", "3x4k2", "3x4k3", "4x3k3", "3x4k4", "4x4k1", "4x4k2", "4x4k3", "4x4k4"})
        for (const char* letter : {"", "m", "e", "em", "g", "gm", "eg", "egm"}) {
            if (std::strchr(letter, 'g') && std::strncmp(text, "4x4", 3) == 0) continue;  // Python's tests have those
            std::printf("%s%s: ", text, letter);
            const auto solver = make_solver(parse(std::string(text) + letter));
            good &= check(*solver, {});
            good &= steady(*solver);
        }
    std::puts(good ? "all good" : "FAILED");
    return good ? 0 : 1;
}

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void report(const Strong& solver, const Options& options, double started) {
    ull bytes = 0;
    for (int level = 0; level <= solver.game.cells; level++) bytes += solver.level_bytes(level);
    std::printf("%.4f s: %llu bytes to compute, %.3f GB of memory\n", seconds() - started, bytes,
                double(solver.memory(options.threads)) / 1e9);
    const Result result = solver.run(options);
    const double took = seconds() - started;
    ull positions = 0, classes = 0, tie = 0, win = 0, loss = 0;
    for (const Level& level : result.levels) {
        positions += level.positions, classes += level.classes, tie += level.tie;
        for (int r = 0; r <= most_marks; r++) win += level.win[r], loss += level.loss[r];
    }
    const Value value = decode(result.start, 0, solver.game.cells);
    std::printf("%s in %d; %llu positions, %llu classes; %llu win, %llu loss, %llu tie\n", name(value),
                value.remoteness, positions, classes, win, loss, tie);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    auto cpu = [](timeval t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
    std::printf("%.4f s (processor: %.3f user, %.3f system), %.3f GB\n", took, cpu(usage.ru_utime), cpu(usage.ru_stime),
                double(usage.ru_maxrss) * 1024 / 1e9);
}

void print_level(const Level& level) {
    std::printf("  level %2d  %15llu positions  %14llu classes\n", level.marks, ull(level.positions),
                ull(level.classes));
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
    const double started = seconds();
    std::string game = "3x3k3", mode;
    Options options;
    int level = 0, count = 0;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        if (word == "--threads") options.threads = std::stoi(argv[++i]);
        else if (word == "--isa") options.isa = argv[++i];
        else if (word == "--sample") mode = word, level = std::stoi(argv[++i]), count = std::stoi(argv[++i]);
        else if (word == "--count") mode = word, level = std::stoi(argv[++i]);
        else if (word == "--check" || word == "--test") mode = word;
        else if (word == "--levels") options.level_done = print_level;
        else game = word;
    }
    if (mode == "--test") return test();
    if (mode == "--count") {
        count_positions(parse(game), level, options.threads, [] {}, [](uint64_t positions) {
            std::printf("%llu\n", ull(positions));
        });
        return 0;
    }
    const auto solver = make_solver(parse(game));
    if (mode == "--check") return check(*solver, options) && steady(*solver) ? 0 : 1;
    if (mode == "--sample") return sample(*solver, options, level, count) ? 0 : 1;
    report(*solver, options, started);
} catch (const std::exception& error) {
    return std::fprintf(stderr, "solve: %s\n", error.what()), 2;
}
