#!/bin/sh
# Every sh block of the guides for accounts, machines and KPIs runs, in order, in a folder for each page.
# labels: nothreads
. "$(dirname "$0")/lib.sh"
[ -z "${SANITIZE:-}" ] || { echo "skipped under a sanitizer, where it takes minutes: the plain build runs it"; exit 77; }

mkdir bin
ln -s "$ANORANK" bin/anorank
PATH=$folder/bin:$PATH
for page in accounts machines kpis; do
  mkdir "$page"
  awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0; next } inside' "$SOURCE/docs/$page.md" >"$page.sh"
  [ "$(wc -l <"$page.sh")" -ge 5 ] || fail "docs/$page.md has no commands"
  last="docs/$page.md"
  (cd "$page" && sh -e "../$page.sh") >.out 2>.err || fail "docs/$page.md does not run"
done
# The planted incidents are found: among the first five, at least two have planted rows.
"$python" - <<'P' || fail "planted incidents are not among the first"
import csv
for page, label, by in (("machines", "failure", "machine"), ("kpis", "anomaly", None)):
    name = "fleet.csv" if by else "kpi.csv"
    rows = list(csv.DictReader(open(f"{page}/{name}")))
    hits = planted = 0
    for one in csv.DictReader(open(f"{page}/incidents.csv")):
        start, end = (one[key].replace("T", " ").replace("Z", "") for key in ("start", "end"))
        hits += any(row[label] == "1" and start <= row["time"] <= end and (not by or row[by] == one[by]) for row in rows)
    assert hits >= (2 if by else 1), (page, hits)
P
finish
