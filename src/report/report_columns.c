/* report_columns.c - distributions of the columns, for all rows and for those that stand out; see
 * report_data.h. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "report/report_data.h"
#include "report/result_json.h"

enum {
  BINS = ANK_COLUMN_BINS,
  LOOKED_AT = 20000,  /* cells, evenly spaced, that determine the ends of the bins */
  MOST_COLUMNS = 300, /* columns shown, at most */
  SHOWN_LEVEL = 200   /* bytes of a level's name */
};

/* ---- reasons by column ------------------------------------------------------------------------------- */

void ank_reason_counts_free(ank_reason_counts *counts) {
  ank_free(counts->first);
  ank_free(counts->any);
  *counts = (ank_reason_counts){0};
}

anorank_status ank_reason_counts_make(ank_reason_counts *out, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_ranking *ranking = report->ranking;
  size_t columns = ank_prepare_columns(report->model->pipeline.prepare);
  *out = (ank_reason_counts){0};
  ANK_TRY(ank_alloc(&out->first, columns, sizeof *out->first, err));
  ANK_TRY(ank_alloc(&out->any, columns, sizeof *out->any, err));
  for (size_t i = 0; i < ranking->explained && i < report->flagged; i++) {
    size_t reasons = ranking->findings[i].reasons;
    out->rows += reasons > 0;
    for (size_t k = 0; k < reasons; k++) {
      size_t c = ranking->reasons[i * ranking->most + k].index;
      out->any[c]++;
      out->first[c] += k == 0;
    }
  }
done:
  if (status != ANORANK_OK) ank_reason_counts_free(out);
  return status;
}

/* ---- one column -------------------------------------------------------------------------------------- */

/* Find the ends of the bins: 0.5 and 99.5 % of the numeric cells, widened to the usual range of the fit. */
static anorank_status find_ends(double ends[2], const ank_column *column, size_t rows,
                                const anorank_model_column *usual, const anorank_settings *settings,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t step = rows / LOOKED_AT + 1, count = 0;
  double *cells = NULL;
  ends[0] = ends[1] = NAN;
  ANK_TRY(ank_alloc_raw(&cells, rows / step + 1, sizeof *cells, err));
  for (size_t i = 0; i < rows; i += step)
    if (isfinite(column->numbers[i])) cells[count++] = column->numbers[i];
  if (count == 0) goto done;
  ANK_TRY(ank_sort(cells, count, settings, err));
  ends[0] = cells[(count - 1) / 200];
  ends[1] = cells[count - 1 - (count - 1) / 200];
  if (usual->role == ANORANK_ROLE_NUMERIC && isfinite(usual->low)) ends[0] = fmin(ends[0], usual->low);
  if (usual->role == ANORANK_ROLE_NUMERIC && isfinite(usual->high)) ends[1] = fmax(ends[1], usual->high);
  if (!(ends[1] > ends[0])) ends[1] = ends[0] + fmax(1, fabs(ends[0]) * 1e-3);
done:
  ank_free(cells);
  return status;
}

const ank_column *ank_report_column(const ank_report *report, size_t of_model) {
  size_t at = ank_match_column(report->match, of_model);
  anorank_role role = ank_prepare_column(report->model->pipeline.prepare, of_model).role;
  if (at == SIZE_MAX || role == ANORANK_ROLE_ID || role == ANORANK_ROLE_DROPPED ||
      role == ANORANK_ROLE_UNUSABLE)
    return NULL;
  return &report->table->column[at];
}

anorank_status ank_report_values(ank_value_bins *out, const ank_report *report, size_t of_model,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_column *column = ank_report_column(report, of_model);
  anorank_model_column usual = ank_prepare_column(report->model->pipeline.prepare, of_model);
  double ends[2];
  *out = (ank_value_bins){.from = NAN};
  ANK_TRY(find_ends(ends, column, report->rows, &usual, report->settings, err));
  if (isnan(ends[0])) goto done;
  out->from = ends[0];
  out->to = ends[1];
  for (size_t i = 0; i < report->rows; i++) {
    double value = column->numbers[i];
    if (!isnan(value)) out->all[ank_report_bin(value, ends[0], ends[1], BINS)]++;
  }
  for (size_t k = 0; k < report->flagged; k++) {
    double value = column->numbers[ank_report_at(report, k)->row];
    if (!isnan(value)) out->flagged[ank_report_bin(value, ends[0], ends[1], BINS)]++;
  }
done:
  return status;
}

static anorank_status put_numbers(ank_json *json, const ank_report *report, size_t of_model,
                                  anorank_error *err) {
  ank_value_bins bins;
  anorank_status status = ank_report_values(&bins, report, of_model, err);
  if (status != ANORANK_OK || isnan(bins.from)) return status;
  ank_json_open_key(json, "bins", '{', 0);
  ank_json_field(json, "from", bins.from);
  ank_json_field(json, "to", bins.to);
  ank_json_counts(json, "all", bins.all, BINS);
  ank_json_counts(json, "flagged", bins.flagged, BINS);
  ank_json_close(json, '}');
  return ANORANK_OK;
}

anorank_status ank_report_levels(ank_level_bins *out, const ank_report *report, size_t of_model,
                                 anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_column *column = ank_report_column(report, of_model);
  size_t *all = NULL, *flagged = NULL, levels = column->levels.count;
  *out = (ank_level_bins){.levels = levels};
  ANK_TRY(ank_alloc(&all, levels, sizeof *all, err));
  ANK_TRY(ank_alloc(&flagged, levels, sizeof *flagged, err));
  for (size_t i = 0; i < report->rows; i++)
    if (column->codes[i] >= 0) all[column->codes[i]]++;
  for (size_t k = 0; k < report->flagged; k++) {
    int32_t code = column->codes[ank_report_at(report, k)->row];
    if (code >= 0) flagged[code]++;
  }
  for (; out->shown < ANK_REPORT_LEVELS && out->shown < levels; out->shown++) {
    size_t most = 0;
    for (size_t k = 1; k < levels; k++)
      if (all[k] != SIZE_MAX && (all[most] == SIZE_MAX || all[k] > all[most])) most = k;
    out->of[out->shown].level = column->levels.text[most];
    out->of[out->shown].all = all[most];
    out->of[out->shown].flagged = flagged[most];
    all[most] = SIZE_MAX;
  }
done:
  ank_free(all);
  ank_free(flagged);
  return status;
}

static anorank_status put_levels(ank_json *json, const ank_report *report, size_t of_model,
                                 anorank_error *err) {
  const ank_prepare *prepare = report->model->pipeline.prepare;
  double train = (double)ank_prepare_train_rows(prepare);
  ank_level_bins bins;
  anorank_status status = ank_report_levels(&bins, report, of_model, err);
  if (status != ANORANK_OK) return status;
  ank_json_count(json, "levels_here", bins.levels);
  ank_json_open_key(json, "levels", '[', 0);
  for (size_t k = 0; k < bins.shown; k++) {
    const char *level = bins.of[k].level;
    ank_json_open(json, '{', 1);
    ank_json_key(json, "level");
    ank_json_text(json, level, strnlen(level, SHOWN_LEVEL));
    ank_json_count(json, "all", bins.of[k].all);
    ank_json_count(json, "flagged", bins.of[k].flagged);
    if (train > 0)
      ank_json_field(json, "train_share", (double)ank_prepare_level_rows(prepare, of_model, level) / train);
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
  return ANORANK_OK;
}

static int is_missing(const ank_column *column, size_t row) {
  return column->kind == ANORANK_CATEGORICAL ? column->codes[row] < 0 : isnan(column->numbers[row]);
}

static anorank_status put_here(ank_json *json, const ank_report *report, size_t of_model,
                               anorank_error *err) {
  size_t at = ank_match_column(report->match, of_model), missing = 0, flagged = 0;
  if (at == SIZE_MAX) return ANORANK_OK;
  const ank_column *column = &report->table->column[at];
  for (size_t i = 0; i < report->rows; i++) missing += (size_t)is_missing(column, i);
  for (size_t k = 0; k < report->flagged; k++)
    flagged += (size_t)is_missing(column, ank_report_at(report, k)->row);
  ank_json_count(json, "missing", missing);
  ank_json_count(json, "missing_flagged", flagged);
  if (!ank_report_column(report, of_model)) return ANORANK_OK;
  if (column->kind == ANORANK_CATEGORICAL) return put_levels(json, report, of_model, err);
  return put_numbers(json, report, of_model, err);
}

/* ---- all --------------------------------------------------------------------------------------------- */

static void put_usual(ank_json *json, const anorank_model_column *column) {
  ank_json_words(json, "name", column->name);
  ank_json_words(json, "role", ank_role_word(column->role));
  ank_json_words(json, "kind", ank_kind_word(column->kind));
  ank_json_count(json, "features", column->features);
  ank_json_field(json, "missing_share", column->missing_share);
  if (column->role == ANORANK_ROLE_NUMERIC) {
    ank_json_field(json, "low", column->low);
    ank_json_field(json, "median", column->median);
    ank_json_field(json, "high", column->high);
  }
  if (column->role == ANORANK_ROLE_CATEGORICAL) ank_json_count(json, "train_levels", column->levels);
}

anorank_status ank_report_write_columns(ank_json *json, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_prepare *prepare = report->model->pipeline.prepare;
  size_t columns = ank_prepare_columns(prepare), detailed = 0;
  ank_reason_counts counts = {0};
  ANK_TRY(ank_reason_counts_make(&counts, report, err));
  ank_json_count(json, "flagged_with_reasons", counts.rows);
  ank_json_open_key(json, "columns", '[', 0);
  for (size_t c = 0; c < columns; c++) {
    anorank_model_column column = ank_prepare_column(prepare, c);
    int shown = columns <= MOST_COLUMNS || counts.any[c] > 0;
    ank_json_open(json, '{', 0);
    put_usual(json, &column);
    ank_json_count(json, "first_reason", counts.first[c]);
    ank_json_count(json, "any_reason", counts.any[c]);
    if (shown && detailed++ < MOST_COLUMNS) ANK_TRY(put_here(json, report, c, err));
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
done:
  ank_reason_counts_free(&counts);
  return status;
}
