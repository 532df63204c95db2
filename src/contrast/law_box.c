/* law_box.c - uniform on the smallest box that holds the data, widened by `pad` times its width on each
 * side, or on the box that `limits` gives for the numeric columns in order (taken as they are, without
 * pad; no data are needed then). Categories are uniform over their levels. Its volume is Lebesgue measure,
 * as in the paper's definition of the mass-volume curve, but hardly a row falls among the data beyond
 * about 8 columns. */
#include <math.h>
#include <string.h>

#include "contrast/box_bounds.h"
#include "contrast/column.h"
#include "core/number.h"

#define NAME ank_law_box.info.name

/* Read "low:high" and the comma after it; `number` counts from 1 and is for the message. */
static anorank_status next_limit(const char **text, double *low, double *high, size_t number,
                                 anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *start = *text, *end = start + strcspn(start, ","), *colon = start + strcspn(start, ":,");
  if (*colon != ':' || ank_number_parse(low, start, (size_t)(colon - start)) != ANK_NUMBER ||
      ank_number_parse(high, colon + 1, (size_t)(end - colon - 1)) != ANK_NUMBER || !isfinite(*low) ||
      !isfinite(*high) || *low > *high)
    return ank_fail(err, ANORANK_ERROR_USAGE, "limits-form",
                    "limits: \"%s\" (number %zu) is not of the form low:high with two numbers, low at most "
                    "high",
                    ank_quote(quoted, start, (size_t)(end - start)), number);
  *text = *end == ',' ? end + 1 : end;
  if (*end == ',' && end[1] == '\0')
    return ank_fail(err, ANORANK_ERROR_USAGE, "limits-form", "limits: there is nothing after the last comma");
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

static anorank_status measure(ank_box_bounds *law, const anorank_table *data, size_t column, double pad,
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
  ank_box_bounds_range(law, column, low - grow, high + grow);
  return ANORANK_OK;
}

static anorank_status open_box(void **state, const anorank_table *data, const anorank_settings *settings,
                               anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const char *text = settings->limits;
  int limited = *text != '\0';
  size_t columns = 0;
  ank_box_bounds *law = NULL;
  *state = NULL;
  if (data) {
    columns = data->columns;
    if (limited) ANK_TRY(check_count(data, settings, err));
    if (!limited && data->rows == 0)
      ANK_FAIL(ANORANK_ERROR_DATA, "contrast-no-rows", "the data have no rows to draw around");
  } else {
    ANK_TRY(columns_box(&columns, settings, err));
  }
  ANK_TRY(ank_box_bounds_new(&law, columns, err));
  for (size_t j = 0, number = 1; j < columns; j++) {
    if (data && data->column[j].kind == ANORANK_CATEGORICAL) {
      size_t levels = 0;
      ANK_TRY(ank_column_levels(&levels, data, j, NAME, err));
      ank_box_bounds_levels(law, j, levels);
    } else if (limited) {
      double low = 0, high = 0;
      ANK_TRY(next_limit(&text, &low, &high, number++, err));
      ank_box_bounds_range(law, j, low, high);
    } else {
      ANK_TRY(measure(law, data, j, settings->pad, err));
    }
  }
  *state = law;
  law = NULL;
done:
  ank_box_bounds_free(law);
  return status;
}

const ank_law ank_law_box = {
    .info = {"box",
             "uniform on the range of each of the data's columns, or on limits, and over the levels of "
             "categories",
             "pad limits", 1},
    .open = open_box,
    .columns = columns_box,
    .draw = ank_box_bounds_draw,
    .free = ank_box_bounds_free,
};
