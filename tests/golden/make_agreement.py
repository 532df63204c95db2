"""Golden numbers for the agreement of two orders, from SciPy: prints tests/golden/agreement.inc.

Run with /usr/bin/python3 tests/golden/make_agreement.py > tests/golden/agreement.inc
The overlap of the k lowest rows is the mean over many random ways to break ties, each order by itself; overlap_sd is
the standard error of that mean.
"""
import numpy as np
import scipy
from scipy import stats


def numbers(name, values):
    print(f"static const double {name}[] = {{{', '.join(repr(float(v)) for v in values)}}};")


rng = np.random.default_rng(4)
n = 60
first = np.round(rng.normal(size=n), 1)
second = np.round(first + rng.normal(size=n), 1)
first[rng.choice(n, 8, replace=False)] = first.min()  # ties where the lowest rows are

print(f"/* Made by make_agreement.py with numpy {np.__version__}, scipy {scipy.__version__}. */")
numbers("agree_first", first)
numbers("agree_second", second)
print(f"static const double agree_spearman = {stats.spearmanr(first, second).correlation!r};")
overlaps = []
for k in (1, 3, 6):
    draws = []
    for _ in range(40000):
        a = set(np.lexsort((rng.random(n), first))[:k])
        b = set(np.lexsort((rng.random(n), second))[:k])
        draws.append(len(a & b) / k)
    overlaps.append((np.mean(draws), np.std(draws) / np.sqrt(len(draws))))
numbers("agree_overlap", [o[0] for o in overlaps])
numbers("agree_overlap_sd", [o[1] for o in overlaps])
