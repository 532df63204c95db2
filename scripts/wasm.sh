#!/bin/sh
# wasm.sh [JOBS] - build/page/anorank.wasm: the library as WebAssembly (web/wasm/). It is built and not committed: its bytes depend on
# the compiler's version, and no other file depends on it.
set -eu
cd "$(dirname "$0")/.."
cmake --no-warn-unused-cli -S web/wasm -B build/page -DCMAKE_TOOLCHAIN_FILE=toolchain.cmake > /dev/null
cmake --build build/page -j "${1:-2}" > build/page/build.log 2>&1 || { cat build/page/build.log; exit 1; }
