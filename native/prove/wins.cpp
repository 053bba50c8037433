#include "prove/wins.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "prove/pairs.hpp"

namespace noughts::prove {
namespace {

constexpr uint64_t question = 500;     // nodes of one search by fours
constexpr uint32_t sure = 1u << 30;    // no number of positions proves it
constexpr uint32_t quiet_price = 32;   // about as many replies as a quiet move leaves
constexpr uint32_t ranks_a_price = 2;  // so many of them later, it costs one more
constexpr int heaviest = 15;           // marks in a line beyond which it weighs no more

uint32_t price(uint32_t rank) { return quiet_price + rank / ranks_a_price; }
uint64_t weight(int held) { return uint64_t{1} << 2 * std::min(held, heaviest); }

// Do pairs keep the attacker, to move, from every line that is open to them?
template <int W>
bool paired(const LineTable& table, const LineBoard& board) {
    Family<W> family;
    board.each_open(0, [&](int line, int) {
        Cells<W> lacks;
        for (const uint16_t cell : table.cells_of(line))
            if (board.free().has(cell)) lacks |= Cells<W>::one(cell);
        family.add(lacks);
    });
    std::ranges::sort(family.lines, [](const Line<W>& a, const Line<W>& b) {  // as the plain twin has them
        const auto &one = a.cells.word, &other = b.cells.word;
        if (a.size != b.size) return a.size < b.size;
        return std::lexicographical_compare(one.rbegin(), one.rend(), other.rbegin(), other.rend());
    });
    return Pairs<W>().find(family);
}

}  // namespace

Wins::Wins(const Game& game, const std::vector<int>& attacker, const std::vector<int>& defender, bool second,
           int moves, uint64_t memory)
    : table_(game), turns_(game), board_(table_), fours_(board_, poll_), question_(question, 1e9), moves_(moves),
      words_((game.cells + 63) / 64), memory_(memory) {
    for (const int cell : attacker) put(0, cell);
    for (const int cell : defender) put(1, cell);
    root_.frame = keys_[0];
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
    while (!settled() && !full_ && !stopped()) {
        descend(root_, sure, sure);
        if (bytes_ > memory_) forget();
    }
    if (interrupted_) std::rethrow_exception(interrupted_);
}

bool Wins::stopped() {
    poll_();
    return interrupted_ || nodes_ >= limit_ || bytes_ > memory_ || budget_->late();
}

// Drops the positions that no move still open leads to. The board stands at the beginning.
void Wins::forget() {
    std::vector<const Node*> left{&root_};
    std::unordered_set<const Node*> kept{&root_};
    const auto add = [&](const Node* node) {
        if (kept.insert(node).second) left.push_back(node);
    };
    while (!left.empty()) {
        const Node& node = *left.back();
        left.pop_back();
        for (const Try& each : node.tries) {
            add(each.idle);
            for (const auto& [cell, after] : each.replies) add(after);
        }
    }
    std::erase_if(known_, [&](const auto& known) { return !kept.contains(known.second.get()); });
    bytes_ = 0;
    for (const Node* node : kept) bytes_ += size(*node);
    full_ = bytes_ > memory_ - memory_ / 4;  // else it would soon have to begin again
}

uint64_t Wins::size(const Node& node) {
    uint64_t sum = sizeof(Node) + 64 + node.line.capacity() * sizeof(int) + node.tries.capacity() * sizeof(Try) +
                   node.quiet.capacity() * sizeof(uint16_t) + node.used.capacity() * sizeof(uint64_t);
    for (const Try& each : node.tries) sum += each.replies.capacity() * sizeof(Reply);
    return sum;
}

// The position on the board, however it is turned.
Wins::Node* Wins::at() {
    std::unique_ptr<Node>& node = known_[*std::min_element(keys_.begin(), keys_.begin() + turns_.to.size())];
    if (!node) node = std::make_unique<Node>(), bytes_ += sizeof(Node) + 64;
    return node.get();
}

// The turn that makes the board of the node's own, if it was looked into.
int Wins::turn(const Node& node) const {
    for (int turn = 0; node.frame && turn < int(turns_.to.size()); turn++)
        if (keys_[Turns::inverse[turn]] == node.frame) return turn;
    return 0;
}

std::vector<uint64_t> Wins::turned(int turn, const std::vector<uint64_t>& sets) const {
    if (!turn) return sets;
    std::vector<uint64_t> found(sets.size());
    for (size_t i = 0; i < sets.size(); i++)
        for (uint64_t rest = sets[i]; rest; rest &= rest - 1) {
            const int cell = turned(turn, int(i % words_) * 64 + std::countr_zero(rest));
            found[i - i % words_ + cell / 64] |= uint64_t{1} << cell % 64;
        }
    return found;
}

void Wins::put(int side, int cell) {
    board_.put(side, cell);
    for (size_t turn = 0; turn < turns_.to.size(); turn++) keys_[turn] ^= LineBoard::mixed(side, turns_.to[turn][cell]);
}

void Wins::take(int side, int cell) {
    board_.take(side, cell);
    for (size_t turn = 0; turn < turns_.to.size(); turn++) keys_[turn] ^= LineBoard::mixed(side, turns_.to[turn][cell]);
}

void Wins::play(int cell) {
    if (cell >= 0) put(0, cell), made_++;
}

void Wins::undo(int cell) {
    if (cell >= 0) take(0, cell), made_--;
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
void Wins::update(Node& node, int turn) {
    if (!node.expanded || node.settled()) return;
    uint64_t least = node.quiet.empty() ? sure : price(node.rank), most = !node.quiet.empty();
    size_t kept = 0;
    for (size_t i = 0; i < node.tries.size(); i++) {
        Try& each = node.tries[i];
        if (!each.idle->proof && each.replies.empty()) answer(each, turn);
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

// Does the same reply, turned, come before this one?
bool Wins::turned_before(const std::vector<Reply>& replies, const Reply& reply) {
    for (const Reply& each : replies)
        if (each.second == reply.second) return &each != &reply;
    return false;
}

// To the position that promises most, as long as this one promises more than the others elsewhere.
void Wins::descend(Node& node, uint64_t most_proof, uint64_t most_refutation) {
    if (!node.expanded) expand(node);
    const int turn = this->turn(node);
    for (;;) {
        update(node, turn);
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
            play(turned(turn, cell));
            Node* idle = at();
            undo(turned(turn, cell));
            if (std::ranges::any_of(node.tries, [&](const Try& each) { return each.idle == idle; })) continue;
            node.tries.push_back({cell, price(node.rank++), idle, {}});
            bytes_ += (node.tries.capacity() - before) * sizeof(Try);
            continue;
        }
        const uint64_t proof = std::min(most_proof, next + 1 + next / 4);
        const uint64_t others = node.tries.size() + !node.quiet.empty() - 1;
        const uint64_t refutation = most_refutation - std::min(others, most_refutation - 1);
        play(turned(turn, best->cell));
        if (best->idle->proof) {
            descend(*best->idle, proof - std::min<uint64_t>(best->price, proof - 1), refutation);
        } else {
            const Reply* reply = nullptr;
            uint64_t second = sure, more = 0;
            for (const auto& each : best->replies) {
                if (!each.second->proof || turned_before(best->replies, each)) continue;
                more += reply != nullptr;
                if (!reply || each.second->refutation < reply->second->refutation) {
                    if (reply) second = reply->second->refutation;
                    reply = &each;
                } else {
                    second = std::min<uint64_t>(second, each.second->refutation);
                }
            }
            put(1, turned(turn, reply->first));
            descend(*reply->second, proof - std::min(more, proof - 1), std::min(refutation, second + 1 + second / 4));
            take(1, turned(turn, reply->first));
        }
        undo(turned(turn, best->cell));
    }
}

std::vector<int> Wins::by_fours(int moves) {
    FoursFound found = fours_.ask(question_, moves);
    nodes_ += found.nodes;
    return std::move(found.line);
}

void Wins::expand(Node& node) {
    if (!node.frame) node.frame = keys_[0];
    node.expanded = true;
    nodes_++;
    const int left = moves_ - made_;
    if (left > 0) node.line = by_fours(left);
    if (!node.line.empty()) return bytes_ += node.line.capacity() * sizeof(int), settle(node, true);
    const CellSet must = board_.completing(1);
    if (left < 2 || must.count() > 1 || (!must.any() && held())) return settle(node, false);
    CellSet cells = must;
    if (!must.any()) cells = board_.fours(0), cells |= board_.threes(0);
    CellSet quiet = must.any() ? CellSet{} : board_.free();
    for (int cell; (cell = cells.first()) >= 0; cells.drop(cell)) {
        play(cell);
        Node* idle = must.any() ? at() : nullptr;
        if (std::vector<int> line = by_fours(left - 1); !line.empty()) {
            idle = at();
            if (idle->proof) {
                if (!idle->frame) idle->frame = keys_[0];
                const int turn = this->turn(*idle);
                for (int& each : line) each = back(turn, each);
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

bool Wins::held() const {
    if (table_.cells <= 64) return paired<1>(table_, board_);
    if (table_.cells <= 128) return paired<2>(table_, board_);
    if (table_.cells <= 256) return paired<4>(table_, board_);
    return false;
}

// All positions and their tries: numbers of seven bits a byte. Wins::recall reads them in the same order.
std::string Wins::known() const {
    std::string bytes;
    const auto put = [&](uint64_t number) {
        for (; number > 127; number >>= 7) bytes += char(number | 128);
        bytes += char(number);
    };
    std::unordered_map<const Node*, uint64_t> place;
    for (const auto& [key, node] : known_) place.emplace(node.get(), place.size());
    put(known_.size());
    for (const auto& [key, node] : known_) put(key);
    const auto write = [&](const Node& node) {
        for (const uint64_t number : {node.frame, uint64_t{node.proof}, uint64_t{node.refutation}, uint64_t{node.rank},
                                      uint64_t{node.expanded}, uint64_t(node.line.size())})
            put(number);
        for (const int cell : node.line) put(uint64_t(cell));
        put(node.tries.size());
        for (const Try& each : node.tries) {
            put(uint64_t(each.cell + 1)), put(each.price), put(place.at(each.idle)), put(each.replies.size());
            for (const auto& [cell, after] : each.replies) put(uint64_t(cell)), put(place.at(after));
        }
        put(node.quiet.size());
        for (const uint16_t cell : node.quiet) put(cell);
    };
    for (const auto& [key, node] : known_) write(*node);
    write(root_);
    return bytes;
}

void Wins::recall(std::string_view known) {
    size_t at = 0;
    const auto take = [&](uint64_t most = ~uint64_t{0}) {
        uint64_t number = 0;
        for (int shift = 0;; shift += 7) {
            if (at == known.size() || shift > 63) throw std::invalid_argument("this is not what a search has kept");
            const uint64_t byte = uint8_t(known[at++]);
            number |= (byte & 127) << shift;
            if (byte < 128) break;
        }
        if (number > most) throw std::invalid_argument("this is not what a search has kept");
        return number;
    };
    const uint64_t cells = uint64_t(table_.cells) - 1;
    std::unordered_map<uint64_t, std::unique_ptr<Node>> found;
    std::vector<Node*> nodes(take(known.size()));
    for (Node*& node : nodes) {
        std::unique_ptr<Node>& made = found[take()];
        made = std::make_unique<Node>(), node = made.get();
    }
    if (found.size() < nodes.size()) throw std::invalid_argument("this is not what a search has kept");
    const auto read = [&](Node& node) {
        node.frame = take(), node.proof = uint32_t(take(sure)), node.refutation = uint32_t(take(sure));
        node.rank = uint32_t(take(cells)), node.expanded = take(1);
        for (uint64_t n = take(cells + 1); n--;) node.line.push_back(int(take(cells)));
        node.tries.reserve(take(cells + 1));
        for (size_t n = node.tries.capacity(); n--;) {
            Try each{int(take(cells + 1)) - 1, uint32_t(take(sure)), nullptr, {}};
            const auto one = [&] { return nodes.at(take(nodes.size() - 1)); };
            each.idle = one(), each.replies.reserve(take(cells + 1));
            for (size_t m = each.replies.capacity(); m--;) {
                const int cell = int(take(cells));
                each.replies.emplace_back(cell, one());
            }
            node.tries.push_back(std::move(each));
        }
        if (!node.proof && node.line.empty() && node.tries.empty())
            throw std::invalid_argument("this is not what a search has kept");
        node.quiet.resize(take(cells + 1));
        for (uint16_t& cell : node.quiet) cell = uint16_t(take(cells));
        bytes_ += size(node);
    };
    for (Node* node : nodes) read(*node);
    Node root;
    read(root);
    if (root.frame != root_.frame || at != known.size())
        throw std::invalid_argument("this is not what a search has kept");
    root_ = std::move(root), known_ = std::move(found);
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

// The replies that matter, since it is known how the attacker wins if nothing is done. The board stands before the try,
// turned from the node's own.
void Wins::answer(Try& each, int turn) {
    play(turned(turn, each.cell));
    const std::vector<uint64_t> needs = used(*each.idle);
    for (int cell = 0; cell < table_.cells; cell++) {
        bool matters = false;
        for (int n = 0; n <= std::min(2, table_.k); n++) matters |= needs[n * words_ + cell / 64] >> cell % 64 & 1;
        if (!matters || !board_.free().has(cell)) continue;
        put(1, cell);
        each.replies.emplace_back(back(turn, cell), at());
        take(1, cell);
    }
    each.replies.shrink_to_fit();
    bytes_ += each.replies.capacity() * sizeof(each.replies[0]);
    undo(turned(turn, each.cell));
}

void Wins::add_lacking(std::vector<uint64_t>& all) const {
    board_.each_open(1, [&](int line, int held) {
        for (const uint16_t cell : table_.cells_of(line))
            if (board_.free().has(cell)) all[(table_.k - held) * words_ + cell / 64] |= uint64_t{1} << cell % 64;
    });
}

// What the win of a position depends on, if the other gets a move for nothing. The board stands there.
std::vector<uint64_t> Wins::used(Node& node) {
    const int turn = this->turn(node);
    if (!node.used.empty()) return turned(turn, node.used);
    std::vector<uint64_t> all((table_.k + 1) * words_);
    const auto moves = [&](int cell) { all[cell / 64] |= uint64_t{1} << cell % 64; };
    if (!node.line.empty()) {
        for (size_t i = 0; i < node.line.size(); i++) {
            const int cell = turned(turn, node.line[i]);
            moves(cell);
            put(int(i % 2), cell);
            if (i % 2 == 0 && i + 1 < node.line.size()) add_lacking(all);
        }
        for (size_t i = node.line.size(); i--;) take(int(i % 2), turned(turn, node.line[i]));
    } else {
        Try& won = node.tries.front();
        const int first = turned(turn, won.cell);
        play(first);
        if (first >= 0) moves(first);
        add_lacking(all);
        const std::vector<uint64_t> idle = used(*won.idle);
        for (int n = 0; n <= table_.k; n++)  // for nothing: a line lacked one cell more than its owner needs
            for (int i = 0; i < words_; i++) all[(n > 1 ? n - 1 : n) * words_ + i] |= idle[n * words_ + i];
        for (const auto& [cell, after] : won.replies) {
            put(1, turned(turn, cell));
            const std::vector<uint64_t> answered = used(*after);
            for (size_t i = 0; i < all.size(); i++) all[i] |= answered[i];
            take(1, turned(turn, cell));
        }
        undo(first);
    }
    const std::vector<uint64_t> one = all;  // a position that a turn leaves as it is may be answered in either way
    for (int each = 1; each < int(turns_.to.size()); each++)
        if (keys_[each] == keys_[0])
            for (size_t i = 0; const uint64_t cells : turned(each, one)) all[i++] |= cells;
    node.used = turned(Turns::inverse[turn], all);
    bytes_ += node.used.capacity() * sizeof(uint64_t);
    return all;
}

std::vector<int> Wins::line() {
    std::vector<int> found;
    std::vector<std::pair<int, int>> played;
    for (const Node* node = &root_; node->expanded && !node->settled() && !node->tries.empty();) {
        const int turn = this->turn(*node);
        const auto proof = [&](const Try& each) { return numbers(each).proof; };
        const Try& best = *std::ranges::min_element(node->tries, {}, proof);
        std::pair<int, Node*> next{-1, best.idle};
        if (!best.idle->proof) {
            uint32_t least = sure;
            for (const auto& [cell, after] : best.replies)
                if (after->proof && after->refutation < least) least = after->refutation, next = {cell, after};
            if (next.first < 0) break;
        }
        if (best.cell >= 0) found.push_back(turned(turn, best.cell)), played.emplace_back(0, found.back());
        found.push_back(turned(turn, next.first));
        if (next.first >= 0) played.emplace_back(1, found.back());
        for (size_t i = played.size() - (best.cell >= 0) - (next.first >= 0); i < played.size(); i++)
            put(played[i].first, played[i].second);
        node = next.second;
    }
    for (const auto& [side, cell] : played) take(side, cell);
    return found;
}

int Wins::write(const Node& node, Written& written, Strategy& out) {
    const int turn = this->turn(node);
    const auto [at, fresh] = written.try_emplace({&node, turn}, -1);
    if (!fresh) return at->second;
    if (!node.line.empty()) {
        std::vector<int> line;
        for (const int cell : node.line) line.push_back(turned(turn, cell));
        return at->second = out.put_line(line);
    }
    const Try& won = node.tries.front();
    const int first = turned(turn, won.cell);
    play(first);
    const int idle = write(*won.idle, written, out);
    std::vector<std::pair<int, int>> answers;
    for (const auto& [cell, after] : won.replies) {
        put(1, turned(turn, cell));
        answers.emplace_back(turned(turn, cell), write(*after, written, out));
        take(1, turned(turn, cell));
    }
    undo(first);
    return at->second = out.put(first, idle, answers);
}

std::vector<int> Wins::strategy() {
    Strategy out;
    Written written;
    if (!root_.proof) write(root_, written, out);
    return out.numbers;
}

}  // namespace noughts::prove
