# Manual pages and completions are written by the program itself, from its own tables, so they cannot disagree
# with it.
