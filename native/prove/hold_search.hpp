// The search for holding: where to look next, and what was found.
//
//     attacker to move    the holder needs an answer to every move that matters
//     holder to move      one answer that holds is enough
//
// Whoever's moves all fail (for the attacker: are answered) fails only because of some cells, the zone; a move outside
// the zone of one that failed fails, too. The search goes on where the proof is nearest (proof numbers).
#pragma once

#include <algorithm>
#include <array>
#include <thread>

#include "prove/family.hpp"
#include "prove/hold.hpp"
#include "prove/pairs.hpp"
#include "prove/turns.hpp"
#include "prove/zones.hpp"

namespace noughts::prove {

inline constexpr int fours_tries = 30;  // positions of one search by fours
inline constexpr int first_looks = 8;   // answers that are looked at before one of them is looked into
inline constexpr int more_looks = 2;    // others, each time that did not suffice

// About how many positions are left to prove where lines that weigh so much have no pair: 4, and four times as many for
// each weight of 1, with straight lines between the powers of two.
inline uint32_t left_to_prove(int light) {
    const int64_t twice = 2 * int64_t{light}, rest = twice % whole;
    return uint32_t(((4 * whole + 4 * rest) << std::min<int64_t>(twice / whole, 16)) / whole);
}

template <int W>
struct Position {
    Family<W> other, own;  // the other's lines; the holder's, if they count

    void attack(int cell) { other.take(cell), own.lose(cell); }
    void answer(int cell) { other.lose(cell), own.take(cell); }
};

// Where a position is kept.
struct Place {
    uint64_t key;
    int turn;  // what turns the position into the one that the key is of
};

// What is known of a position. If it is settled, `zone` has the cells that this depends on: where it is proven, marks
// of the attacker elsewhere change nothing, and where it is refuted, those of the holder.
template <int W>
struct Known {
    Numbers numbers;
    Cells<W> zone = Cells<W>::everything();
    int answer = -1;  // of the holder, if a look found one that suffices
};

template <int W>
struct Child {
    int cell;
    Place at;
    Position<W> after;
    Known<W> known{};
};

template <int W>
class Search final : public HoldSearch {
  public:
    Search(const Game& game, const std::vector<int>& attacker, const std::vector<int>& holder, bool attacker_moves,
           bool weak, size_t memory)
        : HoldSearch(memory / 2),
          turns_(game),
          cells_(game.cells),
          attacker_moves_(attacker_moves),
          weak_(weak),
          zones_(memory / 2),
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
        root_at_ = place(root_, !attacker_moves_);
    }

    void run(const Budget& budget, int threads, const Poll& poll) override {
        const uint64_t until = budget.nodes > ~uint64_t{0} - nodes ? ~uint64_t{0} : nodes + budget.nodes;
        stop_ = false, threads_ = threads;
        std::exception_ptr error;
        const auto work = [&](bool first) {
            try {
                Worker worker{*this, until, budget, first ? &poll : nullptr};
                if (!look(root_, !attacker_moves_, root_at_).numbers.settled())
                    worker.settle(root_, !attacker_moves_, root_at_, Numbers::never, Numbers::never);
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
        table.find(root_at_.key, found);
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
                if (Numbers numbers; table.find(child.at.key, numbers))
                    known.push_back(child), known.back().known.numbers = numbers;
            for (const Child<W>& child : known)
                if (!best || (holder ? child.known.numbers.proof < best->known.numbers.proof
                                     : child.known.numbers.refutation < best->known.numbers.refutation))
                    best = &child;
            if (!best) return found;
            found.push_back(best->cell);
            position = best->after;
        }
    }

    std::string write(const Budget& budget, const Poll& poll) override;
    std::string known() const override;
    void recall(std::string_view known) override;

    // The place of a position and of all that a turn of the board makes of it. A weight for each cell tells which turn
    // is the first; only where several are alike are the lines themselves compared.
    Place place(const Position<W>& position, bool holder) const {
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
        Place found{~uint64_t{0}, 0};
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

    Cells<W> turned(const Cells<W>& zone, int turn) const {
        if (!turn || zone == Cells<W>::everything()) return zone;
        Cells<W> found;
        zone.each([&](int cell) { found |= Cells<W>::one(turns_.to[turn][cell]); });
        return found;
    }

    // What the zone of a refuted position is, given that of the fours that refute it: with lines of the holder's own
    // that would have to be more than they know.
    Cells<W> lost(const Cells<W>& zone) const { return weak_ ? zone : Cells<W>::everything(); }

    // What a look at a position tells, with the attacker to move.
    Known<W> attacked(const Position<W>& position) const {
        const Cells<W> done = position.own.lacking(1), over = position.other.lacking(1);
        if (over.any()) return {refuted, lost(Cells<W>::one(over.first()))};
        if (done.any() && !done.single()) return {proven};
        Cells<W> zone;
        int tries = fours_tries;
        if (fours(position, tries, zone)) return {refuted, lost(zone)};
        Pairs<W> pairs;
        if (pairs.find(position.other)) return {proven, pairs.zone};
        return {{left_to_prove(pairs.light), 1}};
    }

    // The same with the holder to move, who tries `hint` (-1: nothing), which has been of use elsewhere, and then the
    // cell in the heaviest lines.
    Known<W> answering(const Position<W>& position, int hint) const {
        const Cells<W> done = position.own.lacking(1), must = position.other.lacking(1);
        if (done.any()) return {proven, Cells<W>::one(done.first()), done.first()};
        if (position.other.lines.empty()) return {proven, {}};
        if (must.any() && !must.single())
            return {refuted, lost(Cells<W>::one(must.first()) | Cells<W>::one(must.without_first().first()))};
        std::array<int, 64 * W> weight{};
        for (const auto& line : position.other.lines)
            line.cells.each([&](int cell) { weight[cell] += weight_of(line.size); });
        const auto heaviest = std::max_element(weight.begin(), weight.end()) - weight.begin();
        Known<W> found;
        for (const int cell : {must.any() || hint < 0 || !weight[hint] ? -1 : hint,
                               must.any() ? must.first() : int(heaviest)}) {
            if (cell < 0) continue;
            Position<W> after = position;
            after.answer(cell);
            found = attacked(after);
            if (found.numbers.proven()) return {proven, found.zone | Cells<W>::one(cell), cell};
        }
        if (found.numbers.refuted())
            return must.any() ? Known<W>{refuted, lost(found.zone | must)} : Known<W>{{left_to_prove(whole), 1}};
        return {{found.numbers.proof, 1}};
    }

    Known<W> look(const Position<W>& position, bool holder, const Place& at, int hint = -1) {
        Known<W> found;
        if (table.find(at.key, found.numbers)) {
            if (found.numbers.settled()) found.zone = turned(zones_.find(at.key), Turns::inverse[at.turn]);
            return found;
        }
        found = holder ? answering(position, hint) : attacked(position);
        keep(at, found, 0);
        return found;
    }

    void keep(const Place& at, const Known<W>& found, uint64_t work) {
        if (found.numbers.settled() && found.zone != Cells<W>::everything())
            zones_.keep(at.key, turned(found.zone, at.turn));
        table.keep(at.key, found.numbers, work);
    }

    // Leaves out a cell if another of them is in all the lines through it, of both: that one is no worse for either.
    static Cells<W> undominated(const Position<W>& position, const Cells<W>& cells) {
        Cells<W> kept = cells;
        cells.each([&](int cell) {
            if ((with(position, cell) & kept) != Cells<W>::one(cell)) kept -= Cells<W>::one(cell);
        });
        return kept;
    }

    // The cells that all lines through a cell have, of both.
    static Cells<W> with(const Position<W>& position, int cell) {
        Cells<W> shared = Cells<W>::everything();
        for (const auto* family : {&position.other, &position.own})
            for (const auto& line : family->lines)
                if (line.cells.has(cell)) shared &= line.cells;
        return shared;
    }

    // Where a player may move: not where it changes nothing, nor where another cell is no worse. `zone`: what makes all
    // moves but these, and those that another is no worse than, lose.
    struct Moves {
        Cells<W> all, best, zone;
    };
    Moves moves(const Position<W>& position, bool holder) const {
        const Cells<W> must = holder ? position.other.lacking(1) : position.own.lacking(1);
        if (must.any()) return {must, must, must};
        Moves found{position.other.all() | position.own.all(), {}, {}};
        if (holder) {
            Cells<W> zone;
            int tries = 4 * fours_tries;
            if (fours(position, tries, zone)) found.all &= zone | position.own.lacking(2), found.zone = zone;
        }
        found.best = undominated(position, found.all);
        return found;
    }

    // The moves of a player, the heaviest first.
    std::vector<int> ordered(const Position<W>& position, const Cells<W>& cells) const {
        std::array<int, 64 * W> weight{};
        for (const auto& line : position.other.lines)
            line.cells.each([&](int cell) { weight[cell] += weight_of(line.size); });
        std::vector<int> order;
        cells.each([&](int cell) { order.push_back(cell); });
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weight[a] > weight[b]; });
        return order;
    }
    std::vector<int> ordered(const Position<W>& position, bool holder) const {
        return ordered(position, moves(position, holder).best);
    }

    Child<W> child(const Position<W>& position, bool holder, int cell) const {
        Child<W> found{cell, {}, position};
        if (holder) found.after.answer(cell);
        else found.after.attack(cell);
        found.at = place(found.after, !holder);
        return found;
    }

    std::vector<Child<W>> children(const Position<W>& position, bool holder) const {
        std::vector<Child<W>> found;
        for (const int cell : ordered(position, holder)) {
            Child<W> next = child(position, holder, cell);
            const auto same = [&](const Child<W>& each) { return each.at.key == next.at.key; };
            if (std::ranges::none_of(found, same)) found.push_back(std::move(next));
        }
        return found;
    }

    // Says to other threads that one is at work somewhere.
    struct Busy {
        std::atomic<uint8_t>& count;
        explicit Busy(std::atomic<uint8_t>& count) : count(count) { count++; }
        ~Busy() { count--; }
    };

    // The moves of a position. Those that were looked at are open until one decides it or they fail; and if one fails,
    // so does every other outside its zone.
    struct Branch {
        Search& search;
        const Position<W>& position;
        const bool holder;
        const Moves moves = search.moves(position, holder);
        const std::vector<int> order = search.ordered(position, moves.best);
        size_t looked = 0;
        std::vector<Child<W>> open{}, failed{}, twins{};  // twins: of one that is open
        int decided = -1;  // the move that does: a holder needs one answer, an attacker one move
        Cells<W> zone{};   // of what is decided
        int hint = -1;

        Branch(Search& search, const Position<W>& position, bool holder)
            : search(search), position(position), holder(holder) {
            while (more() && decided < 0 && !(holder && looked >= first_looks)) look();
        }

        bool more() const { return looked < order.size(); }

        // Looks at the next move that is not known to fail.
        void look() {
            const int cell = order[looked++];
            if (met(cell)) return;
            Child<W> child = search.child(position, holder, cell);
            for (const Child<W>& each : open)
                if (each.at.key == child.at.key) return twins.push_back(std::move(child));
            child.known = search.look(child.after, !holder, child.at, hint);
            if (!holder && child.known.answer >= 0) hint = child.known.answer;
            open.push_back(std::move(child));
            tell(open.size() - 1);
        }

        // Takes note of what is known of an open one now.
        void tell(size_t index) {
            const Numbers numbers = open[index].known.numbers;
            if (!numbers.settled()) return;
            const Child<W> child = std::move(open[index]);
            open.erase(open.begin() + long(index));
            if (holder == numbers.proven()) {
                decided = child.cell, zone = child.known.zone | Cells<W>::one(child.cell);
                return;
            }
            fail(child.cell, child.known.zone);
            const Cells<W> turned = search.turned(child.known.zone, child.at.turn);
            for (const Child<W>& twin : twins)
                if (twin.at.key == child.at.key) fail(twin.cell, search.turned(turned, Turns::inverse[twin.at.turn]));
            std::erase_if(open, [&](Child<W>& each) {
                for (const Child<W>& twin : twins)
                    if (twin.at.key == each.at.key && met(each.cell)) {
                        const Known<W> known = each.known;
                        each = twin, each.known = known;
                    }
                return met(each.cell);
            });
        }

        // What all moves depend on if all of them fail.
        Cells<W> needs() const {
            if (!holder && !search.weak_) return Cells<W>::everything();
            std::vector<bool> used(failed.size(), true);
            const auto covered = [&](const Cells<W>& cells) {
                Cells<W> rest = cells;
                for (size_t i = 0; i < failed.size(); i++)
                    if (used[i]) rest &= failed[i].known.zone - Cells<W>::one(failed[i].cell);
                return !rest.any();
            };
            for (size_t i = failed.size(); i--;) used[i] = false, used[i] = !covered(moves.best);
            Cells<W> found = moves.zone, left = moves.all - moves.best;
            for (size_t i = 0; i < failed.size(); i++)
                if (used[i]) found |= failed[i].known.zone, left &= failed[i].known.zone;
            left.each([&](int cell) { found |= Cells<W>::one((with(position, cell) & moves.best).first()); });
            return holder ? search.lost(found) : found;
        }

      private:
        bool met(int cell) const {
            return std::ranges::any_of(failed, [&](const auto& each) { return !each.known.zone.has(cell); });
        }
        void fail(int cell, const Cells<W>& zone) { failed.push_back({cell, {}, {}, {{}, zone}}); }
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
        Known<W> settle(const Position<W>& position, bool holder, const Place& at, uint32_t proof,
                        uint32_t refutation) {
            const uint64_t before = search.nodes;
            bool stop = stopped();
            Branch next(search, position, holder);
            Known<W> found;
            for (;;) {
                while (holder && next.decided < 0 && next.more() && next.open.empty()) next.look();
                if (next.decided >= 0) {
                    found = {holder ? proven : refuted, holder ? next.zone : search.lost(next.zone)};
                    break;
                }
                if (next.open.empty()) {
                    found = {holder ? refuted : proven, next.needs()};
                    break;
                }
                // The holder wants the answer with the fewest left to prove, the attacker the move with the fewest to
                // refute.
                const auto wanted = [&](const Child<W>& child) {
                    return holder ? child.known.numbers.proof : child.known.numbers.refutation;
                };
                const auto against = [&](const Child<W>& child) {
                    return holder ? child.known.numbers.refutation : child.known.numbers.proof;
                };
                const uint32_t beyond = holder ? proof : refutation;
                Child<W>* best = nullptr;
                uint64_t least = ~uint64_t{0}, second = Numbers::never;
                uint32_t most = 0, floor = Numbers::never;
                uint32_t open = holder ? uint32_t(next.order.size() - next.looked) : 0;
                for (Child<W>& child : next.open) {
                    // Another thread is at work there; but one beyond the bound would only be left again.
                    const uint64_t shy = uint64_t(wanted(child) / 2 + 1) * search.busy(child.at.key);
                    const uint64_t value = wanted(child) + (wanted(child) + shy < beyond ? shy : 0);
                    floor = std::min(floor, wanted(child));
                    if (value < least) second = std::min<uint64_t>(least, Numbers::never), least = value, best = &child;
                    else second = std::min(second, value);
                    most = std::max(most, against(child));
                    open++;
                }
                const uint32_t all = std::min(most + open - 1, Numbers::never - 1);
                found.numbers = holder ? Numbers{floor, all} : Numbers{all, floor};
                if (found.numbers.proof >= proof || found.numbers.refutation >= refutation || stop) break;
                const uint64_t later = std::min<uint64_t>(second + second / 4 + 1, Numbers::never);
                const uint32_t bound = std::min(beyond, uint32_t(later));
                const uint32_t limit = holder ? refutation : proof;
                const uint32_t rest = limit >= Numbers::never ? limit : limit - std::min(open - 1, limit - 1);
                const Busy busy(search.busy_[best->at.key >> 48]);
                best->known = holder ? settle(best->after, false, best->at, bound, rest)
                                     : settle(best->after, true, best->at, rest, bound);
                stop = search.stop_;
                next.tell(size_t(best - next.open.data()));
                for (int i = 0; i < more_looks && holder && next.decided < 0 && next.more(); i++) next.look();
                for (size_t i = next.open.size(); search.threads_ > 1 && i-- && next.decided < 0;)
                    if (i < next.open.size()) {
                        Child<W>& child = next.open[i];
                        child.known = search.look(child.after, !holder, child.at);
                        next.tell(i);
                    }
            }
            search.keep(at, found, search.nodes - before);
            return found;
        }
    };

    uint8_t busy(uint64_t key) const { return threads_ > 1 ? busy_[key >> 48].load(std::memory_order_relaxed) : 0; }

    const Turns turns_;
    const int cells_;
    const bool attacker_moves_, weak_;
    Position<W> root_;
    Cells<W> free_, completing_;  // where the holder completes a line at once
    Place root_at_;
    Zones<W> zones_;
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

}  // namespace noughts::prove
