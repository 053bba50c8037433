#include "engine.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <thread>

#include "threats.hpp"

namespace noughts::engine {
namespace {

constexpr int deepest = 99;
constexpr double check_share = 0.06;   // of the time or nodes, to see whether a chosen move loses by force
constexpr uint64_t check_nodes = 2000;  // where neither is limited
constexpr uint64_t check_bytes = 64;    // that a node of the prover takes, at most
constexpr double search_share = 0.92;   // of the time, for the search: the last move is to be checked too
constexpr int slack = 60;  // how far the score of the next depth may be off before it is searched again

}  // namespace

Engine::Engine(const Game& game, const Network& network, int threads, size_t bytes, unsigned without)
    : game(game), without_(without), network_(network), lines_(game), empty_(game, network_), table_(bytes / 2),
      most_checked_(std::max<uint64_t>(bytes / 4 / check_bytes, check_nodes)) {
    for (int thread = 0; thread < threads; thread++)
        all_.push_back(std::make_unique<Search>(empty_, table_, stop_, without));
}

void Engine::forget() {
    table_.forget();
    for (const auto& each : all_) each->forget();
}

Board Engine::board(const std::vector<int>& mine, const std::vector<int>& theirs) const {
    Board board = empty_;
    for (const int cell : mine) board.put(0, cell);
    for (const int cell : theirs) board.put(1, cell);
    return board;
}

void Engine::search(const Request& request, const std::function<void(const Report&)>& tell) {
    const auto began = Clock::now();
    table_.grow_old();
    Limits limits;
    if (request.seconds > 0)
        limits.deadline = began + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(request.seconds * search_share));
    if (request.nodes) limits.nodes = request.nodes;
    for (const auto& each : all_) each->begin(request.mine, request.theirs, limits);
    std::vector<std::thread> helpers;
    const auto end = [&] {
        stop_ = true;
        for (std::thread& helper : helpers) helper.join();
        helpers.clear();
    };
    try {
        for (int thread = 1; thread < int(all_.size()); thread++)
            helpers.emplace_back([&, thread] { deepen(*all_[thread], request, thread, [](Report) {}); });
    } catch (const std::system_error&) {}  // no more threads to be had: those that there are do it
    try {
        deepen(*all_[0], request, 0, [&](Report report) {
            report.nodes = 0;
            for (const auto& each : all_) report.nodes += each->nodes;
            report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
            tell(report);
        });
    } catch (...) {
        end();
        throw;
    }
    end();
}

// Does the other win by fours and threes after this move? Where the search has not seen so far ahead, the prover may.
bool Engine::loses(const Request& request, int cell, double seconds) const {
    std::vector<int> defender = request.mine;
    defender.push_back(cell);
    uint64_t nodes = request.nodes ? uint64_t(double(request.nodes) * check_share) : check_nodes;
    if (request.seconds > 0) nodes = most_checked_;
    const Poll poll = [this] {
        if (stop_) throw Stopped{};
    };
    const Budget budget(std::min(nodes, most_checked_) + 1, seconds);
    return !search_threats(lines_, request.theirs, defender, -1, budget, poll).strategy.empty();
}

void Engine::deepen(Search& search, const Request& request, int thread, const std::function<void(Report)>& tell) {
    const int lines = std::min<int>(request.lines, int(search.moves.size()));
    const double moment = request.seconds > 0 ? request.seconds * check_share : 1e9;
    std::vector<int> last(lines, 0), told;
    std::vector<Report> found;  // of this depth: lines of different depths cannot be compared
    std::set<int> checked;
    const int most = std::min(request.depth ? request.depth : deepest, game.cells - search.board.marks());
    int depth = 1, chosen = search.moves.front();
    // A move that turns out to lose by force is looked at no more, unless it is the only one.
    const auto holds = [&](int cell) {
        if (without_ & checking || thread || search.moves.size() < 2 || !checked.insert(cell).second) return true;
        if (!loses(request, cell, moment)) return true;
        std::erase(search.moves, cell);
        return false;
    };
    tell({0, 0, 0, search.board.evaluation(0), {chosen}, 0, 0});
    try {
        for (depth = 1 + thread % 2; depth <= most; depth++) {
            told.clear(), found.clear();
            for (int number = 0; number < lines; number++) {
                int alpha = -infinite, beta = infinite, wide = slack;
                if (!(without_ & narrowing) && depth >= 4 && std::abs(last[number]) < sure)
                    alpha = last[number] - wide, beta = last[number] + wide;
                int score;
                while (true) {
                    score = search.root(depth, alpha, beta, told);
                    if (search.best < 0) break;  // no other is left
                    if (score <= alpha) alpha = std::max(-infinite, alpha - (wide *= 4));
                    else if (score >= beta) beta = std::min(infinite, beta + (wide *= 4));
                    else if (depth < 3 || score < -sure || holds(search.best)) break;
                    else alpha = -infinite, beta = infinite;
                    if (wide > 2000) alpha = -infinite, beta = infinite;
                }
                if (search.best < 0) break;
                last[number] = score;
                found.push_back({depth, search.seldepth, 0, score, search.line(search.best), 0, 0});
                told.push_back(search.best);
            }
            std::ranges::stable_sort(found, std::ranges::greater{}, &Report::score);
            if (!found.empty()) chosen = found[0].line[0];
            for (size_t i = 0; i < found.size(); i++) found[i].left = int(found.size() - 1 - i), tell(found[i]);
            if (search.moves.size() == 1 && depth >= 2 && !request.depth && !request.nodes) break;
            if (lines == 1 && std::abs(last[0]) > sure && winning - std::abs(last[0]) <= depth) break;
        }
    } catch (const Stopped&) {
        // As far as the last depth came: a better move that it has found counts, if it holds.
        const int cell = search.best;
        if (thread || lines > 1 || cell < 0 || cell == chosen || search.best_score == -infinite) return;
        try {
            if (holds(cell)) tell({depth, search.seldepth, 0, search.best_score, search.line(cell), 0, 0});
        } catch (const Stopped&) {}
    }
}

}  // namespace noughts::engine
