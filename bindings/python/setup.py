"""Builds one abi3 wheel with the C library inside, and a source distribution with its sources. All else: pyproject.toml."""
import re
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

here = Path(__file__).resolve().parent
root = here / "csrc" if (here / "csrc").is_dir() else here.parent.parent
PARTS = ["CMakeLists.txt", "LICENSE", "THIRD_PARTY.md", "README.md", "CHANGELOG.md", "cmake", "include", "src", "extras", "cli", "web/dist"]


def version():
    header = (root / "include" / "anorank" / "anorank.h").read_text(encoding="utf-8")
    numbers = (re.search(rf"ANORANK_VERSION_{part} (\d+)", header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
    suffix = re.search(r'ANORANK_VERSION_SUFFIX "(.*?)"', header).group(1)
    return ".".join(numbers) + suffix.replace("-", "")  # 1.0.0rc1, as Python spells it


class sdist_with_library(sdist):
    """The C sources lie outside of this folder: bring them in for the time of packing."""

    def run(self):
        copy = here / "csrc"
        made = not copy.exists()
        try:
            for part in PARTS if made else []:
                if (root / part).is_dir():
                    shutil.copytree(root / part, copy / part)
                else:
                    copy.mkdir(exist_ok=True)
                    shutil.copy(root / part, copy / part)
            super().run()
        finally:
            if made:
                shutil.rmtree(copy, ignore_errors=True)


class build_with_library(build_ext):
    """The C library first: the module is linked with it."""

    def run(self):
        sys.path.insert(0, str(here))
        import build_anorank

        build_anorank.build_library()
        super().run()


setup(
    version=version(),
    packages=["anorank"],
    package_data={"anorank": ["py.typed"]},
    cffi_modules=["build_anorank.py:ffi"],
    cmdclass={"build_ext": build_with_library, "sdist": sdist_with_library},
    options={"bdist_wheel": {"py_limited_api": "cp38"}},
    zip_safe=False,
)
