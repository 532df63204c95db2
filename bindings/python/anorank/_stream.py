"""The streaming accumulator of the C library (anorank_stream)."""
from __future__ import annotations

from typing import Any, Iterator, Optional

from . import ranking
from ._anorank import ffi, lib
from ._columns import Table, owned
from ._model import Model
from ._settings import Settings


class Stream:
    """Without a model: a sample of the rows for a fit. With one: scores and counts of the rows for a ranking."""

    def __init__(self, settings: Settings, model: Optional[Model] = None, data: Optional[bytes] = None) -> None:
        self.settings, self.model, self.fetched = settings, model, False
        out, ranked_by = ffi.new("anorank_stream **"), ffi.NULL if model is None else model.c
        if data is None:
            settings.run(lib.anorank_stream_new, out, ranked_by, settings.c)
        else:
            held = ffi.from_buffer(data)
            settings.run(lib.anorank_stream_from_bytes, out, ranked_by, held, len(data), settings.c)
        self.c = ffi.gc(out[0], lib.anorank_stream_free)

    @classmethod
    def from_bytes(cls, data: bytes, settings: Settings, model: Optional[Model] = None) -> "Stream":
        return cls(settings, model, data)

    def _bytes(self, function: Any) -> bytes:
        out, length = ffi.new("unsigned char **"), ffi.new("size_t *")
        self.settings.run(function, out, length, self.c)
        try:
            return bytes(ffi.buffer(out[0], length[0]))
        finally:
            lib.anorank_bytes_free(out[0])

    def to_bytes(self) -> bytes:
        return self._bytes(lib.anorank_stream_to_bytes)

    def add(self, block: Table, first_row: int) -> None:
        self.settings.run(lib.anorank_stream_add, self.c, block.c, first_row)

    def skip(self, block: Table, first_row: int) -> None:
        """Rows are compared with earlier rows: continue over rows that another process adds, scores or fetches."""
        self.settings.run(lib.anorank_stream_skip, self.c, block.c, first_row)

    def state(self) -> bytes:
        """The state after the rows of this pass."""
        return self._bytes(lib.anorank_stream_state)

    def resume(self, state: bytes) -> None:
        """Begin a pass with the next row after a state."""
        self.settings.run(lib.anorank_stream_resume, self.c, ffi.from_buffer(state), len(state))

    def score(self, block: Table, first_row: int) -> Table:
        """Rows with score and p-value as the last columns, of a model that compares rows with earlier rows."""
        out = ffi.new("anorank_table **")
        self.settings.run(lib.anorank_stream_score, out, self.c, block.c, first_row, 0, 1)
        return owned(out)

    def merge(self, other: "Stream") -> None:
        self.settings.run(lib.anorank_stream_merge, self.c, other.c)

    def fit(self, known: Optional[Table]) -> Model:
        """Fit on the sample; the stream then counts rows for a ranking by that model."""
        out, confirmed = ffi.new("anorank_model **"), ffi.NULL if known is None else known.c
        self.settings.run(lib.anorank_stream_fit, out, self.c, confirmed, self.settings.c)
        self.model = Model(out[0])
        return self.model

    def sample(self) -> Table:
        """Return the sampled rows, in the order of the table; borrowed from the stream."""
        out = ffi.new("anorank_table const **")
        self.settings.run(lib.anorank_stream_sample, out, self.c)
        return Table(out[0])

    def select(self) -> None:
        """Select the rows to report, after all rows are counted."""
        self.settings.run(lib.anorank_stream_select, self.c)

    def fetch(self, block: Table, first_row: int) -> None:
        self.settings.run(lib.anorank_stream_fetch, self.c, block.c, first_row)
        self.fetched = True

    def rankings(self, most: int = 32768) -> Iterator[Any]:
        """Fetched rows to report, most abnormal first; each is invalid once the next is read."""
        out, table = ffi.new("anorank_ranking const **"), ffi.new("anorank_table const **")
        while self.fetched:
            self.settings.run(lib.anorank_stream_next, out, table, self.c, most)
            if not out[0]:
                return
            yield ranking.Ranking(out[0], Table(table[0]), self.settings, self.model, owned=False)
