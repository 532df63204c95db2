"""The paper's experiment: a network trained on the rank criterion finds the outliers among 500 test rows."""
import anorank

data = anorank.datasets.paper(random_state=0)
ranker = anorank.AnomalyRanker("mlp", train="clean", contrast="radial", contrast_ratio=0.5).fit(data.X)
scores = ranker.score_samples(data.test)
for lowest in (25, 50, 75, 100):
    print(f"one network: {data.labels[scores.argsort()[:lowest]].mean():.2f} outliers among the {lowest} lowest")

print("\nTable 1, ten repetitions (docs/reproduce.md has 500):")
for row in anorank.datasets.reproduce(10, random_state=1):
    print(
        f"{row.n_lowest:>4} lowest: {row.mean:.2f} here, {row.paper_mean:.2f} in the paper, {row.ceiling_mean:.2f} by the true density"
    )
    assert abs(row.mean - row.paper_mean) < 0.1
