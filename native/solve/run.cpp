// The steps of a run, from the full board down, shared by the threads.
#include <chrono>
#include <cstring>
#include <string>

#include "../isa.hpp"
#include "../job.hpp"
#include "classes.hpp"
#include "kept.hpp"
#include "step.hpp"

namespace noughts::solve {
namespace {

using Clock = std::chrono::steady_clock;

class Run {
   public:
    Run(const Solver& solver, const Options& options)
        : solver_(solver), index_(solver.index), options_(options), kernels_(*choose_isa(options.isa).solve_kernels),
          threads_(std::max(1, options.threads)), fixed_(solver.board, threads_, [this] { return stop(); }),
          kept_{{index_, kernels_, completing_wins(solver.game), Kept::memory(index_, 0)},
                {index_, kernels_, completing_wins(solver.game), Kept::memory(index_, 1)}} {}

    Result all_steps() {
        int x = index_.top;
        if (options_.resume_level >= 0) resume(x = (options_.resume_level + 1) / 2), x--;
        for (int level = 0; level <= std::min(2 * x, solver_.board.cells); level++) total_ += index_.level_bytes(level);
        for (; x >= 0; x--) {
            step(x);
            if (stop()) return result_;
        }
        result_.finished = true;
        return result_;
    }

   private:
    void resume(int x) {
        Kept& above = kept_[x % 2];
        above.start(options_.resume_level);
        const uint64_t bytes = index_.block_bytes(options_.resume_level);
        each(index_.open[x].size(), 1024, [&](int, uint64_t begin, uint64_t end) {
            std::vector<Code> block(bytes + padding);
            for (uint64_t number = begin; number < end; number++) {
                std::memcpy(block.data(), options_.resume_bytes + number * bytes, bytes);
                above.put(number, block.data());
            }
        });
    }

    void step(int x) {
        Kept &above = kept_[(x + 1) % 2], &below = kept_[x % 2];
        if (x > 0) below.start(2 * x - 1);
        Step step(solver_, kernels_, x);
        if (x < index_.top)
            each(index_.open[x + 1].size(), 4096, [&](int, uint64_t begin, uint64_t end) { step.enter(begin, end); });
        std::vector<Worker> workers;
        for (int thread = 0; thread < threads_; thread++) workers.push_back(step.worker(&above, &below));

        const uint64_t block = even_bytes(x) + odd_bytes(x), piece = std::max<uint64_t>(1, 500'000 / block);
        each(index_.open[x].size(), piece, [&](int thread, uint64_t begin, uint64_t end) {
            solve(step, workers[thread], x, begin, end);
            done_ += (end - begin) * block;
            if (thread == 0) report(std::min(2 * x, solver_.board.cells));
        });
        if (step.has_odd)
            each(index_.won[x].size(), 256, [&](int thread, uint64_t begin, uint64_t end) {
                step.count_won(workers[thread], begin, end);
            });
        if (stop()) return;

        for (int thread = 1; thread < threads_; thread++)
            for (int code = 0; code < 256; code++) {
                workers[0].even_counts[code] += workers[thread].even_counts[code];
                workers[0].odd_counts[code] += workers[thread].odd_counts[code];
            }
        if (step.has_even) finish(workers[0].even_counts, 2 * x);
        if (step.has_odd) finish(workers[0].odd_counts, 2 * x - 1);
    }

    void solve(const Step& step, Worker& worker, int x, uint64_t begin, uint64_t end) {
        std::vector<Code> even, odd;
        if (options_.save || x == 0) even.resize((end - begin) * even_bytes(x));
        if (options_.save) odd.resize((end - begin) * odd_bytes(x));
        step.solve(worker, begin, end, even.empty() ? nullptr : even.data(), odd.empty() ? nullptr : odd.data());
        if (x == 0) result_.start = even[0];
        if (!options_.save) return;
        if (!even.empty()) options_.save(2 * x, begin * even_bytes(x), even.data(), even.size());
        if (!odd.empty()) options_.save(2 * x - 1, begin * odd_bytes(x), odd.data(), odd.size());
    }
    // A block of level 2x, of level 2x - 1; 0 where there is no such level.
    uint64_t even_bytes(int x) const { return index_.block_bytes(2 * x); }
    uint64_t odd_bytes(int x) const { return x > 0 ? index_.block_bytes(2 * x - 1) : 0; }

    void finish(const uint64_t (&counts)[256], int marks) {
        Counted counted;
        std::copy(counts, counts + 256, counted.codes.begin());
        result_.levels.push_back(counted.level(marks, solver_.board.cells));
        result_.levels.back().classes = fixed_.classes(marks, result_.levels.back().positions);
        if (options_.level_done) options_.level_done(result_.levels.back());
    }

    template <typename Work>
    void each(uint64_t count, uint64_t piece, Work work) {
        share(threads_, count, piece, work, [&] { return stop(); });
    }
    bool stop() const { return stopped_ || (options_.stop && *options_.stop); }
    void report(int level) {
        if (!options_.progress || Clock::now() - last_report_ < std::chrono::milliseconds(100)) return;
        last_report_ = Clock::now();
        if (!options_.progress({level, done_, total_})) stopped_ = true;
    }

    const Solver& solver_;
    const Index& index_;
    const Options& options_;
    const Kernels& kernels_;
    const int threads_;
    std::atomic<bool> stopped_{false};
    const Fixed fixed_;
    Kept kept_[2];  // the level above a step and the one that it makes, in turn
    Result result_;
    std::atomic<uint64_t> done_{0};
    uint64_t total_ = 0;
    Clock::time_point last_report_ = Clock::now();
};

}  // namespace

Result Solver::run(const Options& options) const {
    if (board.cells > most_solved)
        throw TooLarge("the native core solves at most " + std::to_string(most_solved) + " cells, this board has " +
                       std::to_string(board.cells));
    require_memory(options);
    if (options.resume_level >= 0 && (options.resume_level % 2 == 0 || options.resume_level > board.cells))
        throw std::invalid_argument("a run resumes from the bytes of a level with an odd number of marks");
    return Run(*this, options).all_steps();
}

}  // namespace noughts::solve
