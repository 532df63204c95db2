#!/usr/bin/env python3
"""Write cli/width.inc: which characters take no column of a terminal and which take two.

Two: East Asian Wide and Fullwidth. None: marks that combine (Mn, Me), formats (Cf, but the soft hyphen) and the
second half of Hangul syllables. Code points that are not assigned join their neighbours, which keeps the table small.
Made with Python 3.11, Unicode 14.0: python3 scripts/make_width.py > cli/width.inc
"""
import unicodedata


def columns(code):
    kind = unicodedata.category(chr(code))
    if kind == "Cn":
        return None
    if kind in ("Mn", "Me") or (kind == "Cf" and code != 0xAD) or 0x1160 <= code <= 0x11FF:
        return 0
    return 2 if unicodedata.east_asian_width(chr(code)) in "WF" else 1


def ranges(wanted):
    found, first, last = [], None, None
    for code in range(0x80, 0x110000):
        if 0xD800 <= code < 0xE000:
            continue
        width = columns(code)
        if width == wanted:
            first, last = (code, code) if first is None else (first, code)
        elif width is not None and first is not None:
            found.append((first, last))
            first = None
    return found + ([(first, last)] if first is not None else [])


print(f"/* Made by scripts/make_width.py from Unicode {unicodedata.unidata_version}; do not edit. */")
for name, width in (("no_column", 0), ("two_columns", 2)):
    print(f"static const uint32_t {name}[][2] = {{")
    line = "   "
    for first, last in ranges(width):
        item = f" {{0x{first:04X}, 0x{last:04X}}},"
        if len(line) + len(item) > 108:
            print(line)
            line = "   "
        line += item
    print(line + "\n};")
