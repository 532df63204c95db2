/* feedback.c - see feedback.h. */
#include "feedback.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/print.h"
#include "text.h"

/* ---- the file ---------------------------------------------------------------------------------------- */

/* Read answers with identifiers as written; no other reading setting of FILE applies to them. */
static anorank_status read_answers(anorank_review *review, const cli_call *call, const char *path,
                                   anorank_error *err) {
  anorank_settings *settings = NULL;
  anorank_table *answers = NULL;
  anorank_status status = anorank_settings_new(&settings, NULL, err);
  if (status == ANORANK_OK)
    status = anorank_settings_set(settings, "keep", anorank_settings_text(call->settings, "id"), err);
  if (status == ANORANK_OK) status = anorank_table_read(&answers, ANORANK_FROM_FILE(path), settings, err);
  if (status == ANORANK_OK) status = anorank_review_read(review, answers, call->settings, err);
  anorank_table_free(answers);
  anorank_settings_free(settings);
  return status;
}

/* Check that --labels names a column. Up to 0.2 it also took a file, so the error names --feedback. */
static anorank_status check_labels(const cli_call *call, const anorank_table *table, anorank_error *err) {
  const char *labels = cli_value(call, "labels");
  char shown[256], word[512];
  if (!labels || !*labels || anorank_table_find(table, labels) != SIZE_MAX || access(labels, F_OK) != 0)
    return ANORANK_OK; /* a name that is neither is an error of the fit */
  cli_shell_word(word, sizeof word, labels);
  return cli_fail(err, ANORANK_ERROR_USAGE, "labels-file",
                  "--labels names a column, but the table has no column '%s'; for the file of that name, "
                  "pass --feedback %s",
                  cli_printable(shown, sizeof shown, labels), word);
}

anorank_status cli_review_open(anorank_review **out, const cli_call *call, const anorank_table *table,
                               anorank_error *err) {
  const char *feedback = cli_value(call, "feedback"), *review = cli_value(call, "review");
  anorank_status status = check_labels(call, table, err);
  *out = NULL;
  if (status != ANORANK_OK || (!feedback && !review)) return status;
  status = anorank_review_new(out, table, err);
  if (status == ANORANK_OK && feedback) status = read_answers(*out, call, feedback, err);
  if (status == ANORANK_OK && review && access(review, F_OK) == 0)
    status = read_answers(*out, call, review, err);
  return status;
}

static anorank_status write_answers(const anorank_review *review, const cli_call *call, anorank_error *err) {
  anorank_table *answers = NULL;
  anorank_status status = anorank_review_table(&answers, review, call->settings, err);
  if (status == ANORANK_OK) status = anorank_table_escape_formulas(answers, err);
  cli_writing(1);
  if (status == ANORANK_OK)
    status = anorank_table_write(answers, ANORANK_TO_FILE(cli_value(call, "review")), NULL, err);
  cli_writing(0);
  anorank_table_free(answers);
  return status;
}

int cli_check_review(const cli_call *call) {
  const char *path = cli_value(call, "review");
  if (!path || strcmp(path, "-") != 0) return 0;
  return cli_usage_error(call, "option-review-file",
                         "--review needs a file it can read and write; '-' is not allowed");
}

/* ---- answers so far ---------------------------------------------------------------------------------- */

typedef struct answer_counts {
  size_t open, anomalies, normal, skipped;
} answer_counts;

static answer_counts count_answers(const anorank_review *review) {
  answer_counts sum = {0};
  for (size_t i = 0; i < anorank_review_count(review); i++) {
    anorank_answer answer = anorank_review_at(review, i)->answer;
    sum.open += answer == ANORANK_ANSWER_OPEN;
    sum.anomalies += answer == ANORANK_ANSWER_ANOMALY;
    sum.normal += answer == ANORANK_ANSWER_NORMAL;
    sum.skipped += answer == ANORANK_ANSWER_SKIPPED;
  }
  return sum;
}

/* Rank more rows than the person was asked about. */
static anorank_status reach_past(const anorank_review *review, anorank_settings *settings,
                                 anorank_error *err) {
  int64_t rows = (int64_t)anorank_review_count(review) + anorank_settings_integer(settings, "review-rows");
  anorank_status status = anorank_settings_set(settings, "mass", "0", err);
  if (status == ANORANK_OK) status = anorank_settings_set(settings, "fdr", "0", err);
  if (status == ANORANK_OK) status = anorank_settings_set_number(settings, "lowest", (double)rows, err);
  return status;
}

anorank_status cli_review_put(anorank_review *review, cli_call *call, const anorank_model *model,
                              const anorank_table *table, cli_notes *notes, anorank_error *err) {
  char shown[256];
  anorank_ranking *result = NULL;
  anorank_settings *settings = NULL;
  anorank_status status = anorank_settings_new(&settings, call->settings, err);
  if (status == ANORANK_OK) status = reach_past(review, settings, err);
  if (status == ANORANK_OK) status = anorank_ranking_make(&result, model, table, settings, err);
  if (status == ANORANK_OK) status = anorank_review_ask(review, result, settings, err);
  if (status == ANORANK_OK) status = write_answers(review, call, err);
  anorank_ranking_free(result);
  anorank_settings_free(settings);
  answer_counts sum = count_answers(review);
  if (status == ANORANK_OK)
    cli_notes_add(notes, ANORANK_NOTE_WARNING, "review-waiting",
                  "%zu row%s to label in %s: write 1 (anomaly), 0 (normal) or skip under label, then run the "
                  "same command again",
                  sum.open, sum.open == 1 ? "" : "s",
                  cli_printable(shown, sizeof shown, cli_value(call, "review")));
  return status;
}

/* ---- at a terminal ----------------------------------------------------------------------------------- */

int cli_review_at_terminal(const cli_call *call) {
  return cli_value(call, "review") && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
         !cli_value(call, "output") && !cli_value(call, "output-format") && !cli_value(call, "json");
}

/* Return whether the column was dropped on request; a review does not show it, either. */
static int is_dropped(const anorank_model *model, const char *name) {
  for (size_t c = 0; c < anorank_model_get_info(model)->columns; c++) {
    const anorank_model_column *column = anorank_model_column_at(model, c);
    if (strcmp(column->name, name) == 0) return column->role == ANORANK_ROLE_DROPPED;
  }
  return 0;
}

/* Show the row's cells, "name value", in a few lines. */
static void show_cells(const anorank_model *model, const anorank_table *table, size_t row) {
  enum { MOST_LINES = 6, INDENT = 2 };
  size_t columns = anorank_table_columns(table), size = 1, used = 0;
  char cell[128];
  for (size_t j = 0; j < columns; j++) size += strlen(anorank_table_name(table, j)) + sizeof cell + 4;
  char *text = cli_allocate(size, 1);
  text[0] = '\0';
  for (size_t j = 0; j < columns; j++) {
    anorank_table_text(table, j, row, cell, sizeof cell);
    if (!*cell || is_dropped(model, anorank_table_name(table, j))) continue;
    used += (size_t)snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "",
                             anorank_table_name(table, j), cell);
  }
  printf("%*s", INDENT, "");
  cli_wrap_most(stdout, text, INDENT, INDENT, cli_columns(stdout), MOST_LINES);
  free(text);
}

static void show_question(const anorank_review *review, const anorank_model *model,
                          const anorank_table *table, size_t i, size_t left) {
  char number[32];
  size_t row = anorank_review_at(review, i)->row;
  printf("\n%sRow %s%s (%zu left in this round)\n", cli_style(stdout, CLI_BOLD),
         ank_count_text(number, sizeof number, row + 1), cli_style(stdout, CLI_PLAIN), left);
  printf("  ");
  cli_wrap_most(stdout,
                *anorank_review_at(review, i)->reasons ? anorank_review_at(review, i)->reasons
                                                       : "no single column stands out",
                2, 2, cli_columns(stdout), 5);
  show_cells(model, table, row);
}

/* Read y, n, s, q or, if there is an answer to undo, u. The end of the input means q. */
static char read_answer(int undo) {
  char line[64];
  for (;;) {
    printf("Is it an anomaly? y(es), n(o), s(kip), %sq(uit): ", undo ? "u(ndo), " : "");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) {
      printf("\n");
      return 'q';
    }
    size_t rest = strcspn(line, "\n");
    for (int c = line[rest] ? '\n' : getchar(); c != '\n' && c != EOF;) c = getchar();
    char key = line[strspn(line, " \t")];
    if (key >= 'A' && key <= 'Z') key = (char)(key - 'A' + 'a');
    if (key && strchr(undo ? "ynsuq" : "ynsq", key)) return key;
  }
}

/* Rows answered in this session, the latest last. */
typedef struct answered {
  size_t *row, count;
} answered;

/* Ask the latest row again. */
static anorank_status undo(size_t *place, answered *session, anorank_review *review, anorank_error *err) {
  size_t row = session->row[--session->count];
  for (*place = 0; anorank_review_at(review, *place)->row != row;) ++*place;
  return anorank_review_answer(review, row, ANORANK_ANSWER_OPEN, err);
}

/* Ask the open questions one by one; each answer is in the file before the next question. *more is 0 if the
 * person quit. */
static anorank_status ask_round(int *more, answered *session, anorank_review *review, const cli_call *call,
                                const anorank_model *model, const anorank_table *table, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t left = count_answers(review).open;
  *more = left > 0;
  for (size_t i = 0; i < anorank_review_count(review) && status == ANORANK_OK;) {
    if (anorank_review_at(review, i)->answer != ANORANK_ANSWER_OPEN) {
      i++;
      continue;
    }
    show_question(review, model, table, i, left);
    char key = read_answer(session->count > 0);
    if (key == 'q') {
      *more = 0;
      break;
    }
    if (key == 'u') {
      status = undo(&i, session, review, err);
      left++;
      if (status == ANORANK_OK) status = write_answers(review, call, err);
      continue;
    }
    left--;
    session->row[session->count++] = anorank_review_at(review, i)->row;
    status = anorank_review_answer(review, anorank_review_at(review, i)->row,
                                   key == 'y'   ? ANORANK_ANSWER_ANOMALY
                                   : key == 'n' ? ANORANK_ANSWER_NORMAL
                                                : ANORANK_ANSWER_SKIPPED,
                                   err);
    if (status == ANORANK_OK) status = write_answers(review, call, err);
  }
  return status;
}

static anorank_status one_round(int *more, answered *session, anorank_review *review, cli_call *call,
                                const anorank_table *table, const anorank_table *known, anorank_error *err) {
  anorank_model *model = NULL;
  anorank_ranking *result = NULL;
  *more = 0;
  anorank_status status = reach_past(review, call->settings, err);
  if (status == ANORANK_OK)
    status = anorank_detect(&model, &result, table,
                            &(anorank_training){.labels = anorank_review_labels(review), .known = known},
                            call->settings, err);
  cli_progress_clear();
  if (status == ANORANK_OK) status = anorank_review_ask(review, result, call->settings, err);
  if (status == ANORANK_OK) status = ask_round(more, session, review, call, model, table, err);
  anorank_ranking_free(result);
  anorank_model_free(model);
  return status;
}

int cli_review_talk(anorank_review *review, cli_call *call, const anorank_table *table,
                    const anorank_table *known) {
  anorank_error err = {0};
  anorank_status status = ANORANK_OK;
  char shown[256];
  int more = 1;
  answered session = {.row = cli_allocate(anorank_table_rows(table) + 1, sizeof *session.row)};
  cli_feedback(1);
  while (more && status == ANORANK_OK) status = one_round(&more, &session, review, call, table, known, &err);
  free(session.row);
  cli_feedback(0);
  if (status != ANORANK_OK) return cli_failure(call, status, &err);
  answer_counts sum = count_answers(review);
  cli_printable(shown, sizeof shown, cli_value(call, "review"));
  printf("\n%zu anomal%s, %zu normal, %zu skipped in %s.\n"
         "Run the same command to continue. --feedback of detect and fit reads the file.\n",
         sum.anomalies, sum.anomalies == 1 ? "y" : "ies", sum.normal, sum.skipped, shown);
  return 0;
}
