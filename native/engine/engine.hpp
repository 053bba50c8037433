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
    int depth, reached, number;  // of the search, of its deepest line, and of this root move, from 0
    int score;
    std::vector<int> line;
    uint64_t nodes;
    double seconds;
};

class Engine {
  public:
    Engine(const Game& game, const Weights& weights, int threads, size_t bytes);

    // The last reports of each number are the answer. `tell` may throw, which ends the search.
    void search(const Request& request, const std::function<void(const Report&)>& tell);
    void stop() { stop_ = true; }
    void forget();  // all that earlier searches have found
    Board board(const std::vector<int>& mine, const std::vector<int>& theirs) const;  // the player to move is side 0

    const Game game;

  private:
    void deepen(Search& search, const Request& request, int thread, const std::function<void(Report)>& tell);
    bool loses(const Request& request, int cell, double seconds) const;

    const LineTable lines_;
    const Board empty_;
    Table table_;
    std::atomic<bool> stop_{false};
    std::vector<std::unique_ptr<Search>> all_;  // one for each thread
};

}  // namespace noughts::engine
