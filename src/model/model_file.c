/* model_file.c - a model as bytes and back (docs/model-format.md).
 *
 *   "ANORANK\0"  major  minor  byte-order mark  length of the whole file  number of sections
 *   for each section: name, length, content
 *   CRC-32 of everything before it
 *
 * All numbers are 64-bit little-endian. A change that older readers survive (a new section) raises `minor`,
 * any other one `major`. To add a section: write and read functions and a row in `sections`. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "core/alloc.h"
#include "model/model.h"
#include "model/model_settings.h"

static const char magic[8] = "ANORANK"; /* with its NUL */
static const uint64_t byte_order = 0x0102030405060708;

enum { MAJOR = 1, MINOR = 4, TAIL = 8, MOST_SECTIONS = 64, MOST_NOTES = 100000 };

/* ---- sections ---------------------------------------------------------------------------------------- */

static anorank_status save_settings(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  return ank_model_settings_save(&model->settings, out, err);
}

static anorank_status load_settings(anorank_model *model, ank_cursor *in, anorank_error *err) {
  return ank_model_settings_load(&model->settings, in, model->file_minor < 2, err);
}

static anorank_status save_provenance(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_text(out, anorank_version(), err));
  return ank_bytes_put_u64(out, model->train_rows, err);
}

static anorank_status load_provenance(anorank_model *model, ank_cursor *in, anorank_error *err) {
  char *version;
  anorank_status status = ank_cursor_text(in, &version, err);
  ank_free(version); /* for people who look into the file */
  if (status != ANORANK_OK) return status;
  return ank_cursor_size(in, &model->train_rows, 1, SIZE_MAX, "the number of training rows", err);
}

static anorank_status save_prepare(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  return ank_prepare_save(model->pipeline.prepare, out, err);
}

static anorank_status load_prepare(anorank_model *model, ank_cursor *in, anorank_error *err) {
  return ank_prepare_load(&model->pipeline.prepare, in, err);
}

static anorank_status save_scorer(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_text(out, model->pipeline.type->info.name, err));
  ANK_CHECK(ank_bytes_put_f64(out, model->pipeline.surprise, err));
  return model->pipeline.type->save(model->pipeline.scorer, out, err);
}

static anorank_status load_scorer(anorank_model *model, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *name = NULL, quoted[ANK_QUOTE_SIZE];
  ANK_TRY(ank_cursor_text(in, &name, err));
  model->pipeline.type = ank_scorer_find(name);
  if (!model->pipeline.type)
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-scorer-unknown",
             "it uses the scorer \"%s\", unknown to this version; use a newer anorank",
             ank_quote(quoted, name, strlen(name)));
  ANK_TRY(ank_cursor_f64(in, &model->pipeline.surprise, err));
  if (!isfinite(model->pipeline.surprise) || model->pipeline.surprise < 0)
    ANK_FAIL(ANORANK_ERROR_MODEL, "model-surprise",
             "the model is damaged: the weight of its surprise feature is %g", model->pipeline.surprise);
  ANK_TRY(ank_scorer_load(&model->pipeline.scorer, model->pipeline.type, in, err));
done:
  ank_free(name);
  return status;
}

static anorank_status save_calibration(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  return ank_bytes_put_f64s(out, model->calibration, model->calibration_count, err);
}

static anorank_status load_calibration(anorank_model *model, ank_cursor *in, anorank_error *err) {
  ANK_CHECK(ank_cursor_f64s(in, &model->calibration, &model->calibration_count, err));
  for (size_t i = 0; i < model->calibration_count; i++)
    if (isnan(model->calibration[i]) || (i > 0 && model->calibration[i] < model->calibration[i - 1]))
      return ank_fail(err, ANORANK_ERROR_MODEL, "model-calibration",
                      "the model is damaged: its calibration scores are not in order");
  return ANORANK_OK;
}

static anorank_status save_background(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  size_t dim = ank_prepare_dim(model->pipeline.prepare);
  ANK_CHECK(ank_bytes_put_u64(out, model->pipeline.background_rows, err));
  return ank_bytes_put_f64s(out, model->pipeline.background, model->pipeline.background_rows * dim, err);
}

static anorank_status load_background(anorank_model *model, ank_cursor *in, anorank_error *err) {
  size_t values, dim = model->pipeline.prepare ? ank_prepare_dim(model->pipeline.prepare) : 0;
  ANK_CHECK(ank_cursor_size(in, &model->pipeline.background_rows, 0, 1 << 20, "the number of background rows",
                            err));
  ANK_CHECK(ank_cursor_f64s(in, &model->pipeline.background, &values, err));
  if (dim == 0 || values / dim != model->pipeline.background_rows || values % dim != 0)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-background",
                    "the model is damaged: its background rows do not have %zu features", dim);
  for (size_t i = 0; i < values; i++)
    if (!isfinite(model->pipeline.background[i]))
      return ank_fail(err, ANORANK_ERROR_MODEL, "model-background",
                      "the model is damaged: a background row is not finite");
  return ANORANK_OK;
}

/* Which of them are usual, and what was in the table where the features stand. */
static anorank_status save_cells(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  size_t columns = ank_prepare_columns(model->pipeline.prepare);
  ANK_CHECK(ank_bytes_put_u64(out, model->pipeline.usual_rows, err));
  return ank_bytes_put_f64s(out, model->pipeline.cells, model->pipeline.background_rows * columns, err);
}

static anorank_status load_cells(anorank_model *model, ank_cursor *in, anorank_error *err) {
  size_t values, columns = model->pipeline.prepare ? ank_prepare_columns(model->pipeline.prepare) : 0;
  ANK_CHECK(ank_cursor_size(in, &model->pipeline.usual_rows, 0, model->pipeline.background_rows,
                            "the number of usual rows", err));
  ANK_CHECK(ank_cursor_f64s(in, &model->pipeline.cells, &values, err));
  int fit = columns > 0 && values / columns == model->pipeline.background_rows && values % columns == 0 &&
            (model->pipeline.usual_rows > 0 || model->pipeline.background_rows == 0);
  for (size_t i = 0; fit && i < values; i++)
    fit = ank_prepare_value_fits(model->pipeline.prepare, i % columns, model->pipeline.cells[i]);
  return fit ? ANORANK_OK
             : ank_fail(err, ANORANK_ERROR_MODEL, "model-background",
                        "the model is damaged: the cells of its background rows are invalid");
}

/* Files before 1.2 kept features alone, of usual rows. */
static anorank_status derive_cells(ank_pipeline *pipeline, anorank_error *err) {
  size_t columns = ank_prepare_columns(pipeline->prepare), dim = ank_prepare_dim(pipeline->prepare);
  if (pipeline->cells) return ANORANK_OK;
  ANK_CHECK(ank_alloc_raw(&pipeline->cells, pipeline->background_rows * columns, sizeof(double), err));
  pipeline->usual_rows = pipeline->background_rows;
  for (size_t i = 0; i < pipeline->background_rows; i++)
    for (size_t c = 0; c < columns; c++)
      pipeline->cells[i * columns + c] =
          ank_prepare_value_of(pipeline->prepare, c, pipeline->background + i * dim);
  return ANORANK_OK;
}

static anorank_status save_notes(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, model->notes.count, err));
  for (size_t i = 0; i < model->notes.count; i++)
    ANK_CHECK(ank_bytes_put_text(out, model->notes.list[i].text, err));
  return ANORANK_OK;
}

static anorank_status load_notes(anorank_model *model, ank_cursor *in, anorank_error *err) {
  return ank_notes_load_texts(&model->notes, in, MOST_NOTES, err);
}

static anorank_status save_note_kinds(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  for (size_t i = 0; i < model->notes.count; i++)
    ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)model->notes.list[i].kind, err));
  return ANORANK_OK;
}

/* The kinds follow the notes; an unknown kind comes from a later version. */
static anorank_status load_note_kinds(anorank_model *model, ank_cursor *in, anorank_error *err) {
  size_t kind;
  for (size_t i = 0; i < model->notes.count; i++) {
    ANK_CHECK(ank_cursor_size(in, &kind, 0, SIZE_MAX, "the kind of a note", err));
    model->notes.list[i].kind = kind < ANORANK_NOTE_DETAIL ? (anorank_note_kind)kind : ANORANK_NOTE_DETAIL;
  }
  return ANORANK_OK;
}

static anorank_status save_note_codes(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  for (size_t i = 0; i < model->notes.count; i++)
    ANK_CHECK(ank_bytes_put_text(out, model->notes.list[i].code, err));
  return ANORANK_OK;
}

/* After the notes themselves. */
static anorank_status load_note_codes(anorank_model *model, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *code = NULL;
  for (size_t i = 0; i < model->notes.count; i++) {
    anorank_note *note = &model->notes.list[i], with_code;
    ank_free(code);
    ANK_TRY(ank_cursor_text(in, &code, err));
    ank_make_printable(code);
    ANK_TRY(ank_note_make(&with_code, note->kind, code, note->text, err));
    ank_note_free(note);
    *note = with_code;
  }
done:
  ank_free(code);
  return status;
}

static anorank_status save_known(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  return ank_bytes_put_u64(out, model->known_rows, err);
}

static anorank_status load_known(anorank_model *model, ank_cursor *in, anorank_error *err) {
  return ank_cursor_size(in, &model->known_rows, 0, SIZE_MAX, "the number of known anomalies", err);
}

static anorank_status save_calibration_method(const anorank_model *model, ank_bytes *out,
                                              anorank_error *err) {
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)model->about.way, err));
  return ank_bytes_put_u64(out, model->about.folds, err);
}

static anorank_status load_calibration_method(anorank_model *model, ank_cursor *in, anorank_error *err) {
  size_t way;
  ANK_CHECK(ank_cursor_size(in, &way, 0, ANORANK_CALIBRATED_CROSS_FIT, "the way of calibration", err));
  model->about.way = (anorank_calibration_method)way;
  return ank_cursor_size(in, &model->about.folds, 0, SIZE_MAX, "the number of folds", err);
}

static anorank_status save_dependence(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  const anorank_dependence *found = &model->dependence;
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)found->tested, err));
  ANK_CHECK(ank_bytes_put_u64(out, (uint64_t)found->dependent, err));
  ANK_CHECK(ank_bytes_put_u64(out, found->rows, err));
  ANK_CHECK(ank_bytes_put_f64(out, found->nearness, err));
  ANK_CHECK(ank_bytes_put_f64(out, found->z, err));
  ANK_CHECK(ank_bytes_put_u64(out, found->reach, err));
  return ank_bytes_put_text(out, found->entity, err);
}

static anorank_status load_dependence(anorank_model *model, ank_cursor *in, anorank_error *err) {
  anorank_dependence *found = &model->dependence;
  size_t tested, dependent;
  char *entity = NULL;
  ANK_CHECK(ank_cursor_size(in, &tested, 0, 1, "the mark of a test", err));
  ANK_CHECK(ank_cursor_size(in, &dependent, 0, 1, "the result of a test", err));
  ANK_CHECK(ank_cursor_size(in, &found->rows, 0, SIZE_MAX, "the rows of a test", err));
  ANK_CHECK(ank_cursor_f64(in, &found->nearness, err));
  ANK_CHECK(ank_cursor_f64(in, &found->z, err));
  ANK_CHECK(ank_cursor_size(in, &found->reach, 0, SIZE_MAX, "the reach of the dependence", err));
  ANK_CHECK(ank_cursor_text(in, &entity, err));
  found->tested = (int)tested;
  found->dependent = (int)dependent;
  int fits = strlen(entity) < sizeof found->entity && isfinite(found->nearness) && isfinite(found->z);
  if (fits) memcpy(found->entity, entity, strlen(entity) + 1);
  ank_free(entity);
  ank_make_printable(found->entity);
  return fits ? ANORANK_OK
              : ank_fail(err, ANORANK_ERROR_MODEL, "model-field",
                         "the model is damaged: the result of its test of dependence is invalid");
}

static anorank_status save_limits(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  return ank_limits_save(&model->limits, out, err);
}

static anorank_status load_limits(anorank_model *model, ank_cursor *in, anorank_error *err) {
  ANK_CHECK(ank_limits_load(&model->limits, in, err));
  size_t columns = model->pipeline.prepare ? ank_prepare_columns(model->pipeline.prepare) : 0;
  return model->limits.columns == columns || model->limits.columns == 0
             ? ANORANK_OK
             : ank_fail(err, ANORANK_ERROR_MODEL, "model-field",
                        "the model is damaged: the limits of its columns are invalid");
}

static anorank_status save_stretches(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  return ank_bytes_put_u32s(out, model->stretches.place, model->stretches.count, err);
}

static anorank_status load_stretches(anorank_model *model, ank_cursor *in, anorank_error *err) {
  ank_calibration_order *stretches = &model->stretches;
  ANK_CHECK(ank_cursor_u32s(in, &stretches->place, &stretches->count, err));
  for (size_t k = 0; k < stretches->count; k++)
    if (stretches->place[k] / 2 >= model->calibration_count)
      return ank_fail(err, ANORANK_ERROR_MODEL, "model-calibration",
                      "the model is damaged: the order of its calibration scores is invalid");
  return ANORANK_OK;
}

/* Only where there is a context. */
static anorank_status save_context(const anorank_model *model, ank_bytes *out, anorank_error *err) {
  const ank_pipeline *pipeline = &model->pipeline;
  ANK_CHECK(ank_bytes_put_u64(out, pipeline->deviations, err));
  for (size_t k = 0; k < pipeline->deviations; k++) {
    const ank_deviation_term *term = &pipeline->deviation[k];
    ANK_CHECK(ank_bytes_put_u64(out, term->feature, err));
    ANK_CHECK(ank_bytes_put_f64(out, term->centre, err));
    ANK_CHECK(ank_bytes_put_f64(out, term->scale, err));
    ANK_CHECK(ank_bytes_put_f64(out, term->weight, err));
  }
  ANK_CHECK(ank_entity_scale_save(&pipeline->entities, out, err));
  return ank_context_save(model->context, out, err);
}

static anorank_status load_context(anorank_model *model, ank_cursor *in, anorank_error *err) {
  ank_pipeline *pipeline = &model->pipeline;
  size_t count, dim = pipeline->prepare ? ank_prepare_dim(pipeline->prepare) : 0;
  ANK_CHECK(ank_cursor_size(in, &count, 0, ANK_MOST_DEVIATIONS, "the number of deviations", err));
  while (pipeline->deviations < count) {
    ank_deviation_term *term = &pipeline->deviation[pipeline->deviations++];
    ANK_CHECK(ank_cursor_size(in, &term->feature, 0, dim > 0 ? dim - 1 : 0, "a feature", err));
    ANK_CHECK(ank_cursor_f64(in, &term->centre, err));
    ANK_CHECK(ank_cursor_f64(in, &term->scale, err));
    ANK_CHECK(ank_cursor_f64(in, &term->weight, err));
    if (dim == 0 || !isfinite(term->centre) || !isfinite(term->scale) || !(term->scale > 0) ||
        !isfinite(term->weight) || term->weight < 0)
      return ank_fail(err, ANORANK_ERROR_MODEL, "model-context",
                      "the model is damaged: its history of entities and times is invalid");
  }
  ANK_CHECK(ank_entity_scale_load(&pipeline->entities, in, err));
  return ank_context_load(&model->context, in, err);
}

/* `since`: the minor version that added it; earlier files lack it. */
static const struct section {
  const char *name;
  unsigned since;
  anorank_status (*save)(const anorank_model *model, ank_bytes *out, anorank_error *err);
  anorank_status (*load)(anorank_model *model, ank_cursor *in, anorank_error *err);
} sections[] = {
    {"provenance", 0, save_provenance, load_provenance},
    {"settings", 0, save_settings, load_settings},
    {"prepare", 0, save_prepare, load_prepare},
    {"scorer", 0, save_scorer, load_scorer},
    {"calibration", 0, save_calibration, load_calibration},
    {"background", 0, save_background, load_background},
    {"notes", 0, save_notes, load_notes},
    {"known", 1, save_known, load_known},
    {"calibration-way", 2, save_calibration_method, load_calibration_method},
    {"note-kinds", 2, save_note_kinds, load_note_kinds},
    {"cells", 2, save_cells, load_cells},
    {"note-codes", 3, save_note_codes, load_note_codes},
    {"dependence", 4, save_dependence, load_dependence},
    {"limits", 4, save_limits, load_limits},
    {"stretches", 4, save_stretches, load_stretches}, /* this and what follows: not in every file */
    {"context", 4, save_context, load_context},
};

enum { SECTIONS = sizeof sections / sizeof sections[0], OPTIONAL = 2 };

/* ---- the file ---------------------------------------------------------------------------------------- */

static uint64_t checksum(const unsigned char *bytes, size_t length) {
  return (uint64_t)crc32_z(crc32_z(0, NULL, 0), bytes, length);
}

static uint64_t peek_u64(const unsigned char *at) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

/* Counts what is written; with an output, writes it, too. */
typedef struct {
  ank_drain drain;
  ank_output *output; /* NULL: none */
  size_t length;
  unsigned long crc;
} model_drain;

static anorank_status take(ank_drain *drain, const unsigned char *data, size_t length, anorank_error *err) {
  model_drain *to = (model_drain *)drain;
  to->length += length;
  if (!to->output) return ANORANK_OK;
  to->crc = crc32_z(to->crc, data, length);
  return ank_output_write(to->output, data, length, err);
}

/* The length of the content of a section. */
static anorank_status measure(size_t *length, const struct section *section, const anorank_model *model,
                              anorank_error *err) {
  model_drain nowhere = {.drain = {take}};
  ank_bytes bytes = {.drain = &nowhere.drain};
  anorank_status status = section->save(model, &bytes, err);
  if (status == ANORANK_OK) status = ank_bytes_flush(&bytes, err);
  ank_bytes_free(&bytes);
  *length = nowhere.length;
  return status;
}

/* Never write what a load would refuse: few rows in many subsets take more memory than their file. */
static anorank_status check_memory(const anorank_model *model, size_t length, anorank_error *err) {
  char takes[ANK_BYTES_TEXT], has[ANK_BYTES_TEXT];
  size_t room = model->pipeline.type->bytes(model->pipeline.scorer);
  if (room <= ank_model_budget(length) / 2) return ANORANK_OK;
  return ank_fail(
      err, ANORANK_ERROR_RESOURCES, "model-memory",
      "the model takes %s of memory, more than a file of %s may request; fit it with fewer subsamples",
      ank_bytes_text(takes, (double)room), ank_bytes_text(has, (double)length));
}

/* Sections are written twice, the first time to learn their lengths, so that no copy of the file is in memory. */
anorank_status ank_model_save(const anorank_model *model, ank_output *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  model_drain to = {.drain = {take}, .output = out, .crc = crc32_z(0, NULL, 0)};
  ank_bytes bytes = {.drain = &to.drain};
  size_t lengths[SECTIONS], count = model->context ? SECTIONS : SECTIONS - OPTIONAL;
  size_t whole = ANK_MODEL_HEAD + TAIL;
  for (size_t k = 0; k < count; k++) {
    ANK_TRY(measure(&lengths[k], &sections[k], model, err));
    whole += 16 + strlen(sections[k].name) + lengths[k];
  }
  ANK_TRY(check_memory(model, whole, err));
  ANK_TRY(ank_bytes_put(&bytes, magic, sizeof magic, err));
  ANK_TRY(ank_bytes_put_u64(&bytes, MAJOR, err));
  ANK_TRY(ank_bytes_put_u64(&bytes, MINOR, err));
  ANK_TRY(ank_bytes_put_u64(&bytes, byte_order, err));
  ANK_TRY(ank_bytes_put_u64(&bytes, whole, err));
  ANK_TRY(ank_bytes_put_u64(&bytes, count, err));
  for (size_t k = 0; k < count; k++) {
    ANK_TRY(ank_bytes_put_text(&bytes, sections[k].name, err));
    ANK_TRY(ank_bytes_put_u64(&bytes, lengths[k], err));
    ANK_TRY(sections[k].save(model, &bytes, err));
  }
  ANK_TRY(ank_bytes_flush(&bytes, err));
  ANK_TRY(ank_bytes_put_u64(&bytes, to.crc, err));
  ANK_TRY(ank_bytes_flush(&bytes, err));
done:
  ank_bytes_free(&bytes);
  return status;
}

anorank_status ank_model_head(const unsigned char *bytes, size_t length, uint64_t *whole,
                              anorank_error *err) {
  *whole = 0;
  if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-not-a-model",
                    "is not a model%s; name a file that holds a fitted model",
                    length == 0 ? ", it is empty" : "");
  if (length < ANK_MODEL_HEAD)
    return ank_fail(
        err, ANORANK_ERROR_MODEL, "model-cut-short",
        "is truncated: %zu bytes are too few for a model; copy the original again, or fit it again", length);
  uint64_t major = peek_u64(bytes + 8), mark = peek_u64(bytes + 24);
  *whole = peek_u64(bytes + 32);
  if (mark != byte_order)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-byte-order",
                    "is damaged: its byte order was changed; copy the original again");
  if (major != MAJOR)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-version",
                    "has format version %llu, but this anorank (%s) reads version %d; use a newer anorank, "
                    "or fit the model again",
                    (unsigned long long)major, anorank_version(), MAJOR);
  return ANORANK_OK;
}

static anorank_status check_file(const unsigned char *bytes, size_t length, anorank_error *err) {
  uint64_t whole;
  ANK_CHECK(ank_model_head(bytes, length, &whole, err));
  if (whole > length)
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-cut-short",
                    "is truncated: it has %zu of %llu bytes; copy the original again", length,
                    (unsigned long long)whole);
  if (whole < length || length < ANK_MODEL_HEAD + TAIL ||
      checksum(bytes, length - TAIL) != peek_u64(bytes + length - TAIL))
    return ank_fail(err, ANORANK_ERROR_MODEL, "model-checksum",
                    "is damaged: its checksum does not match; copy the original again, or fit it again");
  return ANORANK_OK;
}

size_t ank_model_budget(size_t length) {
  const size_t least = (size_t)64 << 20, times = 64;
  return length > (SIZE_MAX - least) / times ? SIZE_MAX : least + times * length;
}

/* The known sections come in their order (background after prepare); one that is not known comes from a later
 * version and is ignored. */
static anorank_status load_sections(anorank_model *model, ank_cursor *in, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *name = NULL;
  unsigned seen = 0;
  size_t count, length;
  ANK_TRY(ank_cursor_size(in, &count, 0, MOST_SECTIONS, "the number of sections", err));
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    ank_free(name);
    ANK_TRY(ank_cursor_text(in, &name, err));
    ANK_TRY(ank_cursor_size(in, &length, 0, in->length - in->at, "the length of a section", err));
    if (length > in->length - in->at)
      ANK_FAIL(ANORANK_ERROR_MODEL, "model-cut-short", "the model is damaged: a section is truncated");
    while (k < SECTIONS && strcmp(sections[k].name, name) != 0) k++;
    ank_cursor content = {in->data + in->at, length, 0};
    in->at += length;
    if (k == SECTIONS) continue;
    if (seen & 1u << k)
      ANK_FAIL(ANORANK_ERROR_MODEL, "model-section-twice", "the model is damaged: section '%s' appears twice",
               sections[k].name);
    seen |= 1u << k;
    ANK_TRY(sections[k].load(model, &content, err));
    ANK_TRY(ank_cursor_end(&content, err));
  }
  for (size_t k = 0; k < SECTIONS; k++)
    if (!(seen & 1u << k) && sections[k].since == 0)
      ANK_FAIL(ANORANK_ERROR_MODEL, "model-section-missing", "the model is damaged: section '%s' is missing",
               sections[k].name);
  ANK_TRY(ank_cursor_end(in, err));
done:
  ank_free(name);
  return status;
}

anorank_status ank_model_load(anorank_model **out, const unsigned char *bytes, size_t length,
                              const char *name, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_model *model = NULL;
  anorank_error inner = {0};
  char asked[ANK_BYTES_TEXT], has[ANK_BYTES_TEXT];
  ank_budget budget = {.left = ank_model_budget(length)}, *before = ank_alloc_within(&budget);
  *out = NULL;
  ANK_TRY(ank_alloc(&model, 1, sizeof *model, &inner));
  ANK_TRY(check_file(bytes, length, &inner));
  model->file_minor = peek_u64(bytes + 16);
  ank_cursor in = {bytes, length - TAIL, ANK_MODEL_HEAD - 8};
  ANK_TRY(load_sections(model, &in, &inner));
  if (model->pipeline.type->dim(model->pipeline.scorer) != ank_prepare_dim(model->pipeline.prepare))
    status =
        ank_fail(&inner, ANORANK_ERROR_MODEL, "model-feature-count",
                 "the model is damaged: it prepares %zu features but scores %zu",
                 ank_prepare_dim(model->pipeline.prepare), model->pipeline.type->dim(model->pipeline.scorer));
  if (status == ANORANK_OK) status = derive_cells(&model->pipeline, &inner);
  if (status == ANORANK_OK) status = ank_model_complete(model, &inner);
  if (status == ANORANK_OK) {
    ank_model_describe(model);
    ANK_HAND_OVER(out, model);
  }
done:
  (void)ank_alloc_within(before);
  if (budget.exceeded)
    status = ank_fail(&inner, ANORANK_ERROR_MODEL, "model-memory",
                      "the model is damaged: it requests over %s of memory, too much for %s",
                      ank_bytes_text(asked, (double)ank_model_budget(length)),
                      ank_bytes_text(has, (double)length));
  /* Many functions find what is wrong inside; the advice is added here. */
  if (status == ANORANK_ERROR_MODEL && strncmp(inner.message, "the model is ", 13) == 0)
    (void)ank_fail_around(err, &inner, "%s: %s; copy the original again, or fit it again", name,
                          inner.message);
  else if (status != ANORANK_OK)
    (void)ank_fail_around(err, &inner, "%s: %s", name, inner.message);
  if (status != ANORANK_OK) ank_error_set_location(err, name, 0, NULL);
  ank_model_free(model);
  return status;
}
