# What is suggested can be typed: a word from a hostile file is one argument of the shell and never a command, the option
# leads past the error at once, and a chain of suggestions ends. test_errors.sh and test_bad_input.sh try the others.
# labels: nothreads
. "$(dirname "$0")/lib.sh"
command -v bash >/dev/null || { echo 'skipped: bash is not installed' && exit 77; }

# table CELL: a file of numbers, tab-separated, whose last cell but one is CELL (a quote in it is doubled by the caller).
table() {
  printf 'amount\tb\n' >rows.tsv
  awk 'BEGIN { for (i = 1; i <= 80; i++) print i * 7 % 31 "\t" i * i % 17 }' >>rows.tsv
  printf '"%s"\t3\nNA\t4\n' "$1" >>rows.tsv
}
message() { grep -v "^Try 'anorank" "$folder/.err"; }
# typed OPTION...: as bash reads it
typed() {
  last="typed: $*"
  ANORANK=$ANORANK bash -c "\"\$ANORANK\" $*" >"$folder/.out" 2>"$folder/.err"
  code=$?
}

follow() { # COMMAND: type each suggestion for it; the first must do
  run $1
  expect_code 3
  suggested "$(message)" >"$folder/suggested"
  [ -s "$folder/suggested" ] || fail 'nothing is suggested'
  while read -r option; do
    typed "$1 $option"
    expect_code 0
    [ -z "$(find . -name 'pwned*')" ] || fail "a word of the file was run: $option"
    if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$folder/suggested"; then fail 'control characters'; fi
  done <"$folder/suggested"
}

tab=$(printf '\t')
for word in 'absent' '$(touch pwned)' '`touch pwned`' "it's; touch pwned" "'; touch pwned; '" '""; touch pwned' '--help' '-o' \
  'two words' 'a  b' '~' '*' '!!' 'back\slash' '\' '12,50,x' ',x' '= 5' '#' '&' "$(printf 'x\nb')" "$(printf '\033[31mred')" \
  "$(printf 'a\342\200\256b')" "$(printf '\302\2331m')" "$(printf "it's\001")" 'é' '%s%n' "n${tab}t"; do
  table "$word"
  follow 'detect rows.tsv -q --lowest 3'
done

# A name is no command either.
table word
sed -i "1s/amount/\$(touch pwned) 'x/" rows.tsv
follow 'detect rows.tsv -q --lowest 3'

# The first suggestion adds to the command, and the chain of them ends.
table 'absent'
printf 'lost\t5\n12,50,x\t6\n' >>rows.tsv
options=
for step in 1 2 3; do
  typed "detect rows.tsv -q --lowest 3 $options"
  expect_code 3
  options=$(suggested "$(message)" | grep '^--missing=')
done
typed "detect rows.tsv -q --lowest 3 $options"
expect_code 0

# With a model the kind of a column is settled: no other is suggested.
awk 'BEGIN { print "amount\tb"; for (i = 1; i <= 80; i++) print i * 7 % 31 "\t" i * i % 17 }' >train.tsv
run fit train.tsv -o m.anr -q
table '12,50,x'
run score m.anr rows.tsv
expect_code 3
expect_err 'pass --missing='
if grep -q -e --categorical "$folder/.err"; then fail 'the model knows the kind of the column'; fi
follow 'score m.anr rows.tsv'
printf 'amount\tb\nhigh\t2\nlow\t3\nhigh\t4\n' >rows.tsv
run score m.anr rows.tsv
expect_code 3
typed "score m.anr rows.tsv $(suggested "$(message)")"
expect_code 3
typed "score m.anr rows.tsv $(suggested "$(message)")"
expect_code 0

# Long suggestions on a narrow terminal stay in one piece.
table 'two  words'
if command -v script >/dev/null; then
  script -qec "stty cols 40; \"$ANORANK\" detect rows.tsv" /dev/null </dev/null >.out 2>&1
  expect_out "--missing='two  words'"
fi
finish
