// The inner loops of the strong solver, built once for each instruction set (see solve/kernels.hpp for the words used).
//
// Everything is a byte-wise max or min of whole rows: a move on a high cell reads a row of the child as it stands, a
// move on a low cell reads a row and shuffles its lanes. Plain pointers, no shared inline code.
#include "solve/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

namespace noughts::NOUGHTS_ISA {
namespace {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using solve::Group, solve::Marks, solve::Override, solve::Packing, solve::Plan, solve::Turn;

// ---- a vector of lanes; pick() takes lanes by number from one vector or two, pick_or_0() gives 0 for number 255

#if defined(__AVX512VBMI__) && defined(__AVX512BW__)

constexpr u32 low_cells = 9, width = 64;  // 126 lanes at most: two vectors
using Row = __m512i;
inline Row fill(u8 code) { return _mm512_set1_epi8(char(code)); }
inline Row load(const u8* p) { return _mm512_loadu_si512(p); }
inline Row load_part(const u8* p, u32 lanes) { return _mm512_maskz_loadu_epi8((u64(1) << lanes) - 1, p); }
inline void store(u8* p, Row v) { _mm512_storeu_si512(p, v); }
inline void store_part(u8* p, Row v, u32 lanes) { _mm512_mask_storeu_epi8(p, ~u64(0) >> (64 - lanes), v); }
inline Row larger(Row a, Row b) { return _mm512_max_epu8(a, b); }
inline Row smaller(Row a, Row b) { return _mm512_min_epu8(a, b); }
inline Row plus(Row a, Row b) { return _mm512_add_epi8(a, b); }
inline Row both(Row a, Row b) { return _mm512_and_si512(a, b); }
inline Row either(Row a, Row b) { return _mm512_or_si512(a, b); }
template <int n> inline Row right(Row v) { return _mm512_srli_epi16(v, n); }
template <int n> inline Row left(Row v) { return _mm512_slli_epi16(v, n); }
inline Row pick(Row a, Row at) { return _mm512_maskz_permutexvar_epi8(~u64(0), at, a); }
inline Row pick(Row a, Row b, Row at) { return _mm512_permutex2var_epi8(a, at, b); }
inline Row pick_or_0(Row a, Row at) { return pick(a, _mm512_setzero_si512(), at); }
inline Row table16(const u8* p) {
    return _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline Row pick16(Row table, Row at) { return _mm512_shuffle_epi8(table, at); }
inline Row select(u64 bits, Row v, Row otherwise) { return _mm512_mask_mov_epi8(otherwise, bits, v); }

#else

constexpr u32 low_cells = 5, width = 16;  // 10 lanes at most: one vector
#if defined(__SSSE3__)

using Row = __m128i;
inline Row fill(u8 code) { return _mm_set1_epi8(char(code)); }
inline Row load(const u8* p) { return _mm_loadu_si128(reinterpret_cast<const Row*>(p)); }
inline void store(u8* p, Row v) { _mm_storeu_si128(reinterpret_cast<Row*>(p), v); }
inline Row larger(Row a, Row b) { return _mm_max_epu8(a, b); }
inline Row smaller(Row a, Row b) { return _mm_min_epu8(a, b); }
inline Row plus(Row a, Row b) { return _mm_add_epi8(a, b); }
inline Row both(Row a, Row b) { return _mm_and_si128(a, b); }
inline Row either(Row a, Row b) { return _mm_or_si128(a, b); }
template <int n> inline Row right(Row v) { return _mm_srli_epi16(v, n); }
template <int n> inline Row left(Row v) { return _mm_slli_epi16(v, n); }
inline Row pick_or_0(Row a, Row at) { return _mm_shuffle_epi8(a, at); }
inline Row select(u64 bits, Row v, Row otherwise) {
    const Row bit = _mm_set1_epi64x(int64_t(0x8040201008040201));
    const Row spread = _mm_shuffle_epi8(_mm_cvtsi64_si128(int64_t(bits)), _mm_set_epi64x(0x0101010101010101, 0));
    const Row mask = _mm_cmpeq_epi8(_mm_and_si128(spread, bit), bit);
    return _mm_or_si128(_mm_and_si128(mask, v), _mm_andnot_si128(mask, otherwise));
}

#else  // any machine

struct Row { u8 lane[width]; };
template <typename F> inline Row each(F f) { Row r; for (u32 i = 0; i < width; ++i) r.lane[i] = u8(f(i)); return r; }
inline Row fill(u8 code) { return each([&](u32) { return code; }); }
inline Row load(const u8* p) { Row r; __builtin_memcpy(&r, p, width); return r; }
inline void store(u8* p, Row v) { __builtin_memcpy(p, &v, width); }
inline Row larger(Row a, Row b) { return each([&](u32 i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; }); }
inline Row smaller(Row a, Row b) { return each([&](u32 i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; }); }
inline Row plus(Row a, Row b) { return each([&](u32 i) { return a.lane[i] + b.lane[i]; }); }
inline Row both(Row a, Row b) { return each([&](u32 i) { return a.lane[i] & b.lane[i]; }); }
inline Row either(Row a, Row b) { return each([&](u32 i) { return a.lane[i] | b.lane[i]; }); }
template <int n> inline Row right(Row v) { return each([&](u32 i) { return v.lane[i] >> n; }); }
template <int n> inline Row left(Row v) { return each([&](u32 i) { return v.lane[i] << n; }); }
inline Row select(u64 bits, Row v, Row otherwise) {
    return each([&](u32 i) { return bits >> i & 1 ? v.lane[i] : otherwise.lane[i]; });
}
inline Row pick_or_0(Row a, Row at) {
#if defined(__aarch64__)
    Row r;
    vst1q_u8(r.lane, vqtbl1q_u8(vld1q_u8(a.lane), vld1q_u8(at.lane)));
    return r;
#else
    return each([&](u32 i) { return at.lane[i] < width ? a.lane[at.lane[i]] : 0; });
#endif
}

#endif
[[maybe_unused]] inline Row load_part(const u8* p, u32) { return load(p); }
inline void store_part(u8* p, Row v, u32 lanes) {
    switch (lanes) {  // a copy of known length is a move or two
        case 1: __builtin_memcpy(p, &v, 1); break;
        case 2: __builtin_memcpy(p, &v, 2); break;
        case 3: __builtin_memcpy(p, &v, 3); break;
        case 4: __builtin_memcpy(p, &v, 4); break;
        case 5: __builtin_memcpy(p, &v, 5); break;
        case 6: __builtin_memcpy(p, &v, 6); break;
        case 10: __builtin_memcpy(p, &v, 10); break;
        default: __builtin_memcpy(p, &v, lanes);
    }
}
inline Row pick(Row a, Row at) { return pick_or_0(a, at); }
inline Row pick(Row a, Row, Row at) { return pick_or_0(a, at); }  // never asked for
inline Row table16(const u8* p) { return load(p); }
inline Row pick16(Row table, Row at) { return pick_or_0(table, at); }

#endif

// ---- rows of N vectors

template <u32 N> inline void store_row(u8* p, const Row (&v)[N], u32 lanes) {
    for (u32 i = 0; i + 1 < N; ++i) store(p + i * width, v[i]);
    store_part(p + (N - 1) * width, v[N - 1], lanes - (N - 1) * width);
}

template <u32 N> inline void mark_row(Row (&best)[N], const u64* line, const u64* tangle, const Override& instead) {
    for (u32 i = 0; i < N; ++i) best[i] = select(line[i], fill(instead.line_code), best[i]);
    if (tangle)
        for (u32 i = 0; i < N; ++i) best[i] = select(tangle[i], fill(instead.tangle_code), best[i]);
}

// X adds a cell: the child is another block, over the same free cells less that one.
template <u32 N, u32 CHILD>
void x_group(const Plan& plan, const Group& g, const u8* children, const Override& instead, u8* block) {
    const u32* high = g.high;
    for (u32 r = 0; r < g.rows; ++r) {
        Row best[N];
        for (u32 i = 0; i < N; ++i) best[i] = fill(plan.seed);
        for (const u32* end = high + g.highs; high != end; ++high)
            for (u32 i = 0; i < N; ++i) best[i] = larger(best[i], load(children + *high + i * width));
        const u8* child = children + g.low[r];
        const u8* lanes = g.shuffle;
        for (u32 j = 0; j < g.lows; ++j, child += plan.stride, lanes += N * width) {
            const Row a = load(child);
            if constexpr (CHILD == 1) {
                for (u32 i = 0; i < N; ++i) best[i] = larger(best[i], pick_or_0(a, load(lanes + i * width)));
            } else {
                const Row b = load_part(child + width, g.child_lanes - width);  // lane 255, its last one, is 0
                for (u32 i = 0; i < N; ++i) best[i] = larger(best[i], pick(a, b, load(lanes + i * width)));
            }
        }
        const u64* tangle = instead.tangle ? instead.tangle[g.top[r]].x : nullptr;
        if (instead.line) mark_row(best, instead.line[g.top[r]].x, tangle, instead);
        store_row(block + g.to[r], best, g.lanes);
    }
}

// O adds a cell: the child is the same block, one size larger.
template <u32 N, u32 CHILD>
void o_group(const Plan& plan, const Group& g, const u8* child, const Override& instead, u8* block) {
    const u32* high = g.high;
    for (u32 r = 0; r < g.rows; ++r) {
        Row best[N];
        for (u32 i = 0; i < N; ++i) best[i] = fill(plan.seed);
        for (const u32* end = high + g.highs; high != end; ++high)
            for (u32 i = 0; i < N; ++i) best[i] = smaller(best[i], load(child + *high + i * width));
        const Row a = load(child + g.low[r]), b = load(child + g.low[r] + (CHILD - 1) * width);
        const u8* lanes = g.shuffle;
        for (u32 j = 0; j < g.lows; ++j, lanes += N * width)
            for (u32 i = 0; i < N; ++i) {
                const Row at = load(lanes + i * width);
                best[i] = smaller(best[i], CHILD == 1 ? pick(a, at) : pick(a, b, at));
            }
        if (instead.line) mark_row(best, instead.line[g.top[r]].o, nullptr, instead);
        store_row(block + g.to[r], best, g.lanes);
    }
}

// A symmetry: a row comes from another row, its lanes from other lanes.
template <u32 N>
void turn_group(const Turn& turn, const Group& g, const u32* image, const u8* lanes, const u8* child, u8* block) {
    Row at[N];
    for (u32 i = 0; i < N; ++i) at[i] = load(lanes + i * width);
    for (u32 r = 0; r < g.rows; ++r) {
        const u8* from = child + turn.row[image[g.top[r]]];
        Row v[N];
        if constexpr (N == 1) v[0] = pick(load(from), at[0]);
        else for (u32 i = 0; i < N; ++i) v[i] = pick(load(from), load(from + width), at[i]);
        store_row(block + g.to[r], v, g.lanes);
    }
}

constexpr u32 two = width == 64 ? 2 : 1;  // rows of two vectors exist only there
inline bool wide(u32 lanes) { return two == 2 && lanes > width; }

void x_moves(const Plan& plan, const u8* children, const Override& instead, u8* block) {
    for (u32 n = 0; n < plan.groups; ++n) {
        const Group& g = plan.group[n];
        auto* group = !wide(g.lanes) ? x_group<1, 1> : wide(g.child_lanes) ? x_group<two, two> : x_group<two, 1>;
        group(plan, g, children, instead, block);
    }
}

void o_moves(const Plan& plan, const u8* child, const Override& instead, u8* block) {
    for (u32 n = 0; n < plan.groups; ++n) {
        const Group& g = plan.group[n];
        auto* group = wide(g.lanes) ? (wide(g.child_lanes) ? o_group<two, two> : o_group<two, 1>)
                                    : (wide(g.child_lanes) ? o_group<1, two> : o_group<1, 1>);
        group(plan, g, child, instead, block);
    }
}

// image[set of cells] under a map of cells to places
template <typename Set> inline void images(const u8* map, u32 cells, u32 base, Set* image) {
    image[0] = 0;
    for (u32 b = 0; b < cells; ++b) {
        const Set bit = Set(1u << (map[b] - base));
        Set* __restrict to = image + (1u << b);
        for (u32 t = 0; t < 1u << b; ++t) to[t] = image[t] | bit;
    }
}

void turn(const Turn& turn, const u8* map, const u8* child, u8* block, u32* high) {
    u16 low[2 << low_cells];
    u8 lanes[(1 << low_cells) + 2 * width] = {};
    images(map, turn.low, 0, low);
    for (u32 k = 0; k < 1u << turn.low; ++k) lanes[k] = turn.lane[low[turn.set[k]]];
    images(map + turn.low, turn.high, turn.low, high);
    for (u32 n = 0; n < turn.groups; ++n) {
        const Group& g = turn.group[n];
        (wide(g.lanes) ? turn_group<two> : turn_group<1>)(turn, g, high, lanes + g.lows, child, block);
    }
}

// ---- whole blocks

void pack(const Packing& p, const u8* block, u64 bytes, u8* packed) {
    // O's wins count up from o_first to the tie, X's from the tie: neither moves while the other does.
    const Row o_end = fill(u8(p.o_first + 2 * p.tie_kind)), x_start = fill(u8(p.x_first - 2));
    const Row origin = fill(u8(-p.o_first - (p.x_first - 2))), low = fill(15);
    auto kind = [&](const u8* at) {
        const Row v = load(at);
        return both(right<1>(plus(plus(smaller(v, o_end), larger(v, x_start)), origin)), low);
    };
    for (u64 i = 0; i < bytes; i += 128, packed += 64)
        for (u32 j = 0; j < 64; j += width)
            store(packed + j, either(kind(block + i + j), left<4>(kind(block + i + 64 + j))));
}

void unpack(const Packing& p, const u8* packed, u64 bytes, u8* block) {
    const Row code = table16(p.code), low = fill(15);
    for (u64 i = 0; i < bytes; i += 128, packed += 64, block += 128)
        for (u32 j = 0; j < 64; j += width) {
            const Row joined = load(packed + j);
            store(block + j, pick16(code, both(joined, low)));
            store(block + 64 + j, pick16(code, both(right<4>(joined), low)));
        }
}

#if defined(__AVX2__)
using Tally = __m256i;  // here 32 bytes at a time are faster than 64, which would need mask registers
inline Tally tally(Tally sum, Tally v, Tally code) { return _mm256_sub_epi8(sum, _mm256_cmpeq_epi8(v, code)); }
#else
typedef u8 Tally __attribute__((vector_size(16)));
inline Tally tally(Tally sum, Tally v, Tally code) { return sum - Tally(v == code); }
#endif

// Four codes at a time, in byte counters that are emptied before they overflow.
void count(const u8* block, u64 bytes, const u8* codes, u32 kinds, u64* counts) {
    constexpr u64 step = sizeof(Tally);
    const u64 whole = bytes / step * step;
    for (u32 first = 0; first < kinds; first += 4) {
        const u32 some = kinds - first < 4 ? kinds - first : 4;
        Tally code[4];
        for (u32 c = 0; c < 4; ++c) __builtin_memset(&code[c], codes[first + (c < some ? c : 0)], step);
        for (u64 i = 0; i < whole;) {
            const u64 end = whole - i < 255 * step ? whole : i + 255 * step;
            Tally sum[4] = {};
            for (; i < end; i += step) {
                Tally v;
                __builtin_memcpy(&v, block + i, step);
                for (u32 c = 0; c < 4; ++c) sum[c] = tally(sum[c], v, code[c]);
            }
            for (u32 c = 0; c < some; ++c) {
                u8 lanes[step];
                __builtin_memcpy(lanes, &sum[c], step);
                u32 total = 0;
                for (u32 j = 0; j < step; ++j) total += lanes[j];
                counts[first + c] += total;
            }
        }
        for (u64 i = whole; i < bytes; ++i)
            for (u32 c = 0; c < some; ++c) counts[first + c] += block[i] == codes[first + c];
    }
}

void mark(Marks* marks, const Marks* more, u32 from, u32 high) {
    for (u32 top = from; top < 1u << high; top = (top + 1) | from) {
        Marks& m = marks[top];
        const Marks& add = more[__builtin_popcount(top)];
        for (u32 i = 0; i < 2; ++i) m.x[i] |= add.x[i];
        for (u32 i = 0; i < 2; ++i) m.o[i] |= add.o[i];
    }
}

u64 unmarked(const Plan& plan, const Marks* line) {
    u64 count = plan.bytes;
    for (u32 n = 0; n < plan.groups; ++n) {
        const Group& g = plan.group[n];
        for (u32 r = 0; r < g.rows; ++r)
            for (u32 i = 0; i < 2; ++i) count -= u64(__builtin_popcountll(line[g.top[r]].o[i]));
    }
    return count;
}

}  // namespace

extern const solve::Kernels solve_kernels;
const solve::Kernels solve_kernels = {TEXT(NOUGHTS_ISA), low_cells, width,  x_moves,  o_moves, turn,
                                      pack,              unpack,    mark,   unmarked, count};

}  // namespace noughts::NOUGHTS_ISA
