"""Golden numbers for tests/unit/kernels/test_eigen.c, by numpy.linalg.eigh (numpy 1.24.2).

    python3 make_eigen.py > eigen.inc
"""
import numpy as np

rng = np.random.default_rng(7)


def covariance(n, dim, scale):
    x = rng.normal(size=(n, dim)) @ rng.normal(size=(dim, dim)) * scale
    return np.round(x.T @ x / n, 6)  # few digits, so that both read the same matrix


cases = {
    "one": np.array([[-3.25]]),
    "two": np.array([[2.0, 1.0], [1.0, 2.0]]),
    "mixed_signs": np.array([[0.0, 1.0, 2.0], [1.0, -3.0, 0.5], [2.0, 0.5, 1.0]]),
    "covariance": covariance(50, 6, 1.0),
    "few_rows": covariance(4, 7, 10.0),
}
print(f"/* Made by make_eigen.py with numpy {np.__version__}: matrix, values (largest first), vectors in rows. */")
for name, a in cases.items():
    values, vectors = np.linalg.eigh(a)
    values, vectors = values[::-1], vectors.T[::-1].copy()
    for row in vectors:
        if row[np.argmax(np.abs(row))] < 0:
            row *= -1
    for what, numbers in (("matrix", a), ("values", values), ("vectors", vectors)):
        body = ", ".join(repr(float(v)) for v in np.ravel(numbers))
        print(f"static const double {name}_{what}[] = {{{body}}};")
