// Minimax and alpha-beta: the fast twins of src/noughts/search/plain.py, with the same scores, nodes and prunes.
#pragma once

#include <stdint.h>

#include <vector>

#include "game.hpp"
#include "job.hpp"

namespace noughts {

struct SearchRequest {
    const Game& game;
    std::vector<int> x, o;   // the cells that are taken; the game is not over
    std::vector<int> order;  // all cells, in the order in which moves are tried …
    bool by_evaluation;      // … or, ascending, for those that the evaluation finds equal
    bool prunes;             // alpha-beta, not minimax
    bool carried;            // the window is carried over root moves, and the root is counted
    int depth;               // in plies, at least 1
    uint64_t limit;          // of nodes
};

enum class Bound { exact, upper, lower };

// A root move: see MoveScore in src/noughts/search/result.py.
struct SearchedMove {
    int cell;
    int64_t score;
    Bound bound;
    uint64_t nodes, alpha_cuts, beta_cuts;
};

struct SearchLimitReached {};

// Every root move, in the order searched. Throws SearchLimitReached, or what poll throws. The sum of the weights of all
// lines must be less than 2^52.
std::vector<SearchedMove> search_moves(const SearchRequest& request, const Poll& poll);

}  // namespace noughts
