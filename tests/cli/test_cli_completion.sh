#!/bin/sh
# Completions name every command and option and are scripts that the shells accept; manual pages build.
. "$(dirname "$0")/lib.sh"

commands=$("$ANORANK" list command --json | sed -n 's/.*"name": "\(.*\)".*/\1/p')
for shell in bash zsh fish; do
  run_ok completion $shell
  expect_no_err
  cp .out script.$shell
  for command in $commands; do expect_out "$command"; done
  for option in contrast output-format bootstrap threads; do expect_out "$option"; done
  if command -v $shell >/dev/null 2>&1; then
    $shell -n script.$shell 2>.err || fail "$shell does not accept its completion script"
  fi
done

# What bash offers after the words given, the last of which is being typed.
offers() {
  bash -c '. ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _anorank; echo " ${COMPREPLY[*]} "' _ "$@"
}
if command -v bash >/dev/null 2>&1; then
  last='bash completion'
  expect_offer() { # WORD TYPED...
    wanted=$1
    shift
    case $(offers "$@") in *" $wanted "*) ;; *) fail "bash offers '$(offers "$@")' after '$*', not $wanted" ;; esac
  }
  expect_offer judge anorank ju
  expect_offer --contrast anorank judge --con
  expect_offer --bootstrap anorank judge --b
  expect_offer mid anorank judge --ties m
  expect_offer mid anorank judge --ties = m
  expect_offer npy anorank simulate --output-format n
  expect_offer gaussian anorank simulate ga
  expect_offer settings anorank list se
  expect_offer space anorank detect --thousands s
  expect_offer yes anorank reproduce --best y
  expect_offer --json anorank reproduce --best --j
  # nothing of ours where a file belongs: bash then completes files
  [ "$(offers anorank judge --contrast da)" = '  ' ] || fail "bash is offered words where a file belongs"
fi

for command in '' $commands; do
  # shellcheck disable=SC2086
  run_ok manual $command
  expect_out '^# NAME$'
  expect_out '^# SYNOPSIS$'
  expect_out '^# EXIT STATUS$'
  if command -v scdoc >/dev/null 2>&1; then
    scdoc <.out >page.1 2>.err || fail "scdoc refuses the page of '$command'"
    [ -s page.1 ] || fail "the page of '$command' is empty"
  fi
done
run manual judge
expect_out '^\*--bootstrap\* _N_$'

finish
