#!/bin/sh
# The terminal of README.md (docs/terminal.svg) shows what the program prints, but for numbers, which depend on the machine.
# labels: nothreads
. "$(dirname "$0")/lib.sh"
[ -z "${SANITIZE:-}" ] || { echo "skipped under a sanitizer: the plain build runs it"; exit 77; }
[ -n "$python" ] || { echo "python3 is missing"; exit 77; }
command=$(sed -n "s/.*terminal_svg.py\" \"[^\"]*terminal.svg\" \([0-9x]*\) '\(.*\)'$/\1 \2/p" "$SOURCE/scripts/pictures.sh")
[ -n "$command" ] || fail "scripts/pictures.sh draws no terminal.svg"
mkdir bin
ln -s "$ANORANK" bin/anorank
PATH=$folder/bin:$PATH
anorank example cards --seed 2 --first-row 36000 -o april.csv -q
"$python" "$SOURCE/scripts/terminal_svg.py" now.svg "${command%% *}" "${command#* }" || fail "terminal_svg.py"
words_of() { sed -n 's/.*<text [^>]*>\(.*\)<\/text>/\1/p' "$1" | sed 's/[0-9][0-9.,e:TZ-]*/#/g; s/-#/#/g; s/  *#/ #/g'; }
words_of "$SOURCE/docs/terminal.svg" >committed
words_of now.svg >now
[ "$(wc -l <now)" -ge 10 ] || fail "hardly any text was drawn"
cmp -s committed now || { diff committed now; fail "docs/terminal.svg is out of date: run make pictures"; }
finish
