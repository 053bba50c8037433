// A win by any moves: see noughts/proofs/wins.py, whose plain search says what is right.
#pragma once

#include <exception>
#include <memory>
#include <unordered_map>
#include <vector>

#include "fours.hpp"
#include "job.hpp"
#include "lines.hpp"
#include "strategy.hpp"

namespace noughts::prove {

class Wins {
  public:
    // The attacker is player 0, and to move unless `second`. Nobody has a line. With at most so many moves of the
    // attacker, and about so many bytes for the positions that are kept.
    Wins(const Game& game, const std::vector<int>& attacker, const std::vector<int>& defender, bool second, int moves,
         uint64_t memory);

    Wins(const Wins&) = delete;

    // Go on for so many nodes and seconds, unless it is settled, or the memory is full.
    void run(uint64_t nodes, double seconds, const Poll& poll);

    bool settled() const { return root_.settled(); }
    uint32_t proof() const { return root_.proof; }
    uint32_t refutation() const { return root_.refutation; }
    uint64_t nodes() const { return nodes_; }
    uint64_t bytes() const { return bytes_; }
    bool full() const { return bytes_ > memory_; }

    std::vector<int> line();      // where it is at work: both players' moves, -1 where the other does nothing
    std::vector<int> strategy();  // of a win, in numbers; else empty

  private:
    struct Node;

    // A move of the attacker; how they win if the other does nothing; and once that is known, the replies that matter.
    struct Try {
        int cell;        // -1: none, the other moves first
        uint32_t price;  // added while it is open whether the move threatens anything
        Node* idle;
        std::vector<std::pair<int, Node*>> replies;
    };

    // A position with the attacker to move: how many more must be proven to prove it, or refuted to refute it.
    struct Node {
        uint32_t proof = 1, refutation = 1;
        uint32_t rank = 0;  // of the next quiet move
        bool expanded = false;
        int index = -1;         // in the strategy that is written
        std::vector<int> line;  // the win by fours
        std::vector<Try> tries;
        std::vector<uint16_t> quiet;  // cells not tried yet, the best last
        std::vector<uint64_t> used;   // slot 0: where the attacker moves; slot n: the other's lines that lack n

        bool settled() const { return !proof || !refutation; }
    };

    struct Numbers {
        uint64_t proof, refutation;
    };

    Node* at();
    Numbers numbers(const Try& each) const;
    void update(Node& node);
    void settle(Node& node, bool won);
    void descend(Node& node, uint64_t most_proof, uint64_t most_refutation);
    void expand(Node& node);
    void rank(Node& node, const CellSet& cells);
    void answer(Try& each);
    const std::vector<uint64_t>& used(Node& node);
    void add_lacking(std::vector<uint64_t>& all) const;
    std::vector<int> by_fours(int moves);
    int write(Node& node, Strategy& out);
    bool stopped();
    void play(int cell);
    void undo(int cell);

    const LineTable table_;
    LineBoard board_;
    Poll poll_;
    FoursSearch fours_;
    const Budget question_;
    const int moves_, words_;
    const uint64_t memory_;
    Node root_;
    std::unordered_map<uint64_t, std::unique_ptr<Node>> known_;
    uint64_t nodes_ = 0, bytes_ = 0, limit_ = 0;
    int made_ = 0;  // moves of the attacker on the way here
    const Budget* budget_ = nullptr;
    std::exception_ptr interrupted_;
};

}  // namespace noughts::prove
