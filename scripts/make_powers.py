#!/usr/bin/env python3
"""Write src/core/powers_of_five.inc: the first 128 bits of 5^q for q = -342 .. 324.

Row q holds the integer f(q) with 2^127 <= f(q) < 2^128 that is nearest from below to 5^q times a power of two
(q >= 0), or nearest from above (q < 0), as two 64-bit words, high word first. Run from the root of the tree:

    python3 scripts/make_powers.py > src/core/powers_of_five.inc
"""

FIRST, LAST = -342, 324  # reading numbers needs them to 308, writing them from -292 to 324


def first_bits(q):
    if q >= 0:
        power = 5**q
        shift = power.bit_length() - 128
        return power >> shift if shift >= 0 else power << -shift
    power = 5**-q
    # 2^b / 5^-q has 128 bits for b = 127 + bit_length(5^-q): the power is no power of two.
    return (1 << (127 + power.bit_length())) // power + 1


print("/* 5^q for q = %d .. %d, first 128 bits; made by scripts/make_powers.py. */" % (FIRST, LAST))
for q in range(FIRST, LAST + 1):
    bits = first_bits(q)
    assert 1 << 127 <= bits < 1 << 128
    print("{0x%016X, 0x%016X}," % (bits >> 64, bits & (2**64 - 1)))
