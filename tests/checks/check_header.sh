#!/bin/sh
# Each public header compiles alone and all compile together, as C11 and as C++17, without a warning.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
headers='anorank arrow criterion experimental extras io report'
for name in $headers; do printf '#include <anorank/%s.h>\n' "$name" > "$work/alone_$name.c"; done
for name in $headers; do printf '#include <anorank/%s.h>\n' "$name"; done > "$work/all.c"
echo 'static anorank_error err;
int main(void) { return (int)anorank_version()[0] + err.message[0] == 0; }' >> "$work/all.c"
for file in "$work"/*.c; do
  cp "$file" "${file}pp"
  $CC -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wstrict-prototypes -Werror -I "$SOURCE/include" -c "$file" -o "$work/c.o"
done
if command -v c++ > /dev/null 2>&1; then
  for file in "$work"/*.cpp; do
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I "$SOURCE/include" -c "$file" -o "$work/cpp.o"
  done
else
  echo "no C++ compiler here: the C++17 half is skipped"
  exit 77
fi
