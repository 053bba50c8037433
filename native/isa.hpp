// Which instruction set the kernels use, chosen at run time.
#pragma once

#include <string>
#include <vector>

#include "simd/kernels.hpp"

namespace noughts {

// Those that were built and that this processor has, the best last: of baseline, avx2, avx512.
std::vector<std::string> available_isas();

// The kernels of that name; nullptr where it is not available. "": the best, or what the environment variable
// NOUGHTS_ISA names.
const Kernels* kernels(const std::string& isa);

}  // namespace noughts
