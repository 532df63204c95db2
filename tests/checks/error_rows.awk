# error_rows.awk - the tables of docs/errors.md. A row is
#   | `message with <placeholders>` | exit code(s) | `provocation`, `provocation` | what to do |
# where a | inside a cell is written \|, "(s)" stands for the ending of a plural, and a provocation is a shell command
# that runs anorank, or `bad-input NAME` (a row of docs/bad-input.md), `test NAME` (a test function, or a script of
# tests/cli), or `by reading: WHY` where nothing can make it happen.
#
# what=messages: the message as error_messages.awk writes it, a * for each placeholder; line number behind a TAB.
# what=commands: extended regular expression TAB exit code TAB command, one for each command.
# what=others:   message TAB kind TAB name TAB exit code, one for each other provocation.
# Exit 1: a row cannot be read.

function normal(text) {
  gsub(/<[^<>]*[a-z][^<>]*>/, "*", text)
  gsub(/\(s\)/, "*", text)
  gsub(/\*\*+/, "*", text)
  return text
}

# What the program shows: after its name, perhaps a file's name or the two dashes of an option, comes the message.
function expression(text,    out, i, c) {
  out = "anorank: (.*: |--)?"
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c == "*") out = out ".*"
    else if (c ~ /[][\\.^$+?(){}|]/) out = out "\\" c
    else out = out c
  }
  return out advice
}

function unquote(text) {
  sub(/^ *`/, "", text)
  sub(/` *$/, "", text)
  gsub(/\001/, "|", text)
  return text
}

# What follows all damage inside models, and the remedies that the command line adds.
BEGIN { advice = "(; copy it again from where it came, or fit it again)?([;:] pass --.*| \\(--[a-z-]+( FILE)?\\))?" }

/^\| `/ {
  line = $0
  gsub(/\\\|/, "\001", line)
  cells = split(line, cell, /\|/)
  if (cells != 6 || cell[2] !~ /^ `[^`]+` $/ || cell[3] !~ /^ [0-9]+(, [0-9]+)* $/ || cell[4] !~ /^ `.+` $/ ||
      length(cell[5]) < 8) {
    print FILENAME ":" FNR ": not a row as error_rows.awk describes it" >"/dev/stderr"
    bad = 1
    next
  }
  message = normal(unquote(cell[2]))
  code = cell[3]
  gsub(/ /, "", code)
  if (what == "messages") { print message "\t" FNR; next }
  parts = split(unquote(cell[4]), part, /`, `/)
  for (k = 1; k <= parts; k++) {
    if (match(part[k], /^(bad-input|test|by reading:) /)) {
      if (what == "others") print message "\t" substr(part[k], 1, RLENGTH - 1) "\t" substr(part[k], RLENGTH + 1) "\t" code
    } else if (what == "commands")
      print expression(message) "\t" code "\t" part[k]
  }
}

END { exit bad }
