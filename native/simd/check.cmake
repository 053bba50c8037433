# cmake -DNM=nm -DOBJECTS=a.o;b.o -P check.cmake
#
# Fails when an object built with special flags defines a weak symbol: inline or template code, std:: included,
# that did not vanish into its caller. The linker keeps one copy of such code for the whole module, perhaps the
# AVX-512 one, which would then crash on a CPU without it. Names inside noughts::avx2 and the like are safe.

foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND "${NM}" -C --defined-only "${object}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[WVu] [^\n]+" weak "${symbols}")
  list(FILTER weak EXCLUDE REGEX "noughts::avx|DW\\.ref\\.") # DW.ref: exception tables, data that anyone may share
  if(weak)
    list(JOIN weak "\n  " weak)
    message(FATAL_ERROR "${object} shares code with the rest of the module:\n  ${weak}\n"
      "Put it in namespace noughts::NOUGHTS_ISA, make it static, or keep it out of native/simd.")
  endif()
endforeach()
