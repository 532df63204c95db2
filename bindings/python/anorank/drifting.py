"""Drift tests of two tables."""
from __future__ import annotations

import html
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from . import _tables
from ._anorank import ffi, lib
from ._errors import Note, notes_of, text
from ._settings import Settings, Watch, run_settings, split
from .judgement import Interval, interval

CHANGES = ["higher", "lower", "wider", "narrower", "shape", "levels", "new_level", "missing"]


class ColumnChange(NamedTuple):
    """One column of both tables; pairs are of the old and of the new rows. ``p_value`` is adjusted for the number of
    columns. ``str(change)`` is the sentence."""

    name: str
    change: str
    distance: float
    p_value: float
    importance: float
    missing: Tuple[float, float]
    median: Tuple[float, float]
    level: Optional[str]
    share: Tuple[float, float]
    sentence: str

    def __str__(self) -> str:
        return self.sentence


class Drift:
    """The result of a drift test: ``p_value`` of the hypothesis of no drift, ``separation`` (0.5 without drift), ``verdict``
    as a sentence, and ``columns``, most significant change first."""

    def __init__(self, c: Any) -> None:
        self.p_value = float(lib.anorank_drift_get_info(c).p_value)
        self.joint_p_value = float(lib.anorank_drift_get_info(c).joint_p_value)
        self.separation: Interval = interval(lib.anorank_drift_get_info(c).separation)
        self.phi, self.verdict = text(lib.anorank_drift_get_info(c).phi), text(lib.anorank_drift_get_info(c).conclusion)
        self.rows = (int(lib.anorank_drift_get_info(c).rows[0]), int(lib.anorank_drift_get_info(c).rows[1]))
        self.notes: List[Note] = notes_of(lib.anorank_drift_notes(c))
        self.columns = [_column(lib.anorank_drift_column_at(c, i)) for i in range(lib.anorank_drift_get_info(c).columns)]

    def __repr__(self) -> str:
        return f"<Drift: {self.verdict}>"

    def __str__(self) -> str:
        return "\n".join(
            [self.verdict, *(str(column) for column in self.columns if column.p_value <= 0.05), *self.notes]
        )

    def _repr_html_(self) -> str:
        said = "".join(
            f"<li>{html.escape(str(column))} (p = {column.p_value:.3f})</li>"
            for column in self.columns
            if column.p_value <= 0.05
        )
        return f"<p><b>{html.escape(self.verdict)}</b></p><ul>{said}</ul>"


def _column(c: Any) -> ColumnChange:
    size = lib.anorank_drift_column_text(c, ffi.NULL, 0)
    buffer = ffi.new("char[]", size + 1)
    lib.anorank_drift_column_text(c, buffer, size + 1)
    return ColumnChange(
        text(c.name), CHANGES[c.change], c.distance, c.p_value, c.importance, (c.missing[0], c.missing[1]),
        (c.median[0], c.median[1]), text(c.level) if c.level else None, (c.share[0], c.share[1]), text(buffer),
    )  # fmt: skip


def compare_tables(old: Any, new: Any, asked: Settings) -> Drift:
    out = ffi.new("anorank_drift **")
    tables = [_tables.as_table(_tables.normal(X), None, asked) for X in (old, new)]
    asked.run(lib.anorank_drift_make, out, tables[0].c, tables[1].c, asked.c)
    return Drift(ffi.gc(out[0], lib.anorank_drift_free))


def drift(
    old: Any, new: Any, *, random_state: Any = None, n_jobs: Optional[int] = None, verbose: int = 0, **settings: Any
) -> Drift:
    """Test the table ``new`` for drift from ``old``, and find the columns that changed, like ``anorank drift``.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> found = drift(rng.normal(size=(300, 2)), rng.normal([3, 0], 1, size=(300, 2)), permutations=99)
    >>> found.p_value < 0.05, found.columns[0].name, found.columns[0].change
    (True, 'x1', 'higher')
    """
    given: Mapping[str, Any] = split(settings, lib.ANORANK_FOR_DRIFT | lib.ANORANK_FOR_READ, "drift")
    values: Dict[str, Any] = {**run_settings(random_state, n_jobs), **given}
    return compare_tables(old, new, Settings(values, Watch(verbose)))
