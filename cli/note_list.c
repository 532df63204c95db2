/* note_list.c - see note_list.h. */
#include "note_list.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/print.h"
#include "text.h"

enum { MOST_LINES = 5 };

static void name_options(char *text) {
  for (char *open = strchr(text, '`'), *close; open && (close = strchr(open + 1, '`'));
       open = strchr(open + 1, '`')) {
    char name[64];
    size_t length = (size_t)(close - open - 1);
    if (length >= sizeof name) continue;
    memcpy(name, open + 1, length);
    name[length] = '\0';
    if (!anorank_setting_find(name)) continue;
    memmove(open + 2, name, length);
    memcpy(open, "--", 2);
  }
}

void cli_note_text(char *out, size_t size, const char *note) {
  ank_print(out, size, "%s", note);
  name_options(out);
}

void cli_notes_add(cli_notes *notes, anorank_note_kind kind, const char *code, const char *format, ...) {
  char text[2 * ANK_SENTENCE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  ank_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  name_options(text);
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
  size_t at = notes->count++; /* in order: by importance, then by arrival */
  for (; at > 0 && notes->list[at - 1].kind > kind; at--) notes->list[at] = notes->list[at - 1];
  notes->list[at] = (struct cli_collected){.text = copy, .kind = kind};
  snprintf(notes->list[at].code, sizeof notes->list[at].code, "%s", code);
}

void cli_notes_answer(cli_notes *notes, const char *answer) {
  cli_notes_add(notes, ANORANK_NOTE_DETAIL, "ranking-answer", "%s", answer);
  struct cli_collected last = notes->list[notes->count - 1];
  memmove(notes->list + 1, notes->list, (notes->count - 1) * sizeof *notes->list);
  notes->list[0] = last;
}

static void add_all(cli_notes *notes, const anorank_notes *found) {
  const anorank_note *note;
  for (size_t i = 0; (note = anorank_notes_at(found, i)) != NULL; i++)
    cli_notes_add(notes, note->kind, note->code, "%s", note->text);
}

void cli_notes_of_model(cli_notes *notes, const anorank_model *model) {
  add_all(notes, anorank_model_notes(model));
}

anorank_status cli_notes_of_stream(cli_notes *notes, anorank_stream *stream, anorank_error *err) {
  anorank_status status = anorank_stream_conclude(stream, err);
  if (status == ANORANK_OK) add_all(notes, anorank_stream_notes(stream));
  return status;
}

/* The plan for showing notes. */
typedef struct plan {
  size_t shown; /* number of notes */
  size_t lines; /* lines of the terminal that they need, with the hint at more; 0: no terminal */
  int brief;    /* each truncated to a line */
} plan;

static plan make_plan(const cli_notes *notes, const cli_call *call) {
  plan made = {.shown = call->quiet ? 0 : notes->count};
  if (call->quiet || call->verbose || !isatty(STDERR_FILENO)) return made;
  for (size_t i = 0; i < notes->count; i++)
    made.lines += cli_message_lines(notes->list[i].text, cli_width(stderr));
  if (made.lines <= MOST_LINES) return made;
  made.brief = 1; /* one line of many notes is worth more than one complete note */
  made.shown = notes->count < MOST_LINES ? notes->count : MOST_LINES - 1;
  made.lines = made.shown + 1;
  return made;
}

size_t cli_notes_lines(const cli_notes *notes, const cli_call *call) { return make_plan(notes, call).lines; }

static void show_brief(const cli_call *call, const char *code, const char *text) {
  enum { PREFIX = sizeof CLI_PROGRAM + 1 }; /* columns of "anorank: " */
  size_t room = cli_width(stderr) - PREFIX;
  if (cli_text_width(text) <= room)
    cli_note(call, code, "%s", text);
  else
    cli_note(call, code, "%.*s…", (int)cli_width_cut(text, room - 1), text);
}

static int has_code(const cli_notes *notes, size_t i, const char *code) {
  return strcmp(notes->list[i].code, code) == 0;
}

/* A brief list has one note for each question of a user: the answer, a warning, the columns used, an unused
 * column, the next step, the assumptions; then the others in their order. */
static size_t brief_place(const cli_notes *notes, size_t i) {
  anorank_note_kind kind = notes->list[i].kind;
  int first = i == 0 || notes->list[i - 1].kind != kind;
  if (has_code(notes, i, "ranking-answer")) return 0;
  if (has_code(notes, i, "columns-used")) return 2;
  if (has_code(notes, i, "context-suggested")) return 4;
  if (first && kind == ANORANK_NOTE_WARNING) return 1;
  if (first && kind == ANORANK_NOTE_LEFT_OUT) return 3;
  if (first && kind == ANORANK_NOTE_ASSUMED) return 5;
  return 6 + i;
}

static int is_shown(const cli_notes *notes, size_t i, const plan *made) {
  size_t place = brief_place(notes, i), before = 0;
  if (!made->brief) return i < made->shown;
  for (size_t j = 0; j < notes->count; j++) before += brief_place(notes, j) < place;
  return before < made->shown;
}

void cli_notes_show(const cli_notes *notes, const cli_call *call) {
  plan made = make_plan(notes, call);
  size_t more = notes->count - made.shown;
  for (size_t i = 0; i < notes->count; i++) {
    if (!is_shown(notes, i, &made)) continue;
    if (made.brief)
      show_brief(call, notes->list[i].code, notes->list[i].text);
    else
      cli_note(call, notes->list[i].code, "%s", notes->list[i].text);
  }
  if (made.brief && more > 0)
    cli_note(call, "notes-more", "%zu more note%s; -v shows all", more, more == 1 ? "" : "s");
  if (made.brief && more == 0) cli_note(call, "notes-more", "-v shows the notes in full");
}

void cli_notes_free(cli_notes *notes) {
  for (size_t i = 0; i < notes->count; i++) free(notes->list[i].text);
  free(notes->list);
  *notes = (cli_notes){0};
}
