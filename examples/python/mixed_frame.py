"""A DataFrame with numbers, texts, categories, flags, dates and missing cells, without any preparation."""
import numpy as np
import pandas as pd

import anorank

rng = np.random.default_rng(0)
n = 2000
orders = pd.DataFrame(
    {
        "amount": rng.lognormal(3, 1, n),
        "paid": [f"{v:.2f} €".replace(".", ",") for v in rng.lognormal(3, 1, n)],  # texts that are numbers
        "country": rng.choice(["NO", "SE", "DK", None], n, p=[0.5, 0.3, 0.15, 0.05]),
        "size": pd.Categorical(rng.choice(["S", "M", "L"], n)),
        "gift": rng.random(n) < 0.1,
        "ordered": pd.Timestamp("2025-03-03 08:00") + pd.to_timedelta(rng.integers(0, 10 * 3600, n), unit="s"),
    }
)
orders.loc[17, ["amount", "country", "ordered"]] = [9000.0, "XX", pd.Timestamp("2025-03-03 03:12")]

ranker = anorank.AnomalyRanker().fit(orders)
for note in ranker.notes_[:4]:
    print("-", note)
first = ranker.rank(orders, lowest=3)
print(first[["rank", "score", "amount", "country"]])
for reason in ranker.explain(orders, row=17).reasons[:3]:
    print(f"{reason.contribution:6.2f}  {reason.kind:<9}  {reason}")
assert first.index[0] == 17
assert {"amount", "country"} <= {reason.column for reason in ranker.explain(orders, row=17).reasons[:3]}
