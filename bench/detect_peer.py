"""detect_peer.py ROWS OUT: the job of `anorank detect` with pandas and scikit-learn: read, fit, score, write the worst rows."""
import sys

import pandas
from sklearn.ensemble import IsolationForest

rows = pandas.read_csv(sys.argv[1])
forest = IsolationForest(n_jobs=-1, random_state=0).fit(rows)
rows.insert(0, "score", forest.score_samples(rows))
rows.sort_values("score").head(50).to_csv(sys.argv[2], index=False)
