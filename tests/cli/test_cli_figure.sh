#!/bin/sh
# test_cli_figure.sh - anorank figure: every chart of the report as SVG, with the report's numbers in it.
# labels: nothreads
. "$SOURCE/tests/cli/lib.sh"

run example cards --seed 2 --rows 2000 --anomalies 0 -o history.csv -q
run example cards --seed 2 --first-row 36000 --rows 500 --anomalies 0.08 -o april.csv -q
run fit history.csv --id transaction,account --drop fraud --scorer knn -o m.anr -q
run_ok report m.anr april.csv --labels fraud --bootstrap 50 -o report.html -q

run figure nosuch m.anr april.csv -o x.svg
figures=$(sed -n "s/.*choose one of //p" .err | tr -d ,)
[ "$(echo "$figures" | wc -w)" -ge 8 ] || fail 'fewer than eight figures'
for figure in $figures; do
  run_ok figure $figure m.anr april.csv --labels fraud --bootstrap 50 -o $figure.svg
  expect_no_out
done

# ---- the numbers of the report, out of the pixels
if [ -n "$python" ]; then
  last='figure numbers'
  "$python" -B "$SOURCE/tests/support/figure_numbers.py" report.html . >.out 2>.err || fail 'the figures have other numbers than the report'
fi

# ---- the same bytes wherever and however
for figure in curve map; do
  run_ok figure $figure m.anr april.csv --labels fraud --bootstrap 50 --threads 1 -o -
  expect_same .out $figure.svg
done
for locale in de_DE.UTF-8; do
  LC_ALL=$locale run figure scores m.anr april.csv --labels fraud --bootstrap 50 -o -
  expect_same .out scores.svg
done

# ---- names
run_ok figure --help
for figure in $figures; do expect_out "\<$figure\>"; done
run figure --help all
for figure in $figures; do expect_out "^ *$figure  "; done
run completion bash
expect_out 'precision-recall'

# ---- where to
refused 5 output-write figure map m.anr april.csv -o /dev/full
refused 5 output-folder figure map m.anr april.csv -o nowhere/x.svg

# ---- what a figure needs
sed 's/,[01]$/,0/' april.csv >normal.csv
refused 3 labels-one-kind figure roc m.anr normal.csv --labels fraud -o x.svg
awk 'BEGIN { print "a,b"; for (i = 0; i < 60; i++) print i * 7 % 31 ".5," i * i % 17 ".5" }' >plain.csv
run fit plain.csv -o plain.anr -q
head -n 2 plain.csv >one.csv
run figure curve plain.anr one.csv -o x.svg
expect_code 3
[ ! -e x.svg ] || fail 'a failed figure left a file'
run_json figure scores plain.anr one.csv -o x.svg
expect_code 0
expect_note report-not-evaluated
for figure in p-values map columns; do
  run_ok figure $figure plain.anr plain.csv -o plain-$figure.svg
done

# ---- hostile names and cells
name='<img src=x onerror=alert(1)>&"]]>.csv'
awk 'BEGIN { print "\"<b onclick=1>\",\"</svg>&amp;\",\"\033[31m\""; for (i = 0; i < 200; i++) print i * 7 % 31 ".5,\"" (i % 9 == 3 ? "</text><script>" : "a & b \342\200\256") "\"," (i == 77 ? 9000 : i * i % 17) }' >"$name"
run fit "$name" -o evil.anr -q
for figure in scores map columns p-values; do
  run_ok figure $figure evil.anr "$name" -o evil-$figure.svg
  grep -q '<script\|<img\|<b ' evil-$figure.svg && fail "markup from outside in evil-$figure.svg"
done
grep -q '&lt;img src=x' evil-map.svg || fail 'the name of the file is not in the figure'
if [ -n "$python" ]; then
  last='figures as XML'
  "$python" -B -c 'import sys, xml.dom.minidom
for name in sys.argv[1:]: xml.dom.minidom.parse(name)' ./*.svg >.out 2>.err || fail 'a figure is no XML'
fi
finish
