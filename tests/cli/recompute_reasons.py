"""Recompute the reasons of `anorank detect --json` from the file: no level that is called rare is as frequent as the mean
level, no reason adds less than 5 % of the strongest, every range holds and the value is clearly outside; where two or three
columns disagree, the rows of the file that agree in the others have what the reason says of them. Counts rows without a reason that
says anything.

Usage: recompute_reasons.py ANORANK FILE... Exits with 1 where a statement is false."""

import array
import ast
import collections
import csv
import gzip
import json
import struct
import subprocess
import sys
import zipfile

ROWS = 20000  # of each file
MISSING = {"", "na", "nan", "n/a", "null", "none", "?", "-"}


def rows_of(path):
    if path.endswith(".npz"):
        with zipfile.ZipFile(path) as archive, archive.open("X.npy") as file:
            raw = file.read()
        start = 10 + struct.unpack("<H", raw[8:10])[0]
        shape = ast.literal_eval(raw[10:start].decode())["shape"]
        kind = ast.literal_eval(raw[10:start].decode())["descr"]
        cells = array.array({"<f8": "d", "<f4": "f"}[kind], raw[start:])
        rows = [cells[i :: shape[0]] for i in range(min(shape[0], ROWS))]  # Fortran order
        return [f"x{j + 1}" for j in range(shape[1])], [list(map(repr, row)) for row in rows]
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace", newline="") as f:
        first = f.readline()
        f.seek(0)
        rows = csv.reader(f, delimiter=max(",;\t", key=first.count))
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


def false_together(header, rows, reason):
    """Of the rows that agree with the partners: most have what the reason states, and few a cell like this one. The model kept
    a sample of at most 1,024 rows, hence the tolerance of three standard deviations."""

    def agrees(row):
        for partner in reason["partners"]:
            cell = row[header.index(partner["column"])]
            if "low" not in partner:
                if cell != str(partner["value"]) and number(cell) != partner["value"]:
                    return False
            elif number(cell) is None or not partner["low"] <= number(cell) <= partner["high"]:
                return False
        return True

    cells = [row[header.index(reason["column"])] for row in rows if agrees(row)]
    cells = [cell for cell in cells if cell.strip().lower() not in MISSING]
    value = reason["value"]
    if "similar_level" in reason:
        have = sum(cell == reason["similar_level"] for cell in cells)
        like = sum(cell == str(value) for cell in cells)
        least = 0.5
    else:
        low, high = reason["similar_low"], reason["similar_high"]
        values = [v for v in map(number, cells) if v is not None]
        have = sum(low <= v <= high for v in values)
        like = sum(v >= value if value > high else v <= value for v in values)
        least = 0.8
    n = min(len(cells), 32)
    return not cells or have / len(cells) < least - 1.5 / n**0.5 or like / len(cells) > 1 / 16 + 0.75 / n**0.5


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
    seen, wrong = collections.Counter(), []
    for finding in json.loads(done.stdout)["findings"]:
        seen["rows"] += 1
        seen["silent"] += all(reason["kind"] == "usual" for reason in finding["reasons"])
        for reason in finding["reasons"]:
            seen["reasons"] += 1
            seen["partners"] += "partners" in reason
            seen["together"] += reason["kind"] == "together"
            at = header.index(reason["column"]) if reason["column"] in header else None
            tables = [[row[at] for row in some] for some in (rows, kept)] if at is not None else []
            test = {"rare level": false_rare, "high": false_range, "low": false_range}.get(reason["kind"])
            if reason["contribution"] < 0.05 * finding["reasons"][0]["contribution"]:
                wrong.append("weak: " + reason["text"])
            elif test and tables and all(test(cells, reason) for cells in tables):
                wrong.append("false: " + reason["text"])
            elif at is not None and "partners" in reason and false_together(header, rows, reason):
                wrong.append("false: " + reason["text"])
    return seen, wrong


def main():
    failures, total = 0, collections.Counter()
    for path in sys.argv[2:]:
        seen, wrong = check(sys.argv[1], path)
        if seen is None:
            print(f"{path}: not judged: {wrong[0][:200]}")
            continue
        failures += len(wrong)
        total += seen + collections.Counter(files=1)
        print(f"{path}: {seen['reasons']} reasons, {len(wrong)} wrong, {seen['silent']} of {seen['rows']} rows without one")
        for text in wrong:
            print("  " + text)
    print(
        f"{total['files']} files: {total['reasons']} reasons, {failures} wrong; {total['silent']} of {total['rows']} rows have "
        f"none that says anything; {total['partners']} of {total['together']} combinations name their columns"
    )
    sys.exit(failures > 0)


main()
