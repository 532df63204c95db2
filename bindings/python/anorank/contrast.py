"""The second sample: contrast rows, which fill the space around the data."""
from __future__ import annotations

import itertools
from typing import Any, Dict, Optional

import numpy as np

from . import _tables
from ._anorank import ffi, lib
from ._columns import Table, owned
from ._errors import text
from ._settings import Settings, run_settings, split


def laws() -> Dict[str, str]:
    """The laws to draw from, each with a description.

    >>> "box" in laws()
    True
    """
    rows = itertools.takewhile(bool, map(lib.anorank_law_at, itertools.count()))
    return {text(row.name): text(row.help) for row in rows}


def draw(
    X: Any = None, law: str = "auto", rows: Optional[int] = None, *, random_state: Any = None,
    n_jobs: Optional[int] = None, **settings: Any,
) -> Any:  # fmt: skip
    """Draw rows of a law around X; by default as many as X has.

    "auto" is a box for up to eight columns and jitter for more. A DataFrame gives a DataFrame, an array an array, and no X
    an array of ``dim`` columns. Row i depends only on the law, the seed and i.

    >>> draw([[0.0, 0.0], [1.0, 2.0]], "box", rows=3, random_state=1).shape
    (3, 2)
    """
    given = split(settings, lib.ANORANK_FOR_SIMULATE, "draw")
    data = None if X is None else _tables.normal(X)
    known = None if data is None else _tables.shape_of(data)
    if law == "auto":
        law = "box" if known is None or (known[1] or 0) <= 8 else "jitter"
    count = rows or (known[0] if known and known[0] else 1000)
    asked = Settings({**run_settings(random_state, n_jobs), "law": law, "rows": count, **given})
    table = None if data is None else _tables.as_table(data, None, asked)
    out = ffi.new("anorank_table **")
    asked.run(lib.anorank_simulate, out, table.c if table else ffi.NULL, asked.c)
    return as_rows(owned(out), data is not None and not isinstance(data, np.ndarray))


def as_rows(table: Table, frame: bool) -> Any:
    """An array of doubles, or a DataFrame."""
    columns = {name: table.column(j) for j, name in enumerate(table.names)}
    if not frame:
        return np.column_stack(list(columns.values())) if columns else np.empty((table.rows, 0))
    import pandas as pd

    return pd.DataFrame(columns)
