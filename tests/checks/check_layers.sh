#!/bin/sh
# Dependencies point one way (ARCHITECTURE.md, "Layers"): a room may include its own headers, the public header and
# those of the rooms named here. Examples and bindings see the public headers only; the command line and the service
# also the utility headers below, which ARCHITECTURE.md lists: texts, numbers and files, nothing of the method.
set -eu
cd "$SOURCE"
awk '
  BEGIN {
    n = split("core/ascii core/file_io core/json_writer core/list core/nearest_name core/number core/platform core/print core/scratch_file core/sha256 core/shortest core/utf8 kernels/vector report/result_json", list, " ")
    for (i = 1; i <= n; i++) utility[list[i] ".h"] = 1
    allowed["core"] = "core"
    allowed["kernels"] = "core kernels"
    allowed["table"] = "core kernels table"
    allowed["criterion"] = "core kernels criterion"
    allowed["context"] = "core kernels table context"
    allowed["contrast"] = "core kernels table contrast"
    allowed["neighbours"] = "core kernels neighbours"
    allowed["scorers"] = "core kernels neighbours criterion scorers"
    allowed["learn"] = "core kernels criterion contrast scorers learn"
    allowed["prepare"] = "core kernels table contrast prepare"
    allowed["sampling"] = "core kernels table sampling"
    allowed["model"] = "core kernels table context sampling criterion contrast prepare scorers learn model"
    allowed["ranking"] = "core kernels table context sampling criterion contrast prepare scorers learn model ranking"
    allowed["stream"] = "core kernels table context sampling criterion contrast prepare scorers learn model ranking stream"
    allowed["evaluate"] = "core kernels table context criterion contrast prepare scorers learn model evaluate"
    allowed["drift"] = "core kernels table criterion prepare scorers drift"
    allowed["report"] = "core kernels table context criterion contrast prepare scorers learn model ranking stream evaluate report"
    allowed["paper"] = "core kernels table criterion contrast scorers learn report paper" # extras/
    allowed["example"] = "core kernels table example"
  }
  FNR == 1 {
    split(FILENAME, part, "/")
    room = part[1] == "src" || part[1] == "extras" ? part[2] : "outside"
    files++
    if (room != "outside" && !(room in allowed)) { print FILENAME ": room \"" room "\" has no row in check_layers.sh"; bad = 1 }
  }
  /^#include "/ {
    split($2, quoted, "\"")
    name = quoted[2]
    if (name ~ /^anorank\/[a-z]+\.h$/) next
    slash = index(name, "/")
    target = slash ? substr(name, 1, slash - 1) : ""
    if (room == "outside") {
      if (FILENAME ~ /^(cli|serve)\// && name in utility) next
      if (target != "") { print FILENAME ":" FNR ": sees " name ", but only the public header is allowed here"; bad = 1 }
      next
    }
    if (target == "") { print FILENAME ":" FNR ": write the room: \"" room "/" name "\""; bad = 1; next }
    if (index(" " allowed[room] " ", " " target " ") == 0) { print FILENAME ":" FNR ": " room " must not include " name; bad = 1 }
  }
  END {
    if (files < 10) { print "only " files " files looked at: is SOURCE right?"; bad = 1 }
    exit bad
  }
' $(find src extras cli serve examples -name '*.[ch]')
# The library never prints, exits, aborts or keeps a random state of the process.
if grep -nE '\b(printf|fprintf|puts|putchar|perror|exit|abort|rand|srand|drand48)\(' $(find src extras -name '*.[ch]'); then
  echo "the library must not print, exit or use the process's random state"
  exit 1
fi
