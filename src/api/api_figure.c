/* api_figure.c - the public door to figures: check the arguments, then inward. */
#include "report/figure_mass_volume.h"

anorank_status anorank_figure_mass_volume(const char *path, const anorank_judgement *first,
                                          const char *first_label, const anorank_judgement *second,
                                          const char *second_label, anorank_error *err) {
  if (!path || !*path)
    return ank_fail(err, ANORANK_ERROR_USAGE,
                    "anorank_figure_mass_volume: no path to write to; give a file name or \"-\"");
  if (!first)
    return ank_fail(err, ANORANK_ERROR_USAGE,
                    "anorank_figure_mass_volume: no judgement to draw; make one with anorank_judge");
  return ank_figure_mass_volume(path, first, first_label, second, second_label, err);
}
