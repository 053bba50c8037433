// noughts._core: the face of the native core towards Python. The only file that knows nanobind.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
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
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "batch.hpp"
#include "connect.hpp"
#include "database.hpp"
#include "fours.hpp"
#include "isa.hpp"
#include "perft.hpp"
#include "playout.hpp"
#include "search.hpp"
#include "solve/falling.hpp"

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
    require(game.rows <= 16 && game.columns <= 16, "playouts need a board of at most 16 x 16");
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

void check_cells(const Game& game, const std::vector<int>& attacker, const std::vector<int>& defender) {
    require(game.rows <= 32 && game.columns <= 32 && game.k >= 3, "a board of at most 32 x 32 and k from 3 is needed");
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
                                                   const std::vector<int>& defender, uint64_t nodes) {
    check_cells(game, attacker, defender);
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    const noughts::LineTable table(game);
    const noughts::FoursFound found = noughts::search_fours(table, attacker, defender, nodes, poll);
    return {found.line, found.complete, found.nodes};
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
        .def("fours", &fours, nb::arg("attacker"), nb::arg("defender"), nb::arg("nodes"),
             "The shortest win by fours of the attacker, who is to move: its moves, whether it is sure, the nodes.")
        .def("count_positions", &count_positions, nb::arg("marks"), nb::arg("threads"), nb::arg("level_done"),
             nb::arg("progress"), "Tell how many positions can arise with 0, 1, ... marks, at most 32; marks fall.")
        .def("counting_memory", &noughts::solve::counting_memory, nb::arg("marks"),
             "The bytes of memory that `count_positions` takes.");
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
             "The classes under symmetry of each level, given its positions; empty where `count` tells them.");
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of noughts.";
    nb::set_leak_warnings(false);  // caches in Python keep solvers to the very end: that is no leak
    m.def("version", [] { return std::string(NOUGHTS_VERSION); }, "The version of noughts this core was built from.");
    m.def("cpu_features", &cpu_features, "The instruction sets of this CPU that a kernel may be built for.");
    m.def("isas", &isas, "The instruction sets that the kernels may use here, the best last.");
    bind_game(m);
    m.def("read_places", &read_places, nb::arg("file"), nb::arg("start"), nb::arg("places").noconvert(),
          nb::arg("bytes").noconvert(),
          "The bytes of a file at many places, counted from `start`; False if it has ended before one.");
    bind_connect(m);
    bind_solver(m);
}
