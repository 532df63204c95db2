#!/bin/sh
# The public headers compile alone, as C11 and as C++17, without a warning.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '#include <anorank/arrow.h>
#include <anorank/experimental.h>
#include <anorank/anorank.h>
static anorank_error err;
int main(void) { return (int)anorank_version()[0] + err.message[0] == 0; }' > "$work/t.c"
cp "$work/t.c" "$work/t.cpp"
$CC -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wstrict-prototypes -Werror -I "$SOURCE/include" -c "$work/t.c" -o "$work/c.o"
if command -v c++ > /dev/null 2>&1; then
  c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I "$SOURCE/include" -c "$work/t.cpp" -o "$work/cpp.o"
else
  echo "no C++ compiler here: the C++17 half is skipped"
  exit 77
fi
