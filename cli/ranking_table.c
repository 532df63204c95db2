/* ranking_table.c - findings as a table for people: 80 columns, reasons wrapped beside the numbers. */
#include <math.h>
#include <string.h>

#include "ranking.h"
#include "text.h"

enum { MOST_SHOWN_TIES = 2, ID_WIDTH = 12, LEAST_REASONS = 28, REASON_INDENT = 7 };

void cli_four_digits(char *text, size_t size, double value) {
  if (value != 0 && fabs(value) < 0.001)
    snprintf(text, size, "%.1e", value);
  else if (fabs(value) >= 1e5)
    snprintf(text, size, "%.3g", value);
  else
    snprintf(text, size, fabs(value) < 10 ? "%.4f" : "%.2f", value);
}

/* Text in so many columns, to the left; cut where it is longer. */
static void put_left(FILE *stream, const char *text, size_t width) {
  char shown[256];
  cli_printable(shown, sizeof shown, text);
  size_t bytes = strlen(shown);
  while (cli_text_width(shown) > width) shown[--bytes] = '\0';
  while (bytes > 0 && ((unsigned char)shown[bytes - 1] & 0xC0) == 0xC0)
    shown[--bytes] = '\0'; /* half a character */
  fprintf(stream, "  %s%*s", shown, (int)(width - cli_text_width(shown)), "");
}

static size_t digits_of(size_t n) {
  size_t digits = 1;
  for (; n >= 10; n /= 10) digits++;
  return digits;
}

typedef struct layout {
  size_t rank, row, reasons; /* widths, and where the reasons begin; 0: on lines of their own */
} layout;

static layout lay_out(const cli_ranking *ranking, size_t columns) {
  layout at = {.rank = 4, .row = digits_of(anorank_verdict_rows(ranking->verdict))};
  if (at.row < 3) at.row = 3;
  size_t count = anorank_verdict_count(ranking->verdict);
  if (digits_of(count) > at.rank) at.rank = digits_of(count);
  at.reasons = at.rank + 2 + at.row + ranking->kept * (2 + ID_WIDTH) + 3 * (2 + 8) + 2;
  if (at.reasons + LEAST_REASONS > columns) at.reasons = 0;
  return at;
}

static void put_reasons(FILE *stream, const cli_ranking *ranking, size_t i, size_t at, size_t indent,
                        size_t columns) {
  char text[2048] = "";
  size_t used = 0;
  for (size_t k = 0; k < anorank_verdict_at(ranking->verdict, i)->reasons && used + 4 < sizeof text; k++) {
    if (k > 0) memcpy(text + used, "; ", 3), used += 2;
    used += anorank_reason_text(anorank_verdict_reason(ranking->verdict, i, k), text + used, sizeof text - used);
  }
  cli_wrap(stream, text, at, indent, columns);
}

static void put_finding(FILE *stream, const cli_ranking *ranking, size_t i, layout at, size_t columns) {
  const anorank_finding *one = anorank_verdict_at(ranking->verdict, i);
  char cell[256], score[32], p[32], q[32];
  cli_four_digits(score, sizeof score, one->score);
  cli_four_digits(p, sizeof p, one->p_value);
  cli_four_digits(q, sizeof q, one->q_value);
  fprintf(stream, "%s%*zu%s  %*zu", cli_style(stream, CLI_BOLD), (int)at.rank, one->rank,
          cli_style(stream, CLI_PLAIN), (int)at.row, one->row + 1);
  for (size_t j = 0; j < ranking->kept; j++) {
    anorank_table_text(ranking->findings, j, i, cell, sizeof cell);
    put_left(stream, cell, ID_WIDTH);
  }
  fprintf(stream, "  %8s  %8s  %8s", score, p, q);
  if (one->reasons == 0)
    fputc('\n', stream);
  else if (at.reasons)
    fputs("  ", stream), put_reasons(stream, ranking, i, at.reasons, at.reasons, columns);
  else
    fprintf(stream, "\n%*s", REASON_INDENT, ""),
        put_reasons(stream, ranking, i, REASON_INDENT, REASON_INDENT, columns);
}

static void put_header(FILE *stream, const cli_ranking *ranking, const cli_call *call, layout at) {
  fprintf(stream, "%s%*s  %*s", cli_style(stream, CLI_BOLD), (int)at.rank, "rank", (int)at.row, "row");
  for (size_t j = 0; j < ranking->kept; j++)
    put_left(stream, anorank_table_name(ranking->findings, j), ID_WIDTH);
  fprintf(stream, "  %8s  %8s  %8s%s%s\n", "score", "p-value", "q-value",
          at.reasons && call->settings.reasons > 0 ? "  reasons" : "", cli_style(stream, CLI_PLAIN));
}

/* How many rows from place i on have its score. */
static size_t tied_from(const cli_ranking *ranking, size_t i) {
  double score = anorank_verdict_at(ranking->verdict, i)->score;
  size_t count = anorank_verdict_count(ranking->verdict), end = i + 1;
  while (end < count && anorank_verdict_at(ranking->verdict, end)->score == score) end++;
  return end - i;
}

void cli_ranking_table(FILE *stream, const cli_ranking *ranking, const cli_call *call) {
  size_t columns = cli_columns(stream), count = anorank_verdict_count(ranking->verdict);
  layout at = lay_out(ranking, columns);
  if (count == 0) {
    fprintf(stream, "no row of %zu is reported\n", anorank_verdict_rows(ranking->verdict));
    return;
  }
  put_header(stream, ranking, call, at);
  for (size_t i = 0; i < count && !ferror(stream) && !cli_interrupted();) {
    size_t tied = tied_from(ranking, i), shown = tied > MOST_SHOWN_TIES ? 1 : tied;
    for (size_t k = 0; k < shown; k++) put_finding(stream, ranking, i + k, at, columns);
    if (tied > shown)
      fprintf(stream, "%*s  and %zu more rows tied at this score\n", (int)at.rank, "", tied - shown);
    i += tied;
  }
  char text[256];
  snprintf(text, sizeof text, "%zu of %zu rows, most abnormal first; a lower score is more abnormal.%s", count,
           anorank_verdict_rows(ranking->verdict),
           ranking->cut ? " --lowest, --mass or --fdr choose others; --format csv or -o FILE gives all." : "");
  fputc('\n', stream);
  cli_wrap(stream, text, 0, 0, columns);
}
