/* reproduction.c - the paper's experiment for the outside: arguments are checked here, then inward. */
#include "paper/figure_paper.h"
#include "paper/table_one.h"

anorank_status anorank_reproduce(anorank_reproduction **out, const anorank_settings *settings,
                                 anorank_error *err) {
  ANK_NEED(out);
  *out = NULL;
  return ank_reproduce(out, ank_settings_or_default(settings), err);
}

void anorank_reproduction_free(anorank_reproduction *reproduction) { ank_reproduction_free(reproduction); }

const anorank_accuracy *anorank_reproduction_table(const anorank_reproduction *reproduction, size_t *count) {
  if (count) *count = reproduction ? ANK_PAPER_COLUMNS : 0;
  return reproduction ? reproduction->table : NULL;
}

size_t anorank_reproduction_lambdas(const anorank_reproduction *reproduction, const double **lambdas,
                                    const size_t **chosen) {
  if (lambdas) *lambdas = reproduction ? reproduction->lambdas : NULL;
  if (chosen) *chosen = reproduction ? reproduction->chosen : NULL;
  return reproduction ? reproduction->lambda_count : 0;
}

size_t anorank_reproduction_networks(const anorank_reproduction *reproduction, double *seconds) {
  if (seconds) *seconds = reproduction ? reproduction->seconds : 0;
  return reproduction ? reproduction->networks : 0;
}

anorank_status anorank_reproduction_write(const anorank_reproduction *reproduction, const char *folder,
                                          void (*written)(void *context, const char *path), void *context,
                                          anorank_error *err) {
  ANK_NEED(reproduction);
  ANK_NEED(folder);
  if (!*folder)
    return ank_fail(err, ANORANK_ERROR_USAGE, "output-name-empty",
                    "the name of the folder to write to is empty");
  return ank_reproduction_write(reproduction, folder, written, context, err);
}
