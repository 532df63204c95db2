#!/usr/bin/python3
"""sbom.py FOLDER FILE - a bill of materials of the artefacts in FOLDER, as SPDX 2.3 in JSON: what each links or contains, with
versions and licences. dist.sh calls it in the folder that the artefacts were built in."""
import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import quote

# name: (licence, Debian package that brings it)
COMPONENTS = {
    "zlib": ("Zlib", "zlib1g-dev"),
    "libzstd": ("BSD-3-Clause", "libzstd-dev"),
    "expat": ("MIT", "libexpat1-dev"),
    "musl": ("MIT", "musl-dev"),
    "libmicrohttpd": ("LGPL-2.1-or-later", "libmicrohttpd-dev"),
    "wasi-libc": ("MIT AND Apache-2.0 WITH LLVM-exception AND BSD-2-Clause", "wasi-libc"),
}
READERS = ["zlib", "libzstd", "expat"]
# pattern of the file's name: (components linked statically, dynamically, loaded if they are installed)
LINKS = [
    (r"-linux-\w+\.tar\.gz$", (["musl", *READERS], [], [])),
    (r"^anorank_.*\.deb$", ([], READERS, ["libmicrohttpd"])),
    (r"^(libanorank1|python3-anorank)_.*\.deb$", ([], READERS, [])),
    (r"\.whl$", (READERS, [], [])),
    (r"\.tgz$", (["wasi-libc"], [], [])),
    (r"", ([], [], [])),
]
SOURCES = Path("build/platforms/sources")


def version_of(name, from_source):
    """The version of Debian's package, whose patches are part of it."""
    changelog = SOURCES / name / "debian" / "changelog"
    if from_source and changelog.exists():
        return re.search(r"\(([^)]*)\)", changelog.read_text(encoding="utf-8")).group(1)
    query = ["dpkg-query", "-W", "-f", "${source:Version}", COMPONENTS[name][1]]
    return subprocess.run(query, check=True, capture_output=True, text=True).stdout


def package(identifier, name, version, licence, **more):
    return {
        "SPDXID": identifier,
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **more,
    }


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def main(folder, out):
    version = subprocess.run(["sh", "scripts/version.sh"], check=True, capture_output=True, text=True).stdout.strip()
    uplot = json.loads(Path("web/package.json").read_text(encoding="utf-8"))["devDependencies"]["uplot"]
    ours, theirs = "SPDXRef-anorank", "SPDXRef-uPlot"
    packages = {
        ours: package(ours, "anorank", version, "MIT", supplier="Organization: The anorank authors"),
        theirs: package(theirs, "uPlot", uplot, "MIT", comment="bundled in web/dist"),
    }
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", ours), relation(ours, "CONTAINS", theirs)]

    def component(name, from_source):
        found = version_of(name, from_source)
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{name}-{found}")
        source = f"pkg:deb/debian/{name}@{quote(found, safe='')}?arch=source"
        reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": source}
        packages[identifier] = package(identifier, name, found, COMPONENTS[name][0], externalRefs=[reference])
        return identifier

    files = []
    for number, path in enumerate(sorted(path for path in Path(folder).rglob("*") if path.is_file()), 1):
        identifier, content = f"SPDXRef-file-{number}", path.read_bytes()
        sums = [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, content).hexdigest()} for kind in ("sha1", "sha256")]
        files.append({
            "SPDXID": identifier,
            "fileName": f"./{path.relative_to(folder)}",
            "checksums": sums,
            "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION",
        })  # fmt: skip
        relations.append(relation(identifier, "GENERATED_FROM", ours))
        static, dynamic, optional = next(links for pattern, links in LINKS if re.search(pattern, path.name))
        relations += [relation(identifier, "STATIC_LINK", component(name, path.suffix != ".tgz")) for name in static]
        relations += [relation(identifier, "DYNAMIC_LINK", component(name, False)) for name in dynamic]
        relations += [relation(component(name, False), "OPTIONAL_DEPENDENCY_OF", identifier) for name in optional]
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    # The address of the document need not exist, but no other document may have it: it ends with a checksum of what it is about.
    unique = hashlib.sha256("".join(item["checksums"][1]["checksumValue"] for item in files).encode()).hexdigest()
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"anorank-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/anorank-{version}-{unique}",
        "creationInfo": {
            "created": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: The anorank authors", f"Tool: anorank-sbom-{version}"],
        },
        "packages": list(packages.values()),
        "files": files,
        "relationships": relations,
    }
    Path(out).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


main(*sys.argv[1:])
