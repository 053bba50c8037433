// Long jobs: shared out over threads, and stoppable.
#pragma once

#include <stdint.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace noughts {

// Calls work(thread, begin, end) for pieces of 0 … count - 1 until all are done or `stop` says so. The calling thread
// is number 0 and takes part. The first exception of a thread is thrown on.
template <typename Work, typename Stop>
void share(int threads, uint64_t count, uint64_t piece, Work work, Stop stop) {
    std::atomic<uint64_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr error;
    const auto loop = [&](int thread) {
        try {
            for (uint64_t begin; !failed && !stop() && (begin = next.fetch_add(piece)) < count;)
                work(thread, begin, std::min(count, begin + piece));
        } catch (...) {
            if (!failed.exchange(true)) error = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    threads = int(std::min<uint64_t>(uint64_t(threads), (count + piece - 1) / piece));
    try {
        for (int thread = 1; thread < threads; thread++) others.emplace_back(loop, thread);
    } catch (const std::system_error&) {}  // no more threads to be had: those that there are do it
    loop(0);
    for (auto& other : others) other.join();
    if (error) std::rethrow_exception(error);
}

// How long a search may go on: so many nodes, and so many seconds from now.
struct Budget {
    using Clock = std::chrono::steady_clock;

    Budget(uint64_t nodes, double seconds)
        : nodes(nodes), until(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                 std::chrono::duration<double>(std::min(seconds, 1e9)))) {}
    Budget(uint64_t nodes, Clock::time_point until) : nodes(nodes), until(until) {}
    bool late() const { return Clock::now() >= until; }

    const uint64_t nodes;
    const Clock::time_point until;
};

// A job calls it every few milliseconds, on the thread that called the job. It stops the job by throwing.
using Poll = std::function<void()>;

// Calls work(first, count) for pieces of 0 … total - 1, on several threads (0: as many as there are cores). A piece
// should take a few milliseconds.
template <typename Work>
void share_out(uint64_t total, uint64_t piece, int threads, const Poll& poll, Work work) {
    if (threads <= 0) threads = int(std::max(1u, std::thread::hardware_concurrency()));
    const auto work_and_poll = [&](int thread, uint64_t begin, uint64_t end) {
        work(begin, end - begin);
        if (thread == 0) poll();
    };
    share(threads, total, piece, work_and_poll, [] { return false; });
}

}  // namespace noughts
