/* page.c - what the page's worker calls: a file as bytes becomes the report of `anorank detect --report`, or the message that
 * the command line gives. One file in the life of an instance: the worker starts a new one for the next. */
#include <anorank/anorank.h>
#include <anorank/experimental.h>
#include <anorank/io.h>
#include <anorank/report.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), used)) name

__attribute__((import_module("page"), import_name("progress"))) void page_progress(double share,
                                                                                   const char *what);

static anorank_error failure;
static unsigned char *report;
static size_t report_length;
static double part_from, part_to; /* of the whole, that what runs now is */

static int tell(void *context, double share, const char *what) {
  (void)context;
  page_progress(part_from + (part_to - part_from) * share, what);
  return 0;
}

static void begin(double from, double to, const char *what) {
  part_from = from;
  part_to = to;
  tell(NULL, 0, what);
}

/* Room for bytes and texts that come in; NULL if there is none. */
void *EXPORT(page_room)(size_t bytes) { return malloc(bytes ? bytes : 1); }

const char *EXPORT(page_message)(void) { return failure.message; }
size_t EXPORT(page_remedies)(void) { return failure.remedy_count; }
const char *EXPORT(page_remedy_setting)(size_t i) {
  const char *setting = "", *value = "";
  anorank_error_remedy(&failure, i, &setting, &value);
  return setting;
}
const char *EXPORT(page_remedy_value)(size_t i) {
  const char *setting = "", *value = "";
  anorank_error_remedy(&failure, i, &setting, &value);
  return value;
}
const unsigned char *EXPORT(page_report)(void) { return report; }
size_t EXPORT(page_report_length)(void) { return report_length; }
const char *EXPORT(page_version)(void) { return anorank_version(); }

typedef struct work {
  anorank_settings *settings;
  anorank_table *table;
  anorank_model *model;
  anorank_ranking *ranking;
  anorank_evaluation *evaluation;
} work;

/* `chosen`: lines of a settings file. */
static anorank_status choose(work *w, const char *chosen) {
  anorank_status status = anorank_settings_new(&w->settings, NULL, &failure);
  if (status == ANORANK_OK) status = anorank_settings_set(w->settings, "train", "contaminated", &failure);
  if (status == ANORANK_OK) status = anorank_settings_parse(w->settings, chosen, strlen(chosen), &failure);
  if (status == ANORANK_OK) status = anorank_settings_set(w->settings, "keep", "all", &failure);
  if (status == ANORANK_OK) anorank_settings_on_progress(w->settings, tell, NULL);
  return status;
}

/* Of too few rows a report says nothing about how good the order is. */
static anorank_status evaluate(work *w) {
  anorank_error inner = {0};
  anorank_status status = anorank_evaluate(&w->evaluation, NULL, w->table, w->settings, &inner);
  if (status == ANORANK_ERROR_DATA) return ANORANK_OK;
  if (status != ANORANK_OK) failure = inner;
  return status;
}

static anorank_status run(work *w, const char *name, const char *bytes, size_t length, const void *packed,
                          size_t packed_length, const char *chosen, const char *command) {
  anorank_status status = choose(w, chosen);
  begin(0, 0.1, "reading");
  if (status == ANORANK_OK)
    status = anorank_table_read(&w->table, ANORANK_FROM_MEMORY(bytes, length, name), w->settings, &failure);
  begin(0.1, 0.6, "learning");
  if (status == ANORANK_OK)
    status = anorank_detect(&w->model, &w->ranking, w->table, NULL, w->settings, &failure);
  begin(0.6, 0.95, "judging the order");
  if (status == ANORANK_OK) status = evaluate(w);
  begin(0.95, 1, "writing the report");
  if (status != ANORANK_OK) return status;
  anorank_report about = {.model = w->model,
                          .table = w->table,
                          .ranking = w->ranking,
                          .evaluation = w->evaluation,
                          .title = name,
                          .command = command,
                          .table_path = name,
                          .table_bytes = packed,
                          .table_length = packed_length};
  return anorank_report_write(ANORANK_TO_MEMORY(&report, &report_length, NULL), &about, w->settings,
                              &failure);
}

/* `packed`: the file as it is, whose digest is stated; `bytes`: unpacked. Texts are NUL-terminated. Returns the status, which is the command line's exit code: 0 with a report, else there is a message. */
int EXPORT(page_run)(const char *name, const char *bytes, size_t length, const void *packed,
                     size_t packed_length, const char *chosen, const char *command) {
  work w = {0};
  anorank_status status = run(&w, name, bytes, length, packed, packed_length, chosen, command);
  anorank_evaluation_free(w.evaluation);
  anorank_ranking_free(w.ranking);
  anorank_model_free(w.model);
  anorank_table_free(w.table);
  anorank_settings_free(w.settings);
  return (int)status;
}
