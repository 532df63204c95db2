# Text from strangers does not steer a terminal: names, cells, ids, levels and settings with escapes, C1 controls and marks of
# direction go through every command, as text and as JSON, and none comes out raw. CSV and TSV hold cells as they are.
# labels: nothreads
. "$(dirname "$0")/lib.sh"
self=$SOURCE/tests/cli/test_hostile_text.sh
esc=$(printf '\033[31m')
c1=$(printf '\302\233')
bidi=$(printf '\342\200\256')
ask=$(printf '\342\201\246')
raw=$(printf '[\001-\010\013-\037\177]|\302[\200-\237]|\342\200[\216\217\250-\256]|\342\201[\246-\251]|\330\234')

name="na${esc}me"
awk -v esc="$esc" -v c1="$c1" -v bidi="$bidi" -v ask="$ask" -v name="$name" 'BEGIN {
  print name ",b" bidi ",k" c1 ",w" ask
  for (i = 1; i <= 120; i++)
    print "id" esc i "," i * 7 % 31 "," (i == 60 ? "odd" c1 bidi : i % 3 ? "x" esc : "y" ask) "," i * i % 17 + (i == 60 ? 900 : 0)
}' >rows.csv
awk -v esc="$esc" 'BEGIN { print "score,t" esc; for (i = 1; i <= 30; i++) print i * 7 % 31 ",1" }' >scores.csv

clean() { # after a run: neither stream holds what steers
  for stream in .out .err; do
    if LC_ALL=C grep -Eq -e "$raw" "$folder/$stream"; then
      fail "$stream steers: $(LC_ALL=C grep -E -e "$raw" "$folder/$stream" | head -n 1 | od -c | head -n 4)"
    fi
  done
}
look() { run "$@" && clean; }

run fit rows.csv -o m.anr --id "$name" --missing "none${esc}" -v
clean
expect_code 0
for format in '--format json' '--format table'; do
  # shellcheck disable=SC2086
  look detect rows.csv --id "$name" --lowest 5 $format -v
  # shellcheck disable=SC2086
  look rank m.anr rows.csv --lowest 5 $format -v
done
for json in '' --json; do
  # shellcheck disable=SC2086
  {
    look inspect m.anr $json
    look explain m.anr rows.csv --row 60 $json
    look evaluate rows.csv --drop "$name" $json -v
    look evaluate m.anr rows.csv $json -v
    look drift rows.csv rows.csv --permutations 99 $json -v
    look compare rows.csv --scorer knn,mahalanobis --drop "$name" $json
    look judge scores.csv --contrast scores.csv $json
    look judge scores.csv --contrast scores.csv --column "t$esc" $json
  }
done
look score m.anr rows.csv --output-format jsonl -v
look report m.anr rows.csv --bootstrap 0 -o - -v
look detect rows.csv --id "$name" --lowest 5 --format json --report page.html
look report m.anr rows.csv -o "x$esc.csv"
look figure columns m.anr rows.csv --fdr 0.5 -o - -v
look figure "ma$esc" m.anr rows.csv -o x.svg
look figure map m.anr rows.csv -o "x$esc.csv"
look simulate box --data rows.csv --rows 3 --output-format jsonl
look detect "no${esc}such.csv"
look detect rows.csv --drop "x$bidi"
look fit rows.csv -o "no$c1/m.anr"
look "zz$esc"
look detect rows.csv --id "q${bidi}"
look list "zz$c1"
look example "zz$c1"
look help "zz$c1"
look completion "zz$c1"
look manual "zz$c1"
look reproduce --out "rows.csv/$esc"
look serve "no${esc}such.anr"
look serve "x$bidi=m.anr"
look serve m.anr --listen "$c1:1"
look serve m.anr --max-body "$esc"
look serve m.anr --token-file "no$c1"

# Every command is in the list above.
"$ANORANK" list command | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' >commands
[ -s commands ] || fail 'no commands are listed'
while read -r command; do
  grep -Eq "(look|run) $command " "$self" || fail "$command is not tried here"
done <commands
finish
