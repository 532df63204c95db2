#!/bin/sh
# README.md and the pages of docs/ are short, wrapped, and quote measured figures only.
# labels: nothreads
set -eu
python=$(PATH=/usr/bin:$PATH command -v python3) || { echo "python3 is missing"; exit 77; }
cd "$SOURCE"
"$python" tests/checks/pages.py
"$python" bench/page_tables.py --check
