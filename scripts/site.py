#!/usr/bin/python3
"""site.py BINARY FOLDER - the documentation as a site in FOLDER, by Debian's mkdocs and mkdocs-material, without a network.

Pages are those of the tree. The C reference comes from the headers, the Python reference from docstrings, the command
reference and the example report from BINARY, and the browser page from build/page if it was built. A broken link, or
anything that a page would load from elsewhere, fails the build."""
import ast
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "THIRD_PARTY.md", "VERSIONING.md",
         "CODE_OF_CONDUCT.md", "bench/README.md", "packaging/README.md"]  # fmt: skip
FILES = ["LICENSE", "CITATION.cff", "packaging/Dockerfile", "packaging/homebrew/anorank.rb", "packaging/conda/recipe.yaml",
         "packaging/nix/package.nix", "packaging/vcpkg/portfile.cmake"]  # fmt: skip
HEADERS = ["anorank", "io", "criterion", "report", "arrow", "experimental"]
MODULES = ["__init__", "contrast", "criterion", "dask", "datasets", "scoring"]
NAV = {
    "Guide": "docs/guide.md",
    "Install": "docs/install.md",
    "How-to": {
        "Clean history": "docs/clean-history.md", "Review": "docs/review.md", "Drift": "docs/drift.md",
        "Accounts": "docs/accounts.md", "Machines": "docs/machines.md", "KPIs": "docs/kpis.md", "Judge": "docs/judge.md",
        "Python": "docs/python.md", "JavaScript": "docs/npm.md", "Coming from another library": "docs/coming-from.md",
        "C library": "docs/embedding.md",
        "HTTP service": "docs/serve.md", "Large tables": "docs/scale.md", "Dask": "docs/dask.md", "Browser page": "docs/page.md",
    },
    "Reference": {
        "Commands": "docs/commands.md", "Options of each command": "api/commands.md", "Settings": "docs/settings.md",
        "Output": "docs/output.md", "Files": "docs/files.md", "Errors": "docs/errors.md", "Broken input": "docs/bad-input.md",
        "Report": "docs/report.md", "Model file": "docs/model-format.md", "Platforms": "docs/platforms.md", "C API": "api/c.md", "Python API": "api/python.md",
        "Upgrading to 1.0": "docs/upgrading.md",
    },
    "Explanation": {
        "Methods": "docs/methods.md", "Statistics": "docs/statistics.md", "Contrast rows": "docs/contrast.md",
        "Accuracy": "docs/accuracy.md", "The paper": "docs/reproduce.md", "Research notes": "docs/research/README.md",
    },
    "Project": {
        "Architecture": "ARCHITECTURE.md", "Decisions": "docs/decisions/README.md", "Contributing": "CONTRIBUTING.md",
        "Changelog": "CHANGELOG.md", "Versioning": "VERSIONING.md", "Benchmarks": "bench/README.md",
        "Packaging": "packaging/README.md", "Security": "SECURITY.md", "Code of conduct": "CODE_OF_CONDUCT.md",
        "Code of others": "THIRD_PARTY.md",
    },
}  # fmt: skip
STYLE = """[data-md-color-scheme] { --md-text-font: system-ui, sans-serif; --md-code-font: ui-monospace, "DejaVu Sans Mono", monospace; }
[data-md-color-scheme="slate"] { --md-typeset-a-color: #8ab4f8; }
[data-md-color-scheme="slate"] .md-nav__link--active { color: #8ab4f8; }
.md-typeset h1 { color: inherit; font-weight: 400; margin-bottom: .8em; }
.md-grid { max-width: 72rem; }
.md-typeset img { max-width: 100%; }
.md-typeset table:not([class]) { font-size: .7rem; }
.md-typeset table:not([class]) :is(th, td) { padding: .6em .8em; min-width: 0; }
"""


# ---- pages -----------------------------------------------------------------------------------------------


def adapted(text):
    """As mkdocs reads it: plain names of languages, blank lines before lists and tables, pages for folders."""
    out, code = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            line = line if code else re.sub(r"^```(\w*).*", r"```\1", line)
            if not code and out and out[-1].strip():
                out.append("")
            code = not code
        elif not code and out and out[-1].strip() and not out[-1].startswith((" ", "```")):
            item, table = r"([-*]|\d+\.) ", line.startswith("|")
            if (re.match(item, line) and not re.match(item, out[-1])) or (table and not out[-1].startswith("|")):
                out.append("")
        out.append(line)
    return re.sub(r"\]\(((?:\.\./)?examples(?:/\w+)?)/?\)", r"](\1/README.md)", "\n".join(out) + "\n")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy_tree(source):
    for page in PAGES + [str(p.relative_to(ROOT)) for p in sorted((ROOT / "docs").rglob("*.md"))]:
        write(source / page, adapted((ROOT / page).read_text(encoding="utf-8")))
    for path in sorted((ROOT / "docs").rglob("*")):
        if path.suffix in (".svg", ".png"):
            write(target := source / path.relative_to(ROOT), "")
            shutil.copyfile(path, target)
    for name in FILES + [f"include/anorank/{p.name}" for p in (ROOT / "include/anorank").glob("*.h")]:
        write(source / name, (ROOT / name).read_text(encoding="utf-8"))
    for folder in [ROOT / "examples", *(p for p in (ROOT / "examples").iterdir() if p.is_dir() and p.name != "__pycache__")]:
        files = sorted(p for p in folder.iterdir() if p.is_file())
        for path in files:
            write(source / path.relative_to(ROOT), path.read_text(encoding="utf-8"))
        lines = [f"- [{p.name}]({p.name})" for p in files]
        lines += [f"- [{p.name}/]({p.name}/README.md)" for p in sorted(folder.iterdir()) if p.is_dir() and p.name != "__pycache__"]
        write(source / folder.relative_to(ROOT) / "README.md", f"# {folder.relative_to(ROOT)}\n\n" + "\n".join(lines) + "\n")


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8", **more).stdout


def commands_page(binary):
    names = re.findall(r"^(?:[A-Z][a-z]+)? +([a-z]+)  +\S", run(binary, "--help"), re.M)
    parts = ["# Options of each command\n\nThe output of `anorank COMMAND --help all`.\n"]
    for name in names:
        if name != "help":
            parts.append(f"## {name}\n\n```text\n{run(binary, name, '--help', 'all').rstrip()}\n```\n")
    return "\n".join(parts)


# ---- C ---------------------------------------------------------------------------------------------------


def comment_text(comment):
    """The words of a comment, its indented parts as they are."""
    lines = [re.sub(r"^ \* ?", "", line) for line in comment.strip()[2:-2].rstrip().splitlines()]
    paragraphs = re.split(r"\n\s*\n", "\n".join([lines[0].strip()] + lines[1:]))
    shown = []
    for paragraph in paragraphs:
        indented = any(line.startswith("  ") for line in paragraph.splitlines()[1:])
        shown.append(f"```text\n{paragraph}\n```" if indented else escaped(paragraph))
    return "\n\n".join(shown)


def escaped(text):
    return re.sub(r"([*_\[\]`\\])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))


def c_page():
    parts = ["# C API\n\nFrom the headers. Conventions for errors, ownership and threads are at the top; "
             "[docs/embedding.md](../docs/embedding.md) has a first program.\n"]  # fmt: skip
    for name in HEADERS:
        text = (ROOT / f"include/anorank/{name}.h").read_text(encoding="utf-8")
        parts.append(f"## anorank/{name}.h\n")
        for comment, code in re.findall(r"(^/\*.*?\*/)?\n?((?:^(?!/\*)[^\n]+\n)*)", text, re.M | re.S):
            code = re.sub(r"^(#(if|else|end|include)|extern|}$|#define (ANORANK_(API|MUST_CHECK)|\w+_H)\b).*\n", "", code, flags=re.M)
            code = re.sub(r"\b(ANORANK_API|ANORANK_MUST_CHECK)\s*", "", code).strip()
            section = re.match(r"/\* -+ (.*?) -+ \*/", comment)
            if section:
                parts.append(f"### {section.group(1)}\n")
            elif comment and not code:
                parts.append(comment_text(comment) + "\n")
            if code:
                found = re.search(r"\b(anorank_\w+)\(|typedef (?:enum|struct) (\w+)|#define (\w+)", code)
                title = next((g for g in found.groups() if g), None) if found else None
                parts += [f"#### {title}\n"] if title else []
                parts.append(f"```c\n{code}\n```\n")
                parts += [comment_text(comment) + "\n"] if comment and not section else []
    return "\n".join(parts)


# ---- Python ----------------------------------------------------------------------------------------------


def doc_text(node):
    """A docstring; its sessions and indented lists as they are."""
    text, shown = ast.get_docstring(node) or "", []
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith(">>>"):
            shown.append(f"```python\n{paragraph}\n```")
        elif any(line.startswith("  ") for line in paragraph.splitlines()) or "\n---" in paragraph:
            shown.append(f"```text\n{paragraph}\n```")
        else:
            shown.append(paragraph)
    return "\n\n".join(shown)


def signature(node, name):
    text = f"{name}({ast.unparse(node.args)})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")
    text = re.sub(r"\b(self|cls), |\((self|cls)\)", lambda m: "()" if m.group(2) else "", text)
    return text if len(text) <= 100 else "\n".join(textwrap.wrap(text, 100, subsequent_indent="    "))


def python_of(node, prefix):
    name = f"{prefix}{node.name}"
    if isinstance(node, ast.ClassDef):
        yield f"### {name}\n\n{doc_text(node)}\n"
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and ast.get_docstring(member):
                words = [getattr(d, "id", "") for d in member.decorator_list]
                shown = member.name if "property" in words else signature(member, member.name)
                yield f"#### {node.name}.{member.name}\n\n```python\n{shown}\n```\n\n{doc_text(member)}\n"
    elif isinstance(node, ast.FunctionDef):
        yield f"### {name}\n\n```python\n{signature(node, name)}\n```\n\n{doc_text(node)}\n"


def python_page():
    package = ROOT / "bindings/python/anorank"
    trees = {p.stem: ast.parse(p.read_text(encoding="utf-8")) for p in sorted(package.glob("*.py"))}
    parts = ["# Python API\n\nFrom the docstrings. [docs/python.md](../docs/python.md) is the manual.\n"]
    for module in MODULES:
        tree, prefix = trees[module], "anorank." if module == "__init__" else f"anorank.{module}."
        parts.append(f"## {prefix[:-1]}\n\n{doc_text(tree)}\n")
        lists = [n for n in tree.body if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "__all__"]
        wanted = [e.value for e in lists[0].value.elts] if lists else None
        for one in [t for m, t in trees.items() if m not in MODULES] if module == "__init__" else [tree]:
            for node in one.body:
                public = isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")
                if public and ast.get_docstring(node) and (wanted is None or node.name in wanted):
                    parts += python_of(node, prefix)
    return "\n".join(parts)


# ---- the site --------------------------------------------------------------------------------------------


def example_report(binary, out):
    with tempfile.TemporaryDirectory() as work:
        run(binary, "example", "cards", "--rows", "12000", "--anomalies", "0", "-o", f"{work}/history.csv", "-q")
        run(binary, "example", "cards", "--rows", "4000", "--first-row", "12000", "-o", f"{work}/april.csv", "-q")
        run(binary, "fit", "history.csv", "--id", "transaction,account", "-o", "cards.anr", "-q", cwd=work)
        run(binary, "report", "cards.anr", "april.csv", "-o", str(out), "-q", cwd=work)


def configuration(source, site, extra):
    nav = [{"Home": "README.md"}, {"Guide": NAV["Guide"]}]
    nav += [{k: [{title: page} for title, page in v.items()]} for k, v in NAV.items() if isinstance(v, dict)]
    nav.append({"Live": extra})
    toggle = lambda scheme, other, icon: {
        "media": f"(prefers-color-scheme: {'dark' if scheme == 'slate' else 'light'})", "scheme": scheme, "primary": "blue grey",
        "accent": "blue", "toggle": {"icon": f"material/{icon}", "name": f"Switch to {other} mode"},
    }  # fmt: skip
    return json.dumps({
        "site_name": "anorank", "site_description": "Rank the rows of a table by how abnormal they are, without labels",
        "docs_dir": str(source), "site_dir": str(site), "use_directory_urls": False, "nav": nav, "plugins": ["search"],
        "theme": {
            "name": "material", "font": False, "features": ["navigation.sections", "navigation.top", "search.highlight"],
            "palette": [toggle("default", "dark", "weather-night"), toggle("slate", "light", "weather-sunny")],
        },
        "extra_css": ["style.css"], "extra": {"generator": False},
        "markdown_extensions": ["tables", {"toc": {"permalink": True}}, "pymdownx.superfences", "pymdownx.highlight"],
    }, indent=1)  # fmt: skip


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids |= {a[k] for k in ("id", "name") if a.get(k)}
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        if tag in ("img", "script", "iframe") and a.get("src"):
            self.loads.append(a["src"])
        if tag == "link" and a.get("href") and a.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(a["href"])


def broken_links(site):
    pages = {}
    for path in site.rglob("*.html"):
        pages[path] = Links()
        pages[path].feed(path.read_text(encoding="utf-8"))
    live = {site / "report.html", site / "page.html"}  # written by anorank; nothing of the site is in them
    for path, found in sorted(pages.items()):
        if path in live or path.name == "404.html":
            continue
        for link in found.links + found.loads:
            parts = urlsplit(link)
            if parts.scheme in ("data", "mailto") or link.startswith("javascript"):
                continue
            if parts.scheme or parts.netloc:
                if link in found.loads:
                    yield f"{path.relative_to(site)} loads {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{path.relative_to(site)}: there is no {link}"
            elif parts.fragment and target in pages and target not in live and unquote(parts.fragment) not in pages[target].ids:
                yield f"{path.relative_to(site)}: {parts.path or 'the page'} has no #{parts.fragment}"


def main():
    binary, site = (Path(a).resolve() for a in sys.argv[1:])
    source = site.parent / "site-source"
    shutil.rmtree(source, ignore_errors=True)
    copy_tree(source)
    write(source / "style.css", STYLE)
    write(source / "api/commands.md", commands_page(binary))
    write(source / "api/c.md", c_page())
    write(source / "api/python.md", python_page())
    example_report(binary, source / "report.html")
    listed = json.dumps(NAV)
    forgotten = [p.name for p in (ROOT / "docs").glob("*.md") if f'"docs/{p.name}"' not in listed and p.name != "README.md"]
    if forgotten:
        sys.exit(f"site.py: NAV has no {', '.join(forgotten)}")
    extra = [{"A report": "report.html"}]
    page = ROOT / "build/page/page.html"
    if page.exists():
        shutil.copyfile(page, source / "page.html")
        extra.append({"anorank in your browser": "page.html"})
    write(site.parent / "mkdocs.yml", configuration(source, site, extra))
    environment = dict(os.environ, PYTHONWARNINGS="ignore")
    subprocess.run(["mkdocs", "build", "-q", "--strict", "-f", str(site.parent / "mkdocs.yml")], check=True, env=environment)
    for path in site.rglob("*.map"):
        path.unlink()
    wrong = list(broken_links(site))
    print("\n".join(wrong), end="\n" if wrong else "")
    if wrong:
        sys.exit(1)
    print(f"{site}: {len(list(site.rglob('*.html')))} pages; to look at it with search: python3 -m http.server -d {site}")


if __name__ == "__main__":
    main()
