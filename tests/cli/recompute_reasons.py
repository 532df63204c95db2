"""Recompute the reasons of `anorank detect --json` from the file: no level that is called rare is as frequent as the mean
level, no reason adds less than 5 % of the strongest, every range holds and the value is clearly outside.

Usage: recompute_reasons.py ANORANK FILE... Exits with 1 where a statement is false."""

import collections
import csv
import gzip
import json
import subprocess
import sys

ROWS = 20000  # of each file
MISSING = {"", "na", "nan", "n/a", "null", "none", "?", "-"}


def rows_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace", newline="") as f:
        rows = csv.reader(f, csv.Sniffer().sniff(f.readline(), ",;\t"))
        f.seek(0)
        header = next(rows)
        return header, [row for row, _ in zip((row for row in rows if len(row) == len(header)), range(ROWS))]


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return None


def false_rare(cells, reason):
    """Counted with and without rows that repeat others: copies are not learned from."""
    value = str(reason["value"])
    counts = collections.Counter(c for c in cells if c == value or c.strip().lower() not in MISSING)
    own = counts[value]
    return own == 0 or own * len(counts) >= sum(counts.values())


def false_range(cells, reason):
    values = [v for v in map(number, cells) if v is not None]
    low, high, value = reason["usual_low"], reason["usual_high"], reason["value"]
    beyond = value - high if reason["kind"] == "high" else low - value
    outside = max(sum(v < low for v in values), sum(v > high for v in values))
    return beyond <= 0.01 * (high - low) or outside > 0.06 * len(values)


def check(anorank, path):
    header, rows = rows_of(path)
    text = "".join(
        ",".join('"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\r\n') else cell for cell in row) + "\n"
        for row in [header] + rows
    )
    command = [anorank, "detect", "-", "--lowest", "20", "--reasons", "5", "--json", "-q"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode != 0:
        return None, [done.stderr.decode(errors="replace").strip()]
    kept = list(dict.fromkeys(map(tuple, rows)))
    seen, wrong = 0, []
    for finding in json.loads(done.stdout)["findings"]:
        for reason in finding["reasons"]:
            seen += 1
            at = header.index(reason["column"]) if reason["column"] in header else None
            tables = [[row[at] for row in some] for some in (rows, kept)] if at is not None else []
            test = {"rare level": false_rare, "high": false_range, "low": false_range}.get(reason["kind"])
            if reason["contribution"] < 0.05 * finding["reasons"][0]["contribution"]:
                wrong.append("weak: " + reason["text"])
            elif test and tables and all(test(cells, reason) for cells in tables):
                wrong.append("false: " + reason["text"])
    return seen, wrong


def main():
    failures = 0
    for path in sys.argv[2:]:
        seen, wrong = check(sys.argv[1], path)
        if seen is None:
            print(f"{path}: not judged: {wrong[0][:200]}")
            continue
        failures += len(wrong)
        print(f"{path}: {seen} reasons, {len(wrong)} wrong")
        for text in wrong:
            print("  " + text)
    sys.exit(failures > 0)


main()
