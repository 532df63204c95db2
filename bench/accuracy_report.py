"""How bench/accuracy shows its results: a line per table while it runs, a text summary, and the part of a Markdown
file between two markers:

    <!-- accuracy:begin peers clean -->
    ...rewritten by bench/accuracy --markdown...
    <!-- accuracy:end peers clean -->

The names in the markers are the comparison (peers, known, unknown-kind, shares, stability), the setting (clean,
contaminated) and the folders."""
import os
import re

import numpy as np

MOST_LISTED = 60  # tables of which each has a line


def figures(runs):
    return np.mean(np.asarray(runs)[:, :2], 0)


def line(name, shape, found, mode):
    if mode == "shares":
        values = "  ".join(f"{100 * s:g} % " + " ".join(f"{m} {v[0]:.1f}" for m, v in f.items()) for s, f in found.items())
        return f"{name:18s} {values}"
    if mode == "stability":
        return f"{name:18s} " + "  ".join(f"{m} sd {np.std(v, ddof=1):.2f} range {np.ptp(v):.2f}" for m, v in found.items())
    values = "  ".join(f"{method} {figures(runs)[0]:5.1f}/{figures(runs)[1]:5.1f}" for method, runs in found.items())
    return f"{name:18s} n={shape[0]:6d} d={shape[1]:4d}  {values}"


def headline(result):
    count = len(result["tables"])
    words = {
        "shares": f"{result['folder']}: {count} tables with another share of anomalies, at most 2,000 rows (5,000 for 0.2 %)",
        "stability": f"{result['folder']}: {count} tables, the same rows with {result['seeds']} seeds",
        "peers": f"{result['folder']}, {result['setting']}: {count} tables, {result['seeds']} seeds",
        "known": f"{result['setting']}, {result['known']} known anomalies: {count} tables, {result['seeds']} seeds",
        "unknown-kind": f"{result['setting']}, {result['known']} known anomalies of one kind, measured on the other kinds: "
        f"{count} tables, {result['seeds']} seeds",
    }[result["mode"]]
    if result["rows"] != 10000 and result["mode"] != "shares":
        words += f", at most {result['rows']:,} rows"
    if result["options"]:
        words += f"; fit with {' '.join(result['options'])}"
    if result["skipped"]:
        words += f"; too few anomalies: {', '.join(result['skipped'])}"
    return words


def summary_table(result):
    """Header and rows of the summary, as text cells."""
    rows = []
    timed = any("seconds" in s for s in result["summary"].values())
    header = ["", "AUC-ROC", "AP", "rank (AUC)", "rank (AP)"] + (["seconds"] if timed else [])
    header += ["better / worse on", "median lead", "least lead", "p (AUC)", "p (AP)"]
    for method, s in result["summary"].items():
        cells = [method] + [f"{s[k]:.2f}" for k in ("auc", "ap", "rank_auc", "rank_ap")]
        if timed:
            cells.append(f"{s['seconds']:.1f}")
        if "wins" in s:
            cells += [f"{s['wins']:.0f} / {s['losses']:.0f}", f"{s['median']:+.2f}", f"{s['worst']:+.2f}"]
            cells += [f"{s[k]:.2g}" if s[k] >= 1e-4 else "< 0.0001" for k in ("p_auc", "p_ap")]
        else:
            cells += [""] * 5
        rows.append(cells)
    return header, rows


def share_table(result):
    methods = list(next(iter(result["summary"].values()))["methods"])
    header = ["anomalies", "tables"] + methods + ["lose > 5 AUC"]
    rows = [[f"{100 * share:g} %", str(s["tables"])] + ["{:.1f} / {:.1f}".format(*s["methods"][m]) for m in methods] +
            [str(s["lost"])] for share, s in result["summary"].items()]
    total, lost = (sum(s[k] for s in result["summary"].values()) for k in ("tables", "lost"))
    rows.append(["all", str(total)] + [""] * len(methods) + [f"{lost} ({100 * lost / total:.0f} %)"])
    return header, rows


def seed_table(result):
    header = ["", "median sd of AUC", "largest range, 500 rows or more", "there above 3 points"]
    return header, [[m, f"{s['median_sd']:.2f}", f"{s['range']:.1f} ({s['worst']})", f"{s['above']} of {s['large']}"]
                    for m, s in result["summary"].items()]


OTHER_TABLES = {"shares": share_table, "stability": seed_table}
OTHER_NOTES = {"shares": "The last column counts tables that lose more than 5 points of AUC to the better of iforest and knn5.",
               "stability": ""}


def text(result):
    header, rows = OTHER_TABLES.get(result["mode"], summary_table)(result)
    widths = [max(len(r[i]) for r in [header] + rows) for i in range(len(header))]
    show = lambda cells: "  ".join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(cells, widths))).rstrip()
    first = next(iter(result["summary"]))
    if result["mode"] in OTHER_TABLES:
        return "\n".join(["", headline(result), show(header)] + [show(r) for r in rows] + [OTHER_NOTES[result["mode"]]])
    notes = f"leads, counts and p (Wilcoxon, signed ranks, over tables) are of {first} over the method in the row"
    return "\n".join(["", headline(result), show(header)] + [show(r) for r in rows] + [notes])


def markdown(result):
    header, rows = OTHER_TABLES.get(result["mode"], summary_table)(result)
    bar = lambda cells: "| " + " | ".join(cells) + " |"
    lines = [headline(result) + ".", "", bar(header), bar(["---"] * len(header))] + [bar(r) for r in rows]
    if result["mode"] in OTHER_TABLES:
        return "\n".join(lines + ["", OTHER_NOTES[result["mode"]]]).rstrip()
    first = next(iter(result["summary"]))
    lines += ["", f"Leads, counts and p (Wilcoxon's signed rank test over tables) are of {first} over the method in the row."]
    methods = list(result["summary"])
    if len(result["tables"]) > MOST_LISTED:
        return "\n".join(lines)
    lines += ["", bar(["AUC-ROC / AP", "rows", "columns", "anomalies"] + methods), bar(["---"] * (4 + len(methods)))]
    for name in sorted(result["tables"], key=str.lower):
        values = [figures(result["tables"][name][m]) for m in methods]
        best = max(v[0] for v in values)
        cells = [f"**{v[0]:.1f}** / {v[1]:.1f}" if v[0] == best else f"{v[0]:.1f} / {v[1]:.1f}" for v in values]
        lines.append(bar([name] + [str(x) for x in result["shapes"][name]] + cells))
    return "\n".join(lines)


def rewrite(path, result):
    """Puts the Markdown of result between its markers; a file or markers that are not there are made at the end."""
    name = f"{result['mode']} {result['setting']} {result['folder']}"
    begin, end = f"<!-- accuracy:begin {name} -->", f"<!-- accuracy:end {name} -->"
    old = ""
    if os.path.exists(path):
        with open(path) as f:
            old = f.read()
    body = f"{begin}\n{markdown(result)}\n{end}"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    new = pattern.sub(lambda _: body, old) if pattern.search(old) else old.rstrip("\n") + ("\n\n" if old else "") + body + "\n"
    temporary = path + ".new"
    with open(temporary, "w") as f:
        f.write(new)
    os.replace(temporary, path)
