/* contrast_plan.c - choose the law and the number of rows; see contrast_plan.h. */
#include "contrast/contrast_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"

enum {
  FEW_FEATURES = 8, /* up to here a uniform box still overlaps the data */
  MOST_ROWS = 100000,
  MOST_FOR_ENSEMBLE = 40000, /* rows after encoding, which has more columns */
  FEWEST_TO_LEARN = 2,
  FEWEST_TO_JUDGE = 10000 /* the area is then precise enough, even for few rows */
};

anorank_status ank_contrast_law(const ank_law **out, size_t features, const anorank_settings *settings,
                                anorank_error *err) {
  if (strcmp(settings->contrast, "auto") != 0) return ank_law_named(out, settings->contrast, err);
  *out = features <= FEW_FEATURES ? &ank_law_box : &ank_law_jitter;
  return ANORANK_OK;
}

anorank_status ank_contrast_plan_make(ank_contrast_plan *out, ank_contrast_use use, size_t around,
                                      size_t features, size_t cells, const anorank_settings *settings,
                                      anorank_error *err) {
  int ensemble = use == ANK_CONTRAST_FOR_ENSEMBLE;
  double each = settings->contrast_ratio * (ensemble ? ANK_ENSEMBLE_CONTRAST_DRAWN : 1);
  double rows = ceil(each * (double)around);
  double room = (double)ank_memory_limit(settings) / 8 / (double)(cells * sizeof(double));
  *out = (ank_contrast_plan){.settings = *settings};
  ANK_CHECK(ank_contrast_law(&out->law, features, settings, err));
  if (ensemble && strcmp(settings->contrast, "auto") == 0) out->law = &ank_law_scales;
  rows = fmax(rows, use == ANK_CONTRAST_TO_JUDGE ? FEWEST_TO_JUDGE : FEWEST_TO_LEARN);
  rows = fmax(fmin(fmin(rows, ensemble ? MOST_FOR_ENSEMBLE : MOST_ROWS), room), FEWEST_TO_LEARN);
  snprintf(out->settings.law, sizeof out->settings.law, "%s", out->law->info.name);
  out->settings.rows = (int64_t)rows;
  out->settings.first_row = use == ANK_CONTRAST_TO_JUDGE ? ANK_JUDGING_FIRST_ROW : 0;
  out->settings.limits = ""; /* they apply to all columns of the table */
  return ANORANK_OK;
}

int ank_contrast_is_uniform(const ank_law *law) { return law == &ank_law_box || law == &ank_law_unit; }
