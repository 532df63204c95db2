/* note_list.h - notes, collected and printed together, most important first. A terminal shows at most a few, one for
 * each question of a user; --verbose prints all. */
#ifndef CLI_REMARKS_H
#define CLI_REMARKS_H

#include "anorank/experimental.h"
#include "options.h"

typedef struct cli_notes {
  struct cli_collected {
    char *text;
    char code[ANORANK_CODE_SIZE];
    anorank_note_kind kind;
  } * list;
  size_t count, capacity;
} cli_notes;

/* Copy a note of the library, with `name` of a setting replaced by --name. */
void cli_note_text(char *out, size_t size, const char *note);

void cli_notes_add(cli_notes *notes, anorank_note_kind kind, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Add the headline, which precedes all notes. */
void cli_notes_answer(cli_notes *notes, const char *answer);

/* Add the notes of a fitted model. */
void cli_notes_of_model(cli_notes *notes, const anorank_model *model);

/* Add the notes of the shift check, after the last rows. */
anorank_status cli_notes_of_stream(cli_notes *notes, anorank_stream *stream, anorank_error *err);

/* Return the lines of the terminal that the notes need; 0 if standard error is not a terminal. */
size_t cli_notes_lines(const cli_notes *notes, const cli_call *call);

/* Show the notes, unless --quiet. */
void cli_notes_show(const cli_notes *notes, const cli_call *call);
void cli_notes_free(cli_notes *notes);

#endif
