"""pages.py - what README.md and the pages of docs/ hold to; called by check_pages.sh in the folder of the project.

README.md has at most 115 lines, and with docs/ (docs/research/ aside) at most 45,000 words. Prose wraps at 100 columns and has at
most 25 words in a sentence. docs/README.md links to every page. Commands stand in blocks that a test runs, or that say ```sh by-hand."""
import re
import sys
from pathlib import Path

MOST_LINES, MOST_WORDS, WIDTH, SENTENCE = 115, 45000, 100, 25
TABLES = {"errors.md", "settings.md", "files.md", "bad-input.md"}  # rows of tables, which other tests check
FENCES = re.compile(r"```(sh( exit=[0-9]+| by-hand| background)?|python|c|text|json|cmake)?$")
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


def main():
    pages = [Path("README.md"), *sorted(Path("docs").glob("*.md"))]
    words = sum(len(page.read_text(encoding="utf-8").split()) for page in pages)
    found = []
    if len(pages[0].read_text(encoding="utf-8").splitlines()) > MOST_LINES:
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
    print("\n".join(found))
    sys.exit(bool(found))


main()
