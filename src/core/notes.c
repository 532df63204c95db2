/* notes.c - see notes.h. */
#include "core/notes.h"

#include "core/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"

anorank_status ank_note_make(anorank_note *out, anorank_note_kind kind, const char *code, const char *text,
                             anorank_error *err) {
  size_t text_size = strlen(text) + 1, code_size = strlen(code) + 1;
  char *copy = NULL;
  ANK_CHECK(ank_alloc_raw(&copy, text_size + code_size, 1, err));
  memcpy(copy, text, text_size);
  memcpy(copy + text_size, code, code_size);
  *out = (anorank_note){.kind = kind, .code = copy + text_size, .text = copy};
  return ANORANK_OK;
}

void ank_note_free(anorank_note *note) {
  ank_free((char *)note->text);
  *note = (anorank_note){0};
}

anorank_status ank_note_save(ank_bytes *out, const anorank_note *note, anorank_error *err) {
  anorank_status status = ank_bytes_put_u64(out, (uint64_t)note->kind, err);
  if (status == ANORANK_OK) status = ank_bytes_put_text(out, note->code, err);
  if (status == ANORANK_OK) status = ank_bytes_put_text(out, note->text, err);
  return status;
}

anorank_status ank_note_load(anorank_note *out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *code = NULL, *text = NULL;
  size_t kind;
  ANK_TRY(ank_cursor_size(in, &kind, 0, ANORANK_NOTE_DETAIL, "the kind of a note", err));
  ANK_TRY(ank_cursor_text(in, &code, err));
  ANK_TRY(ank_cursor_text(in, &text, err));
  ANK_TRY(ank_note_make(out, (anorank_note_kind)kind, code, text, err));
done:
  ank_free(code);
  ank_free(text);
  return status;
}

anorank_status ank_notes_add_text(ank_notes *notes, anorank_note_kind kind, const char *code,
                                  const char *text, anorank_error *err) {
  anorank_status status =
      ank_reserve(&notes->list, &notes->capacity, notes->count + 1, sizeof *notes->list, err);
  if (status == ANORANK_OK) status = ank_note_make(&notes->list[notes->count], kind, code, text, err);
  if (status == ANORANK_OK) notes->count++;
  return status;
}

anorank_status ank_notes_copy(ank_notes *notes, const anorank_note *note, anorank_error *err) {
  return ank_notes_add_text(notes, note->kind, note->code, note->text, err);
}

anorank_status ank_notes_add(ank_notes *notes, anorank_note_kind kind, anorank_error *err, const char *code,
                             const char *format, ...) {
  char text[ANK_SENTENCE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  ank_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  return ank_notes_add_text(notes, kind, code, text, err);
}

void ank_notes_free(ank_notes *notes) {
  for (size_t i = 0; i < notes->count; i++) ank_note_free(&notes->list[i]);
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

anorank_status ank_notes_load_texts(ank_notes *notes, ank_cursor *in, size_t most, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *text = NULL;
  size_t count, left = (in->length - in->at) / 8;
  ANK_TRY(ank_cursor_size(in, &count, 0, most < left ? most : left, "the number of notes", err));
  for (size_t i = 0; i < count; i++) {
    ank_free(text);
    ANK_TRY(ank_cursor_text(in, &text, err));
    ank_make_printable(text); /* the note may go to a terminal */
    ANK_TRY(ank_notes_add_text(notes, ANORANK_NOTE_DETAIL, "", text, err));
  }
done:
  ank_free(text);
  return status;
}
