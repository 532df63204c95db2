#!/usr/bin/python3
"""contract.npz: two small arrays, one deflated, for tests/contract. numpy 1.24.2."""
import os
import numpy as np
here = os.path.dirname(os.path.abspath(__file__))
x = np.arange(60, dtype=float).reshape(20, 3) / 7
np.savez_compressed(os.path.join(here, 'contract.npz'), X=x, other=np.asfortranarray(x))
