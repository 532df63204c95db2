#!/usr/bin/env python3
"""What the first line promises, and what is true, on labelled tables.

    headlines.py BINARY FOLDER [--every K] [--json OUT]

FOLDER holds time-dev, odd-dev and mixed-dev (those that are absent are skipped with a word). Each labelled file is judged
as a user would: `detect` where there is one file, `fit` on the history and `rank` on the new rows where there are two. One
line per kind of headline: tables, rows selected at a q-value of 0.1 and the mean share of false ones among them, p-values
of normal rows at most 0.05 and 0.01, rows apart with their mean true share, and that of as many first rows. Exits 1 where a
rate is promised and the mean false share is above 0.12, or where fewer than 95 % of odd-dev get a rate.
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

LABELS = ("label", "anomaly", "fraud")


def call(binary, *arguments):
    done = subprocess.run([binary, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def ask(binary, *arguments):
    return json.loads(call(binary, *arguments, "--output-format", "json", "--reasons", "0", "-q"))


def mean(values):
    values = [value for value in values if value is not None]
    return float(np.mean(values)) if values else None


def measure(family, name, way, answer, labels):
    labels, found, headline = np.asarray(labels).astype(int), answer["findings"], answer["headline"]
    truth = labels[[one["row"] - 1 for one in found]]
    p = np.array([one["p_value"] for one in found])
    selected = np.array([one["q_value"] for one in found]) <= 0.1
    apart = np.array([one["tier"] == "apart" for one in found])
    share = lambda of: float(of.mean()) if len(of) else None
    return {
        "family": family, "name": name, "way": way, "kind": headline["kind"], "rate": headline["rate"],
        "selected": int(selected.sum()), "false": share(1 - truth[selected]), "true": int(truth[selected].sum()),
        "p05": share(p[truth == 0] <= 0.05), "p01": share(p[truth == 0] <= 0.01), "apart": int(apart.sum()),
        "apart_true": share(truth[apart]), "first_true": share(truth[: int(apart.sum())]),
    }


def label_of(table):
    return next(column for column in table if column in LABELS)


def odd(binary, folder, every, scratch):
    a, b, m = (os.path.join(scratch, name) for name in ("a.npy", "b.npy", "m.anr"))
    for path in sorted(glob.glob(folder + "/*.npz"))[::every]:
        data = np.load(path)
        np.save(a, data["train"].astype(float))
        np.save(b, data["test"].astype(float))
        try:
            call(binary, "fit", a, "-o", m, "-q")
        except RuntimeError as error:  # constant columns alone
            print(f"{os.path.basename(path)}: {error}")
            continue
        yield measure("odd-dev", os.path.basename(path), "rank", ask(binary, "rank", m, b), data["test_labels"])


def time(binary, folder, every, scratch):
    m = os.path.join(scratch, "m.anr")
    for path in sorted(glob.glob(folder + "/*.csv.gz"))[::every]:
        name = os.path.basename(path)
        test = path.replace(".train.", ".test.")
        if ".kinds." in name or ".test." in name or not os.path.exists(test):
            continue
        table = pd.read_csv(test)
        label = label_of(table)
        if test == path:
            yield measure("time-dev", name, "detect", ask(binary, "detect", path, "--drop", label), table[label])
        else:
            call(binary, "fit", path, "-o", m, "-q", "--drop", label)
            yield measure("time-dev", name, "rank", ask(binary, "rank", m, test), table[label])


def mixed(binary, folder, every, scratch):
    a, b, m = (os.path.join(scratch, name) for name in ("a.csv", "b.csv", "m.anr"))
    for path in sorted(glob.glob(folder + "/*.csv"))[::every]:
        name, table = os.path.basename(path), pd.read_csv(path, low_memory=False)
        yield measure("mixed-dev", name, "detect", ask(binary, "detect", path, "--drop", "label"), table["label"])
        history = table[table["label"] == 0].sample(frac=0.5, random_state=1)
        new = table.drop(history.index).sample(frac=1, random_state=2)
        history.to_csv(a, index=False)
        new.to_csv(b, index=False)
        call(binary, "fit", a, "-o", m, "-q", "--drop", "label")
        yield measure("mixed-dev", name, "rank", ask(binary, "rank", m, b), new["label"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--json")
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        for family, run in (("odd-dev", odd), ("time-dev", time), ("mixed-dev", mixed)):
            folder = os.path.join(options.folder, family)
            if not os.path.isdir(folder):
                print(f"{family} is not there: skipped")
                continue
            found += run(options.binary, folder, options.every, scratch)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(found, file, indent=1)
    print("| family | way | headline | tables | selected | mean false | true | p <= .05 | p <= .01 | apart | true share | of the first |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    text = lambda value: "" if value is None else f"{value:.3f}"
    for key in sorted({(one["family"], one["way"], one["kind"]) for one in found}):
        some = [one for one in found if (one["family"], one["way"], one["kind"]) == key]
        total = lambda name: sum(one[name] for one in some)
        means = {name: text(mean([one[name] for one in some])) for name in ("false", "p05", "p01", "apart_true", "first_true")}
        print(f"| {' | '.join(key)} | {len(some)} | {total('selected')} | {means['false']} | {total('true')} | {means['p05']} | "
              f"{means['p01']} | {total('apart')} | {means['apart_true']} | {means['first_true']} |")
    promised = mean([one["false"] or 0.0 for one in found if one["rate"]])
    clean = [one["kind"] == "rate" for one in found if one["family"] == "odd-dev"]
    bad = (promised or 0) > 0.12 or (clean and np.mean(clean) < 0.95)
    print(f"mean false share where a rate is promised: {text(promised)}; odd-dev with a rate: {text(mean(clean))}")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
