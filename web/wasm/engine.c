/* engine.c - what JavaScript calls (web/npm/engine.ts): one step of the library each. An instance does one task and keeps its
 * settings, table, model and ranking until it is dropped, which frees all memory. Steps return a status of the library, which
 * is the command line's exit code. Texts are NUL-terminated. */
#include <anorank/anorank.h>
#include <anorank/experimental.h>
#include <anorank/io.h>
#include <anorank/report.h>
#include <stdlib.h>

#include "core/output.h"
#include "report/result_json.h"

#define EXPORT(name) __attribute__((export_name(#name), used)) name

__attribute__((import_module("engine"), import_name("progress"))) void engine_progress(double share,
                                                                                       const char *what);

static anorank_error failure;
static anorank_settings *settings;
static anorank_table *table;
static anorank_model *model;
static anorank_ranking *ranking;
static anorank_evaluation *evaluation;
static unsigned char *bytes;
static size_t length;

static int tell(void *context, double share, const char *what) {
  (void)context;
  engine_progress(share, what);
  return 0;
}

const char *EXPORT(engine_version)(void) { return anorank_version(); }

/* Room for bytes and texts that come in; NULL if there is none. */
void *EXPORT(engine_room)(size_t size) { return malloc(size ? size : 1); }

/* ---- steps ------------------------------------------------------------------------------------------- */

int EXPORT(engine_start)(void) {
  anorank_status status = anorank_settings_new(&settings, NULL, &failure);
  if (status == ANORANK_OK) anorank_settings_on_progress(settings, tell, NULL);
  return (int)status;
}

int EXPORT(engine_set)(const char *name, const char *value) {
  return (int)anorank_settings_set(settings, name, value, &failure);
}

int EXPORT(engine_load)(const void *from, size_t size) {
  return (int)anorank_model_load(&model, ANORANK_FROM_MEMORY(from, size, NULL), &failure);
}

/* Read the table, for the loaded model if there is one. */
int EXPORT(engine_read)(const char *name, const void *from, size_t size) {
  anorank_status status = anorank_settings_prepare_reading(settings, model, &failure);
  if (status == ANORANK_OK)
    status = anorank_table_read(&table, ANORANK_FROM_MEMORY(from, size, name), settings, &failure);
  return (int)status;
}

int EXPORT(engine_fit)(void) { return (int)anorank_fit(&model, table, NULL, settings, &failure); }

int EXPORT(engine_detect)(void) {
  return (int)anorank_detect(&model, &ranking, table, NULL, settings, &failure);
}

int EXPORT(engine_rank)(void) {
  return (int)anorank_ranking_make(&ranking, model, table, settings, &failure);
}

/* Of too few rows a report says nothing about how good the order is. */
int EXPORT(engine_evaluate)(void) {
  anorank_error inner = {0};
  anorank_status status = anorank_evaluate(&evaluation, NULL, table, settings, &inner);
  if (status == ANORANK_ERROR_DATA) return ANORANK_OK;
  if (status != ANORANK_OK) failure = inner;
  return (int)status;
}

size_t EXPORT(engine_rows)(void) { return anorank_table_rows(table); }

int EXPORT(engine_score)(double *scores, double *p_values) {
  return (int)anorank_model_score(model, table, scores, p_values, settings, &failure);
}

/* ---- results, as bytes that stay until the next step ------------------------------------------------- */

const unsigned char *EXPORT(engine_bytes)(void) { return bytes; }
size_t EXPORT(engine_length)(void) { return length; }

static const anorank_sink *start_bytes(void) {
  static const anorank_sink sink = {.bytes = &bytes, .length = &length};
  anorank_bytes_free(bytes);
  bytes = NULL;
  return &sink;
}

int EXPORT(engine_save)(void) { return (int)anorank_model_save(model, start_bytes(), &failure); }

static anorank_status put(void *context, const void *from, size_t size, anorank_error *err) {
  return ank_output_write(context, from, size, err);
}

static anorank_status write_json(void (*fill)(ank_json *json)) {
  ank_output *output = NULL;
  ank_json json;
  anorank_status status = ank_output_of(&output, start_bytes(), &failure);
  if (status != ANORANK_OK) return status;
  ank_json_start(&json, put, output, &failure);
  ank_json_open(&json, '{', 1);
  fill(&json);
  ank_json_close(&json, '}');
  status = json.status == ANORANK_OK ? ank_output_commit(output, &failure) : json.status;
  ank_output_free(output);
  return status;
}

static void fill_ranking(ank_json *json) {
  size_t count = anorank_ranking_get_info(ranking)->count;
  ank_json_ranking(json, model, ranking);
  ank_json_notes(json, anorank_model_notes(model));
  ank_json_open_key(json, "findings", '[', 1);
  for (size_t i = 0; i < count; i++) {
    ank_json_open(json, '{', 1);
    ank_json_words(json, "tier", ank_json_tier(anorank_ranking_at(ranking, i)->tier));
    ank_json_reasons(json, "reasons", ranking, i, 1);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
}

static void fill_failure(ank_json *json) { ank_json_error(json, &failure); }

/* The ranking as `anorank detect --json` has it, but of each finding the tier and the reasons alone. */
int EXPORT(engine_ranking)(void) { return (int)write_json(fill_ranking); }

/* The other members of the findings, as JSON lines. */
int EXPORT(engine_findings)(void) {
  anorank_table *findings = NULL;
  const char *keep = anorank_settings_text(settings, "keep");
  anorank_status status = anorank_ranking_table(&findings, ranking, table, keep, 0, &failure);
  if (status == ANORANK_OK) status = anorank_table_write(findings, start_bytes(), "jsonl", &failure);
  anorank_table_free(findings);
  return (int)status;
}

/* `packed`: the file as it is, whose digest is stated. */
int EXPORT(engine_report)(const char *name, const void *packed, size_t packed_length, const char *command) {
  anorank_report about = {.model = model,
                          .table = table,
                          .ranking = ranking,
                          .evaluation = evaluation,
                          .title = name,
                          .command = command,
                          .table_path = name,
                          .table_bytes = packed,
                          .table_length = packed_length};
  return (int)anorank_report_write(start_bytes(), &about, settings, &failure);
}

/* The error of the step that failed, as the command line writes it with --json. */
int EXPORT(engine_failure)(void) { return (int)write_json(fill_failure); }
