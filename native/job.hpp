// Long jobs: shared out over threads, and stoppable.
#pragma once

#include <stdint.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace noughts {

// A job calls it every few milliseconds, on the thread that called the job. It stops the job by throwing.
using Poll = std::function<void()>;

// Cuts 0 … total-1 into chunks and calls work(first, count) for each, on several threads (0: as many as there are
// cores). A chunk should take a few milliseconds; work must not throw. The calling thread works as well.
template <typename Work>
void share_out(uint64_t total, uint64_t chunk, int threads, const Poll& poll, Work work) {
    const uint64_t chunks = (total + chunk - 1) / chunk;
    if (threads <= 0) threads = int(std::max(1u, std::thread::hardware_concurrency()));
    threads = int(std::min<uint64_t>(uint64_t(threads), chunks));

    std::atomic<uint64_t> next{0};
    const auto take_one = [&] {
        const uint64_t i = next.fetch_add(1, std::memory_order_relaxed);
        if (i >= chunks) return false;
        work(i * chunk, std::min(chunk, total - i * chunk));
        return true;
    };
    struct Helpers : std::vector<std::thread> {
        ~Helpers() {
            for (std::thread& helper : *this) helper.join();
        }
    } helpers;
    try {
        for (int i = 1; i < threads; i++) helpers.emplace_back([&] { while (take_one()) {} });
        while (take_one()) poll();
    } catch (...) {
        next = chunks;  // nothing left to take: the helpers come home
        throw;
    }
}

}  // namespace noughts
