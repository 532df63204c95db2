/* known_anomalies.c - see known_anomalies.h. */
#include "model/known_anomalies.h"

#include "core/alloc.h"
#include "model/row_subset.h"
#include "prepare/labels.h"

void ank_known_anomalies_free(ank_known_anomalies *confirmed) {
  ank_table_free(confirmed->anomalies[0]);
  ank_table_free(confirmed->anomalies[1]);
  ank_table_free(confirmed->dismissed);
  ank_table_free(confirmed->rest);
  ank_free(confirmed->rest_rows);
  *confirmed = (ank_known_anomalies){0};
}

/* The rows of the table whose label is the one, or any other. `rows`, allocated: which. */
static anorank_status copy_labelled(anorank_table **out, size_t **rows, const anorank_table *table,
                                    const signed char *labels, signed char label, int others,
                                    anorank_error *err) {
  size_t count = 0;
  ANK_CHECK(ank_alloc_raw(rows, table->rows, sizeof **rows, err));
  for (size_t i = 0; i < table->rows; i++)
    if ((labels[i] == label) != others) (*rows)[count++] = i;
  return ank_copy_rows(out, table, *rows, count, NULL, err);
}

static anorank_status read_labels(ank_known_anomalies *out, const anorank_table *table,
                                  const signed char *given, const char *column, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  signed char *labels = NULL;
  size_t anomalies = 0, *rows = NULL, *normal = NULL;
  ANK_TRY(ank_alloc_raw(&labels, table->rows, sizeof *labels, err));
  for (size_t i = 0; i < table->rows; i++) labels[i] = -1;
  if (column[0]) ANK_TRY(ank_labels_read(labels, table, column, err));
  for (size_t i = 0; i < table->rows; i++) {
    if (given && given[i] >= 0) labels[i] = given[i];
    anomalies += labels[i] == 1;
    out->normal += labels[i] == 0;
  }
  if (out->normal > 0) ANK_TRY(copy_labelled(&out->dismissed, &normal, table, labels, 0, 0, err));
  if (anomalies > 0) {
    ANK_TRY(copy_labelled(&out->anomalies[0], &rows, table, labels, 1, 0, err));
    ANK_TRY(copy_labelled(&out->rest, &out->rest_rows, table, labels, 1, 1, err));
  }
done:
  ank_free(rows);
  ank_free(normal);
  ank_free(labels);
  return status;
}

/* A random part, or all of it. */
static anorank_status take(anorank_table **out, const anorank_table *from, size_t count, uint64_t seed,
                           uint64_t index, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *taken = NULL;
  size_t *rows = NULL;
  ANK_TRY(ank_draw_rows(&rows, count, from->rows, seed, index, err));
  ANK_TRY(ank_copy_rows(&taken, from, rows, count, NULL, err));
  ank_table_free(*out);
  *out = taken;
done:
  ank_free(rows);
  return status;
}

anorank_status ank_known_anomalies_make(ank_known_anomalies *out, const anorank_table *table,
                                        const signed char *labels, const anorank_table *known,
                                        const anorank_settings *settings, uint64_t index,
                                        anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *out = (ank_known_anomalies){0};
  if (labels || settings->labels[0]) ANK_TRY(read_labels(out, table, labels, settings->labels, err));
  size_t own = out->anomalies[0] ? out->anomalies[0]->rows : 0, other = known ? known->rows : 0;
  out->given = own + other;
  if (out->given > ANK_MOST_KNOWN) { /* each source in proportion, none left out */
    size_t more = (size_t)((double)other / (double)out->given * ANK_MOST_KNOWN);
    if (more == 0 && other > 0) more = 1;
    if (more == ANK_MOST_KNOWN && own > 0) more--;
    own = ANK_MOST_KNOWN - more;
    other = more;
  }
  if (out->anomalies[0] && own > 0 && own < out->anomalies[0]->rows)
    ANK_TRY(take(&out->anomalies[0], out->anomalies[0], own, settings->seed, index, err));
  if (known && other > 0) ANK_TRY(take(&out->anomalies[1], known, other, settings->seed, index + 1, err));
  if (out->dismissed && out->normal > ANK_MOST_KNOWN)
    ANK_TRY(take(&out->dismissed, out->dismissed, ANK_MOST_KNOWN, settings->seed, index + 2, err));
  out->used = own + other;
done:
  if (status != ANORANK_OK) ank_known_anomalies_free(out);
  return status;
}
