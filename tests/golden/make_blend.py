#!/usr/bin/python3
"""Golden numbers for the spaces, the hull and the blend: blend.inc.

Two small tables: `smooth` has bell-shaped, heavy-tailed, five-valued, repeated and constant columns and repeated rows;
`pairs` has columns with two values, so that many rows are copies and distances tie. Written from the formulas in
DESIGN-like form (space.h, hull.h, blend.h), with nothing of the C code. Distances are float32 with a fused
multiply-add, as kernels/distance.h promises, so that ties are ties here too. numpy 1.24.2, scipy 1.10.1."""
import os

import numpy as np
from scipy.stats import kurtosis, norm

here = os.path.dirname(os.path.abspath(__file__))
rng = np.random.Generator(np.random.Philox(7))


def smooth(n):
    z = rng.normal(size=(n, 5))
    x = np.empty_like(z)
    x[:, 0] = z[:, 0]
    x[:, 1] = 40 + 3 * z[:, 1] + 2 * z[:, 0]
    x[:, 2] = z[:, 2] ** 3 * np.exp(z[:, 3])  # heavy tails
    x[:, 3] = np.round(z[:, 3] * 1.2)
    x[:, 4] = .25
    return np.round(x, 4)


def pairs(n):
    x = (rng.random((n, 4)) < [.5, .2, .1, .6]).astype(float)
    x[:, 3] = np.round(rng.normal(size=n), 0) * 10
    return x


# ---- spaces --------------------------------------------------------------------------------------------------------
def held(train, rows):
    centre = np.sort(train, axis=0)[(len(train) - 1) // 2]
    unit = train.std(axis=0)
    unit[train.max(axis=0) == train.min(axis=0)] = 1
    return ((rows - centre) / unit).astype(np.float32)


def ranges(a, b):
    a, b = a.astype(float), b.astype(float)
    width = a.max(axis=0) - a.min(axis=0)
    moving = width > 0
    c = np.sqrt((a[:, moving] / width[moving]).var(axis=0).mean())
    factor = np.where(moving, 1 / np.where(moving, width, 1) / c, 1)
    return (a * factor).astype(np.float32), (b * factor).astype(np.float32)


def ranges_without(a, i):
    """All rows, with the ranges as they would be had row i, where it ends a column alone, not been there."""
    a = a.astype(float)
    rest = np.delete(a, i, axis=0)
    ends = (a[i] < rest.min(axis=0)) | (a[i] > rest.max(axis=0))
    width = np.where(ends, rest.max(axis=0) - rest.min(axis=0), a.max(axis=0) - a.min(axis=0))
    variance = np.where(ends, rest.var(axis=0), a.var(axis=0))
    moving = width > 0
    c = np.sqrt((variance[moving] / width[moving] ** 2).mean())
    return (a * np.where(moving, 1 / np.where(moving, width, 1) / c, 1)).astype(np.float32)


def normals(a, b):
    a, b = a.astype(float), b.astype(float)
    A, B = a.copy(), b.copy()
    heavy = []
    for j in range(a.shape[1]):
        if a[:, j].max() > a[:, j].min() and kurtosis(a[:, j]) > 5:
            heavy.append(j)
            s = np.sort(a[:, j])
            score = lambda x: norm.ppf(((np.searchsorted(s, x, 'left') + np.searchsorted(s, x, 'right')) / 2 + .5) / (len(s) + 1))
            spread = score(a[:, j]).std()
            A[:, j], B[:, j] = score(a[:, j]) / spread, score(b[:, j]) / spread
    return A.astype(np.float32), B.astype(np.float32), heavy


def spaces(train, rows):
    a, b = held(train, train), held(train, rows)
    return {'standard': (a, b), 'range': ranges(a, b), 'normal': normals(a, b)[:2]}


# ---- neighbours ----------------------------------------------------------------------------------------------------
def squared(x, refs):
    total = np.zeros(len(refs), np.float32)
    for j in range(len(x)):
        d = (x[j] - refs[:, j]).astype(np.float32).astype(float)
        total = (d * d + total.astype(float)).astype(np.float32)
    return total


def near(x, refs, k, own=None):
    s = squared(x, refs)
    order = np.lexsort((np.arange(len(refs)), s))
    if own is not None:
        order = order[order != own]
    return order[:k], np.sqrt(s[order[:k]].astype(float))


def hull_over(x, rows, moving):
    m = rows.astype(float) - x.astype(float)
    g = m @ m.T
    ridge = .1 * max(1, 10 / moving) ** 2
    w = np.linalg.solve(g + (ridge * np.trace(g) / len(m) + 1e-9) * np.eye(len(m)), np.ones(len(m)))
    w /= w.sum()
    return .5 * np.log(max(w @ g @ w, 0) + 1e-6)


def moving(refs):
    return int((refs.max(axis=0) > refs.min(axis=0)).sum())


def hull(x, refs, k=10, own=None):
    return hull_over(x, refs[near(x, refs, k, own)[0]], moving(refs))


def parts(x, y, normal, ranged, own=None):
    """Of a row that is x in the normal and y in the range space: both hulls, and the nearest in the range space."""
    p, _ = near(x, normal, 32, own)
    far = np.zeros(len(p))
    for j in range(len(y)):
        far += (ranged[p, j].astype(float) - float(y[j])) ** 2
    order = np.argsort(far, kind='stable')
    q, d = p[order], np.sqrt(far[order])
    return (hull_over(x, normal[p[:10]], moving(normal)), hull_over(y, ranged[q[:10]], moving(ranged)),
            np.log(d[0] + 1e-3))


def bend(z):
    return np.where(z > 10, 10 + np.log1p(np.maximum(z - 10, 0)), np.where(z < -6, -6 - np.log1p(np.maximum(-6 - z, 0)), z))


def scaled(left, new, most=np.inf):
    q = np.quantile(left, [.1, .5, .9])
    scale = max((q[2] - q[0]) / 2.56, 1e-3)
    return tuple(bend(np.minimum((v - q[1]) / scale, most)) for v in (left, new))


def blend(train, rows, known=None):
    sp = spaces(train, rows)
    (a, b), (c, d) = sp['normal'], sp['range']
    h = sp['standard'][0]
    seen = np.array([parts(a[i], r[i], a, r, i) for i, r in ((i, ranges_without(h, i)) for i in range(len(a)))])
    fresh = np.array([parts(b[i], d[i], a, c) for i in range(len(b))])
    z = [scaled(seen[:, p], fresh[:, p]) for p in range(3)]
    left, new = sum(u for u, _ in z) / 3, sum(v for _, v in z) / 3
    if known is not None:
        e = normals(held(train, train), held(train, known))[1]
        k = lambda x, own=None: np.log(near(x, e, 1)[1][0] + .01) - .5 * np.log(near(x, a, 1, own)[1][0] + .01)
        zl, zn = scaled(np.array([k(x, i) for i, x in enumerate(a)]), np.array([k(x) for x in b]), most=1)
        weight = .5 if len(known) == 1 else .7
        left, new = left - weight * zl, new - weight * zn
    return -left, -new


# ---- output --------------------------------------------------------------------------------------------------------
def put(f, name, x, form='%.9g'):
    text = ', '.join(form % v for v in np.ravel(x))
    f.write(f'static const double {name}[] = {{{text}}};\n')


with open(os.path.join(here, 'blend.inc'), 'w') as f:
    f.write('/* Made by make_blend.py. */\n')
    for name, make, n in (('smooth', smooth, 90), ('pairs', pairs, 70)):
        train, rows = make(n), make(12)
        train[n // 2:n // 2 + 6] = train[:6]  # copies
        rows[0], rows[1] = train[0], rows[1] + 30
        rows[2, 0] = 1e5
        known = make(3) + 3
        put(f, name + '_x', train, '%.17g'), put(f, name + '_rows', rows, '%.17g'), put(f, name + '_known', known, '%.17g')
        sp = spaces(train, rows)
        for s in ('standard', 'range', 'normal'):
            a, b = sp[s]
            put(f, f'{name}_{s}', b)
            put(f, f'{name}_hull_{s}', [-hull(x, a) for x in b], '%.12g')
            put(f, f'{name}_left_{s}', [-hull(x, a, own=i) for i, x in enumerate(a)], '%.12g')
        print(name, 'heavy-tailed columns', normals(held(train, train), held(train, rows))[2])
        if name == 'smooth':
            for tag, k in (('blend', None), ('known', known), ('one', known[:1])):
                left, new = blend(train, rows, k)
                put(f, f'smooth_{tag}_scores', new, '%.12g'), put(f, f'smooth_{tag}_left', left, '%.12g')
