#!/bin/sh
# dist-source.sh FOLDER - the source tarball: the last commit, or an unpacked tarball without what git would ignore.
# Both ways give the same bytes.
set -eu
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
name=anorank-$(sh scripts/version.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/$name"
tree=HEAD
if [ ! -e .git ]; then
  export GIT_DIR="$work/git" GIT_WORK_TREE="$PWD" GIT_CONFIG_GLOBAL=/dev/null
  git init -q
  git add -A
  tree=$(git write-tree)
elif [ -n "$(git status --porcelain)" ]; then
  echo "dist-source.sh: the tarball has the last commit, and leaves out what is not committed" >&2
fi
git archive "$tree" > "$work/tree.tar"
tar -xf "$work/tree.tar" -C "$work/$name"
sh scripts/pack.sh "$work/$name" "$out/$name.tar.gz"
