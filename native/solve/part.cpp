#include "part.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "../isa.hpp"

namespace noughts::solve {
namespace {

uint64_t checksum(const Code* bytes, uint64_t size, uint64_t place) {
    constexpr uint64_t some = 4096;  // whose sums fit into words of 32 bits
    uint64_t total = 0;
    for (; size; place += some) {
        const uint32_t count = uint32_t(std::min(size, some));
        uint32_t codes = 0, places = 0;
        for (uint32_t i = 0; i < count; i++) codes += bytes[i], places += i * bytes[i];
        total += (place + 1) * codes + places;
        bytes += count, size -= count;
    }
    return total;
}

}  // namespace

PartStep::PartStep(const Solver& solver, int x, int threads, const std::string& isa)
    : solver_(solver), index_(solver.index), kernels_(*choose_isa(isa).solve_kernels), x_(x),
      step_(solver, kernels_, x) {
    if (x < index_.top)
        share(std::max(1, threads), index_.open[x + 1].size(), 4096,
              [&](int, uint64_t begin, uint64_t end) { step_.enter(begin, end); }, [] { return false; });
}

std::vector<uint8_t> PartStep::reads(uint64_t begin, uint64_t end, uint64_t per_part) const {
    const uint64_t blocks = x_ < index_.top ? index_.open[x_ + 1].size() : 0;
    std::vector<uint8_t> found((blocks + per_part - 1) / per_part);
    for (uint64_t number = begin; number < end; number++)
        for (uint32_t block : step_.reads(number)) found[block / per_part] = 1;
    return found;
}

PartFound PartStep::solve(const PartTask& task, const Poll& poll) const {
    Kept above = kept(), below = kept();
    std::vector<Code*> parts;
    for (const Code* part : task.above) parts.push_back(const_cast<Code*>(part));  // they are only read
    if (x_ < index_.top) above.start(2 * x_ + 1, 0, task.per_part, std::move(parts));
    if (step_.has_odd && task.waiting) below.start(2 * x_ - 1, task.begin, uint64_t(1) << 40, {task.waiting});
    std::vector<Worker> workers;
    const int threads = std::max(1, task.threads);
    for (int n = 0; n < threads; n++) workers.push_back(step_.worker(&above, task.waiting ? &below : nullptr));

    PartFound found;
    std::mutex adding;
    const uint64_t even_block = even_bytes(), odd_block = odd_bytes();
    const uint64_t piece = std::max<uint64_t>(1, 250'000 / std::max<uint64_t>(1, even_block + odd_block));
    const auto never = [] { return false; };
    share(threads, task.end - task.begin, piece, [&](int thread, uint64_t from, uint64_t to) {
        const uint64_t begin = task.begin + from, count = to - from;
        std::vector<Code> even(count * even_block), odd(count * odd_block);
        step_.solve(workers[thread], begin, begin + count, even.empty() ? nullptr : even.data(),
                    odd.empty() ? nullptr : odd.data());
        if (task.even) std::memcpy(task.even + from * even_block, even.data(), even.size());
        if (task.odd) std::memcpy(task.odd + from * odd_block, odd.data(), odd.size());
        const uint64_t even_sum = checksum(even.data(), even.size(), begin * even_block);
        const uint64_t odd_sum = checksum(odd.data(), odd.size(), begin * odd_block);
        {
            const std::lock_guard held(adding);
            found.even_sum += even_sum, found.odd_sum += odd_sum;
        }
        if (thread == 0) poll();
    }, never);
    if (step_.has_odd)
        share(threads, task.won_end - task.won_begin, 64, [&](int thread, uint64_t from, uint64_t to) {
            step_.count_won(workers[thread], task.won_begin + from, task.won_begin + to);
            if (thread == 0) poll();
        }, never);
    for (const Worker& worker : workers)
        for (int code = 0; code < 256; code++)
            found.even[code] += worker.even_counts[code], found.odd[code] += worker.odd_counts[code];
    return found;
}

void PartStep::wait(const Code* above, uint64_t blocks, Code* waiting) const {
    if (x_ == index_.top) return;
    Kept kept = this->kept();
    kept.start(2 * x_ + 1, 0, uint64_t(1) << 40, {waiting});
    const uint64_t bytes = index_.block_bytes(2 * x_ + 1);
    std::vector<Code> block(bytes + padding);
    for (uint64_t number = 0; number < blocks; number++) {
        std::memcpy(block.data(), above + number * bytes, bytes);
        kept.put(number, block.data());
    }
}

}  // namespace noughts::solve
