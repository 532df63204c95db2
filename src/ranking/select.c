/* select.c - select the rows to report, and the notes on what the calibration rows allow. */
#include <math.h>
#include <stdio.h>

#include "core/print.h"
#include "ranking/ranking.h"

/* 1 - 0.9 is a little less than 0.1: levels are compared with a tolerance. */
#define ROUNDING 1e-12

int ank_level_selects(double level, double most) { return level <= most * (1 + ROUNDING) + ROUNDING; }

/* Levels are monotone in the order, so that those selected come first. */
static size_t count_up_to(const uint32_t *order, const double *levels, size_t n, double most) {
  size_t count = 0;
  while (count < n && ank_level_selects(levels[order[count]], most)) count++;
  return count;
}

void ank_ranking_note_write(ank_ranking_note *out, const char *code, const char *format, ...) {
  va_list given;
  va_start(given, format);
  snprintf(out->code, sizeof out->code, "%s", code);
  ank_vprint(out->text, sizeof out->text, format, given);
  va_end(given);
}

static void tell_lowest(ank_selection *out, size_t n, size_t asked, size_t first, size_t end) {
  if (asked > n)
    ank_ranking_note_write(&out->note, "selection-few-rows",
                           "%zu rows requested, but the table has only %zu row%s", asked, n, ANK_S(n));
  else if (end > asked)
    ank_ranking_note_write(&out->note, "selection-ties",
                           "%zu rows requested; %zu listed, because %zu are tied at the border", asked, end,
                           end - first);
}

static void select_lowest(ank_selection *out, const uint32_t *order, const double *scores, size_t n,
                          size_t asked) {
  size_t first = asked - 1, end = asked;
  if (asked < n) {
    double border = scores[order[asked - 1]];
    while (first > 0 && scores[order[first - 1]] == border) first--;
    while (end < n && scores[order[end]] == border) end++;
    out->count = end;
  }
  tell_lowest(out, n, asked, first, end);
}

/* The number of rows with the smallest p-value needed to reach a false-discovery rate among n. */
static double needed(size_t n, size_t calibration, double fdr) {
  return ceil((double)n / ((double)calibration + 1) / fdr * (1 - ROUNDING));
}

/* Why fdr selects nothing from a file that the model has seen. */
static void explain_none_of_contaminated(ank_selection *out, const anorank_model *model, double fdr) {
  if (model->null.has_tail)
    ank_ranking_note_write(&out->note, "fdr-none-far",
                           "no row is extreme enough for an FDR of %g under a heavy-tailed null; use lowest "
                           "or mass to report rows",
                           fdr);
  else
    ank_ranking_note_write(&out->note, "fdr-none-contaminated",
                           "no row reaches an FDR of %g, because calibration rows may include anomalies; use "
                           "lowest or mass, or fit on normal rows",
                           fdr);
}

/* Explain why no row could be selected. */
static void explain_none(ank_selection *out, size_t n, const anorank_model *model,
                         const anorank_settings *settings) {
  size_t calibration = model->calibration_count;
  double least =
      model->null.has_tail ? ank_calibration_smallest(&model->null) : 1 / ((double)calibration + 1);
  if (out->count > 0 || n == 0) return;
  if (settings->fdr > 0 && model->settings.train == ANORANK_TRAIN_CONTAMINATED)
    explain_none_of_contaminated(out, model, settings->fdr);
  else if (settings->mass > 0 && least > 1 - settings->mass + ROUNDING)
    ank_ranking_note_write(
        &out->note, "mass-beyond-calibration",
        "no row can lie outside mass %g; with %zu calibration row%s the smallest p-value is %.2g",
        settings->mass, calibration, ANK_S(calibration), least);
  else if (settings->fdr > 0 && least * (double)n > settings->fdr)
    ank_ranking_note_write(&out->note, "fdr-beyond-calibration",
                           "no row reaches an FDR of %g; with %zu calibration row%s, at least %.0f rows more "
                           "extreme than all of them are needed",
                           settings->fdr, calibration, ANK_S(calibration),
                           needed(n, calibration, settings->fdr));
}

anorank_status ank_select(ank_selection *out, const uint32_t *order, const double *scores, const double *p,
                          const double *q, size_t n, const anorank_model *model,
                          const anorank_settings *settings, anorank_error *err) {
  int ways = (settings->lowest > 0) + (settings->mass > 0) + (settings->fdr > 0);
  *out = (ank_selection){.count = n};
  if (ways > 1)
    return ank_fail(err, ANORANK_ERROR_USAGE, "selection-ambiguous",
                    "lowest, mass and fdr each choose the rows to report; give one of them, not %d", ways);
  if (settings->lowest > 0)
    select_lowest(out, order, scores, n, (size_t)settings->lowest);
  else if (settings->mass > 0)
    out->count = count_up_to(order, p, n, 1 - settings->mass);
  else if (settings->fdr > 0)
    out->count = count_up_to(order, q, n, settings->fdr);
  explain_none(out, n, model, settings);
  return ANORANK_OK;
}

void ank_select_write_note(ank_selection *out, size_t n, size_t first, const anorank_model *model,
                           const anorank_settings *settings) {
  out->note = (ank_ranking_note){0};
  if (settings->lowest > 0) tell_lowest(out, n, (size_t)settings->lowest, first, out->count);
  explain_none(out, n, model, settings);
}

/* With a tail, the assumption limits p-values, not the number of calibration rows. */
static void resolution_of_tail(ank_ranking_note *out, const anorank_model *model) {
  char left_out[64] = "";
  if (model->null.set_aside > 0)
    snprintf(left_out, sizeof left_out, " (likely anomalies excluded: %zu)", model->null.set_aside);
  ank_ranking_note_write(out, "p-values-assume-tail",
                         "p-values below %.2g assume that the normal tail decays at least exponentially, as "
                         "in the bulk of %zu calibration rows%s",
                         model->null.tail.level, model->calibration_count, left_out);
}

void ank_resolution(ank_ranking_note *out, const anorank_model *model, size_t rows, double fdr) {
  size_t calibration = model->calibration_count;
  double least = 1 / ((double)calibration + 1);
  if (model->null.has_tail)
    resolution_of_tail(out, model);
  else if (needed(rows, calibration, fdr) <= 1)
    ank_ranking_note_write(
        out, "p-values-fine",
        "%zu calibration row%s give p-values down to %.2g, so FDR %g %% can select a single row of %zu",
        calibration, ANK_S(calibration), least, 100 * fdr, rows);
  else
    ank_ranking_note_write(
        out, "p-values-coarse",
        "%zu calibration row%s give p-values down to %.2g, so FDR %g %% selects at least %.0f "
        "of %zu rows; single rows need %.0f calibration rows",
        calibration, ANK_S(calibration), least, 100 * fdr, needed(rows, calibration, fdr), rows,
        (double)rows / fdr);
}
