"""The labelled tables that bench/accuracy measures on, and the peers that run beside anorank.

FOLDER holds .npz files with X (rows) and y (1 = anomaly), .npz files with train (normal rows), test and test_labels, or
.csv files whose last column `label` marks anomalies among rows with categories and gaps. Draws are those of numpy's
default_rng(1000 + seed), so the numbers can be laid next to any other script that draws the same way."""
import glob
import os

import numpy as np

MOST_ROWS = 10000
GAPS = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?"]
PEERS = ("iforest", "knn5", "nn1", "lof20", "freq")


class Numbers:
    """A table of numbers, as numpy has it."""

    suffix = ".npy"
    given = 0

    def __init__(self, path):
        with np.load(path, allow_pickle=True) as data:
            if "train" in data:
                self.X = np.vstack([data["train"], data["test"]]).astype(float)
                self.y = np.concatenate([np.zeros(len(data["train"]), int), data["test_labels"].astype(int)])
                self.given = len(data["train"])  # rows of the training side, which clean training keeps to
            else:
                self.X, self.y = np.nan_to_num(data["X"].astype(float)), data["y"].astype(int)
        self.columns = self.X.shape[1]

    def save(self, rows, path):
        np.save(path, self.X[rows])

    def features(self, train, test):
        return self.X[train], self.X[test]

    def values(self):
        return [(True, self.X[:, j]) for j in range(self.columns)]


class Cells:
    """A table as people have it: text, of which some columns are numbers."""

    suffix = ".csv"
    given = 0

    def __init__(self, path):
        import pandas

        table = pandas.read_csv(path, dtype=str, keep_default_na=False)
        self.cells, self.y = table.iloc[:, :-1], table.iloc[:, -1].astype(int).to_numpy()
        self.columns = self.cells.shape[1]
        self.kinds = []
        for name in self.cells.columns:
            given = self.cells[name].where(~self.cells[name].isin(GAPS))
            numbers = pandas.to_numeric(given, errors="coerce")
            numeric = given.notna().any() and numbers.notna().sum() == given.notna().sum()
            self.kinds.append((True, numbers.to_numpy(float)) if numeric else (False, given.fillna("").to_numpy(str)))

    def save(self, rows, path):
        self.cells.iloc[rows].to_csv(path, index=False)

    def values(self):
        return self.kinds

    def features(self, train, test):
        """One feature per level, means for missing numbers and a mark of them: what the peers see."""
        a, b = [], []
        for numeric, v in self.kinds:
            if numeric:
                there = ~np.isnan(v[train])
                fill = v[train][there].mean() if there.any() else 0.0
                a.append(np.where(there, v[train], fill)), b.append(np.where(np.isnan(v[test]), fill, v[test]))
                if not there.all():
                    a.append(1.0 - there), b.append(np.isnan(v[test]).astype(float))
            else:
                for level in sorted(set(v[train])):
                    a.append((v[train] == level).astype(float)), b.append((v[test] == level).astype(float))
        return np.array(a).T, np.array(b).T


def tables(folder, only):
    """Yields (name, table), smallest file first; a number in front of the name ('14_glass') is left out."""
    paths = glob.glob(os.path.join(folder, "*.npz")) + glob.glob(os.path.join(folder, "*.csv"))
    for path in sorted(paths, key=os.path.getsize):
        name, suffix = os.path.splitext(os.path.basename(path))
        if suffix == ".csv" and name.startswith("published"):
            continue
        head, _, rest = name.partition("_")
        name = rest if head.isdigit() else name
        if not only or name in only:
            yield name, Numbers(path) if suffix == ".npz" else Cells(path)


# ---- draws -----------------------------------------------------------------------------------------------


def part(rows, fraction, at_least):
    return rows[: max(at_least, int(len(rows) * fraction))]


def draw_given(table, setting):
    """The same where the table has sides: these, or in one file all normal rows and anomalies up to a tenth of the rows."""
    train, rng = np.arange(table.given), np.random.default_rng(7)
    if setting == "clean":
        return train, np.arange(table.given, len(table.y))
    normal, bad = np.flatnonzero(table.y == 0), np.flatnonzero(table.y == 1)
    bad = bad[rng.permutation(len(bad))[: max(2, len(normal) // 9)]]
    rows = rng.permutation(np.concatenate([normal, bad]))
    return rows, rows


def draw(table, setting, seed, most=MOST_ROWS):
    """Row numbers of the train and the test side."""
    if table.given:
        return draw_given(table, setting)
    y, rng = table.y, np.random.default_rng(1000 + seed)
    good = rng.permutation(np.flatnonzero(y == 0))
    bad = rng.permutation(np.flatnonzero(y == 1))
    if setting == "clean":
        middle = len(good) // 2
        test_good = good[middle:]
        fraction = min(1.0, most / (len(test_good) + len(bad)))
        test = np.concatenate([part(test_good, fraction, 0), part(bad, fraction, 2)])
        return good[:middle][:most], test
    everything = rng.permutation(len(y))
    if len(everything) > most:
        fraction = most / len(everything)
        everything = np.concatenate([part(good, fraction, 0), part(bad, fraction, 2)])
    return everything, everything


def draw_share(y, share, seed, fewest=10, most=2000):
    """Rows of which `share` are anomalies: at most 2,000, or as many as `fewest` anomalies need. None: too few."""
    rng = np.random.default_rng(7000 + seed)
    good = rng.permutation(np.flatnonzero(y == 0))
    bad = rng.permutation(np.flatnonzero(y == 1))
    count = min(max(most, round(fewest / share)), int(len(good) / (1 - share)), int(len(bad) / share))
    wanted = round(count * share)
    if wanted < fewest:
        return None
    return rng.permutation(np.concatenate([good[: count - wanted], bad[:wanted]]))


# ---- peers -----------------------------------------------------------------------------------------------


def standardised(train, test):
    scale = train.std(0)
    scale = np.where(scale > 0, scale, 1.0)
    return (train - train.mean(0)) / scale, (test - train.mean(0)) / scale


def peer_scores(name, table, train, test, seed):
    """One of the peers, lower = more abnormal. Where both sides are the same rows, a row is not its own neighbour."""
    from sklearn.ensemble import IsolationForest
    from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors

    if name == "freq":
        return frequency(table.values(), train, test)
    a, b = standardised(*table.features(train, test))
    if name == "iforest":
        return IsolationForest(random_state=seed).fit(a).score_samples(b)
    if name == "lof20":
        return LocalOutlierFactor(n_neighbors=min(20, len(a) - 1), novelty=True).fit(a).score_samples(b)
    k = min({"nn1": 1, "knn5": 5}[name], len(a) - 1)
    search = NearestNeighbors(n_neighbors=k).fit(a)
    return -search.kneighbors(None if np.array_equal(train, test) else b)[0][:, -1]


def frequency(columns, train, test, bins=20):
    """Mean over the columns of the log frequency of the level, the value where there are at most 20, or the bin."""
    total = np.zeros(len(test))
    for numeric, v in columns:
        a, b = v[train], v[test]
        if numeric:
            seen = np.unique(a[~np.isnan(a)])
            if len(seen) > 20:
                low, width = seen[0], seen[-1] - seen[0]
                a, b = (np.where(np.isnan(z), -9, np.clip(np.floor((z - low) / width * bins), -1, bins) - (z == seen[-1]))
                        for z in (a, b))
            else:
                a, b = np.where(np.isnan(a), 1e300, a), np.where(np.isnan(b), 1e300, b)
        levels, count = np.unique(a, return_counts=True)
        at = np.clip(np.searchsorted(levels, b), 0, len(levels) - 1)
        total += np.log((np.where(levels[at] == b, count[at], 0) + 0.5) / (len(train) + 1))
    return total / max(1, len(columns))
