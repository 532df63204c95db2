"""odd_inputs.py ANORANK COUNT [SEED] - odd and broken inputs by the thousand, each with a stated outcome.

Every class below is a function that draws one case: files, a command, and what must come of it: the exit code, the code
of the error, the rows that are read and the roles of columns. COUNT cases of each class are drawn, and run. A case that
fails is printed with its files; SEED and its number bring it back.

To add a class: a function with @odd that returns a Case.
"""
import csv
import gzip
import io
import json
import os
import random
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

CLASSES = {}
ROWS = 40


def odd(function):
    CLASSES[function.__name__] = function
    return function


class Case:
    """A file `name` that is read: exit code and error code (a tuple: one of them; None: any), and, where it is read, its rows, and of
    some columns the role, and the number of levels."""

    def __init__(self, name, data, exit=0, code=None, rows=None, roles=None, levels=None, options=(), what=""):
        self.files, self.name, self.exit, self.code = {name: data}, name, exit, code
        self.rows, self.roles, self.levels, self.options, self.what = rows, roles or {}, levels or {}, list(options), what
        self.command = None  # instead of reading it
        self.make = None  # called in the folder before the command
        self.unchanged = ()  # files that must be as they were
        self.appears = ()  # files that must be there afterwards


# ---- tables ----------------------------------------------------------------------------------------------------------


def numbers(rng):
    return "%.4f" % rng.gauss(0, 1)


def table(rng, columns, rows=ROWS):
    """A list of rows of texts: a number in each column that is not given, {name: values}."""
    made = {"x": [numbers(rng) for _ in range(rows)], **columns, "y": [numbers(rng) for _ in range(rows)]}
    names = list(made)
    return [names] + [[made[name][i] for name in names] for i in range(rows)]


def as_csv(rows, delimiter=",", end="\n", quoting=csv.QUOTE_MINIMAL):
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return text.getvalue()


def as_json(rows, rng, literal=()):
    """Lines, or one array; the columns of `literal` are written as they are, without quotes."""

    def value(name, text):
        try:
            float(text)
            if name in ("x", "y"):
                return text
        except ValueError:
            pass
        return text if name in literal else json.dumps(text)

    names = rows[0]
    records = ["{" + ", ".join(f"{json.dumps(n)}: {value(n, c)}" for n, c in zip(names, row)) + "}" for row in rows[1:]]
    return "[" + ",\n ".join(records) + "]\n" if rng.random() < 0.5 else "\n".join(records) + "\n"


def repeated(rng, values, rows=ROWS):
    made = [values[i % len(values)] for i in range(rows)]
    rng.shuffle(made)
    return made


# ---- integers --------------------------------------------------------------------------------------------------------


def grouped(number, mark):
    return f"{number:,}".replace(",", mark)


@odd
def integers(rng):
    """Ten neighbours, each in four rows: numbers up to 2^53, texts beyond, numbers if they may be nanoseconds."""
    first = rng.choice([
        rng.randrange(10**3, 10**9), rng.randrange(10**12, 2**53 - 100), 2**53 - 9, 2**53 + 1, rng.randrange(2**53 + 1, 10**17),
        rng.randrange(10**18, 2 * 10**18), rng.randrange(2 * 10**18, 2**63), rng.randrange(2**63, 2**64), rng.randrange(10**20, 10**40),
    ])  # fmt: skip
    step = 1
    times = 10**18 <= first < 2 * 10**18 and rng.random() < 0.5
    if times:
        first, step = first // 1000 * 1000, 1000
    sign = rng.choice([1, 1, -1]) if not times else 1
    values = [sign * (first + step * i) for i in range(10)]
    text = not times and max(map(abs, values)) > 2**53
    role, levels = ("categorical", 10) if text else ("numeric", None)
    form = rng.choice(["csv", "quoted", "tsv", "marks", "json", "json texts", "semicolons"])
    marks = {"marks": rng.choice([",", " ", "'", "\u00a0", "."])}.get(form)
    cells = repeated(rng, [grouped(v, marks) if marks else str(v) for v in values])
    rows = table(rng, {"n": cells})
    if form.startswith("json"):
        name, data = "t.json", as_json(rows, rng, () if "texts" in form else ("n",))
    elif form == "tsv":
        name, data = "t.tsv", as_csv(rows, "\t")
    elif marks or form == "semicolons":
        name, data = "t.csv", as_csv(rows, ";", quoting=csv.QUOTE_ALL if rng.random() < 0.5 else csv.QUOTE_MINIMAL)
    else:
        name, data = "t.csv", as_csv(rows, quoting=csv.QUOTE_ALL if form == "quoted" else csv.QUOTE_MINIMAL)
    if marks == "." and values[0] > 0 and not text and max(values) < 10**6:
        role = None  # 1.234 may be one and a bit
    return Case(name, data.encode(), rows=ROWS, roles={"n": role} if role else {}, levels={"n": levels} if levels else {},
                what=f"{values[0]} by {step} as {form} {marks or ''}")  # fmt: skip


@odd
def npy_integers(rng):
    """int64 and uint64 arrays: refused where a double would change a number."""
    unsigned = rng.random() < 0.5
    large = rng.random() < 0.6
    limit = 2**64 if unsigned else 2**63
    cells = [[rng.randrange(2**53 + 1) for _ in range(3)] for _ in range(ROWS)]
    if large:
        cells[rng.randrange(ROWS)][rng.randrange(3)] = rng.randrange(2**53 + 1, limit) | 1
    if not unsigned:
        cells = [[c * rng.choice([1, -1]) for c in row] for row in cells]
    order = rng.random() < 0.5
    flat = [cells[i][j] for j in range(3) for i in range(ROWS)] if order else [c for row in cells for c in row]
    head = "{'descr': '<%s8', 'fortran_order': %s, 'shape': (%d, 3), }" % ("u" if unsigned else "i", order, ROWS)
    head = head.ljust(117) + "\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
    data += struct.pack("<%d%s" % (len(flat), "Q" if unsigned else "q"), *flat)
    return Case("t.npy", data, 3 if large else 0, "npy-integer-size" if large else None, None if large else ROWS)


@odd
def ranges(rng):
    """Numbers beyond the range of a double."""
    fits = rng.random() < 0.3
    word = rng.choice(["1e308", "-1.7e308", "1e-400"] if fits else ["1e309", "-1e998", "2.5e308", "+1E400"])
    cells = [numbers(rng) for _ in range(ROWS)]
    at = rng.randrange(ROWS)
    cells[at] = word
    rows = table(rng, {"n": cells})
    if rng.random() < 0.5:
        data, name = as_csv(rows), "t.csv"
    else:
        cells[at] = word.lstrip("+")
        data, name = as_json(table(rng, {"n": cells}), rng, ("n",)), "t.jsonl"
    return Case(name, data.encode(), 0 if fits else 3, None if fits else "cell-number-range", ROWS if fits else None, what=word)


# ---- encodings and truncations ---------------------------------------------------------------------------------------

WORDS = {"latin": ["Müller", "Åse", "café", "Łódź"], "japanese": ["東京", "大阪", "名古屋", "札幌"], "cyrillic": ["Москва", "Омск", "Тверь", "Уфа"],
         "symbols": ["😀", "€5 note", "naïve", "x²"]}  # fmt: skip
# name, the Python codec, a mark before it, what --encoding must say, and the words that it can write
ENCODINGS = [
    ("utf-8", "utf-8", b"", None, list(WORDS)), ("utf-8 mark", "utf-8", b"\xef\xbb\xbf", None, list(WORDS)),
    ("utf-16le mark", "utf-16-le", b"\xff\xfe", None, list(WORDS)), ("utf-16be mark", "utf-16-be", b"\xfe\xff", None, list(WORDS)),
    ("utf-16le", "utf-16-le", b"", None, ["latin"]), ("utf-16be", "utf-16-be", b"", None, ["latin"]),
    ("utf-16le named", "utf-16-le", b"", "utf-16le", list(WORDS)),
    ("utf-32le mark", "utf-32-le", b"\xff\xfe\0\0", None, list(WORDS)), ("utf-32be mark", "utf-32-be", b"\0\0\xfe\xff", None, list(WORDS)),
    ("windows-1252", "cp1252", b"", None, ["western"]), ("shift-jis", "cp932", b"", None, ["japanese"]),
    ("gb18030", "gb18030", b"", "gb18030", ["japanese", "cyrillic"]), ("koi8-r", "koi8-r", b"", "koi8-r", ["cyrillic"]),
    ("euc-jp", "euc-jp", b"", "euc-jp", ["japanese"]), ("cp1251", "cp1251", b"", "cp1251", ["cyrillic"]),
]  # fmt: skip
WORDS["western"] = ["Müller", "Åse", "café", "naïve"]


def encoded(rng):
    """An encoding, and a table in it whose last line has no end: the last cell is a word."""
    name, codec, mark, option, possible = rng.choice(ENCODINGS)
    words = WORDS[rng.choice(possible)]
    rows = [["x", "word"]] + [[numbers(rng), word] for word in repeated(rng, words)]
    rows[-1][1] = words[0]
    text = as_csv(rows, rng.choice(",;\t"), rng.choice(["\n", "\r\n"])).rstrip("\r\n")
    return name, codec, mark + text.encode(codec), text, ["--encoding", option] if option else [], words


@odd
def encodings(rng):
    name, _, data, _, options, words = encoded(rng)
    return Case("t.csv", data, rows=ROWS, roles={"x": "numeric", "word": "categorical"}, levels={"word": len(words)}, options=options, what=name)


@odd
def cut_characters(rng):
    """The last bytes of a text are missing: refused where that is within a character."""
    name, codec, data, text, options, _ = encoded(rng)
    last = len(text[-1].encode(codec))
    cut = rng.randint(0, last)
    within = 0 < cut < last
    if cut > 0 and codec in ("cp932", "gb18030", "euc-jp") and within:
        return Case("t.csv", data[:-cut], 3, ("encoding-cut-short", "encoding-wrong"), options=options, what=f"{name} less {cut}")
    return Case("t.csv", data[: len(data) - cut], 3 if within else 0, "encoding-cut-short" if within else None, None if within else ROWS,
                options=options, what=f"{name} less {cut}")  # fmt: skip


@odd
def cut_json(rng):
    """A JSON array that is cut, or whose commas and brackets are wrong."""
    rows = table(rng, {"word": repeated(rng, WORDS["latin"])})
    records = json.dumps([dict(zip(rows[0], row)) for row in rows[1:]], ensure_ascii=False, indent=rng.choice([None, 1]))
    damage = rng.choice(["cut", "cut", "comma", "commas", "brackets", "glued", "none", "blanks"])
    at = rng.randrange(2, len(records))
    text = {
        "cut": records[:at], "comma": records.replace("},", "}", 1), "commas": records.replace("},", "},,", 1), "brackets": records + "]",
        "glued": records + records, "none": records, "blanks": records + " \n\t\n",
    }[damage]  # fmt: skip
    good = damage in ("none", "blanks")
    return Case("t.json", text.encode(), 0 if good else 3, None, ROWS if good else None, what=f"{damage} at {at}")


@odd
def cut_archives(rng):
    """gzip, zstd, NPY, xlsx and models that end too early, or too late."""
    rows = table(rng, {})
    text = as_csv(rows).encode()
    kind = rng.choice(["gz", "gz", "npy", "xlsx", "zst"])
    if kind == "gz":
        data, code = gzip.compress(text), "gzip-cut-short"
    elif kind == "zst":
        if not shutil.which("zstd"):
            return cut_archives(rng)
        data, code = subprocess.run(["zstd", "-q", "-c"], input=text, stdout=subprocess.PIPE, check=True).stdout, "zstd-cut-short"
    elif kind == "npy":
        head = ("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 2), }" % ROWS).ljust(117) + "\n"
        data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%dd" % (2 * ROWS), *[rng.random() for _ in range(2 * ROWS)])
        code = "npy-cut-short"
    else:
        data, code = workbook(rows), None
    cut = rng.randrange(8 if kind != "npy" else 12, len(data))
    return Case("t." + (kind if kind in ("npy", "xlsx") else "csv." + kind), data[:cut], 3, code, what=f"{kind} at {cut} of {len(data)}")


def workbook(rows):
    def cell(text):
        try:
            return f"<c><v>{float(text)}</v></c>"
        except ValueError:
            return f'<c t="inlineStr"><is><t>{text}</t></is></c>'

    sheet = "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><sheetData>" + "".join(
        "<row>" + "".join(map(cell, row)) + "</row>" for row in rows) + "</sheetData></worksheet>"  # fmt: skip
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'/>")
        file.writestr("xl/workbook.xml", "<workbook xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' xmlns:r='http://schemas."
                      "openxmlformats.org/officeDocument/2006/relationships'><sheets><sheet name='s' sheetId='1' r:id='r1'/></sheets></workbook>")  # fmt: skip
        file.writestr("xl/_rels/workbook.xml.rels", "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship "
                      "Id='r1' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet' Target='worksheets/sheet1.xml'/>"
                      "</Relationships>")  # fmt: skip
        file.writestr("xl/worksheets/sheet1.xml", sheet)
    return made.getvalue()


@odd
def padded_gzip(rng):
    """Zeros behind gzip are padding; anything else is not."""
    text = as_csv(table(rng, {})).encode()
    cut = rng.randrange(len(text))
    data = gzip.compress(text[:cut]) + gzip.compress(text[cut:]) if rng.random() < 0.5 else gzip.compress(text)
    zeros = rng.choice([0, 1, 7, 511, 512, 10240, 300000])
    rubbish = rng.choice([b"", b"", b"x", b"\x1f", gzip.compress(b"1,2\n")])
    if zeros == 0 and rubbish[:1] == b"\x1f":
        rubbish = b""  # a member is one if nothing stands before it
    return Case("t.csv.gz", data + bytes(zeros) + rubbish, 3 if rubbish else 0, "gzip-extra-bytes" if rubbish else None, None if rubbish else ROWS,
                what=f"{zeros} zeros, then {len(rubbish)} bytes")  # fmt: skip


# ---- headers and quotes ----------------------------------------------------------------------------------------------


@odd
def headers(rng):
    """Names of many kinds above numbers: a value equal to its column's name, years, places, quotes."""
    kind = rng.choice(["words", "equal", "years", "country", "places", "quotes", "none", "again"])
    width = rng.randint(5, 8)
    first = {"years": rng.randint(1950, 2015), "country": rng.randint(1950, 2015), "places": rng.randint(0, 1)}.get(kind, 0)
    names = {
        "words": ["word"] + [f"n{j}" for j in range(width)], "equal": ["word"] + [f"n{j}" for j in range(width)],
        "again": ["word"] + [f"n{j}" for j in range(width)], "quotes": ['w "x"'] + [f'{j}"' for j in range(width)],
        "country": ["word"] + [str(first + j) for j in range(width)], "years": [str(first + j) for j in range(width)],
        "places": [str(first + j) for j in range(width)], "none": [],
    }[kind]  # fmt: skip
    worded = kind not in ("years", "places", "none")
    words = repeated(rng, ["aa", "bb", "cc", names[0] if kind == "equal" else "dd"])
    rows = [([words[i]] if worded else []) + [numbers(rng) for _ in range(width)] for i in range(ROWS)]
    if kind == "again":
        rows.insert(rng.randint(5, 30), names)
    text = as_csv(([names] if names else []) + rows, rng.choice(",;"))
    roles = {names[-1]: "numeric"} if names else {"x1": "numeric"}
    if worded:
        roles[names[0]] = "categorical"
    return Case("t.csv", text.encode(), rows=ROWS, roles=roles, levels={names[0]: 4} if worded else {}, what=kind)


@odd
def quotes(rng):
    """Cells with quotes, delimiters and line ends, with and without a header; Python's csv module says what they are."""
    pieces = ['"', '""', ",", ";", "a", "b", "\n", " ", "é", "12", "'"]
    words = list({"w" + "".join(rng.choice(pieces) for _ in range(rng.randint(0, 6))).rstrip() + "z" for _ in range(5)})
    header = rng.random() < 0.5
    rows = table(rng, {"word": repeated(rng, words)})
    text = as_csv(rows if header else rows[1:], quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    name = "word" if header else "x2"
    return Case("t.csv", text.encode(), rows=ROWS, roles={name: "categorical"}, levels={name: len(words)}, options=[] if header else ["--header", "no"],
                what=repr(words))  # fmt: skip


@odd
def inches(rng):
    """Numbers with a quote for their unit."""
    header = rng.random() < 0.5
    rows = table(rng, {"size": [f'{rng.choice([19, 21.5, 24, 27, 32])}"' for _ in range(ROWS)]})
    return Case("t.csv", as_csv(rows if header else rows[1:], rng.choice(",;")).encode(), rows=ROWS, roles={"size" if header else "x2": "numeric"})


# ---- file names and outputs ------------------------------------------------------------------------------------------

NAMES = ["with blank.csv", "quote's.csv", 'double".csv', "new\nline.csv", "dollar$HOME.csv", "per%cent%s%n.csv", "back\\slash.csv", "ünïcode 東京.csv",
         "semi;colon.csv", "a=b.csv", "comma,name.csv", "*.csv", "[a-b].csv", "~.csv", "." + "x" * 240 + ".csv", "x" * 251 + ".csv", "\x1b[2Jred.csv",
         "...csv", "CON.csv", "tab\tname.csv", "./-dash.csv", "trailing .csv"]  # fmt: skip


@odd
def file_names(rng):
    """Whatever the name, the file is read, and an output of such a name appears."""
    name, other = rng.choice(NAMES), rng.choice(NAMES)
    case = Case(name, as_csv(table(rng, {})).encode(), what=f"{name!r} to {other!r}")
    if other.split("/")[-1] == name.split("/")[-1]:
        other = "out-" + other.split("/")[-1][:200]
    case.command = ["detect", name, "--scorer", "mahalanobis", "-o", other, "--output-format", "csv", "-q"]
    case.appears, case.unchanged = (other,), (name,)
    return case


def same_file(rng, path):
    """Another way to say the path, and what makes it."""
    folder, name = os.path.split(path)
    how = rng.choice(["same", "dot", "up", "absolute", "symbolic", "chain", "hard", "twice"])

    def make():
        if how == "symbolic":
            os.symlink(path, "link.any")
        elif how == "chain":
            os.symlink(path, "first.any")
            os.symlink("first.any", "link.any")
        elif how == "hard":
            os.link(path, "link.any")

    ways = {"same": path, "dot": "./" + path, "up": "sub/../" + path, "absolute": None, "twice": ".//" + path}
    return how, make, ways.get(how, "link.any") if how != "absolute" else "ABSOLUTE/" + path


COMMANDS = [  # the command, the inputs that it names, and the options of its outputs
    (["detect", "t.csv"], ["t.csv"], ["-o", "--save-model", "--report", "--review"]),
    (["fit", "t.csv", "-o", "new.anr", "--known", "known.csv"], ["t.csv", "known.csv"], ["-o"]),
    (["score", "m.anr", "t.csv"], ["m.anr", "t.csv"], ["-o"]),
    (["rank", "m.anr", "t.csv"], ["m.anr", "t.csv"], ["-o", "--report"]),
    (["rank", "m.anr", "parts"], ["m.anr", "parts/p1.csv", "parts/p2.csv"], ["-o"]),
    (["fit", "parts", "-o", "new.anr"], ["parts/p1.csv", "parts/p2.csv"], ["-o"]),
    (["judge", "s.csv", "--contrast", "u.csv"], ["s.csv", "u.csv"], ["--curve", "--excess", "--figure"]),
    (["judge", "s.csv", "--contrast", "u.csv", "--against", "t.csv", "--column", "x"], ["t.csv"], ["--curve", "--figure"]),
    (["simulate", "box", "--data", "t.csv", "--rows", "5"], ["t.csv"], ["-o"]),
    (["report", "m.anr", "t.csv"], ["m.anr", "t.csv"], ["-o"]),
    (["figure", "map", "m.anr", "t.svg"], ["t.svg"], ["-o"]),
    (["evaluate", "t.csv"], ["t.csv"], ["--figure"]),
    (["detect", "t.csv", "--settings", "own.txt"], ["own.txt"], ["-o", "--save-model"]),
    (["detect", "t.csv", "--feedback", "known.csv"], ["known.csv", "t.csv"], ["-o", "--review"]),
]  # fmt: skip


@odd
def overwriting(rng):
    """An output that is an input, a model or another output, by whatever name, is refused before anything is written."""
    rows = table(rng, {})
    text = as_csv(rows).encode()
    scores = ("x\n" + "\n".join(numbers(rng) for _ in range(20)) + "\n").encode()
    case = Case("t.csv", text)
    case.files.update({"t.svg": text, "known.csv": text, "parts/p1.csv": text, "parts/p2.csv": text, "s.csv": scores, "u.csv": scores,
                       "own.txt": b"seed = 3\n", "sub/keep.txt": b""})  # fmt: skip
    case.unchanged = tuple(case.files) + ("m.anr",)
    command, inputs, outputs = rng.choice(COMMANDS)
    option = rng.choice(outputs)
    what = rng.choice(["input", "input", "input", "model", "twice", "fine"])
    if what == "twice" and len(outputs) < 2:
        what = "input"
    if what == "model" and (option == "--save-model" or command[0] in ("fit", "figure", "report", "evaluate") or option in ("--report", "--figure")):
        what = "input"
    case.exit, case.code, link = 2, {"input": "output-is-input", "model": "output-is-model", "twice": "output-twice"}.get(what), None
    how = ""
    if what == "input":
        how, link, path = same_file(rng, rng.choice(inputs))
        case.command = command + [option, path]
    elif what == "model":
        case.command, case.unchanged = command + [option, "old.anr"], case.unchanged + ("old.anr",)
    elif what == "twice":
        second = rng.choice([one for one in outputs if one != option])
        case.command = command + [option, "new.any", second, rng.choice(["new.any", "./new.any", "sub/../new.any"])]
    else:
        ending = {"figure": ".svg", "report": ".html"}.get(command[0], {"--figure": ".svg", "--report": ".html"}.get(option, ".csv"))
        case.command = command + [option, "sub/new" + ending]
        case.exit, case.code = (0, None) if "--against" not in command and "--feedback" not in command else (None, None)

    def make(anorank):
        subprocess.run([anorank, "fit", "t.csv", "-o", "m.anr", "-q", "--scorer", "mahalanobis"], check=True)
        shutil.copy("m.anr", "old.anr")
        if link:
            link()

    case.make = make
    case.what = f"{what} {how}"
    return case


# ---- running them ----------------------------------------------------------------------------------------------------


def error_code(stderr):
    for line in stderr.splitlines():
        if line.startswith('{"error"'):
            return json.loads(line)["error"]["code"]
    return None


def run(anorank, command):
    environment = dict(os.environ, ANORANK_MESSAGES="json")
    command = [part.replace("ABSOLUTE", os.getcwd()) for part in command]
    done = subprocess.run([anorank, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment, timeout=300)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def read_model(anorank, path):
    shown = json.loads(run(anorank, ["inspect", path, "--json"])[1])
    return shown["train_rows"], {column["name"]: column for column in shown["columns"]}


def check_table(case, anorank):
    """What is wrong with how the table was read, or None."""
    rows, columns = read_model(anorank, "model.anr")
    if case.rows is not None and rows != case.rows:
        return f"{rows} rows, expected {case.rows}"
    for name, role in case.roles.items():
        if name not in columns or columns[name]["role"] != role:
            return f"column {name!r} is {columns.get(name, {}).get('role')}, expected {role}; there are {list(columns)}"
    for name, count in case.levels.items():
        if columns[name].get("levels") != count:
            return f"column {name!r} has {columns[name].get('levels')} levels, expected {count}"
    return None


def check(case, anorank):
    for name, data in case.files.items():
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(data)
    if case.make:
        case.make(anorank)
    before = {name: open(name, "rb").read() for name in case.unchanged}
    command = case.command or ["fit", case.name, "-o", "model.anr", "-q", "--scorer", "mahalanobis", *case.options]
    code, _, stderr = run(anorank, command)
    found = error_code(stderr)
    if code < 0 or code not in (0, 2, 3, 4, 5):
        return f"exit code {code}: {stderr}"
    if case.exit is not None and code != case.exit:
        return f"exit code {code}, expected {case.exit}: {stderr}"
    if case.code and found not in ((case.code,) if isinstance(case.code, str) else case.code):
        return f"error {found}, expected {case.code}: {stderr}"
    for name, data in before.items():
        if open(name, "rb").read() != data:
            return f"{name!r} was changed"
    for name in case.appears:
        if not os.path.isfile(name):
            return f"{name!r} is not there"
    leftovers = [name for folder in (".", "parts", "sub") if os.path.isdir(folder) for name in os.listdir(folder) if ".tmp-" in name]
    if leftovers:
        return f"left behind: {leftovers}"
    return check_table(case, anorank) if code == 0 and not case.command else None


def main():
    anorank, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failures, home = 0, os.getcwd()
    for name, draw in CLASSES.items():
        wrong = 0
        for number in range(count):
            case = draw(random.Random(f"{seed} {name} {number}"))
            folder = tempfile.mkdtemp(dir=home)
            os.chdir(folder)
            fault = check(case, anorank)
            os.chdir(home)
            if fault:
                wrong += 1
                kept = tempfile.mkdtemp(prefix=f"odd-{name}-{number}-") if os.environ.get("KEEP") else ""
                if kept:
                    shutil.copytree(folder, kept, symlinks=True, dirs_exist_ok=True)
                if wrong <= 5:
                    shown = " ".join(shlex.quote(part) for part in case.command or ["fit", case.name, *case.options])
                    print(f"FAILED: {name} {number} ({case.what}): {fault}\n  {shown} {kept}", flush=True)
            shutil.rmtree(folder)
        print(f"{name}: {count} inputs, {wrong} wrong", flush=True)
        failures += wrong
    print(f"{count * len(CLASSES)} inputs, {failures} wrong")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
