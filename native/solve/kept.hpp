// A level where O is to move, waiting for the step below it; two codes in a byte where they fit.
//
// It waits in memory of its own, or in parts that somebody else holds: the blocks first, first + 1, … , so many a
// part,
// of which only those need be there that are asked for.
#pragma once

#include <cstring>
#include <optional>
#include <vector>

#include "bytes.hpp"
#include "index.hpp"
#include "kernels.hpp"

namespace noughts::solve {

class Kept {
   public:
    Kept(const Index& index, const Kernels& kernels, bool completing_wins, uint64_t memory)
        : index_(index), kernels_(kernels), completing_wins_(completing_wins), memory_(std::in_place, memory) {}
    Kept(const Index& index, const Kernels& kernels, bool completing_wins)
        : index_(index), kernels_(kernels), completing_wins_(completing_wins) {}

    // Enough for any level where X has an even (0) or an odd (1) number of cells: two of these take turns.
    static uint64_t memory(const Index& index, int parity);
    // What a block of a level takes while it waits.
    static uint64_t stride(const Index& index, int level);

    void start(int level);  // forget the one before
    // The same, in memory of somebody else.
    void start(int level, uint64_t first, uint64_t per_part, std::vector<uint8_t*> parts);
    void put(uint64_t number, const uint8_t* block) {
        if (packed_) kernels_.pack(packing_, block, block_bytes_, at(number));
        else std::memcpy(at(number), block, block_bytes_);
    }
    void get(uint64_t number, uint8_t* block) const {
        if (packed_) kernels_.unpack(packing_, at(number), block_bytes_, block);
        else std::memcpy(block, at(number), block_bytes_);
    }

   private:
    uint8_t* at(uint64_t number) const {
        number -= first_;
        return parts_[number / per_part_] + number % per_part_ * stride_;
    }

    const Index& index_;
    const Kernels& kernels_;
    bool completing_wins_;
    std::optional<Bytes> memory_;
    std::vector<uint8_t*> parts_;
    uint64_t first_ = 0, per_part_ = 1;
    bool packed_ = false;
    uint64_t block_bytes_ = 0, stride_ = 0;
    Packing packing_{};
};

}  // namespace noughts::solve
