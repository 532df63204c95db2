/* judgement_parts.h - output that `judge`, `evaluate` and `compare` share, as text and as JSON. */
#ifndef CLI_JUDGEMENT_PARTS_H
#define CLI_JUDGEMENT_PARTS_H

#include "anorank/experimental.h"
#include "json.h"
#include "options.h"

/* ---- text ---- */

/* Write "0.0312", or "< 0.0001". Returns `text`. */
const char *cli_p_equals(char *text, size_t size, double p); /* writes "p = 0.0123", "p < 0.0001" */

/* Write the level without rounding noise: "95 %", "99.9 %". Returns `text`. */
const char *cli_level_text(char *text, size_t size, double level);

/* Print a heading after an empty line. */
void cli_head(FILE *stream, const char *title);

/* Print sentences, indented and wrapped. */
void cli_print_note(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Return decimals that show two digits of the distance of an area from 0 or 1. */
int cli_area_decimals(anorank_interval area);

/* Print the area as a probability, in a sentence. */
void cli_say_odds(FILE *stream, const anorank_judgement *judgement, double level);
void cli_print_area(FILE *stream, const anorank_judgement *judgement, double level);
void cli_print_saturation(FILE *stream, const anorank_judgement *judgement);
void cli_print_w(FILE *stream, const anorank_judgement *judgement);

/* `volume`: the name of the share of the contrast rows. */
void cli_print_partial(FILE *stream, const anorank_judgement *judgement, double level, const char *volume);

/* Print the results of two contrast laws. */
void cli_print_laws(FILE *stream, const anorank_two_laws *laws, double level);

/* Print which of two is better at the abnormal end, in a sentence; `is` follows "the first". */
void cli_say_end(FILE *stream, const anorank_comparison *comparison, double level, const char *is);
void cli_print_labelled(FILE *stream, const anorank_labelled *labelled, const anorank_precision *precision,
                        size_t count, double level);

/* ---- JSON. The keys are part of the interface: add, never rename ---- */

void cli_json_comparison(ank_json *json, const anorank_comparison *comparison, const char *result);

/* Write settings of these groups that can change the result. Threads and memory are excluded, so that the
 * bytes do not depend on the machine. */
void cli_json_settings(ank_json *json, const cli_call *call, unsigned groups);

/* Print the names of the files of --curve, --excess and --figure. */
void cli_print_written(FILE *stream, const cli_call *call);

#endif
