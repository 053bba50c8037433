#include "connect.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace noughts {

ScoreTable::ScoreTable(int bits) : bits_(bits), memory_(sizeof(Word) << bits) {
    words_ = new (memory_.data()) Word[size_t{1} << bits];  // all 0
}

bool ScoreTable::find(uint64_t hash, Bounds& bounds) const {
    const Word* const words = bucket(hash);
    for (int i = 0; i < ways; i++) {
        const uint64_t word = words[i].load(std::memory_order_relaxed);
        if ((word & ~about) != tag(hash) || !word) continue;
        bounds = {int(word >> 6 & 63) - offset, int(word & 63) - offset};
        return true;
    }
    return false;
}

void ScoreTable::keep(uint64_t hash, Bounds bounds, uint64_t work) {
    Word* const words = bucket(hash);
    const uint64_t made = tag(hash) | uint64_t(std::bit_width(work)) << 12 | uint64_t(bounds.lower + offset) << 6 |
                          uint64_t(bounds.upper + offset);
    int least = 0;
    uint64_t least_work = ~uint64_t{0};
    for (int i = 0; i < ways; i++) {
        const uint64_t word = words[i].load(std::memory_order_relaxed);
        if (word && (word & ~about) == tag(hash)) {
            least = i;
            break;
        }
        const uint64_t its_work = word ? (word >> 12 & 63) + 1 : 0;
        if (its_work < least_work) least = i, least_work = its_work;
    }
    words[least].store(made, std::memory_order_relaxed);
}

void ScoreTable::clear() {
    for (size_t i = 0; i < size_t{1} << bits_; i++) words_[i].store(0, std::memory_order_relaxed);
}

namespace {

using Bits = uint64_t;

constexpr Bits bottom_of(int columns, int high) {
    Bits bottom = 0;
    for (int column = 0; column < columns; column++) bottom |= Bits{1} << column * high;
    return bottom;
}

// The rows whose free cells, themselves included, are even in number up to the top.
constexpr Bits pairs_of(int rows, Bits bottom) {
    Bits pairs = 0;
    for (int row = rows % 2; row < rows; row += 2) pairs |= bottom << row;
    return pairs;
}

// Connect Four itself: all numbers are known to the compiler.
struct Standard {
    static constexpr int rows = 6, columns = 7, k = 4, high = rows + 1, cells = rows * columns;
    static constexpr bool exact = false;
    static constexpr Bits bottom = bottom_of(columns, high), full = bottom * ((1 << rows) - 1);
    static constexpr Bits pairs = pairs_of(rows, bottom);

    explicit Standard(const Game&) {}
    static bool is(const Game& g) { return g.rows == rows && g.columns == columns && g.k == k && !g.exact; }

    // The cells that would complete a line if they joined the set.
    static Bits completing(Bits set) {
        Bits found = set << 1 & set << 2 & set << 3;
        for (const int step : {high - 1, high, high + 1}) {
            const Bits before = set << step & set << 2 * step, after = set >> step & set >> 2 * step;
            found |= before & (set << 3 * step | set >> step);
            found |= after & (set >> 3 * step | set << step);
        }
        return found;
    }

    static bool has_line(Bits set) {
        Bits found = 0;
        for (const int step : {1, high - 1, high, high + 1}) {
            const Bits two = set & set >> step;
            found |= two & two >> 2 * step;
        }
        return found;
    }
};

// Any other board.
struct AnyBoard {
    const int rows, columns, k, high, cells;
    const bool exact;
    const Bits bottom, full, pairs;

    explicit AnyBoard(const Game& g)
        : rows(g.rows), columns(g.columns), k(g.k), high(g.rows + 1), cells(g.cells), exact(g.exact),
          bottom(bottom_of(columns, high)), full(bottom * ((Bits{1} << rows) - 1)), pairs(pairs_of(rows, bottom)) {}

    Bits completing(Bits set) const {
        Bits found = 0;
        for (const int step : {1, high - 1, high, high + 1}) {
            if (step > 1 && columns < k) break;  // lines only stand; and on a single column a step may be a whole word
            Bits before[64], after[64];  // the cells that have so many of the set right before, right after them
            before[0] = after[0] = full;
            for (int i = 1; i < k + exact; i++) {
                before[i] = (before[i - 1] & set) << step & full;
                after[i] = (after[i - 1] & set) >> step & full;
            }
            for (int i = 0; exact && i + 1 < k + exact; i++) before[i] &= ~before[i + 1], after[i] &= ~after[i + 1];
            for (int i = 0; i < k; i++) found |= before[i] & after[k - 1 - i];
        }
        return found;
    }

    bool has_line(Bits set) const { return completing(set) & set; }
};

struct LimitReached {};

// What the threads of a search share.
struct Shared {
    ScoreTable& table;
    const uint64_t limit;
    const Poll& poll;
    std::atomic<uint64_t>& nodes;
    std::atomic<bool> stop{false};
};

constexpr int most_columns = 32;  // of one row
constexpr int to_mirror = 16;     // marks: with fewer, a position and its mirror image are one
constexpr int few_left = 7;       // free cells: with fewer, looking for the children in the table takes too long

// `wins`: who completes a line wins. In misere they lose.
template <typename Board, bool wins>
class Searcher {
  public:
    Searcher(const Game& game, Shared& shared, int thread) : board(game), shared(shared), thread(thread) {
        // From the centre out; each thread turns it a little, so that they do not all do the same.
        for (int i = 0; i < board.columns; i++) {
            const int turned = (i + thread) % board.columns;
            const int out = (turned + 1) / 2;
            order[i] = (board.columns - 1) / 2 + (turned % 2 ? out : -out);
        }
    }

    // The score of a position with n marks.
    int score(Bits me, Bits op, int n) {
        if (n == board.cells) return 0;
        const Bits open = open_cells(me | op);
        Node node{me, op, 0, open, key(me, me | op, n), 0};
        if constexpr (wins) {
            if (open & board.completing(me)) return won_at(n + 1);
            node.spots = board.completing(op) & board.full & ~(me | op);
            node.moves = safe(open, node.spots);
            if (!node.moves) return lost_after(n);
        } else {
            node.moves = open & ~board.completing(me);
            if (!node.moves) return -won_at(n + 1);
        }
        int low = worst(n), up = best(n);
        while (low < up) {
            // First whether it is won or lost, then by halves.
            int middle = (low + up) / 2;
            if (middle <= 0 && low / 2 < middle) middle = low / 2;
            else if (middle >= 0 && up / 2 > middle) middle = up / 2;
            middle = std::clamp(middle, low, up - 1);
            const int found = search(node, n, middle + 1);
            (found > middle ? low : up) = found;
        }
        return low;
    }

    // Tell how many nodes were searched since the last time. To be called at the end, too.
    void tell() {
        shared.nodes += nodes - told;
        told = nodes;
    }

  private:
    struct Node {
        Bits me, op;
        Bits spots;  // where op would complete a line
        Bits moves;  // those that do not lose at once
        uint64_t hash;
        int promise;
    };

    static bool single(Bits moves) { return !(moves & (moves - 1)); }  // or none

    Bits open_cells(Bits taken) const { return (taken + board.bottom) & board.full; }

    // The moves that do not lose at once to a line on one of the spots; of two that are open now only one is stopped.
    static Bits safe(Bits open, Bits spots) {
        if (const Bits forced = open & spots) open = forced & (forced - 1) ? 0 : forced;
        return open & ~(spots >> 1);
    }

    // The score of a win that comes with so many marks on the board; beyond the last there is only a tie.
    int won_at(int marks) const { return marks > board.cells ? 0 : (board.cells - marks) / 2 + 1; }
    int lost_after(int n) const { return -won_at(n + 2); }
    int best(int n) const { return won_at(wins ? n + 3 : n + 2); }
    int worst(int n) const { return -won_at(wins ? n + 4 : n + 3); }

    Bits mirrored(Bits set) const {
        Bits found = 0;
        for (int column = 0; column < board.columns; column++, set >>= board.high)
            found |= (set & ((Bits{1} << board.high) - 1)) << (board.columns - 1 - column) * board.high;
        return found;
    }

    // The player's cells and a border above all: no two positions have the same.
    uint64_t key(Bits me, Bits taken, int n) const {
        Bits found = me + taken + board.bottom;
        if (n < to_mirror && board.columns > 1) found = std::min(found, mirrored(me) + mirrored(taken) + board.bottom);
        return ScoreTable::hash(found);
    }

    [[gnu::noinline]] void pause() {
        tell();
        if (shared.stop || shared.nodes > shared.limit) throw LimitReached{};
        if (thread == 0) shared.poll();
    }

    // Is the score at least `wanted`? What is returned is a lower bound then, and else an upper one. The player to move
    // cannot end the game at once in their favour.
    int search(const Node& node, int n, int wanted) {
        if (++nodes % 65536 == 0) pause();
        if (n + (wins ? 2 : 0) >= board.cells) return 0;
        ScoreTable::Bounds bounds{worst(n), best(n)};
        if (bounds.lower >= wanted) return bounds.lower;
        if (bounds.upper < wanted) return bounds.upper;
        const bool forced = single(node.moves);  // what is decided elsewhere is not kept
        if (!forced && shared.table.find(node.hash, bounds)) {
            if (bounds.lower >= wanted) return bounds.lower;
            if (bounds.upper < wanted) return bounds.upper;
        }
        Node kids[most_columns];
        int count = 0;
        const bool looks = board.cells - n > few_left;
        for (int i = 0; i < board.columns; i++) {
            const Bits cell = node.moves & ((Bits{1} << board.rows) - 1) << order[i] * board.high;
            if (!cell) continue;
            Node& kid = kids[count++];
            kid.me = node.op, kid.op = node.me | cell;
            const Bits taken = kid.me | kid.op, open = open_cells(taken);
            if constexpr (wins) {
                kid.spots = board.completing(kid.op) & board.full & ~taken;
                kid.moves = safe(open, kid.spots);
                if (!kid.moves && n + 3 <= board.cells) return best(n);
                // Spots above one of op's are worth little: op gets the cell below, or blocks.
                kid.promise = 2 * std::popcount(kid.spots & ~(node.spots << 1)) - bool(open & kid.spots);
            } else {
                kid.moves = open & ~board.completing(kid.me);
                if (!kid.moves && open) return best(n);
                kid.promise = -std::popcount(kid.moves);
            }
            if (single(kid.moves)) continue;
            kid.hash = key(kid.me, taken, n + 1);
            if (looks) shared.table.prefetch(kid.hash);
        }
        if constexpr (wins)  // while the table is on its way
            for (int i = 0; i < count; i++)
                if (const int sure = -claimed(kids[i], n + 1); sure >= wanted) return sure;
        if (forced) return -search(kids[0], n + 1, 1 - wanted);
        uint8_t best_first[most_columns];
        for (int i = 0; i < count; i++) {
            const Node& kid = kids[i];
            if (looks && !single(kid.moves))
                if (ScoreTable::Bounds known; shared.table.find(kid.hash, known) && -known.upper >= wanted)
                    return -known.upper;
            int place = i;
            for (; place && kids[best_first[place - 1]].promise < kid.promise; place--)
                best_first[place] = best_first[place - 1];
            best_first[place] = uint8_t(i);
        }
        const uint64_t before = nodes;
        int most = worst(n);
        for (int i = 0; i < count; i++) {
            const int found = -search(kids[best_first[i]], n + 1, 1 - wanted);
            most = std::max(most, found);
            if (found >= wanted) {
                shared.table.keep(node.hash, {found, bounds.upper}, nodes - before);
                return found;
            }
        }
        shared.table.keep(node.hash, {bounds.lower, most}, nodes - before);
        return most;
    }

    // An upper bound of the score, from what op gets without a search: op answers every move right above it, and one on
    // the lowest free cell of an odd column (with an odd number of free cells) on that of another one, as long as odd
    // columns come in pairs. Of the free cells, the player to move gets at most those with a *:
    //
    //     . . .      If there is no line among them and what they have, they do not win. Where op has a spot on a dot,
    //     * * *      not the lowest of an odd column, it is worse: they never get beyond it, and when all the others
    //     . . .      are taken they must move right below it, or below another such spot.
    //     * * *
    //     . *        With an odd number of free cells, one odd column is left over. There it is op who gets the *, and
    //     *          needs a spot on one of them: again the others must move below it at last.
    int claimed(const Node& node, int n) const {
        if (board.exact) return board.cells;
        const Bits taken = node.me | node.op, free = board.full & ~taken, odd = open_cells(taken) & ~board.pairs;
        const Bits stars = (free & board.pairs) | odd, dots = free & ~stars;
        if ((board.cells - n) % 2 == 0) {
            const int most = ending(node.me, stars, node.spots & dots, -2);
            return most == 0 && board.has_line(node.op | dots) ? -1 : most;
        }
        for (Bits spots = node.spots & board.pairs; spots; spots &= spots - 1) {
            const Bits column = column_of(spots);
            if (!(odd & column)) continue;
            const Bits below = free & ~board.pairs & column & ~upward(spots);
            const int most = ending(node.me, (stars & ~column) | below, node.spots & dots & ~column, left_above(spots));
            if (most < 0) return most;
        }
        return board.cells;
    }

    // The same for a player who gets at most `cells`, with these spots of op; so many cells stay free besides.
    int ending(Bits me, Bits cells, Bits spots, int stay) const {
        for (; spots; spots &= ~upward(spots)) {
            stay += 2 + left_above(spots);
            cells &= ~upward(spots);
        }
        if (board.has_line(me | cells)) return board.cells;
        return stay < 0 ? 0 : -won_at(board.cells - stay);
    }

    // Of the lowest cell of a set: its column, that column from this cell on, and how many cells are above it.
    Bits column_of(Bits set) const {
        return ((Bits{1} << board.rows) - 1) << std::countr_zero(set) / board.high * board.high;
    }
    Bits upward(Bits set) const { return column_of(set) & ~((set & -set) - 1); }
    int left_above(Bits set) const { return board.rows - 1 - std::countr_zero(set) % board.high; }

    const Board board;
    Shared& shared;
    const int thread;
    int order[most_columns];
    uint64_t nodes = 0, told = 0;
};

template <typename Board, bool wins>
std::optional<SearchedValue> search_value(const Game& game, Bits me, Bits op, Shared& shared, int threads) {
    const int n = std::popcount(me | op);
    std::atomic<int> score{0};
    bool solved = false;
    const auto work = [&](int thread, uint64_t, uint64_t) {
        Searcher<Board, wins> searcher(game, shared, thread);
        try {
            const int found = searcher.score(me, op, n);
            if (!shared.stop.exchange(true)) score = found, solved = true;
        } catch (LimitReached) {
            shared.stop = true;
        } catch (...) {  // Ctrl-C: the other threads must not go on
            shared.stop = true;
            throw;
        }
        searcher.tell();
    };
    share(threads, uint64_t(threads), 1, work, [&] { return shared.stop.load(); });
    if (!solved) return std::nullopt;
    const int sign = (score > 0) - (score < 0);
    int marks = game.cells - 2 * (std::abs(score.load()) - 1);  // at the end
    const bool mover_ends = (sign > 0) == wins;  // who completes a line
    if (sign && (marks - n) % 2 != mover_ends) marks--;
    return SearchedValue{sign, (sign ? marks : game.cells) - n, shared.nodes};
}

}  // namespace

std::optional<SearchedValue> Connect::value(uint64_t x, uint64_t o, uint64_t limit, int threads, const Poll& poll) {
    const auto turned = [&](uint64_t set) {  // from rows to columns
        Bits found = 0;
        for (; set; set &= set - 1) {
            const int cell = std::countr_zero(set), row = game.rows - 1 - cell / game.columns;
            found |= Bits{1} << (cell % game.columns * (game.rows + 1) + row);
        }
        return found;
    };
    Bits me = turned(x), op = turned(o);
    if (std::popcount(x) > std::popcount(o)) std::swap(me, op);
    searched = 0;
    Shared shared{table, limit, poll, searched};
    if (!completing_wins(game)) return search_value<AnyBoard, false>(game, me, op, shared, threads);
    if (Standard::is(game)) return search_value<Standard, true>(game, me, op, shared, threads);
    return search_value<AnyBoard, true>(game, me, op, shared, threads);
}

}  // namespace noughts
