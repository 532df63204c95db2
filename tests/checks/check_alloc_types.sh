#!/bin/sh
# The allocation layer takes the address of a pointer. A forgotten & must not compile.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compiles CALL: does a function with this call compile, without a warning?
compiles() {
  cat > "$work/t.c" << END
#include "core/alloc.h"
typedef struct pair { int a, b; } pair;
anorank_status f(anorank_error *err);
anorank_status f(anorank_error *err) {
  double *numbers = NULL;
  pair *pairs = NULL;
  int *wholes = NULL;
  size_t capacity = 0;
  (void)numbers, (void)pairs, (void)wholes, (void)capacity;
  return $1;
}
END
  $CC -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -Werror -I "$SOURCE/include" -I "$SOURCE/src" -fsyntax-only "$work/t.c" \
    2> "$work/words"
}

for right in 'ank_alloc(&numbers, 3, sizeof *numbers, err)' 'ank_alloc_raw(&pairs, 3, sizeof *pairs, err)' \
  'ank_resize(&wholes, 3, sizeof *wholes, err)' 'ank_reserve(&pairs, &capacity, 3, sizeof *pairs, err)'; do
  compiles "$right" || { cat "$work/words"; echo "should compile: $right"; exit 1; }
  wrong=$(printf '%s\n' "$right" | sed 's/(&/(/')
  if compiles "$wrong"; then
    echo "should not compile: $wrong"
    exit 1
  fi
done

# Without ANORANK_FAULT_INJECTION, as in a release, allocation has no variable that is shared by threads.
$CC -std=c11 -D_XOPEN_SOURCE=700 -I "$SOURCE/include" -I "$SOURCE/src" -c "$SOURCE/src/core/alloc.c" -o "$work/alloc.o"
if nm "$work/alloc.o" | grep -E ' [bBdDcC] | ank_alloc_fail_at$' | grep -vE ' (within|entered)$'; then
  echo "allocation keeps global state"
  exit 1
fi
