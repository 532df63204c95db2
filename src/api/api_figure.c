/* api_figure.c - the public door to figures: check the arguments, then inward. */
#include "report/figure_mass_volume.h"

anorank_status anorank_figure_mass_volume(const char *path, const anorank_judgement *first,
                                          const char *first_label, const anorank_judgement *second,
                                          const char *second_label, anorank_error *err) {
  ANK_NEED(path);
  ANK_NEED(first);
  if (!*path) return ank_fail(err, ANORANK_ERROR_USAGE, "the name of the file to write is empty");
  return ank_figure_mass_volume(path, first, first_label, second, second_label, err);
}
