# error_messages.awk - every error message in C sources, one a line: FILE:LINE TAB MESSAGE.
#
# A message is the format of a call to one of the `senders` below, or of an snprintf into an anorank_error. Strings that
# C joins are joined, "cond ? "a" : "b"" gives two messages, escapes are undone (a newline becomes the two characters
# \n), and each conversion becomes one *: "%s: row %zu" is "*: row *". Formats without words that only join others
# ("%s: %s") are left out. A call whose format is not written there, but passed in, must be in one of the `passers`:
# a new helper that words its own messages belongs to the senders, so that what is said through it is seen.
# Exit 1: there is a call that cannot be read.
BEGIN {
  split("ank_fail ank_fail_around ANK_FAIL cli_usage_error team_fail serve_problem data_error print_plain fprintf snprintf vsnprintf " more_senders, list, " ")
  for (i in list) sender[list[i]] = 1
  split("core/status.h core/status.c cli/options.c cli/options.h cli/judge_read.c cli/terminal.c", list, " ")
  for (i in list) passer[list[i]] = 1
}

function unescape(text,    out, i, c) {
  out = ""
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c != "\\") { out = out c; continue }
    c = substr(text, ++i, 1)
    if (c == "n") out = out "\\n"
    else if (c == "r" || c == "0") { while (substr(text, i + 1, 1) ~ /[0-7]/) i++ } # terminal control, no words
    else out = out c
  }
  return out
}

function normal(text) {
  gsub(/%%/, "\001", text)
  gsub(/%[-+ #0]*[0-9*]*(\.[0-9*]*)?(hh|h|ll|l|z|j|t)?[diouxXeEfgGcsp]/, "*", text)
  gsub(/\*\*+/, "*", text)
  gsub(/\001/, "%", text)
  return text
}

function finish_literal(    text) {
  if (literal == "") return
  text = normal(unescape(literal))
  if (name == "fprintf" && text !~ /^anorank: /) text = "" # where to look, a progress bar
  sub(/\\n$/, "", text)
  sub(/^anorank: /, "", text)
  found++
  literal = ""
  if (text !~ /[A-Za-z]/ && text != "*: *; *") return # a join
  print file ":" start "\t" text
}

function finish_call() {
  finish_literal()
  if (!found && !declaration) {
    short = file
    sub(/^(\.\/)?src\//, "", short)
    if (!(short in passer) && wanted()) {
      print FILENAME ":" start ": the words of this " name "() come from elsewhere; see error_messages.awk" >"/dev/stderr"
      bad = 1
    }
  }
  capturing = 0
}

# printf and its like send a message only into an error or to standard error.
function wanted() { return name !~ /printf/ || first ~ /(\.|->)message|stderr/ }

FNR == 1 { if (capturing) finish_call(); file = FILENAME; comment = 0; capturing = 0; depth = 0 }

{
  line = $0
  if (line ~ /^#/ && !capturing) next
  while (line != "") {
    if (comment) {
      at = index(line, "*/")
      if (!at) break
      line = substr(line, at + 2); comment = 0
      continue
    }
    if (!match(line, /[A-Za-z_][A-Za-z_0-9]*|"|'|\/\*|\/\/|\.\.\.|[(),?:;{}]/)) { if (capturing) first = first (commas ? "" : line); break }
    token = substr(line, RSTART, RLENGTH)
    if (capturing && commas == 0) first = first substr(line, 1, RSTART + RLENGTH - 1)
    line = substr(line, RSTART + RLENGTH)
    if (token == "/*") { comment = 1; continue }
    if (token == "//") break
    if (token == "'") { # a character: skip to its closing quote
      at = substr(line, 1, 1) == "\\" ? 2 + index(substr(line, 3), "'") : index(line, "'")
      line = substr(line, at + 1)
      continue
    }
    if (token == "\"") {
      text = ""
      while (match(line, /^([^"\\]|\\.)/)) { text = text substr(line, 1, RLENGTH); line = substr(line, RLENGTH + 1) }
      line = substr(line, 2)
      if (capturing && !ended && depth == base + 1 && wanted()) literal = literal text
      continue
    }
    if (token == "(") { depth++; continue }
    if (token == ")") {
      depth--
      if (capturing && depth == base) finish_call()
      continue
    }
    if (!capturing) {
      if (token in sender && line ~ /^\(/) {
        capturing = 1; name = token; base = depth; start = FNR
        found = 0; ended = 0; commas = 0; literal = ""; first = ""; declaration = 0
      }
      continue
    }
    if (token == "...") declaration = 1
    if (token == "," && depth == base + 1) { commas++; if (literal != "" || found) { finish_literal(); ended = 1 } }
    if ((token == "?" || token == ":") && depth == base + 1 && !ended) finish_literal()
  }
}

END { if (capturing) finish_call(); exit bad }
