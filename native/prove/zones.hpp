// The zones of settled positions: the cells that each depends on, as they lie in the position that its key is of.
//
// A table of fixed size, shared without locks. An entry is the zone, and a word that tells the key from it: what two
// threads wrote at once, half each, fits no position. What it has no room for is forgotten, and nothing is known of it.
#pragma once

#include <stdint.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <memory>
#include <new>

#include "prove/family.hpp"

namespace noughts::prove {

inline uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

template <int W>
class Zones {
  public:
    explicit Zones(size_t bytes) : size_(std::bit_floor(std::max<size_t>(bytes, 1 << 16) / sizeof(Entry))) {
        entry_.reset(static_cast<Entry*>(std::calloc(size_, sizeof(Entry))));
        if (!entry_) throw std::bad_alloc();
    }

    // The zone of a position; all cells if it is not known.
    Cells<W> find(uint64_t key) const {
        Cells<W> zone;
        const Entry& at = entry_[key >> 2 & (size_ - 1)];
        for (int i = 0; i < W; i++) zone.word[i] = at.word[i].load(std::memory_order_relaxed);
        return at.sum.load(std::memory_order_relaxed) == sum(key, zone) ? zone : Cells<W>::everything();
    }

    void keep(uint64_t key, const Cells<W>& zone) {
        Entry& at = entry_[key >> 2 & (size_ - 1)];
        for (int i = 0; i < W; i++) at.word[i].store(zone.word[i], std::memory_order_relaxed);
        at.sum.store(sum(key, zone), std::memory_order_relaxed);
    }

  private:
    struct Entry {
        std::atomic<uint64_t> sum, word[W];
    };
    static uint64_t sum(uint64_t key, const Cells<W>& zone) {
        for (int i = 0; i < W; i++) key ^= mixed(zone.word[i] + uint64_t(i));
        return key;
    }
    struct Free {
        void operator()(Entry* entry) const { std::free(entry); }
    };
    const size_t size_;
    std::unique_ptr<Entry[], Free> entry_;
};

}  // namespace noughts::prove
