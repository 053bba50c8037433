// Memory for levels: large, not cleared, on huge pages where the system has them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace noughts::solve {

class Bytes {
   public:
    explicit Bytes(uint64_t size) {
#if defined(__linux__)
        constexpr uint64_t page = uint64_t(1) << 21;
        const bool large = size >= page;
        void* memory = large ? std::aligned_alloc(page, (size + page - 1) / page * page) : std::malloc(size);
        if (memory && large) madvise(memory, size, MADV_HUGEPAGE);
#else
        void* memory = std::malloc(size);
#endif
        memory_.reset(static_cast<uint8_t*>(memory));
        if (!memory_) throw std::bad_alloc();
    }
    uint8_t* data() const { return memory_.get(); }

   private:
    struct Free {
        void operator()(uint8_t* p) const { std::free(p); }
    };
    std::unique_ptr<uint8_t[], Free> memory_;
};

}  // namespace noughts::solve
