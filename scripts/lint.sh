#!/bin/sh
# lint.sh BUILD JOBS - clang-format, clang-tidy and cppcheck over everything that git tracks.
set -eu
build=$1
jobs=$2
status=0
echo "== clang-format"
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror || status=1
echo "== clang-tidy"
# Files for a special instruction set are compiled only where the compiler has it.
git ls-files 'src/*.c' 'extras/*.c' 'cli/*.c' 'serve/*.c' | xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet 2> /dev/null || status=1
echo "== cppcheck"
# Sorting looks at the bits of doubles through a type that may alias: the pointer casts are meant.
cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 -j "$jobs" \
  --suppress=missingIncludeSystem --suppress=invalidPointerCast -I include -I src -I cli -I serve -D_XOPEN_SOURCE=700 src cli serve || status=1
[ $status = 0 ] && echo "lint: clean"
exit $status
