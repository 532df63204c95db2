/* results.c - see results.h. */
#include "model/results.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "prepare/prepare.h"
#include "table/raw_cells.h"

anorank_status ank_results_choose(size_t *chosen, size_t *count, const size_t *ids, size_t id_count,
                                  const anorank_table *table, const char *keep, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *named = NULL;
  ANK_TRY(ank_alloc(&named, table->columns, 1, err));
  if (strcmp(keep, "all") == 0)
    memset(named, 1, table->columns);
  else
    ANK_TRY(ank_mark_named(named, 1, keep, "keep", table, err));
  for (size_t k = 0; k < id_count; k++) named[ids[k]] = 0;
  memcpy(chosen, ids, id_count * sizeof *chosen);
  *count = id_count;
  for (size_t j = 0; j < table->columns; j++)
    if (named[j]) chosen[(*count)++] = j;
done:
  ank_free(named);
  return status;
}

static anorank_status set_other_name(anorank_table *out, size_t column, const char *name,
                                     anorank_error *err) {
  size_t length = strlen(name);
  char *other = NULL;
  anorank_status status = ank_alloc_raw(&other, length + 24, 1, err);
  if (status != ANORANK_OK) return status;
  memcpy(other, name, length + 1);
  for (size_t k = 1; ank_levels_find(&out->names, other, strlen(other)) >= 0; k++)
    snprintf(other + length, 24, "_%zu", k);
  status = ank_table_set_name(out, column, other, strlen(other), err);
  ank_free(other);
  return status;
}

anorank_status ank_results_like(anorank_table *out, size_t column, const ank_column *from,
                                anorank_error *err) {
  ank_table_set_kind(out, column, from->kind);
  out->column[column].resolution = from->resolution;
  return ank_raw_cells_like(&out->column[column], from, 0, err);
}

anorank_status ank_results_columns(anorank_table *out, const anorank_table *table, const size_t *chosen,
                                   size_t count, anorank_error *err) {
  for (size_t k = 0; k < count; k++) {
    const ank_column *from = &table->column[chosen[k]];
    ANK_CHECK(set_other_name(out, k, from->name, err));
    ANK_CHECK(ank_results_like(out, k, from, err));
  }
  out->capacity = 0; /* to be reserved with room for the texts */
  return ANORANK_OK;
}
