"""Figures like scikit-learn's displays; they need matplotlib."""
from __future__ import annotations

from typing import Any, Optional

from . import criterion
from .judgement import Judgement, judge
from .ranker import AnomalyRanker


class MassVolumeDisplay:
    """A mass-volume curve with its band. Make one by `from_estimator` or `from_scores`."""

    def __init__(self, judgement: Judgement, name: Optional[str] = None) -> None:
        self.judgement, self.name = judgement, name
        self.line_: Any = None
        self.ax_: Any = None
        self.figure_: Any = None

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, ax: Any = None, name: Optional[str] = None, **settings: Any
    ) -> "MassVolumeDisplay":
        """Evaluate a fitted estimator on unseen rows X, and draw the curve."""
        if isinstance(estimator, AnomalyRanker):
            judged = estimator.evaluate(X, **settings).judgements[0]
        else:
            judged = criterion.judge(estimator.score_samples, X, **settings)
        return cls(judged, name or type(estimator).__name__).plot(ax)

    @classmethod
    def from_scores(
        cls, x: Any, u: Any, *, ax: Any = None, name: Optional[str] = None, **settings: Any
    ) -> "MassVolumeDisplay":
        """The same from scores of normal rows and of contrast rows."""
        return cls(judge(x, u, settings), name).plot(ax)

    def plot(self, ax: Any = None, **line: Any) -> "MassVolumeDisplay":
        """Draw into ``ax``, or into a new figure."""
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots()
        curve, area = self.judgement.curve, self.judgement.area
        label = f"{self.name + ': ' if self.name else ''}area {area.estimate:.3f} ({area.low:.3f} to {area.high:.3f})"
        (self.line_,) = ax.plot(curve.mass, curve.volume, label=label, **line)
        ax.fill_between(curve.mass, curve.band_low, curve.band_high, alpha=0.2, color=self.line_.get_color())
        ax.set(
            xlabel="Mass: share of normal rows", ylabel="Volume: share of contrast rows", xlim=(0, 1), ylim=(0, None)
        )
        ax.legend(loc="upper left")
        self.ax_, self.figure_ = ax, ax.figure
        return self
