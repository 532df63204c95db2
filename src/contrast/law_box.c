/* law_box.c - uniform on the smallest box that contains the data, widened by `pad` times its width on each
 * side, or on the box that `limits` gives for the numeric columns in order (without pad; no data are
 * needed then). Categories are uniform over their levels. Its volume is Lebesgue measure, as in the
 * paper's definition of the mass-volume curve, but with more than about 8 columns hardly a row falls among
 * the data. */
#include <math.h>
#include <string.h>

#include "contrast/box_bounds.h"
#include "contrast/column.h"
#include "core/alloc.h"
#include "core/number.h"

#define NAME ank_law_box.info.name

/* Read "low:high" and the comma after it; `number` counts from 1 for the message. */
static anorank_status next_limit(const char **text, double *low, double *high, size_t number,
                                 anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *start = *text, *end = start + strcspn(start, ","), *colon = start + strcspn(start, ":,");
  if (*colon != ':' || ank_number_parse(low, start, (size_t)(colon - start)) != ANK_NUMBER ||
      ank_number_parse(high, colon + 1, (size_t)(end - colon - 1)) != ANK_NUMBER || !isfinite(*low) ||
      !isfinite(*high) || *low > *high)
    return ank_fail(err, ANORANK_ERROR_USAGE, "limits-form",
                    "limits: range %zu is \"%s\"; write two numbers as low:high", number,
                    ank_quote(quoted, start, (size_t)(end - start)));
  *text = *end == ',' ? end + 1 : end;
  if (*end == ',' && end[1] == '\0')
    return ank_fail(err, ANORANK_ERROR_USAGE, "limits-form", "limits ends in a comma; remove it");
  return ANORANK_OK;
}

static anorank_status count_limits(size_t *out, const anorank_settings *settings, anorank_error *err) {
  const char *text = settings->limits;
  double low, high;
  for (*out = 0; *text; ++*out) ANK_CHECK(next_limit(&text, &low, &high, *out + 1, err));
  return ANORANK_OK;
}

static anorank_status columns_box(size_t *out, const anorank_settings *settings, anorank_error *err) {
  if (settings->limits[0] == '\0') return ank_law_needs_data(&ank_law_box, ", or set limits", err);
  return count_limits(out, settings, err);
}

static anorank_status check_count(const anorank_table *data, const anorank_settings *settings,
                                  anorank_error *err) {
  size_t limits, numeric = 0;
  ANK_CHECK(count_limits(&limits, settings, err));
  for (size_t j = 0; j < data->columns; j++) numeric += data->column[j].kind != ANORANK_CATEGORICAL;
  if (limits == numeric) return ANORANK_OK;
  return ank_fail(err, ANORANK_ERROR_USAGE, "limits-count",
                  "limits has %zu range%s, but the data have %zu numeric column%s; give one for each", limits,
                  ANK_S(limits), numeric, ANK_S(numeric));
}

static anorank_status measure(ank_box_bound *out, const anorank_table *data, size_t column, double pad,
                              anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  ank_column_facts facts;
  ANK_CHECK(ank_column_measure(&facts, data, column, NAME, err));
  double low = facts.low, high = facts.high;
  double grow = high > low && pad > 0 ? 2 * (pad * (high / 2 - low / 2)) : 0;
  if (!isfinite(low - grow) || !isfinite(high + grow)) {
    (void)ank_fail(err, ANORANK_ERROR_DATA, "contrast-too-wide",
                   "column '%s' padded by %g is too wide; scale it or pad less",
                   ank_column_quote(quoted, data, column), pad);
    ank_error_set_location(err, data->source, 0, data->column[column].name);
    return ANORANK_ERROR_DATA;
  }
  *out = ank_box_bound_range(low - grow, high + grow);
  return ANORANK_OK;
}

static anorank_status learn_box(void **learned, const anorank_table *data, const anorank_settings *settings,
                                anorank_error *err) {
  const char *text = settings->limits;
  int limited = *text != '\0';
  size_t columns = data ? data->columns : 0;
  ank_box_bound *bounds;
  if (!data) ANK_CHECK(columns_box(&columns, settings, err));
  if (data && limited) ANK_CHECK(check_count(data, settings, err));
  if (data && !limited) ANK_CHECK(ank_law_needs_rows(data, err));
  ANK_CHECK(ank_alloc(&bounds, columns, sizeof *bounds, err));
  *learned = bounds;
  for (size_t j = 0, number = 1; j < columns; j++) {
    if (data && data->column[j].kind == ANORANK_CATEGORICAL) {
      ANK_CHECK(ank_column_levels(&bounds[j].levels, data, j, NAME, err));
    } else if (limited) {
      double low = 0, high = 0;
      ANK_CHECK(next_limit(&text, &low, &high, number++, err));
      bounds[j] = ank_box_bound_range(low, high);
    } else {
      ANK_CHECK(measure(&bounds[j], data, j, settings->pad, err));
    }
  }
  return ANORANK_OK;
}

const ank_law ank_law_box = {
    .info = {"box", "uniform over the range of each column, or over limits, and over categories",
             "pad limits", 1},
    .learn = learn_box,
    .columns = columns_box,
    .draw = ank_box_bounds_draw,
};
