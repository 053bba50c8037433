// What a saved solution asks besides a run: many places at once, positions derived again from the level above, and
// bytes from and into a file.
#pragma once

#include <cstdint>

#include "job.hpp"
#include "solve/solve.hpp"

namespace noughts {

// Where each position lies. Where there is no byte the place is Strong::no_byte and the code is told.
void locate_all(const solve::Strong& solver, const uint32_t* x, const uint32_t* o, uint64_t count, uint64_t* places,
                solve::Code* codes);

// The first place from begin to end - 1 whose code is not what the rules make of the level above; `end` if all are.
uint64_t first_wrong(const solve::Strong& solver, int level, uint64_t begin, uint64_t end, const solve::Code* bytes,
                     const solve::Code* next_level, int threads, const Poll& poll);

// The bytes of a file at these places, counted from `start`; the errno that stopped it, or -1 where the file has ended.
int read_places(int file, uint64_t start, const uint64_t* places, uint64_t count, uint8_t* bytes);

// All of the bytes, or the errno that stopped it. For several threads at once.
int write_at(int file, const uint8_t* bytes, uint64_t size, uint64_t offset);

}  // namespace noughts
