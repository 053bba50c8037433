#include "falling.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>

namespace noughts::solve {
namespace {

constexpr uint32_t most_racks = 1 << 20;

// ---- strings

int x_marks(int marks) { return (marks + 1) / 2; }

// The rank of a string among those with as many marks and X, in two looks.
class Ranks {
   public:
    explicit Ranks(int marks) : low_bits_((marks + 1) / 2) {
        const int x = x_marks(marks);
        low_.resize(size_t(1) << low_bits_), high_.resize(size_t(1) << (marks - low_bits_));
        for (uint32_t half = 0; half < low_.size(); half++) low_[half] = colex(half);
        for (uint32_t half = 0; half < high_.size(); half++) {
            int i = x - std::popcount(half);  // the X below
            for (uint32_t left = half; left && i >= 0; left &= left - 1)
                high_[half] += binomial(std::countr_zero(left) + low_bits_, ++i);
        }
    }
    uint64_t operator()(String string) const {
        return uint64_t(low_[string & (low_.size() - 1)]) + high_[string >> low_bits_];
    }

   private:
    int low_bits_;
    std::vector<uint32_t> low_, high_;
};

String unrank(uint64_t rank, int marks) {
    String string = 0;
    for (int above = marks, i = x_marks(marks); i > 0; i--) {
        do above--;
        while (binomial(above, i) > rank);
        rank -= binomial(above, i);
        string |= String(1) << above;
    }
    return string;
}

// The next larger with as many bits.
String next(String string) {
    if (!string) return 0;
    const String lowest = string & -string, carried = string + lowest;
    return carried | ((string ^ carried) >> 2) >> std::countr_zero(lowest);
}

String insert(String string, int place, String mark) {
    const String below = (String(1) << place) - 1;
    return (string & below) | mark << place | (string & ~below) << 1;
}

String remove(String string, int place) {
    const String below = (String(1) << place) - 1;
    return (string & below) | (string >> 1 & ~below);
}

// ---- bits of a level: a block begins with a word of its own, so that no two threads write one

class Bits {
   public:
    Bits(uint64_t blocks, uint64_t bytes) : stride_((bytes + 63) / 64), words_(blocks * stride_) {}
    uint64_t* block(uint64_t number) { return words_.data() + number * stride_; }
    const uint64_t* block(uint64_t number) const { return words_.data() + number * stride_; }
    uint64_t start(uint64_t block) const { return block * stride_ * 64; }
    bool operator[](uint64_t at) const { return words_[at / 64] >> at % 64 & 1; }
    static uint64_t memory(uint64_t blocks, uint64_t bytes) { return blocks * ((bytes + 63) / 64) * 8; }

   private:
    uint64_t stride_;
    std::vector<uint64_t> words_;
};

// ---- from a rack to those with a mark more or less

struct Link {
    uint64_t start;   // of the other rack's block, among the bytes or bits of its level
    uint8_t place;    // where the mark stands in the string, mirrored if that is
    bool mirrored;
};

struct Links {
    int count = 0;
    bool any_mirrored = false;
    Link link[Rack::most_columns];

    // Each column that is not full (marks = 1), or not empty (-1).
    template <typename Start>
    Links(const Racks& racks, const Rack& rack, int marks, Start start) {
        const int all = rack.start[racks.columns];
        for (int c = 0; c < racks.columns; c++) {
            const int height = rack.start[c + 1] - rack.start[c];
            if (height == (marks > 0 ? racks.rows : 0)) continue;
            const Racks::Place other = racks.place(racks.add(rack.number, c, marks));
            const int end = other.mirrored ? all - rack.start[c] : rack.start[c + 1];
            link[count++] = {start(other.block), uint8_t(marks > 0 ? end : end - 1), other.mirrored};
            any_mirrored |= other.mirrored;
        }
    }
};

// ---- pieces of a level

struct Piece {
    Rack rack;
    uint64_t block, first, end;  // ranks
};

// Calls work(thread, piece) for pieces of a level that take some milliseconds at most; their bytes begin at multiples
// of 64.
template <typename Work, typename Stop>
void each_piece(const Racks& racks, int level, int threads, Stop stop, Work work) {
    constexpr uint64_t most = 1 << 16;
    const uint64_t bytes = binomial(level, x_marks(level)), pieces = (bytes + most - 1) / most;
    share(threads, racks.count(level) * pieces, std::max<uint64_t>(1, most / bytes / 4),
          [&](int thread, uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; i++) {
            Piece piece{racks.rack(level, i / pieces), i / pieces, i % pieces * most, 0};
            piece.end = std::min(bytes, piece.first + most);
            work(thread, piece);
        }
    }, stop);
}

// ---- upwards: which positions can arise

struct Arising {
    Bits arises;
    Bits open;  // and the game goes on
};

// Of the two that a byte stands for, unless its rack is symmetric, both.
uint64_t weight(const Rack& rack) { return rack.symmetric ? 1 : 2; }

template <typename Stop>
Arising arise(const Racks& racks, int level, const Bits* open_below, int threads, Stop stop,
              const std::function<void(int thread, const Piece&, uint64_t positions)>& told) {
    const uint64_t blocks = racks.count(level), bytes = binomial(level, x_marks(level));
    Arising found{{blocks, bytes}, {blocks, bytes}};
    const Ranks ranks(std::max(0, level - 1));
    const bool x_was_last = level % 2;
    each_piece(racks, level, threads, stop, [&](int thread, const Piece& piece) {
        const Links links(racks, piece.rack, -1, [&](uint64_t block) { return open_below->start(block); });
        const uint64_t taken = racks.taken(piece.rack);
        uint64_t *arises = found.arises.block(piece.block), *open = found.open.block(piece.block), positions = 0;
        String string = unrank(piece.first, level);
        for (uint64_t i = piece.first; i < piece.end; i++, string = next(string)) {
            const String mirrored = links.any_mirrored ? racks.mirror(piece.rack, string) : 0;
            bool any = level == 0;
            for (int c = 0; c < links.count && !any; c++) {
                const Link& link = links.link[c];
                const String own = link.mirrored ? mirrored : string;
                any = bool(own >> link.place & 1) == x_was_last &&
                      (*open_below)[link.start + ranks(remove(own, link.place))];
            }
            if (!any) continue;
            positions++;
            arises[i / 64] |= uint64_t(1) << i % 64;
            const uint64_t x = racks.spread(piece.rack, string);
            if (!racks.has_line(x_was_last ? x : taken ^ x)) open[i / 64] |= uint64_t(1) << i % 64;
        }
        told(thread, piece, positions * weight(piece.rack));
    });
    return found;
}

}  // namespace

// ---- racks

Racks::Racks(const Game& game)
    : rows(game.rows), columns(game.columns), high(game.rows + 1), k(game.k), exact(game.exact) {
    uint64_t racks = 1;
    for (int c = 0; c < columns; c++) {
        unit_.push_back(uint32_t(racks));
        racks *= uint64_t(high);
        if (racks > most_racks || (c + 1) * high > 64)
            throw TooLarge("strong solving where marks fall takes at most " + std::to_string(most_racks) +
                           " ways to fill the columns: this board has more");
        bottom |= uint64_t(1) << c * high;
    }
    of_.resize(rows * columns + 1), place_.resize(racks);
    std::vector<uint32_t> mirror(racks);
    for (uint32_t number = 0; number < racks; number++) {
        uint32_t mirrored = 0;
        int marks = 0;
        for (int c = 0; c < columns; c++) {
            const uint32_t height = number / unit_[c] % uint32_t(high);
            marks += int(height), mirrored += height * unit_[columns - 1 - c];
        }
        if (number <= mirrored) {
            place_[number] = uint32_t(of_[marks].size()) << 1;
            of_[marks].push_back(number);
        } else {
            place_[number] = place_[mirrored] | 1;
        }
    }
}

Rack Racks::make(uint32_t number) const {
    Rack rack{number, true, {}};
    for (int c = 0; c < columns; c++)
        rack.start[c + 1] = uint8_t(rack.start[c] + number / unit_[c] % uint32_t(high));
    for (int c = 0; c < columns; c++)
        rack.symmetric &= rack.start[c + 1] == rack.start[columns] - rack.start[columns - 1 - c];
    return rack;
}

uint32_t Racks::number(uint64_t taken) const {
    uint32_t number = 0;
    for (int c = 0; c < columns; c++)
        number += unit_[c] * uint32_t(std::popcount(taken >> c * high & ((uint64_t(1) << rows) - 1)));
    return number;
}

bool Racks::has_line(uint64_t set) const {
    for (const int step : {1, high - 1, high, high + 1}) {
        uint64_t run = set;
        for (int length = 1, more; length < k; length += more) {
            more = std::min(length, k - length);
            run &= step * more < 64 ? run >> step * more : 0;
        }
        if (exact) {
            const uint64_t longer = run & run >> step;
            run &= ~(longer | longer << step);
        }
        if (run) return true;
    }
    return false;
}

uint64_t Racks::to_set(uint32_t row_major) const {
    uint64_t set = 0;
    for (; row_major; row_major &= row_major - 1) {
        const int cell = std::countr_zero(row_major);
        set |= uint64_t(1) << (cell % columns * high + rows - 1 - cell / columns);
    }
    return set;
}

uint32_t Racks::to_row_major(uint64_t set) const {
    uint32_t out = 0;
    for (; set; set &= set - 1) {
        const int bit = std::countr_zero(set);
        out |= uint32_t(1) << ((rows - 1 - bit % high) * columns + bit / high);
    }
    return out;
}

// ---- the solver

Falling::Falling(const Game& game) : Strong(game), racks(game) {
    if (game.cells > most_marks)
        throw TooLarge("strong solving where marks fall takes at most 32 cells, this board has " +
                       std::to_string(game.cells));
}

uint64_t Falling::memory(int) const {
    uint64_t bits = 0, levels = 0;
    for (int level = 0; level <= game.cells; level++) {
        bits += Bits::memory(racks.count(level), block_bytes(level));
        levels = std::max(levels, level_bytes(level) + (level < game.cells ? level_bytes(level + 1) : 0));
    }
    // Those that are open are there for two levels, while there are no bytes of levels yet.
    uint64_t racks_bytes = 12;
    for (int c = 0; c < game.columns; c++) racks_bytes *= uint64_t(game.rows) + 1;
    return bits + levels + racks_bytes + (uint64_t(16) << (game.cells + 1) / 2);
}

uint64_t Falling::locate(Sets sets) const {
    const uint64_t x = racks.to_set(sets.x), taken = x | racks.to_set(sets.o);
    const Rack rack = racks.make(racks.number(taken));
    const Racks::Place place = racks.place(rack.number);
    String string = racks.gather(rack, x);
    if (place.mirrored) string = racks.mirror(rack, string);
    return place.block * block_bytes(rack.start[racks.columns]) + colex(Set(string));
}

Sets Falling::position_at(int level, uint64_t place) const {
    const Rack rack = racks.rack(level, place / block_bytes(level));
    const uint64_t x = racks.spread(rack, unrank(place % block_bytes(level), level));
    return {racks.to_row_major(x), racks.to_row_major(racks.taken(rack) ^ x)};
}

namespace {

// Is there an order of moves? From the last mark back, a filling at a time: those that were tried are not tried again.
class Order {
   public:
    explicit Order(const Racks& racks)
        : racks_(racks), tried_(racks.number(racks.bottom * ((uint64_t(1) << racks.rows) - 1)) + 1) {}
    bool exists(uint64_t last, uint64_t other) {  // the sets of who moved last and of who moves next
        const uint64_t taken = last | other;
        for (uint64_t tops = racks_.tops(taken) & last; tops; tops &= tops - 1) {
            const uint64_t top = tops & -tops;
            const uint32_t number = racks_.number(taken ^ top);
            if (tried_[number]) continue;
            tried_[number] = true;
            if (!racks_.has_line(other) && !racks_.has_line(last ^ top) && exists(other, last ^ top)) return true;
        }
        return !taken;
    }

   private:
    const Racks& racks_;
    std::vector<bool> tried_;  // [number]
};

}  // namespace

Code Falling::judge(Sets sets) const {
    const int marks = sets.marks();
    uint64_t last = racks.to_set(sets.x), other = racks.to_set(sets.o);
    if (marks % 2 == 0) std::swap(last, other);
    if (!Order(racks).exists(last, other)) return unreachable_code;
    if (racks.has_line(last)) return completed(marks);
    return marks == game.cells ? tie_code : Code(0);
}

// The orbits of a level are half of its positions, and half of those again that are their own mirror image.
static uint64_t fixed_in(const Racks& racks, const Piece& piece, int level, const Code* bytes) {
    uint64_t fixed = 0;
    String string = unrank(piece.first, level);
    for (uint64_t i = piece.first; i < piece.end; i++, string = next(string))
        fixed += bytes[i] != unreachable_code && racks.mirror(piece.rack, string) == string;
    return fixed;
}

Counted Falling::count(int level, const Code* bytes, int threads, const Poll& poll) const {
    Counted all;
    std::mutex adding;
    uint64_t fixed = 0, positions = 0;
    if (threads <= 0) threads = int(std::max(1u, std::thread::hardware_concurrency()));
    each_piece(racks, level, threads, [] { return false; }, [&](int thread, const Piece& piece) {
        const Code* const own = bytes + piece.block * block_bytes(level);
        uint32_t seen[256] = {};
        for (uint64_t i = piece.first; i < piece.end; i++) seen[own[i]]++;
        const uint64_t alike = piece.rack.symmetric ? fixed_in(racks, piece, level, own) : 0;
        {
            const std::lock_guard held(adding);
            for (int code = 0; code < 256; code++) all.codes[code] += weight(piece.rack) * seen[code];
            fixed += alike;
        }
        if (thread == 0) poll();
    });
    for (int code = 0; code < unreachable_code; code++) positions += all.codes[code];
    all.codes[unreachable_code] = 0;
    all.classes = (positions + fixed) / 2;
    return all;
}

namespace {

using Clock = std::chrono::steady_clock;

class Run {
   public:
    Run(const Falling& solver, const Options& options)
        : solver_(solver), racks_(solver.racks), cells_(solver.game.cells), options_(options),
          threads_(std::max(1, options.threads)),
          from_(options.resume_level >= 0 ? options.resume_level - 1 : cells_) {}

    Result all_levels() {
        for (int level = 0; level <= from_; level++) total_ += solver_.level_bytes(level);
        std::vector<Bits> arises;
        {
            std::unique_ptr<Arising> below;
            for (int level = 0; level <= from_ && !stop(); level++) {
                const auto told = [&](int thread, const Piece& piece, uint64_t) { done(thread, from_, piece); };
                const auto stopped_now = [this] { return stop(); };
                Arising found = arise(racks_, level, below ? &below->open : nullptr, threads_, stopped_now, told);
                if (below) arises.push_back(std::move(below->arises));
                below = std::make_unique<Arising>(std::move(found));
            }
            if (below) arises.push_back(std::move(below->arises));
        }
        std::unique_ptr<Bytes> above, here;
        const Code* next = options_.resume_level >= 0 ? options_.resume_bytes : nullptr;
        for (int level = from_; level >= 0 && !stop(); level--) {
            here = std::make_unique<Bytes>(solver_.level_bytes(level));
            solve(level, arises.back(), next, here->data());
            arises.pop_back();
            above = std::move(here), next = above->data();
        }
        if (stop()) return result_;
        result_.start = next[0], result_.finished = true;
        return result_;
    }

   private:
    void solve(int level, const Bits& arises, const Code* above, Code* here) {
        const Ranks ranks(std::min(cells_, level + 1));
        const bool x_moves = level % 2 == 0;
        const Code completed = solver_.completed(level);
        const uint64_t bytes = solver_.block_bytes(level);
        const uint64_t bytes_above = level < cells_ ? solver_.block_bytes(level + 1) : 0;
        std::vector<Counted> counts(threads_);
        std::vector<uint64_t> fixed(threads_);
        each_piece(racks_, level, threads_, [this] { return stop(); }, [&](int thread, const Piece& piece) {
            const Rack& rack = piece.rack;
            const Links links(racks_, rack, 1, [&](uint64_t block) { return block * bytes_above; });
            const uint64_t taken = racks_.taken(rack), *bits = arises.block(piece.block);
            Code* const own = here + piece.block * bytes;
            uint64_t seen[256] = {};
            String string = unrank(piece.first, level);
            for (uint64_t i = piece.first; i < piece.end; i++, string = next(string)) {
                Code best = unreachable_code;
                if (bits[i / 64] >> i % 64 & 1) {
                    const uint64_t x = racks_.spread(rack, string);
                    if (racks_.has_line(x_moves ? taken ^ x : x)) best = completed;
                    else if (level == cells_) best = tie_code;
                    else {
                        const String mirrored = links.any_mirrored ? racks_.mirror(rack, string) : 0;
                        best = x_moves ? 0 : 255;
                        for (int c = 0; c < links.count; c++) {
                            const Link& link = links.link[c];
                            const String from = link.mirrored ? mirrored : string;
                            const Code child = above[link.start + ranks(insert(from, link.place, x_moves))];
                            best = x_moves ? std::max(best, child) : std::min(best, child);
                        }
                    }
                }
                own[i] = best;
                seen[best]++;
            }
            for (int code = 0; code < unreachable_code; code++) counts[thread].codes[code] += weight(rack) * seen[code];
            if (rack.symmetric) fixed[thread] += fixed_in(racks_, piece, level, own);
            const Code* const made = own + piece.first;
            if (options_.save) options_.save(level, uint64_t(made - here), made, piece.end - piece.first);
            done(thread, level, piece);
        });
        if (stop()) return;
        for (int thread = 1; thread < threads_; thread++) {
            for (int code = 0; code < 256; code++) counts[0].codes[code] += counts[thread].codes[code];
            fixed[0] += fixed[thread];
        }
        Level found = counts[0].level(level, cells_);
        found.classes = (found.positions + fixed[0]) / 2;
        result_.levels.push_back(found);
        if (options_.level_done) options_.level_done(found);
    }

    // Half of the work on a byte is to find out whether its position can arise.
    void done(int thread, int level, const Piece& piece) {
        done_ += piece.end - piece.first;
        if (thread || !options_.progress || Clock::now() - last_report_ < std::chrono::milliseconds(100)) return;
        last_report_ = Clock::now();
        if (!options_.progress({level, done_ / 2, total_})) stopped_ = true;
    }
    bool stop() const { return stopped_ || (options_.stop && *options_.stop); }

    const Falling& solver_;
    const Racks& racks_;
    const int cells_;
    const Options& options_;
    const int threads_;
    const int from_;  // the fullest level to solve
    Result result_;
    std::atomic<bool> stopped_{false};
    std::atomic<uint64_t> done_{0};
    uint64_t total_ = 0;
    Clock::time_point last_report_ = Clock::now();
};

}  // namespace

Result Falling::run(const Options& options) const {
    require_memory(options);
    if (options.resume_level > game.cells) throw std::invalid_argument("there is no such level to go on from");
    return Run(*this, options).all_levels();
}

void count_positions(const Game& game, int marks, int threads, const Poll& poll,
                     const std::function<void(uint64_t positions)>& level_done) {
    const Racks racks(game);
    std::unique_ptr<Arising> below;
    for (int level = 0; level <= marks; level++) {
        std::atomic<uint64_t> all{0};
        const auto told = [&](int thread, const Piece&, uint64_t positions) {
            all += positions;
            if (thread == 0) poll();
        };
        Arising found = arise(racks, level, below ? &below->open : nullptr, threads, [] { return false; }, told);
        below = std::make_unique<Arising>(std::move(found));
        level_done(all);
    }
}

uint64_t counting_memory(const Game& game, int marks) {
    const Racks racks(game);
    uint64_t most = 0;
    for (int level = 0, below = 0; level <= marks; below = level++)
        most = std::max(most, Bits::memory(racks.count(level), binomial(level, x_marks(level))) +
                                  Bits::memory(racks.count(below), binomial(below, x_marks(below))));
    return 2 * most;
}

}  // namespace noughts::solve
