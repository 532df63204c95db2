"""Tasks of anorank.dask: pure functions of a part of a table and of bytes, which any worker may run, and run again."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _parts, _tables
from ._anorank import ffi, lib
from ._columns import Builder, Table, owned
from ._errors import Error
from ._settings import Settings
from ._stream import Stream
from .ranker import AnomalyRanker

Columns = List[Tuple[str, Any]]
OURS = ("rank", "row", "score", "p_value", "q_value", "tier", "reasons")


class Choice(NamedTuple):
    """The rows and columns that a ranking reports."""

    lowest: Optional[int]
    fdr: Optional[float]
    mass: Optional[float]
    reasons: int
    shown: str  # columns of the table to report, besides identifiers
    kept: str  # columns whose cells the reader remembers as they are written

    def settings(self, ranker: AnomalyRanker) -> Settings:
        return ranker._reading(
            lowest=self.lowest, fdr=self.fdr, mass=self.mass, reasons=self.reasons, keep=self.kept or None
        )


class Found(NamedTuple):
    """The rows of a part that are reported, by score and row: their scores and columns, and the index of a DataFrame."""

    scores: Any
    columns: Columns  # empty: the part has no rows
    like: Columns  # without rows
    index: Any


def shape(part: Any, ranker: AnomalyRanker) -> Any:
    """Return rows and columns of a part, or its error; the client raises the first error."""
    try:
        return _parts.shape_of(part, ranker._reading())
    except Error as error:
        return error


def _blocks(part: Any, names: Optional[Sequence[str]], settings: Settings) -> Iterator[Table]:
    if _tables.is_path(part) or len(part) > 0:  # the types of a partition without rows say nothing
        yield from _parts.blocks_of(part, names, settings)


def _matched_blocks(part: Any, ranker: AnomalyRanker, settings: Settings) -> Iterator[Table]:
    X, names = ranker._checked(part, by_name=True)
    yield from _blocks(X, names, settings)


# ---- fit -----------------------------------------------------------------------------------------------------------


def sample(part: Any, first_row: int, ranker: AnomalyRanker) -> bytes:
    """Return the contribution of one part to the sample of a fit."""
    settings = ranker._settings()
    stream = Stream(settings)
    for block in _blocks(part, None, settings):
        stream.add(block, first_row)
        first_row += block.rows
    return stream.to_bytes()


def merge_samples(one: bytes, other: bytes, ranker: AnomalyRanker) -> bytes:
    settings = ranker._settings()
    merged = Stream.from_bytes(one, settings)
    merged.merge(Stream.from_bytes(other, settings))
    return merged.to_bytes()


def fit(sampled: bytes, ranker: AnomalyRanker, names: Optional[List[str]]) -> Tuple[bytes, bytes]:
    """The model, and the scores that the fit gave its own rows."""
    settings = ranker._settings()
    stream = Stream.from_bytes(sampled, settings)
    model = stream.fit(ranker._known_table(names, settings))
    return model.to_bytes(), stream.to_bytes()


# ---- scores --------------------------------------------------------------------------------------------------------


def scores(part: Any, ranker: AnomalyRanker, which: int) -> Any:
    """Scores (which = 0) or p-values (1)."""
    if not _tables.is_path(part) and len(part) == 0:
        return np.empty(0)
    return ranker._scores(part, which, by_name=which == 1)


def write_scores(part: Any, first_row: int, ranker: AnomalyRanker, choice: Choice, path: str) -> str:
    """One file as `anorank score` writes it."""
    reading, settings = choice.settings(ranker), ranker._reading(keep=choice.shown or None)

    def scored() -> Iterator[Table]:
        at, out = first_row, ffi.new("anorank_table **")
        X, names = ranker._checked(part, by_name=True)
        for block in _parts.blocks_of(X, names, reading):
            settings.run(lib.anorank_model_score_table, out, ranker._fitted().c, block.c, at + 1, settings.c)
            at += block.rows
            yield owned(out)

    return _parts.write_blocks(path, scored(), settings)


# ---- rankings ------------------------------------------------------------------------------------------------------


def count(part: Any, first_row: int, ranker: AnomalyRanker, own: Optional[bytes], choice: Choice) -> bytes:
    """Scores of the rows of a part, counted. ``own``: the scores that a fit on these rows gave them."""
    settings = choice.settings(ranker)
    stream = Stream(settings, ranker._fitted(), own)
    for block in _matched_blocks(part, ranker, settings):
        if block.rows > 0:  # a file without rows does not show which columns are times
            stream.add(block, first_row)
        first_row += block.rows
    return stream.to_bytes()


def merge_counts(one: bytes, other: bytes, ranker: AnomalyRanker, choice: Choice) -> bytes:
    settings = choice.settings(ranker)
    merged = Stream.from_bytes(one, settings, ranker._fitted())
    merged.merge(Stream.from_bytes(other, settings, ranker._fitted()))
    return merged.to_bytes()


def _selection(ranker: AnomalyRanker, own: Optional[bytes], counts: bytes, settings: Settings) -> Stream:
    stream = Stream(settings, ranker._fitted(), own)
    stream.merge(Stream.from_bytes(counts, settings, ranker._fitted()))
    stream.select()
    return stream


def place_of_ours(columns: Columns) -> int:
    """Return where the columns of the result begin, after those of the table."""
    return len(columns) - (len(OURS) if columns[-1][0] == OURS[-1] else len(OURS) - 2)


def report(
    part: Any, first_row: int, ranker: AnomalyRanker, own: Optional[bytes], counts: bytes, choice: Choice,
    format: Optional[str],
) -> Found:  # fmt: skip
    """The rows of a part that are reported. Their ranks are those within the part: `ranks` has those of all parts.
    ``format``: of the file that they go to; None: they are collected."""
    settings, begin = choice.settings(ranker), first_row
    stream = _selection(ranker, own, counts, settings)
    for block in _matched_blocks(part, ranker, settings):
        stream.fetch(block, first_row)
        first_row += block.rows
    pieces = [
        _parts.columns_of(ranking.as_table(choice.reasons > 0, choice.shown), format)
        for ranking in stream.rankings()
    ]
    if not pieces:
        return Found(np.empty(0), [], [], None)
    columns = [(name, np.concatenate([piece[j][1] for piece in pieces])) for j, (name, _) in enumerate(pieces[0])]
    place = place_of_ours(columns)
    rows, found = columns[place + 1][1], columns[place + 2][1]
    order = np.lexsort((rows, found))
    columns = [(name, values[order]) for name, values in columns]
    index = None if _tables.is_path(part) else part.index[rows[order].astype(np.int64) - 1 - begin]
    return Found(found[order], columns, [(name, values[:0]) for name, values in columns], index)


def with_file(found: Found, first_row: int, file: Optional[str]) -> Found:
    """With the name of the file of each row in front, and its row there, from 0 if the file begins with row ``first_row`` + 1.
    ``file``: None where the table is not several files."""
    if file is None or not found.columns:
        return found

    def added(columns: Columns) -> Columns:
        rows = columns[place_of_ours(columns) + 1][1]
        return [("file", np.full(len(rows), file, dtype=object)), ("file_row", (rows - first_row - 1).astype(np.int64)), *columns]

    return found._replace(columns=added(found.columns), like=added(found.like))


def ranks(found: Sequence[Any]) -> List[Any]:
    """The ranks of each part's scores among those of all parts. Equal scores share the best rank."""
    _, inverse, counts = np.unique(np.concatenate(found), return_inverse=True, return_counts=True)
    first = 1 + np.cumsum(counts) - counts
    return list(np.split(first[inverse], np.cumsum([len(one) for one in found])[:-1]))


def with_ranks(found: Found, ranked: Any) -> Columns:
    columns, place = list(found.columns), place_of_ours(found.columns)
    columns[place] = (OURS[0], np.asarray(ranked, dtype=np.float64))
    return columns


def write_report(found: Found, ranked: Any, like: Sequence[Columns], path: str) -> str:
    """One file as `anorank rank` writes it. ``like``: the columns of all parts, for one that has no rows."""
    columns = with_ranks(found, ranked) if found.columns else next(one for one in like if one)
    if path.endswith(".npy"):
        columns = [(name, values) for name, values in columns if name not in OURS[-2:]]
    return _parts.write_columns(path, columns, Settings({}))


def sentences(ranker: AnomalyRanker, own: Optional[bytes], counts: bytes, choice: Choice) -> Dict[str, Any]:
    """Headline and notes of a ranking."""
    settings = choice.settings(ranker)
    builder = Builder(0, settings)
    for name in ranker._fitted().names:
        builder.numbers(name, np.empty(0))
    stream = _selection(ranker, own, counts, settings)
    stream.fetch(builder.finish(), 0)
    ranking = next(stream.rankings())
    return {"headline": ranking.headline(), "notes": ranking.notes()}
