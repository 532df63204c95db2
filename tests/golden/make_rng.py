#!/usr/bin/env python3
"""Golden numbers for tests/unit/core/test_rng.c, and the table of src/core/ziggurat.h.

Made with Python 3.11, numpy 1.24.2, SciPy 1.10.1.
    make_rng.py > rng.inc
    make_rng.py ziggurat > ../../src/core/ziggurat.h
"""
import sys
from decimal import Decimal, getcontext

import numpy as np
from scipy import stats
from scipy.special import betainc, gammainc

getcontext().prec = 60


def hexfloat(x):
    return float(x).hex()


def ziggurat(layers=256):
    """Edges x_0 > x_1 = r > ... > x_layers = 0 of equal-area layers under exp(-x^2/2)."""
    f = lambda x: (-x * x / 2).exp()
    f_inverse = lambda y: (-2 * y.ln()).sqrt()

    def tail(r):  # the area beyond r: erfc by its continued fraction, which converges fast at r > 3
        fraction = Decimal(0)
        for k in range(800, 0, -1):
            fraction = Decimal(k) / (r + fraction)
        return f(r) / (r + fraction)

    def edges(r):
        v = r * f(r) + tail(r)
        x = [v / f(r), r]
        for i in range(1, layers - 1):
            y = v / x[i] + f(x[i])
            if y >= 1:
                return None, i  # the top was reached too early: the layers are too large
            x.append(f_inverse(y))
        return x, v / x[-1] + f(x[-1]) - 1  # 0 where the last layer just closes

    low, high = Decimal("3.5"), Decimal("3.8")  # small r: large layers
    for _ in range(170):
        r = (low + high) / 2
        x, gap = edges(r)
        if x is None or gap > 0:
            low = r
        else:
            high = r
    return edges(high)[0] + [Decimal(0)]


def print_ziggurat():
    print("""/* ziggurat.h - edges of 256 layers of equal area under exp(-x^2 / 2), for ank_rng_normal.
 *
 * Layer 0 is the base with the tail: [0] is its area over its height, [1] where the tail begins. Made by
 * tests/golden/make_rng.py in 60 digits; tests/unit/core/test_rng.c checks that the areas are equal. */
#ifndef ANK_CORE_ZIGGURAT_H
#define ANK_CORE_ZIGGURAT_H

#define ZIGGURAT_LAYERS 256

/* clang-format off */
static const double ziggurat_edges[ZIGGURAT_LAYERS + 1] = {""")
    x = [hexfloat(v) for v in ziggurat()]
    for i in range(0, len(x), 4):
        print("    " + ", ".join(x[i:i + 4]) + ",")
    print("};\n/* clang-format on */\n\n#endif")


def print_golden():
    print("/* Made by make_rng.py; do not edit. */\n/* clang-format off */")
    print("static const struct { uint64_t seed, stream, index, words[9]; } golden_words[] = {")
    top = 2**64 - 1
    for seed, stream, index in [(0, 0, 0), (0, 1, 0), (1, 1, 0), (7, 1, 5), (42, 2, 10**15), (top, 1, 3),
                                (top, top, top), (2**53 + 1, 2, 2**32)]:
        bits = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64),
                                counter=np.array([0, index, 0, 0], dtype=np.uint64))
        words = ", ".join(f"{w}u" for w in bits.random_raw(9))
        print(f"    {{{seed}u, {stream}u, {index}u, {{{words}}}}},")
    print("};")
    print("/* Regularised incomplete gamma and beta functions: check of the slow versions in the test. */")
    print("static const struct { double shape, x, p; } golden_gamma[] = {")
    for shape in [.1, .5, 1, 2.5, 30, 1e4]:
        for q in [.001, .1, .5, .9, .999]:
            x = stats.gamma.ppf(q, shape)
            print(f"    {{{hexfloat(shape)}, {hexfloat(x)}, {hexfloat(gammainc(shape, x))}}},")
    print("};")
    print("static const struct { double a, b, x, p; } golden_beta[] = {")
    for a, b in [(.05, .05), (.5, .5), (3, 1), (2, 1), (1, 3), (.3, 7), (40, 2.5), (5000, 300)]:
        for q in [.01, .1, .5, .9, .99]:
            x = stats.beta.ppf(q, a, b)
            print(f"    {{{hexfloat(a)}, {hexfloat(b)}, {hexfloat(x)}, {hexfloat(betainc(a, b, x))}}},")
    print("};")
    print("/* Edges and probabilities of at most 40 cells: cell i holds k <= edge[i] not in an earlier one. */")
    print("static const struct { uint64_t n; double p; size_t cells; uint64_t edge[40]; double share[40]; }")
    print("    golden_binomial[] = {")
    for n, p in [(1, .3), (5, .5), (20, .1), (19, .5), (20, .5), (30, .95), (100, .099), (100, .101), (40, .27), (1000, .5),
                 (1000, .013), (10**6, 1e-5), (10**6, .3), (10**7, .999), (10**12, .25), (2**53, .4)]:
        if n >= 10**12:  # SciPy's law is not exact there; the normal law with its skewness term is, to 1e-6
            sd = np.sqrt(n * p * (1 - p))
            edges = sorted({int(n * p + sd * z) for z in np.linspace(-2.4, 2.4, 39)} | {n})
            z = (np.array(edges, dtype=float) + .5 - n * p) / sd
            cdf = stats.norm.cdf(z) - (1 - 2 * p) / (6 * sd) * (z * z - 1) * stats.norm.pdf(z)
            cdf[-1] = 1
        else:
            law = stats.binom(n, p)
            edges = sorted({int(law.ppf(q)) for q in np.linspace(.025, .975, 39)} | {n})
            cdf = law.cdf(edges)
        share = np.diff(np.concatenate([[0], cdf]))
        while len(share) > 1 and share[-1] < 1e-3:  # chi-square wants full cells
            share[-2] += share[-1]
            share, edges = share[:-1], edges[:-2] + [n]
        print(f"    {{{n}u, {hexfloat(p)}, {len(edges)}, {{{', '.join(f'{e}u' for e in edges)}}},")
        print(f"     {{{', '.join(hexfloat(s) for s in share)}}}}},")
    print("};\n/* clang-format on */")


print_ziggurat() if sys.argv[1:] == ["ziggurat"] else print_golden()
