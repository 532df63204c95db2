/* encoding.c - see encoding.h. */
#include "scorers/encoding.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/method_constants.h"
#include "core/settings.h"
#include "kernels/normal.h"
#include "kernels/sort.h"

enum { MOST_DIM = 1 << 20, MOST_KNOTS = 1 << 24, PLAIN = 1, SCORED = 3, WAVES = 3 + 2 * ANK_ENCODING_WAVES };

#define FARTHEST 1e100 /* keeps inputs finite */

void ank_encoding_free(ank_encoding *encoding) {
  if (!encoding) return;
  for (size_t j = 0; encoding->feature && j < encoding->dim; j++) {
    ank_free(encoding->feature[j].at);
    ank_free(encoding->feature[j].normal);
    ank_free(encoding->feature[j].surprise);
    ank_free(encoding->feature[j].left_out);
  }
  ank_free(encoding->feature);
  ank_free(encoding);
}

/* ---- learning ---------------------------------------------------------------------------------------- */

/* The values of a feature, sorted, and how often each occurs. */
typedef struct {
  double *values; /* all values, then the distinct ones at the front */
  size_t *counts;
  size_t *ranks; /* by_rank[k]: rows whose count without themselves is at most k */
  size_t rows, distinct;
} tally;

static void tally_free(tally *t) {
  ank_free(t->values);
  ank_free(t->counts);
  ank_free(t->ranks);
}

static anorank_status tally_make(tally *t, const ank_matrix *x, size_t j, anorank_error *err) {
  anorank_settings alone = *ank_settings_defaults();
  alone.threads = 1;
  *t = (tally){.rows = x->rows};
  ANK_CHECK(ank_alloc_raw(&t->values, x->rows, sizeof *t->values, err));
  ANK_CHECK(ank_alloc_raw(&t->counts, x->rows, sizeof *t->counts, err));
  ANK_CHECK(ank_alloc(&t->ranks, x->rows, sizeof *t->ranks, err));
  for (size_t i = 0; i < x->rows; i++) t->values[i] = x->values[i * x->dim + j] + 0.0; /* -0 equals 0 */
  ANK_CHECK(ank_sort(t->values, x->rows, &alone, err));
  for (size_t i = 0; i < x->rows; i++) {
    if (i == 0 || t->values[i] != t->values[t->distinct - 1]) {
      t->values[t->distinct] = t->values[i];
      t->counts[t->distinct++] = 0;
    }
    t->counts[t->distinct - 1]++;
  }
  for (size_t k = 0; k < t->distinct; k++) t->ranks[t->counts[k] - 1] += t->counts[k];
  for (size_t k = 1; k < x->rows; k++) t->ranks[k] += t->ranks[k - 1];
  return ANORANK_OK;
}

static void measure(ank_encoded_feature *f, const tally *t) {
  double sum = 0, squares = 0, n = (double)t->rows;
  for (size_t k = 0; k < t->distinct; k++) sum += (double)t->counts[k] / n * t->values[k];
  for (size_t k = 0; k < t->distinct; k++) {
    double off = t->values[k] - sum;
    squares += (double)t->counts[k] / n * off * off;
  }
  f->mean = sum;
  f->sd = squares > 0 && isfinite(squares) ? sqrt(squares) : 1;
}

static double surprise_of(const tally *t, size_t count) {
  return -log((1 + (double)t->ranks[count < t->rows ? count : t->rows - 1]) / ((double)t->rows + 1));
}

static int are_tokens(const tally *t) {
  size_t alone = 0;
  for (size_t k = 0; k < t->distinct; k++) alone += t->counts[k] == 1;
  return t->distinct > 1 && (double)(t->rows - alone) >= ANK_TOKEN_REPEAT * (double)t->rows;
}

static anorank_status learn_number(ank_encoded_feature *f, const tally *t, anorank_error *err) {
  int tokens = are_tokens(t);
  size_t knots = tokens || t->distinct < ANK_ENCODING_KNOTS ? t->distinct : ANK_ENCODING_KNOTS;
  size_t passed = 0, k = 0;
  measure(f, t);
  f->knots = knots;
  ANK_CHECK(ank_alloc_raw(&f->at, knots, sizeof *f->at, err));
  ANK_CHECK(ank_alloc_raw(&f->normal, knots, sizeof *f->normal, err));
  if (tokens) ANK_CHECK(ank_alloc_raw(&f->surprise, knots, sizeof *f->surprise, err));
  if (tokens) ANK_CHECK(ank_alloc_raw(&f->left_out, knots, sizeof *f->left_out, err));
  for (size_t i = 0; i < t->distinct; i++) {
    double rank = ((double)passed + (double)t->counts[i] / 2) / (double)t->rows;
    passed += t->counts[i];
    if (knots < t->distinct && i != k * (t->distinct - 1) / (knots - 1)) continue;
    f->at[k] = t->values[i];
    f->normal[k] = ank_normal_quantile(fmax(ANK_ENCODING_TAIL, fmin(1 - ANK_ENCODING_TAIL, rank)));
    if (tokens) {
      f->surprise[k] = surprise_of(t, t->counts[i]);
      f->left_out[k] = surprise_of(t, t->counts[i] - 1);
    }
    k++;
  }
  f->unseen = tokens ? surprise_of(t, 0) : 0;
  return ANORANK_OK;
}

static void count_inputs(ank_encoding *encoding) {
  encoding->inputs = 0;
  for (size_t j = 0; j < encoding->dim; j++)
    encoding->inputs += encoding->feature[j].is_number ? encoding->each : 1;
}

anorank_status ank_encoding_learn(ank_encoding **out, const ank_samples *samples, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_matrix *x = &samples->x;
  ank_encoding *encoding = NULL;
  tally t = {0};
  *out = NULL;
  ANK_TRY(ank_alloc(&encoding, 1, sizeof *encoding, err));
  ANK_TRY(ank_alloc(&encoding->feature, x->dim, sizeof *encoding->feature, err));
  encoding->dim = x->dim;
  for (size_t j = 0; j < x->dim; j++) {
    if (samples->as_given && samples->as_given[j]) continue;
    encoding->feature[j].is_number = 1;
    ANK_TRY(tally_make(&t, x, j, err));
    ANK_TRY(learn_number(&encoding->feature[j], &t, err));
    tally_free(&t);
    t = (tally){0};
  }
  static const size_t each[] = {WAVES, SCORED, PLAIN};
  for (size_t k = 0; k < sizeof each / sizeof each[0]; k++) {
    encoding->each = each[k];
    count_inputs(encoding);
    if (encoding->inputs <= ANK_ENCODING_MOST) break;
  }
  ANK_HAND_OVER(out, encoding);
done:
  tally_free(&t);
  ank_encoding_free(encoding);
  return status;
}

/* ---- encoding ---------------------------------------------------------------------------------------- */

/* Return the first knot at or above x; `knots` if there is none. */
static size_t find_knot(const ank_encoded_feature *f, double x) {
  size_t from = 0, count = f->knots;
  while (count > 0) {
    size_t half = count / 2;
    int below = f->at[from + half] < x;
    from = below ? from + half + 1 : from;
    count = below ? count - half - 1 : half;
  }
  return from;
}

/* Return log(1 + distance), in standard deviations. */
static double tail(const ank_encoded_feature *f, double distance) {
  return log1p(fmin(distance / f->sd, FARTHEST));
}

static double normal_score(const ank_encoded_feature *f, double x, size_t k) {
  if (k == f->knots) return f->normal[k - 1] + tail(f, x - f->at[k - 1]);
  if (k == 0) return f->normal[0] - tail(f, f->at[0] - x);
  double share = (x - f->at[k - 1]) / (f->at[k] - f->at[k - 1]);
  return f->normal[k - 1] + share * (f->normal[k] - f->normal[k - 1]);
}

static void encode_number(double *to, const ank_encoded_feature *f, double x, size_t each, int leave_out) {
  const double quarter = acos(-1.0) / 4;
  to[0] = copysign(tail(f, fabs(x - f->mean)), x - f->mean);
  if (each == PLAIN) return;
  size_t k = find_knot(f, x);
  double v = to[1] = normal_score(f, x, k);
  to[2] = !f->surprise                        ? 0
          : k == f->knots || !(f->at[k] <= x) ? f->unseen / 2
          : leave_out && f->left_out          ? f->left_out[k] / 2
                                              : f->surprise[k] / 2;
  if (each == SCORED) return;
  double s = sin(v * quarter), c = cos(v * quarter);
  for (size_t w = 0; w < ANK_ENCODING_WAVES; w++) {
    to[3 + 2 * w] = s;
    to[4 + 2 * w] = c;
    double twice = 2 * s * c; /* the doubled angle */
    c = c * c - s * s;
    s = twice;
  }
}

void ank_encode(double *inputs, const ank_encoding *encoding, const double *row, int leave_out) {
  for (size_t j = 0; j < encoding->dim; j++) {
    const ank_encoded_feature *f = &encoding->feature[j];
    if (f->is_number)
      encode_number(inputs, f, row[j], encoding->each, leave_out);
    else
      inputs[0] = row[j];
    inputs += f->is_number ? encoding->each : 1;
  }
}

/* ---- memory and files -------------------------------------------------------------------------------- */

size_t ank_encoding_bytes(const ank_encoding *encoding) {
  size_t bytes = sizeof *encoding + encoding->dim * sizeof *encoding->feature;
  for (size_t j = 0; j < encoding->dim; j++) {
    const ank_encoded_feature *f = &encoding->feature[j];
    bytes += f->knots * sizeof(double) * (size_t)(2 + (f->surprise != NULL) + (f->left_out != NULL));
  }
  return bytes;
}

anorank_status ank_encoding_save(const ank_encoding *encoding, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, encoding->dim, err));
  ANK_CHECK(ank_bytes_put_u64(out, encoding->each, err));
  for (size_t j = 0; j < encoding->dim; j++) {
    const ank_encoded_feature *f = &encoding->feature[j];
    ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)(f->is_number ? f->surprise ? 2 : 1 : 0), err));
    if (!f->is_number) continue;
    ANK_CHECK(ank_bytes_put_f64(out, f->mean, err));
    ANK_CHECK(ank_bytes_put_f64(out, f->sd, err));
    ANK_CHECK(ank_bytes_put_f64(out, f->unseen, err));
    ANK_CHECK(ank_bytes_put_f64s(out, f->at, f->knots, err));
    ANK_CHECK(ank_bytes_put_f64s(out, f->normal, f->knots, err));
    if (f->surprise) ANK_CHECK(ank_bytes_put_f64s(out, f->surprise, f->knots, err));
  }
  return ANORANK_OK;
}

static anorank_status damaged(anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_MODEL, "model-network",
                  "the model is damaged: a column of its network is invalid");
}

static int all_finite(const double *values, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (!isfinite(values[k])) return 0;
  return 1;
}

static anorank_status load_values(double **out, size_t knots, ank_cursor *in, anorank_error *err) {
  size_t count;
  ANK_CHECK(ank_cursor_f64s(in, out, &count, err));
  return count == knots && all_finite(*out, count) ? ANORANK_OK : damaged(err);
}

static anorank_status load_feature(ank_encoded_feature *f, ank_cursor *in, anorank_error *err) {
  size_t kind;
  ANK_CHECK(ank_cursor_size(in, &kind, 0, 2, "the kind of a column", err));
  if (kind == 0) return ANORANK_OK;
  f->is_number = 1;
  ANK_CHECK(ank_cursor_f64(in, &f->mean, err));
  ANK_CHECK(ank_cursor_f64(in, &f->sd, err));
  ANK_CHECK(ank_cursor_f64(in, &f->unseen, err));
  if (!isfinite(f->mean) || !(f->sd > 0) || !isfinite(f->unseen)) return damaged(err);
  ANK_CHECK(ank_cursor_f64s(in, &f->at, &f->knots, err));
  if (f->knots < 1 || !all_finite(f->at, f->knots)) return damaged(err);
  for (size_t k = 1; k < f->knots; k++)
    if (!(f->at[k] > f->at[k - 1])) return damaged(err);
  ANK_CHECK(load_values(&f->normal, f->knots, in, err));
  return kind == 2 ? load_values(&f->surprise, f->knots, in, err) : ANORANK_OK;
}

anorank_status ank_encoding_load(ank_encoding **out, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_encoding *encoding = NULL;
  size_t dim;
  *out = NULL;
  ANK_TRY(ank_alloc(&encoding, 1, sizeof *encoding, err));
  ANK_TRY(ank_cursor_size(in, &dim, 1, MOST_DIM, "the number of columns", err));
  ANK_TRY(ank_cursor_size(in, &encoding->each, PLAIN, WAVES, "the inputs of a column", err));
  if (encoding->each != PLAIN && encoding->each != SCORED && encoding->each != WAVES) {
    status = damaged(err);
    goto done;
  }
  if (dim > (in->length - in->at) / sizeof(uint64_t)) {
    status = damaged(err);
    goto done;
  }
  ANK_TRY(ank_alloc(&encoding->feature, dim, sizeof *encoding->feature, err));
  encoding->dim = dim;
  for (size_t j = 0; j < dim; j++) ANK_TRY(load_feature(&encoding->feature[j], in, err));
  count_inputs(encoding);
  ANK_HAND_OVER(out, encoding);
done:
  ank_encoding_free(encoding);
  return status;
}
