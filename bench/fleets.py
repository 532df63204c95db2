#!/usr/bin/env python3
"""Are p-values right for each entity? Simulated fleets without any anomaly.

    fleets.py BINARY [--fleets N] [--entities N] [--seed N] [--check] [-- OPTION...]

A fleet has entities of 5 to 500 rows (uniform in the logarithm), three columns each: a level of the entity plus
AR(1) noise with a coefficient of 0 to 0.9 and a scale of 0.1 to 10 per entity. `fit` sees the first half of the rows of
each entity, `rank` judges the second. The table shows the share of rows with p <= 0.01 and p <= 0.05, over all rows and
by size, scale and coefficient of the entity. The last line compares incidents of rows with p <= 0.01 with the number that
`rank` expects of normal rows. --check: exit 1 if p <= 0.01 for more than 1.5 % of all rows or 3 % of any group, or,
with 50 fleets or more, if these numbers differ by a factor of more than 1.5. Options after -- go to `fit`.
"""
import argparse
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

COLUMNS = 3
SIZES, SCALES, COEFFICIENTS = (5, 16, 50, 160, 501), (0.1, 0.46, 2.15, 10), (0, 0.3, 0.6, 0.9)


def group_of(value, borders):
    return sum(value >= border for border in borders[1:-1])


def draw_fleet(random_numbers, entities):
    """Entities as (size, scale, coefficient, rows)."""
    fleet = []
    for _ in range(entities):
        size = int(math.exp(random_numbers.uniform(math.log(5), math.log(501))))
        scale = math.exp(random_numbers.uniform(math.log(0.1), math.log(10)))
        coefficient = random_numbers.uniform(0, 0.9)
        level = [random_numbers.gauss(0, 10) for _ in range(COLUMNS)]
        noise = [random_numbers.gauss(0, 1) for _ in range(COLUMNS)]
        rows = []
        for _ in range(size):
            noise = [coefficient * x + math.sqrt(1 - coefficient**2) * random_numbers.gauss(0, 1) for x in noise]
            rows.append([mean + scale * x for mean, x in zip(level, noise)])
        fleet.append((size, scale, coefficient, rows))
    return fleet


def write(path, fleet, half):
    with open(path, "w", encoding="utf-8") as out:
        print("machine,step," + ",".join(f"x{j}" for j in range(COLUMNS)), file=out)
        lines = []
        for number, (size, _, _, rows) in enumerate(fleet):
            for step, row in enumerate(rows):
                if (step < size // 2) == (half == 0):
                    lines.append((step, f"M{number},{step}," + ",".join(f"{x:.6g}" for x in row)))
        for _, line in sorted(lines, key=lambda item: item[0]):
            print(line, file=out)


def judge(binary, folder, fleet, seed, options):
    """(entity, p-value) of each row of the second halves; incidents there, and how many are expected."""
    train, test, model = (os.path.join(folder, name) for name in ("train.csv", "test.csv", "fleet.anr"))
    write(train, fleet, 0)
    write(test, fleet, 1)
    common = ["-q", "--threads", "1"]
    subprocess.run([binary, "fit", train, "-o", model, "--by", "machine", "--time", "step", "--train", "clean",
                    "--seed", str(seed), *common, *options], check=True)
    scored = subprocess.run([binary, "score", model, test, *common], check=True, capture_output=True, text=True)
    ranked = subprocess.run([binary, "rank", model, test, "--incidents", "--output-format", "json", *common], check=True,
                            capture_output=True, text=True)
    found = json.loads(ranked.stdout)
    incidents = found["headline"]["listed_incidents"], found["headline"]["false_incidents_per_1000_rows"] * found["rows"] / 1000
    rows = csv.DictReader(io.StringIO(scored.stdout))
    return [(int(row["machine"][1:]), float(row["p_value"])) for row in rows], incidents


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("binary")
    options.add_argument("--fleets", type=int, default=200)
    options.add_argument("--entities", type=int, default=50)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--check", action="store_true")
    words, rest = sys.argv[1:], []
    if "--" in words:
        words, rest = words[:words.index("--")], words[words.index("--") + 1:]
    asked = options.parse_args(words)
    counts, found, expected = {}, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.fleets):
            random_numbers = random.Random(f"{asked.seed}/{number}")
            fleet = draw_fleet(random_numbers, asked.entities)
            judged, incidents = judge(asked.binary, folder, fleet, number, rest)
            found, expected = found + incidents[0], expected + incidents[1]
            for entity, p in judged:
                size, scale, coefficient, _ = fleet[entity]
                for name, value, borders in (("size", size, SIZES), ("scale", scale, SCALES),
                                             ("AR coefficient", coefficient, COEFFICIENTS), ("all", 0, (0, 1))):
                    k = group_of(value, borders)
                    count = counts.setdefault((name, borders[k], borders[k + 1]), [0, 0, 0])
                    count[0] += 1
                    count[1] += p <= 0.01
                    count[2] += p <= 0.05
    worst = 0
    print("| group | rows | p <= .01 | p <= .05 |\n|---|---|---|---|")
    for (name, low, high), (rows, one, five) in sorted(counts.items()):
        label = name if name == "all" else f"{name} {low} to {high}"
        print(f"| {label} | {rows} | {one / rows:.4f} | {five / rows:.4f} |")
        worst = max(worst, one / rows / (0.015 if name == "all" else 0.03))
    print(f"incidents: {found}, expected {expected:.0f}")
    if asked.check and worst > 1:
        sys.exit("p-values are too small")
    if asked.check and asked.fleets >= 50 and not 1 / 1.5 <= found / expected <= 1.5:
        sys.exit("the number of expected incidents is wrong")


if __name__ == "__main__":
    main()
