/* figure_mass_volume.h - the mass-volume curves of one or two judgements as a figure. */
#ifndef ANK_REPORT_FIGURE_MASS_VOLUME_H
#define ANK_REPORT_FIGURE_MASS_VOLUME_H

#include "anorank/criterion.h"
#include "core/output.h"

/* `second` may be NULL; a label that is NULL or "" becomes "curve", or "first" and "second". */
anorank_status ank_figure_mass_volume(ank_output *output, const anorank_judgement *first,
                                      const char *first_label, const anorank_judgement *second,
                                      const char *second_label, anorank_error *err);

#endif
