"""Rankings of rows, with reasons."""
from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _arrow
from ._anorank import ffi, lib
from ._errors import Note, text
from ._columns import Table
from ._tables import is_frame

KINDS = ["usual", "high", "low", "together", "rare", "missing", "new_level", "new_value", "hour", "weekday",
         "present", "new_code", "new_pair", "own_past", "own_gap", "own_count", "own_new_level", "own_rare_level",
         "month"]


@dataclass(frozen=True)
class Reason:
    """Why a row is abnormal, for one column; ``str(reason)`` is a sentence.

    ``contribution`` is how much the column lowers the score of the row. ``kind`` is one of "usual", "high", "low",
    "together", "rare", "missing", "new_level", "new_value", "hour", "weekday", "present", "new_code", "new_pair",
    "own_past", "own_gap", "own_count", "own_new_level", "own_rare_level" and "month". ``value`` is the cell, None if
    missing. ``partners`` are one or two columns that disagree with it, if any. Numbers that do not apply are NaN, texts
    None. docs/methods.md has the definitions.
    """

    column: str
    kind: str
    contribution: float
    value: Any
    share: float
    usual_low: float
    usual_high: float
    similar_rows: int
    similar_low: float
    similar_high: float
    similar_level: Optional[str]
    similar_share: float
    sentence: str
    level_rows: int
    level_rank: int
    levels: int
    partners: Tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Explanation:
    """One row of a table: its rank and its reasons. ``row`` counts from 0."""

    row: int
    rank: int
    score: float
    p_value: float
    q_value: float
    reasons: List[Reason]

    def __str__(self) -> str:
        return "; ".join(reason.sentence for reason in self.reasons)


def _reason(c: Any) -> Reason:
    size = lib.anorank_reason_text(c, ffi.NULL, 0)
    buffer = ffi.new("char[]", size + 1)
    lib.anorank_reason_text(c, buffer, size + 1)
    number = float(c.number)
    value: Any = text(c.level) if c.level else (None if number != number else number)
    return Reason(
        text(c.column), KINDS[c.kind], c.contribution, value, c.share, c.usual_low, c.usual_high, c.similar_rows,
        c.similar_low, c.similar_high, text(c.similar_level) if c.similar_level else None, c.similar_share, text(buffer),
        c.level_rows, c.level_rank, c.levels, tuple(text(c.partner[k].column) for k in range(c.partners)),
    )  # fmt: skip


@dataclass(frozen=True)
class Dependence:
    """Test of whether training rows depend on each other. Without ``tested``, the result is unknown (docs/methods.md)."""

    tested: bool
    dependent: bool
    rows: int
    nearness: float
    z: float
    reach: int
    entity: Optional[str]


HEADLINES = ["none", "rate", "apart", "dependent", "shift"]


class Headline(str):
    """The headline of a ranking: a sentence, as a string, and its facts.

    ``kind`` is "rate" (with a guaranteed false-discovery rate, ``rate``), "apart", "dependent" or "shift"; ``rate`` is
    None without a guarantee. ``apart`` and ``unusual`` count rows of the first two tiers. ``differing`` is the share of rows
    that differ from the training rows, ``shifted`` names the columns that moved most (None: none).
    """

    kind: str
    rate: Optional[float]
    apart: int
    unusual: int
    differing: float
    shifted: Optional[str]
    dependence: Dependence

    @property
    def text(self) -> str:
        return str.__str__(self)


def _headline(info: Any) -> Headline:
    c, headline = info.headline, Headline(text(info.answer))
    found = c.dependence
    headline.kind, headline.rate = HEADLINES[c.kind], c.rate or None
    headline.apart, headline.unusual = int(c.apart), int(c.unusual)
    headline.differing, headline.shifted = c.differing, text(c.shifted) or None
    headline.dependence = Dependence(
        bool(found.tested), bool(found.dependent), int(found.rows), found.nearness, found.z, int(found.reach),
        text(found.entity) or None,
    )  # fmt: skip
    return headline


class Ranking:
    """A ranking of the C library, with its table and model, which must live as long."""

    def __init__(self, c: Any, table: Table, settings: Any, model: Any, owned: bool = True) -> None:
        self.c = ffi.gc(c, lib.anorank_ranking_free) if owned else c
        self.table, self.settings, self.model = table, settings, model

    def as_table(self, reasons: bool, keep: str = "") -> Table:
        out = ffi.new("anorank_table **")
        self.settings.run(lib.anorank_ranking_table, out, self.c, self.table.c, keep.encode(), int(reasons))
        return Table(ffi.gc(out[0], lib.anorank_table_free))

    def columns(self, reasons: bool) -> Dict[str, Any]:
        """rank, row (from 0), score, p_value, q_value, tier and reasons, the most abnormal first."""
        made = self.as_table(reasons)
        names = ["rank", "row", "score", "p_value", "q_value"] + ["tier", "reasons"] * reasons
        first = len(made.names) - len(names)
        found = {name: made.column(first + k) for k, name in enumerate(names)}
        found["rank"] = found["rank"].astype(np.int64)
        found["row"] = found["row"].astype(np.int64) - 1
        if reasons and found["reasons"].dtype != object:  # no row has one
            found["reasons"] = np.full(len(found["row"]), None, dtype=object)
        return found

    def explanations(self) -> List[Explanation]:
        found = []
        for i in range(lib.anorank_ranking_get_info(self.c).count):
            one = lib.anorank_ranking_at(self.c, i)
            reasons = [_reason(lib.anorank_ranking_reason(self.c, i, k)) for k in range(one.reasons)]
            found.append(Explanation(int(one.row), int(one.rank), one.score, one.p_value, one.q_value, reasons))
        return found

    def headline(self) -> Headline:
        return _headline(lib.anorank_ranking_get_info(self.c))

    def notes(self) -> List[Note]:
        info = lib.anorank_ranking_get_info(self.c)
        said = [Note(text(info.note), text(info.note_code)), Note(text(info.resolution), text(info.resolution_code))]
        return [note for note in said if note]


def _frame_class() -> Any:
    import pandas as pd

    class RankedFrame(pd.DataFrame):  # type: ignore[misc]
        """A ranking: a DataFrame that shows its headline. Results of operations on it are plain DataFrames."""

        @property
        def _constructor(self) -> Any:
            return pd.DataFrame

        @property
        def headline(self) -> Optional[Headline]:
            found: Optional[Headline] = self.attrs.get("anorank", {}).get("headline")
            return found

        def __repr__(self) -> str:
            return f"{self.headline}\n{pd.DataFrame(self)!r}" if self.headline else repr(pd.DataFrame(self))

        def _repr_html_(self) -> Optional[str]:
            about = self.attrs.get("anorank", {})
            said = "".join(f"<br><small>{html.escape(note)}</small>" for note in about.get("notes", []))
            table = pd.DataFrame(self)._repr_html_()
            return f"<p><b>{html.escape(about.get('headline', ''))}</b>{said}</p>{table}"

    return RankedFrame


_classes: Dict[str, Any] = {}


def _original(X: Any, table: Table) -> Any:
    """The rows as a frame."""
    import pandas as pd

    if is_frame(X):
        return X
    if getattr(X, "dtype", None) is not None and len(getattr(X, "shape", ())) == 2:
        return pd.DataFrame(X, columns=table.names)
    return pd.DataFrame({name: table.column(j) for j, name in enumerate(table.names)})


def ranked_frame(data: Any, index: Any, about: Dict[str, Any]) -> Any:
    if "frame" not in _classes:
        _classes["frame"] = _frame_class()
    ranked = _classes["frame"](data, index=index)
    ranked.attrs["anorank"] = about
    return ranked


def as_frame(verdict: Ranking, X: Any, reasons: bool) -> Any:
    """The original columns between rank, score, p_value, q_value in front and tier and reasons at the end."""
    found = verdict.columns(reasons)
    rows = found.pop("row")
    frame = _original(X, verdict.table).iloc[rows].copy()
    taken = {str(name) for name in frame.columns} | set(found)
    renamed = []
    for name in frame.columns:
        k, other = 1, name
        while other in found or (other != name and other in taken):
            other, k = f"{name}_{k}", k + 1
        renamed.append(other)
    frame.columns = renamed if renamed != list(frame.columns) else frame.columns
    for place, name in enumerate(["rank", "score", "p_value", "q_value"]):
        frame.insert(place, name, found[name])
    for name in ["tier", "reasons"] * reasons:
        frame[name] = found[name]
    return ranked_frame(frame, None, {"headline": verdict.headline(), "notes": verdict.notes()})


def as_records(verdict: Ranking, reasons: bool) -> Any:
    """A NumPy record array: row counts from 0."""
    found = verdict.columns(reasons)
    kinds = [(name, values.dtype) for name, values in found.items()]
    records = np.rec.fromarrays(list(found.values()), dtype=kinds)
    records.headline = verdict.headline()
    return records


def as_arrow(verdict: Ranking, reasons: bool) -> Any:
    """All columns and the ranking, as an object with __arrow_c_stream__; row counts from 1, as in files."""
    stream = _arrow.Stream(verdict.as_table(reasons, keep="all").c)
    stream.headline = verdict.headline()
    return stream
