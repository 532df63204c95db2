/* report_words.c - the sentences of a report: the answer, its caveats, its provenance; see report_data.h. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "anorank/experimental.h"
#include "core/print.h"
#include "core/sha256.h"
#include "report/report_data.h"
#include "report/result_json.h"

#define DOMINATES 0.8 /* one column is the first reason of this share of the rows that stand out */

enum { FEW_TO_DOMINATE = 10 };

/* ---- warnings ---------------------------------------------------------------------------------------- */

static void put_warning(ank_json *json, const char *what, const char *text) {
  ank_json_open(json, '{', 1);
  ank_json_words(json, "what", what);
  ank_json_words(json, "text", text);
  ank_json_close(json, '}');
}

static void put_warned(ank_json *json, const char *what, const ank_notes *notes) {
  for (size_t i = 0; notes && i < notes->count; i++)
    if (notes->list[i].kind == ANORANK_NOTE_WARNING) put_warning(json, what, notes->list[i].text);
}

static void warn_about_order(ank_json *json, const anorank_evaluation *evaluation) {
  if (!evaluation) return;
  const anorank_judgement *judgement = evaluation->found[0].judgement;
  if (evaluation->blind)
    put_warning(json, "blind contrast", judgement->saturation.conclusion);
  else if (judgement->info.area.high >= 0.5)
    put_warning(json, "order", "the order is not distinguishable from a random one");
}

/* Ranks alone cannot show that few rows stand out. */
static void warn_about_calibration(ank_json *json, const ank_report *report) {
  double least = anorank_model_get_info(report->model)->calibration->smallest_p_value;
  if (report->model->null.has_tail || least * (double)report->rows <= 10 * report->rate) return;
  put_warning(json, "calibration", report->ranking->resolution.text);
}

static anorank_status warn_about_column(ank_json *json, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_reason_counts counts = {0};
  char text[512], name[ANK_QUOTE_SIZE];
  const ank_prepare *prepare = report->model->pipeline.prepare;
  ANK_TRY(ank_reason_counts_make(&counts, report, err));
  for (size_t c = 0; c < ank_prepare_columns(prepare) && counts.rows >= FEW_TO_DOMINATE; c++) {
    if ((double)counts.first[c] < DOMINATES * (double)counts.rows) continue;
    const char *full = ank_prepare_column(prepare, c).name;
    ank_print(
        text, sizeof text,
        "column '%s' is the first reason of %zu of %zu rows that stand out: look whether it is what you "
        "want to find, and leave it out if it is not",
        ank_quote(name, full, strlen(full)), counts.first[c], counts.rows);
    put_warning(json, "one column", text);
  }
done:
  ank_reason_counts_free(&counts);
  return status;
}

static anorank_status put_warnings(ank_json *json, const ank_report *report, anorank_error *err) {
  ank_json_open_key(json, "warnings", '[', 0);
  put_warned(json, "these rows", anorank_stream_notes(report->given->stream));
  put_warned(json, "fit", &report->model->notes);
  put_warned(json, "reading", &report->table->notes);
  /* For all rows, the note would count those with reasons, which a report shows anyway. */
  int chosen = report->ranking->count < report->rows;
  if (chosen && report->flagged == 0 && *report->ranking->note.text)
    put_warning(json, "selection", report->ranking->note.text);
  warn_about_order(json, report->given->evaluation);
  warn_about_calibration(json, report);
  anorank_status status = warn_about_column(json, report, err);
  ank_json_close(json, ']');
  return status;
}

/* ---- notes ------------------------------------------------------------------------------------------- */

static void put_note(ank_json *json, const char *from, anorank_note_kind kind, const char *text) {
  static const char *const kinds[] = {"warning", "left out", "understood", "assumed", "detail"};
  ank_json_open(json, '{', 1);
  ank_json_words(json, "from", from);
  ank_json_words(json, "kind", kinds[kind]);
  ank_json_words(json, "text", text);
  ank_json_close(json, '}');
}

static void put_list(ank_json *json, const char *from, const ank_notes *notes) {
  for (size_t i = 0; notes && i < notes->count; i++)
    put_note(json, from, notes->list[i].kind, notes->list[i].text);
}

static void put_notes(ank_json *json, const ank_report *report) {
  ank_json_open_key(json, "notes", '[', 0);
  put_list(json, "reading", &report->table->notes);
  put_list(json, "fit", &report->model->notes);
  put_list(json, "these rows", anorank_stream_notes(report->given->stream));
  if (*report->ranking->reach.text)
    put_note(json, "reasons", ANORANK_NOTE_UNDERSTOOD, report->ranking->reach.text);
  ank_json_close(json, ']');
}

/* ---- provenance -------------------------------------------------------------------------------------- */

/* Compute the digest of a regular file; 0 if it cannot be read again. */
static int digest_file(ank_sha256 *sha, const char *path) {
  unsigned char buffer[1 << 14];
  struct stat about;
  ssize_t got = 0;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  while ((got = read(file, buffer, sizeof buffer)) > 0) ank_sha256_put(sha, buffer, (size_t)got);
  close(file);
  return got == 0;
}

/* Write a file and its digest. `bytes`: its content; NULL: read it. */
static void put_file(ank_json *json, const char *what, const char *path, const void *bytes, size_t length) {
  char digest[ANK_SHA256_TEXT];
  const char *slash = path ? strrchr(path, '/') : NULL;
  ank_sha256 sha;
  if (!path || strcmp(path, "-") == 0) return;
  ank_sha256_start(&sha);
  if (bytes)
    ank_sha256_put(&sha, bytes, length);
  else if (!digest_file(&sha, path))
    return;
  length = (size_t)sha.length;
  ank_sha256_end(digest, &sha);
  ank_json_open(json, '{', 1);
  ank_json_words(json, "what", what);
  ank_json_words(json, "name", slash ? slash + 1 : path);
  ank_json_count(json, "bytes", length);
  ank_json_words(json, "sha256", digest);
  ank_json_close(json, '}');
}

/* Write settings of these groups: [name, value, default, help]. */
static void put_settings(ank_json *json, const char *key, const anorank_settings *settings, unsigned groups) {
  const anorank_setting *setting;
  ank_json_open_key(json, key, '[', 0);
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    if (!(setting->applies_to & groups) && strcmp(setting->name, "seed") != 0) continue;
    char value[2048];
    anorank_settings_get(settings, setting->name, value, sizeof value);
    ank_json_open(json, '[', 1);
    ank_json_string(json, setting->name);
    ank_json_string(json, value);
    ank_json_string(json, setting->default_value);
    ank_json_string(json, setting->help);
    ank_json_close(json, ']');
  }
  ank_json_close(json, ']');
}

static void put_provenance(ank_json *json, const ank_report *report) {
  const anorank_model *model = report->model;
  const anorank_report *given = report->given;
  ank_json_open_key(json, "provenance", '{', 0);
  ank_json_words(json, "version", anorank_version());
  ank_json_words(json, "command", given->command);
  ank_json_words(json, "scorer", anorank_model_get_info(model)->scorer);
  ank_json_words(json, "train", model->settings.train == ANORANK_TRAIN_CLEAN ? "clean" : "contaminated");
  ank_json_count(json, "train_rows", model->train_rows);
  ank_json_count(json, "known_rows", model->known_rows);
  ank_json_count(json, "calibration_rows", model->calibration_count);
  ank_json_field(json, "smallest_p_value", anorank_model_get_info(model)->calibration->smallest_p_value);
  ank_json_words(json, "p_values", ank_model_p_value_words(model));
  ank_json_open_key(json, "files", '[', 0);
  put_file(json, "rows", given->table_path, given->table_bytes, given->table_length);
  put_file(json, "model", given->model_path, NULL, 0);
  ank_json_close(json, ']');
  put_settings(json, "fit_settings", &model->settings,
               ANORANK_FOR_FIT | ANORANK_FOR_LEARN | ANORANK_FOR_READ);
  put_settings(json, "report_settings", report->settings, ANORANK_FOR_RANKING | ANORANK_FOR_JUDGE);
  ank_json_close(json, '}');
}

/* ---- the answer -------------------------------------------------------------------------------------- */

static void put_answer(ank_json *json, const ank_report *report) {
  ank_json_words(json, "title", report->title);
  ank_json_words(json, "answer", report->ranking->answer);
  ank_json_headline(json, "headline", report->ranking);
  ank_json_words(json, "resolution", report->ranking->resolution.text);
  ank_json_words(json, "note", report->ranking->note.text);
  ank_json_count(json, "rows", report->rows);
  ank_json_count(json, "flagged", report->flagged);
  ank_json_count(json, "listed", report->listed);
  ank_json_field(json, "rate", report->rate);
  ank_json_field(json, "mass", report->settings->mass > 0 ? report->settings->mass : NAN);
}

anorank_status ank_report_write_words(ank_json *json, const ank_report *report, anorank_error *err) {
  put_answer(json, report);
  anorank_status status = put_warnings(json, report, err);
  if (status != ANORANK_OK) return status;
  put_notes(json, report);
  put_provenance(json, report);
  return ANORANK_OK;
}
