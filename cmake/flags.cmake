# Warnings, sanitizers and floating-point rules, shared by everything that is built here.
add_library(anorank_flags INTERFACE)
include(CheckCCompilerFlag)
function(add_flags_if_known)
  foreach(flag ${ARGN})
    string(MAKE_C_IDENTIFIER "has${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(anorank_flags INTERFACE ${flag})
    endif()
  endforeach()
endfunction()
add_flags_if_known(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
                   -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla -Wundef)
check_c_compiler_flag(-Wenum-float-conversion has_enum_float_conversion) # clang 18: our constants are enumerators
if(has_enum_float_conversion)
  target_compile_options(anorank_flags INTERFACE -Wno-enum-float-conversion)
endif()
# One rounding per operation, so that a result does not depend on what the compiler chose to fuse. Kernels that want a
# fused multiply-add call fma(). Never -ffast-math: it changes the whole process and breaks NaN tests.
add_flags_if_known(-ffp-contract=off -fno-math-errno -fno-trapping-math)
# POSIX of 2008 with its XSI names; what else a system has is asked for in src/core/platform_*.c alone.
target_compile_definitions(anorank_flags INTERFACE _XOPEN_SOURCE=700 _FILE_OFFSET_BITS=64)
if(WIN32)
  target_compile_options(anorank_flags INTERFACE -include core/windows/posix.h -Wno-format -Wno-format-extra-args
                         -Wno-float-conversion) # of isnan() in its headers
  target_include_directories(anorank_flags INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/core/windows)
  target_compile_definitions(anorank_flags INTERFACE __USE_MINGW_ANSI_STDIO=1) # %zu; formats are checked elsewhere
endif()
if(ANORANK_WERROR)
  target_compile_options(anorank_flags INTERFACE -Werror)
endif()
if(ANORANK_SANITIZE)
  target_compile_options(anorank_flags INTERFACE -fsanitize=${ANORANK_SANITIZE} -fno-omit-frame-pointer
                                                 -fno-sanitize-recover=all)
  target_link_options(anorank_flags INTERFACE -fsanitize=${ANORANK_SANITIZE})
endif()
if(ANORANK_COVERAGE)
  target_compile_options(anorank_flags INTERFACE --coverage)
  target_link_options(anorank_flags INTERFACE --coverage)
endif()
if(ANORANK_FUZZ)
  # Without counters in the library itself libFuzzer would see no coverage but the fuzzer's own.
  target_compile_options(anorank_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(anorank_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
