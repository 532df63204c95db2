"""Compare detectors by how well they order unseen rows, without labels."""
import numpy as np
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor
from sklearn.svm import OneClassSVM

import anorank

rng = np.random.default_rng(1)
rows = np.concatenate([rng.normal([0, 0], [1, 0.2], (600, 2)), rng.normal([3, 3], [0.2, 1], (600, 2))])
rng.shuffle(rows)
train, fresh = rows[:800], rows[800:]

detectors = {
    "isolation forest": IsolationForest(random_state=0),
    "local outlier factor": LocalOutlierFactor(novelty=True),
    "one-class SVM": OneClassSVM(gamma="scale"),
    "anorank": anorank.AnomalyRanker(train="clean"),
    "a random order": None,
}
areas = {}
for name, detector in detectors.items():
    score = detector.fit(train).score_samples if detector is not None else lambda X: rng.random(len(X))
    judged = anorank.criterion.judge(score, fresh, rows=2000, random_state=0, bootstrap=0)
    areas[name] = judged.area
    print(f"{name:<22} area under the mass-volume curve {judged.area}")
print("0 is best, 0.5 a random order")
assert areas["anorank"].high < 0.25 and abs(areas["a random order"].estimate - 0.5) < 0.1
