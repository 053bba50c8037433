// The kernels for this machine.
#pragma once

#include "kernels.hpp"

namespace noughts::solve {

// "baseline", "avx2" or "avx512"; null: the best, or what the environment variable NOUGHTS_ISA names.
// Throws std::invalid_argument for what this machine or this build does not have.
const Kernels& choose_kernels(const char* isa);

}  // namespace noughts::solve
