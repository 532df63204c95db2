"""Is this month still like the one that the model was fitted on? Scores of new rows, tested against fresh normal ones."""
import numpy as np

import anorank

rng = np.random.default_rng(4)
history, fresh = rng.normal(size=(2000, 5)), rng.normal(size=(500, 5))
same, moved = rng.normal(size=(500, 5)), rng.normal(loc=[1.5, 0, 0, 0, 0], size=(500, 5))

ranker = anorank.AnomalyRanker(train="clean").fit(history)
normal = ranker.score_samples(fresh)
for name, month in [("an ordinary month", same), ("a month that moved", moved)]:
    p = anorank.criterion.two_sample_test(normal, ranker.score_samples(month))
    print(f"{name:<19} p-value {p:.2g}: {'its rows are more abnormal than before' if p < 0.001 else 'nothing to see'}")
    assert (p < 0.001) == (name == "a month that moved")
