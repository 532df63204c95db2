#!/bin/sh
# --incidents, --rank-entities and --expect-every from end to end.
. "$(dirname "$0")/lib.sh"

# Five machines, a row a minute each. m2 runs hot in minutes 200 to 211, m4 in minute 90; m3 sends nothing in minutes 120 to 139,
# and m1 nothing after minute 290.
awk 'BEGIN { srand(5); print "machine,when,heat,load"
  for (t = 0; t < 300; t++) for (m = 1; m <= 5; m++) {
    if ((m == 3 && t >= 120 && t < 140) || (m == 1 && t > 290)) continue
    h = 40 + 5 * m + rand() + rand(); l = rand() + rand()
    if (m == 2 && t >= 200 && t < 212) h += 15
    if (m == 4 && t == 90) h += 25
    printf "m%d,2025-03-01 %02d:%02d:00,%.3f,%.3f\n", m, t / 60, t % 60, h, l } }' >fleet.csv

run detect fleet.csv --by machine --time when --incidents --lowest 2 --json
expect_code 0
cp "$folder/.out" incidents.json
"$python" - <<'P' || fail "the planted incidents are not the first two"
import json
found = json.load(open("incidents.json"))
rows = {one["machine"]: one for one in found["findings"]}
assert set(rows) == {"m2", "m4"}, rows.keys()
assert rows["m2"]["start"] == "2025-03-01T03:20:00Z" and "2025-03-01T03:31:00Z" <= rows["m2"]["end"] <= "2025-03-01T03:51:00Z", rows["m2"]
assert rows["m4"]["start"] == "2025-03-01T01:30:00Z", rows["m4"]
assert 12 <= rows["m2"]["rows"] <= 32, rows["m2"]["rows"]
headline = found["headline"]
assert headline["entities"] == 5 and 2 <= headline["incidents"] <= headline["listed_incidents"], headline
extreme, listed, machines = (headline[name] for name in ("incidents", "listed_incidents", "incident_entities"))
said = f"{listed} incidents in" if extreme == listed else f"{extreme} of {listed} incidents have extreme rows, in"
assert headline["text"].startswith(f"{said} {machines} of 5 machines: "), headline["text"]
n, per_day = found["rows"], headline["false_incidents_per_day"]
assert abs(per_day - headline["false_incidents_per_1000_rows"] * n / 1000 / (299 / 1440)) < 1e-6 * per_day
P

# CSV lists rows unless asked; a terminal lists incidents.
run detect fleet.csv --by machine --time when -q
head -n 1 "$folder/.out" | grep -q 'start' && fail "CSV lists incidents"
[ "$(wc -l <"$folder/.out")" -gt 1000 ] || fail "CSV does not list all rows"
run detect fleet.csv --by machine --time when --incidents -q
head -n 1 "$folder/.out" | grep -q '^machine,when,rank,row,start,end,rows,score,p_value,q_value,tier,reasons$' || fail "columns of incidents"
[ "$(wc -l <"$folder/.out")" -lt 100 ] || fail "incidents are as many as rows"
run detect fleet.csv --by machine --time when --output-format table -q
grep -q 'start *end *rows' "$folder/.out" || fail "the table for people lists rows"
run detect fleet.csv --by machine --time when --output-format table --incidents no -q
grep -q 'start *end *rows' "$folder/.out" && fail "--incidents no lists incidents"

# An explicit level decides which rows make incidents.
run detect fleet.csv --by machine --time when --incidents --mass 0.999 -q
few=$(wc -l <"$folder/.out")
run detect fleet.csv --by machine --time when --incidents --mass 0.9 -q
[ "$few" -lt "$(wc -l <"$folder/.out")" ] || fail "--mass does not choose"

# Whole entities.
run detect fleet.csv --by machine --time when --rank-entities -q
expect_code 0
[ "$(wc -l <"$folder/.out")" -eq 6 ] || fail "five machines, not one row each"
sed -n 2,3p "$folder/.out" | cut -d, -f1 | sort | tr '\n' ' ' | grep -q '^m2 m4 $' || fail "m2 and m4 are not the first"

# Silences: within the file, at its end, and of a machine that the model knows and the file lacks.
run_json detect fleet.csv --by machine --time when --expect-every 5min -o x.csv
expect_note entity-silent
run detect fleet.csv --by machine --time when --expect-every 5min --json -q
"$python" - "$folder/.out" <<'P' || fail "silences"
import json, sys
found = [(one["entity"], one["from"], one["to"], one["row_after"] is None) for one in json.load(open(sys.argv[1]))["silences"]]
assert found == [("m3", "2025-03-01T01:59:00Z", "2025-03-01T02:20:00Z", False), ("m1", "2025-03-01T04:50:00Z", "2025-03-01T04:59:00Z", True)], found
P
awk -F, 'NR == 1 || substr($2, 12, 2) + 0 < 4' fleet.csv >history.csv
awk -F, 'NR == 1 || (substr($2, 12, 2) + 0 >= 4 && $1 != "m5")' fleet.csv >later.csv
run fit history.csv --by machine --time when -o model.anr -q
run rank model.anr later.csv --expect-every 30min --json -q
"$python" - "$folder/.out" <<'P' || fail "a machine that sends nothing any more"
import json, sys
found = json.load(open(sys.argv[1]))["silences"]
assert [(one["entity"], one["from"], one["to"], one["row_before"]) for one in found] == [
    ("m5", "2025-03-01T03:59:00Z", "2025-03-01T04:59:00Z", None)], found
P

# The report of a table with entities has their incidents, and no note on a history that is the table itself.
run detect fleet.csv --by machine --time when --report r.html -o x.csv -q
expect_code 0
grep -q '"incidents":{"by":"machine","moments":true' r.html || fail "the report lacks incidents"
grep -q '"series":{"time":"when","moments":true,"column":"heat","joined":false' r.html || fail "the report does not draw the column of the reasons"
grep -q '"column":"heat"' r.html || fail "the report does not draw the column of an incident"
grep -q 'end of the model' r.html && fail "the report warns of the model's history"

# The same bytes for any number of threads.
run detect fleet.csv --by machine --time when --incidents --threads 1 -q
cp "$folder/.out" one.csv
run detect fleet.csv --by machine --time when --incidents --threads 2 -q
expect_same "$folder/.out" one.csv

# Without the options a note names them; not with them, and not for rows in no order.
run detect fleet.csv -o x.csv
expect_err "try --by machine --time when "
run_json detect fleet.csv --by machine --time when -o x.csv
grep -q context-suggested "$folder/.err" && fail "suggests options that are given"
run_json detect fleet.csv --drop machine -o x.csv
grep -q context-suggested "$folder/.err" && fail "suggests a time for rows that do not depend on their neighbours"
awk 'BEGIN { srand(1); print "kind,day,x,y"; for (i = 0; i < 600; i++)
  printf "k%d,2025-01-%02d,%.3f,%.3f\n", rand() * 5, 1 + rand() * 28, rand(), rand() }' >bag.csv
run_json detect bag.csv -o x.csv
grep -q context-suggested "$folder/.err" && fail "takes a category for an entity"
awk 'BEGIN { srand(3); print "kind,day,x"; for (i = 0; i < 600; i++)
  printf "k%d,%s,%.3f\n", i % 5, i < 500 ? "2025-" 1 + int(i / 125) "-" 1 + int(i / 5) % 25 : "", rand() }' >panel.csv
run_json detect panel.csv -o x.csv # times are missing at the end
grep -q context-suggested "$folder/.err" || fail "does not suggest entities of a panel with missing times"
awk 'BEGIN { srand(2); print "taken at,x,y"; for (i = 0; i < 400; i++) { x += rand() - .5; y = .9 * y + rand()
  printf "2025-01-%02d %02d:00,%.3f,%.3f\n", 1 + i / 24, i % 24, x, y } }' >series.csv
run detect series.csv -o x.csv
expect_err "try --time 'taken at' "
finish
