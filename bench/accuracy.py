#!/usr/bin/python3
"""Rank quality of an anorank binary on a folder of labelled tables, next to scikit-learn's detectors on the same rows.

Every .npz in FOLDER holds X (rows) and y (1 = anomaly); the labels are used to measure and, with --known, to pick the
rows that are given as confirmed anomalies. Two ways to train:
  clean         on half of the normal rows; measured on the other half and the anomalies
  contaminated  on all rows; measured on the same rows
At most 10,000 rows on either side. The draws are those of numpy's default_rng(1000 + seed), so the numbers can be laid
next to any other script that draws the same way.

What is compared:
  (default)        anorank and the peers: AUC-ROC, average precision, mean ranks, paired tests over tables, seconds
  --known K        anorank with K anomalies of the table given by --known, against without; they leave the test set
  --unknown-kind   the anomalies are clustered; K known ones come from one kind, only the other kinds are measured

Needs Debian's python3-numpy, python3-scipy and python3-sklearn.
"""
import argparse
import csv
import glob
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

MOST_ROWS = 10000
FEWEST_LEFT = 3  # anomalies that must stay in a test set for its figures to mean anything


# ---- tables and splits -----------------------------------------------------------------------------------


def tables(folder, only):
    """Yields (name, X, y), smallest file first; a number in front of the name ('14_glass') is left out."""
    for path in sorted(glob.glob(os.path.join(folder, "*.npz")), key=os.path.getsize):
        name = os.path.basename(path)[: -len(".npz")].split("_", 1)[-1]
        if only and name not in only:
            continue
        with np.load(path, allow_pickle=True) as data:
            yield name, np.nan_to_num(data["X"].astype(float)), data["y"].astype(int)


def draw(y, setting, seed):
    """Row numbers of the train and the test side."""
    rng = np.random.default_rng(1000 + seed)
    good = rng.permutation(np.flatnonzero(y == 0))
    bad = rng.permutation(np.flatnonzero(y == 1))
    if setting == "clean":
        middle = len(good) // 2
        test_good = good[middle:]
        fraction = min(1.0, MOST_ROWS / (len(test_good) + len(bad)))
        test = np.concatenate([part(test_good, fraction, 0), part(bad, fraction, 2)])
        return good[:middle][:MOST_ROWS], test
    everything = rng.permutation(len(y))
    if len(everything) > MOST_ROWS:
        fraction = MOST_ROWS / len(everything)
        everything = np.concatenate([part(good, fraction, 0), part(bad, fraction, 2)])
    return everything, everything


def part(rows, fraction, at_least):
    return rows[: max(at_least, int(len(rows) * fraction))]


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


def anorank(binary, train, test, setting, seed, options, known=None):
    """Scores in row order (lower = more abnormal), seconds to fit, seconds to score."""
    with tempfile.TemporaryDirectory() as folder:
        files = {k: os.path.join(folder, k) for k in ("train.npy", "test.npy", "known.npy", "model.anr")}
        np.save(files["train.npy"], train)
        np.save(files["test.npy"], test)
        command = [binary, "fit", files["train.npy"], "-o", files["model.anr"], "--seed", str(seed), "--train", setting]
        if known is not None:
            np.save(files["known.npy"], known)
            command += ["--known", files["known.npy"]]
        begin = time.perf_counter()
        call(command + options)
        fitted = time.perf_counter()
        text = call([binary, "score", files["model.anr"], files["test.npy"]])
        end = time.perf_counter()
    scores = np.array([float(row["score"]) for row in csv.DictReader(io.StringIO(text))])
    if len(scores) != len(test):
        raise Failed(f"score gave {len(scores)} rows for {len(test)}")
    return scores, fitted - begin, end - fitted


def peer_scores(name, train, test, same, seed):
    """One of scikit-learn's detectors, lower = more abnormal. With same, a row is not its own neighbour."""
    from sklearn.ensemble import IsolationForest
    from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors

    if name == "iforest":
        return IsolationForest(random_state=seed).fit(train).score_samples(test)
    if name == "lof20":
        return LocalOutlierFactor(n_neighbors=min(20, len(train) - 1), novelty=True).fit(train).score_samples(test)
    k = {"nn1": 1, "knn5": 5}[name]
    k = min(k, len(train) - 1)
    search = NearestNeighbors(n_neighbors=k).fit(train)
    distances = search.kneighbors(None if same else test)[0]
    return -distances[:, -1]


PEERS = ("iforest", "lof20", "knn5", "nn1")


def standardised(train, test):
    scale = train.std(0)
    scale = np.where(scale > 0, scale, 1.0)
    return (train - train.mean(0)) / scale, (test - train.mean(0)) / scale


def quality(labels, scores):
    return 100 * roc_auc_score(labels, -scores), 100 * average_precision_score(labels, -scores)


# ---- the three comparisons -------------------------------------------------------------------------------


def compare(o, setting, X, y, reused):
    """{method: [[auc, ap, fit seconds, score seconds] per seed]} of one table."""
    found = {}
    for seed in range(o.seeds):
        train, test = draw(y, setting, seed)
        scores, fit, score = anorank(o.binary, X[train], X[test], setting, seed, o.extra)
        found.setdefault("anorank", []).append([*quality(y[test], scores), fit, score])
        for peer in o.peers:
            if peer in reused:
                continue
            a, b = standardised(X[train], X[test])
            begin = time.perf_counter()
            scores = peer_scores(peer, a, b, setting == "contaminated", seed)
            found.setdefault(peer, []).append([*quality(y[test], scores), time.perf_counter() - begin, 0.0])
    found.update({peer: reused[peer] for peer in o.peers if peer in reused})
    return found


def with_known(o, setting, X, y, train, known, measured, seed):
    """[auc, ap] with the known rows given and without, on the measured rows. Known rows are on neither side."""
    rest = np.setdiff1d(train, known, assume_unique=True) if setting == "contaminated" else train
    without = anorank(o.binary, X[rest], X[measured], setting, seed, o.extra)[0]
    given = anorank(o.binary, X[rest], X[measured], setting, seed, o.extra, X[known])[0]
    return [quality(y[measured], given), quality(y[measured], without)]


def compare_known(o, setting, X, y, _):
    found = []
    for seed in range(o.seeds):
        train, test = draw(y, setting, seed)
        bad = test[y[test] == 1]
        if len(bad) < o.known + FEWEST_LEFT:
            continue
        known = np.random.default_rng(2000 + seed).choice(bad, o.known, replace=False)
        measured = test[~np.isin(test, known)]
        found.append(with_known(o, setting, X, y, train, known, measured, seed))
    return known_rows(found)


def compare_unknown_kind(o, setting, X, y, _):
    found = []
    for seed in range(o.seeds):
        train, test = draw(y, setting, seed)
        bad = test[y[test] == 1]
        if len(bad) < o.known + 2 * FEWEST_LEFT:
            continue
        for number, kind in enumerate(kinds_of(X, bad, seed)):
            if len(kind) < o.known or len(bad) - len(kind) < FEWEST_LEFT:
                continue
            known = np.random.default_rng(3000 + 10 * seed + number).choice(kind, o.known, replace=False)
            measured = test[~np.isin(test, kind)]
            found.append(with_known(o, setting, X, y, train, known, measured, seed))
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


def run(o, setting):
    step = compare_unknown_kind if o.unknown_kind else compare_known if o.known else compare
    result, skipped, shapes = {}, [], {}
    for name, X, y in tables(o.folder, o.only):
        try:
            found = step(o, setting, X, y, o.reused.get(setting, {}).get(name, {}))
        except Failed as e:
            sys.exit(f"accuracy: {name}, {setting}: {e}")
        if found is None:
            skipped.append(name)
            continue
        result[name], shapes[name] = found, [len(y), X.shape[1], int(y.sum())]
        print(report.line(name, shapes[name], found), file=sys.stderr, flush=True)
    if not result:
        sys.exit("accuracy: no table to measure; FOLDER must hold .npz files with X and y")
    return {"setting": setting, "mode": mode(o), "known": o.known, "seeds": o.seeds, "options": o.extra, "shapes": shapes,
            "skipped": skipped, "tables": result, "summary": summary(result)}


def mode(o):
    return "unknown-kind" if o.unknown_kind else "known" if o.known else "peers"


def options(argv):
    argv, extra = (argv[: argv.index("--")], argv[argv.index("--") + 1 :]) if "--" in argv else (argv, [])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                epilog="What stands after -- goes to 'anorank fit' as it is.")
    p.add_argument("binary")
    p.add_argument("folder")
    p.add_argument("--setting", default="both", choices=["both", "clean", "contaminated"])
    p.add_argument("--seeds", type=int, default=3)
    p.add_argument("--only", type=lambda s: s.split(","), help="names of tables, with commas")
    p.add_argument("--peers", type=lambda s: [x for x in s.split(",") if x], default=list(PEERS),
                   help="of " + ", ".join(PEERS) + "; '' for none")
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
                if part_["mode"] == "peers" and part_["seeds"] == o.seeds:
                    o.reused[part_["setting"]] = part_["tables"]
    return o


def main():
    o = options(sys.argv[1:])
    settings = ["clean", "contaminated"] if o.setting == "both" else [o.setting]
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
