"""What a user's type checker sees: this file is checked, never run."""
from typing import Sequence

import anorank
import anorank.dask

ranker: anorank.AnomalyRanker = anorank.AnomalyRanker("knn", train="clean", neighbours=3).fit([[1.0], [2.0]])
area: float = ranker.evaluate([[1.0], [2.0]]).area.estimate
verdict: str = ranker.evaluate([[1.0]]).verdict
notes: Sequence[str] = ranker.notes_
code: str = ranker.notes_[0].code
judged: anorank.Judgement = anorank.criterion.judge(ranker.score_samples, [[1.0]])
p: float = anorank.criterion.two_sample_test([1.0, 2.0], [0.0, 1.0])
fitted: anorank.AnomalyRanker = anorank.dask.fit(anorank.AnomalyRanker(), ["part-0.csv", "part-1.csv"])
spread: float = anorank.dask.evaluate(fitted, "parts").area.sd
alerts = anorank.dask.rank(fitted, "parts", fdr=0.1, keep=["name"], folder="alerts")
