"""The streaming accumulator of the C library: add blocks, merge, to and from bytes, fit, select, fetch, next."""
from __future__ import annotations

import pickle
from typing import Any, Iterator, List, Optional, Tuple

import numpy as np

from . import ranking
from ._anorank import ffi, lib
from ._columns import Table
from ._model import Model
from ._settings import Settings


def _bytes(settings: Settings, function: Any, c: Any) -> bytes:
    out, length = ffi.new("unsigned char **"), ffi.new("size_t *")
    settings.run(function, out, length, c)
    try:
        return bytes(ffi.buffer(out[0], length[0]))
    finally:
        lib.anorank_bytes_free(out[0])


class Stream:
    """Without a model: a sample of the rows for a fit. With one: scores and counts of the rows for a ranking."""

    def __init__(self, settings: Settings, model: Optional[Model] = None, data: Optional[bytes] = None) -> None:
        self.settings, self.model = settings, model
        self.own: Tuple[Any, Any] = (np.empty(0, np.uintp), np.empty(0))
        self._fetched: List[Tuple[Any, Any]] = []
        self._place: Optional[Tuple[int, int]] = None
        kind, inner = "new", b""
        if data is not None:
            kind, inner, self.own = pickle.loads(data)
        if model is None:
            self.c = self._gathering(inner if kind == "sample" else None)
        else:
            self.c = self._tally(inner if kind == "counts" else None)

    @classmethod
    def from_bytes(cls, data: bytes, settings: Settings, model: Optional[Model] = None) -> "Stream":
        return cls(settings, model, data)

    def _gathering(self, data: Optional[bytes]) -> Any:
        out = ffi.new("anorank_gathering **")
        if data is None:
            self.settings.run(lib.anorank_gathering_new, out, self.settings.c)
        else:
            self.settings.run(lib.anorank_gathering_from_bytes, out, ffi.from_buffer(data), len(data))
        return ffi.gc(out[0], lib.anorank_gathering_free)

    def _tally(self, data: Optional[bytes]) -> Any:
        assert self.model is not None
        out = ffi.new("anorank_tally **")
        if data is None:
            self.settings.run(lib.anorank_tally_new, out, self.model.c, self.settings.c)
        else:
            held = ffi.from_buffer(data)
            self.settings.run(lib.anorank_tally_from_bytes, out, self.model.c, held, len(data), self.settings.c)
        made = ffi.gc(out[0], lib.anorank_tally_free)
        rows, scores = self.own
        if len(rows):
            lib.anorank_tally_own_scores(
                made, ffi.from_buffer("size_t[]", rows), ffi.from_buffer("double[]", scores), len(rows)
            )
        return made

    def to_bytes(self) -> bytes:
        """The sample, the scores that a fit gave its rows, or the counts: whichever is newest."""
        if self.model is None:
            return pickle.dumps(("sample", _bytes(self.settings, lib.anorank_gathering_to_bytes, self.c), self.own))
        if lib.anorank_tally_rows(self.c) == 0 and len(self.own[0]):
            return pickle.dumps(("fitted", b"", self.own))
        none = (np.empty(0, np.uintp), np.empty(0))
        return pickle.dumps(("counts", _bytes(self.settings, lib.anorank_tally_to_bytes, self.c), none))

    def add(self, block: Table, first_row: int) -> None:
        function = lib.anorank_gathering_add if self.model is None else lib.anorank_tally_add
        self.settings.run(function, self.c, block.c, first_row)

    def merge(self, other: "Stream") -> None:
        if len(self.own[0]) == 0:
            self.own = other.own
        function = lib.anorank_gathering_merge if self.model is None else lib.anorank_tally_merge
        self.settings.run(function, self.c, other.c)

    def fit(self, known: Optional[Table]) -> Model:
        """Fit on the sample; the stream then counts rows for a ranking by that model."""
        out = ffi.new("anorank_model **")
        named = ffi.NULL if known is None else known.c
        self.settings.run(lib.anorank_fit_gathered, out, self.c, named, self.settings.c)
        rows, scores = ffi.new("size_t const **"), ffi.new("double const **")
        count = lib.anorank_gathering_scores(self.c, rows, scores)
        if count:
            self.own = (
                np.frombuffer(ffi.buffer(rows[0], 8 * count), np.uintp).copy(),
                np.frombuffer(ffi.buffer(scores[0], 8 * count), np.float64).copy(),
            )
        self.model = Model(out[0])
        self.c = self._tally(None)
        return self.model

    def sample(self) -> Table:
        """The sampled rows, in the order of the table."""
        out = ffi.new("anorank_table const **")
        self.settings.run(lib.anorank_gathering_table, out, self.c)
        return Table(out[0])

    def select(self) -> None:
        """All rows were counted: choose those to report."""

    def place(self, before: int, count: int) -> None:
        """Rows that other streams report: so many before those of this one, and so many of all."""
        self._place = (before, count)

    def fetch(self, block: Table, first_row: int) -> None:
        tally = self._tally(None)
        self.settings.run(lib.anorank_tally_add, tally, block.c, first_row)
        self.settings.run(lib.anorank_tally_take_counts, tally, self.c)
        self.settings.run(lib.anorank_tally_finish, tally)
        self.settings.run(lib.anorank_tally_fetch, tally, block.c, first_row)
        if self._place is not None:
            self.settings.run(lib.anorank_tally_follow, tally, *self._place)
        self._fetched.append((tally, None))

    def rankings(self, most: int = 32768) -> Iterator[Any]:
        """Rows to report of those that were fetched, most abnormal first; each is dead once the next is asked for."""
        for tally, _ in self._fetched:
            while True:
                out, table = ffi.new("anorank_verdict const **"), ffi.new("anorank_table const **")
                self.settings.run(lib.anorank_tally_next, out, table, tally, most)
                if not out[0]:
                    break
                yield ranking.Verdict(out[0], Table(table[0]), self.settings, self.model, owned=False)
