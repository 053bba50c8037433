// noughts._core: the face of the native core towards Python. The only file that knows nanobind.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace nb = nanobind;

namespace {

// The instruction sets of this CPU (and its operating system) that a kernel may be built for.
std::vector<std::string> cpu_features() {
    std::vector<std::string> names;
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
#define NOUGHTS_FEATURE(name) \
    if (__builtin_cpu_supports(name)) names.emplace_back(name)
    NOUGHTS_FEATURE("popcnt");
    NOUGHTS_FEATURE("avx2");
    NOUGHTS_FEATURE("bmi");
    NOUGHTS_FEATURE("bmi2");
    NOUGHTS_FEATURE("fma");
    NOUGHTS_FEATURE("avx512f");
    NOUGHTS_FEATURE("avx512bw");
    NOUGHTS_FEATURE("avx512cd");
    NOUGHTS_FEATURE("avx512dq");
    NOUGHTS_FEATURE("avx512vl");
    NOUGHTS_FEATURE("avx512vbmi");
    NOUGHTS_FEATURE("avx512vbmi2");
    NOUGHTS_FEATURE("avx512bitalg");
    NOUGHTS_FEATURE("avx512vpopcntdq");
#undef NOUGHTS_FEATURE
#endif
    return names;
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of noughts.";
    m.def("version", [] { return std::string(NOUGHTS_VERSION); }, "The version of noughts this core was built from.");
    m.def("cpu_features", &cpu_features, "The instruction sets of this CPU that a kernel may be built for.");
}
