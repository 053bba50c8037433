// The strong solver on a GPU: the same index, codes, blocks and levels as native/solve, byte for byte.
//
// A group of threads makes the blocks of one X set at a time: that of X to move (even level) in shared memory, from the
// blocks of X + c in the level above, and from it that of O to move (odd level). kernels.hpp draws a block; here too it
// is cut into rows, and the cut lies between two orbits, so that a symmetry takes low cells to low cells:
//
//      free cells of X    high | low           a set of O is T + L, T high and L low
//      place in a block   row(T) + lane(L)     row depends on T alone (|L| is what T lacks), lane on L alone
//      place in the child of c, turned         row_c(T) + lane_c(L): one table of rows and one of lanes for each c
//
// A thread keeps to a lane and takes four rows at a time: for each c one lane from its table, four rows from the other,
// and four bytes from the child. The 32 threads of a warp have lanes side by side and rows mostly in common, so what
// they read lies together. Where X completes a line with c there is no child, and nothing to read.
//
// This file is compiled when a game is solved (cuda.py). It also compiles as C++, with one thread that has one lane:
// that is how tests run it everywhere. WORDS: how many words of 32 bits hold a bit for each line.

#ifndef LANES  // else: compiled for a processor
#define LANES 32u
#define THREAD threadIdx.x
#define THREADS blockDim.x
#define BLOCK blockIdx.x
#define BLOCKS gridDim.x
#define DEVICE __device__ __forceinline__
#define KERNEL extern "C" __global__ void __launch_bounds__(1024)
#define SHARED(name) extern __shared__ __align__(16) unsigned char name[]
#define SYNC() __syncthreads()
#define ADD(where, number) atomicAdd(where, number)
#define OR(where, number) atomicOr(where, number)
#define FROM(number, far) __shfl_down_sync(~0u, number, far)  // that of the thread so many lanes on
#define UNROLL(times) _Pragma(TEXT(unroll times))
#define TEXT(words) #words
#define bits(set) unsigned(__popc(set))
#define lowest(set) unsigned(__ffs(set) - 1)
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

constexpr u32 none = ~0u;          // no such row, no such block
constexpr u32 tie = 127, unreachable = 255;
constexpr int most_cells = 28, most_low = 10, most_lines = 96, quad = 4;

// ---- what the host hands over: words only, in the order of cuda.py

struct Board {
    u32 cells, symmetries, orbits, exact;
    u32 orbit_end[most_cells];
    u32 inverse[8];                                // the symmetry that undoes each
    u32 map[8][most_cells];                        // cell -> cell
    u32 image[8][3][1024];                         // set -> set, ten cells at a time
    u32 line[most_lines];
    u32 through[most_cells][3];                    // the lines through a cell, a bit each
    u32 binomial[most_cells][16];                  // binomial(n, k)
    u32 low_set[(2 << most_low)];                  // [2^low - 1 …] the sets of `low` cells, by size, then ascending
    u32 low_rank[1 << most_low];                   // the place of a set among those of its size
};

struct Step {
    u32 x, free;                                   // X's cells, and those it leaves free
    u32 has_even, has_odd, has_children;           // levels 2x, 2x - 1, 2x + 1
    u32 even_bytes, odd_bytes;                     // of a block
    u32 above_stride, below_stride;                // from one waiting block to the next
    u32 pack_below;                                // two codes in a byte
    u32 has_lines;                                 // has O enough cells for one?
    u32 decides;                                   // does completing a line win?
    u32 x_completes, o_completes;                  // codes: with mark 2x + 1, with mark 2x
    u32 even_seed, odd_seed;                       // where there is no move
    u32 kind_code[16];                             // of the level above, where two codes share a byte
    u32 o_first, x_first, tie_kind;                // of the level below
    u32 most_low, slots;                           // low cells; rows at a time
    u32 at_even, at_odd, at_lanes, at_rows, at_masks, at_top, at_to, at_own, at_open, at_counts;  // in shared memory
};

// ---- what the threads of a group share of the block at work

struct Group {                                     // rows with equally many cells in T
    u32 size;                                      // of L
    u32 lanes, rows, first, end;                   // slots of its rows, those at the end empty: whole quads
    u32 entry;                                     // of its first lane in tables of all low sets
};

struct Block {
    u32 x, low, high, weight, groups;
    u32 wins;                                      // places with which X completes a line
    u32 live[WORDS];                               // lines that X leaves free
    u32 cell[most_cells];                          // place -> cell
    u32 through[most_cells][WORDS];                // place -> lines
    u32 entry[most_cells], image[most_cells];      // place that X takes -> what the finder says, where X is then
    const u8* base[most_cells];                    // the block of that child
    u8 map[most_cells][most_cells];                // [place that X takes][place] -> place in the child
    u16 lut[most_cells][2][32];                    // the same for sets of low cells, five at a time
    Group group[most_low + 1];
    u32 binomial[most_cells][16];
    u8 low_rank[1 << most_low];
};

constexpr unsigned block_room = 9216;  // as in cuda.py
static_assert(sizeof(Block) <= block_room, "the tables of a block come after it");

struct alignas(16) Four { u32 at[quad]; };

DEVICE u32 image(const Board& board, u32 set, u32 s) {
    return board.image[s][0][set & 1023] | board.image[s][1][set >> 10 & 1023] | board.image[s][2][set >> 20];
}

// The place of a set among all of its size.
DEVICE u32 colex(const u32 (*binomial)[16], u32 set) {
    u32 rank = 0;
    for (u32 i = 1; set; set &= set - 1) rank += binomial[lowest(set)][i++];
    return rank;
}

// Where the row of T lies in a block of sets of `size`, `low` cells lying below.
DEVICE u32 row_at(const Block& b, u32 low, u32 top, u32 size) {
    u32 at = 0;
    for (u32 i = size - bits(top) + 1; top; top &= top - 1) at += b.binomial[low + lowest(top)][i++];
    return at;
}

// The set of `size` out of `cells` with so many before it.
DEVICE u32 unrank(const Block& b, u32 rank, u32 size, u32 cells) {
    u32 set = 0;
    for (u32 at = cells; size; size--) {
        do at--;
        while (b.binomial[at][size] > rank);
        rank -= b.binomial[at][size];
        set |= 1u << at;
    }
    return set;
}

// Copy what every block needs.
DEVICE void begin(const Board& board, Block& b) {
    for (u32 i = THREAD; i < most_cells * 16; i += THREADS) b.binomial[i / 16][i % 16] = board.binomial[i / 16][i % 16];
    for (u32 i = THREAD; i < 1 << most_low; i += THREADS) b.low_rank[i] = u8(board.low_rank[i]);
}

// Take up an X set: its free cells, how many of them are low, and O's lines among them.
DEVICE void take(const Board& board, const Step& step, Block& b, u32 x, bool cut_at_orbit) {
    const u32 free = ((1u << board.cells) - 1) & ~x;
    for (u32 cell = THREAD; cell < board.cells; cell += THREADS)
        if (free >> cell & 1) {
            const u32 place = bits(free & ((1u << cell) - 1));
            b.cell[place] = cell;
            for (u32 w = 0; w < WORDS; w++) b.through[place][w] = board.through[cell][w];
        }
    if (THREAD == THREADS - 1) {
        u32 low = 0, fixing = 0;
        for (u32 i = 0; i < board.orbits && cut_at_orbit; i++) {
            const u32 count = bits(free & ((1u << board.orbit_end[i]) - 1));
            if (count <= step.most_low) low = count;
        }
        if (!cut_at_orbit) low = step.free < step.most_low ? step.free : step.most_low;
        for (u32 s = 0; s < board.symmetries; s++) fixing += image(board, x, s) == x;
        b.x = x, b.low = low, b.high = step.free - low, b.weight = board.symmetries / fixing, b.wins = 0;
    }
    if (THREAD == 0)
        for (u32 w = 0; w < WORDS; w++) {
            u32 live = 0;
            for (u32 i = 0; i < 32 && w * 32 + i < most_lines; i++)
                live |= u32(board.line[w * 32 + i] && !(board.line[w * 32 + i] & x)) << i;
            b.live[w] = live;
        }
}

// O's lines that a low set does not break, for every low set.
DEVICE void mask_lines(const Board& board, const Block& b, u32* masks) {
    const u32 entries = 1u << b.low;
    for (u32 e = THREAD; e < entries; e += THREADS) {
        const u32 set = board.low_set[entries - 1 + e];
        for (u32 w = 0; w < WORDS; w++) {
            u32 broken = 0;
            for (u32 left = ~set & (entries - 1); left; left &= left - 1) broken |= b.through[lowest(left)][w];
            masks[w * entries + e] = b.live[w] & ~broken;
        }
    }
}

// The groups of the sets of `size`.
DEVICE void group_rows(Block& b, u32 size) {
    const u32 least = size > b.high ? size - b.high : 0, most = size < b.low ? size : b.low;
    for (u32 n = THREAD; n <= most - least; n += THREADS) {
        u32 first = 0, entry = 0;
        for (u32 i = 0; i < least + n; i++) {
            entry += b.binomial[b.low][i];
            if (i >= least) first += (b.binomial[b.high][size - i] + quad - 1) / quad * quad;
        }
        const u32 i = least + n, rows = b.binomial[b.high][size - i];
        b.group[n] = {i, b.binomial[b.low][i], rows, first, first + (rows + quad - 1) / quad * quad, entry};
    }
    if (THREAD == 0) b.groups = most - least + 1;
}

// O's set as cells of the board.
DEVICE u32 cells_of(const Block& b, u32 low_set, u32 top) {
    u32 set = 0;
    for (u32 left = low_set; left; left &= left - 1) set |= 1u << b.cell[lowest(left)];
    for (u32 left = top; left; left &= left - 1) set |= 1u << b.cell[b.low + lowest(left)];
    return set;
}

// What O's lines make of a set: 0 open, else the code of a set that one move has completed, or that cannot arise.
DEVICE u32 judge(const Board& board, const Block& b, const u32* lines, const u32* open_bits, const u32* won_bits,
                 u32 low_set, u32 top, u32 completed) {
    u32 shared = none;
    for (u32 w = 0; w < WORDS; w++)
        for (u32 left = lines[w]; left; left &= left - 1) shared &= board.line[w * 32 + lowest(left)];
    if (shared == none) return 0;
    if (!board.exact) return shared ? completed : unreachable;
    const u32 set = cells_of(b, low_set, top);  // a longer run may have swallowed the line
    if (open_bits[set / 32] >> set % 32 & 1) return 0;
    return won_bits[set / 32] >> set % 32 & 1 ? completed : unreachable;
}

// For all sets of `size`: prepare(slots) makes the tables of some rows, visit(group, slot, lane) takes four of them.
template <typename Prepare, typename Visit>
DEVICE void each_quad(const Step& step, Block& b, u8* shared, u32 size, Prepare prepare, Visit visit) {
    u32* const tops = (u32*)(shared + step.at_top);
    u32* const opens = (u32*)(shared + step.at_open);
    const u32 most = step.slots, total = b.group[b.groups - 1].end;
    for (u32 begin = 0; begin < total; begin += most) {
        const u32 slots = total - begin < most ? total - begin : most;
        for (u32 slot = THREAD; slot < slots; slot += THREADS) {
            u32 g = 0;
            while (begin + slot >= b.group[g].end) g++;
            const u32 row = begin + slot - b.group[g].first;
            const u32 top = row < b.group[g].rows ? unrank(b, row, size - b.group[g].size, b.high) : none;
            tops[slot] = top;
            if (top == none) continue;
            for (u32 w = 0; w < WORDS && step.has_lines; w++) {
                u32 broken = 0;
                for (u32 left = ~top & ((1u << b.high) - 1); left; left &= left - 1)
                    broken |= b.through[b.low + lowest(left)][w];
                opens[w * most + slot] = ~broken;
            }
        }
        SYNC();
        prepare(slots);
        SYNC();
        u32 g = 0;
        for (u32 at = THREAD / LANES * LANES;; at += THREADS) {  // all quads of a group, lane by lane
            u32 first = 0, pairs = 0;
            for (; g < b.groups; g++) {
                const Group& group = b.group[g];
                first = group.first > begin ? group.first : begin;
                const u32 end = group.end < begin + slots ? group.end : begin + slots;
                pairs = end > first ? (end - first) / quad * group.lanes : 0;
                const u32 whole = (pairs + LANES - 1) / LANES * LANES;
                if (at < whole) break;
                at -= whole;
            }
            if (g == b.groups) break;
            const u32 pair = at + THREAD % LANES, lanes = b.group[g].lanes;
            if (pair < pairs) visit(b.group[g], first - begin + pair / lanes * quad, pair % lanes);
        }
        SYNC();
    }
}

// Positions by how the game ends, and the sum of place * code: what the threads have seen of a level.
struct Tally {
    u32* counts;      // [slot][lane]
    u32 level;
    u64 codes, placed, total;

    DEVICE void see(u32 code, u32 place, u32 weight) {
        codes += code, placed += u64(code) * (place + 1);
        if (code == unreachable) return;
        const u32 slot = code == tie ? 0 : (code > tie ? 254 - code : code) - level + 1;
        ADD(&counts[slot * LANES + THREAD % LANES], weight);
    }
    DEVICE void end_block(u64 first) { total += placed + first * codes, codes = placed = 0; }
};

DEVICE void hand_over(const Tally& tally, u32 slots, u64* counts, u64* sum) {
    for (u32 slot = THREAD; slot < slots; slot += THREADS) {
        u64 found = 0;
        for (u32 lane = 0; lane < LANES; lane++) found += tally.counts[slot * LANES + lane];
        if (found) ADD(&counts[slot], found);
    }
    u64 total = tally.total;
    for (u32 far = LANES / 2; far; far /= 2) total += FROM(total, far);
    if (THREAD % LANES == 0) ADD(sum, total);
}

// A code of a waiting block: a byte, or half of one (then the number of its kind).
template <bool packed>
DEVICE int waiting(const u8* block, u32 place) {
    return packed ? block[place / 2] >> place % 2 * 4 & 15 : block[place];
}

DEVICE u32 kind_of(const Step& step, u32 code) {
    if (code == tie) return step.tie_kind;
    return (code < tie ? (code - step.o_first) / 2 : step.tie_kind + 1 + (code - step.x_first) / 2) & 15;
}

// ---- X's moves

// The blocks that X's moves lead to, and the table of lanes.
DEVICE void find_children(const Board& board, const Step& step, Block& b, const u32* finder, const u8* above,
                          u8* lanes) {
    for (u32 c = THREAD; c < step.free; c += THREADS) {
        const u32 next = b.x | 1u << b.cell[c], found = finder[colex(board.binomial, next)];
        b.entry[c] = found;
        if (found == none) OR(&b.wins, 1u << c);
        else b.image[c] = image(board, next, found % 8);
    }
    SYNC();
    for (u32 e = THREAD; e < step.free * step.free; e += THREADS) {
        const u32 c = e / step.free, place = e % step.free;
        if (b.wins >> c & 1) continue;
        if (place == c) b.base[c] = above + u64(b.entry[c] / 8) * step.above_stride;
        const u32 to = board.map[b.entry[c] % 8][b.cell[place]];
        b.map[c][place] = u8(bits(~b.image[c] & ((1u << to) - 1)));
    }
    SYNC();
    for (u32 e = THREAD; e < step.free * 64; e += THREADS) {
        const u32 c = e / 64, half = e / 32 % 2;
        if (b.wins >> c & 1) continue;
        u32 set = 0;
        for (u32 left = e % 32; left; left &= left - 1) {
            const u32 place = half * 5 + lowest(left);
            if (place < b.low && place != c) set |= 1u << b.map[c][place];
        }
        b.lut[c][half][e % 32] = u16(set);
    }
    SYNC();
    const u32 entries = 1u << b.low;
    for (u32 e = THREAD; e < step.free * entries; e += THREADS) {
        const u32 c = e >> b.low, set = board.low_set[entries - 1 + (e & (entries - 1))];
        if (!(b.wins >> c & 1) && !(c < b.low && set >> c & 1))
            lanes[e] = b.low_rank[b.lut[c][0][set & 31] | b.lut[c][1][set >> 5]];
    }
}

template <bool packed>
DEVICE void x_moves(const Board& board, const Step& step, Block& b, u8* shared, const u32* open_bits,
                    const u32* won_bits, u8* saved, Tally& tally) {
    u8* const even = shared + step.at_even;
    const u8* const lanes = shared + step.at_lanes;
    u32* const rows = (u32*)(shared + step.at_rows);
    const u32* const masks = (const u32*)(shared + step.at_masks);
    const u32* const tops = (const u32*)(shared + step.at_top);
    u32* const to = (u32*)(shared + step.at_to);
    const u32* const opens = (const u32*)(shared + step.at_open);
    const u32 entries = 1u << b.low, most = step.slots;
    const u32 low_wins = b.wins & (entries - 1), high_wins = b.wins >> b.low, all = (1u << step.free) - 1;

    const auto prepare = [&](u32 slots) {
        for (u32 slot = THREAD; slot < slots; slot += THREADS)
            if (tops[slot] != none) to[slot] = row_at(b, b.low, tops[slot], step.x);
        for (u32 e = THREAD; e < step.free * slots && step.has_children; e += THREADS) {
            const u32 c = e / slots, slot = e % slots, top = tops[slot];
            if (b.wins >> c & 1) continue;
            u32 at = none;
            if (top != none && !(c >= b.low && top >> (c - b.low) & 1) && !(step.decides && high_wins & ~top)) {
                u32 mapped = 0;
                for (u32 left = top; left; left &= left - 1) mapped |= 1u << b.map[c][b.low + lowest(left)];
                at = row_at(b, 0, mapped, step.x);
            }
            rows[c * most + slot] = at;
        }
    };
    const auto visit = [&](const Group& group, u32 slot, u32 lane) {
        const u32 entry = group.entry + lane, set = board.low_set[entries - 1 + entry];
        int best[quad];
        u32 code[quad];
        u32 live = 0, left = 0;  // the rows where children are looked at, and the cells to try there
        for (u32 q = 0; q < quad; q++) {
            const u32 top = tops[slot + q];
            best[q] = -1, code[q] = 0;
            if (top == none) continue;
            const bool completes = low_wins & ~set || high_wins & ~top;
            code[q] = completes ? step.x_completes : step.has_children ? 0 : step.even_seed;
            live |= u32(step.has_children && !(completes && step.decides)) << q;
            if (!step.has_lines) continue;
            u32 lines[WORDS], any = 0;
            for (u32 w = 0; w < WORDS; w++)
                any |= lines[w] = masks[w * entries + entry] & opens[w * most + slot + q];
            if (!any) continue;
            const u32 judged = judge(board, b, lines, open_bits, won_bits, set, top, step.o_completes);
            if (judged) code[q] = judged, live &= ~(1u << q);
        }
        for (u32 q = 0; q < quad; q++) left |= live >> q & 1 ? ~tops[slot + q] : 0;
        left = ((left << b.low & ~(entries - 1)) | (live ? ~set & (entries - 1) : 0)) & ~b.wins & all;
        for (; left; left &= left - 1) {
            const u32 c = lowest(left);
            const Four row = *(const Four*)&rows[c * most + slot];
            const u8* const child = b.base[c];
            const u32 own = lanes[(c << b.low) + entry];
            UNROLL(4)
            for (u32 q = 0; q < quad; q++)
                if (row.at[q] != none) {
                    const int found = waiting<packed>(child, row.at[q] + own);
                    best[q] = found > best[q] ? found : best[q];
                }
        }
        for (u32 q = 0; q < quad; q++) {
            if (tops[slot + q] == none) continue;
            const u32 place = to[slot + q] + lane;
            u32 found = best[q] < 0 ? 0 : packed ? step.kind_code[best[q]] : u32(best[q]);
            found = live >> q & 1 && found > code[q] ? found : code[q];
            even[place] = u8(found);
            if (saved) saved[place] = u8(found);
            tally.see(found, place, b.weight);
        }
    };
    each_quad(step, b, shared, step.x, prepare, visit);
}

// ---- O's moves

// The codes go to `waits`, or where two share a byte to shared memory first.
DEVICE void o_moves(const Board& board, const Step& step, Block& b, u8* shared, const u32* open_bits,
                    const u32* won_bits, u8* waits, u8* saved, Tally& tally) {
    u32* const pairs = (u32*)(shared + step.at_odd);
    const u8* const even = shared + step.at_even;
    u32* const rows = (u32*)(shared + step.at_rows);
    const u32* const masks = (const u32*)(shared + step.at_masks);
    const u32* const tops = (const u32*)(shared + step.at_top);
    u32* const to = (u32*)(shared + step.at_to);
    u32* const own = (u32*)(shared + step.at_own);
    const u32* const opens = (const u32*)(shared + step.at_open);
    const u32 entries = 1u << b.low, most = step.slots;

    const auto prepare = [&](u32 slots) {
        for (u32 e = THREAD; e < (b.high + 2) * slots; e += THREADS) {
            const u32 p = e / slots, slot = e % slots, top = tops[slot];
            if (p == b.high) to[slot] = top == none ? none : row_at(b, b.low, top, step.x - 1);
            else if (p > b.high) own[slot] = top == none ? none : row_at(b, b.low, top, step.x);
            else rows[p * most + slot] = top >> p & 1 ? none : row_at(b, b.low, top | 1u << p, step.x);  // none: all
        }
    };
    const auto visit = [&](const Group& group, u32 slot, u32 lane) {
        const u32 entry = group.entry + lane, set = board.low_set[entries - 1 + entry];
        u32 best[quad], live = 0, left = 0;
        for (u32 q = 0; q < quad; q++) {
            best[q] = step.has_even ? 255 : step.odd_seed;
            if (tops[slot + q] == none) continue;
            live |= 1u << q;
            if (!step.has_lines) continue;
            u32 lines[WORDS], any = 0;
            for (u32 w = 0; w < WORDS; w++)
                any |= lines[w] = masks[w * entries + entry] & opens[w * most + slot + q];
            if (any && judge(board, b, lines, open_bits, won_bits, set, tops[slot + q], unreachable))
                live &= ~(1u << q);
        }
        if (live && step.has_even) {
            for (u32 q = 0; q < quad; q++) left |= live >> q & 1 ? ~tops[slot + q] : 0;
            for (left &= (1u << b.high) - 1; left; left &= left - 1) {
                const Four row = *(const Four*)&rows[lowest(left) * most + slot];
                UNROLL(4)
                for (u32 q = 0; q < quad; q++)
                    if (row.at[q] != none) {
                        const u32 found = even[row.at[q] + lane];
                        best[q] = found < best[q] ? found : best[q];
                    }
            }
            const Four row = *(const Four*)&own[slot];
            for (left = ~set & (entries - 1); left; left &= left - 1) {
                const u32 up = b.low_rank[set | (left & -left)];
                UNROLL(4)
                for (u32 q = 0; q < quad; q++)
                    if (row.at[q] != none) {
                        const u32 found = even[row.at[q] + up];
                        best[q] = found < best[q] ? found : best[q];
                    }
            }
        }
        for (u32 q = 0; q < quad; q++) {
            if (tops[slot + q] == none) continue;
            const u32 place = to[slot + q] + lane;
            const u32 code = live >> q & 1 ? best[q] : unreachable;
            if (step.pack_below) OR(&pairs[place / 8], kind_of(step, code) << place % 8 * 4);
            else waits[place] = u8(code);
            if (saved) saved[place] = u8(code);
            tally.see(code, place, b.weight);
        }
    };
    each_quad(step, b, shared, step.x - 1, prepare, visit);
}

// ---- the kernels

// Solve the X sets first … first + count - 1 of a level. counts: 32 words for the even level, 32 for the odd one; sums:
// a word each. saved_even and saved_odd, unless null, receive the blocks one after the other.
template <bool packed>
DEVICE void solve(u8* shared, const Board* board, const Step* step_, const u32* open, const u32* finder,
                  const u32* open_bits, const u32* won_bits, const u8* above, u8* below, u8* saved_even, u8* saved_odd,
                  u64 first, u64 count, u64* counts, u64* sums) {
    Block& b = *(Block*)shared;
    const Step& step = *step_;
    u32* const seen = (u32*)(shared + step.at_counts);
    const u32 even_slots = board->cells - 2 * step.x + 2, odd_slots = even_slots + 1;  // used only where there is one
    Tally even = {seen, 2 * step.x, 0, 0, 0}, odd = {seen + even_slots * LANES, 2 * step.x - 1, 0, 0, 0};
    for (u32 i = THREAD; i < (even_slots + odd_slots) * LANES; i += THREADS) seen[i] = 0;
    begin(*board, b);
    for (u64 n = BLOCK; n < count; n += BLOCKS) {
        const u64 number = first + n;
        SYNC();
        take(*board, step, b, open[number], true);
        SYNC();
        if (step.has_lines) mask_lines(*board, b, (u32*)(shared + step.at_masks));
        if (step.has_even) {
            group_rows(b, step.x);
            if (step.has_children) find_children(*board, step, b, finder, above, shared + step.at_lanes);
            SYNC();
            x_moves<packed>(*board, step, b, shared, open_bits, won_bits,
                            saved_even ? saved_even + n * step.even_bytes : nullptr, even);
            even.end_block(number * step.even_bytes);
        }
        if (!step.has_odd) continue;
        for (u32 i = THREAD; i < (step.odd_bytes + 7) / 8 && step.pack_below; i += THREADS)
            ((u32*)(shared + step.at_odd))[i] = 0;
        group_rows(b, step.x - 1);
        SYNC();
        u8* const waits = below + number * step.below_stride;
        o_moves(*board, step, b, shared, open_bits, won_bits, waits,
                saved_odd ? saved_odd + n * step.odd_bytes : nullptr, odd);
        odd.end_block(number * step.odd_bytes);
        if (!step.pack_below) continue;
        for (u32 at = THREAD; at < step.below_stride; at += THREADS) waits[at] = shared[step.at_odd + at];
    }
    SYNC();
    if (step.has_even) hand_over(even, even_slots, counts, sums);
    if (step.has_odd) hand_over(odd, odd_slots, counts + 32, sums + 1);
}

#define PARAMETERS                                                                                                  \
    const Board *board, const Step *step, const u32 *open, const u32 *finder, const u32 *open_bits,                 \
        const u32 *won_bits, const u8 *above, u8 *below, u8 *saved_even, u8 *saved_odd, u64 first, u64 count,       \
        u64 *counts, u64 *sums
#define ARGUMENTS                                                                                                   \
    board, step, open, finder, open_bits, won_bits, above, below, saved_even, saved_odd, first, count, counts, sums

KERNEL solve_bytes(PARAMETERS) {
    SHARED(shared);
    solve<false>(shared, ARGUMENTS);
}
KERNEL solve_packed(PARAMETERS) {
    SHARED(shared);
    solve<true>(shared, ARGUMENTS);
}

// Count the positions in which X has just won: for each X set that has, O's open ones.
KERNEL count_won(const Board* board, const Step* step, const u32* won, const u32* open_bits, const u32* won_bits,
                      u64 count, u64* found) {
    SHARED(shared);
    Block& b = *(Block*)shared;
    const u32* const masks = (const u32*)(shared + step->at_masks);
    const u32* const tops = (const u32*)(shared + step->at_top);
    const u32* const opens = (const u32*)(shared + step->at_open);
    begin(*board, b);
    u64 total = 0;
    for (u64 n = BLOCK; n < count; n += BLOCKS) {
        SYNC();
        take(*board, *step, b, won[n], false);
        SYNC();
        mask_lines(*board, b, (u32*)(shared + step->at_masks));
        group_rows(b, step->x - 1);
        SYNC();
        const u32 entries = 1u << b.low, most = step->slots;
        u32 seen = 0;
        const auto visit = [&](const Group& group, u32 slot, u32 lane) {
                const u32 entry = group.entry + lane;
            for (u32 q = 0; q < quad; q++) {
                if (tops[slot + q] == none) continue;
                u32 lines[WORDS], any = 0;
                for (u32 w = 0; w < WORDS && step->has_lines; w++)
                    any |= lines[w] = masks[w * entries + entry] & opens[w * most + slot + q];
                if (any)
                    any = judge(*board, b, lines, open_bits, won_bits, board->low_set[entries - 1 + entry],
                                tops[slot + q], unreachable);
                seen += !any;
            }
        };
        each_quad(*step, b, shared, step->x - 1, [](u32) {}, visit);
        total += u64(seen) * b.weight;
    }
    for (u32 far = LANES / 2; far; far /= 2) total += FROM(total, far);
    if (THREAD % LANES == 0 && total) ADD(found, total);
}

// Enter the blocks of a level into the finder: all images of an X set, number * 8 + the symmetry that leads back.
KERNEL enter(const Board* board, const u32* open, u64 count, u32* finder) {
    for (u64 n = u64(BLOCK) * THREADS + THREAD; n < count; n += u64(BLOCKS) * THREADS)
        for (u32 s = board->symmetries; s-- > 0;)  // the identity last: it wins where several symmetries do
            finder[colex(board->binomial, image(*board, open[n], s))] = u32(n * 8 + board->inverse[s]);
}

// Blocks of codes as they wait, two in a byte.
KERNEL pack(const Step* step, const u8* codes, u64 count, u8* waits) {
    const u64 bytes = count * step->below_stride;
    for (u64 n = u64(BLOCK) * THREADS + THREAD; n < bytes; n += u64(BLOCKS) * THREADS) {
        const u32 at = u32(n % step->below_stride);
        const u8* const block = codes + n / step->below_stride * step->odd_bytes;
        const u32 other = 2 * at + 1 < step->odd_bytes ? kind_of(*step, block[2 * at + 1]) : 0;
        waits[n] = u8(kind_of(*step, block[2 * at]) | other << 4);
    }
}
