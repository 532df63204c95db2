# texts.awk - the errors and notes in C sources, one a line: KIND TAB CODE TAB STATUS TAB FORMAT TAB FILE:LINE.
#
# They are the calls of the `senders` below, whose code is the argument before the format. Strings that C joins are
# joined, and a format of the form `a ? "b" : "c"` gives two lines. KIND is "error" or "note"; STATUS is what the call
# says (2 to 6, "http" for the service), "?" where that is known only when it runs. ank_fail_around words the error of a
# call inside again and keeps its code: "-". A call that passes on a code must be in one of the `passers`.
# Exit 1: there is a call that cannot be read.
BEGIN {
  split("ank_fail ank_fail_around ANK_FAIL cli_fail cli_usage_error cli_unknown_word serve_problem data_error", list, " ")
  for (i in list) sender[list[i]] = "error"
  split("ank_notes_add ank_evaluation_add_note cli_notes_add cli_note ank_ranking_note_write", list, " ")
  for (i in list) sender[list[i]] = "note"
  split("status.h status.c notes.c note_list.c evaluate_words.c model_settings.c messages.c options.h text.c cmd_drift.c ranking_report.c cmd_explain.c", list, " ")
  for (i in list) passer[list[i]] = 1
  split("USAGE DATA MODEL RESOURCES", list, " ")
  for (i in list) status_of["ANORANK_ERROR_" list[i]] = i + 1
  status_of["ANORANK_CANCELLED"] = 6
}

function status_in(text,    word, found) {
  for (word in status_of) if (index(text, word)) found = found (found == "" ? "" : ",") status_of[word]
  return found == "" ? "?" : found
}

function finish_call(    k, code, status, parts, piece, n, short) {
  capturing = 0
  if (declaration) return
  code = ""
  for (k = 0; k < commas && code == ""; k++) if (alone[k] && literal[k] ~ /^[a-z0-9]+(-[a-z0-9]+)*$/) code = literal[k]
  if (name == "ank_fail_around") { code = "-"; k = 2 }
  if (code == "" || !(k in literal)) {
    short = FILENAME
    sub(/.*\//, "", short)
    if (!(short in passer)) { print FILENAME ":" start ": " name "() without a code before its format" >"/dev/stderr"; bad = 1 }
    return
  }
  status = name == "cli_usage_error" || name == "cli_unknown_word" ? 2 : name == "data_error" ? 3 : name == "serve_problem" ? "http" : status_in(raw)
  if (sender[name] == "note") status = "-"
  n = split(literal[k], piece, "\002")
  for (parts = 1; parts <= n; parts++)
    if (piece[parts] != "") print sender[name] "\t" code "\t" status "\t" piece[parts] "\t" FILENAME ":" start
}

FNR == 1 { comment = 0; capturing = 0; depth = 0 }

{
  line = $0
  if (line ~ /^#/ && !capturing && line !~ /^#define ANK_NEED/) next
  while (line != "") {
    if (comment) {
      at = index(line, "*/")
      if (!at) break
      line = substr(line, at + 2); comment = 0
      continue
    }
    if (!match(line, /[A-Za-z_][A-Za-z_0-9]*|"|'|\/\*|\/\/|\.\.\.|[(),?:;{}]/)) { if (line ~ /[^ \\]/) alone[commas] = 0; break }
    token = substr(line, RSTART, RLENGTH)
    before = substr(line, 1, RSTART - 1)
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
      if (capturing && depth == base + 1) {
        if (!(commas in literal)) alone[commas] = before !~ /[^ (]/ && !words
        literal[commas] = literal[commas] text
      }
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
        capturing = 1; name = token; base = depth; start = FNR; commas = 0; words = 0; raw = ""; declaration = 0
        split("", literal); split("", alone)
      }
      continue
    }
    if (token == "...") declaration = 1
    if (token == "," && depth == base + 1) { commas++; words = 0; continue }
    if ((token == "?" || token == ":") && depth == base + 1) { if (commas in literal) literal[commas] = literal[commas] "\002"; words = 1; continue }
    if (token ~ /^[A-Za-z_]/) { words = 1; raw = raw " " token }
  }
}

END { exit bad }
