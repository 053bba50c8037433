// Who has won, on many boards at once: one board per vector lane.
//
// The vectors are the compiler's own (GCC and Clang), 16, 32 or 64 bytes wide, so one text serves every processor;
// an intrinsic appears only where the compilers have no spelling of their own.
#include "kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace noughts::NOUGHTS_ISA {
namespace {

#if defined(__AVX512BW__)
constexpr int width = 64;
#elif defined(__AVX2__)
constexpr int width = 32;
#else
constexpr int width = 16;
#endif

// A few vectors at a time, so that the short loops over directions and steps are paid once for all of them.
constexpr int unroll = width == 64 ? 4 : 2;

template <typename Lane>
struct Vectors {
    static constexpr int lanes = width / int(sizeof(Lane));
    typedef Lane Vector __attribute__((vector_size(width)));
    typedef uint8_t Codes __attribute__((vector_size(lanes)));
};

template <typename Vector, typename Element>
inline Vector load(const Element* from) {
    Vector v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

// Non-zero lanes where the set has a line: by the shifts of kernels.hpp, on any board.
template <typename Lane, bool exact>
struct ByShifts {
    using Vector = typename Vectors<Lane>::Vector;
    const Game& game;

    void find(const Vector (&set)[2][unroll], Vector (&line)[2][unroll]) const {
        for (int s = 0; s < 2; s++)
            for (int u = 0; u < unroll; u++) line[s][u] = Vector{};
        for (int d = 0; d < game.directions; d++) {
            const Direction& direction = game.direction[d];
            Vector run[2][unroll];
            for (int s = 0; s < 2; s++)
                for (int u = 0; u < unroll; u++) run[s][u] = set[s][u];
            for (int i = 0; i < direction.steps; i++)
                for (int s = 0; s < 2; s++)
                    for (int u = 0; u < unroll; u++) run[s][u] &= run[s][u] >> direction.shift[i];
            const Lane starts = Lane(direction.starts[0]);
            for (int s = 0; s < 2; s++)
                for (int u = 0; u < unroll; u++) {
                    Vector first = run[s][u] & starts;
                    if (exact) {
                        const Vector longer = first & first >> direction.step;
                        first &= ~(longer | longer << direction.step);
                    }
                    line[s][u] |= first;
                }
        }
    }
};

#if defined(__AVX512BW__)
// The same up to 9 cells: the answers for all 512 sets fill one register, 32 words of 16 bits. Set b is asked at bit
// b >> 5 of word b & 31, in three instructions.
struct ByTable {
    using Vector = Vectors<uint16_t>::Vector;
    Vector table{};

    explicit ByTable(const Game& game) {
        Vector low;
        for (int i = 0; i < 32; i++) low[i] = uint16_t(i);
        for (uint16_t high = 0; high < 16; high += 2 * unroll) {
            Vector set[2][unroll], line[2][unroll];
            for (uint16_t i = 0; i < 2 * unroll; i++) set[i / unroll][i % unroll] = low | (Vector{} + high + i) << 5;
            if (game.exact) ByShifts<uint16_t, true>{game}.find(set, line);
            else ByShifts<uint16_t, false>{game}.find(set, line);
            for (uint16_t i = 0; i < 2 * unroll; i++)
                table |= Vector(line[i / unroll][i % unroll] != 0) & (Vector{} + 1) << (Vector{} + high + i);
        }
    }

    void find(const Vector (&set)[2][unroll], Vector (&line)[2][unroll]) const {
        for (int s = 0; s < 2; s++)
            for (int u = 0; u < unroll; u++) {
                const Vector word = Vector(_mm512_permutexvar_epi16(__m512i(set[s][u]), __m512i(table)));
                // 0 for a set with cells outside the board; a plain >> by more than the lane has bits is undefined.
                line[s][u] = Vector(_mm512_srlv_epi16(__m512i(word), __m512i(set[s][u] >> 5))) & 1;
            }
    }
};
#endif

template <typename Lane, typename Lines>
struct Judge {
    using Vector = typename Vectors<Lane>::Vector;
    using Codes = typename Vectors<Lane>::Codes;
    static constexpr int lanes = Vectors<Lane>::lanes;
    static constexpr size_t block = unroll * lanes;

    const Lines lines;
    const Lane board, x_code, o_code;
    Vector both{}, either{};  // cells that some board gives to both sides, to either side

    void judge(const Lane* x, const Lane* o, uint8_t* codes) {
        Vector set[2][unroll], line[2][unroll];
        for (int u = 0; u < unroll; u++) {
            set[0][u] = load<Vector>(x + u * lanes);
            set[1][u] = load<Vector>(o + u * lanes);
        }
        lines.find(set, line);
        for (int u = 0; u < unroll; u++) {
            const Vector taken = set[0][u] | set[1][u];
            both |= set[0][u] & set[1][u];
            either |= taken;
            const Vector x_line = Vector(line[0][u] != 0), o_line = Vector(line[1][u] != 0);
            const Vector full = Vector(taken == board);
            const Lane draw_code = draw;
            const Vector code = (x_line & x_code) | (~x_line & ((o_line & o_code) | (~o_line & full & draw_code)));
            const Codes narrow = __builtin_convertvector(code, Codes);
            __builtin_memcpy(codes + u * lanes, &narrow, sizeof narrow);
        }
    }

    void judge(const Lane* x, const Lane* o, uint8_t* codes, size_t n) {
        size_t i = 0;
        for (; i + block <= n; i += block) judge(x + i, o + i, codes + i);
        if (i == n) return;
        Lane rest_x[block]{}, rest_o[block]{};  // the rest, padded with empty boards
        uint8_t rest_codes[block];
        __builtin_memcpy(rest_x, x + i, (n - i) * sizeof(Lane));
        __builtin_memcpy(rest_o, o + i, (n - i) * sizeof(Lane));
        judge(rest_x, rest_o, rest_codes);
        __builtin_memcpy(codes + i, rest_codes, n - i);
    }

    int faults() const {
        Lane any_both = 0, any_either = 0;
        for (int i = 0; i < lanes; i++) any_both |= both[i], any_either |= either[i];
        return (any_both ? overlap : 0) | (any_either & Lane(~board) ? outside : 0);
    }
};

// Calls job with the judge for this board.
template <typename Lane, typename Job>
int with_judge(const Game& g, Job job) {
#if defined(__AVX512BW__)
    if constexpr (sizeof(Lane) == 2)
        if (g.cells <= 9) return job(Judge<Lane, ByTable>{ByTable(g), Lane(g.board), g.line_code[0], g.line_code[1]});
#endif
    if (g.exact) return job(Judge<Lane, ByShifts<Lane, true>>{{g}, Lane(g.board), g.line_code[0], g.line_code[1]});
    return job(Judge<Lane, ByShifts<Lane, false>>{{g}, Lane(g.board), g.line_code[0], g.line_code[1]});
}

template <typename Lane>
int status(const Game& g, const Lane* x, const Lane* o, uint8_t* codes, size_t n) {
    return with_judge<Lane>(g, [=](auto judge) {
        judge.judge(x, o, codes, n);
        return judge.faults();
    });
}

// ---- Planes: a byte a cell, +1 X, -1 O. First they become bits, and then boards. ----

typedef int8_t Bytes __attribute__((vector_size(width)));

// The sign bits, that of the first byte lowest.
inline uint64_t signs(Bytes v) {
#if defined(__AVX512BW__)
    return _mm512_movepi8_mask(__m512i(v));
#elif defined(__AVX2__)
    return uint32_t(_mm256_movemask_epi8(__m256i(v)));
#elif defined(__SSE2__)
    return uint32_t(_mm_movemask_epi8(__m128i(v)));
#else
    typedef uint64_t Halves __attribute__((vector_size(16)));
    const Halves bits = Halves(v) >> 7 & 0x0101010101010101;
    return bits[0] * 0x0102040810204080 >> 56 | bits[1] * 0x0102040810204080 >> 56 << 8;  // gathers 8 spread bits
#endif
}

// Turns n cells into bits, in order and without gaps, 64 a word; returns the Faults.
int pack(const int8_t* cells, size_t n, uint64_t* x, uint64_t* o) {
    Bytes bad{};
    int8_t rest[64]{};
    for (size_t i = 0; i < n; i += 64) {
        const int8_t* from = cells + i;
        if (n - i < 64) {
            __builtin_memcpy(rest, from, n - i);
            from = rest;
        }
        uint64_t xs = 0, os = 0;
        for (int part = 0; part < 64; part += width) {
            const Bytes v = load<Bytes>(from + part);
            xs |= signs(Bytes(v == 1)) << part;
            os |= signs(v) << part;
            bad |= Bytes(v > 1) | Bytes(v < -1);
        }
        x[i / 64] = xs, o[i / 64] = os;
    }
    return signs(bad) ? bad_value : 0;
}

// Boards up to 64 cells: a chunk of them at a time, cut out of the stream of bits into lanes.
template <typename Lane>
int narrow_planes(const Game& g, const int8_t* planes, uint8_t* codes, size_t n) {
    return with_judge<Lane>(g, [&](auto judge) {
        constexpr size_t chunk = 256;
        const size_t cells = size_t(g.cells);
        uint64_t x[chunk + 1], o[chunk + 1];  // 64 cells at most, and one word that the cutting may touch
        Lane xs[chunk], os[chunk];
        int faults = 0;
        for (size_t i = 0; i < n; i += chunk) {
            const size_t boards = n - i < chunk ? n - i : chunk;
            x[boards * cells / 64] = o[boards * cells / 64] = 0;
            faults |= pack(planes + i * cells, boards * cells, x, o);
            for (size_t b = 0; b < boards; b++) {
                const size_t word = b * cells / 64, bit = b * cells % 64;
                xs[b] = Lane((x[word] >> bit | x[word + 1] << 1 << (63 - bit)) & g.board);
                os[b] = Lane((o[word] >> bit | o[word + 1] << 1 << (63 - bit)) & g.board);
            }
            judge.judge(xs, os, codes + i, boards);
        }
        return faults;
    });
}

// Of the starts of runs of k, leave those of runs of exactly k. The words beyond the board are 0.
void drop_longer(uint64_t* run, int step, int words) {
    uint64_t longer[most_words];
    const int word = step / 64, bit = step % 64;
    for (int i = 0; i < words; i++) longer[i] = run[i] & (run[i + word] >> bit | run[i + word + 1] << 1 << (63 - bit));
    for (int i = words; i-- > 0;) {
        const uint64_t low = i >= word ? longer[i - word] : 0, below = i > word ? longer[i - word - 1] : 0;
        run[i] &= ~(longer[i] | low << bit | below >> 1 >> (63 - bit));
    }
}

// Has this set of more than 64 cells a line? The shifts of kernels.hpp, on many words.
bool wide_line(const Game& g, const uint64_t* set, int words) {
    uint64_t run[2 * most_words + 1];
    for (int i = words; i <= 2 * words; i++) run[i] = 0;
    uint64_t found = 0;
    for (int d = 0; d < g.directions; d++) {
        const Direction& direction = g.direction[d];
        for (int i = 0; i < words; i++) run[i] = set[i];
        for (int s = 0; s < direction.steps; s++) {
            const int word = direction.shift[s] / 64, bit = direction.shift[s] % 64;
            for (int i = 0; i < words; i++) run[i] &= run[i + word] >> bit | run[i + word + 1] << 1 << (63 - bit);
        }
        for (int i = 0; i < words; i++) run[i] &= direction.starts[i];
        if (g.exact) drop_longer(run, direction.step, words);
        for (int i = 0; i < words; i++) found |= run[i];
    }
    return found != 0;
}

int wide_planes(const Game& g, const int8_t* planes, uint8_t* codes, size_t n) {
    uint64_t x[most_words], o[most_words];
    const int words = (g.cells + 63) / 64;
    int faults = 0;
    for (size_t b = 0; b < n; b++) {
        faults |= pack(planes + b * size_t(g.cells), size_t(g.cells), x, o);
        int taken = 0;
        for (int i = 0; i < words; i++) taken += __builtin_popcountll(x[i] | o[i]);
        if (wide_line(g, x, words)) codes[b] = g.line_code[0];
        else if (wide_line(g, o, words)) codes[b] = g.line_code[1];
        else codes[b] = taken == g.cells ? draw : ongoing;
    }
    return faults;
}

}  // namespace

int status16(const Game& g, const uint16_t* x, const uint16_t* o, uint8_t* codes,
             size_t n) {
    return status(g, x, o, codes, n);
}
int status32(const Game& g, const uint32_t* x, const uint32_t* o, uint8_t* codes,
             size_t n) {
    return status(g, x, o, codes, n);
}
int status64(const Game& g, const uint64_t* x, const uint64_t* o, uint8_t* codes,
             size_t n) {
    return status(g, x, o, codes, n);
}
int status_planes(const Game& g, const int8_t* planes, uint8_t* codes, size_t n) {
    if (g.cells <= 16) return narrow_planes<uint16_t>(g, planes, codes, n);
    if (g.cells <= 32) return narrow_planes<uint32_t>(g, planes, codes, n);
    if (g.cells <= 64) return narrow_planes<uint64_t>(g, planes, codes, n);
    return wide_planes(g, planes, codes, n);
}

}  // namespace noughts::NOUGHTS_ISA
