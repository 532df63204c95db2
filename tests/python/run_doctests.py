"""Run the examples in the docstrings of the package, and those of the pages that are named below: with prompts as doctests,
without as the programs that they are, on files that the built-in data fill."""
import contextlib
import doctest
import importlib
import io
import os
import pkgutil
import re
import sys
import tempfile

import anorank

failed = tried = 0
os.environ.setdefault("OMP_NUM_THREADS", "2")
names = ["anorank"] + [f"anorank.{m.name}" for m in pkgutil.iter_modules(anorank.__path__) if m.name not in ("_anorank", "dask")]
for name in names:
    module = importlib.import_module(name)
    result = doctest.testmod(
        module, extraglobs=vars(anorank), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    failed, tried = failed + result.failed, tried + result.attempted


def run_programs(text):
    """Each block of Python without prompts; how many there are."""
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    blocks = [b for b in blocks if ">>>" not in b and "anorank.dask" not in b]  # test_python_dask.py runs that
    for block in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(block, {})
        assert "reasons" in out.getvalue(), block
    return len(blocks)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    anorank.datasets.cards(3000, anomalies=0, random_state=2).to_csv("history.csv", index=False)
    anorank.datasets.cards(1000, anomalies=0.01, random_state=3).to_csv("april.csv", index=False)
    for page in ["README.md", "docs/python.md"]:
        with open(os.path.join(sys.argv[1], page), encoding="utf-8") as file:
            found = run_programs(file.read())
        assert found > 0, f"{page} shows no Python"
        tried += found
    for page in ["docs/python.md", "docs/coming-from.md"]:
        path = os.path.join(sys.argv[1], page)
        result = doctest.testfile(
            path, module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        )
        failed, tried = failed + result.failed, tried + result.attempted
    os.chdir("/")
print(f"{tried} examples, {failed} failed")
sys.exit(failed > 0 or tried < 50)
