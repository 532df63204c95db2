/* Damage inside a model whose frame is valid: for each error code there is a change of a small model, of some
 * class, that gives it. The changes are tried in bulk, so a new class is covered by existing. Its codes
 * belong into the list here and into docs/errors.md.
 *
 * labels: long */
#include "core/alloc.h"
#include "support/find.h"
#include "support/model_bytes.h"
#include "support/models.h"

enum { NEAR = 400, ALL = 1200 };

static const char scorer_name[] = "\6\0\0\0\0\0\0\0scorer";

static const char *const *wanted;
static size_t wanted_count;
static size_t seen[64];

static void count_code(const char *code) {
  if (strcmp(code, "model-scorer-unknown") == 0) return;
  size_t known = 0;
  for (size_t k = 0; k < wanted_count; k++)
    if (strcmp(wanted[k], code) == 0) seen[k]++, known++;
  if (known == 0) print_error("not in the list: %s\n", code);
  assert_true(known > 0);
}

static void try_bytes(unsigned char *bytes, size_t length) {
  anorank_error err = {0};
  scoped_model *loaded;
  model_mend(bytes, length);
  anorank_status status = anorank_model_load(&loaded, ANORANK_FROM_MEMORY(bytes, length, "m.anr"), &err);
  if (status != ANORANK_OK) {
    assert_status(status, ANORANK_ERROR_MODEL);
    count_code(err.code);
  }
}

/* Eight bytes from nearly every place on (all where counts stand close together), as a number, a count and a
 * double that do not belong there. */
static void change_everywhere(const ank_bytes *saved, size_t from, size_t near) {
  static const uint64_t values[] = {0, 1, 2, 1u << 20, UINT64_MAX, 0x7ff8000000000000, 0x4000000000000000};
  unsigned char *copy = malloc(saved->length);
  assert_non_null(copy);
  for (size_t at = from; at + 16 < saved->length; at += at - from < near ? 1 : 7)
    for (size_t k = 0; k <= sizeof values / sizeof values[0]; k++) {
      memcpy(copy, saved->data, saved->length);
      if (k < sizeof values / sizeof values[0])
        model_put_u64(copy + at, values[k]);
      else
        copy[at]++; /* what is nearly right */
      try_bytes(copy, saved->length);
    }
  free(copy);
}

static size_t behind_settings(const ank_bytes *saved) {
  const unsigned char *at = find_bytes(saved->data, saved->length, "prepare", 7);
  assert_non_null(at);
  return (size_t)(at - saved->data) - 8; /* with its length */
}

/* The first `old` from `from` on replaced by `new` of the same length. */
static void replace(const ank_bytes *saved, size_t from, const char *old, const char *new) {
  size_t length = strlen(old);
  unsigned char *copy = malloc(saved->length);
  assert_non_null(copy);
  memcpy(copy, saved->data, saved->length);
  unsigned char *at = find_bytes(copy + from, saved->length - from, old, length);
  assert_non_null(at);
  memcpy(at, new, length);
  try_bytes(copy, saved->length);
  free(copy);
}

static void save_small(ank_bytes *saved, const char *scorer, int32_t fast, const anorank_table *table,
                       const anorank_table *known) {
  anorank_model *model;
  anorank_settings settings = model_settings();
  settings.fast = fast;
  settings.trees = 2;
  settings.tree_rows = 12;
  settings.subsamples = 2;
  settings.subsample = 4;
  settings.reference_rows = 8;
  settings.neighbours = 2;
  settings.rounds = 3;
  settings.epochs = 1;
  settings.bins = 4;
  settings.hidden = "2";
  settings.lambda = "0";
  settings.scorer = scorer;
  assert_ok(anorank_fit(&model, table, &(anorank_training){.known = known}, &settings, NULL));
  assert_ok(anorank_model_save(model, ANORANK_TO_MEMORY(&saved->data, &saved->length, "m"), NULL));
  anorank_model_free(model);
}

/* The last section one byte longer than the file. */
static void lengthen(const ank_bytes *saved, const char *section) {
  unsigned char *copy = malloc(saved->length);
  assert_non_null(copy);
  memcpy(copy, saved->data, saved->length);
  unsigned char *at = find_bytes(copy, saved->length, section, strlen(section));
  assert_non_null(at);
  at[strlen(section)]++;
  try_bytes(copy, saved->length);
  free(copy);
}

TEST(every_kind_of_damage_has_its_code) {
  static const char *const codes[] = {
      "model-cut-short",     "model-field",           "model-text",          "model-extra-bytes",
      "model-setting",       "model-surprise",        "model-calibration",   "model-background",
      "model-section-twice", "model-section-missing", "model-feature-count", "model-column",
      "model-network",       "model-reference-rows",  "model-blend",         "model-column-map",
      "model-subsets",       "model-histogram",       "model-trees",         "model-neighbours",
      "model-covariance",    "model-thresholds",      "model-feedback",
  };
  wanted = codes;
  wanted_count = sizeof codes / sizeof codes[0];
  anorank_table *table = model_table(30, 0, 5), *known = model_table(3, 3, 6);
  const anorank_class *scorer;
  for (size_t k = 0; (scorer = anorank_class_at(k)) != NULL; k++) {
    scoped_bytes saved = {0};
    save_small(&saved, scorer->name, 0, table, known);
    /* All sections of the first class but the settings, which are texts alone; one of the others. */
    size_t from = behind_settings(&saved);
    for (size_t i = 0; k > 0 && i + sizeof scorer_name < saved.length; i++)
      if (memcmp(saved.data + i, scorer_name, sizeof scorer_name - 1) == 0) from = i;
    change_everywhere(&saved, from, k == 0 ? ALL : NEAR);
    replace(&saved, behind_settings(&saved), "calibration", "calibratiox");
    replace(&saved, behind_settings(&saved), "background", "provenance");
    lengthen(&saved, "cells");
    replace(&saved, 0, "indicator", "indicaton");
    model_put_u64(saved.data + 48, 1); /* shifts what follows: texts that hold a NUL byte */
    try_bytes(saved.data, saved.length);
  }
  ank_bytes subsets = {0}; /* which the fast blend has, and the other only where numbers have two values */
  save_small(&subsets, "blend", 1, table, known);
  size_t from = behind_settings(&subsets);
  for (size_t i = 0; i + sizeof scorer_name < subsets.length; i++)
    if (memcmp(subsets.data + i, scorer_name, sizeof scorer_name - 1) == 0) from = i;
  change_everywhere(&subsets, from, NEAR);
  ank_bytes_free(&subsets);
  anorank_table_free(table);
  anorank_table_free(known);
  size_t missed = 0;
  for (size_t k = 0; k < wanted_count; k++)
    if (seen[k] == 0) print_error("no change gave: \"%s\"\n", wanted[k]), missed++;
  assert_int_equal(missed, 0);
}
