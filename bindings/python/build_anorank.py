"""The C interface as cffi sees it: made from the public headers, so that nothing of them is written twice."""
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import cffi

here = Path(__file__).resolve().parent
# In the repository the sources are two floors up; a source distribution brings them along.
root = here / "csrc" if (here / "csrc").is_dir() else here.parent.parent
HEADERS = ["anorank.h", "io.h", "criterion.h", "experimental.h", "report.h", "arrow.h", "extras.h"]

# The callbacks ask Python at most twenty times a second each: entering the interpreter is not free. A share below 0 is not known.
SOURCE = r"""
#include <anorank/anorank.h>
#include <anorank/arrow.h>
#include <anorank/criterion.h>
#include <anorank/experimental.h>
#include <anorank/extras.h>
#include <anorank/io.h>
#include <anorank/report.h>
#include <time.h>

typedef struct anorank_watch { void *handle; double next_question, next_line; } anorank_watch;
static int anorank_ask_python(void *handle, double share_done, const char *what);

static int ask(const anorank_watch *watch, double *next, double share_done, const char *what) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  double now = (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
  if (now < *next) return 0;
  *next = now + 0.05;
  return anorank_ask_python(watch->handle, share_done, what);
}

static int anorank_watch_progress(void *context, double share_done, const char *what) {
  anorank_watch *watch = context;
  return ask(watch, &watch->next_line, share_done, what);
}

static int anorank_watch_stop(void *context) {
  anorank_watch *watch = context;
  return ask(watch, &watch->next_question, -1, NULL);
}
"""

# The module shows its entry point alone, and leaves the debugging information of the library at home.
LINKING = ["-lpthread", "-lm", "-Wl,--exclude-libs,ALL", "-Wl,--strip-debug"]

OURS = """
typedef struct anorank_watch { void *handle; double next_question, next_line; } anorank_watch;
int anorank_watch_progress(void *context, double share_done, const char *what);
int anorank_watch_stop(void *context);
extern "Python" int anorank_ask_python(void *handle, double share_done, const char *what);
"""


def declarations(name):
    """A header without what cffi's parser does not know: comments, directives, attributes, C++."""
    text = (root / "include" / "anorank" / name).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    sizes = re.findall(r"^#define (ANORANK_[A-Z_]+) (\d+)$", text, flags=re.M)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r"\bANORANK_(API|MUST_CHECK)\b", "", text)
    text = text.replace('extern "C" {', "", 1).rstrip()[:-1]
    return "".join(f"#define {key} {value}\n" for key, value in sizes) + text


def library_folder():
    """Where libanorank.a and libanorank_extras.a are or will be: ANORANK_BUILD names a CMake build that exists."""
    return Path(os.environ.get("ANORANK_BUILD", here / "build" / "library")).resolve()


def build_library():
    """Run CMake, unless ANORANK_BUILD says that this was done. ANORANK_CMAKE: more of its options."""
    if "ANORANK_BUILD" in os.environ:
        return
    if not shutil.which("cmake"):
        raise SystemExit("building anorank needs CMake 3.22; on Debian: apt install cmake")
    build = library_folder()
    configure = ["cmake", "-S", str(root), "-B", str(build), "-DANORANK_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    subprocess.run(configure + os.environ.get("ANORANK_CMAKE", "").split(), check=True)
    targets = ["--target", "anorank_static", "anorank_extras"]
    subprocess.run(["cmake", "--build", str(build), "-j", str(os.cpu_count() or 1), *targets], check=True)


def static_libraries():
    """zlib, zstd and expat as archives, so that the wheel needs libc alone; otherwise the shared ones."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = []
    for name in ("zstd", "expat", "z"):
        found = subprocess.run([*compiler, f"-print-file-name=lib{name}.a"], capture_output=True, text=True).stdout.strip()
        flags.append(found if os.path.isabs(found) else f"-l{name}")
    return flags


def make():
    ffi = cffi.FFI()
    for name in HEADERS:
        ffi.cdef(declarations(name))
    ffi.cdef(OURS)
    folder = library_folder()
    archives = [str(folder / "libanorank_extras.a"), str(folder / "libanorank.a")]
    sanitize = os.environ.get("ANORANK_SANITIZE", "")
    extra = [f"-fsanitize={sanitize}"] if sanitize else []
    # Packages of a distribution share zlib, zstd and expat: they set ANORANK_SHARED_LIBRARIES.
    others = ["-lzstd", "-lexpat", "-lz"] if "ANORANK_SHARED_LIBRARIES" in os.environ else static_libraries()
    ffi.set_source(
        "anorank._anorank",
        SOURCE,
        include_dirs=[str(root / "include")],
        extra_compile_args=["-O2", "-Wno-unused-result", *extra],
        extra_link_args=[*archives, *others, *LINKING, *extra],
        py_limited_api=True,
    )
    return ffi


ffi = make()
