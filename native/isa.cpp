#include "isa.hpp"

#include <cstdlib>

namespace noughts {

#define NOUGHTS_KERNELS(isa)                                                               \
    namespace isa {                                                                        \
    Status<uint16_t> status16;                                                             \
    Status<uint32_t> status32;                                                             \
    Status<uint64_t> status64;                                                             \
    StatusOfPlanes status_planes;                                                          \
    Playouts playouts;                                                                     \
    constexpr Kernels kernels{status16, status32, status64, status_planes, playouts};      \
    }

NOUGHTS_KERNELS(baseline)
#ifdef NOUGHTS_HAS_AVX2
NOUGHTS_KERNELS(avx2)
#endif
#ifdef NOUGHTS_HAS_AVX512
NOUGHTS_KERNELS(avx512)
#endif

namespace {

struct Isa {
    const char* name;
    const Kernels* kernels;
    bool available;
};

// The features asked for are those of the compiler flags in CMakeLists.txt.
const std::vector<Isa>& isas() {
    static const std::vector<Isa> all = [] {
        std::vector<Isa> isas{{"baseline", &baseline::kernels, true}};
#define HAS(feature) __builtin_cpu_supports(feature)
#ifdef NOUGHTS_HAS_AVX2
        const bool has_avx2 = HAS("avx2") && HAS("bmi") && HAS("bmi2") && HAS("popcnt") && HAS("fma");
        isas.push_back({"avx2", &avx2::kernels, has_avx2});
#ifdef NOUGHTS_HAS_AVX512
        const bool has_avx512 = has_avx2 && HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") &&
                                HAS("avx512vl") && HAS("avx512vbmi") && HAS("avx512vbmi2") && HAS("avx512bitalg") &&
                                HAS("avx512vpopcntdq");
        isas.push_back({"avx512", &avx512::kernels, has_avx512});
#endif
#endif
        return isas;
    }();
    return all;
}

}  // namespace

std::vector<std::string> available_isas() {
    std::vector<std::string> names;
    for (const Isa& isa : isas())
        if (isa.available) names.emplace_back(isa.name);
    return names;
}

const Kernels* kernels(const std::string& isa) {
    const char* wish = std::getenv("NOUGHTS_ISA");
    const std::string name = !isa.empty() ? isa : wish && *wish ? wish : available_isas().back();
    for (const Isa& candidate : isas())
        if (candidate.available && name == candidate.name) return candidate.kernels;
    return nullptr;
}

}  // namespace noughts
