#!/bin/sh
# pictures.sh BINARY - draw the pictures of README.md and docs/report.md again, from real runs. Needs
# Debian's python3-pil and chromium.
set -eu
anorank=$(realpath "$1")
source=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$anorank" "$work/bin/anorank"
PATH=$work/bin:$PATH
cd "$work"
shot() { # URL OUT WIDTH,HEIGHT
  chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$work/profile" --hide-scrollbars --window-size="$3" \
    --virtual-time-budget=5000 --screenshot="$2" "$1" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

anorank example cards --seed 2 --first-row 36000 -o april.csv -q
anorank example cards --seed 2 --rows 36000 --anomalies 0 -o history.csv -q
/usr/bin/python3 "$source/scripts/terminal_svg.py" "$source/docs/terminal.svg" 100x30 'anorank detect april.csv --lowest 5'
anorank fit history.csv --id transaction,account --drop fraud -o cards.anr -q
anorank report cards.anr april.csv -o report.html -q
shot "file://$work/report.html" "$source/docs/report/first.png" 1280,870
/usr/bin/python3 - "$source/docs/report/first.png" <<END
import sys
from PIL import Image

Image.open(sys.argv[1]).convert("RGB").quantize(128).save(sys.argv[1], optimize=True)
END
