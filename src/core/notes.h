/* notes.h - notes for the user, collected by a fit: a code, a sentence and its importance. */
#ifndef ANK_CORE_NOTES_H
#define ANK_CORE_NOTES_H

#include "core/bytes.h"
#include "core/status.h"

/* Make a note that owns its texts, both in one block of memory; write it as bytes, and read it back. */
anorank_status ank_note_make(anorank_note *out, anorank_note_kind kind, const char *code, const char *text,
                             anorank_error *err);
void ank_note_free(anorank_note *note); /* frees the texts, not the struct */
anorank_status ank_note_save(ank_bytes *out, const anorank_note *note, anorank_error *err);
anorank_status ank_note_load(anorank_note *out, ank_cursor *in, anorank_error *err);

/* Notes in the order in which they were added; the front end sorts by kind. Starts as {0} and owns the
 * texts. */
struct anorank_notes {
  anorank_note *list;
  size_t count, capacity;
};

typedef struct anorank_notes ank_notes;

/* Add one sentence (lower case, no full stop), truncated to ANK_SENTENCE_SIZE. */
anorank_status ank_notes_add(ank_notes *notes, anorank_note_kind kind, anorank_error *err, const char *code,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Add an existing text, of any length. */
anorank_status ank_notes_add_text(ank_notes *notes, anorank_note_kind kind, const char *code,
                                  const char *text, anorank_error *err);

/* Copy a note. */
anorank_status ank_notes_copy(ank_notes *notes, const anorank_note *note, anorank_error *err);
void ank_notes_free(ank_notes *notes);

/* Read a count of at most `most`, and as many texts, from a model file. The notes have no code; control
 * characters are replaced. */
anorank_status ank_notes_load_texts(ank_notes *notes, ank_cursor *in, size_t most, anorank_error *err);

/* Return the memory of the notes, without the few bytes of codes. */
size_t ank_notes_bytes(const ank_notes *notes);

#endif
