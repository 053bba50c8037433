// Uniformly random games, played to the end.
//
// The scheme, the same on every processor and in src/noughts/rules/playouts.py. Random play is a random order of the
// free cells, cut at the first line. Game number g of a seed draws it so, `free` being the free cells that may be
// played, in ascending order:
//
//     for ply = 0, 1, 2, …
//         if ply % 4 == 0, or len(free) > 256:
//             r = word 65536 g + ply of the random stream                    r / 2^64 is a random fraction
//         (j, r) = the high and the low 64 bits of r * len(free)             its next digit, and what remains
//         play free[j]; then free[j] = the last of free, which gets shorter by one;
//         where marks fall it is the cell above, if there is one
//
// Word i of the stream is SplitMix64's: mix(mix(seed) + (i + 1) * gamma). Four draws use up at most 32 of the 64 bits
// (256 cells), so no choice is off uniform by more than about one part in 2^32.
#include "kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace noughts::NOUGHTS_ISA {
namespace {

constexpr uint64_t gamma = 0x9E3779B97F4A7C15;
constexpr uint64_t words_per_game = 65536;
constexpr int plies_per_word = 4;

template <typename V>
inline V mix(V z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

// ---- Any board up to 16 x 16: one game at a time. Only lines through the last move can be new. ----
//
// A side keeps every row, column, diagonal and antidiagonal as 16 bits. The four through a cell make one 64-bit word
//
//     antidiagonal | diagonal | column | row
//
// in which the shifts look for k in a row; runs that cross from one quarter into the next are masked off.

struct Place {  // a cell: its place in each of its four lines
    uint8_t row, column, diagonal, antidiagonal;
    uint16_t row_bit, column_bit;
};

struct Lines {
    uint16_t row[16], column[16], diagonal[31], antidiagonal[31];

    // Adds a cell; returns the four lines through it.
    uint64_t add(const Place& place) {
        const uint64_t along_row = row[place.row] |= place.column_bit;
        const uint64_t along_column = column[place.column] |= place.row_bit;
        const uint64_t along_diagonal = diagonal[place.diagonal] |= place.column_bit;
        const uint64_t along_antidiagonal = antidiagonal[place.antidiagonal] |= place.column_bit;
        return along_row | along_column << 16 | along_diagonal << 32 | along_antidiagonal << 48;
    }
};

__extension__ typedef unsigned __int128 uint128;

template <bool exact, bool gravity>
void large_games(const Start& start, uint64_t first, uint64_t n, Tally& tally) {
    const Game& g = *start.game;
    Place place[256];
    Lines begin[2]{};
    for (int cell = 0; cell < g.cells; cell++) {
        const int row = cell / g.columns, column = cell % g.columns;
        place[cell] = {uint8_t(row), uint8_t(column), uint8_t(15 + row - column), uint8_t(row + column),
                       uint16_t(1 << row), uint16_t(1 << column)};
        if (start.x[cell / 64] >> cell % 64 & 1) begin[0].add(place[cell]);
        if (start.o[cell / 64] >> cell % 64 & 1) begin[1].add(place[cell]);
    }
    int shift[4]{};  // as in kernels.hpp; four steps reach 16 in a row, a shift by 0 changes nothing
    for (int i = 0, length = 1; length < g.k; length += shift[i++])
        shift[i] = length <= g.k - length ? length : g.k - length;
    const uint64_t starts = ((uint64_t(1) << (17 - g.k)) - 1) * 0x0001000100010001;

    uint64_t won[2] = {0, 0}, plies = 0;
    for (uint64_t game = first; game < first + n; game++) {
        Lines side[2] = {begin[0], begin[1]};
        uint16_t free[256];
        __builtin_memcpy(free, start.free, sizeof free);
        uint64_t word = mix(start.seed) + (game * words_per_game + 1) * gamma, r = 0;
        int turn = start.turn, ply = 0;
        for (int left = start.free_count; left > 0; turn ^= 1) {
            if (ply++ % plies_per_word == 0) {
                r = mix(word);
                word += plies_per_word * gamma;
            }
            const uint128 product = uint128(r) * uint64_t(left);
            const uint64_t j = uint64_t(product >> 64);
            r = uint64_t(product);
            const int cell = free[j];
            if (gravity && cell >= g.columns) free[j] = uint16_t(cell - g.columns);
            else free[j] = free[--left];
            uint64_t run = side[turn].add(place[cell]);
            for (int i = 0; i < 4; i++) run &= run >> shift[i];
            run &= starts;
            if (exact) run &= ~((run & run >> 1) | (run & run >> 1) << 1);
            if (run) {
                won[turn]++;
                break;
            }
        }
        plies += uint64_t(ply);
    }
    tally.x_wins += won[0];
    tally.o_wins += won[1];
    tally.draws += n - won[0] - won[1];
    tally.plies += plies;
}

// ---- Boards up to 32 x 32: the same with lines of 32 bits, two in a word. ----

struct WideLines {
    uint32_t row[32], column[32], diagonal[63], antidiagonal[63];
};

template <bool exact, bool gravity>
void wide_games(const Start& start, uint64_t first, uint64_t n, Tally& tally) {
    const Game& g = *start.game;
    int shift[5]{};
    for (int i = 0, length = 1; length < g.k; length += shift[i++])
        shift[i] = length <= g.k - length ? length : g.k - length;
    const uint64_t starts = ((uint64_t(1) << (33 - g.k)) - 1) * 0x0000000100000001;
    // Adds a cell; is there a line through it?
    const auto add = [&](WideLines& lines, int cell) {
        const int row = cell / g.columns, column = cell % g.columns;
        const uint32_t across = uint32_t(1) << column, down = uint32_t(1) << row;
        const uint64_t along_row = lines.row[row] |= across, along_column = lines.column[column] |= down;
        const uint64_t along_diagonal = lines.diagonal[31 + row - column] |= across;
        const uint64_t along_antidiagonal = lines.antidiagonal[row + column] |= across;
        const uint64_t both[2] = {along_row | along_column << 32, along_diagonal | along_antidiagonal << 32};
        uint64_t found = 0;
        for (uint64_t run : both) {
            for (int i = 0; i < 5; i++) run &= run >> shift[i];
            run &= starts;
            if (exact) run &= ~((run & run >> 1) | (run & run >> 1) << 1);
            found |= run;
        }
        return found != 0;
    };
    WideLines begin[2]{};
    for (int cell = 0; cell < g.cells; cell++) {
        if (start.x[cell / 64] >> cell % 64 & 1) add(begin[0], cell);
        if (start.o[cell / 64] >> cell % 64 & 1) add(begin[1], cell);
    }
    uint64_t won[2] = {0, 0}, plies = 0;
    for (uint64_t game = first; game < first + n; game++) {
        WideLines side[2] = {begin[0], begin[1]};
        uint16_t free[1024];
        __builtin_memcpy(free, start.free, sizeof free);
        uint64_t r = 0;
        int turn = start.turn, ply = 0;
        for (int left = start.free_count; left > 0; turn ^= 1, ply++) {
            if (ply % plies_per_word == 0 || left > 256)
                r = mix(mix(start.seed) + (game * words_per_game + uint64_t(ply) + 1) * gamma);
            const uint128 product = uint128(r) * uint64_t(left);
            const uint64_t j = uint64_t(product >> 64);
            r = uint64_t(product);
            const int cell = free[j];
            if (gravity && cell >= g.columns) free[j] = uint16_t(cell - g.columns);
            else free[j] = free[--left];
            if (add(side[turn], cell)) {
                won[turn]++, ply++;
                break;
            }
        }
        plies += uint64_t(ply);
    }
    tally.x_wins += won[0];
    tally.o_wins += won[1];
    tally.draws += n - won[0] - won[1];
    tally.plies += plies;
}

#if defined(__AVX2__)

// ---- Up to 16 cells: a game per 64-bit lane of a vector, all at the same ply. ----
//
// `free` is a list of nibbles in a lane: bits 4j … 4j+3 hold free[j]. A lane whose game is over plays on, uncounted.

#if defined(__AVX512DQ__)
typedef uint64_t Lanes __attribute__((vector_size(64)));
inline Lanes times(Lanes low32, int n) {  // (the plain form of this intrinsic makes GCC 12 warn)
    return Lanes(_mm512_maskz_mul_epu32(0xFF, __m512i(low32), _mm512_set1_epi64(n)));
}
inline bool any(Lanes v) { return _mm512_test_epi64_mask(__m512i(v), __m512i(v)) != 0; }
#else
typedef uint64_t Lanes __attribute__((vector_size(32)));
inline Lanes times(Lanes low32, int n) { return Lanes(_mm256_mul_epu32(__m256i(low32), _mm256_set1_epi64x(n))); }
inline bool any(Lanes v) { return !_mm256_testz_si256(__m256i(v), __m256i(v)); }
#endif

constexpr int lanes = sizeof(Lanes) / 8;

inline uint64_t sum(Lanes v) {
    uint64_t total = 0;
    for (int lane = 0; lane < lanes; lane++) total += v[lane];
    return total;
}

template <bool exact>
inline Lanes lines(const Game& g, Lanes set) {
    Lanes found{};
    for (int d = 0; d < g.directions; d++) {
        Lanes run = set;
        for (int i = 0; i < g.direction[d].steps; i++) run &= run >> g.direction[d].shift[i];
        run &= g.direction[d].starts[0];
        if (exact) {
            const Lanes longer = run & run >> g.direction[d].step;
            run &= ~(longer | longer << g.direction[d].step);
        }
        found |= run;
    }
    return found;
}

template <bool exact>
void small_games(const Start& start, uint64_t first, uint64_t n, Tally& tally) {
    const Game& g = *start.game;
    uint64_t nibbles = 0;
    for (int j = 0; j < start.free_count; j++) nibbles |= uint64_t(start.free[j]) << 4 * j;

    Lanes won[2]{}, draws{}, plies{};
    for (uint64_t i = 0; i < n; i += lanes) {
        Lanes game, alive;  // alive: -1 while the game goes on, else 0
        for (uint64_t lane = 0; lane < lanes; lane++) {
            game[lane] = first + i + lane;
            alive[lane] = i + lane < n ? ~uint64_t(0) : 0;
        }
        Lanes word = mix(start.seed) + (game * words_per_game + 1) * gamma;
        Lanes r{};
        Lanes set[2] = {Lanes{} + start.x[0], Lanes{} + start.o[0]};
        Lanes free = Lanes{} + nibbles;
        for (int ply = 0; ply < start.free_count && any(alive); ply++) {
            if (ply % plies_per_word == 0) {
                r = mix(word);
                word += plies_per_word * gamma;
            }
            const int left = start.free_count - ply;
            const Lanes low = times(r, left);
            const Lanes high = times(r >> 32, left) + (low >> 32);
            const Lanes at = high >> 32 << 2;  // 4 j
            r = high << 32 | (low & 0xFFFFFFFF);

            const Lanes cell = free >> at & 15;
            const Lanes last = free >> 4 * (left - 1) & 15;
            free ^= (cell ^ last) << at;

            const int side = (start.turn + ply) & 1;
            set[side] |= (Lanes{} + 1) << cell;
            plies -= alive;
            if (start.marks[side] + ply / 2 + 1 < g.k) continue;  // too few marks for a line
            const Lanes line = Lanes(lines<exact>(g, set[side]) != 0) & alive;
            won[side] -= line;
            alive &= ~line;
        }
        draws -= alive;
    }
    tally.x_wins += sum(won[0]);
    tally.o_wins += sum(won[1]);
    tally.draws += sum(draws);
    tally.plies += sum(plies);
}

#endif

}  // namespace

void playouts(const Start& start, uint64_t first, uint64_t n, Tally& tally) {
    const bool exact = start.game->exact, gravity = start.game->gravity;
    if (start.game->rows > 16 || start.game->columns > 16) {
        if (gravity) return (exact ? wide_games<true, true> : wide_games<false, true>)(start, first, n, tally);
        return (exact ? wide_games<true, false> : wide_games<false, false>)(start, first, n, tally);
    }
    if (gravity)
        return (exact ? large_games<true, true> : large_games<false, true>)(start, first, n, tally);
#if defined(__AVX2__)
    if (start.game->cells <= 16) return (exact ? small_games<true> : small_games<false>)(start, first, n, tally);
#endif
    (exact ? large_games<true, false> : large_games<false, false>)(start, first, n, tally);
}

}  // namespace noughts::NOUGHTS_ISA
