// Uniformly random games, played to the end.
//
// The scheme, the same on every processor and in src/noughts/playout.py. Random play is a random order of the free
// cells, cut at the first line. Game number g of a seed draws it so, `free` being the free cells in ascending order:
//
//     for ply = 0, 1, 2, …
//         if ply % 4 == 0:  r = word 64 g + ply / 4 of the random stream     r / 2^64 is a random fraction
//         (j, r) = the high and the low 64 bits of r * len(free)             its next digit, and what remains
//         play free[j]; then free[j] = the last of free, which gets shorter by one
//
// Word i of the stream is SplitMix64's: mix(state + (i + 1) * gamma), with state = mix(seed). Four draws use up at most
// 32 of the 64 bits (256 cells), so no choice is off uniform by more than about one part in 2^32.
#include "kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace noughts::NOUGHTS_ISA {
namespace {

constexpr uint64_t gamma = 0x9E3779B97F4A7C15;
constexpr uint64_t words_per_game = 64;
constexpr int plies_per_word = 4;

template <typename V>
inline V mix(V z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

// ---- Up to 16 cells: a game per 64-bit lane; a list of free cells is 16 nibbles. ----
//
//     free    … | 5 | 4 | 2 | 1 | 0 |      bits 4j … 4j+3 hold free[j]

#if defined(__AVX512DQ__)
constexpr int lanes = 8;
typedef uint64_t V __attribute__((vector_size(64)));
inline V times(V low32, uint64_t n) { return V(_mm512_maskz_mul_epu32(0xFF, __m512i(low32), _mm512_set1_epi64(int64_t(n)))); }
#elif defined(__AVX2__)
constexpr int lanes = 4;
typedef uint64_t V __attribute__((vector_size(32)));
inline V times(V low32, uint64_t n) { return V(_mm256_mul_epu32(__m256i(low32), _mm256_set1_epi64x(int64_t(n)))); }
#else
constexpr int lanes = 1;
typedef uint64_t V;
inline V times(V low32, uint64_t n) { return uint64_t(uint32_t(low32)) * n; }
#endif

template <typename T>
inline T lines(const Geometry& g, T set) {
    T found{};
    for (int d = 0; d < g.directions; d++) {
        T run = set;
        for (int i = 0; i < g.direction[d].steps; i++) run &= run >> g.direction[d].shift[i];
        found |= run & g.direction[d].starts[0];
    }
    return found;
}

#if defined(__AVX2__)
inline V nonzero(V v) { return V(v != 0); }
#else
inline V nonzero(V v) { return 0 - V(v != 0); }
#endif

inline bool any(V v) {
#if defined(__AVX512DQ__)
    return _mm512_test_epi64_mask(__m512i(v), __m512i(v)) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256(__m256i(v), __m256i(v));
#else
    return v != 0;
#endif
}

inline uint64_t sum(V v) {
    uint64_t lane[lanes], total = 0;
    __builtin_memcpy(lane, &v, sizeof v);
    for (uint64_t value : lane) total += value;
    return total;
}

void small_games(const Start& start, uint64_t first, uint64_t n, Tally& tally) {
    const Geometry& g = *start.geometry;
    uint64_t nibbles = 0;
    for (int j = 0; j < start.free_count; j++) nibbles |= uint64_t(start.free[j]) << 4 * j;

    V won[2]{}, draws{}, plies{};
    for (uint64_t i = 0; i < n; i += lanes) {
        uint64_t index[lanes], live[lanes];
        for (uint64_t lane = 0; lane < lanes; lane++) {
            index[lane] = start.state + ((first + i + lane) * words_per_game + 1) * gamma;
            live[lane] = 0 - uint64_t(i + lane < n);
        }
        V word, alive;  // alive: all ones while the game goes on
        __builtin_memcpy(&word, index, sizeof word);
        __builtin_memcpy(&alive, live, sizeof alive);
        V set[2] = {V{} + start.x[0], V{} + start.o[0]};
        V free = V{} + nibbles;
        V r{};
        for (int ply = 0; ply < start.free_count; ply++) {
            const int left = start.free_count - ply;
            const int side = (start.turn + ply) & 1;
            if (ply % plies_per_word == 0) {
                r = mix(word);
                word += gamma;
            }
            const V low = times(r, uint64_t(left));
            const V high = times(r >> 32, uint64_t(left)) + (low >> 32);
            const V at = high >> 32 << 2;
            r = high << 32 | (low & 0xFFFFFFFF);
            const V cell = free >> at & 15;
            const V last = free >> 4 * (left - 1) & 15;
            free ^= (cell ^ last) << at;
            set[side] |= (V{} + 1) << cell;
            plies -= alive;
            if (start.marks[side] + ply / 2 + 1 < g.k) continue;
            const V line = nonzero(lines(g, set[side])) & alive;
            won[side] -= line;
            alive &= ~line;
            if (!any(alive)) break;
        }
        draws -= alive;
    }
    tally.x_wins += sum(won[0]);
    tally.o_wins += sum(won[1]);
    tally.draws += sum(draws);
    tally.plies += sum(plies);
}

// ---- Up to 16 x 16: one game at a time. Only the four lines of cells through the last move can hold a new run. ----
//
// A side keeps every row, column, diagonal and antidiagonal as 16 bits. The four through a cell make one 64-bit word
//
//     antidiagonal | diagonal | column | row
//
// in which the shifts look for k in a row; runs that cross from one quarter into the next are masked off.

struct Lines {
    uint16_t row[16], column[16], diagonal[32], antidiagonal[32];

    uint64_t add(int r, int c) {
        const unsigned by_column = 1u << c, by_row = 1u << r;
        const uint64_t w0 = row[r] |= by_column, w1 = column[c] |= by_row, w2 = diagonal[15 + r - c] |= by_column, w3 = antidiagonal[r + c] |= by_column;
        return w0 | w1 << 16 | w2 << 32 | w3 << 48;
    }
};

__extension__ typedef unsigned __int128 uint128;

void large_games(const Start& start, uint64_t first, uint64_t n, Tally& tally) {
    const Geometry& g = *start.geometry;
    struct { uint8_t row, column; } place[256];
    Lines begin[2]{};
    for (int cell = 0; cell < g.cells; cell++) {
        place[cell] = {uint8_t(cell / g.columns), uint8_t(cell % g.columns)};
        if (start.x[cell / 64] >> cell % 64 & 1) begin[0].add(place[cell].row, place[cell].column);
        if (start.o[cell / 64] >> cell % 64 & 1) begin[1].add(place[cell].row, place[cell].column);
    }
    int steps = 0, shift[4];
    for (int length = 1; length < g.k; length += shift[steps++]) shift[steps] = length <= g.k - length ? length : g.k - length;
    const uint64_t starts = ((uint64_t(1) << (17 - g.k)) - 1) * 0x0001000100010001;

    uint64_t won[2] = {0, 0}, plies = 0;
    for (uint64_t game = first; game < first + n; game++) {
        Lines side[2] = {begin[0], begin[1]};
        uint8_t free[256];
        __builtin_memcpy(free, start.free, sizeof free);
        uint64_t word = start.state + (game * words_per_game + 1) * gamma, r = 0;
        int ply = 0;
        while (ply < start.free_count) {
            const int left = start.free_count - ply;
            const int turn = (start.turn + ply) & 1;
            if (ply % plies_per_word == 0) {
                r = mix(word);
                word += gamma;
            }
            const uint128 product = uint128(r) * unsigned(left);
            const uint64_t j = uint64_t(product >> 64);
            r = uint64_t(product);
            const int cell = free[j];
            free[j] = free[left - 1];
            uint64_t run = side[turn].add(place[cell].row, place[cell].column);
            for (int i = 0; i < steps; i++) run &= run >> shift[i];
            ply++;
            if (run & starts) {
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

}  // namespace

void playouts(const Start& start, uint64_t first, uint64_t n, Tally& tally) {
    if (start.geometry->cells <= 16) small_games(start, first, n, tally);
    else large_games(start, first, n, tally);
}

}  // namespace noughts::NOUGHTS_ISA
