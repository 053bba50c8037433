// The certificate of a search for holding: its proof as a graph, then as text.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "prove/hold_search.hpp"

namespace noughts::prove {

// The proof as a graph, each position once, whichever way it is turned; then as text.
template <int W>
class Search<W>::Writer {
  public:
    Writer(Search& search, const Budget& budget, const Poll& poll)
        : search_(search), worker_{search, ~uint64_t{0}, budget, &poll} {}

    std::string text(const Position<W>& root, bool attacker_moves) {
        std::string out;
        Position<W> start = root;
        if (!attacker_moves) {
            const int cell = answer(start, search_.free_);
            out = "m " + std::to_string(cell) + "\n";
            if (search_.completing_.has(cell)) return out;
            start.answer(cell);
        }
        const Step first = add(start);
        print(first, 0, out);
        return out;
    }

  private:
    struct Step {
        int node, turn;  // the turn of the position that leads there
    };
    struct Reply {
        int cell, answer;
        Step next;  // -1: the answer completes a line
    };
    struct Node {
        int turn;  // of the position that it was made from
        std::vector<Reply> replies;
        std::vector<std::pair<int, int>> pairs;
        Cells<W> needs = Cells<W>::everything();  // what it depends on: a mark elsewhere changes nothing
        bool leaf = false;
        int met = 0, label = 0;
        int shown = 0;  // how it was turned where it was written
    };

    // An answer of the holder in a position that is proven: any of the free cells where the other has no line left.
    int answer(const Position<W>& position, const Cells<W>& free, int hint = -1) {
        if (const Cells<W> done = position.own.lacking(1); done.any()) return done.first();
        if (position.other.lines.empty()) return free.first();
        std::vector<int> order = search_.ordered(position, true);
        if (const auto same = std::ranges::find(order, hint); same != order.end())
            std::rotate(order.begin(), same, same + 1);
        for (const int cell : order) {
            const Child<W> next = search_.child(position, true, cell);
            if (Numbers numbers; search_.table.find(next.at.key, numbers) && numbers.proven()) return cell;
        }
        for (const int cell : order) {
            const Child<W> next = search_.child(position, true, cell);
            if (search_.look(next.after, false, next.at).numbers.proven()) return cell;
        }
        search_.stop_ = false;  // it was forgotten, and is looked for again
        const Place at = search_.place(position, true);
        if (!worker_.settle(position, true, at, Numbers::never, Numbers::never).numbers.proven()) throw Forgotten();
        return answer(position, free, hint);
    }

    Step add(const Position<W>& position) {
        const Place at = search_.place(position, false);
        if (const auto known = known_.find(at.key); known != known_.end()) {
            nodes_[known->second].met++;
            return {known->second, at.turn};
        }
        Node node;
        node.turn = at.turn;
        const Cells<W> done = position.own.lacking(1);
        Pairs<W> pairs;
        if ((!done.any() || position.other.lines.empty()) && pairs.find(position.other)) {
            node.leaf = true, node.pairs = pairs.found, node.needs = pairs.zone;
        } else if (done.any()) {
            node.replies.push_back(reply(position, done.first(), -1));
        } else {
            answer_all(position, node);
        }
        nodes_.push_back(std::move(node));
        return known_[at.key] = int(nodes_.size()) - 1, Step{int(nodes_.size()) - 1, at.turn};
    }

    Reply reply(const Position<W>& position, int cell, int hint) {
        Position<W> after = position;
        after.attack(cell);
        const Cells<W> free = (position.other.all() | position.own.all()) - Cells<W>::one(cell);
        const int found = answer(after, free, hint);
        const bool over = after.own.lacking(1).has(found);
        after.answer(found);
        return {cell, found, over ? Step{-1, 0} : add(after)};
    }

    // Answers until every reply is one of them, is met by the answer to one of them, or is no better than one of them.
    void answer_all(const Position<W>& position, Node& node) {
        std::array<Cells<W>, 64 * W> with;  // the cells on every line through a cell
        with.fill(Cells<W>::everything());
        const Cells<W> cells = position.other.all() | position.own.all();
        for (const auto* family : {&position.other, &position.own})
            for (const auto& line : family->lines) line.cells.each([&](int cell) { with[cell] &= line.cells; });
        std::vector<Cells<W>> needs;  // of each answer
        const auto settled = [&](int cell, size_t without) {
            for (size_t i = 0; i < needs.size(); i++)
                if (i != without && (with[cell].has(node.replies[i].cell) || !needs[i].has(cell))) return true;
            return false;
        };
        std::vector<int> order = search_.ordered(position, false);
        std::ranges::stable_partition(order, [&](int cell) {  // what was not looked at is met by what was
            Numbers numbers;
            return search_.table.find(search_.child(position, false, cell).at.key, numbers) && numbers.proven();
        });
        cells.each([&](int cell) { order.push_back(cell); });  // those left out there as well
        for (const int cell : order) {
            if (settled(cell, needs.size())) continue;
            node.replies.push_back(reply(position, cell, node.replies.empty() ? -1 : node.replies.back().answer));
            const auto& [_, found, next] = node.replies.back();
            needs.push_back(Cells<W>::one(found) | (next.node < 0 ? Cells<W>{} : needed(next)));
        }
        for (size_t i = needs.size(); i--;)
            if (std::ranges::all_of(order, [&](int cell) { return settled(cell, i); }))
                node.replies.erase(node.replies.begin() + long(i)), needs.erase(needs.begin() + long(i));
        if (!search_.weak_) return;  // else the attacker might complete a line before the holder does
        node.needs = {};
        Cells<W> listed;
        for (size_t i = 0; i < needs.size(); i++)
            node.needs |= needs[i], listed |= Cells<W>::one(node.replies[i].cell);
        cells.each([&](int cell) {
            const bool met = std::ranges::any_of(needs, [&](const Cells<W>& each) { return !each.has(cell); });
            if (!met && !listed.has(cell)) node.needs |= Cells<W>::one((with[cell] & listed).first());
        });
    }

    // The cells that a step depends on, as they lie before it.
    Cells<W> needed(const Step& step) const {
        const Node& node = nodes_[step.node];
        if (node.needs == Cells<W>::everything()) return node.needs;
        const auto& to = search_.turns_.to[turn(step)];
        Cells<W> found;
        node.needs.each([&](int cell) { found |= Cells<W>::one(to[cell]); });
        return found;
    }

    // How the node of a step lies in the position before it.
    int turn(const Step& step) const {
        return search_.turns_.then(nodes_[step.node].turn, Turns::inverse[step.turn]);
    }

    // What a step leads to, if the position before it is turned like that.
    void print(const Step& step, int before, std::string& out) {
        Node& node = nodes_[step.node];
        const int here = search_.turns_.then(turn(step), before);
        if (node.label) {
            const int turned = search_.turns_.then(Turns::inverse[node.shown], here);
            out += '@' + std::to_string(node.label) + ' ' + std::to_string(turned) + '\n';
            return;
        }
        if (node.met) out += std::to_string(node.label = ++labels_) + ": ";
        if (&node == &nodes_.back() && search_.weak_ && !node.leaf) out += "weak ";  // the first, which was added last
        out += node.leaf ? 'p' : 'a';
        const auto& to = search_.turns_.to[node.shown = here];
        const auto add = [&](int cell) { out += ' ' + std::to_string(to[cell]); };
        for (const auto& [one, other] : node.pairs) add(one), add(other);
        for (const Reply& reply : node.replies) add(reply.cell), add(reply.answer);
        out += '\n';
        for (const Reply& reply : node.replies)
            if (reply.next.node >= 0) print(reply.next, here, out);
    }

    Search& search_;
    Worker worker_;
    std::vector<Node> nodes_;
    std::unordered_map<uint64_t, int> known_;
    int labels_ = 0;
};

}  // namespace noughts::prove
