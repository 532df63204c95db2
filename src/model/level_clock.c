/* level_clock.c - see level_clock.h. */
#include "model/level_clock.h"

#include <math.h>

#include "core/alloc.h"

enum { LEVEL_ROWS = 20 }; /* fewest rows of a level, on average */

typedef struct steps {
  double *last;  /* of each level; NAN: not seen yet */
  double common; /* the step that more than half of the rows have, if there is one (Boyer and Moore 1991) */
  size_t lead, count, same;
} steps;

/* From each row to the next of its level. Returns 0 where the numbers do not rise. */
static int walk(steps *found, const ank_column *by, const double *number, size_t rows, int known) {
  for (size_t k = 0; k < by->levels.count; k++) found->last[k] = NAN;
  for (size_t i = 0; i < rows; i++) {
    int32_t code = by->codes[i];
    double step = code < 0 ? 0 : number[i] - found->last[code];
    if (code < 0 || !isfinite(number[i]) || step <= 0) return 0;
    found->last[code] = number[i];
    if (isnan(step)) continue; /* the first of its level */
    if (!known && found->lead == 0) found->common = step;
    int same = fabs(step - found->common) <= 1e-6 * found->common;
    if (!known) found->lead = same ? found->lead + 1 : found->lead - 1;
    found->count++;
    found->same += (size_t)same;
  }
  return 1;
}

static int rises_within(steps *found, const ank_column *by, const double *number, size_t rows) {
  *found = (steps){.last = found->last};
  if (!walk(found, by, number, rows, 0)) return 0;
  found->count = found->same = 0;
  return walk(found, by, number, rows, 1) && 2 * found->same > found->count;
}

anorank_status ank_level_clock(size_t *level, const anorank_table *table, size_t column, anorank_error *err) {
  steps found = {0};
  *level = SIZE_MAX;
  if (table->column[column].kind == ANORANK_CATEGORICAL) return ANORANK_OK;
  for (size_t j = 0; j < table->columns && *level == SIZE_MAX; j++) {
    const ank_column *by = &table->column[j];
    if (by->kind != ANORANK_CATEGORICAL || by->levels.count < 2 ||
        by->levels.count * LEVEL_ROWS > table->rows)
      continue;
    ank_free(found.last);
    found.last = NULL;
    ANK_CHECK(ank_alloc_raw(&found.last, by->levels.count, sizeof *found.last, err));
    if (rises_within(&found, by, table->column[column].numbers, table->rows)) *level = j;
  }
  ank_free(found.last);
  return ANORANK_OK;
}
