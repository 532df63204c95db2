/* series.h - the examples "fleet" and "kpi": generated numbers over time, with synthetic incidents of many
 * rows. Row i depends on the seed and i alone: correlated noise is a weighted sum of earlier draws, and
 * incidents are drawn by blocks of time. */
#ifndef ANK_EXAMPLE_SERIES_H
#define ANK_EXAMPLE_SERIES_H

#include "table/table.h"

/* Make settings->rows rows from settings->first_row on. */
anorank_status ank_fleet_make(anorank_table **out, const anorank_settings *settings, anorank_error *err);
anorank_status ank_kpi_make(anorank_table **out, const anorank_settings *settings, anorank_error *err);

#endif
