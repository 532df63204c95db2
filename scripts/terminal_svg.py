#!/usr/bin/python3
"""terminal_svg.py OUT.svg COLUMNSxROWS 'COMMAND' - a picture of a command in a terminal, from a real run.

The command runs in a terminal of that size, by sh; its output becomes text elements of an SVG, with the colours and
weights of the program. The same output gives the same bytes. docs/terminal.svg comes from `make pictures`."""
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from html import escape

WIDE, HIGH, SIZE, MARGIN = 8.43, 19, 14, 16  # of a cell of DejaVu Sans Mono at SIZE, in pixels
COLOURS = {31: "#e06c75", 32: "#98c379", 33: "#e5c07b", 34: "#61afef", 35: "#c678dd", 36: "#56b6c2", 90: "#8b95a7"}


def run(command, columns, rows):
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.environ["TERM"] = "xterm"
        os.environ.pop("NO_COLOR", None)
        os.execvp("sh", ["sh", "-c", command])
    out = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the end, on Linux
            break
        if not piece:
            break
        out += piece
    if os.waitpid(pid, 0)[1] != 0:
        sys.exit(out.decode(errors="replace"))
    return out.decode().replace("\r\n", "\n")


def spans(line, style):
    """[(text, style)] of a line; a style is (bold, faint, colour)."""
    found = []
    for text, codes in re.findall(r"([^\x1b]*)(?:\x1b\[([0-9;]*)m)?", line.replace("\x1b[m", "\x1b[0m")):
        if text:
            found.append((text, style))
        for code in map(int, codes.split(";") if codes else ()):
            bold, faint, colour = style
            if code == 0:
                style = (False, False, None)
            elif code == 1:
                style = (True, faint, colour)
            elif code == 2:
                style = (bold, True, colour)
            elif code in COLOURS:
                style = (bold, faint, COLOURS[code])
            elif code == 22:
                style = (False, False, colour)
            elif code == 39:
                style = (bold, faint, None)
    return found, style


def svg(command, output, columns):
    lines = [f"$ {command}"] + re.sub(r"\x1b\[[0-9;?]*[A-HJKhl]", "", output).rstrip("\n").split("\n")
    lines = [re.sub(r"^.*\r", "", line) for line in lines]
    width, height = columns * WIDE + 2 * MARGIN, len(lines) * HIGH + 2 * MARGIN + 22
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
        f' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}" role="img"'
        f' aria-label="{escape(command)} in a terminal">',
        f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#1e222a"/>',
    ]
    out += [f'<circle cx="{MARGIN + 6 + 20 * i}" cy="18" r="6" fill="{c}"/>' for i, c in enumerate(("#e06c75", "#e5c07b", "#98c379"))]
    style = (False, False, None)
    for number, line in enumerate(lines):
        pieces, style = spans(line, style)
        at = 0
        for text, (bold, faint, colour) in pieces:
            shown = text.strip(" ")
            x = MARGIN + (at + len(text) - len(text.lstrip(" "))) * WIDE
            at += len(text)
            if not shown:
                continue
            fill = colour or ("#8b95a7" if faint or number == 0 and text == "$" else "#dcdfe4")
            weight = ' font-weight="bold"' if bold else ""
            out.append(f'<text x="{x:.1f}" y="{MARGIN + 36 + number * HIGH}" fill="{fill}"{weight}'
                       f' textLength="{len(shown) * WIDE:.1f}" xml:space="preserve">{escape(shown)}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    out, size, command = sys.argv[1:]
    columns, rows = map(int, size.split("x"))
    text = svg(command, run(command, columns, rows), columns)
    with open(out, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
