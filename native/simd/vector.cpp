// Boards of at most 64 cells for learners, many at a time: two sets each, of the player to move and of the other.
//
// To show sets as bytes, they are first laid end to end, so that 64 boards of c cells make whole words, and each word
// then becomes 64 bytes:
//
//     board 0            board 1            board 2 …          bits, from the lowest
//     mine    theirs     mine    theirs     mine …
//     |______________word 0______________|______word 1 …
#include "kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace noughts::NOUGHTS_ISA {
namespace {

[[maybe_unused]] constexpr uint64_t ones = 0x0101010101010101;  // where there is no AVX-512

inline void spread(uint64_t word, int8_t* bytes) {
#if defined(__AVX512BW__)
    _mm512_storeu_si512(bytes, _mm512_maskz_set1_epi8(word, 1));
#elif defined(__AVX2__)
    const __m256i copies = _mm256_setr_epi64x(0, ones, 2 * ones, 3 * ones);
    const __m256i bit = _mm256_set1_epi64x(0x8040201008040201);
    for (int half = 0; half < 2; half++, word >>= 32) {
        const __m256i found = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(int(word)), copies), bit);
        const __m256i is = _mm256_and_si256(_mm256_cmpeq_epi8(found, bit), _mm256_set1_epi8(1));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(bytes + 32 * half), is);
    }
#else
    for (int i = 0; i < 8; i++, word >>= 8) {
        const uint64_t found = (word & 255) * ones & 0x8040201008040201;  // bit j in byte j, where it is set
        const uint64_t is = (found + 0x7F * ones) >> 7 & ones;           // no byte gets above 255
        __builtin_memcpy(bytes + 8 * i, &is, 8);
    }
#endif
}

// Fields of bits laid end to end and written as bytes.
struct Stream {
    int8_t* bytes;
    uint64_t word = 0;
    int used = 0;

    void add(uint64_t bits, int size) {
        word |= bits << used;
        used += size;
        if (used < 64) return;
        spread(word, bytes);
        bytes += 64;
        used -= 64;
        word = used ? bits >> (size - used) : 0;
    }
    void end() {
        for (int i = 0; i < used; i++) bytes[i] = int8_t(word >> i & 1);
    }
};

inline uint64_t playable(const Game& game, uint64_t taken) {
    const uint64_t free = game.board & ~taken;
    return game.gravity && game.columns < 64 ? free & (taken >> game.columns | game.bottom) : free;
}

// Which columns a set has cells in, where it has at most one in each.
inline uint64_t columns_of(const Game& game, uint64_t set) {
    uint64_t found = set;
    for (int row = 1; row < game.rows; row++) found |= set >> row * game.columns;
    return game.columns < 64 ? found & ((uint64_t{1} << game.columns) - 1) : found;
}

}  // namespace

void aim(const Game& game, const uint64_t* mine, const uint64_t* theirs, const int64_t* actions, int32_t* cells,
         size_t n) {
    if (!game.gravity) {
        const uint64_t board = game.board;  // (a read of the game could be one of what was just written)
        for (size_t i = 0; i < n; i++) {
            const uint64_t action = uint64_t(actions[i]);
            const uint64_t open = (board & ~(mine[i] | theirs[i])) >> (action & 63) & (action < 64);
            cells[i] = int32_t(action | (open - 1));
        }
        return;
    }
    uint64_t column = 0;
    for (int row = 0; row < game.rows; row++) column |= uint64_t{1} << row * game.columns;
    for (size_t i = 0; i < n; i++) {
        const uint64_t action = uint64_t(actions[i]);
        const uint64_t found = playable(game, mine[i] | theirs[i]) & column << (action & 63);
        cells[i] = action < uint64_t(game.columns) && found ? __builtin_ctzll(found) : -1;
    }
}

void place(const Game& game, uint64_t* mine, uint64_t* theirs, const int32_t* cells, uint8_t* over, size_t n) {
    uint64_t own[64], found[64]{};
    for (size_t i = 0; i < n; i++) own[i] = mine[i] | (cells[i] < 0 ? 0 : uint64_t{1} << (cells[i] & 63));
    for (int d = 0; d < game.directions; d++) {
        const Direction& direction = game.direction[d];
        uint64_t run[64];
        for (size_t i = 0; i < n; i++) run[i] = own[i];
        for (int s = 0; s < direction.steps; s++) {
            const int shift = direction.shift[s];
            for (size_t i = 0; i < n; i++) run[i] &= run[i] >> shift;
        }
        const uint64_t starts = direction.starts[0];
        if (game.exact)
            for (size_t i = 0; i < n; i++) {
                run[i] &= starts;
                const uint64_t longer = run[i] & run[i] >> direction.step;
                run[i] &= ~(longer | longer << direction.step);
            }
        for (size_t i = 0; i < n; i++) found[i] |= run[i] & starts;
    }
    const uint64_t board = game.board;
    uint8_t how[64];
    for (size_t i = 0; i < n; i++) {
        const bool moved = cells[i] >= 0;
        const uint64_t other = theirs[i], full = (own[i] | other) == board;
        how[i] = uint8_t(moved ? found[i] ? 1 : 2 * full : 0);
        mine[i] = moved ? other : own[i];
        theirs[i] = moved ? own[i] : other;
    }
    __builtin_memcpy(over, how, n);
}

void show(const Game& game, const uint64_t* mine, const uint64_t* theirs, int8_t* planes, int8_t* masks, size_t n) {
    const int cells = game.cells;
    Stream plane{planes};
    if (2 * cells <= 64) {
        for (size_t i = 0; i < n; i++) plane.add(mine[i] | theirs[i] << cells, 2 * cells);
    } else {
        for (size_t i = 0; i < n; i++) plane.add(mine[i], cells), plane.add(theirs[i], cells);
    }
    plane.end();
    if (!masks) return;
    Stream mask{masks};
    if (!game.gravity) {
        for (size_t i = 0; i < n; i++) mask.add(game.board & ~(mine[i] | theirs[i]), cells);
    } else {
        for (size_t i = 0; i < n; i++)
            mask.add(columns_of(game, playable(game, mine[i] | theirs[i])), game.columns);
    }
    mask.end();
}

}  // namespace noughts::NOUGHTS_ISA
