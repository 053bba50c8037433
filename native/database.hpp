// What a saved solution asks of the solver besides a run: many places at once, the position at a place, positions
// derived again from the level above, positions counted, and bytes from and into a file.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "job.hpp"
#include "solve/solve.hpp"

namespace noughts {

// Sets of row-major cells.
struct Sets {
    uint32_t x, o;
};

// The position whose byte lies at this place of its level: the inverse of Solver::locate.
Sets position_at(const solve::Solver& solver, int level, uint64_t place);

// Where each position lies. Where X has a line there is no byte: the place is Solver::no_byte and the code is known.
void locate_all(const solve::Solver& solver, const uint32_t* x, const uint32_t* o, uint64_t count, uint64_t* places,
                solve::Code* codes);

// The first place from begin to end - 1 whose code is not what the rules make of the level above; `end` if all are.
uint64_t first_wrong(const solve::Solver& solver, int level, uint64_t begin, uint64_t end, const solve::Code* bytes,
                     const solve::Code* next_level, int threads, const Poll& poll);

// How many positions of a level have each code, each orbit in full; also those where X has just won, which have no
// byte.
std::array<uint64_t, 256> count_codes(const solve::Solver& solver, int level, const solve::Code* bytes, int threads,
                                      const Poll& poll);

// The bytes of a file at these places, counted from `start`; the errno that stopped it, or -1 where the file has ended.
int read_places(int file, uint64_t start, const uint64_t* places, uint64_t count, uint8_t* bytes);

// All of the bytes, or the errno that stopped it. For several threads at once.
int write_at(int file, const uint8_t* bytes, uint64_t size, uint64_t offset);

}  // namespace noughts
