// How many positions are left to settle, for each position that was met: a table of fixed size, shared without locks.
//
// An entry is two words. The first is the key of the position, mixed with the second: an entry that two threads wrote
// at once, half each, fits no position. The second, from its lowest bit:
//
//     proof: 28 bits | refutation: 28 | work: 8, about the logarithm of the nodes that it took
#pragma once

#include <stdint.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <memory>
#include <new>

namespace noughts::prove {

// How many positions must still be proven to prove this one, or refuted to refute it.
struct Numbers {
    static constexpr uint32_t never = (1u << 28) - 1;

    uint32_t proof = 1, refutation = 1;
    bool proven() const { return proof == 0; }
    bool refuted() const { return refutation == 0; }
    bool settled() const { return !proof || !refutation; }
};

constexpr Numbers proven{0, Numbers::never}, refuted{Numbers::never, 0};

class Table {
  public:
    explicit Table(size_t bytes) : size_(std::bit_floor(std::max<size_t>(bytes, 1 << 16) / sizeof(Entry))) {
        entry_.reset(static_cast<Entry*>(std::calloc(size_, sizeof(Entry))));
        if (!entry_) throw std::bad_alloc();
    }

    static Numbers numbers(uint64_t content) {
        return {uint32_t(content & Numbers::never), uint32_t(content >> 28 & Numbers::never)};
    }

    // Whether it is there.
    bool find(uint64_t key, Numbers& found) const {
        const Entry* at = bucket(key);
        for (int i = 0; i < ways; i++) {
            const uint64_t content = at[i].content.load(std::memory_order_relaxed);
            if (content && (at[i].key.load(std::memory_order_relaxed) ^ content) == key)
                return found = numbers(content), true;
        }
        return false;
    }

    // Where there is no room, what took the least work goes.
    void keep(uint64_t key, Numbers numbers, uint64_t nodes) {
        Entry* at = bucket(key);
        Entry* into = at;
        uint64_t least = ~uint64_t{0};
        for (int i = 0; i < ways; i++) {
            const uint64_t content = at[i].content.load(std::memory_order_relaxed);
            if (!content || (at[i].key.load(std::memory_order_relaxed) ^ content) == key) {
                if (!content) used_.fetch_add(1, std::memory_order_relaxed);
                into = &at[i];
                break;
            }
            if (content >> 56 < least) least = content >> 56, into = &at[i];
        }
        const uint64_t packed =
            numbers.proof | uint64_t(numbers.refutation) << 28 | uint64_t(std::bit_width(nodes) + 1) << 56;
        into->key.store(key ^ packed, std::memory_order_relaxed);
        into->content.store(packed, std::memory_order_relaxed);
    }

    // Calls go(key, content) for every entry that took work, more than a look.
    template <typename Go>
    void each(Go go) const {
        for (size_t i = 0; i < size_; i++)
            if (const uint64_t content = entry_[i].content.load(std::memory_order_relaxed); content >> 56 > 1)
                go(entry_[i].key.load(std::memory_order_relaxed) ^ content, content);
    }

    void put(uint64_t key, uint64_t content) {
        keep(key, numbers(content), uint64_t{1} << std::max<int>(0, int(content >> 56) - 2));
    }

    size_t used() const { return used_; }

  private:
    static constexpr int ways = 4;
    struct Entry {
        std::atomic<uint64_t> key, content;
    };
    static_assert(sizeof(Entry) == 16);
    struct Free {
        void operator()(Entry* entry) const { std::free(entry); }
    };
    Entry* bucket(uint64_t key) const { return &entry_[key & (size_ - size_t{ways})]; }

    const size_t size_;
    std::unique_ptr<Entry[], Free> entry_;
    std::atomic<size_t> used_{0};
};

}  // namespace noughts::prove
