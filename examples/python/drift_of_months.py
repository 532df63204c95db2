"""Test whether a month has drifted from the training month, and show what changed."""
import anorank

cards = anorank.datasets.cards(7000, anomalies=0, random_state=2).drop(columns="fraud").sample(frac=1, random_state=0)
history, april = cards[:4000], cards[4000:]
may = april.assign(amount=april["amount"] * 1.4, channel=april["channel"].where(april["channel"] != "chip", "wallet"))

ranker = anorank.AnomalyRanker(train="clean", id=["transaction", "account", "time"]).fit(history)
found = {}
for name, month in [("april", april), ("may", may)]:
    found[name] = ranker.drift(history, month, permutations=199)
    print(f"{name}: {found[name].verdict}")
    for column in found[name].columns:
        if column.p_value <= 0.01:
            print("  -", column)
assert found["april"].p_value > 0.01 and found["may"].p_value <= 0.02
assert {"amount", "channel"} <= {column.name for column in found["may"].columns if column.p_value <= 0.01}
