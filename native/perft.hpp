// Counting games by walking the tree, move by move: no table, no symmetry.
//
//   perft(depth)   sequences of exactly `depth` legal moves; a finished game has none
//   count_games    complete games, by result
//
// A node keeps, beside the two sets, the cells with which each side would complete a line. Moves that end the game are
// thus told (and counted) without being made, and a side's cells are worked out only where it will move again.
#pragma once

#include <bit>
#include <type_traits>

#include "game.hpp"
#include "job.hpp"

namespace noughts {

struct Results {
    uint64_t x_wins, o_wins, draws;
};

struct TooManyNodes {};

// A node is a move of the tree, or its root; a visit is a node whose moves are looked at one by one. Visits are what
// takes time: the last two plies of a perft are counted without them.
struct Limit {
    static constexpr uint64_t no_nodes = UINT64_MAX;  // no limit of nodes
    uint64_t nodes, visits;
};

// Which cells would complete a line: worked out by shifts …
template <int k>
struct Shifts {
    const Game& game;
    uint64_t operator()(uint64_t set) const { return completions<k>(game, set); }
};

// … or, up to 9 cells, looked up.
struct Lookup {
    uint16_t found[512];

    explicit Lookup(const Game& g) {
        for (unsigned set = 0; set <= g.board; set++) found[set] = uint16_t(completions<0>(g, set) & g.board);
    }
    uint64_t operator()(uint64_t set) const { return found[set]; }
};

template <typename Completions, bool counts_nodes>
class Walk {
  public:
    Walk(const Game& game, const Completions& completions, Limit limit, const Poll& poll)
        : game(game), completions(completions), limit(limit), poll(poll) {}

    uint64_t wins[2] = {0, 0}, draws = 0;  // found by `games`; wins by who completed the line: X, O

    // The mover owns `mine`; `left` cells are free. The last two plies are counted at once: a move that does not end
    // the game, then any other cell; where marks fall, a move takes one cell and opens the one above it.
    uint64_t perft(uint64_t mine, uint64_t theirs, uint64_t my_wins, uint64_t their_wins, uint64_t free, int left,
                   int depth) {
        const uint64_t open = playable(game, free), moves = open & ~my_wins;
        const int width = game.gravity ? std::popcount(open) : left;
        if (depth == 2) {
            uint64_t last = uint64_t(std::popcount(moves)) * uint64_t(width - 1);
            if (game.gravity) last += uint64_t(std::popcount(moves >> game.columns));
            visit(uint64_t(width) + last);
            return last;
        }
        visit(uint64_t(width));
        uint64_t count = 0;
        for (uint64_t rest = moves; rest; rest &= rest - 1) {
            const uint64_t cell = rest & -rest, after = mine | cell;
            const uint64_t next_wins = depth > 3 ? completions(after) : 0;
            count += perft(theirs, after, their_wins, next_wins, free ^ cell, left - 1, depth - 1);
        }
        return count;
    }

    // Side 0 is X.
    template <int side>
    void games(uint64_t mine, uint64_t theirs, uint64_t my_wins, uint64_t their_wins, uint64_t free, int left) {
        const uint64_t open = playable(game, free);
        visit(uint64_t(game.gravity ? std::popcount(open) : left));
        if (left == 1) {
            ++(free & my_wins ? wins[side] : draws);
            return;
        }
        for (uint64_t rest = open; rest; rest &= rest - 1) {
            const uint64_t cell = rest & -rest, after = mine | cell;
            if (cell & my_wins) {
                wins[side]++;
                continue;
            }
            const uint64_t next_wins = left > 2 ? completions(after) : 0;
            games<1 - side>(theirs, after, their_wins, next_wins, free ^ cell, left - 1);
        }
    }

    // To be called at the end, too.
    void check() const {
        if (nodes > limit.nodes || visits > limit.visits) throw TooManyNodes{};
    }

  private:
    // A position below which there are so many nodes that will not be visited themselves, or not before it.
    void visit(uint64_t below) {
        if (counts_nodes) nodes += below;
        if (++visits % 65536 == 0) pause();
    }
    [[gnu::noinline]] void pause() const { check(), poll(); }  // out of the way of the loop

    const Game& game;
    const Completions& completions;
    const Limit limit;
    const Poll& poll;
    uint64_t nodes = 1, visits = 0;
};

// Calls job with what suits the board, and a walk; nodes are counted only where a limit asks for it.
template <typename Job>
auto with_walk(const Game& g, Limit limit, const Poll& poll, Job job) {
    const auto start = [&](const auto& completions) {
        using Completions = std::remove_cvref_t<decltype(completions)>;
        const bool counts = limit.nodes != Limit::no_nodes;
        if (counts) return job(completions, Walk<Completions, true>(g, completions, limit, poll));
        return job(completions, Walk<Completions, false>(g, completions, limit, poll));
    };
    if (g.cells <= 9) return start(Lookup(g));
    switch (g.k) {
        case 3: return start(Shifts<3>{g});
        case 4: return start(Shifts<4>{g});
        case 5: return start(Shifts<5>{g});
        case 6: return start(Shifts<6>{g});
        default: return start(Shifts<0>{g});
    }
}

inline bool x_moves(uint64_t x, uint64_t o) { return std::popcount(x) == std::popcount(o); }

// Both give up with TooManyNodes if there are more nodes than the limit, or after about as many visits. Boards have at
// most 64 cells.

inline uint64_t perft(const Game& g, uint64_t x, uint64_t o, int depth, Limit limit, const Poll& poll) {
    const uint64_t free = g.board & ~(x | o);
    const int left = std::popcount(free);
    if (depth == 0) return 1;
    if (has_line(g, x) || has_line(g, o) || depth > left) return 0;
    if (depth == 1) {
        const auto moves = uint64_t(std::popcount(playable(g, free)));
        if (moves >= limit.nodes) throw TooManyNodes{};
        return moves;
    }
    const uint64_t mine = x_moves(x, o) ? x : o, theirs = x_moves(x, o) ? o : x;
    return with_walk(g, limit, poll, [&](const auto& completions, auto walk) {
        const uint64_t found = walk.perft(mine, theirs, completions(mine), completions(theirs), free, left, depth);
        walk.check();
        return found;
    });
}

inline Results count_games(const Game& g, uint64_t x, uint64_t o, Limit limit, const Poll& poll) {
    const uint64_t free = g.board & ~(x | o);
    const int left = std::popcount(free);
    return with_walk(g, limit, poll, [&](const auto& completions, auto walk) {
        const uint64_t x_completes = completions(x), o_completes = completions(o);
        if (has_line(g, x)) walk.wins[0] = 1;
        else if (has_line(g, o)) walk.wins[1] = 1;
        else if (left == 0) walk.draws = 1;
        else if (x_moves(x, o)) walk.template games<0>(x, o, x_completes, o_completes, free, left);
        else walk.template games<1>(o, x, o_completes, x_completes, free, left);
        walk.check();
        const int winner = completing_wins(g) ? 0 : 1;  // X wins by a line of X, or of O
        return Results{walk.wins[winner], walk.wins[1 - winner], walk.draws};
    });
}

}  // namespace noughts
