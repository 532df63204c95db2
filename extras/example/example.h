/* example.h - built-in tables to try the program on: realistic, generated, with planted anomalies.
 *
 * Row i depends on the seed and i alone, so a table may be made in parts and larger than memory. To add one:
 * write extras/example/NAME.c with an ank_example and add it to the registry in example.c. */
#ifndef ANK_EXAMPLE_EXAMPLE_H
#define ANK_EXAMPLE_EXAMPLE_H

#include "anorank/extras.h"
#include "table/table.h"

typedef struct ank_example {
  anorank_example info;

  /* settings->rows rows from settings->first_row on. */
  anorank_status (*make)(anorank_table **out, const anorank_settings *settings, anorank_error *err);
} ank_example;

extern const ank_example ank_example_cards;

#endif
