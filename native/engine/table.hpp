// What the search found of positions: a table of fixed size, shared by threads without locks.
//
// An entry is two words. The first is the key of the position, mixed with the second: an entry that two threads wrote
// at once, half each, fits no position.
//
//     second word, from its lowest bit:  move + 1: 16 bits | score 16 | bound 2 | age 6 | depth 8
#pragma once

#include <stdint.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <memory>
#include <new>

namespace noughts::engine {

enum Bound : uint8_t { nothing, upper, lower, precise };

struct Known {
    int move = -1, score = 0, depth = -1;
    Bound bound = nothing;
};

class Table {
  public:
    explicit Table(size_t bytes) : size_(std::bit_floor(std::max<size_t>(bytes, 1 << 16) / sizeof(Entry))) { forget(); }

    Known find(uint64_t key) const {
        const Entry* at = &entry_[key & (size_ - 2)];
        for (int i = 0; i < 2; i++) {
            const uint64_t content = at[i].content.load(std::memory_order_relaxed);
            if (content && (at[i].key.load(std::memory_order_relaxed) ^ content) == key) return read(content);
        }
        return {};
    }

    // Asks for a position to be at hand soon: memory is slow.
    void expect(uint64_t key) const { __builtin_prefetch(&entry_[key & (size_ - 2)]); }

    // The deeper of two entries of this search stays; what an earlier one left makes room.
    void keep(uint64_t key, const Known& known) {
        Entry* at = &entry_[key & (size_ - 2)];
        int into = 1;
        const uint64_t first = at[0].content.load(std::memory_order_relaxed);
        const bool same = first && (at[0].key.load(std::memory_order_relaxed) ^ first) == key;
        if (same || !first || (first >> 34 & 63) != age_ || read(first).depth <= known.depth) into = 0;
        const uint64_t packed = uint64_t(uint16_t(known.move + 1)) | uint64_t(uint16_t(known.score)) << 16 |
                                uint64_t(known.bound) << 32 | uint64_t(age_) << 34 |
                                uint64_t(uint8_t(known.depth)) << 40;
        at[into].key.store(key ^ packed, std::memory_order_relaxed);
        at[into].content.store(packed, std::memory_order_relaxed);
    }

    void grow_old() { age_ = (age_ + 1) & 63; }

    // All is empty again. Fresh memory is zero, and costs nothing before it is used.
    void forget() {
        entry_.reset();
        entry_.reset(static_cast<Entry*>(std::calloc(size_, sizeof(Entry))));
        if (!entry_) throw std::bad_alloc();
    }

  private:
    struct Entry {
        std::atomic<uint64_t> key, content;
    };
    static_assert(sizeof(Entry) == 16);
    static Known read(uint64_t packed) {
        return {int(packed & 0xFFFF) - 1, int16_t(packed >> 16), int8_t(packed >> 40), Bound(packed >> 32 & 3)};
    }
    const size_t size_;
    struct Free {
        void operator()(Entry* entry) const { std::free(entry); }
    };
    std::unique_ptr<Entry[], Free> entry_;
    unsigned age_ = 1;
};

}  // namespace noughts::engine
