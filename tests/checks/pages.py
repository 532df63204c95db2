"""pages.py - what README.md and the pages of docs/ hold to; called by check_pages.sh in the folder of the project.

README.md has at most 115 lines, and with docs/ (docs/research/ aside) at most 45,000 words. Prose wraps at 100 columns and has at
most 25 words in a sentence. docs/README.md links to every page. Commands stand in blocks that a test runs, or that say ```sh by-hand.

In the pages and sections of SOURCED, each number has a source: a table that bench/page_tables.py writes, or in the same section
a comment that quotes it, perhaps with more digits:
  <!-- from docs/research/accuracy-log.md: "the mean is 71.26" -->
  <!-- from src/stream/rank_counts.h: "ANK_MOST_IN_TAIL = 1 << 20" so 2 ** 20 -->
The quote must stand in that file. Whole numbers below 10 without a unit, and names such as 1-NN or Debian 12, need no source."""
import re
import sys
from pathlib import Path

MOST_LINES, MOST_WORDS, WIDTH, SENTENCE = 115, 45000, 100, 25
TABLES = {"errors.md", "settings.md", "files.md", "bad-input.md"}  # rows of tables, which other tests check
FENCES = re.compile(r"```(sh( exit=[0-9]+| by-hand| background)?|python|c|text|json|cmake)?$")
SOURCED = {  # page: a section, or "" for all
    "README.md": "", "docs/accuracy.md": "", "docs/scale.md": "", "bench/README.md": "What the runs show",
    "docs/judge.md": "How far to trust it", "docs/methods.md": "Tokens", "docs/review.md": "What to expect",
}  # fmt: skip
NUMBER = r"(?<![\w.,-])(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)"
UNIT = r"(?= ?(?:%|s\b|ms\b|µs\b|[kMG]i?B\b|times\b|points\b|rows/s))"
QUOTE = re.compile(r'<!-- from (\S+): "(.*)"(?: so ([-+*/. ()\d]+))? -->$')
COMMAND = re.compile(r"(\$ )?(anorank|curl|make|cmake|pip|python3) ")


def parts(lines):
    """(number, line, kind) of each line: code, table, prose or nothing."""
    inside = None
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            yield number, line, "fence"
            inside = None if inside is not None else line
        elif inside is not None:
            yield number, line, "output" if inside in ("```", "```text") else "code"
        elif line.startswith("|"):
            yield number, line, "table"
        elif not line.strip() or line.startswith(("#", "<!--", "![")):
            yield number, line, "break"
        else:
            yield number, line, "prose"


def sentences(text):
    text = re.sub(r"`[^`]*`", "code", re.sub(r"\]\([^)]*\)", "]", text))
    return re.split(r"(?<=[.!?:])[)*]*\s+(?=[A-Zθ(*\[-]|(?:code|anorank)\b)", text)


def problems(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    paragraph, began = "", 0
    for number, line, kind in [*parts(lines), (len(lines) + 1, "", "break")]:
        if kind == "fence" and not FENCES.match(line):
            yield number, f"a block that no test knows: {line}"
        if kind == "output" and COMMAND.match(line):
            yield number, "a command in a block that no test runs; use ```sh, or ```sh by-hand"
        if kind == "prose" and len(line) > WIDTH and " " in line[:WIDTH].strip():
            yield number, f"{len(line)} columns"
        item = re.match(r"\s*([-*]|[0-9]+\.) ", line)
        if paragraph and (kind != "prose" or item):
            for sentence in sentences(paragraph):
                count = len([word for word in sentence.split() if re.search(r"\w", word)])
                if count > SENTENCE:
                    yield began, f"{count} words: {sentence[:90]} ..."
            paragraph = ""
        if kind == "prose":
            began = began if paragraph else number
            paragraph += " " + (line[item.end():] if item else line.strip())


def by_hand(path, targets):
    """Commands in blocks that no test runs: targets of make and files of the repository exist."""
    for block in re.findall(r"^```sh by-hand\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S):
        for word in re.findall(r"\bmake ([a-z][a-z-]*)", re.sub(r" +#.*", "", block)):
            if word not in targets:
                yield f"make has no target {word}"
        for name in re.findall(r"(?<![\w/])(?:bench|bindings|packaging|scripts)/[\w./-]+", block):
            if not Path(name).exists():
                yield f"there is no {name}"


def numbers(text):
    """(number, decimals) of each number that needs a source."""
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|\b(?:Debian|[Vv]ersion|anorank|C) [\d.]+|\bc?\d+-[A-Z]+\b|10[⁰-⁹]+", " ", text)
    for found in re.finditer(NUMBER + r"(?!\w)", text):
        word = found.group().replace(",", "")
        if "." in word or float(word) >= 10 or re.match(UNIT, text[found.end():]):
            yield float(word), len(word.partition(".")[2])


def same(number, decimals, exact):
    """Whether `exact`, rounded to so many decimals, is the number; a half goes either way."""
    return abs(number - exact) <= 0.5 * 10.0**-decimals * (1 + 1e-9)


def sources(path, only):
    """Numbers without a source, and quotes that are not in their source."""
    heading, began, inside, quoted, needed = "", 0, only == "", [], []
    generated = False
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line, kind in [*parts(lines), (len(lines) + 1, "# ", "break")]:
        quote = QUOTE.match(line)
        if line.startswith("<!-- from") and not quote:
            yield number, f"not a source: {line}"
        elif quote:
            name, text, formula = quote.groups()
            body = " ".join(Path(name).read_text(encoding="utf-8").split()) if Path(name).exists() else ""
            if " ".join(text.split()) not in body:
                yield number, f"{name} does not contain: {text}"
            quoted += [float(word.replace(",", "")) for word in re.findall(NUMBER, text)]
            quoted += [eval(formula, {"__builtins__": {}})] if formula else []
        elif line.startswith("#") and kind == "break":
            for at, value, decimals in needed:
                if not any(same(value, decimals, exact) for exact in quoted):
                    yield at, f"{value:.{decimals}f} has no source in this section"
            heading, quoted, needed = line.lstrip("# "), [], []
            inside = only in ("", heading)
        generated = "figures:begin" in line or generated and "figures:end" not in line
        if inside and not generated and kind in ("prose", "table"):
            needed += [(number, *found) for found in numbers(line)]


def main():
    pages = [Path("README.md"), *sorted(Path("docs").glob("*.md"))]
    words = sum(len(page.read_text(encoding="utf-8").split()) for page in pages)
    found = []
    shown = [line for line in pages[0].read_text(encoding="utf-8").splitlines() if not QUOTE.match(line)]
    if len(shown) > MOST_LINES:
        found.append(f"README.md has more than {MOST_LINES} lines")
    if words > MOST_WORDS:
        found.append(f"README.md and docs/ have {words} words, more than {MOST_WORDS}")
    index = Path("docs/README.md").read_text(encoding="utf-8")
    found += [f"docs/README.md has no link to {page.name}" for page in pages[1:] if f"({page.name})" not in index and page.name != "README.md"]
    others = [Path(name) for name in (
        "ARCHITECTURE.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "VERSIONING.md", "packaging/README.md",
    )]
    for page in pages + others + sorted(Path("docs/decisions").glob("*.md")):
        if page.name not in TABLES:
            found += [f"{page}:{number}: {what}" for number, what in problems(page)]
    targets = re.findall(r"^([a-z-]+):", Path("Makefile").read_text(encoding="utf-8"), re.M)
    for page in pages + others:
        found += [f"{page}: {what}" for what in by_hand(page, targets)]
    for name, only in SOURCED.items():
        found += [f"{name}:{number}: {what}" for number, what in sources(Path(name), only)]
    if found:
        print("\n".join(found))
    sys.exit(bool(found))


main()
