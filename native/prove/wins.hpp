// A win by any moves: see noughts/proofs/wins.py, whose plain search says what is right.
#pragma once

#include <array>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fours.hpp"
#include "job.hpp"
#include "lines.hpp"
#include "prove/turns.hpp"
#include "strategy.hpp"

namespace noughts::prove {

class Wins {
  public:
    // The attacker is player 0, and to move unless `second`. Nobody has a line. With at most so many moves of the
    // attacker, and about so many bytes for the positions that are kept.
    Wins(const Game& game, const std::vector<int>& attacker, const std::vector<int>& defender, bool second, int moves,
         uint64_t memory);

    Wins(const Wins&) = delete;

    // Go on for so many nodes and seconds, unless it is settled, or the memory is full of what is still needed.
    void run(uint64_t nodes, double seconds, const Poll& poll);

    bool settled() const { return root_.settled(); }
    uint32_t proof() const { return root_.proof; }
    uint32_t refutation() const { return root_.refutation; }
    uint64_t nodes() const { return nodes_; }
    uint64_t bytes() const { return bytes_; }
    bool full() const { return full_; }

    std::vector<int> line();      // where it is at work: both players' moves, -1 where the other does nothing
    std::vector<int> strategy();  // of a win, in numbers; else empty

    // All that was found so far, as bytes, and the same taken over from an earlier search of this position.
    std::string known() const;
    void recall(std::string_view known);

  private:
    struct Node;
    using Reply = std::pair<int, Node*>;  // a cell, and the position after it

    // A move of the attacker; how they win if the other does nothing; and once that is known, the replies that matter.
    struct Try {
        int cell;        // -1: none, the other moves first
        uint32_t price;  // added while it is open whether the move threatens anything
        Node* idle;
        std::vector<Reply> replies;
    };

    // A position with the attacker to move, and all that turns of the board make of it: how many more must be proven to
    // prove it, or refuted to refute it. Its cells are those of the board as it was when it was first looked into.
    struct Node {
        uint64_t frame = 0;  // the key of that board
        uint32_t proof = 1, refutation = 1;
        uint32_t rank = 0;  // of the next quiet move
        bool expanded = false;
        std::vector<int> line;  // the win by fours
        std::vector<Try> tries;
        std::vector<uint16_t> quiet;  // cells not tried yet, the best last
        std::vector<uint64_t> used;   // slot 0: where the attacker moves; slot n: the other's lines that lack n

        bool settled() const { return !proof || !refutation; }
    };

    struct Numbers {
        uint64_t proof, refutation;
    };
    using Written = std::map<std::pair<const Node*, int>, int>;  // in the strategy, under a turn

    void forget();
    static uint64_t size(const Node& node);
    Node* at();
    int turn(const Node& node) const;
    int turned(int turn, int cell) const { return cell < 0 ? cell : turns_.to[turn][cell]; }
    int back(int turn, int cell) const { return turned(Turns::inverse[turn], cell); }
    std::vector<uint64_t> turned(int turn, const std::vector<uint64_t>& sets) const;
    Numbers numbers(const Try& each) const;
    void update(Node& node, int turn);
    void settle(Node& node, bool won);
    static bool turned_before(const std::vector<Reply>& replies, const Reply& reply);
    void descend(Node& node, uint64_t most_proof, uint64_t most_refutation);
    void expand(Node& node);
    bool held() const;
    void rank(Node& node, const CellSet& cells);
    void answer(Try& each, int turn);
    std::vector<uint64_t> used(Node& node);
    void add_lacking(std::vector<uint64_t>& all) const;
    std::vector<int> by_fours(int moves);
    int write(const Node& node, Written& written, Strategy& out);
    bool stopped();
    void put(int side, int cell);
    void take(int side, int cell);
    void play(int cell);
    void undo(int cell);

    const LineTable table_;
    const Turns turns_;
    LineBoard board_;
    std::array<uint64_t, 8> keys_{};  // of the board as each turn shows it
    Poll poll_;
    FoursSearch fours_;
    const Budget question_;
    const int moves_, words_;
    const uint64_t memory_;
    Node root_;
    std::unordered_map<uint64_t, std::unique_ptr<Node>> known_;
    uint64_t nodes_ = 0, bytes_ = 0, limit_ = 0;
    bool full_ = false;
    int made_ = 0;  // moves of the attacker on the way here
    const Budget* budget_ = nullptr;
    std::exception_ptr interrupted_;
};

}  // namespace noughts::prove
