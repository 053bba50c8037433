// noughts._core: the face of the native core towards Python. The only file that knows nanobind.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "batch.hpp"
#include "isa.hpp"
#include "perft.hpp"
#include "playout.hpp"
#include "search.hpp"

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

noughts::Geometry checked_geometry(int rows, int columns, int k) {
    require(1 <= rows && rows <= 256 && 1 <= columns && columns <= 256, "rows and columns must be from 1 to 256");
    require(1 <= k && k <= std::max(rows, columns), "k must be from 1 to the longer side");
    return noughts::make_geometry(rows, columns, k);
}

const noughts::Kernels& checked_kernels(const std::string& isa) {
    const noughts::Kernels* found = noughts::kernels(isa);
    if (found) return *found;
    std::string message = "the instruction set must be one of";
    for (const std::string& name : noughts::available_isas()) message += " " + name;
    throw std::invalid_argument(message);
}

// ---- Batches. The caller owns the arrays; the verdicts are written into `codes`. The Faults are returned. ----

using Words = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Planes = nb::ndarray<const int8_t, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<uint8_t, nb::c_contig, nb::device::cpu>;

int batch_status(int rows, int columns, int k, bool misere, Words x, Words o, Codes codes, int threads, const std::string& isa) {
    const noughts::Geometry geometry = checked_geometry(rows, columns, k);
    const noughts::Kernels& kernels = checked_kernels(isa);
    const auto judge = [&]<typename Lane>(Lane) {
        require(o.dtype() == x.dtype() && o.size() == x.size() && codes.size() == x.size(), "x, o and codes must be alike");
        require(geometry.cells <= int(8 * sizeof(Lane)), "the board has more cells than a word has bits");
        const noughts::Poll poll = watch_signals();
        nb::gil_scoped_release released;
        return noughts::status_of_bits(kernels, geometry, misere, static_cast<const Lane*>(x.data()),
                                       static_cast<const Lane*>(o.data()), codes.data(), x.size(), threads, poll);
    };
    if (x.dtype() == nb::dtype<uint16_t>()) return judge(uint16_t{});
    if (x.dtype() == nb::dtype<uint32_t>()) return judge(uint32_t{});
    if (x.dtype() == nb::dtype<uint64_t>()) return judge(uint64_t{});
    throw std::invalid_argument("x and o must be arrays of uint16, uint32 or uint64");
}

int batch_status_planes(int rows, int columns, int k, bool misere, Planes planes, Codes codes, int threads, const std::string& isa) {
    const noughts::Geometry geometry = checked_geometry(rows, columns, k);
    const noughts::Kernels& kernels = checked_kernels(isa);
    require(planes.size() == codes.size() * size_t(geometry.cells), "planes must have rows x columns cells for each code");
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    return noughts::status_of_planes(kernels, geometry, misere, planes.data(), codes.data(), codes.size(), threads, poll);
}

// ---- Counting and playing games. None at the limit of nodes. ----

void check_sets(const noughts::Geometry& geometry, uint64_t x, uint64_t o) {
    require(geometry.cells <= 64, "only boards of at most 64 cells are counted");
    require(((x | o) & ~geometry.board) == 0, "a mark lies outside the board");
    require((x & o) == 0, "two marks lie on one cell");
    require(unsigned(std::popcount(x) - std::popcount(o)) <= 1, "X must have as many marks as O, or one more");
}

std::optional<uint64_t> perft(int rows, int columns, int k, uint64_t x, uint64_t o, int depth, uint64_t limit) {
    const noughts::Geometry geometry = checked_geometry(rows, columns, k);
    check_sets(geometry, x, o);
    require(depth >= 0, "depth must not be negative");
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    try {
        return noughts::perft(geometry, x, o, depth, limit, poll);
    } catch (noughts::TooManyNodes) {
        return std::nullopt;
    }
}

// Games won by X, won by O, drawn.
std::optional<std::tuple<uint64_t, uint64_t, uint64_t>> count_games(int rows, int columns, int k, bool misere, uint64_t x,
                                                                    uint64_t o, uint64_t limit) {
    const noughts::Geometry geometry = checked_geometry(rows, columns, k);
    check_sets(geometry, x, o);
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    try {
        const noughts::Results found = noughts::count_games(geometry, misere, x, o, limit, poll);
        return std::tuple(found.x_wins, found.o_wins, found.draws);
    } catch (noughts::TooManyNodes) {
        return std::nullopt;
    }
}

// Games won by X, won by O, drawn; plies of all.
std::tuple<uint64_t, uint64_t, uint64_t, uint64_t> playouts(int rows, int columns, int k, bool misere, const std::vector<int>& x,
                                                            const std::vector<int>& o, uint64_t games, uint64_t seed,
                                                            int threads, const std::string& isa) {
    const noughts::Geometry geometry = checked_geometry(rows, columns, k);
    const noughts::Kernels& kernels = checked_kernels(isa);
    require(rows <= 16 && columns <= 16, "playouts need a board of at most 16 x 16");
    const noughts::Start start = noughts::make_start(geometry, x, o, seed);
    const noughts::Poll poll = watch_signals();
    nb::gil_scoped_release released;
    const noughts::Tally tally = noughts::playouts(kernels, start, misere, games, threads, poll);
    return {tally.x_wins, tally.o_wins, tally.draws, tally.plies};
}

// Minimax and alpha-beta: each root move as (cell, score, bound, nodes, alpha cuts, beta cuts); None at the limit.
using SearchedTuple = std::tuple<int, int64_t, int, uint64_t, uint64_t, uint64_t>;

std::optional<std::vector<SearchedTuple>> search(int rows, int columns, int k, bool misere, std::vector<int> x, std::vector<int> o,
                                                 std::vector<int> order, bool by_evaluation, bool prunes, bool carried, int depth,
                                                 uint64_t limit) {
    const noughts::Poll poll = watch_signals();
    const noughts::SearchRequest request{rows, columns, k, misere, x, o, order, by_evaluation, prunes, carried, depth, limit};
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

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of noughts.";
    m.def("version", [] { return std::string(NOUGHTS_VERSION); }, "The version of noughts this core was built from.");
    m.def("cpu_features", &cpu_features, "The instruction sets of this CPU that a kernel may be built for.");
    m.def("isas", &noughts::available_isas, "The instruction sets that the kernels may use here, the best last.");
    m.def("batch_status", &batch_status, nb::arg("rows"), nb::arg("columns"), nb::arg("k"), nb::arg("misere"),
          nb::arg("x").noconvert(), nb::arg("o").noconvert(), nb::arg("codes").noconvert(), nb::arg("threads") = 1,
          nb::arg("isa") = "", "Judge boards given as sets, bit i = cell i: 0 if all is well, else what is wrong.");
    m.def("batch_status_planes", &batch_status_planes, nb::arg("rows"), nb::arg("columns"), nb::arg("k"), nb::arg("misere"),
          nb::arg("planes").noconvert(), nb::arg("codes").noconvert(), nb::arg("threads") = 1, nb::arg("isa") = "",
          "Judge boards given as cells of +1, -1, 0: 0 if all is well, else what is wrong.");
    m.def("perft", &perft, nb::arg("rows"), nb::arg("columns"), nb::arg("k"), nb::arg("x"), nb::arg("o"), nb::arg("depth"),
          nb::arg("limit"), "Sequences of `depth` legal moves, or None at the limit of nodes.");
    m.def("count_games", &count_games, nb::arg("rows"), nb::arg("columns"), nb::arg("k"), nb::arg("misere"), nb::arg("x"),
          nb::arg("o"), nb::arg("limit"), "Complete games that X wins, O wins, draws; or None at the limit of nodes.");
    m.def("playouts", &playouts, nb::arg("rows"), nb::arg("columns"), nb::arg("k"), nb::arg("misere"), nb::arg("x"), nb::arg("o"),
          nb::arg("games"), nb::arg("seed"), nb::arg("threads") = 1, nb::arg("isa") = "",
          "Random games that X wins, O wins, draws, and the plies of all.");
    m.def("search", &search, nb::arg("rows"), nb::arg("columns"), nb::arg("k"), nb::arg("misere"), nb::arg("x"), nb::arg("o"),
          nb::arg("order"), nb::arg("by_evaluation"), nb::arg("prunes"), nb::arg("carried"), nb::arg("depth"), nb::arg("limit"),
          "Score every root move: (cell, score, bound, nodes, alpha cuts, beta cuts) each, or None at the limit of nodes.");
}
