// The engine: searches deeper and deeper on several threads until a limit is reached or somebody stops it, and reports
// what it believes after each depth.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "lines.hpp"
#include "search.hpp"

namespace noughts::engine {

struct Request {
    std::vector<int> mine, theirs;  // the cells of the player to move, and of the other; nobody has a line
    double seconds = 0;             // 0: no limit
    uint64_t nodes = 0;
    int depth = 0;
    int lines = 1;  // how many root moves are told, the best first
};

struct Report {
    int depth, reached, left;  // of the search, of its deepest line; and the lines of this depth that are still to come
    int score;
    std::vector<int> line;
    uint64_t nodes;
    double seconds;
};

class Engine {
  public:
    Engine(const Game& game, const Network& network, int threads, size_t bytes, unsigned without);

    // The reports of the last depth, the best line first, are the answer. `tell` may throw, which ends the search.
    void search(const Request& request, const std::function<void(const Report&)>& tell);
    void ready() { stop_ = false; }  // before each search: whoever stops it from then on is heard
    void stop() { stop_ = true; }
    void forget();  // all that earlier searches have found
    Board board(const std::vector<int>& mine, const std::vector<int>& theirs) const;  // the player to move is side 0

    const Game game;

  private:
    void deepen(Search& search, const Request& request, int thread, const std::function<void(Report)>& tell);
    bool loses(const Request& request, int cell, double seconds) const;

    const unsigned without_;
    const Network network_;
    const LineTable lines_;
    const Board empty_;
    Table table_;  // half of the memory; a quarter is for the prover
    const uint64_t most_checked_;
    std::atomic<bool> stop_{false};
    std::vector<std::unique_ptr<Search>> all_;  // one for each thread
};

}  // namespace noughts::engine
