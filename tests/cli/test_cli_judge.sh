#!/bin/sh
# The referee on scores small enough to check by hand.
. "$(dirname "$0")/lib.sh"

# Pooled order: 1u 2u 3x 3.5u 4x 5x 6u 6.5x 7x, so the ranks of x are 3 5 6 8 9 and u = rank / 10.
printf 'score,other,label\n3,1,1\n4,4,0\n5,5,1\n6.5,6.5,0\n7,2,0\n' >x.csv
printf 'score,other\n1,1.5\n2,2.5\n3.5,3.5\n6,6\n' >u.csv

run_ok judge x.csv --contrast u.csv --json
expect_no_err
cp .out verdict.json
expect_json verdict.json
# 16 of the 20 pairs have x above u: area 4/20. sd: DeLong, from the shares 2 3 3 4 4 (/4) of x, 5 5 4 2 (/5) of u.
expect_number n "$(json_number verdict.json n)" 5 0
expect_number m "$(json_number verdict.json m)" 4 0
expect_number area "$(json_number verdict.json area)" 0.2 1e-15
expect_number area_sd "$(json_number verdict.json area_sd)" 0.1695582495781317 1e-14

# w NAME: the numbers of one score-generating function, from its line on.
w() { sed -n "/\"$1\": {/,/}/p" verdict.json >w.json; }
expect_w() { # NAME SUM; the mean is the sum over 5 rows
  w "$1"
  expect_number "sum of $1" "$(json_number w.json sum)" "$2" 1e-12
  expect_number "mean of $1" "$(json_number w.json mean)" "$(awk "BEGIN { printf \"%.17g\", $2 / 5 }")" 1e-12
}
expect_w mww 3.1
expect_w logistic 2.078460969082653
expect_w logrank 5.878135861800979
expect_w median 2
expect_w van_der_waerden 1.8521193895452734
expect_w truncated 1.7
expect_w log -2.736449675623908
expect_w clipped 1.5
w mww
# SciPy 1.10: mannwhitneyu(x, u, alternative='greater', method='exact').pvalue
expect_number p_value "$(json_number w.json p_value)" 0.09523809523809523 1e-12
grep -q '"exact": true' w.json || fail "mww of 9 scores without ties should be exact"
# 5 ranks drawn from 1..9 without replacement, over 10: mean 25/10, variance 5 * 4 * 10 / 12 / 100
expect_number null_mean "$(json_number w.json null_mean)" 2.5 1e-12
expect_number null_sd "$(json_number w.json null_sd)" 0.408248290463863 1e-12
expect_number z "$(json_number w.json z)" 1.469693845669907 1e-12
for key in area_interval partial_areas saturation settings bootstrap seed; do
  grep -q "\"$key\":" verdict.json || fail "the JSON lacks $key"
done
grep -q '"blind": true' verdict.json || fail "4 contrast rows should be too few for a verdict"
if grep -q 'comparison\|labelled' verdict.json; then fail "parts that were not requested"; fi

# the same for people
run_ok judge x.csv --contrast u.csv
expect_no_err
expect_narrow .out
expect_out '^  n = 5 .*x.csv.*score'
expect_out '^  m = 4 '
expect_out '^  0.2000 (95 % '
expect_out ' 80.0 %'
expect_out '^  mww  *3.1  *0.62  *1.47  *0.0952 \*$'

# the sign
sed 's/^\([0-9.]*\),.*/-\1/; 1s/.*/score/' x.csv >x_high.csv
sed 's/^\([0-9.]*\),.*/-\1/; 1s/.*/score/' u.csv >u_high.csv
run_json judge x_high.csv --contrast u_high.csv --json
expect_code 0
expect_number area "$(json_number .out area)" 0.8 1e-15
expect_note judge-sign
run judge x_high.csv --contrast u_high.csv --json --quiet
expect_no_err
run judge x_high.csv --contrast u_high.csv --higher-is-abnormal --json
expect_no_err
expect_same verdict.json .out

# which column
printf 'name,points\na,3\nb,4\nc,5\nd,6.5\ne,7\n' >only.csv
printf 'points\n1\n2\n3.5\n6\n' >only_u.csv
run judge only.csv --contrast only_u.csv --json
expect_same verdict.json .out
run judge x.csv --contrast u.csv --column other --json
# 11 of 20 pairs
expect_number area "$(json_number .out area)" 0.45 1e-15

# standard input
last='judge - --contrast u.csv --json < x.csv'
"$ANORANK" judge - --contrast u.csv --json <x.csv >.out 2>.err || fail "reading standard input"
expect_same verdict.json .out

# the three ways to name the other scores give the same comparison
run_ok judge x.csv --contrast u.csv --against other --json
cp .out by_column.json
expect_json by_column.json
sed -n '/"comparison": {/,$p' by_column.json >comparison.json
expect_number difference "$(json_number comparison.json difference)" -0.25 1e-15
expect_number difference_sd "$(json_number comparison.json difference_sd)" 0.16583123951776998 1e-14
expect_number z "$(json_number comparison.json z)" -1.5075567228888183 1e-12
expect_number p_value "$(json_number comparison.json p_value)" 0.1947067156714049 1e-12
printf 'other\n1\n4\n5\n6.5\n2\n' >o.csv
printf 'other\n1.5\n2.5\n3.5\n6\n' >ou.csv
run_ok judge x.csv --contrast u.csv --against o.csv --against-contrast ou.csv --json
expect_same by_column.json .out
printf 'other\n1\n4\n5\n6.5\n2\n1.5\n2.5\n3.5\n6\n' >both.csv
run_ok judge x.csv --contrast u.csv --against both.csv --json
expect_same by_column.json .out
sed 's/^\([0-9]\)/-\1/' both.csv >both_high.csv
run judge x.csv --contrast u.csv --against both_high.csv --against-higher-is-abnormal --json
expect_same by_column.json .out
run judge x.csv --contrast u.csv --against both.csv
expect_narrow .out
# blind for one scorer alone, whichever it is: they differ all the same
{ echo score,other; seq 1 100 | sed 's/.*/&,&/'; } >wide_x.csv
{ echo score,other; seq 1 60 | sed 's/.*/0,&/'; } >wide_u.csv
run judge wide_x.csv --contrast wide_u.csv --against other --json
expect_out '"blind": true'
awk -v d="$(json_number .out difference)" 'BEGIN { exit !(d < -0.1) }' || fail 'the first scores are not better'
run judge wide_x.csv --contrast wide_u.csv --column other --against score --json
expect_out '"blind": false'
awk -v d="$(json_number .out difference)" 'BEGIN { exit !(d > 0.1) }' || fail 'the second scores are not better'
# an area near 0 is shown with the digits that it has
{ echo score; seq 1 1000; } >many_x.csv
{ echo score; seq -998 0; echo 2.5; } >many_u.csv
run judge many_x.csv --contrast many_u.csv
expect_out '^  0.0000020 (95 % interval 0.0000002 to 0.0000220)'
expect_out '99.9998 %'

# two kinds of contrast rows: the scores are above the combinations and among the extremes; the others reversed
{ echo score,other; seq 1 100 | sed 's/.*/&,&/'; } >two_x.csv
{ echo score,other; seq 1 100 | sed 's/.*/-&,&/'; } >swapped.csv
{ echo score,other; seq 1 100 | sed 's/.*/&,-&/'; } >displaced.csv
# outcomes FILE: of combinations and of extremes, in this order
outcomes() { sed -n 's/^ *"outcome": "\(.*\)",$/\1/p' "$1" | tr '\n' ' '; }
run_ok judge two_x.csv --contrast swapped.csv --contrast-extremes displaced.csv --json
expect_json .out
expect_out '"disagree": true'
[ "$(outcomes .out)" = 'separates undecided ' ] || fail "outcomes $(outcomes .out)"
expect_number area "$(json_number .out area)" 0 0
sed -n '/"extremes": {/,$p' .out >extremes.json
expect_number area "$(json_number extremes.json area)" 0.5 1e-15
run_ok judge two_x.csv --contrast displaced.csv --contrast-extremes swapped.csv --json
[ "$(outcomes .out)" = 'undecided separates ' ] || fail "outcomes of exchanged files $(outcomes .out)"
run_ok judge two_x.csv --contrast swapped.csv --contrast-extremes displaced.csv --against other --json
cp .out by_column.json
expect_json by_column.json
expect_out '"disagree": true'
[ "$(outcomes .out)" = 'first second ' ] || fail "outcomes of two $(outcomes .out)"
{ cat two_x.csv && sed 1d swapped.csv && sed 1d displaced.csv; } | cut -d , -f 2 >all.csv
run_ok judge two_x.csv --contrast swapped.csv --contrast-extremes displaced.csv --against all.csv --json
expect_same by_column.json .out
run_ok judge two_x.csv --contrast swapped.csv --contrast-extremes displaced.csv --against other
expect_narrow .out
expect_out '^  combinations, first  *permute  *0'
cut -d , -f 1 displaced.csv >alone.csv
refused 2 judge-against judge two_x.csv --contrast swapped.csv --contrast-extremes alone.csv --against other
refused 2 judge-against judge two_x.csv --contrast swapped.csv --contrast-extremes displaced.csv --against swapped.csv

refused 2 judge-against judge x.csv --contrast u.csv --against o.csv
refused 2 judge-against judge x.csv --contrast u.csv --against o.csv --against-contrast o.csv
refused 2 judge-against judge x.csv --contrast u.csv --against label

# labels: scikit-learn's roc_auc_score and average_precision_score of minus the score
run_ok judge x.csv --contrast u.csv --labels label --lowest 1 --lowest 2,5 --json
expect_json .out
expect_number roc_auc "$(json_number .out roc_auc)" 0.8333333333333334 1e-14
expect_number average_precision "$(json_number .out average_precision)" 0.8333333333333333 1e-14
expect_out '{"k": 1, "accuracy": 1}'
expect_out '{"k": 2, "accuracy": 0.5}'
expect_out '{"k": 5, "accuracy": 0.4}'
run judge x.csv --contrast u.csv --labels label --lowest 3
expect_narrow .out
expect_out '^  ROC-AUC  *0.8333'
expect_out ' 66.7 %'

# tables and figure
run_ok judge x.csv --contrast u.csv --curve curve.csv --excess excess.tsv --figure curve.svg --points 11
expect_out '^  curve *curve.csv$'
expect_out '^  figure *curve.svg$'
[ "$(head -n 1 curve.csv)" = mass,volume,low,high,band_low,band_high ] || fail "names of the curve's columns"
[ "$(wc -l <curve.csv)" -eq 12 ] || fail "--points 11 gave $(wc -l <curve.csv) lines"
[ "$(head -n 1 excess.tsv)" = "$(printf 't\texcess')" ] || fail "names of the excess curve's columns"
grep -q '</svg>' curve.svg || fail "the figure is not whole"
run_ok judge x.csv --contrast u.csv --curve - --points 11
expect_same curve.csv .out
run judge x.csv --contrast u.csv --curve - --points 11 -q
expect_no_err
run judge x.csv --contrast u.csv -v --json
expect_err 'x.csv: 5 '
expect_same verdict.json .out

# ties = max is for the paper's identities only, and says so
run_json judge x.csv --contrast u.csv --ties max --json
expect_note ties-max

finish
