/* notes.c - see notes.h. */
#include "core/notes.h"

#include "core/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"

anorank_status ank_notes_add_text(ank_notes *notes, anorank_note_kind kind, const char *text,
                                  anorank_error *err) {
  anorank_status status =
      ank_reserve(&notes->list, &notes->capacity, notes->count + 1, sizeof *notes->list, err);
  char *copy = NULL;
  if (status == ANORANK_OK) status = ank_copy_text(&copy, text, strlen(text), err);
  if (status == ANORANK_OK)
    notes->list[notes->count++] = (anorank_note){.kind = kind, .code = "", .text = copy};
  return status;
}

anorank_status ank_notes_add(ank_notes *notes, anorank_note_kind kind, anorank_error *err, const char *format,
                             ...) {
  char text[ANORANK_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  ank_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  return ank_notes_add_text(notes, kind, text, err);
}

void ank_notes_free(ank_notes *notes) {
  for (size_t i = 0; i < notes->count; i++) ank_free((char *)notes->list[i].text);
  ank_free(notes->list);
  *notes = (ank_notes){0};
}

size_t ank_notes_bytes(const ank_notes *notes) {
  size_t bytes = notes->count * sizeof *notes->list;
  for (size_t i = 0; i < notes->count; i++) bytes += strlen(notes->list[i].text) + 1;
  return bytes;
}

size_t anorank_notes_count(const anorank_notes *notes) { return notes ? notes->count : 0; }

const anorank_note *anorank_notes_at(const anorank_notes *notes, size_t i) {
  return notes && i < notes->count ? &notes->list[i] : NULL;
}
