/* remarks.c - see remarks.h. */
#include "remarks.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

enum { MOST_LINES = 5 };

void cli_notes_add(cli_notes *notes, anorank_note_kind kind, const char *format, ...) {
  char text[2 * ANORANK_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (notes->count == notes->capacity) {
    size_t capacity = 2 * notes->capacity + 8;
    struct cli_collected *grown = cli_allocate(capacity, sizeof *grown);
    if (notes->count > 0) memcpy(grown, notes->list, notes->count * sizeof *grown);
    free(notes->list);
    notes->list = grown;
    notes->capacity = capacity;
  }
  char *copy = cli_allocate(strlen(text) + 1, 1);
  memcpy(copy, text, strlen(text) + 1);
  size_t at = notes->count++; /* kept in order: the important before, equals as they came */
  for (; at > 0 && notes->list[at - 1].kind > kind; at--) notes->list[at] = notes->list[at - 1];
  notes->list[at] = (struct cli_collected){copy, kind};
}

void cli_notes_of_model(cli_notes *notes, const anorank_model *model) {
  for (size_t i = 0; i < anorank_model_notes(model); i++)
    cli_notes_add(notes, anorank_model_note_kind(model, i), "%s", anorank_model_note(model, i));
}

/* How many of them are shown, and in `*lines` the lines of the terminal that they take. The last line is kept
 * for the word that there are more. */
static size_t choose(const cli_notes *notes, const cli_call *call, size_t *lines) {
  size_t shown = 0, used = 0, columns = cli_width(stderr);
  *lines = 0;
  if (call->quiet) return 0;
  if (call->verbose || !isatty(STDERR_FILENO)) return notes->count;
  for (; shown < notes->count; shown++) {
    size_t needed = cli_message_lines(notes->list[shown].text, columns);
    if (used + needed + (shown + 1 < notes->count) > MOST_LINES) break;
    used += needed;
  }
  *lines = used + (shown < notes->count);
  return shown;
}

size_t cli_notes_lines(cli_notes *notes, const cli_call *call) {
  size_t lines;
  (void)choose(notes, call, &lines);
  return lines;
}

void cli_notes_show(cli_notes *notes, const cli_call *call) {
  size_t lines, shown = choose(notes, call, &lines), more = notes->count - shown;
  for (size_t i = 0; i < shown; i++) cli_note(call, "%s", notes->list[i].text);
  if (more > 0) cli_note(call, "%zu more note%s with -v", more, more == 1 ? "" : "s");
}

void cli_notes_free(cli_notes *notes) {
  for (size_t i = 0; i < notes->count; i++) free(notes->list[i].text);
  free(notes->list);
  *notes = (cli_notes){0};
}
