"""Coefficients of src/kernels/vector_body.h: interpolation at Chebyshev nodes in 60 digits (standard library only).

log: log(1+f) = 2s + s z p(z), s = f/(2+f), z = s^2,  1+f in [sqrt(1/2), sqrt(2)]
"""
from decimal import Decimal as D, getcontext
import struct

getcontext().prec = 60
LN2 = D(2).ln()


def cosine(k, n):
    """cos(pi (2k+1) / (2n)) to 16 digits: nodes need not be exact."""
    import math
    return D(math.cos(math.pi * (2 * k + 1) / (2 * n)))


def interpolate(f, low, high, n):
    """Monomial coefficients of the polynomial of n coefficients through f at the Chebyshev nodes (Newton's form)."""
    nodes = [(low + high) / 2 + (high - low) / 2 * cosine(k, n) for k in range(n)]
    table = [f(x) for x in nodes]
    for level in range(1, n):
        for i in range(n - 1, level - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - level])
    out = [D(0)] * n
    for i in range(n - 1, -1, -1):
        shifted = [D(0)] + out[:-1]
        out = [a - nodes[i] * b for a, b in zip(shifted, out)]
        out[0] += table[i]
    return out


def p(z):
    total, power = D(0), D(1)
    for k in range(1, 80):
        total += 2 * power / (2 * k + 1)
        power *= z
    return total


def head(x, bits):
    """x cut to so many leading bits, and the rest."""
    shift = bits
    y = x
    while y < 1:
        y *= 2
        shift += 1
    scaled = int(x * D(2) ** (shift - 1))
    return D(scaled) / D(2) ** (shift - 1)


def show(name, values):
    print(name, ", ".join(float(v).hex() for v in values))


edge = ((D(2).sqrt() - 1) / (D(2).sqrt() + 1)) ** 2
show("log", interpolate(p, D(0), edge * D("1.0001"), 7))
top = head(LN2, 40)
show("log 2: head, rest", [top, LN2 - top])
print("bits of sqrt(1/2):", hex(struct.unpack("<Q", struct.pack("<d", 0.5 ** 0.5))[0]))
