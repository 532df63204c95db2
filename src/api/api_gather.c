/* api_gather.c - tables that are read block by block, for the outside: arguments are checked here, then inward. */
#include "core/alloc.h"
#include "gather/gathering.h"
#include "model/model.h"
#include "table/reader.h"

anorank_status anorank_gathering_new(anorank_gathering **out, const anorank_settings *settings,
                                     anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  return ank_gathering_new(out, ank_settings_or_default(settings), err);
}

void anorank_gathering_free(anorank_gathering *gathering) { ank_gathering_free(gathering); }

anorank_status anorank_gathering_add(anorank_gathering *gathering, const anorank_table *block,
                                     size_t first_row, anorank_error *err) {
  ANK_NEED(gathering);
  ANK_NEED(block);
  return ank_gathering_add(gathering, block, first_row, err);
}

anorank_status anorank_gathering_read(anorank_gathering *gathering, anorank_reader *reader, size_t first_row,
                                      anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_table *block = NULL;
  ANK_NEED(gathering);
  ANK_NEED(reader);
  for (size_t at = first_row;; at += block->rows) {
    ANK_TRY(ank_reader_next(reader, &block, err));
    if (!block) { /* what was noticed up to the end */
      ANK_TRY(ank_gathering_add(gathering, ank_reader_schema(reader), at, err));
      break;
    }
    ANK_TRY(ank_gathering_add(gathering, block, at, err));
    ank_reader_forget(reader);
  }
done:
  return status;
}

anorank_status anorank_gathering_merge(anorank_gathering *gathering, const anorank_gathering *other,
                                       anorank_error *err) {
  ANK_NEED(gathering);
  ANK_NEED(other);
  return ank_gathering_merge(gathering, other, err);
}

size_t anorank_gathering_rows(const anorank_gathering *gathering) { return gathering ? gathering->rows : 0; }

anorank_status anorank_gathering_table(const anorank_table **out, anorank_gathering *gathering,
                                       anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(gathering);
  return ank_gathering_settle(out, gathering, err);
}

anorank_status anorank_gathering_to_bytes(unsigned char **out, size_t *length, anorank_gathering *gathering,
                                          anorank_error *err) {
  ank_bytes bytes = {0};
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  *length = 0;
  ANK_NEED(gathering);
  anorank_status status = ank_gathering_save(&bytes, gathering, err);
  if (status != ANORANK_OK) {
    ank_bytes_free(&bytes);
    return status;
  }
  *out = bytes.data;
  *length = bytes.length;
  return ANORANK_OK;
}

anorank_status anorank_gathering_from_bytes(anorank_gathering **out, const void *bytes, size_t length,
                                            anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  if (length > 0) ANK_NEED(bytes);
  return ank_gathering_load(out, bytes, length, err);
}

anorank_status anorank_fit_gathered(anorank_model **out, anorank_gathering *gathering,
                                    const anorank_table *known, const anorank_settings *settings,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_settings *own = ank_settings_or_default(settings);
  const anorank_table *table = NULL;
  anorank_model *model = NULL;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(gathering);
  ANK_TRY(ank_gathering_settle(&table, gathering, err));
  if (!table)
    ANK_FAIL(ANORANK_ERROR_USAGE, "stream-empty", "nothing was gathered; add blocks of rows before the fit");
  if (own->seed != gathering->seed)
    ANK_FAIL(ANORANK_ERROR_USAGE, "stream-seed",
             "the rows were drawn with another seed; gather and fit with the same settings");
  if (own->labels[0] && table->rows < gathering->rows)
    ANK_FAIL(
        ANORANK_ERROR_USAGE, "stream-labels",
        "labels of %zu rows need all of them in memory, and %zu are; allow more memory, or give the known "
        "anomalies as a table of their own",
        gathering->rows, table->rows);
  ANK_TRY(ank_gathering_score_room(gathering, err));
  ANK_TRY(ank_model_fit_drawn(&model, table, gathering->rows, known, gathering->scores, own, err));
  ANK_TRY(ank_gathering_scored(gathering, err));
  *out = model;
  model = NULL;
done:
  ank_model_free(model);
  return status;
}

size_t anorank_gathering_scores(const anorank_gathering *gathering, const size_t **rows,
                                const double **scores) {
  if (rows) *rows = gathering ? gathering->scored_row : NULL;
  if (scores) *scores = gathering ? gathering->row_score : NULL;
  return gathering ? gathering->scored : 0;
}

void anorank_gathering_forget_rows(anorank_gathering *gathering) {
  if (gathering) ank_row_store_free(&gathering->store);
}
