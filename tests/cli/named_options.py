"""named_options.py PROGRAM FOLDER - each command and option that README.md, CONTRIBUTING.md and docs/*.md name exists: in text, in tables,
and in blocks that no test runs."""
import json
import re
import subprocess
import sys
from pathlib import Path

program, root = sys.argv[1], Path(sys.argv[2])
OLD_NAMES = {"upgrading.md"}  # the table of names that changed
OTHERS = ("bench/", "cmake", "ctest", "cc ", "pip", "sbatch", "zstd", "gzip", "gcc", "curl", "git", "sh ", "docker", "make", "parallel", "sha256sum", "sudo", "tar")


def output(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


commands = [one["name"] for one in json.loads(output("list", "command", "--json"))]
known = {name: set(re.findall(r"--[a-z][a-z0-9-]*", output(name, "--help", "all"))) | {"--help"} for name in commands}
known["manual"] = {"--settings-markdown"}  # a hidden command, for the build
known[""] = set(re.findall(r"--[a-z][a-z0-9-]*", output("--help"))) | {"--help", "--version"}
anywhere = set().union({"--name"}, *known.values())  # --name VALUE: any option
found, looked_at = [], 0
for page in [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]:
    if page.name in OLD_NAMES:
        continue
    text = page.read_text(encoding="utf-8")
    by_hand = "\n".join(re.findall(r"^```sh by-hand\n(.*?)^```", text, re.M | re.S))
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)) + by_hand.splitlines()
    for span in spans:
        span = span.split("  #")[0]
        call = re.search(r"(?:^|[ '\"])anorank(?: ([a-z]+))?\b(.*)", span)
        if call and call.group(1) and call.group(1) not in known and not re.match(r"[.(]", call.group(2)):
            found.append(f"{page.name}: no command {call.group(1)} in: {span}")
        elif not span.strip() or not call and span.startswith(OTHERS):
            continue
        first = call.group(1) or "" if call else span.split()[0]
        allowed = known.get(first, anywhere)
        for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", call.group(0) if call else span):
            looked_at += 1
            if option not in allowed:
                found.append(f"{page.name}: no {option} in: {span}")
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found) or looked_at < 200)
