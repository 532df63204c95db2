#!/bin/sh
# The library where size_t and long have 32 bits, as in a browser: nothing is shifted out of a type, and nothing of 64 bits is
# put into 32 without a cast. Syntax only, by clang for WebAssembly; skipped where that is absent (scripts/setup.sh page).
set -eu
cd "$SOURCE"
skip() { echo "skipped: $1"; exit 77; }
command -v clang >/dev/null 2>&1 || skip 'there is no clang'
echo '#include <stdio.h>' | clang --target=wasm32-wasi -xc -fsyntax-only - 2>/dev/null || skip 'there is no wasi-libc'
bad=0
for file in src/*/*.c; do
  # The two with threads have no place there: web/wasm has others.
  case $file in src/core/parallel.c | src/core/worker.c) continue ;; esac
  clang --target=wasm32-wasi -fsyntax-only -std=c11 -D_XOPEN_SOURCE=700 -D_WASI_EMULATED_GETPID -Iweb/wasm/include -Iinclude -Isrc \
    -include wasi.h -Werror=shift-count-overflow -Werror=shorten-64-to-32 -Werror=constant-conversion -Werror=format \
    -Werror=tautological-constant-compare -Werror=implicit-function-declaration "$file" || bad=1
done
# A number that fits no size_t there, from one that does: `(size_t)4 << 30`. clang has no word for it.
if grep -nE '\(size_t\) *[0-9]+ *<< *(3[2-9]|[4-6][0-9])|\(size_t\) *([2-9]|[1-9][0-9]+) *<< *3[01]|\(size_t\) *[4-9] *<< *30' src/*/*.[ch]; then
  echo 'these do not fit into 32 bits: ANK_SIZE_LIMIT of core/alloc.h'
  bad=1
fi
exit $bad
