#!/usr/bin/python3
"""Small NPY and NPZ files of every type, order and version that the readers know or refuse.

Run from the top of the source tree; made with Python 3.11 and numpy 1.24.2. Cell (i, j) of the 5 x 3 matrices is
k = 3 i + j turned into the type: k odd for b1, 7 k for u*, 7 k - 20 for i*, (7 k - 20) / 4 for f*."""
import os
import numpy as np
from numpy.lib import format as npy

FOLDER = "tests/golden/npy/"
os.makedirs(FOLDER, exist_ok=True)
k = np.arange(15).reshape(5, 3)
values = {"b": k % 2, "u": 7 * k, "i": 7 * k - 20, "f": (7 * k - 20) / 4}


def save(name, array, version=(1, 0), allow_pickle=False):
    with open(FOLDER + name + ".npy", "wb") as out:
        npy.write_array(out, array, version=version, allow_pickle=allow_pickle)


for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split():
    for order, word in (("<", "little"), (">", "big")):
        if code[1] == "1" and order == ">":
            continue
        array = values[code[0]].astype(order + code)
        save("%s-%s-c" % (code, word), np.ascontiguousarray(array))
        save("%s-%s-fortran" % (code, word), np.asfortranarray(array))
for version in (2, 3):
    save("f8-version%d" % version, values["f"].astype("<f8"), (version, 0))
save("vector", values["f"].astype("<f8")[:, 0].copy())
save("no-rows", np.zeros((0, 3)))
save("special-f2", np.array([6e-8, 65504, np.inf, -np.inf, np.nan, -0.0, 0.000061], dtype="<f2"))
save("special-f8", np.array([5e-324, 1.7976931348623157e308, np.inf, -np.inf, np.nan, -0.0]))
save("large-u8", np.array([2**64 - 1, 2**53 + 1, 2**63], dtype="<u8"))

save("refused-text", np.array([["a", "bc"]]))
save("refused-bytes", np.array([[b"a", b"bc"]]))
save("refused-object", np.array([[1, "x"]], dtype=object), allow_pickle=True)
save("refused-complex", np.array([[1 + 2j]]))
save("refused-time", np.array([["2020-01-01"]], dtype="M8[s]"))
save("refused-record", np.array([(1, 2.0)], dtype=[("a", "<i4"), ("b", "<f8")]))
save("refused-longdouble", np.array([[1.5]], dtype=np.longdouble))
save("refused-scalar", np.array(1.5))
save("refused-cube", np.zeros((2, 2, 2)))
save("refused-no-columns", np.zeros((4, 0)))

x = values["f"].astype("<f8")
np.savez(FOLDER + "one.npz", scores=x)
np.savez(FOLDER + "with-x.npz", a=np.arange(3.0), X=x)
np.savez(FOLDER + "several.npz", a=np.arange(3.0), b=x)
np.savez_compressed(FOLDER + "packed.npz", X=x, y=np.arange(5))
np.savez_compressed(FOLDER + "packed-fortran.npz", X=np.asfortranarray(x))
np.savez(FOLDER + "refused-object.npz", X=np.array([[1, "x"]], dtype=object))
