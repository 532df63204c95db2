/* Scores on the scale of their entities. */
#include "model/entity_scale.h"

#include <math.h>
#include <stdlib.h>

#include "core/rng.h"
#include "support/check.h"

enum { ENTITIES = 20, EACH = 200, ROWS = ENTITIES * EACH, PARTS = 5 };

typedef struct made {
  double scores[ROWS];
  size_t rows[ROWS];
  uint32_t order[ROWS], entity[ROWS];
  unsigned char part[ROWS];
  ank_sequences sequences;
  ank_score_scale own[ENTITIES + 1]; /* the last: an entity that is not known */
} made;

/* Entity e has scores of mean `means` e and of a spread that goes from 1 to `ratio`. */
static made *make(double means, double ratio) {
  made *out = test_memory(sizeof *out);
  ank_rng rng;
  ank_rng_open(&rng, 5, 77, 0);
  for (size_t i = 0; i < ROWS; i++) {
    size_t e = i / EACH;
    out->scores[i] = means * (double)e + pow(ratio, (double)e / (ENTITIES - 1)) * ank_rng_normal(&rng);
    out->rows[i] = i;
    out->order[i] = (uint32_t)i;
    out->entity[i] = (uint32_t)e;
    out->part[i] = (unsigned char)(i % EACH * PARTS / EACH);
  }
  out->sequences =
      (ank_sequences){.rows = ROWS, .entities = ENTITIES, .order = out->order, .entity = out->entity};
  return out;
}

static ank_entity_scale scale_of(made *rows) {
  ank_entity_scale scale;
  assert_ok(ank_entity_scale_fit(&scale, rows->scores, rows->rows, ROWS, &rows->sequences, rows->part,
                                 rows->own, NULL));
  return scale;
}

/* Mean and standard deviation of the scores of an entity. */
static void look_at(double *mean, double *deviation, const made *rows, size_t e) {
  double sum = 0, squares = 0;
  for (size_t i = e * EACH; i < (e + 1) * EACH; i++)
    sum += rows->scores[i], squares += rows->scores[i] * rows->scores[i];
  *mean = sum / EACH;
  *deviation = sqrt(squares / EACH - *mean * *mean);
}

TEST(entities_that_are_alike_are_left_alike) {
  made *rows = make(0, 1);
  ank_entity_scale scale = scale_of(rows);
  for (size_t e = 0; e < ENTITIES; e++) {
    assert_true(fabs(scale.shift + (double)rows->own[e].shift) < 0.1);
    assert_true(fabs(scale.stretch + (double)rows->own[e].stretch) < 0.1);
  }
}

TEST(entities_of_different_means_and_spreads_come_to_one_scale) {
  made *rows = make(3, 4);
  ank_entity_scale scale = scale_of(rows);
  double mean, deviation, least = INFINITY, most = 0;
  for (size_t e = 0; e < ENTITIES; e++) {
    look_at(&mean, &deviation, rows, e);
    assert_true(fabs(mean - scale.centre) < 0.6);
    least = fmin(least, deviation);
    most = fmax(most, deviation);
    /* a new row that is as low for its entity is as low */
    double low = 3 * (double)e - 2 * pow(4, (double)e / (ENTITIES - 1));
    assert_true(fabs(ank_entity_scaled(&scale, low, rows->own[e]) -
                     ank_entity_scaled(&scale, -2, rows->own[0])) < 1.5);
  }
  assert_true(most / least < 1.5); /* from a factor of 4 */
}

TEST(a_scaled_score_rises_with_the_score) {
  made *rows = make(3, 4);
  ank_entity_scale scale = scale_of(rows);
  for (uint32_t e = 0; e <= ENTITIES; e++)
    assert_true(ank_entity_scaled(&scale, -1, rows->own[e]) < ank_entity_scaled(&scale, 1, rows->own[e]));
}

TEST(scores_of_few_entities_stay_as_they_are) {
  made *rows = make(3, 4);
  ank_entity_scale scale;
  rows->sequences.entities = 4;
  assert_ok(ank_entity_scale_fit(&scale, rows->scores, rows->rows, 4 * EACH, &rows->sequences, rows->part,
                                 rows->own, NULL));
  assert_int_equal(scale.used, 0);
}

TEST(a_saved_scale_is_the_same_and_damaged_ones_are_refused) {
  made *rows = make(3, 4);
  ank_entity_scale scale = scale_of(rows), again = {0};
  ank_bytes bytes = {0};
  assert_ok(ank_entity_scale_save(&scale, &bytes, NULL));
  ank_cursor in = {bytes.data, bytes.length, 0};
  assert_ok(ank_entity_scale_load(&again, &in, NULL));
  assert_int_equal(again.used, 1);
  for (uint32_t e = 0; e <= ENTITIES; e++)
    assert_close(ank_entity_scaled(&again, -1, rows->own[e]), ank_entity_scaled(&scale, -1, rows->own[e]), 0);
  bytes.length = 0;
  scale.stretch = NAN;
  assert_ok(ank_entity_scale_save(&scale, &bytes, NULL));
  in = (ank_cursor){bytes.data, bytes.length, 0};
  anorank_error err = {0};
  assert_int_equal(ank_entity_scale_load(&again, &in, &err), ANORANK_ERROR_MODEL);
  assert_string_equal(err.code, "model-context");
  ank_bytes_free(&bytes);
}
