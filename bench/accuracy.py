#!/usr/bin/python3
"""Rank quality of an anorank binary on folders of labelled tables, next to other detectors on the same rows.

What a FOLDER holds, how rows are drawn and what the peers are: accuracy_tables.py. Labels are used to measure and, with
--known, to pick the rows that are given as confirmed anomalies. Two ways to train:
  clean         on half of the normal rows; measured on the other half and the anomalies
  contaminated  on all rows; measured on the same rows
At most 10,000 rows on either side (--rows).

What is compared:
  (default)        anorank and the peers: AUC-ROC, average precision, mean ranks, paired tests over tables, seconds
  --known K        anorank with K anomalies of the table given by --known, against without; they leave the test set
  --unknown-kind   the anomalies are clustered; K known ones come from one kind, only the other kinds are measured
  --shares         contaminated, 0.2 to 30 % anomalies: the curve, and the share of problems (table, share) that lose
                   more than 5 points of AUC to the better of isolation forest and kNN
  --stability N    contaminated, the same rows with --seed 0 to N-1: range and standard deviation of the AUC;
                   --before BINARY does the same with another binary

Needs Debian's python3-numpy, python3-scipy, python3-sklearn, and python3-pandas for .csv.
"""
import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "2")
import numpy as np
from scipy.stats import rankdata, wilcoxon
from sklearn.metrics import average_precision_score, roc_auc_score

import accuracy_report as report
from accuracy_tables import MOST_ROWS, PEERS, Numbers, draw, draw_share, peer_scores, tables

FEWEST_LEFT = 3  # anomalies that must stay in a test set for its figures to mean anything
SHARES = (0.002, 0.01, 0.05, 0.15, 0.30)
REGRET = 5.0  # points of AUC


def kinds_of(X, bad, seed):
    """Clusters of the anomalies: three kinds, two when there are fewer than 30. Columns are standardised and clipped,
    so that one wild column does not decide alone."""
    from sklearn.cluster import KMeans

    scale = X.std(0)
    Z = np.clip((X[bad] - X.mean(0)) / np.where(scale > 0, scale, 1.0), -20, 20)
    count = 3 if len(bad) >= 30 else 2
    labels = KMeans(count, n_init=4, random_state=seed).fit_predict(Z)
    return [bad[labels == k] for k in range(count)]


# ---- who is compared -------------------------------------------------------------------------------------


class Failed(Exception):
    pass


def call(command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if run.returncode != 0:
        raise Failed(f"{' '.join(command[1:2])} ended with {run.returncode}: {run.stderr.decode()[-300:].strip()}")
    return run.stdout.decode()


def anorank(binary, table, train, test, setting, seed, options, known=None):
    """Scores of the rows `test` in their order (lower = more abnormal), seconds to fit, seconds to score."""
    with tempfile.TemporaryDirectory() as folder:
        files = {k: os.path.join(folder, k + table.suffix) for k in ("train", "test", "known")}
        model = os.path.join(folder, "model.anr")
        table.save(train, files["train"])
        table.save(test, files["test"])
        command = [binary, "fit", files["train"], "-o", model, "--seed", str(seed), "--train", setting]
        if known is not None:
            table.save(known, files["known"])
            command += ["--known", files["known"]]
        begin = time.perf_counter()
        call(command + options)
        fitted = time.perf_counter()
        text = call([binary, "score", model, files["test"]])
        end = time.perf_counter()
    scores = np.array([float(row["score"]) for row in csv.DictReader(io.StringIO(text))])
    if len(scores) != len(test):
        raise Failed(f"score gave {len(scores)} rows for {len(test)}")
    return scores, fitted - begin, end - fitted


def quality(labels, scores):
    return 100 * roc_auc_score(labels, -scores), 100 * average_precision_score(labels, -scores)


# ---- the comparisons -------------------------------------------------------------------------------------


def compare(o, setting, table, reused):
    """{method: [[auc, ap, fit seconds, score seconds] per seed]} of one table."""
    found, y = {}, table.y
    for seed in range(o.seeds):
        train, test = draw(table, setting, seed, o.rows)
        scores, fit, score = anorank(o.binary, table, train, test, setting, seed, o.extra)
        found.setdefault("anorank", []).append([*quality(y[test], scores), fit, score])
        for peer in o.peers:
            if peer in reused:
                continue
            begin = time.perf_counter()
            scores = peer_scores(peer, table, train, test, seed)
            found.setdefault(peer, []).append([*quality(y[test], scores), time.perf_counter() - begin, 0.0])
    found.update({peer: reused[peer] for peer in o.peers if peer in reused})
    return found


def compare_shares(o, setting, table, _):
    """{share: {method: [auc, ap]}} of one table; a share with too few rows is left out."""
    found = {}
    for share in SHARES:
        rows = draw_share(table.y, share, 0)
        if rows is None:
            continue
        y = table.y[rows]
        found[share] = {"anorank": quality(y, anorank(o.binary, table, rows, rows, setting, 0, o.extra)[0])}
        for peer in o.peers:
            found[share][peer] = quality(y, peer_scores(peer, table, rows, rows, 0))
    return found or None


def compare_seeds(o, setting, table, _):
    """{method: [auc per seed]} on the same rows."""
    rows = draw(table, setting, 0, o.rows)[0]
    binaries = {"anorank": o.binary, **({"before": o.before} if o.before else {})}
    return {name: [quality(table.y[rows], anorank(b, table, rows, rows, setting, seed, o.extra)[0])[0]
                   for seed in range(o.stability)] for name, b in binaries.items()}


def with_known(o, setting, table, train, known, measured, seed):
    """[auc, ap] with the known rows given and without, on the measured rows. Known rows are on neither side."""
    rest = np.setdiff1d(train, known, assume_unique=True) if setting == "contaminated" else train
    without = anorank(o.binary, table, rest, measured, setting, seed, o.extra)[0]
    given = anorank(o.binary, table, rest, measured, setting, seed, o.extra, known)[0]
    return [quality(table.y[measured], given), quality(table.y[measured], without)]


def compare_known(o, setting, table, _):
    found = []
    for seed in range(o.seeds):
        train, test = draw(table, setting, seed, o.rows)
        bad = test[table.y[test] == 1]
        if len(bad) < o.known + FEWEST_LEFT:
            continue
        known = np.random.default_rng(2000 + seed).choice(bad, o.known, replace=False)
        measured = test[~np.isin(test, known)]
        found.append(with_known(o, setting, table, train, known, measured, seed))
    return known_rows(found)


def compare_unknown_kind(o, setting, table, _):
    found = []
    for seed in range(o.seeds):
        train, test = draw(table, setting, seed, o.rows)
        bad = test[table.y[test] == 1]
        if len(bad) < o.known + 2 * FEWEST_LEFT or not isinstance(table, Numbers):
            continue
        for number, kind in enumerate(kinds_of(table.X, bad, seed)):
            if len(kind) < o.known or len(bad) - len(kind) < FEWEST_LEFT:
                continue
            known = np.random.default_rng(3000 + 10 * seed + number).choice(kind, o.known, replace=False)
            measured = test[~np.isin(test, kind)]
            found.append(with_known(o, setting, table, train, known, measured, seed))
    return known_rows(found)


def known_rows(found):
    return {"with known": [f[0] for f in found], "without": [f[1] for f in found]} if found else None


# ---- over tables -----------------------------------------------------------------------------------------


def paired_p(ours, theirs):
    """Wilcoxon's signed rank test over tables, two-sided."""
    difference = np.round(np.asarray(ours) - np.asarray(theirs), 6)
    return float(wilcoxon(difference).pvalue) if np.any(difference != 0) else 1.0


def summary(result):
    """Means, mean ranks, wins and paired p-values of one comparison {table: {method: figures per run}}."""
    methods = list(next(iter(result.values())))
    mean = {m: np.array([np.mean(np.asarray(r[m])[:, :2], 0) for r in result.values()]) for m in methods}
    out = {}
    ranks = [np.mean([rankdata([-mean[m][t, j] for m in methods]) for t in range(len(result))], 0) for j in (0, 1)]
    for i, m in enumerate(methods):
        row = {"auc": mean[m][:, 0].mean(), "ap": mean[m][:, 1].mean(), "rank_auc": ranks[0][i], "rank_ap": ranks[1][i]}
        if np.asarray(next(iter(result.values()))[m]).shape[1] > 2:
            row["seconds"] = float(sum(np.mean(np.asarray(r[m])[:, 2:4].sum(1)) for r in result.values()))
        if i > 0:
            d = mean[methods[0]] - mean[m]
            row.update(wins=int((d[:, 0] > 0).sum()), losses=int((d[:, 0] < 0).sum()), worst=float(d[:, 0].min()),
                       median=float(np.median(d[:, 0])), p_auc=paired_p(d[:, 0], 0 * d[:, 0]), p_ap=paired_p(d[:, 1], 0 * d[:, 1]))
        out[m] = {k: round(float(v), 5) for k, v in row.items()}
    return out


def share_summary(result):
    """Means of each method at each share, and how often anorank loses more than REGRET points to the better of two."""
    out = {}
    for share in SHARES:
        there = [t[share] for t in result.values() if share in t]
        if not there:
            continue
        row = {m: [float(np.mean([t[m][j] for t in there])) for j in (0, 1)] for m in there[0]}
        lost = [max(t["iforest"][0], t["knn5"][0]) - t["anorank"][0] > REGRET for t in there if {"iforest", "knn5"} <= set(t)]
        out[share] = {"tables": len(there), "methods": row, "lost": int(sum(lost))}
    return out


def seed_summary(result, shapes):
    """Of each binary: the median over tables of the standard deviation, the largest range on 500 rows or more."""
    out = {}
    for method in next(iter(result.values())):
        large = {t: float(np.ptp(r[method])) for t, r in result.items() if shapes[t][0] >= 500}
        out[method] = {"median_sd": float(np.median([np.std(r[method], ddof=1) for r in result.values()])),
                       "range": max(large.values(), default=0.0), "worst": max(large, key=large.get) if large else "",
                       "above": sum(v > 3 for v in large.values()), "large": len(large)}
    return out


STEPS = {"peers": compare, "known": compare_known, "unknown-kind": compare_unknown_kind, "shares": compare_shares,
         "stability": compare_seeds}


def run(o, setting):
    result, skipped, shapes = {}, [], {}
    for folder in o.folders:
        for name, table in tables(folder, o.only):
            name = name if len(o.folders) == 1 else f"{os.path.basename(os.path.normpath(folder))}/{name}"
            try:
                found = STEPS[mode(o)](o, setting, table, o.reused.get(setting, {}).get(name, {}))
            except Failed as e:
                sys.exit(f"accuracy: {name}, {setting}: {e}")
            if found is None:
                skipped.append(name)
                continue
            result[name], shapes[name] = found, [len(table.y), table.columns, int(table.y.sum())]
            print(report.line(name, shapes[name], found, mode(o)), file=sys.stderr, flush=True)
    if not result:
        sys.exit("accuracy: no table to measure; FOLDER must hold .npz files with X and y, or .csv files with a label")
    summaries = {"shares": lambda: share_summary(result), "stability": lambda: seed_summary(result, shapes)}
    names = " ".join(os.path.basename(os.path.normpath(folder)) for folder in o.folders)
    return {"setting": setting, "mode": mode(o), "folder": names, "known": o.known,
            "seeds": o.stability or (1 if o.shares else o.seeds), "rows": o.rows, "options": o.extra, "shapes": shapes,
            "skipped": skipped, "tables": result, "summary": summaries.get(mode(o), lambda: summary(result))()}


def mode(o):
    if o.shares or o.stability:
        return "shares" if o.shares else "stability"
    return "unknown-kind" if o.unknown_kind else "known" if o.known else "peers"


def options(argv):
    argv, extra = (argv[: argv.index("--")], argv[argv.index("--") + 1 :]) if "--" in argv else (argv, [])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                epilog="What stands after -- goes to 'anorank fit' as it is.")
    p.add_argument("binary")
    p.add_argument("folders", nargs="+", metavar="FOLDER")
    p.add_argument("--setting", default="both", choices=["both", "clean", "contaminated"])
    p.add_argument("--seeds", type=int, default=3)
    p.add_argument("--only", type=lambda s: s.split(","), help="names of tables, with commas")
    p.add_argument("--peers", type=lambda s: [x for x in s.split(",") if x], default=list(PEERS),
                   help="of " + ", ".join(PEERS) + "; '' for none")
    p.add_argument("--rows", type=int, default=MOST_ROWS, help="on either side at most (default %(default)s)")
    p.add_argument("--shares", action="store_true", help="contaminated, with 0.2 to 30 %% anomalies")
    p.add_argument("--stability", type=int, default=0, metavar="N", help="contaminated, the same rows with N seeds")
    p.add_argument("--before", metavar="BINARY", help="with --stability: another binary beside")
    p.add_argument("--known", type=int, default=0, metavar="K", help="give K anomalies of each table to the fit")
    p.add_argument("--unknown-kind", action="store_true", help="K known of one kind (default 5), measured on the others")
    p.add_argument("--json", metavar="OUT", help="write everything, per seed")
    p.add_argument("--reuse", metavar="JSON", help="take the peers' figures from an earlier --json of the same tables and seeds")
    p.add_argument("--markdown", metavar="FILE", help="rewrite the part of FILE between this comparison's markers")
    o = p.parse_args(argv)
    o.extra, o.reused = extra, {}
    if o.unknown_kind and not o.known:
        o.known = 5
    if unknown := set(o.peers) - set(PEERS):
        p.error(f"no such peer: {', '.join(sorted(unknown))}; there are {', '.join(PEERS)}")
    if o.reuse:
        with open(o.reuse) as f:
            for part_ in json.load(f):
                if part_["mode"] == "peers" and part_["seeds"] == o.seeds and part_.get("rows", MOST_ROWS) == o.rows:
                    o.reused[part_["setting"]] = part_["tables"]
    return o


def main():
    o = options(sys.argv[1:])
    one_file = o.shares or o.stability
    settings = ["contaminated"] if one_file else ["clean", "contaminated"] if o.setting == "both" else [o.setting]
    results = [run(o, setting) for setting in settings]
    for result in results:
        print(report.text(result))
        if o.markdown:
            report.rewrite(o.markdown, result)
    if o.json:
        with open(o.json, "w") as f:
            json.dump(results, f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    main()
