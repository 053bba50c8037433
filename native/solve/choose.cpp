#include "choose.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "../isa.hpp"

namespace noughts {
namespace baseline { extern const solve::Kernels solve_kernels; }
namespace avx2 { extern const solve::Kernels solve_kernels; }
namespace avx512 { extern const solve::Kernels solve_kernels; }
}  // namespace noughts

namespace noughts::solve {

const Kernels& choose_kernels(const char* isa) {
    const auto available = available_isas();
    const char* wish = std::getenv("NOUGHTS_ISA");
    const std::string name = isa ? isa : wish && *wish ? wish : available.back();
    if (std::find(available.begin(), available.end(), name) == available.end())
        throw std::invalid_argument("no kernels for '" + name + "' on this machine");
#ifdef NOUGHTS_HAS_AVX512
    if (name == "avx512") return avx512::solve_kernels;
#endif
#ifdef NOUGHTS_HAS_AVX2
    if (name == "avx2") return avx2::solve_kernels;
#endif
    return baseline::solve_kernels;
}

}  // namespace noughts::solve
