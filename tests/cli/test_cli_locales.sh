#!/bin/sh
# The same table as Excel saves it in six countries: delimiter, decimal mark, thousands, dates and encoding differ, the
# scores do not, to the last byte.
# labels: nothreads
. "$(dirname "$0")/lib.sh"
for tool in iconv awk; do command -v $tool >/dev/null || { echo "no $tool: skipped"; exit 77; }; done

# Plain rows: customer, amount, share, day and time, city, flag. Row 42 is the odd one.
awk 'BEGIN {
  print "Kunde,amount,share,when,city,flag"
  s = 7
  for (i = 1; i <= 300; i++) {
    for (k = 0; k < 6; k++) { s = (s * 16807) % 2147483647; r[k] = s / 2147483647 }
    amount = i == 42 ? 1250000.5 : int(100000 + 900000 * (r[0] + r[1] + r[2])) / 100
    printf "K%04d,%.2f,%.3f,2025-%02d-%02d %02d:%02d,%s,%s\n", i, amount, int(1 + 199 * r[3]) / 1000, 1 + i % 12, 1 + i % 28, 8 + i % 11, i % 60,
      r[4] < .5 ? "Ulm" : "Genf", r[5] < .8 ? "no" : "yes"
  }
}' >plain.csv

# locale NAME DELIMITER DECIMAL THOUSANDS DATE ENCODING: the plain file in that manner. DATE: ymd-, ymd/, dmy., dmy/, mdy/
locale() {
  awk -F, -v OFS="$2" -v decimal="$3" -v thousands="$4" -v date="$5" '
    function grouped(whole,   out) {
      while (length(whole) > 3) { out = thousands substr(whole, length(whole) - 2) out; whole = substr(whole, 1, length(whole) - 3) }
      return whole out
    }
    function cell(text) { return index(text, OFS) ? "\"" text "\"" : text }
    NR == 1 { print $1, $2, $3, $4, $5, $6; next }
    { split($2, part, "."); $2 = cell(grouped(part[1]) decimal part[2])
      share = sprintf("%.1f", $3 * 100); sub(/\./, decimal, share); $3 = cell(share (thousands == "," ? "%" : " %"))
      y = substr($4, 1, 4); m = substr($4, 6, 2); d = substr($4, 9, 2); t = substr($4, 12); sep = substr(date, 4)
      order = substr(date, 1, 3)
      $4 = (order == "ymd" ? y sep m sep d : order == "dmy" ? d sep m sep y : m + 0 sep d + 0 sep y) " " t
      print $1, $2, $3, $4, $5, $6 }' plain.csv | iconv -f UTF-8 -t "$6" >"$1.csv"
}
locale en-US , . , mdy/ UTF-8
locale de-DE ';' , . dmy. WINDOWS-1252
locale fr-FR ';' , "$(printf '\302\240')" dmy/ WINDOWS-1252
locale de-CH ';' . "$(printf '\342\200\231')" dmy. WINDOWS-1252
locale sv-SE ';' , ' ' ymd- UTF-16
locale ja-JP , . , ymd/ SHIFT_JIS

scores_of() { # FILE
  run_ok detect "$1" --lowest 0 --reasons 0
  cut -d, -f1-6 .out >"scores-$1"
}
scores_of plain.csv
expect_out '^K0042,[^,]*,1,42,'
for name in en-US de-DE fr-FR de-CH sv-SE ja-JP; do
  scores_of $name.csv
  cmp -s scores-plain.csv scores-$name.csv || fail "$name: other scores than the plain file"
done

# a mark of thousands that only a late number shows: the remedy works
{ echo amount; seq 1 300000 | sed 's/$/.5/'; echo '"12,345.5"'; } >late.csv
refused 3 'cell-number-format line=300002 column=amount' detect late.csv --fast
run_ok simulate box --data late.csv --thousands , --rows 1 -o one.csv

# a decimal comma among points: what is proposed works, and nothing else breaks
{ echo amount,b; seq 1 300000 | sed 's/$/.5,7/'; echo '"12,50",NA'; } >mixed.csv
run simulate box --data mixed.csv --rows 1 -o one.csv
expect_code 3
run_ok simulate box --data mixed.csv --rows 1 --missing '12\,50' -o one.csv
finish
