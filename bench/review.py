#!/usr/bin/python3
"""What a few answers bring: an analyst who answers truly is shown rows, five at a time, by `anorank detect --feedback FILE`.

    review.py BINARY FOLDER... [--rounds 6] [--rows-a-round 5] [--rows N] [--seeds 1] [--only name,...] [--json OUT]
    review.py BINARY --cards [--seeds 10]

FOLDER holds labelled tables (accuracy_tables.py); all rows are in one file, contaminated. Tables with fewer anomalies than
rows shown are ignored. Output for each: anomalies among the rows shown, next to those among as many first rows without
answers; AUC-ROC and average precision on the rows not shown, with the answers and without.

--cards: the built-in card payments with 1 to 40 known frauds. Clean: `fit --known` on three months without fraud, known frauds of
the fourth and fifth month. Contaminated: `detect --labels` of the fourth and fifth month in one file, known frauds marked. Both are
measured on the rows of these two months that are not known. Told: the gain in average precision over none known, mean (standard
error) and least over the seeds.

Needs Debian's python3-numpy, python3-sklearn, and python3-pandas for .csv.
"""
import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

from accuracy_tables import MOST_ROWS, draw, tables

KNOWN = (1, 2, 5, 10, 20, 40)
LEAST = 0.03  # the loss in average precision that no seed of --cards may exceed
CARDS = ["--id", "transaction,account"]


def call(*command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr.decode().strip()[-400:]}")
    return run.stdout.decode()


def column(text, name):
    return np.array([float(row[name] or 0) for row in csv.DictReader(io.StringIO(text))])


# ---- review ----------------------------------------------------------------------------------------------


def ranked(binary, path, labels, answers, seed):
    """Abnormality of all rows, given {row: label}."""
    command = [binary, "detect", path, "--seed", str(seed), "--reasons", "0", "--threads", "1", "-q"]
    if answers:
        with open(labels, "w") as f:
            f.write("row,label\n" + "".join(f"{row + 1},{label}\n" for row, label in answers.items()))
        command += ["--feedback", labels]
    text = call(*command)
    scores = np.empty(len(column(text, "row")))
    scores[column(text, "row").astype(int) - 1] = -column(text, "score")
    return scores


def review(o, table, seed, folder):
    rows = draw(table.y, "contaminated", seed, o.rows)[0]
    y, shown = table.y[rows], o.rounds * o.rows_a_round
    if y.sum() < shown:
        return None
    path, labels = os.path.join(folder, "rows" + table.suffix), os.path.join(folder, "labels.csv")
    table.save(rows, path)
    first = scores = ranked(o.binary, path, labels, {}, seed)
    answers = {}
    for _ in range(o.rounds):
        order = [int(i) for i in np.argsort(-scores, kind="stable") if int(i) not in answers]
        answers.update({i: int(y[i]) for i in order[: o.rows_a_round]})
        scores = ranked(o.binary, path, labels, answers, seed)
    rest = np.setdiff1d(np.arange(len(y)), list(answers))
    if not 0 < y[rest].sum() < len(rest):
        return None
    quality = [100 * f(y[rest], s[rest]) for f in (roc_auc_score, average_precision_score) for s in (scores, first)]
    return [sum(answers.values()), int(y[np.argsort(-first, kind="stable")[:shown]].sum()), *quality]


def reviews(o):
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in o.folders:
            name = os.path.basename(path.rstrip("/"))
            for table_name, table in tables(path, o.only):
                runs = [r for r in (review(o, table, seed, folder) for seed in range(o.seeds)) if r]
                if not runs:
                    continue
                mean = np.mean(runs, 0)
                found.setdefault(name, {})[table_name] = mean.tolist()
                print(f"{name:12s} {table_name:18s} found {mean[0]:5.1f} (without {mean[1]:5.1f})  AUC {mean[2]:5.1f} "
                      f"({mean[3]:5.1f})  AP {mean[4]:5.1f} ({mean[5]:5.1f})", flush=True)
    print("\n| folder | tables | found | without answers | ratio | AUC, rows not shown | without | AP | without |")
    print("|---|---|---|---|---|---|---|---|---|")
    everything = [v for tables_ in found.values() for v in tables_.values()]
    for name, values in [*((k, list(v.values())) for k, v in found.items()), ("all", everything)]:
        m = np.mean(values, 0)
        print(f"| {name} | {len(values)} | {m[0]:.1f} | {m[1]:.1f} | {m[0] / m[1]:.2f} | {m[2]:.1f} | {m[3]:.1f} | {m[4]:.1f} | {m[5]:.1f} |")
    return found


# ---- cards -----------------------------------------------------------------------------------------------


def precision(frauds, scores, without=()):
    left = np.setdiff1d(np.arange(len(frauds)), list(without))
    return average_precision_score(frauds[left], -scores[left])


def learned(o, folder, history, test, known=None):
    """Scores of the rows of `test` by a model of the months without fraud."""
    model = os.path.join(folder, "model.anr")
    given = ["--known", known] if known else []
    call(o.binary, "fit", history, "-o", model, *CARDS, "--drop", "fraud", "-q", *given)
    return column(call(o.binary, "score", model, test, "-q"), "score")


def detected(o, path, labels=None):
    """Scores of the rows of one file, some of which are marked in its column `told`."""
    given = ["--labels", "told"] if labels else ["--drop", "told"]
    text = call(o.binary, "detect", path, *CARDS, "--drop", "fraud", "--reasons", "0", "-q", *given)
    scores = np.zeros(len(open(path).readlines()) - 1)
    scores[column(text, "row").astype(int) - 1] = column(text, "score")
    return scores


def write_lines(path, lines):
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")


def cards_of_seed(o, folder, seed):
    """{(setting, known): gain in average precision}."""
    history, months, marked, known = (os.path.join(folder, k + ".csv") for k in ("history", "months", "marked", "known"))
    make = [o.binary, "example", "cards", "--seed", str(seed), "-q"]
    call(*make, "--rows", "36000", "--anomalies", "0", "-o", history)
    call(*make, "--rows", "24000", "--first-row", "36000", "-o", months)
    head, *lines = open(months).read().splitlines()
    frauds = np.array([line.endswith(",1") for line in lines])
    drawn = np.random.default_rng(seed).permutation(np.flatnonzero(frauds))
    write_lines(marked, [head + ",told", *(line + "," for line in lines)])
    without, gains = (learned(o, folder, history, months), detected(o, marked)), {}
    for count in KNOWN:
        told = drawn[:count]
        write_lines(known, [head, *(lines[i] for i in told)])
        write_lines(marked, [head + ",told", *(line + (",1" if i in set(told) else ",") for i, line in enumerate(lines))])
        scores = learned(o, folder, history, months, known), detected(o, marked, True)
        for setting, with_, plain in zip(("clean", "contaminated"), scores, without):
            gains[setting, count] = precision(frauds, with_, told) - precision(frauds, plain, told)
    return gains


def cards(o):
    gains = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, o.seeds + 1):
            found = cards_of_seed(o, folder, seed)
            for key, gain in found.items():
                gains.setdefault(key, []).append(gain)
            print(seed, {f"{s} {k}": round(v, 3) for (s, k), v in sorted(found.items())}, flush=True)
    print("\n| known | clean: mean gain (se) | least | contaminated: mean gain (se) | least |\n|---|---|---|---|---|")
    missed = False
    for count in KNOWN:
        cells = []
        for setting in ("clean", "contaminated"):
            v = np.array(gains[setting, count])
            cells.append(f"{v.mean():+.3f} ({v.std() / max(len(v) - 1, 1) ** 0.5:.3f}) | {v.min():+.3f}")
            missed |= not (v.mean() > 0 and v.min() >= -LEAST)
        print(f"| {count} | {cells[0]} | {cells[1]} |")
    if missed:
        print(f"missed: a mean gain that is not above 0, or a seed that loses more than {LEAST}")
    return {f"{s} {k}": v for (s, k), v in gains.items()}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("binary")
    p.add_argument("folders", nargs="*", metavar="FOLDER")
    p.add_argument("--cards", action="store_true")
    p.add_argument("--rounds", type=int, default=6)
    p.add_argument("--rows-a-round", type=int, default=5)
    p.add_argument("--rows", type=int, default=MOST_ROWS, help="of a table at most (default %(default)s)")
    p.add_argument("--seeds", type=int)
    p.add_argument("--only", type=lambda s: s.split(","))
    p.add_argument("--json", metavar="OUT")
    o = p.parse_args()
    o.seeds = o.seeds or (10 if o.cards else 1)
    result = cards(o) if o.cards else reviews(o)
    if o.json:
        with open(o.json, "w") as f:
            json.dump(result, f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    main()
