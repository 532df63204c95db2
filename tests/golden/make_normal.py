"""Golden numbers for tests/unit/kernels/test_normal.c.

Oracle: the series of the normal law in the standard library's decimal arithmetic with 420 digits, at the exact values
of the doubles; quantiles by Newton steps in the same arithmetic. Checked here against SciPy 1.10.1 to 1e-12.

    python3 make_normal.py > normal.inc
"""
import random
from decimal import Decimal as D, getcontext

from scipy.special import ndtr, ndtri

getcontext().prec = 420
TINY = D(10) ** -415


def pi():
    """Machin's formula."""
    def arctan_inverse(n):
        total, power, k = D(0), D(1) / n, 0
        while power > TINY:
            total += (power if k % 2 == 0 else -power) / (2 * k + 1)
            power /= n * n
            k += 1
        return total
    return 4 * (4 * arctan_inverse(5) - arctan_inverse(239))


ROOT_2PI = (2 * pi()).sqrt()


def density(x):
    return (-x * x / 2).exp() / ROOT_2PI


def centre(x):
    """P(0 < Z <= x): every term has the sign of x."""
    term = total = x
    k = 1
    while abs(term) > TINY * abs(total):
        k += 2
        term = term * x * x / k
        total += term
    return density(x) * total


def cdf(x):
    return D("0.5") + centre(x)


def quantile(p):
    """p: Decimal."""
    if p > D("0.5"):
        return -quantile(1 - p)
    x = D(float(ndtri(float(p))))
    for _ in range(7):
        x -= (cdf(x) - p) / density(x)
    return x


def check(ours, scipy, at):
    assert abs(ours - scipy) <= 1e-12 * abs(ours) or abs(ours) < 1e-300, (at, ours, scipy)


random.seed(1)
print("/* Made by make_normal.py: decimal arithmetic with 420 digits, checked against SciPy 1.10.1. */")
print("/* x, P(Z <= x), P(Z > x) */")
print("static const double golden_cdf[][3] = {")
points = [0.0, 5e-324, 1e-300, 1e-20, 1e-8, 1e-3, 0.5, 0.67, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 8.3, 12.0, 20.0, 30.0, 37.0,
          37.5, 38.0, 38.4]
points += [round(random.uniform(0, 37.5), 17) for _ in range(24)] + [random.uniform(0, 3) for _ in range(12)]
for x in points:
    lower, upper = cdf(D(-x)), cdf(D(x))
    check(float(lower), float(ndtr(-x)), x)
    print(f"    {{{float(x).hex()}, {float(upper).hex()}, {float(lower).hex()}}},")
print("};")
print("/* p, the x with P(Z <= x) = p */")
print("static const double golden_quantile[][2] = {")
chances = [5e-324, 1e-320, 2.3e-308, 1e-300, 1e-290, 1e-250, 1e-100, 1e-50, 1e-20, 1e-15, 1e-12, 1e-11, 1.4e-11, 1e-10,
           1e-8, 1e-6, 1e-4, 1e-3, 0.01, 0.025, 0.05, 0.0749999, 0.075, 0.0750001, 0.1, 0.25, 0.3, 0.4, 0.49, 0.499999,
           0.5 - 1e-12, 0.5 - 2.0**-54, 0.5 + 2.0**-53, 0.5 + 1e-12, 0.500001, 0.6, 0.75, 0.9, 0.925, 0.95, 0.975, 0.99,
           0.999, 0.999999, 1 - 1e-10, 1 - 1e-15, 1 - 2.0**-52, 1 - 2.0**-53]
chances += [10 ** random.uniform(-323, -1) for _ in range(16)] + [random.uniform(0, 1) for _ in range(24)]
for p in chances:
    x = quantile(D(p))
    check(float(x), float(ndtri(p)), p)
    print(f"    {{{float(p).hex()}, {float(x).hex()}}},")
print("};")
