"""Run the examples in the docstrings of the package, and those of the pages that are named below."""
import doctest
import importlib
import os
import pkgutil
import sys
import tempfile

import anorank

failed = tried = 0
os.environ.setdefault("OMP_NUM_THREADS", "2")
names = ["anorank"] + [f"anorank.{m.name}" for m in pkgutil.iter_modules(anorank.__path__) if m.name != "_anorank"]
for name in names:
    module = importlib.import_module(name)
    result = doctest.testmod(
        module, extraglobs=vars(anorank), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    failed, tried = failed + result.failed, tried + result.attempted
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for page in ["docs/python.md", "docs/coming-from.md"]:
        path = os.path.join(sys.argv[1], page)
        result = doctest.testfile(
            path, module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        )
        failed, tried = failed + result.failed, tried + result.attempted
    os.chdir("/")
print(f"{tried} examples, {failed} failed")
sys.exit(failed > 0 or tried < 50)
