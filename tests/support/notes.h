/* notes.h - assertions on notes by their code. */
#ifndef TEST_SUPPORT_NOTES_H
#define TEST_SUPPORT_NOTES_H

#include "support/check.h"

/* There is a note of this code whose sentence holds `part`, a name or number without a separate field ("": any). */
static inline int has_note(const anorank_notes *notes, const char *code, const char *part) {
  for (size_t i = 0; i < anorank_notes_count(notes); i++) {
    const anorank_note *note = anorank_notes_at(notes, i);
    if (strcmp(note->code, code) == 0 && strstr(note->text, part)) return 1;
  }
  return 0;
}

#endif
