// noughts._core: the face of the native core towards Python. The only file that knows nanobind.

#include <nanobind/nanobind.h>
#include <structmember.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "batch.hpp"
#include "board.hpp"
#include "connect.hpp"
#include "database.hpp"
#include "engine/engine.hpp"
#include "fours.hpp"
#include "isa.hpp"
#include "perft.hpp"
#include "playout.hpp"
#include "prove/wins.hpp"
#include "search.hpp"
#include "solve/falling.hpp"
#include "solve/part.hpp"
#include "prove/hold.hpp"
#include "threats.hpp"
#include "vector.hpp"

namespace nb = nanobind;

namespace {

// The instruction sets of this CPU (and its operating system) that a kernel may be built for.
std::vector<std::string> cpu_features() {
    std::vector<std::string> names;
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
#define NOUGHTS_FEATURE(name) \
    if (__builtin_cpu_supports(name)) names.emplace_back(name)
    NOUGHTS_FEATURE("popcnt");
    NOUGHTS_FEATURE("avx2");
    NOUGHTS_FEATURE("bmi");
    NOUGHTS_FEATURE("bmi2");
    NOUGHTS_FEATURE("fma");
    NOUGHTS_FEATURE("avx512f");
    NOUGHTS_FEATURE("avx512bw");
    NOUGHTS_FEATURE("avx512cd");
    NOUGHTS_FEATURE("avx512dq");
    NOUGHTS_FEATURE("avx512vl");
    NOUGHTS_FEATURE("avx512vbmi");
    NOUGHTS_FEATURE("avx512vbmi2");
    NOUGHTS_FEATURE("avx512bitalg");
    NOUGHTS_FEATURE("avx512vpopcntdq");
#undef NOUGHTS_FEATURE
#endif
    return names;
}

// Lets Ctrl-C through. It asks Python at most twenty times a second: the lock may be in other hands.
noughts::Poll watch_signals() {
    using Clock = std::chrono::steady_clock;
    return [next = Clock::now()]() mutable {
        if (Clock::now() < next) return;
        next = Clock::now() + std::chrono::milliseconds(50);
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    };
}

void require(bool holds, const char* otherwise) {
    if (!holds) throw std::invalid_argument(otherwise);
}

using noughts::Game;

Game checked_game(int rows, int columns, int k, bool misere, bool exact, bool gravity) {
    require(1 <= rows && rows <= 256 && 1 <= columns && columns <= 256, "rows and columns must be from 1 to 256");
    require(1 <= k && k <= std::max(rows, columns), "k must be from 1 to the longer side");
    return noughts::make_game(rows, columns, k, misere, exact, gravity);
}

std::vector<std::string> isas() {
    std::vector<std::string> names;
    for (const noughts::Isa& isa : noughts::available_isas()) names.emplace_back(isa.name);
    return names;
}

// ---- Batches. The caller owns the arrays; the verdicts are written into `codes`. The Faults are returned. ----

using Words = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Planes = nb::ndarray<const int8_t, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<uint8_t, nb::c_contig, nb::device::cpu>;

int batch_status(const Game& game, Words x, Words o, Codes codes, int threads,
                 const std::string& isa) {
    const noughts::Kernels& kernels = *noughts::choose_isa(isa).kernels;
    const auto judge = [&]<typename Lane>(Lane) {
        const bool alike = o.dtype() == x.dtype() && o.size() == x.size() && codes.size() == x.size();
        require(alike, "x, o and codes must be alike");
        require(game.cells <= int(8 * sizeof(Lane)), "the board has more cells than a word has bits");
        const noughts::Poll poll = watch_signals();
        nb::gil_scoped_release released;
        return noughts::status_of_bits(kernels, game, static_cast<const Lane*>(x.data()),
                                       static_cast<const Lane*>(o.data()), codes.data(), x.size(), threads, poll);
    };
    if (x.dtype() == nb::dtype<uint16_t>()) return judge(uint16_t{});
    if (x.dtype() == nb::dtype<uint32_t>()) return judge(uint32_t{});
    if (x.dtype() == nb::dtype<uint64_t>()) return judge(uint64_t{});
    throw std::invalid_argument("x and o must be arrays of uint16, uint32 or uint64");
}

int batch_status_planes(const Game& game, Planes planes, Codes codes, int threads,
                        const std::string& isa) {
    const noughts::Kernels& kernels = *noughts::choose_isa(isa).kernels;
    require(planes.size() == codes.size() * size_t(game.cells), "planes must have rows x columns cells a code");
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    return noughts::status_of_planes(kernels, game, planes.data(), codes.data(), codes.size(), threads,
                                     poll);
}

// ---- Counting and playing games. None beyond the limit of nodes or of visits. ----

void check_sets(const Game& game, uint64_t x, uint64_t o) {
    require(game.cells <= 64, "only boards of at most 64 cells are counted");
    require(((x | o) & ~game.board) == 0, "a mark lies outside the board");
    require((x & o) == 0, "two marks lie on one cell");
    require(unsigned(std::popcount(x) - std::popcount(o)) <= 1, "X must have as many marks as O, or one more");
}

std::optional<uint64_t> perft(const Game& game, uint64_t x, uint64_t o, int depth, uint64_t limit,
                              uint64_t visits) {
    check_sets(game, x, o);
    require(depth >= 0, "depth must not be negative");
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    try {
        return noughts::perft(game, x, o, depth, {limit, visits}, poll);
    } catch (noughts::TooManyNodes) {
        return std::nullopt;
    }
}

// Games won by X, won by O, drawn.
std::optional<std::tuple<uint64_t, uint64_t, uint64_t>> count_games(const Game& game, uint64_t x, uint64_t o,
                                                                      uint64_t limit, uint64_t visits) {
    check_sets(game, x, o);
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    try {
        const noughts::Results found = noughts::count_games(game, x, o, {limit, visits}, poll);
        return std::tuple(found.x_wins, found.o_wins, found.draws);
    } catch (noughts::TooManyNodes) {
        return std::nullopt;
    }
}

// Games won by X, won by O, drawn; plies of all.
std::tuple<uint64_t, uint64_t, uint64_t, uint64_t> playouts(const Game& game, const std::vector<int>& x,
                                                            const std::vector<int>& o, uint64_t games, uint64_t seed,
                                                            int threads, const std::string& isa) {
    const noughts::Kernels& kernels = *noughts::choose_isa(isa).kernels;
    require(game.rows <= 32 && game.columns <= 32, "playouts need a board of at most 32 x 32");
    const noughts::Start start = noughts::make_start(game, x, o, seed);
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    const noughts::Tally tally = noughts::playouts(kernels, start, games, threads, poll);
    return {tally.x_wins, tally.o_wins, tally.draws, tally.plies};
}

// Minimax and alpha-beta: each root move as (cell, score, bound, nodes, alpha cuts, beta cuts); None at the limit.
using SearchedTuple = std::tuple<int, int64_t, int, uint64_t, uint64_t, uint64_t>;

std::optional<std::vector<SearchedTuple>> search(const Game& game, std::vector<int> x, std::vector<int> o,
                                                 std::vector<int> order, bool by_evaluation, bool prunes, bool carried,
                                                 int depth, uint64_t limit) {
    const noughts::Poll poll = watch_signals();
    const noughts::SearchRequest request{game, x, o, order, by_evaluation, prunes, carried, depth, limit};
    nb::gil_scoped_release released;
    try {
        std::vector<SearchedTuple> found;
        for (const noughts::SearchedMove& m : noughts::search_moves(request, poll))
            found.emplace_back(m.cell, m.score, int(m.bound), m.nodes, m.alpha_cuts, m.beta_cuts);
        return found;
    } catch (noughts::SearchLimitReached) {
        return std::nullopt;
    }
}

// ---- Proofs. The sets are lists of cells; X or O, whoever attacks. ----

void check_cells(const Game& game, const std::vector<int>& attacker, const std::vector<int>& defender, int fewest = 3) {
    require(game.rows <= 32 && game.columns <= 32, "a board of at most 32 x 32 is needed");
    require(game.k >= fewest, "k from 3 is needed");
    require(!game.gravity && noughts::completing_wins(game), "neither gravity nor misere is known here");
    std::vector<bool> seen(game.cells);
    for (const std::vector<int>* side : {&attacker, &defender})
        for (const int cell : *side) {
            require(0 <= cell && cell < game.cells && !seen[cell], "a mark lies outside the board, or two on one cell");
            seen[cell] = true;
        }
}

// (the moves of the win, whether it is sure, nodes)
std::tuple<std::vector<int>, bool, uint64_t> fours(const Game& game, const std::vector<int>& attacker,
                                                   const std::vector<int>& defender, uint64_t nodes,
                                                   double seconds) {
    check_cells(game, attacker, defender);
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    const noughts::LineTable table(game);
    const noughts::FoursFound found = noughts::search_fours(table, attacker, defender, {nodes, seconds}, poll);
    return {found.line, found.complete, found.nodes};
}

// (the strategy, whether it is sure, nodes)
std::tuple<std::vector<int>, bool, uint64_t> threats(const Game& game, const std::vector<int>& attacker,
                                                     const std::vector<int>& defender, int first, uint64_t nodes,
                                                     double seconds, uint64_t question) {
    check_cells(game, attacker, defender);
    require(first < game.cells && std::ranges::count(attacker, first) + std::ranges::count(defender, first) == 0,
            "the first move is not on a free cell");
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    const noughts::LineTable table(game);
    const noughts::Budget budget(nodes, seconds);
    const noughts::ThreatsFound found =
        noughts::search_threats(table, attacker, defender, first, budget, poll, question);
    return {found.strategy, found.complete, found.nodes};
}

using noughts::prove::HoldSearch;

void bind_proofs(nb::module_& m) {
    nb::class_<HoldSearch>(m, "HoldSearch", "Whether a player holds a position: a search that can go on.")
        .def("__init__",
             [](nb::pointer_and_handle<HoldSearch>, nb::args) { throw nb::type_error("made by Game.hold"); })
        .def(
            "run",
            [](HoldSearch& search, uint64_t nodes, double seconds, int threads) {
                const noughts::Poll poll = watch_signals();
                nb::gil_scoped_release released;
                search.run({nodes, seconds}, threads, poll);
            },
            nb::arg("nodes"), nb::arg("seconds"), nb::arg("threads"), "Go on for so many nodes or seconds more.")
        .def_prop_ro("nodes", [](const HoldSearch& search) { return search.nodes.load(); })
        .def_prop_ro("numbers",
                     [](const HoldSearch& search) {
                         const noughts::prove::Numbers numbers = search.numbers();
                         return std::tuple(numbers.proof, numbers.refutation);
                     })
        .def("line", &HoldSearch::line, "The moves that promise most.")
        .def(
            "text",
            [](HoldSearch& search, double seconds) {
                const noughts::Poll poll = watch_signals();
                nb::gil_scoped_release released;
                return search.write({~uint64_t{0}, seconds}, poll);
            },
            nb::arg("seconds"), "The lines of a certificate, once it is proven.")
        .def("known",
             [](const HoldSearch& search) {
                 const std::string bytes = search.known();
                 return nb::bytes(bytes.data(), bytes.size());
             },
             "What was found so far, for `recall`.")
        .def("recall", [](HoldSearch& search, nb::bytes bytes) { search.recall({bytes.c_str(), bytes.size()}); },
             nb::arg("known"), "Take over what an earlier search of the same position found.");
}

std::unique_ptr<HoldSearch> hold(const Game& game, const std::vector<int>& attacker, const std::vector<int>& holder,
                                 bool attacker_moves, bool weak, uint64_t memory) {
    check_cells(game, attacker, holder, 1);
    require(game.cells <= noughts::prove::most_cells, "a board of at most 256 cells is needed");
    return HoldSearch::make(game, attacker, holder, attacker_moves, weak, memory);
}

using noughts::prove::Wins;

void run_wins(Wins& search, uint64_t nodes, double seconds) {
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    search.run(nodes, seconds, poll);
}

void bind_wins(nb::module_& m) {
    nb::class_<Wins>(m, "Wins", "The search for a win by any moves, which can go on where it was.")
        .def("__init__",
             [](Wins* search, const Game& game, const std::vector<int>& attacker, const std::vector<int>& defender,
                bool second, int moves, uint64_t memory) {
                 check_cells(game, attacker, defender, 1);
                 new (search) Wins(game, attacker, defender, second, moves, memory);
             },
             nb::arg("game"), nb::arg("attacker"), nb::arg("defender"), nb::arg("second"), nb::arg("moves"),
             nb::arg("memory"))
        .def("run", &run_wins, nb::arg("nodes"), nb::arg("seconds"),
             "Go on for so many nodes and seconds, unless it is settled or the memory is full.")
        .def("line", &Wins::line, "Where it is at work: both players' moves, -1 where the other does nothing.")
        .def("strategy", &Wins::strategy, "Of a win, as numbers; else empty.")
        .def("known",
             [](const Wins& search) {
                 const std::string bytes = search.known();
                 return nb::bytes(bytes.data(), bytes.size());
             },
             "All that was found so far, for `recall`.")
        .def("recall", [](Wins& search, nb::bytes bytes) { search.recall({bytes.c_str(), bytes.size()}); },
             nb::arg("known"), "Take over what an earlier search of the same position found.")
        .def_prop_ro("settled", &Wins::settled)
        .def_prop_ro("full", &Wins::full)
        .def_prop_ro("proof", &Wins::proof)
        .def_prop_ro("refutation", &Wins::refutation)
        .def_prop_ro("nodes", &Wins::nodes)
        .def_prop_ro("bytes", &Wins::bytes);
}

// ---- Strong solving. Sets are words, bit i = cell i. ----

using noughts::solve::Strong;
using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Target = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

const uint8_t* level_bytes(const Strong& solver, int level, const Bytes& bytes) {
    require(0 <= level && level <= solver.game.cells, "there is no such level");
    require(bytes.size() == solver.level_bytes(level), "these are not the bytes of that level");
    static const uint8_t nothing = 0;
    return bytes.size() ? bytes.data() : &nothing;
}

void check_position(const Strong& solver, uint32_t x, uint32_t o) {
    const uint64_t free = solver.game.board & ~uint64_t(x | o);
    require(((x | o) & ~solver.game.board) == 0 && (x & o) == 0, "a mark lies outside the board, or two on one cell");
    require(unsigned(std::popcount(x) - std::popcount(o)) <= 1, "X must have as many marks as O, or one more");
    require(!solver.game.gravity || ((x | o) & free >> solver.game.columns) == 0, "a mark hangs in the air");
}

// (marks, positions, classes, ties, wins by remoteness, losses by remoteness)
nb::tuple level_counts(const noughts::solve::Level& level) {
    return nb::make_tuple(level.marks, level.positions, level.classes, level.tie,
                          std::vector<uint64_t>(std::begin(level.win), std::end(level.win)),
                          std::vector<uint64_t>(std::begin(level.loss), std::end(level.loss)));
}

// The code of the empty board. The bytes of each level go to `files` (a descriptor and an offset each) or to `targets`.
int solve_all(const Strong& solver, int threads, uint64_t memory, const std::string& isa, nb::object progress,
              nb::object level_done, const std::vector<std::tuple<int, uint64_t>>& files,
              const std::vector<Target>& targets, int resume_level, std::optional<Bytes> resume_bytes) {
    const int levels = solver.game.cells + 1;
    require(files.empty() || int(files.size()) == levels, "files must be one for each level");
    require(targets.empty() || int(targets.size()) == levels, "targets must be one for each level");
    for (size_t level = 0; level < targets.size(); level++)
        require(targets[level].size() == solver.level_bytes(int(level)),
                "targets must have the sizes of the levels");
    noughts::solve::Options options;
    options.threads = threads;
    options.memory = memory;
    options.isa = isa;
    options.progress = [&](const noughts::solve::Progress& at) {
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!progress.is_none()) progress(at.level, at.done, at.total);
        return true;
    };
    std::atomic<int> failed{0};
    if (!files.empty())
        options.save = [&](int level, uint64_t offset, const uint8_t* bytes, uint64_t size) {
            const auto [file, start] = files[level];
            if (const int error = noughts::write_at(file, bytes, size, start + offset)) {
                failed = error;
                throw std::runtime_error("the bytes could not be written");
            }
        };
    else if (!targets.empty())
        options.save = [&](int level, uint64_t offset, const uint8_t* bytes, uint64_t size) {
            std::copy_n(bytes, size, targets[level].data() + offset);
        };
    options.level_done = [&](const noughts::solve::Level& level) {
        nb::gil_scoped_acquire gil;
        level_done(level_counts(level));
    };
    options.resume_level = resume_level;
    if (resume_level >= 0 && resume_bytes) options.resume_bytes = level_bytes(solver, resume_level, *resume_bytes);
    try {
        nb::gil_scoped_release released;
        return solver.run(options).start;
    } catch (const std::runtime_error&) {
        if (failed == 0) throw;
    }
    errno = failed;
    PyErr_SetFromErrno(PyExc_OSError);
    throw nb::python_error();
}

std::optional<uint64_t> locate(const Strong& solver, uint32_t x, uint32_t o) {
    check_position(solver, x, o);
    const uint64_t place = solver.locate({x, o});
    return place == Strong::no_byte ? std::nullopt : std::optional(place);
}

void locate_all(const Strong& solver, nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> x,
                nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> o,
                nb::ndarray<uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> places, Target codes) {
    require(x.size() == o.size() && x.size() == places.size() && x.size() == codes.size(),
            "the arrays must be equally long");
    nb::gil_scoped_release released;
    for (size_t i = 0; i < x.size(); i++) check_position(solver, x.data()[i], o.data()[i]);
    noughts::locate_all(solver, x.data(), o.data(), x.size(), places.data(), codes.data());
}

bool read_places(int file, uint64_t start,
                 nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> places, Target bytes) {
    require(places.size() == bytes.size(), "the arrays must be equally long");
    int error = 0;
    {
        nb::gil_scoped_release released;
        error = noughts::read_places(file, start, places.data(), places.size(), bytes.data());
    }
    if (error <= 0) return error == 0;
    errno = error;
    PyErr_SetFromErrno(PyExc_OSError);
    throw nb::python_error();
}

std::tuple<uint32_t, uint32_t> position_at(const Strong& solver, int level, uint64_t place) {
    require(0 <= level && level <= solver.game.cells && place < solver.level_bytes(level),
            "there is no such place");
    const noughts::solve::Sets sets = solver.position_at(level, place);
    return {sets.x, sets.o};
}

std::optional<uint64_t> first_wrong(const Strong& solver, int level, uint64_t begin, uint64_t end, Bytes bytes,
                                    Bytes next_level, int threads) {
    const uint8_t* own = level_bytes(solver, level, bytes);
    require(begin <= end && end <= bytes.size(), "there is no such place");
    const uint8_t* next = level < solver.game.cells ? level_bytes(solver, level + 1, next_level) : nullptr;
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    const uint64_t found = noughts::first_wrong(solver, level, begin, end, own, next, threads, poll);
    return found == end ? std::nullopt : std::optional(found);
}

// How many positions have each code; their classes where `classes` does not tell them, else 0.
std::tuple<std::vector<uint64_t>, uint64_t> count(const Strong& solver, int level, Bytes bytes, int threads) {
    const uint8_t* own = level_bytes(solver, level, bytes);
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    const noughts::solve::Counted found = solver.count(level, own, threads, poll);
    return {{found.codes.begin(), found.codes.end()}, found.classes};
}

std::vector<uint64_t> classes(const Strong& solver, const std::vector<uint64_t>& positions, int threads) {
    require(int(positions.size()) == solver.game.cells + 1, "positions must be those of each level");
    nb::gil_scoped_release released;
    return solver.classes(positions, threads);
}

// ---- The index, for those who solve by other means. Sets are words, by the solver's numbers.

const noughts::solve::Solver& on_any_cell(const Strong& solver) {
    require(!solver.game.gravity, "this is for games in which marks do not fall");
    return static_cast<const noughts::solve::Solver&>(solver);
}

template <typename Word>
nb::bytes as_bytes(const std::vector<Word>& words) {
    return nb::bytes(words.data(), words.size() * sizeof(Word));
}

// (the number of each cell, one past the last number of each orbit, the symmetries as maps of numbers, lines)
nb::tuple board(const Strong& solver) {
    const auto& found = on_any_cell(solver).board;
    std::vector<std::vector<int>> maps;
    for (const auto& map : found.map) maps.emplace_back(map.begin(), map.begin() + found.cells);
    return nb::make_tuple(std::vector<int>(found.number.begin(), found.number.begin() + found.cells), found.orbit_end,
                          maps, found.lines);
}

nb::tuple x_sets(const Strong& solver, int x) {
    const auto& index = on_any_cell(solver).index;
    require(0 <= x && x <= index.top, "X has no such number of cells");
    return nb::make_tuple(as_bytes(index.open[x]), as_bytes(index.won[x]));
}

nb::tuple kinds(const Strong& solver) {
    const auto& found = on_any_cell(solver).board;
    return nb::make_tuple(as_bytes(found.open_bits()), as_bytes(found.won_bits()));
}

// A byte of `stop` that is set ends it within a moment; what it gives is then of no use.
std::vector<uint64_t> fixed(const Strong& solver, int threads, Target stop) {
    const auto& on_any = on_any_cell(solver);
    require(stop.size() == 1, "stop must be one byte");
    const volatile uint8_t* const stopped = stop.data();
    nb::gil_scoped_release released;
    return on_any.fixed(threads, [stopped] { return *stopped != 0; });
}

// ---- A level in parts

using noughts::solve::PartStep;

// ({code: positions}, {code: positions} of the levels 2x and 2x - 1, and their checksums). `above` are the parts of
// level 2x + 1 as they wait, by number, so many blocks each; `even`, `odd` and `waiting` are filled unless None.
nb::tuple solve_part(const PartStep& step, uint64_t begin, uint64_t end, uint64_t won_begin, uint64_t won_end,
                     uint64_t per_part, const std::map<uint64_t, Bytes>& above, std::optional<Target> even,
                     std::optional<Target> odd, std::optional<Target> waiting, int threads) {
    const auto& index = step.solver().index;
    const int x = step.x();
    require(begin <= end && end <= index.open[x].size() && won_begin <= won_end && won_end <= index.won[x].size(),
            "X has no such sets");
    require(per_part > 0, "a part must have blocks");
    noughts::solve::PartTask task{begin, end, won_begin, won_end, per_part, {}, nullptr, nullptr, nullptr, threads};
    const auto room = [&](std::optional<Target>& target, uint64_t block) -> uint8_t* {
        if (!target) return nullptr;
        require(target->size() == (end - begin) * block, "what is to be filled has the wrong size");
        return target->data();
    };
    task.even = room(even, step.even_bytes()), task.odd = room(odd, step.odd_bytes());
    task.waiting = room(waiting, step.waiting_bytes());
    const uint64_t blocks = x < index.top ? index.open[x + 1].size() : 0;
    const std::vector<uint8_t> reads = step.reads(begin, end, per_part);
    task.above.resize(reads.size());
    for (uint64_t number = 0; number < reads.size(); number++) {
        if (!reads[number]) continue;
        const auto found = above.find(number);
        require(found != above.end(), "a part that is read is missing");
        const uint64_t count = std::min(per_part, blocks - number * per_part);
        require(found->second.size() == count * step.above_bytes(), "a part that is read has the wrong size");
        task.above[number] = found->second.data();
    }
    const noughts::Poll poll = watch_signals();
    noughts::solve::PartFound found;
    {
        nb::gil_scoped_release released;
        found = step.solve(task, poll);
    }
    const auto counts = [](const std::array<uint64_t, 256>& codes) {
        nb::dict counted;
        for (int code = 0; code < 256; code++)
            if (codes[code]) counted[nb::int_(code)] = codes[code];
        return counted;
    };
    return nb::make_tuple(counts(found.even), counts(found.odd), found.even_sum, found.odd_sum);
}

void wait_part(const PartStep& step, Bytes above, Target waiting) {
    const auto& index = step.solver().index;
    const uint64_t block = step.x() < index.top ? index.block_bytes(2 * step.x() + 1) : 0;
    const uint64_t blocks = block ? above.size() / block : 0;
    require(above.size() == blocks * block && waiting.size() == blocks * step.above_bytes(),
            "these are not the bytes of whole blocks");
    nb::gil_scoped_release released;
    step.wait(above.data(), blocks, waiting.data());
}

// `progress` is called a few times a second, and ends the work by raising.
void count_positions(const Game& game, int marks, int threads, nb::object level_done, nb::object progress) {
    require(game.gravity && 0 <= marks && marks <= std::min(game.cells, noughts::solve::most_marks),
            "positions of at most 32 marks are counted so, where marks fall");
    using Clock = std::chrono::steady_clock;
    const noughts::Poll poll = [&, next = Clock::now()]() mutable {
        if (Clock::now() < next) return;
        next = Clock::now() + std::chrono::milliseconds(100);
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        progress();
    };
    nb::gil_scoped_release released;
    noughts::solve::count_positions(game, marks, std::max(1, threads), poll, [&](uint64_t positions) {
        nb::gil_scoped_acquire gil;
        level_done(positions);
    });
}

void bind_game(nb::module_& m) {
    nb::class_<Game>(m, "Game", "A game as the core knows it: its lines, and what completing one means.")
        .def("__init__",
             [](Game* game, int rows, int columns, int k, bool misere, bool exact, bool gravity) {
                 new (game) Game(checked_game(rows, columns, k, misere, exact, gravity));
             },
             nb::arg("rows"), nb::arg("columns"), nb::arg("k"), nb::arg("misere"), nb::arg("exact") = false,
             nb::arg("gravity") = false)
        .def("batch_status", &batch_status, nb::arg("x").noconvert(), nb::arg("o").noconvert(),
             nb::arg("codes").noconvert(), nb::arg("threads") = 1, nb::arg("isa") = "",
             "Judge boards given as sets, bit i = cell i: 0 if all is well, else what is wrong.")
        .def("batch_status_planes", &batch_status_planes, nb::arg("planes").noconvert(), nb::arg("codes").noconvert(),
             nb::arg("threads") = 1, nb::arg("isa") = "",
             "Judge boards given as cells of +1, -1, 0: 0 if all is well, else what is wrong.")
        .def("perft", &perft, nb::arg("x"), nb::arg("o"), nb::arg("depth"), nb::arg("limit"), nb::arg("visits"),
             "Sequences of `depth` legal moves, or None if there are more nodes, or about so many visits.")
        .def("count_games", &count_games, nb::arg("x"), nb::arg("o"), nb::arg("limit"), nb::arg("visits"),
             "Complete games that X wins, O wins, draws; or None if there are more nodes, or about so many visits.")
        .def("playouts", &playouts, nb::arg("x"), nb::arg("o"), nb::arg("games"), nb::arg("seed"),
             nb::arg("threads") = 1, nb::arg("isa") = "",
             "Random games that X wins, O wins, draws, and the plies of all.")
        .def("search", &search, nb::arg("x"), nb::arg("o"), nb::arg("order"), nb::arg("by_evaluation"),
             nb::arg("prunes"), nb::arg("carried"), nb::arg("depth"), nb::arg("limit"),
             "Score every root move: (cell, score, bound, nodes, alpha cuts, beta cuts) each, or None at the limit.")
        .def("fours", &fours, nb::arg("attacker"), nb::arg("defender"), nb::arg("nodes"), nb::arg("seconds"),
             "The shortest win by fours of the attacker, who is to move: its moves, whether it is sure, the nodes.")
        .def("threats", &threats, nb::arg("attacker"), nb::arg("defender"), nb::arg("first"), nb::arg("nodes"),
             nb::arg("seconds"), nb::arg("question"),
             "A win by fours and threes of the attacker, who is to move: the strategy, whether it is sure, the nodes.")
        .def("hold", &hold, nb::arg("attacker"), nb::arg("holder"), nb::arg("attacker_moves"), nb::arg("weak"),
             nb::arg("memory"), "A search whether a player keeps the attacker from a line.")
        .def("count_positions", &count_positions, nb::arg("marks"), nb::arg("threads"), nb::arg("level_done"),
             nb::arg("progress"), "Tell how many positions can arise with 0, 1, ... marks, at most 32; marks fall.")
        .def("counting_memory", &noughts::solve::counting_memory, nb::arg("marks"),
             "The bytes of memory that `count_positions` takes.");
}

// What follows is called a million times a second: quick code, in a file that is otherwise small code.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3")
#endif

// ---- Positions: what `Position` is made of, and its `play`. Bound by hand, as boards are. ----

// Objects of Python that positions and boards hand out: `Status` and `Mark` in their order, and the error IllegalMove.
PyObject *status_objects[4], *mark_objects[2], *illegal_move;

void name_objects(const nb::tuple& statuses, const nb::tuple& marks, nb::object error) {
    require(statuses.size() == 4 && marks.size() == 2, "there are four statuses and two marks");
    for (size_t i = 0; i < 4; i++) status_objects[i] = nb::object(statuses[i]).release().ptr();
    for (size_t i = 0; i < 2; i++) mark_objects[i] = nb::object(marks[i]).release().ptr();
    illegal_move = error.release().ptr();
}

PyObject* another(PyObject* object) {
    Py_INCREF(object);
    return object;
}

// Its parts are attributes that Python can read. `rules`, which `handle` owns, are there on boards of up to 64 cells.
struct PositionParts {
    PyObject_HEAD
    PyObject *game, *x, *o, *playable, *turn, *status, *handle;
    const Game* rules;
};

// x, o and playable are given away.
PyObject* new_position(PyTypeObject* type, PyObject* game, PyObject* x, PyObject* o, PyObject* playable,
                       PyObject* turn, PyObject* status, PyObject* handle, const Game* rules) {
    auto* made = x && o && playable ? reinterpret_cast<PositionParts*>(PyType_GenericAlloc(type, 0)) : nullptr;
    if (!made) {
        Py_XDECREF(x), Py_XDECREF(o), Py_XDECREF(playable);
        return nullptr;
    }
    made->game = another(game), made->x = x, made->o = o, made->playable = playable;
    made->turn = another(turn), made->status = another(status), made->handle = another(handle), made->rules = rules;
    return reinterpret_cast<PyObject*>(made);
}

PyObject* position_play(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* names) noexcept {
    const bool named = names && count == 0 && PyTuple_Size(names) == 1 &&
                       PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "move") == 0;
    if (!named && (names || count != 1)) {
        PyErr_SetString(PyExc_TypeError, "play() takes one argument, the move");
        return nullptr;
    }
    PyObject* move = given[0];
    const auto* before = reinterpret_cast<PositionParts*>(self);
    if (before->rules && PyLong_CheckExact(move)) {
        const Game& game = *before->rules;
        const long cell = PyLong_AsLong(move);
        if (cell == -1) PyErr_Clear();  // perhaps a number too large for a cell
        const uint64_t open = PyLong_AsUnsignedLongLong(before->playable);
        if (0 <= cell && cell < game.cells && open >> cell & 1) {
            const int turn = before->turn == mark_objects[1];
            const uint64_t bit = uint64_t{1} << cell;
            const uint64_t mine = PyLong_AsUnsignedLongLong(turn ? before->o : before->x) | bit;
            uint64_t left = open ^ bit;
            if (game.gravity && cell >= game.columns) left ^= bit >> game.columns;
            uint8_t status = left ? noughts::ongoing : noughts::draw;
            if (noughts::has_line(game, mine)) left = 0, status = game.line_code[turn];
            PyObject* own = PyLong_FromUnsignedLongLong(mine);
            PyObject* x = turn ? another(before->x) : own;
            PyObject* o = turn ? own : another(before->o);
            return new_position(Py_TYPE(self), before->game, x, o, PyLong_FromUnsignedLongLong(left),
                                mark_objects[1 - turn], status_objects[status], before->handle, before->rules);
        }
    }
    return PyObject_CallMethod(self, "play_plain", "(O)", move);  // a large board, another form of a move, or none
}

void position_dealloc(PyObject* self) {
    auto* parts = reinterpret_cast<PositionParts*>(self);
    for (PyObject* part : {parts->game, parts->x, parts->o, parts->playable, parts->turn, parts->status, parts->handle})
        Py_XDECREF(part);
    PyTypeObject* type = Py_TYPE(self);
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

PyMemberDef position_members[] = {
    {"game", T_OBJECT_EX, offsetof(PositionParts, game), READONLY, nullptr},
    {"x", T_OBJECT_EX, offsetof(PositionParts, x), READONLY, nullptr},
    {"o", T_OBJECT_EX, offsetof(PositionParts, o), READONLY, nullptr},
    {"playable", T_OBJECT_EX, offsetof(PositionParts, playable), READONLY, nullptr},
    {"turn", T_OBJECT_EX, offsetof(PositionParts, turn), READONLY, nullptr},
    {"status", T_OBJECT_EX, offsetof(PositionParts, status), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyMethodDef position_methods[] = {
    {"play", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(position_play)), METH_FASTCALL | METH_KEYWORDS,
     "play(move)\n--\n\nThe position after this move: a cell, a (row, column) pair, or a text such as \"b2\"."},
    {nullptr, nullptr, 0, nullptr}};
PyType_Slot position_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(position_dealloc)},
                                {Py_tp_members, position_members},
                                {Py_tp_methods, position_methods},
                                {0, nullptr}};
PyType_Spec position_spec = {"noughts._core.PositionParts", sizeof(PositionParts), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, position_slots};
PyObject* position_type;

// A position with these parts; `handle` is the game as the core knows it, or None.
nb::object make_position(nb::handle type, nb::handle game, nb::handle x, nb::handle o, nb::handle playable,
                         nb::handle turn, nb::handle status, nb::handle handle) {
    require(PyType_Check(type.ptr()) && PyObject_IsSubclass(type.ptr(), position_type) == 1, "this is no position");
    require(PyLong_CheckExact(x.ptr()) && PyLong_CheckExact(o.ptr()) && PyLong_CheckExact(playable.ptr()),
            "sets of cells are whole numbers");
    const Game* rules = handle.is_none() ? nullptr : &nb::cast<const Game&>(handle);
    require(!rules || rules->cells <= 64, "the board has more cells than a word has bits");
    PyObject* made = new_position(reinterpret_cast<PyTypeObject*>(type.ptr()), game.ptr(), another(x.ptr()),
                                  another(o.ptr()), another(playable.ptr()), turn.ptr(), status.ptr(), handle.ptr(),
                                  rules);
    if (!made) throw nb::python_error();
    return nb::steal(made);
}

void bind_position(nb::module_& m) {
    m.def("name_objects", &name_objects, nb::arg("statuses"), nb::arg("marks"), nb::arg("illegal_move"),
          "Name what is handed out: the four statuses, the two marks, the error of a move that cannot be played.");
    m.def("make_position", &make_position, nb::arg("type"), nb::arg("game"), nb::arg("x"), nb::arg("o"),
          nb::arg("playable"), nb::arg("turn"), nb::arg("status"), nb::arg("handle").none(),
          "A position with these parts; with the handle of its game, if that has at most 64 cells.");
    position_type = PyType_FromSpec(&position_spec);
    if (!position_type) throw nb::python_error();
    m.attr("PositionParts") = nb::borrow(position_type);
}

// ---- The board that changes in place. What loops call is bound by hand, for the sake of nanoseconds. ----

using noughts::Board;

// The board of an object; null, and an error, where nothing has made it yet.
Board* board_of(PyObject* self) {
    if (nb::inst_ready(self)) return nb::inst_ptr<Board>(self);
    PyErr_SetString(PyExc_ValueError, "this board was not made by Board(game)");
    return nullptr;
}

PyObject* board_push(PyObject* self, PyObject* move) noexcept try {
    Board* board = board_of(self);
    if (!board) return nullptr;
    if (PyLong_CheckExact(move)) {
        const long cell = PyLong_AsLong(move);
        if (cell == -1) PyErr_Clear();  // perhaps a number too large for a cell
        if (0 <= cell && cell < board->cells() && board->may_play(int(cell))) {
            board->push(int(cell));
            return another(status_objects[board->status()]);
        }
    }
    return PyObject_CallMethod(self, "_push_move", "(O)", move);  // another form of a move, or none that may be played
} catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
}

PyObject* board_pop(PyObject* self, PyObject*) noexcept {
    Board* board = board_of(self);
    if (!board) return nullptr;
    if (board->can_pop()) return PyLong_FromLong(board->pop());
    PyErr_SetString(illegal_move, "there is no move to take back");
    return nullptr;
}

PyObject* board_moves(PyObject* self, PyObject*) noexcept {
    Board* board = board_of(self);
    PyObject* found = board ? PyList_New(0) : nullptr;
    if (!found) return nullptr;
    for (int cell = 0; cell < board->cells(); cell++) {
        if (!board->may_play(cell)) continue;
        PyObject* number = PyLong_FromLong(cell);
        const bool added = number && PyList_Append(found, number) == 0;
        Py_XDECREF(number);
        if (!added) {
            Py_DECREF(found);
            return nullptr;
        }
    }
    return found;
}

PyObject* board_status(PyObject* self, void*) noexcept {
    const Board* board = board_of(self);
    return board ? another(status_objects[board->status()]) : nullptr;
}

PyObject* board_turn(PyObject* self, void*) noexcept {
    const Board* board = board_of(self);
    return board ? another(mark_objects[board->turn()]) : nullptr;
}

PyObject* board_is_over(PyObject* self, void*) noexcept {
    const Board* board = board_of(self);
    return board ? another(board->status() != noughts::ongoing ? Py_True : Py_False) : nullptr;
}

PyMethodDef board_methods[] = {
    {"push", board_push, METH_O, "Play a move; the status after it."},
    {"pop", board_pop, METH_NOARGS, "Take back the last move; its cell."},
    {"moves", board_moves, METH_NOARGS, "The cells that may be played, ascending; none when the game is over."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef board_getters[] = {
    {"status", board_status, nullptr, "How the game stands.", nullptr},
    {"turn", board_turn, nullptr, "The player to move.", nullptr},
    {"is_over", board_is_over, nullptr, "Has the game ended?", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot board_slots[] = {{Py_tp_methods, board_methods}, {Py_tp_getset, board_getters}, {0, nullptr}};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

Board make_board(const Game& game, nb::bytes cells, int status) {
    require(int(cells.size()) == game.cells && 0 <= status && status < 4, "these are no cells of the game");
    const std::string bytes(cells.c_str(), cells.size());
    for (const char each : bytes) require(0 <= each && each < 3, "a cell is 0, 1 or 2");
    return Board(game, bytes, uint8_t(status));
}

void bind_board(nb::module_& m) {
    m.def("make_board", &make_board, nb::arg("game"), nb::arg("cells"), nb::arg("status"),
          "A board with these cells (0 free, 1 X, 2 O) that stands so.");
    nb::class_<Board>(m, "Board", nb::type_slots(board_slots), "A board that changes in place.")
        .def("__init__", [](Board* board, const Board& like) { new (board) Board(like); }, nb::arg("like"))
        .def("bytes",
             [](const Board& board) {
                 const std::string found = board.bytes();
                 return nb::bytes(found.data(), found.size());
             },
             "The cells: 0 free, 1 X, 2 O.")
        .def("played", &Board::played, "The cells that were pushed, in their order.");
}

// (1, 0 or -1: the player to move wins, ties or loses; plies to the end; nodes), or None at the limit.
std::optional<std::tuple<int, int, uint64_t>> connect_value(noughts::Connect& connect, uint64_t x, uint64_t o,
                                                            uint64_t limit, int threads) {
    const Game& game = connect.game;
    check_sets(game, x, o);
    require(((x | o) & (game.board & ~(x | o)) >> game.columns) == 0, "a mark hangs in the air");
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    const auto found = connect.value(x, o, limit, threads, poll);
    if (!found) return std::nullopt;
    return std::tuple(found->sign, found->remoteness, found->nodes);
}

void bind_connect(nb::module_& m) {
    nb::class_<noughts::Connect>(m, "Connect", "Exact values of one game with gravity, and what was found of it.")
        .def("__init__",
             [](noughts::Connect* connect, const Game& game, int table_bits) {
                 require(noughts::Connect::takes(game), "rows + 1 times columns must be at most 64, with gravity");
                 require(20 <= table_bits && table_bits <= 32, "the table must have from 2^20 to 2^32 words");
                 new (connect) noughts::Connect(game, table_bits);
             },
             nb::arg("game"), nb::arg("table_bits"))
        .def("value", &connect_value, nb::arg("x"), nb::arg("o"), nb::arg("limit"), nb::arg("threads") = 1,
             "1, 0 or -1 as the player to move wins, ties or loses, the plies to the end, and the nodes; or None.")
        .def_prop_ro("searched", [](const noughts::Connect& connect) { return connect.searched.load(); },
                     "The nodes of the last search, or of the one that goes on, up to now.")
        .def("forget", &noughts::Connect::forget, "What was found is forgotten.");
}

// ---- The engine. Cells are numbers; the player to move comes first. ----

using noughts::engine::Engine;
using noughts::engine::Network;

// The numbers of a network as noughts/engine/network.py packs them: little-endian words of 16 bits, biases of 32.
Network read_network(const nb::bytes& bytes) {
    const auto* at = static_cast<const uint8_t*>(bytes.data());
    const auto* const end = at + bytes.size();
    const auto word = [&](int size) {
        require(end - at >= size, "the network is too short");
        uint32_t found = 0;
        for (int i = 0; i < size; i++) found |= uint32_t(*at++) << 8 * i;
        return found;
    };
    Network network;
    network.row.resize(noughts::engine::kinds), network.urgency.resize(noughts::engine::kinds);
    for (auto& row : network.row)
        for (auto& each : row) each = int16_t(word(2));
    for (auto& each : network.urgency) each = int16_t(word(2));
    for (auto& row : network.inner)
        for (auto& each : row) each = int16_t(word(2));
    for (auto& each : network.inner_bias) each = int32_t(word(4));
    for (auto& each : network.outer) each = int16_t(word(2));
    network.outer_bias = int32_t(word(4));
    require(at == end, "the network is too long");
    return network;
}

void check_ongoing(const Engine& engine, const std::vector<int>& mine, const std::vector<int>& theirs) {
    check_cells(engine.game, mine, theirs);
    require(int(mine.size() + theirs.size()) < engine.game.cells, "the board is full");
}

// `tell` gets (depth, plies reached, lines of this depth to come, score, line, nodes, seconds), and ends it by raising.
void engine_search(Engine& engine, const std::vector<int>& mine, const std::vector<int>& theirs, double seconds,
                   uint64_t nodes, int depth, int lines, nb::object tell) {
    check_ongoing(engine, mine, theirs);
    nb::gil_scoped_release released;
    engine.search({mine, theirs, seconds, nodes, depth, lines}, [&](const noughts::engine::Report& report) {
        nb::gil_scoped_acquire gil;
        tell(report.depth, report.reached, report.left, report.score, report.line, report.nodes, report.seconds);
    });
}

// For each free cell: the cell, and its four shapes for the player to move and for the other.
std::vector<std::tuple<int, std::vector<int>, std::vector<int>>> engine_shapes(
    const Engine& engine, const std::vector<int>& mine, const std::vector<int>& theirs) {
    check_ongoing(engine, mine, theirs);
    const noughts::engine::Board board = engine.board(mine, theirs);
    std::vector<std::tuple<int, std::vector<int>, std::vector<int>>> found;
    for (int cell = 0; cell < board.cells; cell++) {
        if (!board.is_free(cell)) continue;
        std::vector<int> side[2];
        for (int each = 0; each < 2; each++)
            for (int way = 0; way < 4; way++) side[each].push_back(board.shape(each, cell, way));
        found.emplace_back(cell, side[0], side[1]);
    }
    return found;
}

void bind_engine(nb::module_& m) {
    nb::class_<Engine>(m, "Engine", "A search over the shapes of a board, for one game.")
        .def("__init__",
             [](Engine* engine, const Game& game, const nb::bytes& network, int threads, uint64_t bytes,
                unsigned without) {
                 check_cells(game, {}, {});
                 require(1 <= threads && threads <= 1024, "threads must be from 1 to 1024");
                 new (engine) Engine(game, read_network(network), threads, bytes, without);
             },
             nb::arg("game"), nb::arg("network"), nb::arg("threads"), nb::arg("bytes"), nb::arg("without") = 0)
        .def("search", &engine_search, nb::arg("mine"), nb::arg("theirs"), nb::arg("seconds"), nb::arg("nodes"),
             nb::arg("depth"), nb::arg("lines"), nb::arg("tell"), "Search until a limit; 0 is none.")
        .def("ready", &Engine::ready, "Before each search: a stop from now on ends it.")
        .def("stop", &Engine::stop, "End the search that goes on.")
        .def("forget", &Engine::forget, "Forget what earlier searches have found.")
        .def("shapes", &engine_shapes, nb::arg("mine"), nb::arg("theirs"),
             "Each free cell with its four shapes for the player to move, and for the other.")
        .def("kinds",
             [](const Engine& engine, const std::vector<int>& mine, const std::vector<int>& theirs) {
                 check_ongoing(engine, mine, theirs);
                 const noughts::engine::Board board = engine.board(mine, theirs);
                 std::vector<int> found;
                 for (int cell = 0; cell < board.cells; cell++)
                     found.push_back(board.is_free(cell) ? board.kind(0, cell) : -1);
                 return found;
             },
             nb::arg("mine"), nb::arg("theirs"), "The kind of each free cell, for the player to move; -1 elsewhere.")
        .def("evaluation",
             [](const Engine& engine, const std::vector<int>& mine, const std::vector<int>& theirs) {
                 check_ongoing(engine, mine, theirs);
                 return engine.board(mine, theirs).evaluation(0);
             },
             nb::arg("mine"), nb::arg("theirs"), "The score of a position for the player to move, without a search.");
}

void bind_solver(nb::module_& m) {
    nb::exception<noughts::solve::TooLarge>(m, "TooLarge", PyExc_ValueError);
    nb::class_<Strong>(m, "Solver", "Strong solving of one game.")
        .def(nb::new_([](const Game& game) {
                 nb::gil_scoped_release released;
                 return noughts::solve::make_solver(game);
             }),
             nb::arg("game"))
        .def("level_bytes",
             [](const Strong& solver) {
                 std::vector<uint64_t> found;
                 for (int level = 0; level <= solver.game.cells; level++) found.push_back(solver.level_bytes(level));
                 return found;
             },
             "How many bytes each level has.")
        .def("block_bytes", &Strong::block_bytes, nb::arg("level"), "How many bytes of a level lie together.")
        .def("memory", &Strong::memory, nb::arg("threads"), "The bytes of memory that a run takes.")
        .def("run", &solve_all, nb::arg("threads"), nb::arg("memory"), nb::arg("isa"), nb::arg("progress").none(),
             nb::arg("level_done"), nb::arg("files"), nb::arg("targets"), nb::arg("resume_level") = -1,
             nb::arg("resume_bytes").none() = nb::none(), "Solve the game: the code of the empty board.")
        .def("locate", &locate, nb::arg("x"), nb::arg("o"),
             "The place of a position in its level; None where it has none, since X has a line.")
        .def("locate_all", &locate_all, nb::arg("x").noconvert(), nb::arg("o").noconvert(),
             nb::arg("places").noconvert(), nb::arg("codes").noconvert(),
             "The places of many; 2^64 - 1 where X has a line, and then the code.")
        .def("position_at", &position_at, nb::arg("level"), nb::arg("place"), "The sets of X and O at a place.")
        .def("first_wrong", &first_wrong, nb::arg("level"), nb::arg("begin"), nb::arg("end"), nb::arg("bytes"),
             nb::arg("next_level"), nb::arg("threads"), "The first place that the level above contradicts, or None.")
        .def("count", &count, nb::arg("level"), nb::arg("bytes"), nb::arg("threads"),
             "How many positions of a level have each code, also of those without a byte; and their classes, or 0.")
        .def("classes", &classes, nb::arg("positions"), nb::arg("threads"),
             "The classes under symmetry of each level, given its positions; empty where `count` tells them.")
        .def("board", &board, "Numbers of the cells, ends of their orbits, symmetries, and lines as words.")
        .def("x_sets", &x_sets, nb::arg("x"), "X's sets of so many cells: those with a block, and those that have won.")
        .def("kinds", &kinds, "Where only exactly k count, a bit for each set that is open, and that is won.")
        .def("fixed", &fixed, nb::arg("threads"), nb::arg("stop"),
             "By marks, the positions that symmetries leave as they are; stop, a byte, ends it.");
    nb::class_<PartStep>(m, "PartStep", "What the parts of the levels 2x and 2x - 1 share.")
        .def("__init__",
             [](PartStep* self, const Strong& solver, int x, int threads, const std::string& isa) {
                 const auto& found = on_any_cell(solver);
                 require(0 <= x && x <= found.index.top, "X has no such number of cells");
                 require(found.board.cells <= found.most_solved, "the native core solves no board of so many cells");
                 nb::gil_scoped_release released;
                 new (self) PartStep(found, x, threads, isa);
             },
             nb::arg("solver"), nb::arg("x"), nb::arg("threads"), nb::arg("isa") = "", nb::keep_alive<1, 2>())
        .def("reads",
             [](const PartStep& step, uint64_t begin, uint64_t end, uint64_t per_part) {
                 require(begin <= end && end <= step.solver().index.open[step.x()].size() && per_part > 0,
                         "X has no such sets");
                 nb::gil_scoped_release released;
                 const std::vector<uint8_t> found = step.reads(begin, end, per_part);
                 std::vector<uint64_t> numbers;
                 for (uint64_t number = 0; number < found.size(); number++)
                     if (found[number]) numbers.push_back(number);
                 return numbers;
             },
             nb::arg("begin"), nb::arg("end"), nb::arg("per_part"),
             "The parts of level 2x + 1 that these X sets read.")
        .def("solve", &solve_part, nb::arg("begin"), nb::arg("end"), nb::arg("won_begin"), nb::arg("won_end"),
             nb::arg("per_part"), nb::arg("above"), nb::arg("even").none(), nb::arg("odd").none(),
             nb::arg("waiting").none(), nb::arg("threads"), "Make a part: what its bytes amount to.")
        .def("wait", &wait_part, nb::arg("above"), nb::arg("waiting"), "Blocks of level 2x + 1 as they wait.")
        .def("sizes",
             [](const PartStep& step) {
                 return std::make_tuple(step.even_bytes(), step.odd_bytes(), step.waiting_bytes(), step.above_bytes());
             },
             "Bytes of a block of level 2x, of 2x - 1, of that as it waits, and of one of 2x + 1 as it waits.");
}

// ---- Many boards for learners. The arrays of `into` are the caller's, and stay so. ----

// Best moves from the bytes of a solution. What was found is kept, each position in the one place that its sets name.
class BestMoves {
  public:
    BestMoves(const Strong& solver, const std::vector<Bytes>& levels)
        : solver_(solver), levels_(levels), kept_(1 << 16) {
        require(int(levels.size()) == solver.game.cells + 1, "levels must be those of the game");
        for (size_t level = 0; level < levels.size(); level++) level_bytes(solver, int(level), levels[level]);
    }

    uint64_t operator()(uint32_t x, uint32_t o) {
        const uint64_t key = uint64_t(x) << 32 | o;
        Kept& kept = kept_[key * 0x9E3779B97F4A7C15 >> 48];
        if (kept.best && kept.key == key) return kept.best;
        const noughts::solve::Sets sets{x, o};
        const bool x_moves = sets.marks() % 2 == 0;
        const uint8_t* next = levels_[size_t(sets.marks()) + 1].data();
        uint64_t best = 0;
        int most = -1;
        const Game& game = solver_.game;
        for (uint64_t left = noughts::playable(game, game.board & ~uint64_t(x | o)); left; left &= left - 1) {
            const uint32_t bit = uint32_t(left & -left);
            const int code = solver_.lookup({x_moves ? x | bit : x, x_moves ? o : o | bit}, next);
            const int worth = x_moves ? code : 255 - code;  // the sooner X wins, the larger the code
            if (worth > most) most = worth, best = 0;
            if (worth == most) best |= bit;
        }
        kept = {key, best};
        return best;
    }

  private:
    struct Kept {
        uint64_t key, best;
    };
    const Strong& solver_;
    std::vector<Bytes> levels_;
    std::vector<Kept> kept_;
};

using Actions = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Shown = nb::ndarray<int8_t, nb::c_contig, nb::device::cpu>;
using Rewards = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct Into {
    Shown planes, masks;
    Rewards rewards;
    Flags ended, illegal;
    std::optional<Shown> finals;
};

class VectorEnv {
  public:
    VectorEnv(const Game& game, size_t count, nb::bytes start, int opponent, int side, int illegal,
              const Strong* solver, const std::vector<Bytes>& levels, const std::string& isa)
        : vector_(game, count, std::string(start.c_str(), start.size()), noughts::Opponent(opponent),
                  noughts::Side(side), noughts::Illegal(illegal), best_of(solver, levels),
                  *noughts::choose_isa(isa).kernels) {}

    void into(Shown planes, Shown masks, Rewards rewards, Flags ended, Flags illegal, std::optional<Shown> finals) {
        const size_t n = vector_.count(), cells = n * 2 * size_t(vector_.cells);
        require(planes.size() == cells && masks.size() == n * size_t(vector_.actions) && rewards.size() == n &&
                    ended.size() == n && illegal.size() == n && (!finals || finals->size() == cells),
                "the arrays must have a row for each board");
        into_ = Into{planes, masks, rewards, ended, illegal, finals};
    }
    void seed(uint64_t seed) { vector_.seed(seed); }
    void reset() {
        const noughts::Rows rows = this->rows();
        const Turn turn(busy_);
        nb::gil_scoped_release released;
        vector_.reset(rows);
    }
    int64_t step(Actions actions) {
        require(actions.size() == vector_.count(), "there must be an action for each board");
        const noughts::Rows rows = this->rows();
        const Turn turn(busy_);
        nb::gil_scoped_release released;
        const size_t found = vector_.step(actions.data(), rows);
        return found == vector_.count() ? -1 : int64_t(found);
    }

  private:
    struct Turn {  // of one thread at a time; the lock of Python guards the flag
        explicit Turn(bool& flag) : busy(flag) {
            require(!busy, "another thread is stepping these boards");
            busy = true;
        }
        ~Turn() { busy = false; }
        bool& busy;
    };
    static noughts::Best best_of(const Strong* solver, const std::vector<Bytes>& levels) {
        if (!solver) return {};
        return BestMoves(*solver, levels);
    }
    noughts::Rows rows() const {
        require(into_.has_value(), "there is nowhere to write to");
        return {into_->planes.data(), into_->masks.data(), into_->rewards.data(),
                reinterpret_cast<uint8_t*>(into_->ended.data()), reinterpret_cast<uint8_t*>(into_->illegal.data()),
                into_->finals ? into_->finals->data() : nullptr};
    }

    noughts::Vector vector_;
    std::optional<Into> into_;
    bool busy_ = false;
};

void bind_vector(nb::module_& m) {
    nb::class_<VectorEnv>(m, "Vector", "Many boards of one game, stepped at once.")
        .def("__init__",
             [](VectorEnv* vector, const Game& game, size_t boards, nb::bytes start, int opponent, int side,
                int illegal, const Strong* solver, const std::vector<Bytes>& levels, const std::string& isa) {
                 require(boards >= 1 && int(start.size()) == game.cells, "the start must be a board of the game");
                 require(0 <= opponent && opponent < 4 && 0 <= side && side < 3 && 0 <= illegal && illegal < 3,
                         "no such opponent, side or way with illegal actions");
                 require((opponent == int(noughts::Opponent::exact)) == (solver != nullptr),
                         "an exact opponent needs a solution, and nobody else does");
                 for (size_t i = 0; i < start.size(); i++)
                     require(0 <= start.c_str()[i] && start.c_str()[i] < 3, "a cell is 0, 1 or 2");
                 new (vector) VectorEnv(game, boards, start, opponent, side, illegal, solver, levels, isa);
             },
             nb::arg("game"), nb::arg("boards"), nb::arg("start"), nb::arg("opponent"), nb::arg("side"),
             nb::arg("illegal"), nb::arg("solver").none(), nb::arg("levels"), nb::arg("isa") = "",
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 8>())
        .def("into", &VectorEnv::into, nb::arg("planes").noconvert(), nb::arg("masks").noconvert(),
             nb::arg("rewards").noconvert(), nb::arg("ended").noconvert(), nb::arg("illegal").noconvert(),
             nb::arg("finals").noconvert().none(), "Name the arrays that resets and steps write to.")
        .def("seed", &VectorEnv::seed, nb::arg("seed"), "What is random from now on.")
        .def("reset", &VectorEnv::reset, "Begin all games anew.")
        .def("step", &VectorEnv::step, nb::arg("actions").noconvert(),
             "Take an action on each board: -1, or the first board where that is refused.");
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of noughts.";
    nb::set_leak_warnings(false);  // caches in Python keep solvers to the very end: that is no leak
    m.def("version", [] { return std::string(NOUGHTS_VERSION); }, "The version of noughts this core was built from.");
    m.def("cpu_features", &cpu_features, "The instruction sets of this CPU that a kernel may be built for.");
    m.def("isas", &isas, "The instruction sets that the kernels may use here, the best last.");
    bind_game(m);
    bind_position(m);
    bind_board(m);
    m.def("read_places", &read_places, nb::arg("file"), nb::arg("start"), nb::arg("places").noconvert(),
          nb::arg("bytes").noconvert(),
          "The bytes of a file at many places, counted from `start`; False if it has ended before one.");
    bind_connect(m);
    bind_proofs(m);
    bind_engine(m);
    bind_solver(m);
    bind_vector(m);
    bind_wins(m);
}
