#!/usr/bin/python3
"""Doubles with their shortest decimal form for the test of src/core/shortest.c.

Run from the top of the source tree; made with Python 3.11. The expected texts are Python's repr, whose digits are the
shortest that read back to the same double."""
import random
import struct

random.seed(20210905)
values = [0.1, 0.2, 0.3, 1 / 3, 2 / 3, 5e-324, 1e-323, 2.2250738585072014e-308, 2.225073858507201e-308,
          1.7976931348623157e308, 9007199254740993.0, 9007199254740992.0, 1e15, 1e16, 1e17, 1e21, 1e22, 1e23, 9.5e-5,
          1e-4, 1e-5, 123456.789, 4.35, 0.000123, 1.5, 2.0**-1022 * 1.5, 2.0**60, 2.0**-60, 8.41e21, 9.409340012568248e18,
          5.0e-320, 2.0**1023, 4.9406564584124654e-323, 299792458.0, 6.02214076e23, 1.602176634e-19]
values += [2.0**e for e in range(-1074, 1024, 61)]
values += [struct.unpack("<d", struct.pack("<Q", random.getrandbits(63) % 0x7FF0000000000000))[0] for _ in range(30)]
values += [random.gauss(0, 1) for _ in range(20)]
values += [round(random.uniform(0, 1e4), random.randrange(6)) for _ in range(20)]
with open("tests/golden/shortest.inc", "w") as out:
    out.write("/* {bits, digits without point or trailing zeros, exponent of the first digit}; see make_shortest.py. */\n"
              "/* clang-format off */\n")
    for v in values:
        v = abs(v)
        if v == 0:
            continue
        mantissa, exponent = ("%r" % v).lower().partition("e")[::2]
        exponent = int(exponent or 0)
        whole, _, part = mantissa.partition(".")
        digits = whole + part
        lead = len(digits) - len(digits.lstrip("0"))
        point = len(whole) + exponent - lead - 1
        digits = digits.strip("0")
        out.write('{0x%016X, "%s", %d},\n' % (struct.unpack("<Q", struct.pack("<d", v))[0], digits, point))
    out.write("/* clang-format on */\n")
