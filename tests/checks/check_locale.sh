#!/bin/sh
# Nothing that depends on the locale: not the point of a number, not the case of a letter, not an order of texts.
# Numbers: core/number.h, core/shortest.h, core/print.h; letters: core/ascii.h.
set -eu
cd "$SOURCE"
files=$(find src cli serve extras -name '*.[ch]')
bad=0
# strtod of number.c reads digits without a point, which are the same everywhere.
banned='\b(strto(d|f|ld)|ato[fil]|[a-z]*scanf|is(alpha|alnum|digit|xdigit|space|print|punct|upper|lower|cntrl|graph|blank)|to(lower|upper)|strn?casecmp|strcoll|strxfrm|strftime|strptime|localeconv|setlocale|newlocale|uselocale|mbs?r?towcs?|wc[a-z]*|qgcvt|[ef]cvt|gcvt|v[a-z]*printf|asprintf)[[:space:]]*\('
if grep -nE "$banned" $files | grep -vE '^src/core/number\.c:[0-9]+:  double value = strtod\(plain, NULL\);'; then
  echo "these depend on the locale, or hide that they do; see the top of tests/checks/check_locale.sh"
  bad=1
fi
# A statement with one of libc's printf and a conversion of doubles.
for file in $files; do
  [ "$file" = src/core/print.c ] || awk -v name="$file" 'BEGIN { RS = ";" }
    { line = at + 1; at += gsub(/\n/, "\n"); gsub(/%%/, ""); }
    /(^|[^_a-z])(sn|f|d|s)?printf\(/ && /"[^"]*%[-+ #0]*([0-9]+|\*)?(\.([0-9]+|\*))?L?[aefgAEFG]/ {
      print name ":" line ": formats a double by libc; ank_print or cli_print does it in every locale"; bad = 1 }
    END { exit bad }' "$file" || bad=1
done
exit $bad
