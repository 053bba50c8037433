#include "prove/wins.hpp"

#include <algorithm>

namespace noughts::prove {
namespace {

constexpr uint64_t question = 500;     // nodes of one search by fours
constexpr uint32_t sure = 1u << 30;    // no number of positions proves it
constexpr uint32_t quiet_price = 32;   // about as many replies as a quiet move leaves
constexpr uint32_t ranks_a_price = 2;  // so many of them later, it costs one more
constexpr int heaviest = 15;           // marks in a line beyond which it weighs no more

uint32_t price(uint32_t rank) { return quiet_price + rank / ranks_a_price; }
uint64_t weight(int held) { return uint64_t{1} << 2 * std::min(held, heaviest); }

}  // namespace

Wins::Wins(const Game& game, const std::vector<int>& attacker, const std::vector<int>& defender, bool second,
           int moves, uint64_t memory)
    : table_(game), board_(table_), fours_(board_, poll_), question_(question, 1e9), moves_(moves),
      words_((game.cells + 63) / 64), memory_(memory) {
    for (const int cell : attacker) board_.put(0, cell);
    for (const int cell : defender) board_.put(1, cell);
    if (!second) return;
    root_.expanded = true;
    if (board_.completing(1).any()) settle(root_, false);
    else root_.tries.push_back({-1, 0, at(), {}});
}

void Wins::run(uint64_t nodes, double seconds, const Poll& poll) {
    const Budget budget(nodes, seconds);
    budget_ = &budget, limit_ = nodes_ + nodes, interrupted_ = nullptr;
    poll_ = [&] {  // the work unwinds, so that it can go on later
        if (interrupted_) return;
        try {
            poll();
        } catch (...) {
            interrupted_ = std::current_exception();
        }
    };
    while (!settled() && !stopped()) descend(root_, sure, sure);
    if (interrupted_) std::rethrow_exception(interrupted_);
}

bool Wins::stopped() {
    poll_();
    return interrupted_ || nodes_ >= limit_ || full() || budget_->late();
}

Wins::Node* Wins::at() {
    std::unique_ptr<Node>& node = known_[board_.key()];
    if (!node) node = std::make_unique<Node>(), bytes_ += sizeof(Node) + 64;
    return node.get();
}

void Wins::play(int cell) {
    if (cell >= 0) board_.put(0, cell), made_++;
}

void Wins::undo(int cell) {
    if (cell >= 0) board_.take(0, cell), made_--;
}

Wins::Numbers Wins::numbers(const Try& each) const {
    const Node& idle = *each.idle;
    if (!idle.refutation) return {sure, 0};
    if (idle.proof) return {std::min<uint64_t>(uint64_t{idle.proof} + each.price, sure - 1), idle.refutation};
    uint64_t most = 0, open = 0, weakest = sure;
    for (const auto& [cell, node] : each.replies) {
        if (!node->refutation) return {sure, 0};
        most = std::max<uint64_t>(most, node->proof), open += node->proof != 0;
        weakest = std::min<uint64_t>(weakest, node->refutation);
    }
    return {most ? std::min<uint64_t>(most + open - 1, sure - 1) : 0, weakest};
}

// The numbers, from those of the moves; what is refuted is dropped. The board stands at the node.
void Wins::update(Node& node) {
    if (!node.expanded || node.settled()) return;
    uint64_t least = node.quiet.empty() ? sure : price(node.rank), most = !node.quiet.empty();
    size_t kept = 0;
    for (size_t i = 0; i < node.tries.size(); i++) {
        Try& each = node.tries[i];
        if (!each.idle->proof && each.replies.empty()) answer(each);
        const Numbers found = numbers(each);
        if (!found.refutation) {
            bytes_ -= each.replies.capacity() * sizeof(each.replies[0]);
            continue;
        }
        if (!found.proof) {
            std::swap(node.tries.front(), node.tries[i]);
            return settle(node, true);
        }
        least = std::min(least, found.proof), most = std::max(most, found.refutation);
        if (kept != i) node.tries[kept] = std::move(node.tries[i]);
        kept++;
    }
    node.tries.resize(kept);
    if (!most) return settle(node, false);
    const uint64_t others = kept + !node.quiet.empty() - 1;
    node.proof = uint32_t(least), node.refutation = uint32_t(std::min<uint64_t>(most + others, sure - 1));
}

// Only the move that wins is kept, which comes first.
void Wins::settle(Node& node, bool won) {
    node.expanded = true;
    node.proof = won ? 0 : sure, node.refutation = won ? sure : 0;
    for (size_t i = won; i < node.tries.size(); i++)
        bytes_ -= node.tries[i].replies.capacity() * sizeof(node.tries[i].replies[0]);
    bytes_ -= node.tries.capacity() * sizeof(Try) + node.quiet.capacity() * sizeof(uint16_t);
    node.tries.resize(won && node.line.empty());
    node.tries.shrink_to_fit();
    node.quiet = {};
    bytes_ += node.tries.capacity() * sizeof(Try);
}

// To the position that promises most, as long as this one promises more than the others elsewhere.
void Wins::descend(Node& node, uint64_t most_proof, uint64_t most_refutation) {
    if (!node.expanded) expand(node);
    for (;;) {
        update(node);
        if (node.settled() || node.proof >= most_proof || node.refutation >= most_refutation || stopped()) return;
        Try* best = nullptr;
        uint64_t next = sure;
        Numbers least{node.quiet.empty() ? sure : price(node.rank), 0};
        for (Try& each : node.tries) {
            const Numbers found = numbers(each);
            if (found.proof < least.proof) next = least.proof, least = found, best = &each;
            else next = std::min(next, found.proof);
        }
        if (!best) {
            const int cell = node.quiet.back();
            node.quiet.pop_back();
            const size_t before = node.tries.capacity();
            play(cell);
            node.tries.push_back({cell, price(node.rank++), at(), {}});
            undo(cell);
            bytes_ += (node.tries.capacity() - before) * sizeof(Try);
            continue;
        }
        const uint64_t proof = std::min(most_proof, next + 1 + next / 4);
        const uint64_t others = node.tries.size() + !node.quiet.empty() - 1;
        const uint64_t refutation = most_refutation - std::min(others, most_refutation - 1);
        play(best->cell);
        if (best->idle->proof) {
            descend(*best->idle, proof - std::min<uint64_t>(best->price, proof - 1), refutation);
        } else {
            const std::pair<int, Node*>* reply = nullptr;
            uint64_t second = sure, more = 0;
            for (const auto& each : best->replies) {
                if (!each.second->proof) continue;
                more += reply != nullptr;
                if (!reply || each.second->refutation < reply->second->refutation) {
                    if (reply) second = reply->second->refutation;
                    reply = &each;
                } else {
                    second = std::min<uint64_t>(second, each.second->refutation);
                }
            }
            board_.put(1, reply->first);
            descend(*reply->second, proof - std::min(more, proof - 1), std::min(refutation, second + 1 + second / 4));
            board_.take(1, reply->first);
        }
        undo(best->cell);
    }
}

std::vector<int> Wins::by_fours(int moves) {
    FoursFound found = fours_.ask(question_, moves);
    nodes_ += found.nodes;
    return std::move(found.line);
}

void Wins::expand(Node& node) {
    node.expanded = true;
    nodes_++;
    const int left = moves_ - made_;
    if (left > 0) node.line = by_fours(left);
    if (!node.line.empty()) return bytes_ += node.line.capacity() * sizeof(int), settle(node, true);
    const CellSet must = board_.completing(1);
    if (left < 2 || must.count() > 1) return settle(node, false);
    CellSet cells = must;
    if (!must.any()) cells = board_.fours(0), cells |= board_.threes(0);
    CellSet quiet = must.any() ? CellSet{} : board_.free();
    for (int cell; (cell = cells.first()) >= 0; cells.drop(cell)) {
        play(cell);
        Node* idle = must.any() ? at() : nullptr;
        if (std::vector<int> line = by_fours(left - 1); !line.empty()) {
            idle = at();
            if (idle->proof) {
                idle->line = std::move(line);
                bytes_ += idle->line.capacity() * sizeof(int);
                settle(*idle, true);
            }
        }
        undo(cell);
        if (!idle) continue;
        node.tries.push_back({cell, 0, idle, {}});
        quiet.drop(cell);
    }
    rank(node, quiet);
    bytes_ += node.tries.capacity() * sizeof(Try);
}

// The quiet moves: those first that are in many lines that can still be completed.
void Wins::rank(Node& node, const CellSet& cells) {
    std::vector<uint64_t> worth(table_.cells);
    bool open = false;
    for (const int side : {0, 1})
        board_.each_open(side, [&](int line, int held) {
            open |= side == 0;
            for (const uint16_t cell : table_.cells_of(line)) worth[cell] += weight(held) << (1 - side);
        });
    if (!open) return node.tries.clear();
    for (int cell = table_.cells; cell--;)
        if (cells.has(cell) && worth[cell]) node.quiet.push_back(uint16_t(cell));
    std::ranges::stable_sort(node.quiet, {}, [&](uint16_t cell) { return worth[cell]; });
    node.quiet.shrink_to_fit();
    bytes_ += node.quiet.capacity() * sizeof(uint16_t);
}

// The replies that matter, since it is known how the attacker wins if nothing is done. The board stands before the try.
void Wins::answer(Try& each) {
    play(each.cell);
    const std::vector<uint64_t>& needs = used(*each.idle);
    for (int cell = 0; cell < table_.cells; cell++) {
        bool matters = false;
        for (int n = 0; n <= std::min(2, table_.k); n++) matters |= needs[n * words_ + cell / 64] >> cell % 64 & 1;
        if (!matters || !board_.free().has(cell)) continue;
        board_.put(1, cell);
        each.replies.emplace_back(cell, at());
        board_.take(1, cell);
    }
    each.replies.shrink_to_fit();
    bytes_ += each.replies.capacity() * sizeof(each.replies[0]);
    undo(each.cell);
}

void Wins::add_lacking(std::vector<uint64_t>& all) const {
    board_.each_open(1, [&](int line, int held) {
        for (const uint16_t cell : table_.cells_of(line))
            if (board_.free().has(cell)) all[(table_.k - held) * words_ + cell / 64] |= uint64_t{1} << cell % 64;
    });
}

// What the win of a position depends on, if the other gets a move for nothing. The board stands there.
const std::vector<uint64_t>& Wins::used(Node& node) {
    if (!node.used.empty()) return node.used;
    std::vector<uint64_t> all((table_.k + 1) * words_);
    const auto moves = [&](int cell) { all[cell / 64] |= uint64_t{1} << cell % 64; };
    if (!node.line.empty()) {
        for (size_t i = 0; i < node.line.size(); i++) {
            moves(node.line[i]);
            board_.put(int(i % 2), node.line[i]);
            if (i % 2 == 0 && i + 1 < node.line.size()) add_lacking(all);
        }
        for (size_t i = node.line.size(); i--;) board_.take(int(i % 2), node.line[i]);
    } else {
        Try& won = node.tries.front();
        play(won.cell);
        if (won.cell >= 0) moves(won.cell);
        add_lacking(all);
        const std::vector<uint64_t>& idle = used(*won.idle);
        for (int n = 0; n <= table_.k; n++)  // for nothing: a line lacked one cell more than its owner needs
            for (int i = 0; i < words_; i++) all[(n > 1 ? n - 1 : n) * words_ + i] |= idle[n * words_ + i];
        for (const auto& [cell, after] : won.replies) {
            board_.put(1, cell);
            const std::vector<uint64_t>& answered = used(*after);
            for (size_t i = 0; i < all.size(); i++) all[i] |= answered[i];
            board_.take(1, cell);
        }
        undo(won.cell);
    }
    bytes_ += all.capacity() * sizeof(uint64_t);
    return node.used = std::move(all);
}

std::vector<int> Wins::line() {
    std::vector<int> found;
    for (const Node* node = &root_; node->expanded && !node->settled() && !node->tries.empty();) {
        const auto proof = [&](const Try& each) { return numbers(each).proof; };
        const Try& best = *std::ranges::min_element(node->tries, {}, proof);
        if (best.cell >= 0) found.push_back(best.cell);
        std::pair<int, Node*> next{-1, best.idle};
        if (!best.idle->proof) {
            uint32_t least = sure;
            for (const auto& [cell, after] : best.replies)
                if (after->proof && after->refutation < least) least = after->refutation, next = {cell, after};
            if (next.first < 0) break;
        }
        found.push_back(next.first);
        node = next.second;
    }
    return found;
}

int Wins::write(Node& node, Strategy& out) {
    if (node.index >= 0) return node.index;
    if (!node.line.empty()) return node.index = out.put_line(node.line);
    const Try& won = node.tries.front();
    const int idle = write(*won.idle, out);
    std::vector<std::pair<int, int>> answers;
    for (const auto& [cell, after] : won.replies) answers.emplace_back(cell, write(*after, out));
    return node.index = out.put(won.cell, idle, answers);
}

std::vector<int> Wins::strategy() {
    Strategy out;
    for (auto& [key, node] : known_) node->index = -1;
    root_.index = -1;
    if (!root_.proof) write(root_, out);
    return out.numbers;
}

}  // namespace noughts::prove
