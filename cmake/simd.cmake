# Kernel bodies compiled once per instruction set: src/ROOM/NAME_avx2.c includes the same body as
# src/ROOM/NAME_generic.c, and a dispatch table picks one at run time.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  file(GLOB avx2_sources CONFIGURE_DEPENDS src/*/*_avx2.c)
  set_source_files_properties(${avx2_sources} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma;-mbmi2")
endif()
