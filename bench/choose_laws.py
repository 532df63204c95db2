#!/usr/bin/env python3
"""Does the criterion without labels find the better method? By each contrast law, and by both.

    choose_laws.py BINARY FOLDER [--every K] [--from I] [--without CLASS,...] [--rows N] [--json OUT] [--markdown FILE]

FOLDER holds .npz files with `train` (normal rows), `test` and `test_labels` (1 = anomaly). On each table every class is
fitted on two thirds of `train` and judged on the last third against contrast rows around it, as `evaluate` does: by
`simulate`, `score` and `judge`, `permute` with a share of 0.3 for combinations and `displace` for extremes, and besides by the
law that `evaluate` takes first (box up to 8 columns, else jitter). Labels only measure: ROC-AUC and average precision of
`test` by the same fit. "Both" adds the areas as normal quantiles.

  right    of all pairs of classes that labels tell apart, the share in which the better by the law is the better by labels
  agree    the share of pairs in which the two laws say the same, and how many of these are right
  regret   what choosing the class by the law loses against the best class of the table, mean over tables; next to a class
           at random, always `blend` (what `auto` is) and always the best single class (by labels)
  share    the same, where 0 is the best class of the table and 1 the worst

Intervals are of 1,000 bootstrap samples of tables. A finished table is not computed again when OUT exists; --markdown replaces
the part of FILE between the markers `choose-laws`. --without leaves classes out of the choice.
"""
import argparse
import csv
import glob
import io
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from scipy.stats import norm
from sklearn.metrics import average_precision_score, roc_auc_score

LAWS = {"permute": ("permute", "--permute-share", "0.3"), "displace": ("displace",), "first": None}
BOTH = ("permute", "displace")
CLASSES = "linear mlp neighbours trees treerank rankboost isolation mahalanobis histogram knn hull blend".split()
FLOOR = 1e-4  # areas as normal quantiles are cut here


def call(binary, *arguments):
    done = subprocess.run([binary, *arguments, "-q"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def save(path, rows):
    np.save(path, rows)
    return path


def contrast_rows(binary, law, around, columns, rows, path):
    """Drawn by the product; columns of whole numbers stay whole, as in `evaluate`."""
    if LAWS[law] is None:
        drawn = ("box",) if columns <= 8 else ("jitter",)
    else:
        drawn = LAWS[law]
    call(binary, "simulate", *drawn, "--data", around, "--rows", str(rows), "--seed", "9", "-o", path)
    made, real = np.load(path), np.load(around)
    whole = (real == np.floor(real)).all(axis=0)
    made[:, whole] = np.rint(made[:, whole])
    return made


def scores_of(binary, name, train, rows, folder):
    model = os.path.join(folder, "model.anr")
    fitted = call(binary, "fit", train, "-o", model, "--train", "clean", "--scorer", name)
    text = call(binary, "score", model, rows) if fitted is not None else None
    if text is None:  # a class that cannot be fitted is a constant score
        return np.zeros(len(np.load(rows)))
    return np.array([float(row["score"]) for row in csv.DictReader(io.StringIO(text))])


def judged(binary, x, contrasts, folder):
    """Area and W_phi by each law."""
    paths = {law: save(os.path.join(folder, law + ".npy"), u[:, None]) for law, u in contrasts.items()}
    x = save(os.path.join(folder, "x.npy"), x[:, None])
    said = json.loads(call(binary, "judge", x, "--contrast", paths["permute"], "--contrast-extremes", paths["displace"],
                           "--bootstrap", "0", "--json"))  # fmt: skip
    first = json.loads(call(binary, "judge", x, "--contrast", paths["first"], "--bootstrap", "0", "--json"))
    found = {"permute": said["laws"]["combinations"], "displace": said["laws"]["extremes"], "first": first}
    return {law: {"area": one["area"], "w": {phi: w["mean"] for phi, w in one["w"].items()}} for law, one in found.items()}


def measure(binary, path, most):
    data = np.load(path)
    train, test, y = data["train"].astype(float), data["test"].astype(float), data["test_labels"].astype(int)
    train = train[np.random.default_rng(1).permutation(len(train))]
    held = min(most // 2, len(train) // 3)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)  # noqa: E731
        around, fitted = save(at("judged.npy"), train[:held]), save(at("train.npy"), train[held : held + most])
        drawn = {law: contrast_rows(binary, law, around, train.shape[1], most, at("u.npy")) for law in LAWS}
        rows = save(at("rows.npy"), np.vstack([train[:held], *drawn.values(), test]))
        for name in CLASSES:
            scores = scores_of(binary, name, fitted, rows, folder)
            x, u, of_test = scores[:held], scores[held : held + len(LAWS) * most], scores[held + len(LAWS) * most :]
            contrasts = {law: u[k * most : (k + 1) * most] for k, law in enumerate(LAWS)}
            found[name] = {
                "auc": roc_auc_score(y, -of_test),
                "ap": average_precision_score(y, -of_test),
                "laws": judged(binary, x, contrasts, folder),
            }
    return found


# ---- what it comes to ------------------------------------------------------------------------------------


def criteria(found):
    """Name of a way to choose -> tables x classes, small is good."""
    area = {law: np.array([[one[c]["laws"][law]["area"] for c in CLASSES] for one in found]) for law in LAWS}
    quantile = {law: norm.ppf(np.clip(a, FLOOR, 1 - FLOOR)) for law, a in area.items()}
    w = {law: -np.array([[one[c]["laws"][law]["w"]["log"] for c in CLASSES] for one in found]) for law in BOTH}
    return {
        "combinations (`permute` 0.3)": area["permute"],
        "extremes (`displace`)": area["displace"],
        "both": quantile["permute"] + quantile["displace"],
        "box or jitter (`evaluate` before)": area["first"],
        "combinations, W_log": w["permute"],
        "extremes, W_log": w["displace"],
    }


def chosen(value, quality):
    """Quality of the class with the smallest value; ties share."""
    best = value <= value.min(axis=1, keepdims=True) + 1e-12
    return (quality * best).sum(axis=1) / best.sum(axis=1)


def signs(values):
    return np.array([np.sign(values[:, j] - values[:, i]) for i, j in itertools.combinations(range(len(CLASSES)), 2)])


def interval(by_table, weights=None):
    """Mean over tables, or a ratio of sums, with a bootstrap interval."""
    rng = np.random.default_rng(3)
    weights = np.ones(len(by_table)) if weights is None else weights
    drawn = rng.integers(len(by_table), size=(1000, len(by_table)))
    draws = (by_table * weights)[drawn].sum(axis=1) / weights[drawn].sum(axis=1)
    return (by_table * weights).sum() / weights.sum(), *np.quantile(draws, [0.025, 0.975])


def show(value):
    return "%.3f (%.3f to %.3f)" % value


def lines_of(found, measure_name, title):
    quality = np.array([[one[c][measure_name] for c in CLASSES] for one in found])
    best, worst = quality.max(axis=1), quality.min(axis=1)
    spread = np.maximum(best - worst, 1e-12)
    truth = -signs(quality)  # 1: the first of the pair is better
    told = truth != 0
    ways = criteria(found)
    yield f"| {title} | right, of pairs | regret | share |"
    yield "| --- | --- | --- | --- |"
    for name, value in ways.items():
        said = signs(value)
        right = ((said == truth) + 0.5 * (said == 0)) * told
        got = chosen(value, quality)
        pairs = interval(right.sum(axis=0) / np.maximum(told.sum(axis=0), 1), told.sum(axis=0).astype(float))
        yield f"| by {name} | {show(pairs)} | {show(interval(best - got))} | {show(interval((best - got) / spread))} |"
    single = quality.mean(axis=0).argmax()
    fixed = {
        "a class at random": quality.mean(axis=1),
        **({"always `auto`": quality[:, CLASSES.index("blend")]} if "blend" in CLASSES else {}),
        f"always the best class by labels: `{CLASSES[single]}`": quality[:, single],
    }
    for name, got in fixed.items():
        yield f"| {name} | | {show(interval(best - got))} | {show(interval((best - got) / spread))} |"
    yield "| the best class of each table | | 0 | 0 |"


def agreement_of(found, measure_name):
    quality = np.array([[one[c][measure_name] for c in CLASSES] for one in found])
    area = {law: signs(np.array([[one[c]["laws"][law]["area"] for c in CLASSES] for one in found])) for law in BOTH}
    truth = -signs(quality)
    told = truth != 0
    same = told & (area["permute"] == area["displace"]) & (area["permute"] != 0)
    apart = told & (area["permute"] == -area["displace"]) & (area["permute"] != 0)
    return (
        same.sum() / told.sum(), (area["permute"] == truth)[same].mean(),
        apart.sum() / told.sum(), (area["permute"] == truth)[apart].mean() if apart.any() else np.nan,
    )  # fmt: skip


def report(found, most):
    yield f"{len(found)} tables, {len(CLASSES)} classes; fits on at most {most} rows, {most // 2} judged, {most} contrast rows of a law."
    yield ""
    for name, title in (("auc", "ROC-AUC"), ("ap", "average precision")):
        yield from lines_of(found, name, title)
        same, right, apart, permute = agreement_of(found, name)
        yield ""
        yield (f"The two laws say the same of {100 * same:.0f} % of the pairs, and {100 * right:.0f} % of these are right; they say the "
               f"opposite of {100 * apart:.0f} %, where `permute` is right in {100 * permute:.0f} %.")  # fmt: skip
        yield ""


def write(path, text):
    begin, end = "<!-- choose-laws:begin -->", "<!-- choose-laws:end -->"
    with open(path, encoding="utf-8") as file:
        page = file.read()
    if begin not in page:
        sys.exit(f"{path}: there is no line {begin}")
    page = re.sub(f"{begin}.*?{end}", lambda _: f"{begin}\n{text}{end}", page, flags=re.DOTALL)
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary"), parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1), parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--without", default="", metavar="CLASS,...")
    parser.add_argument("--rows", type=int, default=1000), parser.add_argument("--json"), parser.add_argument("--markdown")
    asked = parser.parse_args()
    done = json.load(open(asked.json)) if asked.json and os.path.exists(asked.json) else {}
    paths = sorted(glob.glob(os.path.join(asked.folder, "*.npz")))[asked.start :: asked.every]
    for path in paths:
        name = os.path.basename(path)[:-4]
        if name in done:
            continue
        done[name] = measure(asked.binary, path, asked.rows)
        print(name, file=sys.stderr)
        if asked.json:
            with open(asked.json, "w") as file:
                json.dump(done, file)
    CLASSES[:] = [name for name in CLASSES if name not in asked.without.split(",")]
    text = "\n".join(report([done[os.path.basename(path)[:-4]] for path in paths], asked.rows))
    print(text)
    if asked.markdown:
        write(asked.markdown, text)


main()
