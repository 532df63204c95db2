/* judgement_parts.h - output that `judge`, `evaluate` and `compare` share, as text and as JSON. */
#ifndef CLI_JUDGEMENT_PARTS_H
#define CLI_JUDGEMENT_PARTS_H

#include "anorank/experimental.h"
#include "json.h"
#include "options.h"

/* ---- text ---- */

/* "0.0312", or "< 0.0001". Returns `text`. */
const char *cli_p_equals(char *text, size_t size, double p); /* "p = 0.0123", "p < 0.0001" */

/* "95 %", "99.9 %": the level without noise. Returns `text`. */
const char *cli_level_text(char *text, size_t size, double level);

/* A heading after an empty line. */
void cli_head(FILE *stream, const char *title);

/* A sentence or more, indented and wrapped. */
void cli_print_note(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Decimals that show two digits of the distance of an area from 0 or 1. */
int cli_area_decimals(anorank_interval area);

/* The area as a chance, in a sentence. */
void cli_say_odds(FILE *stream, const anorank_judgement *judgement, double level);
void cli_print_area(FILE *stream, const anorank_judgement *judgement, double level);
void cli_print_saturation(FILE *stream, const anorank_judgement *judgement);
void cli_print_w(FILE *stream, const anorank_judgement *judgement);

/* `volume`: what the share of the contrast rows is called. */
void cli_print_partial(FILE *stream, const anorank_judgement *judgement, double level, const char *volume);

/* What two contrast laws say. */
void cli_print_laws(FILE *stream, const anorank_two_laws *laws, double level);

/* Which of two is better at the abnormal end, in a sentence; `is`: what follows "the first". */
void cli_say_end(FILE *stream, const anorank_comparison *comparison, double level, const char *is);
void cli_print_labelled(FILE *stream, const anorank_labelled *labelled, const anorank_precision *precision,
                        size_t count, double level);

/* ---- JSON. The keys are part of the interface: add, never rename ---- */

void cli_json_comparison(ank_json *json, const anorank_comparison *comparison, const char *result);

/* Settings of these groups that can change the result. Threads and memory are excluded, so that the bytes do
 * not depend on the machine. */
void cli_json_settings(ank_json *json, const cli_call *call, unsigned groups);

/* The files that --curve, --excess and --figure name. */
void cli_print_written(FILE *stream, const cli_call *call);

#endif
