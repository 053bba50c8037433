#include "prove/hold.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <unordered_map>

#include "prove/family.hpp"
#include "prove/pairs.hpp"
#include "prove/turns.hpp"

namespace noughts::prove {
namespace {

constexpr int fours_tries = 30;  // positions of one search by fours
constexpr int first_looks = 8;   // answers that are looked at before one of them is looked into
constexpr int more_looks = 2;    // others, each time that did not suffice

// About how many positions are left to prove where lines that weigh so much have no pair: 4, and four times as many for
// each weight of 1, with straight lines between the powers of two.
uint32_t left_to_prove(int light) {
    const int64_t twice = 2 * int64_t{light}, rest = twice % whole;
    return uint32_t(((4 * whole + 4 * rest) << std::min<int64_t>(twice / whole, 16)) / whole);
}

uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

template <int W>
struct Position {
    Family<W> other, own;  // the other's lines; the holder's, if they count

    void attack(int cell) { other.take(cell), own.lose(cell); }
    void answer(int cell) { other.lose(cell), own.take(cell); }
};

struct Key {
    uint64_t key;
    int turn;  // what turns the position into the one that the key is of
};

// An answer that holds, and the cells that this depends on: wherever else the attacker moves, it holds too.
template <int W>
struct Sure {
    int answer = -1;
    Cells<W> needs = Cells<W>::everything();
};

template <int W>
struct Child {
    int cell;
    uint64_t key;
    Numbers numbers;
    Position<W> after;
};

template <int W>
class Search final : public HoldSearch {
  public:
    Search(const Game& game, const std::vector<int>& attacker, const std::vector<int>& holder, bool attacker_moves,
           bool weak, size_t memory)
        : HoldSearch(memory),
          turns_(game),
          cells_(game.cells),
          attacker_moves_(attacker_moves),
          weak_(weak),
          busy_(1 << 16) {
        Cells<W> theirs, mine;
        for (const int cell : attacker) theirs |= Cells<W>::one(cell);
        for (const int cell : holder) mine |= Cells<W>::one(cell);
        const int ways[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        const auto inside = [&](int row, int column) {
            return row >= 0 && row < game.rows && column >= 0 && column < game.columns;
        };
        for (int row = 0; row < game.rows; row++)
            for (int column = 0; column < game.columns; column++)
                for (const auto& [down, right] : ways) {
                    if (!inside(row + (game.k - 1) * down, column + (game.k - 1) * right)) continue;
                    Cells<W> line, beside;
                    for (int i = -1; i <= game.k; i++) {
                        const int r = row + i * down, c = column + i * right;
                        if (i >= 0 && i < game.k) line |= Cells<W>::one(r * game.columns + c);
                        else if (game.exact && inside(r, c)) beside |= Cells<W>::one(r * game.columns + c);
                    }
                    if (!line.meets(mine) && !beside.meets(theirs)) root_.other.add(line - theirs);
                    if (line.meets(theirs)) continue;
                    if (!weak && !game.exact) root_.own.add(line - mine);
                    if ((line - mine).single() && !beside.meets(mine)) completing_ |= line - mine;
                }
        for (int cell = 0; cell < game.cells; cell++) free_ |= Cells<W>::one(cell);
        free_ -= theirs | mine;
        root_key_ = key(root_, !attacker_moves_).key;
    }

    void run(const Budget& budget, int threads, const Poll& poll) override {
        const uint64_t until = budget.nodes > ~uint64_t{0} - nodes ? ~uint64_t{0} : nodes + budget.nodes;
        stop_ = false, threads_ = threads;
        std::exception_ptr error;
        const auto work = [&](bool first) {
            try {
                Worker worker{*this, until, budget, first ? &poll : nullptr};
                if (!look(root_, !attacker_moves_, root_key_).settled())
                    worker.settle(root_, !attacker_moves_, root_key_, Numbers::never, Numbers::never);
            } catch (...) {
                if (first) error = std::current_exception();
            }
            stop_ = true;
        };
        std::vector<std::thread> others;
        for (int i = 1; i < threads; i++) others.emplace_back(work, false);
        work(true);
        for (std::thread& other : others) other.join();
        if (error) std::rethrow_exception(error);
    }

    Numbers numbers() const override {
        Numbers found;
        table.find(root_key_, found);
        return found;
    }

    std::vector<int> line() const override {
        std::vector<int> found;
        Position<W> position = root_;
        for (bool holder = !attacker_moves_;; holder = !holder) {
            const Child<W>* best = nullptr;
            const auto next = children(position, holder);
            std::vector<Child<W>> known;
            for (const Child<W>& child : next)
                if (Numbers numbers; table.find(child.key, numbers))
                    known.push_back(child), known.back().numbers = numbers;
            for (const Child<W>& child : known)
                if (!best || (holder ? child.numbers.proof < best->numbers.proof
                                     : child.numbers.refutation < best->numbers.refutation))
                    best = &child;
            if (!best) return found;
            found.push_back(best->cell);
            position = best->after;
        }
    }

    std::string write(const Budget& budget, const Poll& poll) override;

    // The key of a position and of all that a turn of the board makes of it. A weight for each cell tells which turn is
    // the first; only where several are alike are the lines themselves compared.
    Key key(const Position<W>& position, bool holder) const {
        std::array<uint32_t, 64 * W> weight{};
        for (const auto& line : position.other.lines)
            line.cells.each([&](int cell) { weight[cell] += 0x9E3779B1u * uint32_t(line.size * line.size + 1); });
        for (const auto& line : position.own.lines)
            line.cells.each([&](int cell) { weight[cell] += 0x85EBCA77u * uint32_t(line.size * line.size + 3); });
        // Turn t puts cell c on to[t][c]; inverse: the weight that comes to lie on cell i is that of from[t][i].
        int best = 0;
        std::array<int, 8> alike{0};
        int count = 1;
        for (int turn = 1; turn < int(turns_.to.size()); turn++) {
            const auto& ours = back(turn);
            const auto& theirs = back(best);
            int i = 0;
            while (i < cells_ && weight[ours[i]] == weight[theirs[i]]) i++;
            if (i == cells_) alike[count++] = turn;
            else if (weight[ours[i]] < weight[theirs[i]]) best = turn, alike[0] = turn, count = 1;
        }
        Key found{~uint64_t{0}, 0};
        for (int i = 0; i < count; i++) {
            const auto& to = turns_.to[alike[i]];
            uint64_t sum = holder;
            for (const auto& line : position.other.lines) sum += hash(line, to, 1);
            for (const auto& line : position.own.lines) sum += hash(line, to, 2);
            if (sum < found.key) found = {sum, alike[i]};
        }
        found.key = mixed(found.key + 0x9E3779B97F4A7C15u);
        return found;
    }

  private:
    struct Worker;
    class Writer;

    const std::vector<uint16_t>& back(int turn) const { return turns_.to[Turns::inverse[turn]]; }

    static uint64_t hash(const Line<W>& line, const std::vector<uint16_t>& to, uint64_t salt) {
        uint64_t sum = salt;
        line.cells.each([&](int cell) { sum += random_[to[cell]]; });
        return mixed(sum);
    }

    // Can the attacker, to move, win by fours alone? Then `zone` gains the cells where the holder could upset that.
    static bool fours(const Position<W>& position, int& tries, Cells<W>& zone) {
        const Cells<W> done = position.other.lacking(1);
        if (done.any()) return zone |= Cells<W>::one(done.first()), true;
        if (tries-- <= 0) return false;
        const Cells<W> must = position.own.lacking(1);
        if (must.any() && !must.single()) return false;
        Cells<W> makers = position.other.lacking(2);
        if (must.any()) makers &= must;
        for (; makers.any(); makers = makers.without_first()) {
            const int cell = makers.first();
            Position<W> after = position;
            after.attack(cell);
            const int reply = after.other.lacking(1).first();
            const Cells<W> upset = after.own.lacking(1) | after.own.lacking(2);
            after.answer(reply);
            if (fours(after, tries, zone)) {
                zone |= upset | Cells<W>::one(cell) | Cells<W>::one(reply);
                return true;
            }
        }
        return false;
    }

    // What a look at a position tells, with the attacker to move. If that suffices, `needs` are the cells that it
    // depends on.
    Numbers attacked(const Position<W>& position, Cells<W>& needs) const {
        const Cells<W> done = position.own.lacking(1);
        if (position.other.lacking(1).any()) return refuted;
        if (done.any() && !done.single()) return proven;
        Cells<W> zone;
        int tries = fours_tries;
        if (fours(position, tries, zone)) return refuted;
        Pairs<W> pairs;
        if (pairs.find(position.other)) return needs = pairs.zone, proven;
        return {left_to_prove(pairs.light), 1};
    }

    // The same with the holder to move, who tries `hint` (-1: nothing), which has been of use elsewhere, and then the
    // cell in the heaviest lines.
    Numbers answering(const Position<W>& position, int hint, Sure<W>& sure) const {
        const Cells<W> done = position.own.lacking(1), lost = position.other.lacking(1);
        if (done.any()) return sure = {done.first(), Cells<W>::one(done.first())}, proven;
        if (position.other.lines.empty()) return proven;
        if (lost.any() && !lost.single()) return refuted;
        std::array<int, 64 * W> weight{};
        for (const auto& line : position.other.lines)
            line.cells.each([&](int cell) { weight[cell] += weight_of(line.size); });
        const auto heaviest = std::max_element(weight.begin(), weight.end()) - weight.begin();
        Numbers found;
        for (const int cell : {lost.any() || hint < 0 || !weight[hint] ? -1 : hint,
                               lost.any() ? lost.first() : int(heaviest)}) {
            if (cell < 0) continue;
            Position<W> after = position;
            after.answer(cell);
            Sure<W> here{cell};
            found = attacked(after, here.needs);
            here.needs |= Cells<W>::one(cell);
            if (found.proven()) return sure = here, proven;
        }
        if (found.refuted()) return lost.any() ? refuted : Numbers{left_to_prove(whole), 1};
        return {found.proof, 1};
    }

    Numbers look(const Position<W>& position, bool holder, uint64_t key) {
        Sure<W> sure;
        return look(position, holder, key, -1, sure);
    }

    Numbers look(const Position<W>& position, bool holder, uint64_t key, int hint, Sure<W>& sure) {
        Numbers found;
        if (table.find(key, found)) return found;
        found = holder ? answering(position, hint, sure) : attacked(position, sure.needs);
        table.keep(key, found, 0);
        return found;
    }

    // Leaves out a cell if another of them is in all the lines through it, of both: that one is no worse for either.
    static void drop_dominated(const Position<W>& position, Cells<W>& cells) {
        Cells<W> kept = cells;
        cells.each([&](int cell) {
            Cells<W> shared = kept;
            for (const auto* family : {&position.other, &position.own})
                for (const auto& line : family->lines)
                    if (line.cells.has(cell)) shared &= line.cells;
            shared -= Cells<W>::one(cell);
            if (shared.any()) kept -= Cells<W>::one(cell);
        });
        cells = kept;
    }

    // Where a player may move: not where it changes nothing, nor where another cell is no worse.
    Cells<W> moves(const Position<W>& position, bool holder) const {
        const Cells<W> must = holder ? position.other.lacking(1) : position.own.lacking(1);
        if (must.any()) return must;
        Cells<W> cells = position.other.all() | position.own.all();
        if (holder) {
            Cells<W> zone;
            int tries = 4 * fours_tries;
            if (fours(position, tries, zone)) cells &= zone | position.own.lacking(2);
        }
        drop_dominated(position, cells);
        return cells;
    }

    // The moves of a player, the heaviest first.
    std::vector<int> ordered(const Position<W>& position, bool holder) const {
        const Cells<W> cells = moves(position, holder);
        std::array<int, 64 * W> weight{};
        for (const auto& line : position.other.lines)
            line.cells.each([&](int cell) { weight[cell] += weight_of(line.size); });
        std::vector<int> order;
        cells.each([&](int cell) { order.push_back(cell); });
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weight[a] > weight[b]; });
        return order;
    }

    Child<W> child(const Position<W>& position, bool holder, int cell) const {
        Child<W> found{cell, 0, {}, position};
        if (holder) found.after.answer(cell);
        else found.after.attack(cell);
        found.key = key(found.after, !holder).key;
        return found;
    }

    std::vector<Child<W>> children(const Position<W>& position, bool holder) const {
        std::vector<Child<W>> found;
        for (const int cell : ordered(position, holder)) {
            Child<W> next = child(position, holder, cell);
            if (std::none_of(found.begin(), found.end(), [&](const Child<W>& each) { return each.key == next.key; }))
                found.push_back(std::move(next));
        }
        return found;
    }

    // Says to other threads that one is at work somewhere.
    struct Busy {
        std::atomic<uint8_t>& count;
        explicit Busy(std::atomic<uint8_t>& count) : count(count) { count++; }
        ~Busy() { count--; }
    };

    // The moves of a position that were looked at, and are not settled: all of the attacker, the heaviest of the holder.
    struct Branch {
        Search& search;
        const Position<W>& position;
        const bool holder;
        const std::vector<int> order = search.ordered(position, holder);
        size_t looked = 0;
        std::vector<Child<W>> open{};
        bool decided = false;  // a holder needs one answer, an attacker one move

        Branch(Search& search, const Position<W>& position, bool holder)
            : search(search), position(position), holder(holder) {
            std::vector<Sure<W>> sure;
            const auto met = [&](int cell) {
                return std::any_of(sure.begin(), sure.end(), [&](const auto& each) { return !each.needs.has(cell); });
            };
            while (more() && !decided && !(holder && looked == first_looks)) {
                if (met(order[looked])) looked++;
                else if (Sure<W> found; look(sure.empty() ? -1 : sure.back().answer, found)) sure.push_back(found);
            }
            if (!decided) std::erase_if(open, [&](const Child<W>& child) { return met(child.cell); });
        }

        bool more() const { return looked < order.size(); }

        void look() {
            Sure<W> sure;
            look(-1, sure);
        }

      private:
        // The next move; whether an answer to it was found that may meet others.
        bool look(int hint, Sure<W>& sure) {
            Child<W> child = search.child(position, holder, order[looked++]);
            if (std::any_of(open.begin(), open.end(), [&](const Child<W>& each) { return each.key == child.key; }))
                return false;
            child.numbers = search.look(child.after, !holder, child.key, hint, sure);
            decided = holder ? child.numbers.proven() : child.numbers.refuted();
            if (decided || !child.numbers.settled()) open.push_back(std::move(child));
            return !holder && sure.answer >= 0;
        }
    };

    // One thread of the search.
    struct Worker {
        Search& search;
        const uint64_t until;
        const Budget& budget;
        const Poll* poll;

        bool stopped() {
            const uint64_t nodes = ++search.nodes;
            if (nodes >= until) search.stop_ = true;
            if (poll && (W > 1 || nodes % 64 == 0)) {  // a node of a large board takes milliseconds
                (*poll)();
                if (budget.late()) search.stop_ = true;
            }
            return search.stop_;
        }

        // Goes on with a position until one of its numbers reaches its bound.
        Numbers settle(const Position<W>& position, bool holder, uint64_t key, uint32_t proof, uint32_t refutation) {
            const uint64_t before = search.nodes;
            bool stop = stopped();
            Branch next(search, position, holder);
            Numbers found;
            for (;;) {
                const auto useless = [](const Child<W>& child) { return child.numbers.refuted(); };
                while (holder && !next.decided && next.more() && std::ranges::all_of(next.open, useless)) next.look();
                if (next.decided || next.open.empty()) {
                    found = next.decided == holder ? proven : refuted;
                    break;
                }
                // The holder wants the answer with the fewest left to prove, the attacker the move with the fewest to
                // refute.
                const auto wanted = [&](const Child<W>& child) {
                    return holder ? child.numbers.proof : child.numbers.refutation;
                };
                const auto against = [&](const Child<W>& child) {
                    return holder ? child.numbers.refutation : child.numbers.proof;
                };
                const uint32_t beyond = holder ? proof : refutation;
                Child<W>* best = nullptr;
                uint64_t least = ~uint64_t{0}, second = Numbers::never;
                uint32_t most = 0, open = uint32_t(holder ? next.order.size() - next.looked : 0), floor = Numbers::never;
                for (Child<W>& child : next.open) {
                    // Another thread is at work there; but one beyond the bound would only be left again.
                    const uint64_t shy = uint64_t(wanted(child) / 2 + 1) * search.busy(child.key);
                    const uint64_t value = wanted(child) + (wanted(child) + shy < beyond ? shy : 0);
                    floor = std::min(floor, wanted(child));
                    if (value < least) second = std::min<uint64_t>(least, Numbers::never), least = value, best = &child;
                    else second = std::min(second, value);
                    most = std::max(most, against(child));
                    open += against(child) > 0;
                }
                const uint32_t together = std::min(most + (open ? open - 1 : 0), Numbers::never - 1);
                const uint32_t all = most >= Numbers::never ? Numbers::never : together;
                found = holder ? Numbers{floor, all} : Numbers{all, floor};
                if (found.settled() || found.proof >= proof || found.refutation >= refutation || stop) break;
                const uint64_t later = std::min<uint64_t>(second + second / 4 + 1, Numbers::never);
                const uint32_t bound = std::min(beyond, uint32_t(later));
                const uint32_t limit = holder ? refutation : proof;
                const uint32_t rest = limit >= Numbers::never ? limit : limit - std::min(open - 1, limit - 1);
                const Busy busy(search.busy_[best->key >> 48]);
                best->numbers = holder ? settle(best->after, false, best->key, bound, rest)
                                       : settle(best->after, true, best->key, rest, bound);
                stop = search.stop_;
                next.decided = holder ? best->numbers.proven() : best->numbers.refuted();
                for (int i = 0; i < more_looks && holder && !next.decided && next.more(); i++) next.look();
                if (search.threads_ > 1)
                    for (Child<W>& child : next.open)
                        if (!child.numbers.settled()) search.table.find(child.key, child.numbers);
            }
            search.table.keep(key, found, search.nodes - before);
            return found;
        }
    };

    uint8_t busy(uint64_t key) const { return threads_ > 1 ? busy_[key >> 48].load(std::memory_order_relaxed) : 0; }

    const Turns turns_;
    const int cells_;
    const bool attacker_moves_, weak_;
    Position<W> root_;
    Cells<W> free_, completing_;  // where the holder completes a line at once
    uint64_t root_key_;
    std::vector<std::atomic<uint8_t>> busy_;
    std::atomic<bool> stop_{false};
    int threads_ = 1;
    static const std::array<uint64_t, 256> random_;
};

template <int W>
const std::array<uint64_t, 256> Search<W>::random_ = [] {
    std::array<uint64_t, 256> found;
    for (size_t i = 0; i < found.size(); i++) found[i] = mixed((i + 1) * 0x9E3779B97F4A7C15u);
    return found;
}();

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
            if (Numbers numbers; search_.table.find(next.key, numbers) && numbers.proven()) return cell;
        }
        for (const int cell : order) {
            const Child<W> next = search_.child(position, true, cell);
            if (search_.look(next.after, false, next.key).proven()) return cell;
        }
        search_.stop_ = false;  // it was forgotten, and is looked for again
        const uint64_t key = search_.key(position, true).key;
        if (!worker_.settle(position, true, key, Numbers::never, Numbers::never).proven()) throw Forgotten();
        return answer(position, free, hint);
    }

    Step add(const Position<W>& position) {
        const Key key = search_.key(position, false);
        if (const auto known = known_.find(key.key); known != known_.end()) {
            nodes_[known->second].met++;
            return {known->second, key.turn};
        }
        Node node;
        node.turn = key.turn;
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
        return known_[key.key] = int(nodes_.size()) - 1, Step{int(nodes_.size()) - 1, key.turn};
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

template <int W>
std::string Search<W>::write(const Budget& budget, const Poll& poll) {
    threads_ = 1;
    return Writer(*this, budget, poll).text(root_, attacker_moves_);
}

}  // namespace

std::string HoldSearch::known() const {
    std::string bytes;
    const auto add = [&](uint64_t key, uint64_t content) {
        for (const uint64_t word : {key, content})
            for (int i = 0; i < 8; i++) bytes += char(word >> 8 * i);
    };
    table.each(add);
    return bytes;
}

void HoldSearch::recall(std::string_view known) {
    const auto word = [&](size_t at) {
        uint64_t found = 0;
        for (int i = 0; i < 8; i++) found |= uint64_t(uint8_t(known[at + i])) << 8 * i;
        return found;
    };
    for (size_t at = 0; at + 16 <= known.size(); at += 16) table.put(word(at), word(at + 8));
}

std::unique_ptr<HoldSearch> HoldSearch::make(const Game& game, const std::vector<int>& attacker,
                                             const std::vector<int>& holder, bool attacker_moves, bool weak,
                                             size_t memory) {
    if (game.cells <= 64) return std::make_unique<Search<1>>(game, attacker, holder, attacker_moves, weak, memory);
    if (game.cells <= 128) return std::make_unique<Search<2>>(game, attacker, holder, attacker_moves, weak, memory);
    return std::make_unique<Search<4>>(game, attacker, holder, attacker_moves, weak, memory);
}

}  // namespace noughts::prove
