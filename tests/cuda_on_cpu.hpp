// What src/noughts/solve/backends/cuda.cu needs to be compiled for a processor: one group of one thread with one lane.
#pragma once
#include <bit>
#include <vector>

#define LANES 1u
#define THREAD 0u
#define THREADS 1u
#define BLOCK 0u
#define BLOCKS 1u
#define DEVICE inline
#define KERNEL extern "C" void
#define SHARED(name) unsigned char* const name = shared_memory()
#define SYNC()
#define ADD(where, number) (*(where) += (number))
#define OR(where, number) (*(where) |= (number))
#define FROM(number, far) 0
#define UNROLL(times)
#define bits(set) unsigned(std::popcount(set))
#define lowest(set) unsigned(std::countr_zero(set))

// As much as a GPU has, and a fence after it that the tables of a block must not touch.
constexpr unsigned shared_bytes = 232448, fence_bytes = 1 << 16;
alignas(16) inline unsigned char shared_room[shared_bytes + fence_bytes];
inline unsigned char* shared_memory() { return shared_room; }
