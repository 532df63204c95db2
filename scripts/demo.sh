#!/bin/sh
# demo.sh BINARY FOLDER - the main job on a built-in table of card payments, and the paper's experiment. The frauds
# are synthetic, so what anorank finds can be counted. anorank drops the column that marks them.
set -eu
anorank=$1
out=$2
seed=${DEMO_SEED:-2}
mkdir -p "$out"

head_line() { printf '\n%s\n%s\n' "$1" "$(printf '%s' "$1" | sed 's/./-/g')"; }
# Show a command, then run it.
run() { show "$@"; "$anorank" "$@"; }
show() {
  printf '\n$ anorank'
  printf ' %s' "$@" | sed 's/ \(--[a-z]*\)/\n\1/g' | awk '
    NR == 1 { line = $0; width = 9 + length($0); next }
    { word = " " $0; if (width + length(word) > 78) { printf "%s \\\n   ", line; line = ""; width = 4 }
      line = line word; width += length(word) }
    END { print line }'
}
rows_of() { awk 'END { print NR - 1 }' "$1"; }
column_of() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) print i }' "$1"; }

# count RANKED TABLE top|q LIMIT: of the first LIMIT rows, or of those with a q-value up to LIMIT: how many rows, how
# many of them frauds, how many not, how many frauds there are in all.
count() {
  awk -F, -v marks="$(column_of "$2" fraud)" -v rows="$(column_of "$1" row)" -v q="$(column_of "$1" q_value)" \
    -v what="$3" -v limit="$4" '
    NR == FNR { if (FNR > 1) { fraud[FNR - 1] = $marks; frauds += $marks } next }
    FNR > 1 && (what == "top" ? FNR - 1 <= limit : $q <= limit) { taken++; hit += fraud[$rows] }
    END { print taken + 0, hit + 0, taken - hit, frauds + 0 }' "$2" "$1"
}
table_head() { printf '\n  %-26s  %6s  %13s  %12s  %s\n' "" rows 'frauds of all' 'false alarms' 'false share'; }
table_row() { # LABEL ROWS FOUND FALSE FRAUDS
  share=$([ "$2" -gt 0 ] && awk -v a="$4" -v b="$2" 'BEGIN { printf "%.2f", a / b }' || echo "-")
  printf '  %-26s  %6d  %6d of %3d  %12d  %11s\n' "$1" "$2" "$3" "$5" "$4" "$share"
}

head_line "1. A month of card payments"
run example cards --seed "$seed" --first-row 36000 -o "$out/april.csv"
awk -F, 'NR > 1 { frauds += $NF; for (i = 1; i <= NF; i++) gaps += $i == "" }
  END { printf "\n%d payments, %d columns, %.1f %% of the cells empty; %d frauds of\n",
        NR - 1, NF, 100 * gaps / (NR - 1) / NF, frauds
        print "five synthetic kinds. The column fraud marks them; anorank must drop it." }' "$out/april.csv"
echo "Three of its rows:"
sed -n '2p;5p;9p' "$out/april.csv" | cut -c1-78 | sed 's/^/  /'

head_line "2. Rank one file, without labels or tuning"
run detect "$out/april.csv" --id transaction,account --drop fraud --lowest 8 --output-format table
run detect "$out/april.csv" --id transaction,account --drop fraud -o "$out/ranked.csv" -q
frauds=$(count "$out/ranked.csv" "$out/april.csv" top 0 | awk '{ print $4 }')
printf '\nThe labels, which anorank did not see, show how good the order is:\n'
table_head
for k in 10 20 50 "$frauds"; do
  # shellcheck disable=SC2046
  table_row "the first $k" $(count "$out/ranked.csv" "$out/april.csv" top "$k")
done
# shellcheck disable=SC2046
table_row "q-value up to 0.1" $(count "$out/ranked.csv" "$out/april.csv" q 0.1)

head_line "3. Learn from three clean months, and bound the false alarms"
run example cards --seed "$seed" --rows 36000 --anomalies 0 -o "$out/history.csv"
run fit "$out/history.csv" --id transaction,account --drop fraud -o "$out/cards.anr" -q
show rank "$out/cards.anr" "$out/april.csv" --fdr 0.1 --output-format table --reasons 1 -q
"$anorank" rank "$out/cards.anr" "$out/april.csv" --fdr 0.1 --output-format table --reasons 1 -q >"$out/alerts.txt"
head -n 13 "$out/alerts.txt"
[ "$(wc -l <"$out/alerts.txt")" -le 13 ] || printf '  ... (all of them: %s)\n' "$out/alerts.txt"
"$anorank" rank "$out/cards.anr" "$out/april.csv" --fdr 0.1 -o "$out/alerts.csv" -q
printf '\nOn average over months, at most a tenth are false alarms. This month:\n'
table_head
# shellcheck disable=SC2046
table_row "--fdr 0.1" $(count "$out/alerts.csv" "$out/april.csv" q 1)

head_line "4. Judge the order without labels, on later rows"
run example cards --seed "$seed" --first-row 48000 --rows 6000 --anomalies 0 -o "$out/may.csv"
show evaluate "$out/cards.anr" "$out/may.csv" --figure "$out/mass-volume.svg"
"$anorank" evaluate "$out/cards.anr" "$out/may.csv" --figure "$out/mass-volume.svg" >"$out/evaluation.txt"
awk '/^Partial areas/ { exit } { print }' "$out/evaluation.txt"
printf '  ... (all of it: %s)\n' "$out/evaluation.txt"

head_line "5. Write a report"
run report "$out/cards.anr" "$out/april.csv" -o "$out/report.html" -q

head_line "6. Repeat the paper's experiment (Table 1)"
show reproduce --figures "$out/paper"
"$anorank" reproduce --figures "$out/paper" -q >"$out/table1.txt"
awk '/^Training/ { exit } { print }' "$out/table1.txt"
printf '  ... (all of it: %s; figures: %s)\n' "$out/table1.txt" "$out/paper/"

head_line "Files in $out/"
for file in april.csv:'the payments' ranked.csv:'all payments, most abnormal first, with reasons' \
  cards.anr:'the model, for later months' alerts.csv:'payments that --fdr 0.1 selected' \
  evaluation.txt:'how good the order is, without labels' \
  mass-volume.svg:'the mass-volume curve' report.html:'the report, for a browser' \
  table1.txt:'Table 1 of the paper beside ours' paper:'its figures, with the numbers behind them'; do
  [ -e "$out/${file%%:*}" ] && printf '  %-16s %s\n' "${file%%:*}" "${file#*:}"
done
printf '\nA tutorial with this table: docs/guide.md\n'
printf 'The report, for a browser: %s/report.html\n' "$(cd "$out" && pwd)"
