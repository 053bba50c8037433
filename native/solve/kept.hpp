// A level where O is to move, waiting in memory for the step below it; two codes in a byte where they fit.
#pragma once

#include <cstring>

#include "bytes.hpp"
#include "index.hpp"
#include "kernels.hpp"

namespace noughts::solve {

class Kept {
   public:
    Kept(const Index& index, const Kernels& kernels, bool completing_wins, uint64_t memory)
        : index_(index), kernels_(kernels), completing_wins_(completing_wins), memory_(memory) {}

    // Enough for any level where X has an even (0) or an odd (1) number of cells: two of these take turns.
    static uint64_t memory(const Index& index, int parity);

    void start(int level);  // forget the one before
    void put(uint64_t number, const uint8_t* block) {
        if (packed_) kernels_.pack(packing_, block, block_bytes_, at(number));
        else std::memcpy(at(number), block, block_bytes_);
    }
    void get(uint64_t number, uint8_t* block) const {
        if (packed_) kernels_.unpack(packing_, at(number), block_bytes_, block);
        else std::memcpy(block, at(number), block_bytes_);
    }

   private:
    uint8_t* at(uint64_t number) const { return memory_.data() + number * stride_; }

    const Index& index_;
    const Kernels& kernels_;
    bool completing_wins_;
    Bytes memory_;
    bool packed_ = false;
    uint64_t block_bytes_ = 0, stride_ = 0;
    Packing packing_{};
};

}  // namespace noughts::solve
