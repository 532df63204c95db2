"""Tables to try things on."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np

from . import _tables, contrast
from ._anorank import ffi, lib
from ._columns import Table, owned
from ._errors import text
from ._settings import Settings, run_settings, split


def cards(rows: int = 12000, anomalies: float = 0.005, *, random_state: Any = None, first_row: int = 0) -> Any:
    """Card payments with synthetic frauds, as a DataFrame; the column ``fraud`` marks them. It needs pandas.

    >>> cards(100).shape[0]
    100
    """
    given = run_settings(random_state, None)
    asked = Settings({**given, "rows": rows, "anomalies": anomalies, "first-row": first_row})
    out = ffi.new("anorank_table **")
    asked.run(lib.anorank_example_make, out, b"cards", asked.c)
    return contrast.as_rows(owned(out), frame=True)


def law(name: str, rows: int = 1000, dim: int = 2, *, random_state: Any = None, **settings: Any) -> Any:
    """Rows of one of the laws that need no data, gaussian and radial for example, as an array.

    >>> law("radial", 5, random_state=1).shape
    (5, 2)
    """
    return contrast.draw(None, name, rows, random_state=random_state, dim=dim, **settings)


class PaperData(NamedTuple):
    """Data of the paper's experiment: ``labels`` is 1 for the outliers among the test rows."""

    X: Any
    U: Any
    test: Any
    labels: Any


def paper(random_state: int = 0) -> PaperData:
    """The paper's two-dimensional data: 1,000 normal rows X, 500 contrast rows U of the radial law around them, 400
    normal test rows and 100 outliers.

    >>> paper().test.shape
    (500, 2)
    """
    sigma = float(np.sqrt(0.1))
    X = law("gaussian", 1000, random_state=4 * random_state, sigma=sigma)
    U = contrast.draw(X, "radial", 500, random_state=4 * random_state + 1, alpha=3.0, beta=1.0, epsilon=0.01)
    normal = law("gaussian", 400, random_state=4 * random_state + 2, sigma=sigma)
    radius = float(np.sqrt((X**2).sum(axis=1)).max()) + 0.01
    outliers = law("radial", 100, random_state=4 * random_state + 3, alpha=2.0, beta=1.0, radius=radius)
    return PaperData(X, U, np.concatenate([normal, outliers]), np.repeat([0, 1], [400, 100]))


class Accuracy(NamedTuple):
    """A column of the paper's Table 1: the share of outliers among the ``n_lowest`` test rows."""

    n_lowest: int
    mean: float
    sd: float
    ceiling_mean: float
    ceiling_sd: float
    paper_mean: float
    paper_sd: float


def reproduce(
    repetitions: int = 50, *, random_state: Any = None, n_jobs: Optional[int] = None, **settings: Any
) -> List[Accuracy]:
    """Reproduce the paper's experiment: its Table 1, beside the values in the paper and those of the true density."""
    given = split(settings, lib.ANORANK_FOR_REPRODUCE | lib.ANORANK_FOR_LEARN, "reproduce")
    asked = Settings({**run_settings(random_state, n_jobs), "repetitions": repetitions, **given})
    out, count = ffi.new("anorank_reproduction **"), ffi.new("size_t *")
    asked.run(lib.anorank_reproduce, out, asked.c)
    c = ffi.gc(out[0], lib.anorank_reproduction_free)
    rows = lib.anorank_reproduction_table(c, count)
    return [Accuracy(*(getattr(rows[k], name) for name in Accuracy._fields)) for k in range(count[0])]


def examples() -> Dict[str, str]:
    """The built-in example tables, with a line on each."""
    rows = [lib.anorank_example_at(i) for i in range(lib.anorank_example_count())]
    return {text(row.name): text(row.help) for row in rows}
