/* law_mixture.c - each row from one of several laws, chosen with chances in proportion to weights: "box:1,
 * jitter:3". A law without a weight has weight 1.
 *
 * The choice has a stream of its own, so it tells nothing about the row, and row i is what the law chosen for
 * it would draw there in the mixture's stream. A part that makes no use of data draws as if there were none,
 * if all columns are numeric. The log-density is NaN where a part has none, or where the parts' densities
 * belong to different measures (a slanting pca_box and a box). */
#include <math.h>
#include <string.h>

#include "contrast/law.h"
#include "core/alloc.h"
#include "core/number.h"

#define NAME ank_law_mixture.info.name
#define BLOCK 256 /* rows whose densities are added at a time */

typedef struct {
  const ank_law *law;
  void *state;
  double weight, up_to; /* share of this part; of this part and those before it */
} part;

typedef struct {
  part *parts;
  size_t count;
  int has_density;
} mixture;

/* Read "name:weight" and the comma after it. */
static anorank_status next_part(const char **text, part *out, anorank_error *err) {
  char name[64], quoted[ANK_QUOTE_SIZE];
  size_t length = strcspn(*text, ","), name_length = strcspn(*text, ":,");
  const char *start = *text, *stop = start + length;
  *out = (part){.weight = 1};
  if (name_length < length) {
    const char *weight = start + name_length + 1;
    if (ank_number_parse(&out->weight, weight, (size_t)(stop - weight)) != ANK_NUMBER || !(out->weight > 0) ||
        !isfinite(out->weight))
      return ank_fail(err, ANORANK_ERROR_USAGE, "mixture-form",
                      "mixture: \"%s\" is not of the form law:weight with a weight above 0",
                      ank_quote(quoted, start, length));
  }
  if (name_length >= sizeof name) name_length = sizeof name - 1;
  memcpy(name, start, name_length);
  name[name_length] = '\0';
  *text = *stop == ',' ? stop + 1 : stop;
  if (*stop == ',' && **text == '\0')
    return ank_fail(err, ANORANK_ERROR_USAGE, "mixture-form",
                    "mixture: there is nothing after the last comma");
  if (strcmp(name, NAME) == 0)
    return ank_fail(err, ANORANK_ERROR_USAGE, "mixture-form",
                    "mixture: a mixture cannot be part of a mixture");
  return ank_law_named(&out->law, name, err);
}

/* Columns without data: those of a part that knows its own, else settings->dim. */
static anorank_status columns_mixture(size_t *out, const anorank_settings *settings, anorank_error *err) {
  const char *text = settings->mixture;
  part p;
  *out = (size_t)settings->dim;
  do {
    anorank_status status = next_part(&text, &p, err);
    if (status != ANORANK_OK) return status;
    /* ank_law_named sets it or fails; the analyzer does not see that. NOLINTNEXTLINE */
    if (p.law->info.around_data == 2) return ank_law_needs_data(p.law, "", err);
    if (p.law->columns) return p.law->columns(out, settings, err); /* only box, once is enough */
  } while (*text);
  return ANORANK_OK;
}

static anorank_status open_part(part *p, const anorank_table *data, const anorank_settings *settings,
                                anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  /* NOLINTNEXTLINE: as above */
  if (p->law->info.around_data == 2 && !data) return ank_law_needs_data(p->law, "", err);
  if (p->law->info.around_data > 0) return p->law->open(&p->state, data, settings, err);
  for (size_t j = 0; data && j < data->columns; j++)
    if (data->column[j].kind == ANORANK_CATEGORICAL)
      return ank_fail(
          err, ANORANK_ERROR_DATA, "law-needs-numbers",
          "the law '%s' needs numbers, but column '%s' is categorical; leave it out of the data or "
          "the law out of the mixture",
          p->law->info.name, ank_column_quote(quoted, data, j));
  return p->law->open(&p->state, NULL, settings, err);
}

/* Whether all parts have densities, with respect to one measure. */
static int densities_agree(const mixture *law, const anorank_table *data, size_t columns) {
  for (size_t p = 0; p < law->count; p++)
    if (!law->parts[p].law->log_density) return 0;
  for (size_t j = 0; j < columns; j++) {
    if (data && data->column[j].kind == ANORANK_CATEGORICAL) continue;
    ank_spreads first = law->parts[0].law->spreads(law->parts[0].state, j);
    if (first == ANK_SPREADS_BOUND && law->count > 1) return 0;
    for (size_t p = 1; p < law->count; p++)
      if (law->parts[p].law->spreads(law->parts[p].state, j) != first) return 0;
  }
  return 1;
}

static void free_mixture(void *state) {
  mixture *law = state;
  if (!law) return;
  for (size_t p = 0; p < law->count; p++)
    if (law->parts[p].state) law->parts[p].law->free(law->parts[p].state);
  ank_free(law->parts);
  ank_free(law);
}

static anorank_status open_mixture(void **state, const anorank_table *data, const anorank_settings *settings,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const char *text = settings->mixture;
  mixture *law = NULL;
  anorank_settings inner = *settings;
  size_t columns = 0, most = 1;
  double total = 0, largest = 0, sum = 0;
  *state = NULL;
  if (data)
    columns = data->columns;
  else
    ANK_TRY(columns_mixture(&columns, settings, err));
  inner.dim = (int64_t)columns;
  for (const char *c = text; *c; c++) most += *c == ',';
  ANK_TRY(ank_alloc(&law, 1, sizeof *law, err));
  ANK_TRY(ank_alloc(&law->parts, most, sizeof *law->parts, err));
  do {
    part p;
    ANK_TRY(next_part(&text, &p, err));
    law->parts[law->count++] = p;
    ANK_TRY(open_part(&law->parts[law->count - 1], data, &inner, err));
    largest = fmax(largest, p.weight);
  } while (*text);
  for (size_t p = 0; p < law->count; p++) total += law->parts[p].weight / largest;
  for (size_t p = 0; p < law->count; p++) {
    law->parts[p].weight = law->parts[p].weight / largest / total;
    law->parts[p].up_to = sum += law->parts[p].weight;
  }
  law->has_density = densities_agree(law, data, columns);
  *state = law;
  law = NULL;
done:
  free_mixture(law);
  return status;
}

static const part *choose(const mixture *law, const ank_draw *draw, size_t i) {
  ank_rng rng;
  size_t p = 0;
  ank_rng_open(&rng, draw->seed, ANK_STREAM_MIXTURE, draw->index + i);
  double u = ank_rng_uniform(&rng);
  while (p + 1 < law->count && u >= law->parts[p].up_to) p++;
  return &law->parts[p];
}

/* Rows of one part that follow each other are drawn by one call. */
static anorank_status draw_mixture(const void *state, const ank_draw *draw, anorank_error *err) {
  const mixture *law = state;
  for (size_t i = 0; i < draw->count;) {
    const part *chosen = choose(law, draw, i);
    ank_draw run = *draw;
    run.first += i;
    run.index += i;
    for (run.count = 1; i + run.count < draw->count; run.count++)
      if (choose(law, draw, i + run.count) != chosen) break;
    anorank_status status = chosen->law->draw(chosen->state, &run, err);
    if (status != ANORANK_OK) return status;
    i += run.count;
  }
  return ANORANK_OK;
}

static double add_logs(double a, double b) {
  double top = a > b ? a : b, rest = a > b ? b : a;
  return isinf(top) ? top : top + log1p(exp(rest - top));
}

static void log_density_mixture(const void *state, const anorank_table *rows, size_t first, size_t count,
                                double *out) {
  const mixture *law = state;
  for (size_t i = 0; i < count; i++) out[i] = law->has_density ? -INFINITY : NAN;
  for (size_t start = 0; law->has_density && start < count; start += BLOCK) {
    double density[BLOCK];
    size_t here = count - start < BLOCK ? count - start : BLOCK;
    for (size_t p = 0; p < law->count; p++) {
      law->parts[p].law->log_density(law->parts[p].state, rows, first + start, here, density);
      for (size_t i = 0; i < here; i++)
        out[start + i] = add_logs(out[start + i], log(law->parts[p].weight) + density[i]);
    }
  }
}

static ank_spreads spreads_mixture(const void *state, size_t column) {
  const mixture *law = state;
  if (!law->has_density) return ANK_SPREADS_BOUND;
  return law->parts[0].law->spreads(law->parts[0].state, column);
}

const ank_law ank_law_mixture = {
    .info = {"mixture", "each row from one of several laws, chosen with given weights",
             "mixture dim sigma alpha beta epsilon radius pad limits jitter-from jitter-to", 1},
    .open = open_mixture,
    .columns = columns_mixture,
    .draw = draw_mixture,
    .log_density = log_density_mixture,
    .spreads = spreads_mixture,
    .free = free_mixture,
};
