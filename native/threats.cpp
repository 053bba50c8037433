#include "threats.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "fours.hpp"
#include "strategy.hpp"

namespace noughts {
namespace {

constexpr uint32_t sure = 1u << 30;  // no number of positions proves it
constexpr size_t most = 1 << 22;     // positions that are kept; some 800 MB

struct Node;

// A move of the attacker that leaves something to answer.
struct Try {
    int cell;
    std::vector<int> idle;  // the win if the other does nothing, both players' moves
    std::vector<std::pair<int, Node*>> replies;
};

// A position with the attacker to move: how many more must be proven to prove it, or refuted to refute it.
struct Node {
    uint32_t proof = 1, refutation = 1;
    bool expanded = false;
    int index = -1;         // in the strategy that is written
    std::vector<int> line;  // the win by fours
    std::vector<Try> tries;

    bool settled() const { return !proof || !refutation; }

    void update() {
        if (!expanded || settled()) return;
        uint64_t least = sure, sum = 0;
        for (const Try& each : tries) {
            uint64_t all = 0, weakest = sure;
            for (const auto& [cell, node] : each.replies) {
                all += node->proof;
                weakest = std::min<uint64_t>(weakest, node->refutation);
            }
            least = std::min(least, all), sum += weakest;
        }
        proof = uint32_t(least), refutation = uint32_t(least ? std::min<uint64_t>(sum, sure) : sure);
    }
};

uint64_t proof_of(const Try& each) {
    uint64_t all = 0;
    for (const auto& [cell, node] : each.replies) all += node->proof;
    return all;
}

class Search {
  public:
    Search(const LineTable& table, int first, const Budget& budget, const Poll& poll, uint64_t question)
        : board(table), fours_(board, poll), question_(question, budget.until), first_(first), budget_(budget),
          poll_(poll) {}

    void run() {
        root = at();
        while (!root->settled() && nodes < budget_.nodes && known_.size() < most && !budget_.late()) {
            poll_();
            descend(*root);
        }
    }

    // Writes the strategy of a position that is won, and gives the number of its last node.
    int write(Node& node, Strategy& out) {
        if (node.index >= 0) return node.index;
        if (!node.line.empty()) return node.index = out.put_line(node.line);
        const Try* best = nullptr;
        for (const Try& each : node.tries)
            if (!proof_of(each) && (!best || each.replies.size() < best->replies.size())) best = &each;
        const int idle = out.put_line(best->idle);
        std::vector<std::pair<int, int>> answers;
        for (const auto& [cell, after] : best->replies) answers.emplace_back(cell, write(*after, out));
        return node.index = out.put(best->cell, idle, answers);
    }

    LineBoard board;
    Node* root = nullptr;
    bool complete = true;
    uint64_t nodes = 0;

  private:
    Node* at() {
        std::unique_ptr<Node>& node = known_[board.key()];
        if (!node) node = std::make_unique<Node>();
        return node.get();
    }

    FoursFound ask() {
        FoursFound found = fours_.ask(question_);
        nodes += found.nodes;
        complete &= found.complete;
        return found;
    }

    // To the position that promises most, which is expanded; then the numbers on the way there are made new.
    void descend(Node& node) {
        if (!node.expanded) return expand(node);
        node.update();
        if (node.settled()) return;
        Try* best = nullptr;
        uint64_t least = sure;
        for (Try& each : node.tries)
            if (const uint64_t all = proof_of(each); all < least) least = all, best = &each;
        const std::pair<int, Node*>* reply = nullptr;
        for (const auto& each : best->replies)
            if (each.second->proof && (!reply || each.second->refutation < reply->second->refutation)) reply = &each;
        board.put(0, best->cell), board.put(1, reply->first);
        descend(*reply->second);
        board.take(1, reply->first), board.take(0, best->cell);
        node.update();
    }

    void expand(Node& node) {
        node.expanded = true;
        nodes++;
        const bool one = &node == root && first_ >= 0;
        if (!one) node.line = ask().line;
        if (!node.line.empty()) {
            node.proof = 0, node.refutation = sure;
            return;
        }
        const CellSet must = board.completing(1);
        CellSet cells = board.fours(0);
        cells |= board.threes(0);
        if (one) cells = {}, cells.add(first_);
        if (must.any()) cells = one ? cells & must : must;
        if (must.count() > 1) cells = {};
        for (int cell; (cell = cells.first()) >= 0; cells.drop(cell)) {
            board.put(0, cell);
            if (Try found = attempt(cell); !found.replies.empty()) node.tries.push_back(std::move(found));
            board.take(0, cell);
        }
        node.update();
    }

    // What a move leaves to answer; nothing if it need not be answered.
    Try attempt(int cell) {
        Try found{cell, {}, {}};
        CellSet replies;
        if (const int one = board.completing(0).first(); one >= 0) {
            found.idle = {one};
            replies.add(one);
        } else {
            found.idle = ask().line;
            if (!found.idle.empty()) replies = zone(found.idle);
        }
        for (int reply; (reply = replies.first()) >= 0; replies.drop(reply)) {
            board.put(1, reply);
            found.replies.emplace_back(reply, at());
            board.take(1, reply);
        }
        return found;
    }

    // Where the other can upset a win by fours: its cells, and lines of their own that lack two cells on the way.
    CellSet zone(const std::vector<int>& line) {
        CellSet found, free = board.free();
        for (size_t i = 0; i < line.size(); i++) {
            found.add(line[i]);
            board.put(int(i % 2), line[i]);
            if (i % 2 == 0 && i + 1 < line.size()) found |= board.completing(1), found |= board.fours(1);
        }
        for (size_t i = line.size(); i--;) board.take(int(i % 2), line[i]);
        return found & free;
    }

    FoursSearch fours_;
    const Budget question_;
    const int first_;
    const Budget& budget_;
    const Poll& poll_;
    std::unordered_map<uint64_t, std::unique_ptr<Node>> known_;
};

}  // namespace

ThreatsFound search_threats(const LineTable& table, const std::vector<int>& attacker, const std::vector<int>& defender,
                            int first, const Budget& budget, const Poll& poll, uint64_t question) {
    Search search(table, first, budget, poll, question);
    for (const int cell : attacker) search.board.put(0, cell);
    for (const int cell : defender) search.board.put(1, cell);
    search.run();
    ThreatsFound found{{}, search.root->settled() && (search.complete || !search.root->proof), search.nodes};
    Strategy out;
    if (!search.root->proof) search.write(*search.root, out);
    found.strategy = std::move(out.numbers);
    return found;
}

}  // namespace noughts
