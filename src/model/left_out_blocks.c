/* left_out_blocks.c - see left_out_blocks.h. */
#include "model/left_out_blocks.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "model/dependence.h"

enum { GAP_SHARE = 4 }; /* a gap takes at most one in so many rows of an entity, on each side */

void ank_blocks_free(ank_blocks *blocks) {
  ank_sequences_free(&blocks->sequences);
  ank_free(blocks->part);
  ank_free(blocks->hidden);
  *blocks = (ank_blocks){0};
}

static anorank_status read_setting(ank_blocks *out, const anorank_settings *settings, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  const char *text = settings->exclusion;
  if (strcmp(text, "0") == 0) return ANORANK_OK;
  if (ank_context_parse_length(&out->gap, &out->gap_seconds, text) &&
      (!out->gap_seconds || out->sequences.moments))
    return ANORANK_OK;
  (void)ank_fail(err, ANORANK_ERROR_USAGE, "exclusion-value",
                 "exclusion is '%s'; give a number of rows such as 20, a duration such as 90s, 5min or 7d, "
                 "or 0 for none",
                 ank_quote(quoted, text, strlen(text)));
  ank_error_set_setting(err, "exclusion");
  return ANORANK_ERROR_USAGE;
}

anorank_status ank_blocks_plan(ank_blocks *out, const anorank_table *table, const ank_context *context,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_prepare *prepare = NULL;
  size_t reach;
  *out = (ank_blocks){0};
  if (!context && !*settings->exclusion) return ANORANK_OK;
  ANK_TRY(ank_context_sequences(&out->sequences, context, table, err));
  if (*settings->exclusion) {
    ANK_TRY(read_setting(out, settings, err));
    goto done;
  }
  /* Of a short history each row is needed to judge the others; under `clean` it is the p-values that need the zone. */
  if (settings->train == ANORANK_TRAIN_CONTAMINATED &&
      table->rows < ANK_BLOCKS_LONG_HISTORY * out->sequences.entities)
    goto done;
  ANK_TRY(ank_prepare_fit(&prepare, table, settings, err));
  ANK_TRY(ank_dependence_reach(&reach, table, prepare, &out->sequences, settings, err));
  out->gap = (double)reach;
done:
  ank_prepare_free(prepare);
  if (status != ANORANK_OK) ank_blocks_free(out);
  return status;
}

/* The part of the row at place r of m. */
static size_t part_at(size_t r, size_t m, size_t parts, double share) {
  if (share == 0) return r * parts / m;
  double place = 2 * ((double)r + 0.5) / (double)m, phase = place - floor(place);
  return fabs(phase - 0.5) < share / 2;
}

/* Hide the rows at the places from .. end - 1 of the order from the parts of rows near them. */
static void hide(ank_blocks *blocks, size_t from, size_t end) {
  const uint32_t *order = blocks->sequences.order + from;
  const double *time = blocks->gap_seconds ? blocks->sequences.time : NULL;
  size_t m = end - from, most = m / GAP_SHARE, first = 0, last = 0;
  size_t gap = time || blocks->gap > (double)most ? most : (size_t)blocks->gap;
  for (size_t r = 0; r < m; r++) {
    if (time) {
      while (time[order[r]] - time[order[first]] > blocks->gap) first++;
      while (last + 1 < m && time[order[last + 1]] - time[order[r]] <= blocks->gap) last++;
    }
    size_t low = r > gap ? r - gap : 0, high = r + gap < m ? r + gap : m - 1;
    if (time && first > low) low = first;
    if (time && last < high) high = last;
    for (size_t k = low; k <= high;) { /* parts are runs: one look at each */
      size_t part = blocks->part[order[k]];
      blocks->hidden[order[r]] |= (uint32_t)1 << part;
      while (k <= high && blocks->part[order[k]] == part) k++;
    }
  }
}

anorank_status ank_blocks_cut(ank_blocks *blocks, size_t parts, double share, anorank_error *err) {
  const ank_sequences *rows = &blocks->sequences;
  ANK_CHECK(ank_alloc(&blocks->part, rows->rows, sizeof *blocks->part, err));
  ANK_CHECK(ank_alloc(&blocks->hidden, rows->rows, sizeof *blocks->hidden, err));
  for (size_t from = 0, end; from < rows->rows; from = end) {
    for (end = from + 1;
         end < rows->rows && rows->entity[rows->order[end]] == rows->entity[rows->order[from]];)
      end++;
    for (size_t k = from; k < end; k++)
      blocks->part[rows->order[k]] = (unsigned char)part_at(k - from, end - from, parts, share);
    hide(blocks, from, end);
  }
  return ANORANK_OK;
}
