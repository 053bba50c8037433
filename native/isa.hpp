// Which instruction set the kernels use, chosen at run time.
#pragma once

#include <string>
#include <vector>

#include "simd/kernels.hpp"
#include "solve/kernels.hpp"

namespace noughts {

struct Isa {
    const char* name;  // baseline, avx2 or avx512
    const Kernels* kernels;
    const solve::Kernels* solve_kernels;
};

// Those that were built and that this processor has, the best last.
const std::vector<Isa>& available_isas();

// The one of that name; "": the best, or what the environment variable NOUGHTS_ISA names. Throws std::invalid_argument
// where it is not available.
const Isa& choose_isa(const std::string& name);

}  // namespace noughts
