#include "isa.hpp"

#include <cstdlib>
#include <stdexcept>

namespace noughts {

#define NOUGHTS_KERNELS(isa)                                                                            \
    namespace isa {                                                                                     \
    Status<uint16_t> status16;                                                                          \
    Status<uint32_t> status32;                                                                          \
    Status<uint64_t> status64;                                                                          \
    StatusOfPlanes status_planes;                                                                       \
    Playouts playouts;                                                                                  \
    Aim aim;                                                                                            \
    Place place;                                                                                        \
    Show show;                                                                                          \
    constexpr Kernels kernels{status16, status32, status64, status_planes, playouts, aim, place, show}; \
    extern const solve::Kernels solve_kernels;                                                          \
    constexpr Isa all{#isa, &kernels, &solve_kernels};                                                  \
    }

NOUGHTS_KERNELS(baseline)
#ifdef NOUGHTS_HAS_AVX2
NOUGHTS_KERNELS(avx2)
#endif
#ifdef NOUGHTS_HAS_AVX512
NOUGHTS_KERNELS(avx512)
#endif

// The features asked for are those of the compiler flags in CMakeLists.txt.
const std::vector<Isa>& available_isas() {
    static const std::vector<Isa> available = [] {
        std::vector<Isa> isas{baseline::all};
#define HAS(feature) __builtin_cpu_supports(feature)
#ifdef NOUGHTS_HAS_AVX2
        const bool has_avx2 = HAS("avx2") && HAS("bmi") && HAS("bmi2") && HAS("popcnt") && HAS("fma");
        if (has_avx2) isas.push_back(avx2::all);
#ifdef NOUGHTS_HAS_AVX512
        const bool has_avx512 = has_avx2 && HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") &&
                                HAS("avx512vl") && HAS("avx512vbmi") && HAS("avx512vbmi2") && HAS("avx512bitalg") &&
                                HAS("avx512vpopcntdq");
        if (has_avx512) isas.push_back(avx512::all);
#endif
#endif
        return isas;
    }();
    return available;
}

const Isa& choose_isa(const std::string& name) {
    const auto& isas = available_isas();
    const char* wish = std::getenv("NOUGHTS_ISA");
    const std::string wanted = !name.empty() ? name : wish && *wish ? wish : isas.back().name;
    for (const Isa& isa : isas)
        if (wanted == isa.name) return isa;
    std::string message = "the instruction set must be one of";
    for (const Isa& isa : isas) message += std::string(" ") + isa.name;
    throw std::invalid_argument(message);
}

}  // namespace noughts
