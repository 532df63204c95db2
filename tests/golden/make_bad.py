#!/usr/bin/python3
"""Broken NPZ archives for tests/cli/test_bad_input.sh; everything else broken is made by that script itself.

Run from the top of the source tree; made with Python 3.11 and numpy 1.24.2."""
import io
import os
import zipfile
import numpy as np

FOLDER = "tests/golden/bad/"
os.makedirs(FOLDER, exist_ok=True)
WHEN = (2020, 1, 1, 0, 0, 0)  # so that the bytes do not depend on the day


def npy(array):
    out = io.BytesIO()
    np.lib.format.write_array(out, array)
    return out.getvalue()


def archive(members, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, content in members:
            info = zipfile.ZipInfo(name, WHEN)
            info.compress_type = method
            z.writestr(info, content, compresslevel=9)
    return out.getvalue()


def save(name, content):
    with open(FOLDER + name, "wb") as out:
        out.write(content)


scores = npy(np.arange(8.0).reshape(4, 2))
two = archive([("train.npy", scores), ("test.npy", scores)])
save("two-arrays.npz", two)
one = archive([("X.npy", scores)])
at = one.index(scores) + len(scores) - 3
save("damaged.npz", one[:at] + bytes([one[at] ^ 0xFF]) + one[at + 1:])  # the checksum of the member no longer fits
save("cut.npz", one[: len(one) // 2])  # the directory at the end is gone
save("no-arrays.npz", archive([("readme.txt", b"no array here\n")]))
# 16 MiB of zeros in 16 kB: 2097152 rows of one column
save("bomb.npz", archive([("X.npy", npy(np.zeros((1 << 21, 1))))], zipfile.ZIP_DEFLATED))
# an unknown compression method, in the local header and in the directory
odd = bytearray(one)
for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
    odd[odd.index(mark) + offset] = 77
save("odd-method.npz", bytes(odd))
