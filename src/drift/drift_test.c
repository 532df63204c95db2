/* drift_test.c - the two-sample test: a scorer fitted on one half, W_phi on the other.
 *
 * Two classes learn, on one half of the rows of both tables, to rank old rows above new ones: rankboost,
 * which detects changes of single columns, and trees, which detects changes of their dependence. On the other
 * half each row has three scores: its two ranks, and their sum. The statistic is the largest standardised
 * W_phi over these and all phi. mww weighs the whole order, others its ends, where a few new rows unlike all
 * old ones lie. If both tables have the same distribution, every choice of the old rows in the second half is
 * equally likely, whatever the first half taught. So the share of random choices with a statistic as large is
 * a p-value, exact for any number of rows. */
#include <math.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "criterion/area.h"
#include "criterion/phi.h"
#include "criterion/rankstat.h"
#include "drift/drift.h"
#include "kernels/sort.h"
#include "scorers/scorer.h"

enum {
  CLASSES = 2,
  LOOKS = (1 + CLASSES) * ANK_PHI_COUNT, /* the sum and each class, by every phi */
  TREES = 200,
  BATCH = 32,             /* permutations of one chunk of work */
  MOST_IMPORTANT = 50,    /* columns whose importance is computed */
  IMPORTANCE_ROWS = 2000, /* and the number of rows for it */
  FIRST_PERMUTATION = 16, /* smaller numbers are for drawing rows */
};
static const uint64_t first_importance = (uint64_t)1 << 40;

typedef struct learned {
  const ank_scorer_class *type[CLASSES];
  void *scorer[CLASSES];
} learned;

static void forget(learned *pair) {
  for (size_t c = 0; c < CLASSES; c++)
    if (pair->scorer[c]) pair->type[c]->free(pair->scorer[c]);
}

static anorank_status learn(learned *out, const ank_matrix *old_rows, const ank_matrix *new_rows,
                            const anorank_settings *settings, anorank_error *err) {
  const ank_samples samples = {*old_rows, *new_rows, NULL, {0}, NULL, 0, NULL};
  anorank_settings own;
  *out = (learned){{&ank_scorer_rankboost, &ank_scorer_trees}, {NULL, NULL}};
  ank_settings_default(&own);
  own.seed = settings->seed;
  own.threads = settings->threads;
  own.trees = TREES;
  for (size_t c = 0; c < CLASSES; c++)
    ANK_CHECK(ank_scorer_fit(&out->scorer[c], out->type[c], &samples, &own, err));
  return ANORANK_OK;
}

/* Compute the sum of a row's ranks among the given rows, by both classes; the ranks by each, in sequence, in
 * `each`, which may be NULL. */
static anorank_status score(double *out, double *each, const learned *pair, const ank_matrix *rows,
                            const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *scores = NULL;
  size_t n = rows->rows;
  ANK_TRY(ank_alloc_raw(&scores, 2 * n, sizeof *scores, err));
  for (size_t i = 0; i < n; i++) out[i] = 0;
  for (size_t c = 0; c < CLASSES; c++) {
    double *ranks = each ? each + c * n : scores + n;
    ANK_TRY(ank_score(scores, pair->type[c], pair->scorer[c], rows, settings, err));
    ANK_TRY(ank_rank(ranks, scores, n, ANORANK_TIES_MID, settings, err));
    for (size_t i = 0; i < n; i++) out[i] += ranks[i];
  }
done:
  ank_free(scores);
  return status;
}

/* ---- the test ---------------------------------------------------------------------------------------- */

typedef struct permuting {
  const double *value; /* of each row by each phi, standardised: rows x LOOKS */
  size_t rows, old_count, permutations;
  double observed;
  uint64_t seed;
  size_t *reached; /* per chunk: number of statistics as large as the observed one */
} permuting;

static double statistic(const permuting *job, const unsigned char *labels, size_t *which) {
  double sum[LOOKS] = {0}, best = -INFINITY;
  for (size_t i = 0; i < job->rows; i++)
    if (labels[i])
      for (size_t k = 0; k < LOOKS; k++) sum[k] += job->value[i * LOOKS + k];
  for (size_t k = 0; k < LOOKS; k++)
    if (sum[k] > best) {
      best = sum[k];
      if (which) *which = k;
    }
  return best;
}

static anorank_status permute(void *context, size_t chunk, anorank_error *err) {
  permuting *job = context;
  unsigned char *labels = NULL;
  anorank_status status = ank_alloc_raw(&labels, job->rows, 1, err);
  size_t from = chunk * BATCH, to = from + BATCH < job->permutations ? from + BATCH : job->permutations;
  for (size_t b = from; status == ANORANK_OK && b < to; b++) {
    ank_drift_shuffle(labels, job->old_count, job->rows, job->seed, FIRST_PERMUTATION + b);
    /* A sum in another order differs by rounding: equal statistics must count as equal. */
    job->reached[chunk] += statistic(job, labels, NULL) >= job->observed - 1e-9;
  }
  ank_free(labels);
  return status;
}

/* Compute the contribution of each row to W_phi of one of its scores, standardised under the null; 0 if phi
 * cannot distinguish any rows. */
static anorank_status standardise(double *value, const double *scores, size_t n, size_t old_count,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint32_t *order = NULL;
  ANK_TRY(ank_alloc_raw(&order, n, sizeof *order, err));
  ANK_TRY(ank_argsort(order, scores, n, settings, err));
  for (size_t k = 0; k < ANK_PHI_COUNT; k++) {
    const ank_phi *phi = ank_phi_at(k);
    double mean = 0, squares = 0;
    for (size_t from = 0, to; from < n; from = to) {
      for (to = from + 1; to < n && scores[order[to]] == scores[order[from]]; to++) continue;
      double a = ank_phi_of_ties(phi, ank_phi_parameter(phi, settings), from, to - from, n, ANORANK_TIES_MID);
      for (size_t i = from; i < to; i++) value[order[i] * LOOKS + k] = a;
      mean += a * (double)(to - from) / (double)n;
    }
    for (size_t i = 0; i < n; i++) squares += pow(value[i * LOOKS + k] - mean, 2);
    double x = (double)old_count, total = (double)n,
           variance = x * (total - x) / (total * (total - 1)) * squares;
    double scale = variance > 1e-12 ? 1 / sqrt(variance) : 0;
    for (size_t i = 0; i < n; i++) value[i * LOOKS + k] = scale * (value[i * LOOKS + k] - mean);
  }
done:
  ank_free(order);
  return status;
}

static anorank_status test_scores(anorank_drift *drift, const double *scores, size_t n, size_t old_count,
                                  const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *value = NULL;
  unsigned char *labels = NULL;
  size_t chunks = ((size_t)settings->permutations + BATCH - 1) / BATCH, reached = 0, which = 0;
  permuting job = {.rows = n,
                   .old_count = old_count,
                   .permutations = (size_t)settings->permutations,
                   .seed = settings->seed};
  ANK_TRY(ank_alloc_raw(&value, n * LOOKS, sizeof *value, err));
  ANK_TRY(ank_alloc(&labels, n, 1, err));
  ANK_TRY(ank_alloc(&job.reached, chunks, sizeof *job.reached, err));
  for (size_t c = 0; c <= CLASSES; c++)
    ANK_TRY(standardise(value + c * ANK_PHI_COUNT, scores + c * n, n, old_count, settings, err));
  job.value = value;
  for (size_t i = 0; i < old_count; i++) labels[i] = 1;
  job.observed = statistic(&job, labels, &which);
  ANK_TRY(ank_parallel(settings, chunks, permute, &job, err));
  for (size_t c = 0; c < chunks; c++) reached += job.reached[c];
  drift->joint_p_value = (double)(1 + reached) / (double)(1 + job.permutations);
  drift->phi = ank_phi_at(which % ANK_PHI_COUNT)->info.name;
done:
  ank_free(value);
  ank_free(labels);
  ank_free(job.reached);
  return status;
}

/* Compute P(an old row scores above a new one), ties counted half. */
static anorank_status separation(anorank_interval *out, const double *scores, size_t n, size_t old_count,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_pooled pooled = {0};
  ank_pairs pairs;
  ANK_TRY(ank_pooled_make(&pooled, scores, old_count, "old row", scores + old_count, n - old_count, "new row",
                          settings, err));
  ANK_TRY(ank_rankstat(NULL, &pairs, &pooled, settings, err));
  anorank_interval area = ank_area(&pairs, old_count, n - old_count, settings->level);
  *out = (anorank_interval){1 - area.estimate, area.sd, 1 - area.high, 1 - area.low};
done:
  ank_pooled_free(&pooled);
  return status;
}

/* ---- importance -------------------------------------------------------------------------------------- */

static void shuffle_features(double *rows, const double *from, size_t n, size_t dim,
                             const anorank_model_column *column, size_t *places, ank_rng *rng) {
  for (size_t i = 0; i < n; i++) places[i] = i;
  ank_rng_shuffle(rng, places, n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = column->first_feature; j < column->first_feature + column->features; j++)
      rows[i * dim + j] = from[places[i] * dim + j];
}

/* Compute the loss of separation when the cells of a column are permuted. */
static anorank_status weigh_columns(anorank_drift *drift, const learned *pair, const ank_prepare *prepare,
                                    const double *rows, size_t n, size_t old_count, size_t dim,
                                    const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *shuffled = NULL, *scores = NULL;
  size_t *places = NULL;
  anorank_interval whole, without;
  const ank_matrix given = {rows, n, dim};
  ANK_TRY(ank_alloc_raw(&shuffled, n * dim, sizeof *shuffled, err));
  ANK_TRY(ank_alloc_raw(&scores, n, sizeof *scores, err));
  ANK_TRY(ank_alloc_raw(&places, n, sizeof *places, err));
  ANK_TRY(score(scores, NULL, pair, &given, settings, err));
  ANK_TRY(separation(&whole, scores, n, old_count, settings, err));
  for (size_t i = 0; i < n * dim; i++) shuffled[i] = rows[i];
  for (size_t k = 0; k < drift->columns && k < MOST_IMPORTANT; k++) {
    anorank_model_column column = ank_prepare_column(prepare, drift->column[k].place);
    const ank_matrix changed = {shuffled, n, dim};
    ank_rng rng;
    ank_rng_open(&rng, settings->seed, ANK_STREAM_DRIFT, first_importance + k);
    shuffle_features(shuffled, rows, n, dim, &column, places, &rng);
    ANK_TRY(score(scores, NULL, pair, &changed, settings, err));
    ANK_TRY(separation(&without, scores, n, old_count, settings, err));
    drift->column[k].importance = whole.estimate - without.estimate;
    for (size_t i = 0; i < n; i++)
      for (size_t j = column.first_feature; j < column.first_feature + column.features; j++)
        shuffled[i * dim + j] = rows[i * dim + j];
    ANK_TRY(
        ank_progress(settings, 0.8 + 0.2 * (double)k / (double)drift->columns, "weighing the columns", err));
  }
done:
  ank_free(shuffled);
  ank_free(scores);
  ank_free(places);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

anorank_status ank_drift_test(anorank_drift *drift, const ank_prepare *prepare,
                              const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_table *both = drift->rows_of_both;
  size_t dim = ank_prepare_dim(prepare), n = both->rows, first_new = drift->drawn[ANK_OLD];
  size_t taught[2] = {drift->drawn[ANK_OLD] / 2, drift->drawn[ANK_NEW] / 2};
  size_t left[2] = {drift->drawn[ANK_OLD] - taught[ANK_OLD], drift->drawn[ANK_NEW] - taught[ANK_NEW]};
  double *features = NULL, *tested = NULL, *scores = NULL;
  ank_match *match = NULL;
  learned pair = {{NULL}, {NULL}};
  ANK_TRY(ank_alloc_raw(&features, n * dim, sizeof *features, err));
  ANK_TRY(ank_match_make(&match, prepare, both, err));
  ANK_TRY(ank_match_update(match, both, 0, err));
  ANK_TRY(ank_prepare_rows(features, prepare, match, both, 0, n, err));
  ANK_TRY(ank_progress(settings, 0.4, "learning to tell the rows apart", err));
  const ank_matrix old_rows = {features, taught[ANK_OLD], dim},
                   new_rows = {features + first_new * dim, taught[ANK_NEW], dim};
  ANK_TRY(learn(&pair, &old_rows, &new_rows, settings, err));
  ANK_TRY(ank_progress(settings, 0.6, "testing", err));
  ANK_TRY(ank_alloc_raw(&tested, (left[ANK_OLD] + left[ANK_NEW]) * dim, sizeof *tested, err));
  ANK_TRY(ank_alloc_raw(&scores, (1 + CLASSES) * (left[ANK_OLD] + left[ANK_NEW]), sizeof *scores, err));
  for (size_t i = 0; i < left[ANK_OLD] * dim; i++) tested[i] = features[taught[ANK_OLD] * dim + i];
  for (size_t i = 0; i < left[ANK_NEW] * dim; i++)
    tested[left[ANK_OLD] * dim + i] = features[(first_new + taught[ANK_NEW]) * dim + i];
  const ank_matrix judged = {tested, left[ANK_OLD] + left[ANK_NEW], dim};
  ANK_TRY(score(scores, scores + judged.rows, &pair, &judged, settings, err));
  ANK_TRY(test_scores(drift, scores, judged.rows, left[ANK_OLD], settings, err));
  ANK_TRY(separation(&drift->separation, scores, judged.rows, left[ANK_OLD], settings, err));
  ANK_TRY(ank_progress(settings, 0.8, "weighing the columns", err));
  /* The last old and the first new rows are adjacent. */
  size_t few[2] = {left[ANK_OLD] < IMPORTANCE_ROWS / 2 ? left[ANK_OLD] : IMPORTANCE_ROWS / 2,
                   left[ANK_NEW] < IMPORTANCE_ROWS / 2 ? left[ANK_NEW] : IMPORTANCE_ROWS / 2};
  ANK_TRY(weigh_columns(drift, &pair, prepare, tested + (left[ANK_OLD] - few[ANK_OLD]) * dim,
                        few[ANK_OLD] + few[ANK_NEW], few[ANK_OLD], dim, settings, err));
done:
  forget(&pair);
  ank_match_free(match);
  ank_free(features);
  ank_free(tested);
  ank_free(scores);
  return status;
}
