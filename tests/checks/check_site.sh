#!/bin/sh
# The site builds: every link in it leads somewhere, and no page loads anything from elsewhere.
# labels: nothreads
set -eu
[ -z "$SANITIZE" ] || { echo "the site is built by the plain program"; exit 77; }
command -v mkdocs >/dev/null && [ -d /usr/share/mkdocs/themes/material ] ||
  { echo "mkdocs or mkdocs-material is missing; 'sh scripts/setup.sh site' installs them"; exit 77; }
rm -rf "$BUILD/site"
/usr/bin/python3 "$SOURCE/scripts/site.py" "$ANORANK" "$BUILD/site"
grep -q 'anorank_model_score' "$BUILD/site/api/c.html"
grep -q 'AnomalyRanker.score_samples' "$BUILD/site/api/python.html"
grep -q 'data-headline\|false-discovery' "$BUILD/site/report.html"
grep -q 'id="reproduce"' "$BUILD/site/api/commands.html"
