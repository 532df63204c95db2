"""packaging.py - what recipes, the Dockerfile and the workflows hold to; called by check_packaging.sh in the folder of the project."""
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import yaml

PLACEHOLDER = "https://example.org/anorank"
RECIPES = {  # file: how it spells the version
    "homebrew/anorank.rb": "plain",
    "conda/recipe.yaml": "python",
    "vcpkg/vcpkg.json": "plain",
    "nix/package.nix": "plain",
}
ADDRESSED = ("homebrew/anorank.rb", "conda/recipe.yaml", "vcpkg/portfile.cmake", "nix/package.nix")
LIBRARIES = {  # what CMake looks for: its name in recipes, and in Debian
    "ZLIB": ("zlib", "zlib1g"),
    "libzstd": ("zstd", "libzstd1"),
    "expat": ("expat", "libexpat1"),
    "libmicrohttpd": ("libmicrohttpd", "libmicrohttpd12"),
}
found = []


def wrong(text):
    found.append(text)


def read(path):
    return Path(path).read_text(encoding="utf-8")


def recipes():
    cmake = read("CMakeLists.txt") + read("cmake/serve.cmake")
    used = re.findall(r"find_package\((?!Threads|PkgConfig)(\w+)|pkg_check_modules\(\w+ (?:REQUIRED IMPORTED_TARGET )?(\w+)", cmake)
    needed = {name for pair in used for name in pair if name}
    if needed != set(LIBRARIES):
        wrong(f"packaging.py: CMake looks for {sorted(needed)}; bring LIBRARIES and the recipes up to date")
    for path, form in RECIPES.items():
        version = subprocess.run(["sh", "scripts/version.sh", form], capture_output=True, text=True, check=True).stdout.strip()
        if not re.search(rf"\bversion(-semver)?\W{{1,5}}{re.escape(version)}\b", read(f"packaging/{path}")):
            wrong(f"packaging/{path}: does not have the version {version}")
        for name, _ in LIBRARIES.values():
            if not re.search(rf"(?<![\w-]){name}(?![\w-])", read(f"packaging/{path}")) and (name, path) != ("libmicrohttpd", "vcpkg/vcpkg.json"):
                wrong(f"packaging/{path}: does not need {name}")
    for path in ADDRESSED:
        text = read(f"packaging/{path}")
        if text.count(PLACEHOLDER) != 1 or not re.search(rf"ANORANK_RELEASE_URL\W{{1,5}}{re.escape(PLACEHOLDER)}", text):
            wrong(f"packaging/{path}: ANORANK_RELEASE_URL must hold the only address, {PLACEHOLDER}")
    port = json.loads(read("packaging/vcpkg/vcpkg.json"))
    if not {"name", "version-semver", "license", "supports", "dependencies"} <= set(port):
        wrong("packaging/vcpkg/vcpkg.json: a key is missing")
    conda = yaml.safe_load(read("packaging/conda/recipe.yaml"))
    extra = set(conda) - {"schema_version", "context", "recipe", "source", "build", "outputs", "about"}
    for output in conda["outputs"]:
        extra |= set(output) - {"package", "build", "requirements", "tests"}
        if not all(output.get(key) for key in ("package", "build", "requirements", "tests")):
            wrong(f"packaging/conda/recipe.yaml: {output['package']} lacks a part")
    if extra:
        wrong(f"packaging/conda/recipe.yaml: unknown keys {sorted(extra)}")
    pyproject = read("bindings/python/pyproject.toml")
    run = " ".join(str(word) for word in conda["outputs"][1]["requirements"]["run"])
    for name, least in re.findall(r'"([\w-]+)>=([\d.]+)"', re.search(r"\ndependencies = \[(.*)\]", pyproject).group(1)):
        if f"{name} >={least}" not in run:
            wrong(f"packaging/conda/recipe.yaml: anorank needs {name} >={least}")


def dockerfile():
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", read("packaging/Dockerfile"), flags=re.M)).splitlines()
    stages, user = [], None
    for line in filter(None, lines):
        word, rest = line.split(None, 1)
        if word == "FROM":
            stage = re.fullmatch(r"(debian:\d+(?:-slim)?)(?: AS (\w+))?", rest)
            stages.append(stage and (stage.group(2) or "last"))
            user = None
        elif word == "COPY":
            source = re.match(r"--from=(\w+) (.*)", rest)
            if source and source.group(1) not in stages:
                wrong(f"packaging/Dockerfile: no stage {source.group(1)}")
            for path in shlex.split(source.group(2))[:-1] if source else []:
                if path.startswith("/src/") and not Path(path[5:]).exists():
                    wrong(f"packaging/Dockerfile: no {path}")
        elif word in ("ENTRYPOINT", "CMD"):
            if not isinstance(json.loads(rest), list):
                wrong(f"packaging/Dockerfile: {word} must be a list")
        elif word == "USER":
            user = rest
        elif word == "RUN":
            if subprocess.run(["sh", "-n"], input=rest, text=True).returncode:
                wrong(f"packaging/Dockerfile: not a command: {rest}")
            for _, package in LIBRARIES.values() if "apt-get" in rest and len(stages) == 2 else []:
                if package not in rest:
                    wrong(f"packaging/Dockerfile: does not install {package}")
        elif word not in ("WORKDIR", "EXPOSE"):
            wrong(f"packaging/Dockerfile: unknown instruction {word}")
    if None in stages or len(stages) != 2 or not re.match(r"[1-9]", user or ""):
        wrong("packaging/Dockerfile: needs two known stages, and a user who is not root")


def commands(where, text, shell):
    """A step as a shell reads it, and what it calls in the repository."""
    text = re.sub(r"\$\{\{.*?\}\}", "VALUE", text)
    checked = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True)
    if checked.returncode:
        wrong(f"{where}: not a command for {shell}: {checked.stderr}")
    targets = set(re.findall(r"^([\w-]+):", read("Makefile"), flags=re.M))
    for words in re.findall(r"(?:^|[;&]\s*)make\b((?: [\w=\"'-]+)*)", text, flags=re.M):
        for word in words.split():
            if re.fullmatch(r"[\w-]+", word) and word not in targets:
                wrong(f"{where}: make has no target {word}")
    for path in re.findall(r"(?:sh |^)((?:\.ci|scripts|packaging|tests)/[\w./-]+)", text, flags=re.M):
        if not Path(path).exists():
            wrong(f"{where}: no {path}")
    presets = {preset["name"] for preset in json.loads(read("CMakePresets.json"))["configurePresets"]}
    for preset in re.findall(r"--preset (\w+)", text):
        if preset not in presets:
            wrong(f"{where}: no preset {preset}")


def workflow(path):
    top = yaml.safe_load(path.read_text(encoding="utf-8"))
    top["on"] = top.pop(True, None)  # YAML 1.1 reads the key `on` as a truth value
    if set(top) != {"name", "on", "permissions", "concurrency", "jobs"} or not top["on"]:
        wrong(f"{path}: has the keys {sorted(top)}")
    if top["permissions"] != {"contents": "read"} or "group" not in top["concurrency"]:
        wrong(f"{path}: permissions must be contents: read, and concurrency must have a group")
    for name, job in top["jobs"].items():
        where = f"{path}, job {name}"
        needs = job.get("needs", [])
        for other in [needs] if isinstance(needs, str) else needs:
            if other not in top["jobs"] or list(top["jobs"]).index(other) >= list(top["jobs"]).index(name):
                wrong(f"{where}: needs {other}, which is not an earlier job")
        matrix = set(job.get("strategy", {}).get("matrix", {}))
        for key in re.findall(r"matrix\.(\w+)", json.dumps(job)):
            if key not in matrix:
                wrong(f"{where}: no {key} in its matrix")
        if "uses" in job:
            if not Path(job["uses"]).exists() or "workflow_call" not in read(job["uses"]):
                wrong(f"{where}: cannot call {job['uses']}")
            continue
        if not {"runs-on", "timeout-minutes", "steps"} <= set(job):
            wrong(f"{where}: needs runs-on, timeout-minutes and steps")
        for step in job.get("steps", []):
            if set(step) - {"name", "uses", "with", "run", "if", "env", "shell"} or ("uses" in step) == ("run" in step):
                wrong(f"{where}: strange step {step}")
            if "uses" in step and not re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|[0-9a-f]{40})", step["uses"]):
                wrong(f"{where}: {step['uses']} is not pinned to a major version or a commit")
            if "run" in step:
                commands(where, step["run"], "bash")


def forms():
    for path in Path(".github/ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        if path.name == "config.yml":
            continue
        ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
        if not {"name", "description", "body"} <= set(form) or len(ids) != len(set(ids)):
            wrong(f"{path}: needs a name, a description, and parts with different ids")
        for part in form["body"]:
            if part["type"] not in ("markdown", "textarea", "input", "dropdown") or not part["attributes"]:
                wrong(f"{path}: strange part {part}")


recipes()
dockerfile()
for path in sorted(Path(".github/workflows").glob("*.yml")):
    workflow(path)
forms()
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
