#!/usr/bin/env python3
"""Are gross errors in real tables in the first tier, and how many other rows are?

    gross_errors.py BINARY FOLDER [--every K] [--start J] [--rows N] [--runs R] [--json OUT]

FOLDER holds uci-dev, adbench-dev, mixed-dev and real-files (those that are absent are skipped with a word). In each table
(at most N rows and 25 columns of it) up to six cells in different rows and columns are altered: by 8 standard deviations up
or down, by a factor of 10, by a factor of 1,000, in turn. `detect` then says which rows are apart. An error is visible if
the cell lies outside the range of the rest of its column; a factor of 10 in the middle of a wide column is not. One line
per table and per kind of error: share found, share visible, share found of the visible, other rows apart per 1,000.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd

KINDS = ("8 sd", "x 10", "x 1000")


def load(path):
    if path.endswith(".npz"):
        values = np.asarray(np.load(path)["X"], float)
        return pd.DataFrame(values, columns=[f"c{i}" for i in range(values.shape[1])])
    table = pd.read_csv(path, sep=None, engine="python", encoding="latin1")
    return table.drop(columns="label", errors="ignore")


def paths(folder):
    for part, ending in (("uci-dev", "npz"), ("adbench-dev", "npz"), ("mixed-dev", "csv"), ("real-files", "csv.gz")):
        found = sorted(glob.glob(os.path.join(folder, part, "*." + ending)))
        if not found:
            print(f"{part}: absent, skipped", file=sys.stderr)
        yield from found


def alter(table, draw):
    """Changes cells in place. Returns rows, kinds and whether each is visible."""
    numeric = [c for c in table if pd.api.types.is_numeric_dtype(table[c]) and table[c].nunique() > 1]
    planted = []
    for turn, column in enumerate(draw.permutation(numeric)[:6]):
        kind = KINDS[turn % 3]
        values = table[column].astype(float)
        rows = np.flatnonzero(np.isfinite(values) & ((values != 0) | (kind == "8 sd")))
        rows = rows[~np.isin(rows, [one["row"] for one in planted])]
        if not len(rows):
            continue
        row = int(draw.choice(rows))
        rest = values.drop(values.index[row])
        new = values.iloc[row] * (10 if kind == "x 10" else 1000)
        if kind == "8 sd":
            new = values.iloc[row] + draw.choice((-1, 1)) * 8 * values.std()
        values.iloc[row] = new
        table[column] = values
        planted.append({"row": row, "kind": kind, "visible": bool(new < rest.min() or new > rest.max())})
    return planted


def measure(binary, path, rows, runs, seed):
    draw = np.random.default_rng(seed)
    all_rows = load(path)
    errors, others, seen = [], 0, 0
    for _ in range(runs):
        table = all_rows.iloc[np.sort(draw.permutation(len(all_rows))[:rows]), :25].reset_index(drop=True)
        planted = alter(table, draw)
        if not planted:
            return None
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            table.to_csv(file.name, index=False)
            done = subprocess.run([binary, "detect", file.name, "--output-format", "json", "--reasons", "0", "-q"],
                                  capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{path}: {done.stderr.strip()}")
        apart = {one["row"] - 1 for one in json.loads(done.stdout)["findings"] if one["tier"] == "apart"}
        errors += [{**one, "found": one["row"] in apart} for one in planted]
        others += len(apart - {one["row"] for one in planted})
        seen += len(table)
    return {"errors": errors, "others": others, "rows": seen}


def line(name, errors, others, rows):
    found = np.array([one["found"] for one in errors])
    visible = np.array([one["visible"] for one in errors])
    of_visible = f"{found[visible].mean():.3f}" if visible.any() else "-"
    per = f"{1000 * others / rows:.2f}" if rows else ""
    print(f"| {name} | {len(errors)} | {found.mean():.3f} | {visible.mean():.3f} | {of_visible} | {per} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json")
    chosen = parser.parse_args()
    results = {}
    print("| table | errors | found | visible | found of visible | others per 1,000 |\n|---|---|---|---|---|---|")
    for path in list(paths(chosen.folder))[chosen.start::chosen.every]:
        name = os.path.relpath(path, chosen.folder)
        try:
            one = measure(chosen.binary, path, chosen.rows, chosen.runs, 1)
        except (RuntimeError, ValueError, pd.errors.ParserError) as problem:
            print(f"{name}: skipped: {str(problem)[:200]}", file=sys.stderr)
            continue
        if one:
            results[name] = one
            line(name, one["errors"], one["others"], one["rows"])
    if not results:
        return 0
    errors = [one for table in results.values() for one in table["errors"]]
    for kind in KINDS:
        line(kind, [one for one in errors if one["kind"] == kind], 0, 0)
    line("all", errors, sum(t["others"] for t in results.values()), sum(t["rows"] for t in results.values()))
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump(results, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
