"""Card frauds: fit on a clean history, rank the next month, and print the reasons."""
import anorank

history = anorank.datasets.cards(20000, anomalies=0, random_state=1)
april = anorank.datasets.cards(8000, random_state=1, first_row=20000)

ranker = anorank.AnomalyRanker(train="clean", id=["transaction", "account"], drop="fraud").fit(history)
alerts = ranker.rank(april, fdr=0.1)
print(alerts.attrs["anorank"]["headline"])
print(alerts[["rank", "transaction", "amount", "q_value", "reasons"]].head(5).to_string(index=False))

frauds = alerts["fraud"].sum()
print(f"{len(alerts)} alerts, {frauds:.0f} of {april['fraud'].sum():.0f} frauds among them")
assert frauds >= 0.7 * len(alerts) and frauds >= 5
