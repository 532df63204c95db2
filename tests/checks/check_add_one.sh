#!/bin/sh
# To add a score-generating function, a law, a scorer, an output format, a figure or a command takes one file and one line.
# This adds one of each to a copy of the tree, builds it, and looks for them where a user would; the contract tests,
# which walk the registries, hold them to their promises.
# labels: slow
set -eu
if [ -n "$SANITIZE" ]; then
  echo "the copy is built plainly, so one build is enough: skipped with sanitizers"
  exit 77
fi
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cd "$SOURCE"
mkdir "$copy/web"
cp -R CMakeLists.txt cmake include src extras cli tests "$copy"
cp -R web/dist "$copy/web"
cd "$copy"

# A φ: the square of u, which looks at the normal end.
cat > src/criterion/phi_added.c <<'END'
#include "criterion/phi.h"

static double added_value(double u, double parameter) {
  (void)parameter;
  return u * u;
}

static double added_slope(double u, double parameter) {
  (void)parameter;
  return 2 * u;
}

const ank_phi ank_phi_added = {{"added", "u^2", "More the normal end than the abnormal one.", NULL, 0},
                               added_value, added_slope, ANK_NO_PARAMETER};
END
echo 'ANK_PHI(added)' >> src/criterion/phis.inc

# A law: gaussian under another name. A scorer: knn under another name.
sed 's/ank_law_gaussian/ank_law_added/; s/"gaussian"/"added"/' src/contrast/law_gaussian.c > src/contrast/law_added.c
echo 'ANK_LAW(added)' >> src/contrast/laws.inc
sed 's/ank_scorer_knn/ank_scorer_added/; s/"knn"/"added"/' src/scorers/scorer_knn.c > src/scorers/scorer_added.c
echo 'ANK_SCORER(added)' >> src/scorers/classes.inc

# An output format: text delimited by bars, which is written and not read.
cat > src/table/format_added.c <<'END'
#include "table/format.h"

const ank_format ank_format_added = {{"added", "text delimited by bars", ".bars", 0, 1}, '|', NULL, NULL, &ank_write_csv};
END
sed -i 's/DO(jsonl)/DO(jsonl) DO(added)/' src/core/format_names.h

# A figure, without anything in it.
cat > src/report/figure_added.c <<'END'
#include "report/figure.h"

static anorank_status draw(ank_output *output, const ank_report *report, anorank_error *err) {
  (void)report;
  return ank_chart_print(output, &(ank_chart){.title = "added", .count = 1}, err);
}

const ank_figure_kind ank_figure_added = {{"added", "nothing at all", 0, 0}, draw};
END
echo 'ANK_FIGURE(added)' >> src/report/figures.inc

# A command: inspect under another name.
sed 's/cli_cmd_inspect/cli_cmd_added/; s/"inspect"/"added"/' cli/cmd_inspect.c > cli/cmd_added.c
echo 'CLI_COMMAND("Other", added)' >> cli/commands.inc

cmake -S . -B build -DANORANK_SERVE=OFF -DCMAKE_BUILD_TYPE=Debug -DANORANK_TESTS=ON > log 2>&1 || { cat log; exit 1; }
cmake --build build -j 2 --target anorank test_phi test_laws > log 2>&1 || { cat log; exit 1; }
for list in phi law scorer; do
  build/anorank list "$list" | grep -q '^ *added' || { echo "'anorank list $list' does not name it"; exit 1; }
done
awk 'BEGIN { print "score,other"; for (i = 1; i <= 60; i++) print i % 41 "," i * i % 37 }' > rows.csv
build/anorank fit rows.csv -o model.anr --quiet
build/anorank simulate added --rows 50 --dim 2 -o drawn.csv
build/anorank detect rows.csv --scorer added --quiet > ranked
build/anorank detect rows.csv --quiet -o ranked.csv
build/anorank detect rows.csv --quiet -o ranked.bars.gz
gzip -dc ranked.bars.gz | tr '|' ',' | cmp - ranked.csv
build/anorank score model.anr rows.csv --output-format added 2> /dev/null | head -n 1 | grep -q '|' || {
  echo "score does not write the added format"
  exit 1
}
build/anorank completion bash | grep -q 'jsonl.*added' || { echo "completion does not know the added format"; exit 1; }
build/anorank figure added model.anr rows.csv -o - | grep -q '<title>added</title>' || { echo "the figure is not drawn"; exit 1; }
build/anorank figure --help all | grep -q '^ *added .*nothing at all' || { echo "help does not know the added figure"; exit 1; }
build/anorank judge rows.csv --contrast rows.csv --json 2> /dev/null | grep -q '"added"' || {
  echo "judge does not report the added phi"
  exit 1
}
for test in test_phi test_laws; do
  build/tests/$test > log 2>&1 || { tail -n 30 log; exit 1; }
done
build/anorank added model.anr > shown
build/anorank inspect model.anr | cmp - shown
# A build without the service says so.
code=0
ANORANK_MESSAGES=json build/anorank serve model.anr 2> said || code=$?
[ $code = 5 ] && grep -q serve-not-built said || { cat said; echo "serve: exit code $code"; exit 1; }
for where in --help 'help added' 'manual added' 'completion bash' 'completion zsh' 'completion fish'; do
  build/anorank $where | grep -q '\<added\>' || { echo "'anorank $where' does not know the command"; exit 1; }
done
if command -v scdoc > /dev/null; then
  cmake --build build --target manual > log 2>&1 && test -s build/generated/anorank-added.1 ||
    { tail -n 5 log; echo "the command has no manual page"; exit 1; }
fi
echo "added and found: a phi, a law, a scorer, an output format, a figure, a command"
