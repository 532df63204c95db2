/* judge.h - shared declarations of `anorank judge`. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include "anorank/experimental.h"
#include "options.h"

/* One column of scores. The values belong to `table` unless they were reversed. */
typedef struct cli_scores {
  anorank_table *table; /* NULL if another cli_scores owns it */
  const double *values;
  double *own_values; /* NULL, or what `values` points to */
  size_t rows;
  char label[256]; /* file and column, for people */
  char column[256];
} cli_scores;

/* The inputs and results, for text and JSON output. */
typedef struct cli_judged {
  cli_scores x, u;             /* the scores to judge */
  cli_scores extremes;         /* from --contrast-extremes; the values are NULL without it */
  cli_scores other_x, other_u; /* from --against; the values are NULL without it */
  cli_scores other_extremes;
  anorank_judgement *judgement;
  anorank_judgement *other_judgement; /* with --against, without bands */
  anorank_judgement *other_bands;     /* only for the figure */
  anorank_comparison comparison;
  anorank_judgement *by_extremes[2]; /* with --contrast-extremes: of the scores, and of those of --against */
  anorank_comparison extremes_comparison;
  anorank_two_laws laws;
  int blind;             /* for both scorers: the contrast sample cannot compare them */
  unsigned char *labels; /* NULL without --labels */
  anorank_labelled labelled;
  anorank_precision *accuracies;
  size_t accuracy_count;
} cli_judged;

/* Read the files and columns that the options name. Returns 0 or the exit code, after the message. */
int cli_judge_read(cli_judged *result, cli_call *call);
void cli_scores_free(cli_scores *scores);

void cli_judge_text(FILE *stream, const cli_judged *result, const cli_call *call);
void cli_judge_json(FILE *stream, const cli_judged *result, const cli_call *call);

/* Write the result of the comparison as a sentence. */
void cli_judge_compared(char *text, size_t size, const cli_judged *result, double level);

#endif
