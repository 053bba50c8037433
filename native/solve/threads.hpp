// A loop shared by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace noughts::solve {

// Calls work(thread, begin, end) for pieces of 0 … count - 1 until all are done or `stop` says so. The calling thread
// is number 0 and takes part. The first exception of a thread is thrown on.
template <typename Work, typename Stop>
void share(int threads, uint64_t count, uint64_t piece, Work work, Stop stop) {
    std::atomic<uint64_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr error;
    auto loop = [&](int thread) {
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

}  // namespace noughts::solve
