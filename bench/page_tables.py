#!/usr/bin/python3
"""page_tables.py [--check] - the tables of README.md and docs/accuracy.md, from the figures of measured runs.

Accuracy comes from docs/research/accuracy-log.md, between the markers that `bench/accuracy --markdown` writes; speed from
the runs in bench/README.md. Each table stands between two markers, `<!-- figures:begin NAME -->` and `<!-- figures:end
NAME -->`. Without --check the files are rewritten; with it the program only says which differ, and ends with 1 if any do."""
import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = {  # folder of bench/accuracy: what it holds
    "odd-dev": "small OddBench tables",
    "adbench-dev": "numeric ADBench tables",
    "uci-dev": "numeric UCI tables",
    "mixed-dev": "tables with categories and missing cells",
    "wide-dev": "tables with 512 to 1,000 columns",
}
SETTINGS = {"clean": "Trained on normal rows only", "contaminated": "Fitted on the rows it ranks, anomalies included"}
PEERS = {"anorank": "anorank", "nn1": "1-NN", "knn5": "kNN", "lof20": "LOF", "iforest": "isolation forest"}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def measured(log):
    """{(setting, folder): (tables, {method: {column: text}})} of the generated parts of the log."""
    found = {}
    for setting, folder, body in re.findall(
        r"<!-- accuracy:begin peers (\S+) (\S+) -->\n(.*?)<!-- accuracy:end", log, re.S
    ):
        tables = re.search(r"(\d+) tables", body).group(1)
        lines = [line for line in body.splitlines() if line.startswith("|")]
        header, rows = cells(lines[0]), {}
        for line in lines[2:]:
            if len(cells(line)) != len(header) or cells(line)[0] == "AUC-ROC / AP":
                break
            rows[cells(line)[0]] = dict(zip(header, cells(line)))
        found[setting, folder] = (tables, rows)
    return found


def in_order(found, settings):
    return [(s, f, *found[s, f]) for s in settings for f in FOLDERS if (s, f) in found]


def table(header, rows):
    bar = lambda row: "| " + " | ".join(row) + " |"
    return "\n".join([bar(header), "|" + "---|" * len(header)] + [bar(row) for row in rows])


def accuracy(found, settings, peers, odds=False):
    rows = []
    for setting, folder, tables, methods in in_order(found, settings):
        best = {kind: max((methods[m][kind] for m in peers if m in methods), key=float) for kind in ("AUC-ROC", "AP")}
        show = lambda m: " / ".join(f"**{methods[m][k]}**" if methods[m][k] == best[k] else methods[m][k] for k in best)
        row = [f"{tables} {FOLDERS[folder]}" if odds else f"{SETTINGS[setting]} ({tables} {FOLDERS[folder]})"]
        row += [show(m) if m in methods else "" for m in peers]
        if odds:
            row += [methods[m]["better / worse on"] if m in methods else "" for m in ("knn5", "iforest")]
        rows.append(row)
    head = "" if odds else "Mean AUC-ROC / average precision, in %"
    return table([head] + [PEERS[m] for m in peers] + (["against kNN", "against forest"] if odds else []), rows)


def unused(log):
    """Tables that were not used for tuning: published figures next to ours, to one decimal."""
    body = re.search(r"<!-- accuracy:begin unused -->\n(.*?)<!-- accuracy:end", log, re.S).group(1)
    rows = [cells(line) for line in body.splitlines()[2:]]
    short = lambda text: str(Decimal(text).quantize(Decimal("0.1"), ROUND_HALF_UP))
    show = lambda name, auc, ap: f"**{short(auc)} / {short(ap)}**" if name.startswith("**") else f"{short(auc)} / {short(ap)}"
    return table(["method", "AUC-ROC / average precision", "tables"], [[name, show(name, auc, ap), n] for name, auc, ap, n in rows])


def last(pattern, text):
    hits = re.findall(pattern, text, re.M)
    if not hits:
        sys.exit(f"page_tables: bench/README.md has no line like {pattern}")
    return hits[-1]


def speed(runs):
    number = r"([0-9.]+)"
    numpy, ranked, ranked_ratio = last(rf"^uniform +{number} .*x +{number} +{number}x ", runs)
    pandas, pandas_mb = last(rf"^digits17\.csv +pandas +{number} .* {number} +1\.0x", runs)
    ours, ours_mb, ratio = last(rf"^digits17\.csv +anorank +{number} .* {number} +{number}x", runs)
    forest = last(r"^IsolationForest +\S+ +([0-9]+)", runs)
    blend, blend_ratio = last(r"^blend +\S+ +([0-9]+) +([0-9.]+)x", runs)
    neighbours = last(r"^NearestNeighbors +\S+ +([0-9]+)", runs)
    quick, quick_ratio = last(r"^neighbours +\S+ +([0-9]+) +\S+x +([0-9.]+)x", runs)
    peer_detect = last(rf"^pandas \+ IsolationForest +{number} ", runs)
    detect = last(rf"^anorank detect +{number} ", runs)
    detect_ratio = last(rf"^pandas \+ IsolationForest needs {number} times", runs)
    rows = lambda text: f"{int(text):,} rows/s"
    return table(
        ["", "anorank", "compared with", "speedup"],
        [
            ["`detect` on a CSV file of 10⁶ rows and 10 columns, two cores", f"{detect} s", f"pandas and isolation forest {peer_detect} s", detect_ratio],
            ["score rows of 10 columns, one core", rows(blend), f"isolation forest {rows(forest)}", blend_ratio],
            ["the same with `--scorer neighbours`", rows(quick), f"nearest neighbours {rows(neighbours)}", quick_ratio],
            ["read a 100 MB CSV file", f"{ours} s, {ours_mb} MB peak memory", f"pandas {pandas} s, {pandas_mb} MB", ratio],
            ["compute the ranks of 10⁷ random numbers", f"{ranked} s", f"numpy {numpy} s", ranked_ratio],
        ],
    )


def tables():
    log = (ROOT / "docs/research/accuracy-log.md").read_text(encoding="utf-8")
    found = measured(log)
    few, all_of = ["anorank", "knn5", "lof20", "iforest"], list(PEERS)
    return {
        "accuracy": accuracy({k: v for k, v in found.items() if k[1] == "odd-dev"}, list(SETTINGS), few),
        "clean": accuracy(found, ["clean"], all_of, True),
        "contaminated": accuracy(found, ["contaminated"], all_of, True),
        "unused": unused(log),
        "speed": speed((ROOT / "bench/README.md").read_text(encoding="utf-8")),
    }


def main():
    made, differ, seen = tables(), [], set()
    for page in ("README.md", "docs/accuracy.md"):
        path = ROOT / page
        old = new = path.read_text(encoding="utf-8")
        for name, body in made.items():
            begin, end = f"<!-- figures:begin {name} -->", f"<!-- figures:end {name} -->"
            seen |= {name} if begin in old else set()
            new = re.sub(f"{begin}.*?{end}", lambda _: f"{begin}\n{body}\n{end}", new, flags=re.S)
        if new != old:
            differ.append(page)
            if "--check" not in sys.argv:
                path.write_text(new, encoding="utf-8")
    if seen != set(made):
        sys.exit(f"page_tables: no page has the table {', '.join(sorted(set(made) - seen))}")
    if differ and "--check" in sys.argv:
        sys.exit(f"page_tables: {', '.join(differ)} not as measured; run bench/page_tables.py")


if __name__ == "__main__":
    main()
