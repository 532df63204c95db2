#!/bin/sh
# demo.sh BINARY FOLDER - the label-free referee on the paper's data (section 4): 1000 normal rows X ~ N(0, 0.1 I_2),
# 2000 contrast rows U uniform in the box of X, two scorings of both: the true density, and a bad one that looks at
# the first coordinate only. Any tool can make the scores; here awk does.
set -eu
anorank=$1
out=$2
mkdir -p "$out"
say() { printf '\n$ %s\n' "$*"; }

echo "Normal rows, and contrast rows drawn uniformly around them:"
say anorank simulate gaussian --rows 1000 --dim 2 --sigma 0.3162 --seed 1 -o "$out/x.csv"
"$anorank" simulate gaussian --rows 1000 --dim 2 --sigma 0.3162 --seed 1 -o "$out/x.csv"
say anorank simulate box --data "$out/x.csv" --rows 2000 --seed 2 -o "$out/u.csv"
"$anorank" simulate box --data "$out/x.csv" --rows 2000 --seed 2 -o "$out/u.csv"

for sample in x u; do
  awk -F, 'NR == 1 {print "score"; next} {printf "%.17g\n", -($1 * $1 + $2 * $2)}' "$out/$sample.csv" > "$out/density_$sample.csv"
  awk -F, 'NR == 1 {print "score"; next} {printf "%.17g\n", ($1 < 0 ? $1 : -$1)}' "$out/$sample.csv" > "$out/first_$sample.csv"
done

printf '\n%s\n' "Two scorings, made by awk: the true density, and one that looks at the first column only. Judged without labels:"
say anorank judge "$out/density_x.csv" --contrast "$out/density_u.csv" \
  --against "$out/first_x.csv" --against-contrast "$out/first_u.csv" \
  --curve "$out/curve.csv" --figure "$out/mass-volume.svg"
"$anorank" judge "$out/density_x.csv" --contrast "$out/density_u.csv" \
  --against "$out/first_x.csv" --against-contrast "$out/first_u.csv" \
  --curve "$out/curve.csv" --figure "$out/mass-volume.svg"
printf '\n%s\n' "The mass-volume curves with their bands: $out/mass-volume.svg (open it in a browser)"
