"""figure_numbers.py REPORT FOLDER - the numbers that the figures of a report show, read back from the pixels.

Axes are recovered from the marks and their texts, paths are turned into values, and these are compared with the report's
own numbers. A pixel is written with two decimals, which is the tolerance."""
import calendar
import json
import re
import sys
import time
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
TOLERANCE = 0.03  # pixels


def number(text):
    """The value of a mark: a number, a day, or an hour of the report's year; None: a name."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return float(calendar.timegm(time.strptime(text, "%Y-%m-%d")))
    if re.fullmatch(r"\d\d-\d\d \d\d:\d\d", text):
        year = time.gmtime(data["time"]["from"]).tm_year
        return float(calendar.timegm(time.strptime(f"{year}-{text}", "%Y-%m-%d %H:%M")))
    try:
        return float(text)
    except ValueError:
        return None


class Axis:
    """Pixels and values of one axis, from two of its marks."""

    def __init__(self, marks):
        known = [(pixel, number(text)) for pixel, text in marks if number(text) is not None]
        (p, u), (q, v) = known[0], known[-1]
        assert p != q and u != v, marks
        self.slope, self.pixel, self.value = (q - p) / (v - u), p, u
        for pixel, value in known:
            self.near(pixel, value)

    def at(self, value):
        return self.pixel + (value - self.value) * self.slope

    def near(self, pixel, value):
        assert abs(self.at(value) - pixel) <= TOLERANCE, f"{pixel} is not {value}, which is at {self.at(value)}"


class Panel:
    """One plot: its axes and the paths in it, in the order in which they are drawn."""

    def __init__(self, root, inner):
        left, top = float(inner.get("x")) + 3, float(inner.get("y")) + 3
        width, height = float(inner.get("width")) - 6, float(inner.get("height")) - 6
        self.box = left, top, left + width, top + height
        texts = [(float(one.get("x")), float(one.get("y")), one.get("text-anchor"), one.text) for one in root.iter(SVG + "text")]
        across = [(x, text) for x, y, anchor, text in texts if anchor == "middle" and abs(y - (top + height + 18)) < 0.1 and left - 1 < x < left + width + 1]
        up = [(y - 4.5, text) for x, y, anchor, text in texts if anchor == "end" and abs(x - (left - 7)) < 0.1 and top - 1 < y - 4.5 < top + height + 1]
        self.names = [text for _, text in up]
        self.x = Axis(across)
        self.y = Axis(up) if all(number(text) is not None for text in self.names) else None
        self.paths = [one for one in inner.iter(SVG + "path")]


def panels(name):
    root = tree.parse(f"{sys.argv[2]}/{name}.svg").getroot()
    said = re.sub(" +", " ", " ".join(one.text for one in root.iter(SVG + "text")))
    return [Panel(root, inner) for inner in root.findall(SVG + "svg")], said


def corners(path):
    """The points of a path of M, L, H, V and Z."""
    points, x, y = [], 0.0, 0.0
    for letter, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path.get("d")):
        values = [float(value) for value in re.findall(r"-?[\d.]+", rest)]
        if letter in "ML":
            x, y = values
        elif letter == "H":
            x = values[0]
        elif letter == "V":
            y = values[0]
        else:
            continue
        points.append((x, y))
    return points


def marks(path):
    """Where the markers of a path begin."""
    return [(float(x), float(y)) for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", path.get("d"))]


def steps(panel, path, start, end, values):
    """A staircase over equal bins, 0 at both ends: the height of each bin."""
    points = corners(path)
    for k, value in enumerate(values):
        middle = panel.x.at(start + (k + 0.5) * (end - start) / len(values))
        level = [y for (x, y), (to, _) in zip(points, points[1:]) if x <= middle <= to and x != to]
        assert len(level) == 1
        panel.y.near(level[0], value)


def bars(panel, path, values):
    boxes = [(min(p[1] for p in four), max(p[1] for p in four)) for four in zip(*[iter(corners(path))] * 4)]
    assert len(boxes) == len(values)
    for (top, bottom), value in zip(boxes, values):
        panel.y.near(top, value)
        panel.y.near(bottom, 0)


def each_is_one_of(panel, points, known, rounding=0.0):
    """Every point is one of the rows, and rows that are apart are all there. `rounding`: of what is known."""
    right, up = (TOLERANCE + rounding * abs(axis.slope) for axis in (panel.x, panel.y))
    places = [(panel.x.at(x), panel.y.at(y)) for x, y in known]
    assert points and len(points) >= 0.9 * len(set((round(x), round(y)) for x, y in places))
    for x, y in points:
        assert any(abs(x - a) <= right and abs(y - b) <= up for a, b in places), (x, y)


def check_curve(report):
    (panel,), said = panels("curve")
    (band, _, line, _), curve = panel.paths, report["evaluation"]["curve"]
    each_is_one_of(panel, corners(line), [(point[0], point[1]) for point in curve])
    edges = [(point[0], point[k]) for point in curve for k in (4, 5) if point[k] is not None]
    each_is_one_of(panel, corners(band), edges)
    low, high = report["evaluation"]["area_interval"]
    assert f"area {report['evaluation']['area']:.4f} [{low:.4f}, {high:.4f}]" in said


def check_labels(report):
    curve, labelled = report["labels"]["curve"], report["evaluation"]["labelled"]
    (panel,), said = panels("roc")
    each_is_one_of(panel, corners(panel.paths[0]), [(point[0], point[1]) for point in curve])
    low, high = labelled["roc_auc_interval"]
    assert f"Area {labelled['roc_auc']:.4f} [{low:.4f}, {high:.4f}]" in said
    (panel,), said = panels("precision-recall")
    each_is_one_of(panel, corners(panel.paths[0]), [(point[1], point[2]) for point in curve[1:]])
    assert f"Average precision {labelled['average_precision']:.4f};" in said
    assert f"{report['labels']['anomalies']} rows labelled as anomalies, {report['labels']['normal']} as normal" in said


def check_scores(report):
    (panel,), _ = panels("scores")
    scores = report["scores"]
    for path, name in zip(panel.paths, ["rows", "calibration", "contrast"]):
        steps(panel, path, scores["from"], scores["to"], scores[name])
    assert len(panel.paths) == 3
    (panel,), said = panels("p-values")
    bars(panel, panel.paths[0], report["p_values"])
    panel.y.near(corners(panel.paths[1])[0][1], report["rows"] / len(report["p_values"]))
    assert f"{report['p_values'][0]} rows have a p-value below 0.05" in said


def check_map(report):
    (panel,), said = panels("map")
    place = report["map"]
    flagged, listed = report["flagged"], len(report["findings"])
    held = [(min(max(row["x"], place["x"][0]), place["x"][1]), min(max(row["y"], place["y"][0]), place["y"][1])) for row in report["findings"] + report["sample"]]
    others, rings, triangles = panel.paths[-3:]
    each_is_one_of(panel, marks(others), held[listed:], 0.0005)
    each_is_one_of(panel, [(x + 3, y) for x, y in marks(rings)], held[flagged:listed], 0.0005)
    each_is_one_of(panel, [(x, y + 1.2 * 5) for x, y in marks(triangles)], held[:flagged], 0.0005)
    for share in place["share"]:
        assert f"({100 * share:.3g} % of the variance)" in said
    check_shades(panel, place)


def check_shades(panel, place):
    """At the points of the grid the shade is that of their p-value."""
    size, (left, top, right, bottom) = place["grid_size"], panel.box
    shades = {}
    for path in panel.paths[:-3]:
        for four in zip(*[iter(corners(path))] * 4):
            x, y = sorted(p[0] for p in four), sorted(p[1] for p in four)
            shades.setdefault(path.get("fill"), []).append((x[0], x[-1], y[0], y[-1]))
    by_class = {}
    for i in range(0, size, 5):
        for k in range(0, size, 5):
            p = place["grid"][i * size + k] + 1e-4
            if min(abs(p / bound - 1) for bound in (0.01, 0.1, 0.5)) < 0.02:
                continue
            x, y = left + (right - left) * (k + 0.5) / size, bottom - (bottom - top) * (i + 0.5) / size
            found = [fill for fill, boxes in shades.items() if any(a <= x <= b and c <= y <= d for a, b, c, d in boxes)]
            by_class.setdefault(sum(p >= bound for bound in (0.01, 0.1, 0.5)), set()).add(tuple(found))
    assert len(by_class) >= 3 and all(len(fills) == 1 for fills in by_class.values()), by_class
    assert len(set(fills.copy().pop() for fills in by_class.values())) == len(by_class)


def check_columns(report):
    drawn, said = panels("columns")
    columns = sorted((one for one in report["columns"] if "bins" in one or one.get("levels")), key=lambda one: -one["any_reason"])
    assert len(drawn) == 6
    for panel, column in zip(drawn, columns):
        assert f"{column['name'][:21]}" in said and f"(reason for {column['any_reason']} of {report['flagged_with_reasons']})" in said
        if "bins" in column:
            bins = column["bins"]
            bars(panel, panel.paths[0], [count / sum(bins["all"]) for count in bins["all"]])
            steps(panel, panel.paths[1], bins["from"], bins["to"], [count / sum(bins["flagged"]) for count in bins["flagged"]])
        else:
            levels = column["levels"][::-1]
            assert panel.names == [one["level"] for one in levels] or panel.names == [one["level"] for one in levels][::-1]
            boxes = [max(p[0] for p in four) for four in zip(*[iter(corners(panel.paths[0]))] * 4)]
            for right, one in zip(boxes, levels):
                panel.x.near(right, one["all"] / report["rows"])
            for (x, _), one in zip(marks(panel.paths[1]), levels):
                panel.x.near(x, one["flagged"] / report["flagged"])


def check_time(report):
    (upper, lower), _ = panels("time")
    along = report["time"]
    bars(upper, upper.paths[0], [one[1] for one in along["bins"]])
    k = [column["name"] for column in report["table_columns"]].index(along["column"])
    rows = [(row["cells"][k][1], row["score"]) for row in report["findings"] + report["sample"]]
    others, triangles = lower.paths
    each_is_one_of(lower, marks(others), rows[report["flagged"]:])
    each_is_one_of(lower, [(x, y + 1.2 * 4) for x, y in marks(triangles)], rows[: report["flagged"]])


with open(sys.argv[1], encoding="utf-8") as page:
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read(), re.S).group(1))
assert data["flagged"] >= 5
for check in (check_curve, check_labels, check_scores, check_map, check_columns, check_time):
    check(data)
print("the figures have the report's numbers")
