"""Golden numbers for the criterion, from SciPy and scikit-learn: prints tests/golden/criterion.inc.

Run with /usr/bin/python3 tests/golden/make_criterion.py > tests/golden/criterion.inc
Building anorank needs no Python: the numbers are committed.

Partial areas: roc_auc_score(max_fpr=f) returns McClish's standardised value s = (1 + (p - f^2/2) / (f - f^2/2)) / 2 of
the partial area p under the ROC curve for false positive rate in [0, f]. With U as the positive class and the order
"high score = U-like" (that is -s), the false positive rate is a share of X counted from its lowest scores, so a rate t
is the mass a = 1 - t, and the true positive rate there is 1 - MV(a). Hence the area under MV over mass in [1 - f, 1]
is f - p, with p = (2 s - 1) (f - f^2/2) + f^2/2.
"""
import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score


def numbers(name, values, kind="double"):
    text = ", ".join(repr(float(v)) if kind == "double" else str(int(v)) for v in values)
    print(f"static const {kind} {name}[] = {{{text}}};")


def number(name, value):
    print(f"static const double {name} = {float(value)!r};")


def delong(x, u):
    """Area 1 - AUC and its variance, the slow obvious way; also the placements."""
    psi = (x[:, None] > u[None, :]) + 0.5 * (x[:, None] == u[None, :])
    v10, v01 = psi.mean(axis=1), psi.mean(axis=0)
    return 1 - psi.mean(), v10.var(ddof=1) / len(x) + v01.var(ddof=1) / len(u), v10, v01


def partial(x, u, f):
    labels = np.r_[np.zeros(len(x)), np.ones(len(u))]
    s = roc_auc_score(labels, -np.r_[x, u], max_fpr=f)
    return f - ((2 * s - 1) * (f - f * f / 2) + f * f / 2)


def rank_statistics(x, u, method):
    """W, its permutation mean and standard deviation for the eight phi, by their definitions.

    "average": tied rows share the mean of phi over their ranks; "max": all have phi of the largest."""
    n, m = len(x), len(u)
    total = n + m
    pooled = np.r_[x, u]
    rank = stats.rankdata(pooled, method="ordinal" if method == "average" else method) / (total + 1)
    phis = [
        lambda v: v,
        lambda v: 2 * np.sqrt(3) * (v - 0.5),
        lambda v: -np.log1p(-v),
        lambda v: np.sign(v - 0.5),
        stats.norm.ppf,
        lambda v: v * (v >= 0.7),
        np.log,
        lambda v: np.minimum(v, 0.3),
    ]
    sums, means, sds = [], [], []
    for phi in phis:
        a = phi(rank)
        if method == "average":
            a = np.array([a[pooled == score].mean() for score in pooled])
        sums.append(a[:n].sum())
        means.append(n * a.mean())
        sds.append(np.sqrt(n * m / (total * (total - 1)) * ((a - a.mean()) ** 2).sum()))
    return sums, means, sds


print("/* criterion.inc - made by make_criterion.py; do not edit.")
print(f" * numpy {np.__version__}, scipy {scipy.__version__}, scikit-learn {sklearn.__version__}. */")
rng = np.random.default_rng(2021)

small_x, small_u = rng.normal(0.7, 1, 12), rng.normal(0, 1, 9)
numbers("small_x", small_x)
numbers("small_u", small_u)
exact = stats.mannwhitneyu(small_x, small_u, alternative="greater", method="exact")
number("small_exact_p", exact.pvalue)
plain = stats.mannwhitneyu(small_x, small_u, alternative="greater", method="asymptotic", use_continuity=False)
number("small_normal_p", plain.pvalue)

big_x, big_u = rng.normal(0.7, 1, 25), rng.normal(0, 1, 25)
numbers("edge_x", big_x)
numbers("edge_u", big_u)
number("edge_exact_p", stats.mannwhitneyu(big_x, big_u, alternative="greater", method="exact").pvalue)

tied_x = np.round(rng.normal(0.5, 1, 60), 1)
tied_u = np.round(rng.normal(0, 1.3, 47), 1)
numbers("tied_x", tied_x)
numbers("tied_u", tied_u)
tied = stats.mannwhitneyu(tied_x, tied_u, alternative="greater", method="asymptotic", use_continuity=False)
number("tied_normal_p", tied.pvalue)
area, variance, a10, a01 = delong(tied_x, tied_u)
number("tied_area", area)
number("tied_area_sd", np.sqrt(variance))
labels = np.r_[np.zeros(len(tied_x)), np.ones(len(tied_u))]
number("tied_roc_auc", roc_auc_score(labels, -np.r_[tied_x, tied_u]))
number("tied_average_precision", average_precision_score(labels, -np.r_[tied_x, tied_u]))
for f in (0.1, 0.05, 0.01):
    number(f"tied_partial_{round(100 - 100 * f)}", partial(tied_x, tied_u, f))
for method in ("average", "max"):
    sums, means, sds = rank_statistics(tied_x, tied_u, method)
    numbers(f"tied_w_{method}", sums)
    numbers(f"tied_mean_{method}", means)
    numbers(f"tied_sd_{method}", sds)

other_x = np.round(tied_x + rng.normal(0, 0.7, 60), 1)
other_u = np.round(tied_u + rng.normal(0, 0.7, 47), 1)
numbers("other_x", other_x)
numbers("other_u", other_u)
area_b, variance_b, b10, b01 = delong(other_x, other_u)
d10, d01 = a10 - b10, a01 - b01
number("pair_difference", area - area_b)
number("pair_sd", np.sqrt(d10.var(ddof=1) / len(d10) + d01.var(ddof=1) / len(d01)))
z = (area - area_b) / np.sqrt(d10.var(ddof=1) / len(d10) + d01.var(ddof=1) / len(d01))
number("pair_p", 2 * stats.norm.sf(abs(z)))
