"""Reviews: the answers of a person, and the rows to ask about next."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional

import numpy as np

from . import _tables, ranking
from ._anorank import ffi, lib
from ._columns import Table, owned, unmasked
from ._errors import UsageError, refusal, sink, text
from ._settings import Settings

_WORDS = {
    lib.ANORANK_ANSWER_NORMAL: 0.0, lib.ANORANK_ANSWER_ANOMALY: 1.0,
    lib.ANORANK_ANSWER_OPEN: None, lib.ANORANK_ANSWER_SKIPPED: "skip",
}  # fmt: skip


def labels_of(answers: Any, rows: int) -> Any:
    """Answers about rows for C, one signed byte each: 1 anomaly, 0 normal, -1 unknown, for None, NaN and -1."""
    given = list(unmasked(answers))
    if len(given) != rows:
        raise refusal(
            UsageError, "label-count",
            f"answers: {len(given)} values for {rows} rows; pass one per row, None or -1 if unknown",
        )  # fmt: skip
    made = np.empty(rows, dtype=np.int8)
    for i, one in enumerate(given):
        if one is None or type(one).__name__ == "NAType" or one != one:
            made[i] = -1
        elif one in (0, 1, -1):
            made[i] = int(one)
        else:
            raise refusal(
                UsageError, "label-value",
                f"answers: {one!r} of row {i} is not an answer; pass 1 (anomaly), 0 (normal) or -1 (not known)", row=i + 1,
            )  # fmt: skip
    return made


class Review:
    """Ask a person about the most abnormal rows, a few at a time; the order learns from the answers.

    Rows similar to a confirmed anomaly rank as more abnormal, rows similar to a dismissed one as less abnormal (scorer
    'auto' or 'blend'); other rows keep their place. The answers have the format of
    ``anorank detect FILE --review labels.csv``.

    Parameters
    ----------
    X : table
        All rows: a DataFrame, an array, an Arrow table, or a file name.
    ranker : AnomalyRanker or None, default None
        The ranker, refitted in each round; None takes the defaults.
    answers : table or None, default None
        Earlier answers, for example the file that `save` wrote: ``label`` and ``row`` (from 1) or the
        identifiers that the ranker's ``id`` names.

    Examples
    --------
    >>> import anorank
    >>> frame = anorank.datasets.cards(1000, anomalies=0.02)
    >>> fraud = frame.pop("fraud")
    >>> review = anorank.Review(frame, anorank.AnomalyRanker(id=["transaction", "account"]))
    >>> for row in review.ask(5):           # explanations: str(row) says why it stands out
    ...     review.answer(row, bool(fraud[row.row]))
    >>> int((review.labels >= 0).sum())
    5
    >>> len(review.rank(lowest=10))         # the order after these answers
    10
    """

    def __init__(self, X: Any, ranker: Any = None, answers: Any = None) -> None:
        from .ranker import AnomalyRanker

        self.ranker = ranker if ranker is not None else AnomalyRanker()
        settings = self.ranker._settings()
        self._table, self._X, _ = self.ranker._training_table(X, settings)
        out = ffi.new("anorank_review **")
        settings.run(lib.anorank_review_new, out, self._table.c)
        self._c = ffi.gc(out[0], lib.anorank_review_free)
        if answers is not None:
            told = _tables.as_table(_tables.normal(answers), None, Settings({}))
            settings.run(lib.anorank_review_read, self._c, told.c, settings.c)

    @property
    def labels(self) -> Any:
        """1 anomaly, 0 normal or -1 unknown for each row, as for ``AnomalyRanker.fit(X, answers=...)``."""
        return np.frombuffer(ffi.buffer(lib.anorank_review_labels(self._c), self._table.rows), dtype=np.int8).copy()

    @property
    def asked(self) -> List[Dict[str, Any]]:
        """The rows asked about, in order: ``row`` (from 0), ``label`` (1, 0, "skip"; None: open), ``reasons``."""
        return [
            {"row": int(one.row), "label": _WORDS[one.answer], "reasons": text(one.reasons)}
            for one in (lib.anorank_review_at(self._c, i) for i in range(lib.anorank_review_count(self._c)))
        ]

    def _detect(self, **choice: Any) -> ranking.Ranking:
        settings = self.ranker._settings(**choice)
        known = self.ranker._known_table(self._table.names, settings)
        labels = lib.anorank_review_labels(self._c)
        return self.ranker._detect(self._table, self._X, labels, known, settings)  # type: ignore[no-any-return]

    def ask(self, rows: int = 5) -> List[ranking.Explanation]:
        """Fit with the answers so far and return the rows to review: the most abnormal not yet asked about, until
        ``rows`` are open. The ranker is fitted after it."""
        most = min(self._table.rows, lib.anorank_review_count(self._c) + int(rows))
        verdict = self._detect(lowest=most, reasons=3, review_rows=rows)
        verdict.settings.run(lib.anorank_review_ask, self._c, verdict.c, verdict.settings.c)
        open_rows = {one["row"] for one in self.asked if one["label"] is None}
        found = {one.row: one for one in verdict.explanations() if one.row in open_rows}
        return list(found.values())

    def answer(self, row: Any, label: Optional[Any]) -> None:
        """Record the answer about a row, given by its number (from 0) or its explanation: True or 1 anomaly, False or 0 normal,
        None unknown, which is not asked again. Rows not asked about may be answered as well."""
        at = row.row if isinstance(row, ranking.Explanation) else int(row)
        said = lib.ANORANK_ANSWER_SKIPPED if label is None else int(labels_of([label], 1)[0])
        if not 0 <= at < self._table.rows:
            raise IndexError(f"there is no row {at} among {self._table.rows}")
        settings = Settings({})
        settings.run(lib.anorank_review_answer, self._c, at, said)

    def rank(self, *, reasons: int = 3, output: str = "auto", **choice: Any) -> Any:
        """Fit with the answers so far and rank the rows: `AnomalyRanker.fit_rank`, with its arguments."""
        from .ranker import _output

        return _output(self._detect(reasons=reasons, **choice), self._X, reasons, output)

    def _answers(self) -> Table:
        settings, out = self.ranker._settings(), ffi.new("anorank_table **")
        settings.run(lib.anorank_review_table, out, self._c, settings.c)
        return owned(out)

    def save(self, path: Any) -> None:
        """Write the answers as a feedback file, in the format of the extension, for the command line or another review."""
        settings, table = Settings({}), self._answers()
        settings.run(lib.anorank_table_write, table.c, sink(os.fsencode(path)), ffi.NULL)
