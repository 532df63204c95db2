"""Settings: keywords, checks and docstrings come from the settings table of the C library."""
from __future__ import annotations

import inspect
import math
import numbers
import os
import sys
import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

import numpy as np

from ._anorank import ffi, lib
from ._errors import UsageError, check, keyword, refusal, registry, text

WATCH = ffi.addressof(lib, "anorank_watch_progress")
STOP = ffi.addressof(lib, "anorank_watch_stop")
NUMBERS = (lib.ANORANK_SETTING_INTEGER, lib.ANORANK_SETTING_UNSIGNED, lib.ANORANK_SETTING_BYTES)


class Setting:
    """A row of the table: see docs/settings.md."""

    def __init__(self, row: Any) -> None:
        self.name = text(row.name)
        self.keyword = keyword(self.name)
        self.kind = int(row.kind)
        self.low, self.high = float(row.low), float(row.high)
        self.choices = text(row.choices).split("|") if row.choices else []
        self.applies_to = int(row.applies_to)
        self.help = text(row.help)
        self.default = self.value(text(row.default_value))

    def value(self, words: str) -> Any:
        """Convert a text of the C library to a Python value."""
        if self.kind in NUMBERS:
            return int(words)
        if self.kind == lib.ANORANK_SETTING_REAL:
            return float(words)
        return words == "yes" if self.choices == ["no", "yes"] else words

    def allowed(self) -> str:
        """Type and bounds, for a docstring."""
        if self.choices == ["no", "yes"]:
            return "bool"
        if self.choices:
            return "{" + ", ".join(repr(word) for word in self.choices) + "}"
        if self.kind == lib.ANORANK_SETTING_LIST:
            return "str or list"
        if self.kind == lib.ANORANK_SETTING_TEXT:
            return "str"
        kind = "float" if self.kind == lib.ANORANK_SETTING_REAL else "int"
        return f"{kind}, {self.low:g} to {self.high:g}" if math.isfinite(self.high) else kind

    def paragraph(self) -> str:
        return f"{self.keyword} : {self.allowed()}, default {self.default!r}\n    {self.help}"


TABLE: List[Setting] = [Setting(row) for row in registry(lib.anorank_setting_at)]
BY_KEYWORD: Dict[str, Setting] = {setting.keyword: setting for setting in TABLE}


def applying_to(mask: int, without: Iterable[str] = ()) -> List[Setting]:
    """The settings that apply to any of ``mask`` (ANORANK_FOR_...), in the order of the table."""
    left_out = set(without)
    return [row for row in TABLE if row.applies_to & mask and row.name not in left_out]


# What an estimator takes besides its own parameters; and what of it is about reading rows.
OTHERS = applying_to(
    lib.ANORANK_FOR_FIT | lib.ANORANK_FOR_LEARN | lib.ANORANK_FOR_READ,
    ["scorer", "train", "seed", "threads", "block-rows"],
)
READING = applying_to(lib.ANORANK_FOR_READ, ["block-rows"])


def parameters_of(rows: Iterable[Setting]) -> List[inspect.Parameter]:
    """Return the settings as parameters of a function."""
    return [inspect.Parameter(row.keyword, inspect.Parameter.KEYWORD_ONLY, default=row.default) for row in rows]


def documented(rows: Iterable[Setting], indent: str = "    ") -> str:
    """Return the settings as paragraphs of a docstring."""
    lines = "\n".join(row.paragraph() for row in rows).split("\n")
    return "\n".join((indent + line).rstrip() for line in lines)


def words_of(value: Any, name: str = "") -> str:
    """Return a value as text for the C library."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (str, numbers.Integral)):
        return str(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        items = [words_of(item) for item in value]
        return ",".join(item.replace("\\", "\\\\").replace(",", "\\,") for item in items)
    raise refusal(
        UsageError, "setting-value",
        f"{keyword(name) or 'a setting'}: a {type(value).__name__} is not a setting value; pass a number, a text or a list",
        setting=keyword(name),
    )


def seed_of(random_state: Any) -> int:
    """None: 0, for reproducible results; generators give a number each time."""
    if random_state is None:
        return 0
    if isinstance(random_state, (numbers.Integral, np.integer)):
        return int(random_state)
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**32))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    raise refusal(
        UsageError, "setting-value",
        f"random_state: {random_state!r} is not a seed; pass None, a whole number or a generator of numpy",
        setting="random_state",
    )


def threads_of(n_jobs: Optional[int]) -> int:
    """None: OMP_NUM_THREADS, which joblib sets in its workers, or all cores; -1: all, -2: all but one."""
    cores = os.cpu_count() or 1
    if n_jobs is None:
        asked = os.environ.get("OMP_NUM_THREADS", "")
        return min(max(int(asked), 1), 256) if asked.isdigit() else 0
    if n_jobs == 0:
        raise refusal(
            UsageError, "setting-value", "n_jobs is 0; pass None or -1 for all cores", setting="n_jobs"
        )
    return min(int(n_jobs), 256) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))


class Watch:
    """Progress callback of the C library: handles Ctrl-C and draws the progress line."""

    def __init__(self, verbose: Any = 0) -> None:
        self.verbose = bool(verbose)
        self.raised: Optional[BaseException] = None
        self.drawn = False

    def told(self, share: float, what: str) -> None:
        if not self.verbose or share < 0:
            return
        share = min(share, 1.0)
        bar = ("#" * round(20 * share)).ljust(20, ".")
        sys.stderr.write(f"\r{what[:40]:<40} |{bar}| {100 * share:3.0f} %")
        sys.stderr.flush()
        self.drawn = True

    def done(self) -> None:
        if self.drawn:
            sys.stderr.write("\r" + " " * 70 + "\r")
            self.drawn = False


def _keep(kind: Any, value: Any, traceback: Any) -> int:
    """A KeyboardInterrupt during the callback: the C call is cancelled, then the interrupt is raised."""
    if traceback is not None:
        ffi.from_handle(traceback.tb_frame.f_locals["handle"]).raised = value
    return 1


@ffi.def_extern(onerror=_keep, error=1)  # type: ignore[misc]
def anorank_ask_python(handle: Any, share: float, what: Any) -> int:
    watch = ffi.from_handle(handle)
    try:
        watch.told(share, text(what))
    except BaseException as raised:  # whatever it is, it must not be lost in C
        watch.raised = raised
        return 1
    return 0


class Settings:
    """Settings of the C library for one call."""

    def __init__(self, values: Mapping[str, Any], watch: Optional[Watch] = None) -> None:
        self.err = ffi.new("anorank_error *")
        out = ffi.new("anorank_settings **")
        check(lib.anorank_settings_new(out, ffi.NULL, self.err), self.err)
        self.c = ffi.gc(out[0], lib.anorank_settings_free)
        self.watch = watch or Watch()
        self._handle = ffi.new_handle(self.watch)  # here and not in the watch: no circle of references
        self._context = ffi.new("anorank_watch *", {"handle": self._handle})
        lib.anorank_settings_on_progress(self.c, WATCH, self._context)
        lib.anorank_settings_on_stop(self.c, STOP, self._context)
        for name, value in values.items():
            self.set(name, value)

    def set(self, name: str, value: Any) -> None:
        """By keyword or name; None leaves the default."""
        if value is None:
            return
        row = BY_KEYWORD.get(name)
        plain = row.name if row else name
        words = words_of(value, plain).encode("utf-8")
        if b"\0" in words:
            raise refusal(UsageError, "text-nul-byte", f"{name}: settings cannot contain NUL", setting=name)
        check(lib.anorank_settings_set(self.c, plain.encode("utf-8"), words, self.err), self.err)

    def run(self, function: Any, *arguments: Any) -> None:
        """Call a C function that can fail; the last argument, the error, is added."""
        try:
            status = function(*arguments, self.err)
            check(status, self.err, self.watch)
        finally:
            self.watch.done()


def values_in(settings: Any, rows: Iterable[Setting]) -> Dict[str, Any]:
    """Return the values of C settings, by keyword."""
    found: Dict[str, Any] = {}
    for row in rows:
        name = row.name.encode()
        size = lib.anorank_settings_get(settings, name, ffi.NULL, 0)
        buffer = ffi.new("char[]", size + 1)
        lib.anorank_settings_get(settings, name, buffer, size + 1)
        found[row.keyword] = row.value(text(buffer))
    return found


def run_settings(random_state: Any, n_jobs: Optional[int]) -> Dict[str, Any]:
    return {"seed": seed_of(random_state), "threads": threads_of(n_jobs)}


def renamed(settings: Mapping[str, Any]) -> Dict[str, Any]:
    """Rename keywords of earlier versions, with a warning."""
    given: Dict[str, Any] = {}
    for name, value in settings.items():
        row = ffi.NULL if name in BY_KEYWORD else lib.anorank_setting_find(name.replace("_", "-").encode("utf-8"))
        now = keyword(text(row.name)) if row else name
        if now in given or (now != name and now in settings):
            raise TypeError(f"got two values for {now!r}, which used to be called {name!r}")
        if now != name:
            warnings.warn(f"{name!r} is called {now!r} now; the old name still works", FutureWarning, stacklevel=3)
        given[now] = value
    return given


def split(settings: Mapping[str, Any], mask: int, what: str) -> Dict[str, Any]:
    """Settings given by keyword; an error if they do not apply to ``what``."""
    known: Tuple[str, ...] = tuple(row.keyword for row in applying_to(mask))
    settings = renamed(settings)
    for name in settings:
        if name not in known:
            raise TypeError(f"{what}() got an unexpected keyword argument {name!r}; it takes {', '.join(known)}")
    return settings
