"""manylinux.py WHEEL FOLDER - copy a wheel into FOLDER, with the manylinux tag that its modules allow (PEP 600).

The tag names the newest version of glibc of which a module needs a symbol. A module is refused if it needs a library that not every
such platform has, versions of another library, or a folder of the machine that built it. Entries are sorted and have one time, that
of SOURCE_DATE_EPOCH, so that the same modules give the same bytes."""
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from wheel.wheelfile import WheelFile

# Of the list of PEP 599 and its successors, the libraries that are parts of glibc.
ALLOWED = re.compile(r"(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|ld-linux-(x86-64\.so\.2|aarch64\.so\.1))$")


def glibc_of(module):
    """The newest version of glibc that a module needs, as (2, 34)."""
    shown = subprocess.run(["readelf", "--wide", "--dynamic", "--version-info", str(module)], check=True, capture_output=True, text=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", shown)
    versions = re.findall(r"Name: (\S+)  Flags:", shown)
    problems = [f"needs {name}" for name in needed if not ALLOWED.match(name)]
    problems += [f"needs a symbol of {name}" for name in versions if not re.fullmatch(r"GLIBC_2(\.\d+)+", name)]
    problems += [f"looks for libraries in {path}" for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", shown)]
    if problems or not needed or not versions:
        sys.exit(f"manylinux.py: {module.name}: {', '.join(problems) or 'is not linked with glibc'}")
    return max(tuple(int(part) for part in name[len("GLIBC_"):].split(".")[:2]) for name in versions)


def main():
    wheel, out = Path(sys.argv[1]), Path(sys.argv[2])
    name, version, python, abi, platform = wheel.stem.split("-")
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder)
        modules = sorted(Path(folder).rglob("*.so"))
        if not modules:
            sys.exit(f"manylinux.py: {wheel.name}: has no modules, so it needs no such tag")
        newest = max(map(glibc_of, modules))
        tag = "manylinux_{}_{}_{}".format(*newest, platform.replace("linux_", "", 1))
        about = Path(folder, f"{name}-{version}.dist-info", "WHEEL")
        about.write_text(about.read_text().replace(f"-{platform}\n", f"-{tag}\n"))
        for path in Path(folder).rglob("*"):
            path.chmod(0o755 if path.is_dir() or path in modules else 0o644)
        made = out / f"{name}-{version}-{python}-{abi}-{tag}.whl"
        made.unlink(missing_ok=True)
        with WheelFile(made, "w", compression=zipfile.ZIP_DEFLATED) as packed:
            packed.write_files(folder)
    print(made)


main()
