#!/bin/sh
# Every sh block of README.md and of docs/*.md runs, in a folder for each page, and every option that the pages name exists.
# test_guide.sh has the guide, and tests/serve/test_serve_guide.py the page of the service.
# labels: long nothreads
. "$(dirname "$0")/lib.sh"
[ -z "${SANITIZE:-}" ] || { echo "skipped under a sanitizer, where it takes minutes: the plain build runs it"; exit 77; }

cd "$SOURCE" || exit 1
pages=$(grep -lE '^```sh( exit=[0-9]+)?$' README.md docs/*.md | grep -v -e '^docs/guide.md$' -e '^docs/serve.md$')
cd "$folder" || exit 1
for page in $pages; do run_page "$page"; done
[ -e README/alerts.csv ] && [ -e machines/incidents.csv ] || fail "pages are missing: $pages"
"$python" "$SOURCE/tests/cli/named_options.py" "$ANORANK" "$SOURCE" || fail "pages name options that do not exist"
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
