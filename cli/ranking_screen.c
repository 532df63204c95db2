/* ranking_screen.c - findings as a text table: the headline, most abnormal rows first, reasons beside the numbers or
 * below them. On a terminal it uses the whole width and, without a requested number of rows, at most one
 * screen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/print.h"
#include "ranking_report.h"
#include "text.h"

enum {
  FEWEST_ROWS = 3,  /* rows on the smallest terminal */
  ID_WIDTH = 24,    /* width of an identifier, at most */
  LEAST_ID = 8,     /* width that it keeps if there are many */
  NUMBER_WIDTH = 8, /* of score, p-value, q-value */
  TIER_WIDTH = 7,
  LEAST_REASONS = 44, /* columns for reasons beside the numbers; otherwise they get separate lines */
  REASON_INDENT = 7,
  MOST_REASON_LINES = 2
};

void cli_four_digits(char *text, size_t size, double value) {
  if (value != 0 && fabs(value) < 0.001)
    ank_print(text, size, "%.1e", value);
  else if (fabs(value) >= 1e5)
    ank_print(text, size, "%.3g", value);
  else
    ank_print(text, size, fabs(value) < 10 ? "%.4f" : "%.2f", value);
}

static size_t digits_of(size_t n) {
  size_t digits = 1;
  for (; n >= 10; n /= 10) digits++;
  return digits;
}

/* The layout of the table. */
typedef struct layout {
  size_t columns;      /* of the terminal */
  size_t rank, row;    /* widths */
  size_t *of;          /* columns of the findings shown as cells: identifiers, start, end, rows */
  size_t *ids;         /* their widths */
  size_t cells;        /* number of them */
  size_t shown_ids;    /* number that fits; a mark follows if some do not */
  size_t from, to;     /* numbers shown: score, p-value, q-value */
  int tiers;           /* the tier of each row is shown, because no rate is guaranteed */
  size_t reasons;      /* first column of the reasons; 0: on separate lines */
  size_t reason_lines; /* at most, for one row */
} layout;

static size_t id_width(const cli_ranking *ranking, size_t id) {
  char cell[256];
  size_t width = cli_text_width(anorank_table_name(ranking->findings, id));
  size_t count = anorank_ranking_get_info(cli_shown(ranking))->count;
  for (size_t i = 0; i < count && i < 1000; i++) {
    anorank_table_text(ranking->findings, id, i, cell, sizeof cell);
    size_t needed = cli_text_width(cell);
    if (needed > width) width = needed;
  }
  return width < ID_WIDTH ? width : ID_WIDTH;
}

/* Narrow the widest identifiers until all fit into `room` columns; if they cannot, leave out the last ones. */
static void fit_ids(layout *at, size_t count, size_t room) {
  size_t needed = 0;
  for (size_t j = 0; j < count; j++) needed += 2 + at->ids[j];
  while (needed > room) {
    size_t widest = 0;
    for (size_t j = 1; j < count; j++)
      if (at->ids[j] > at->ids[widest]) widest = j;
    if (at->ids[widest] <= LEAST_ID) break;
    at->ids[widest]--;
    needed--;
  }
  at->shown_ids = count;
  while (at->shown_ids > 0 && needed + (at->shown_ids < count ? 3 : 0) > room)
    needed -= 2 + at->ids[--at->shown_ids];
}

/* Return the position of the column `start` of incidents and entities; 0: findings are rows. */
static size_t find_start(const cli_ranking *ranking) {
  size_t at = anorank_table_find(ranking->findings, "start");
  return at != SIZE_MAX && at > ranking->kept ? at : 0;
}

/* Choose identifiers. Incidents and entities have all but the time, then their start, end and number of
 * rows. */
static void choose_cells(layout *at, const cli_ranking *ranking, const cli_call *call) {
  size_t start = find_start(ranking);
  const char *time = anorank_settings_text(call->settings, "time");
  for (size_t j = 0; j < ranking->kept; j++)
    if (!start || strcmp(anorank_table_name(ranking->findings, j), time) != 0) at->of[at->cells++] = j;
  for (size_t k = 0; start && k < 3; k++) at->of[at->cells++] = start + k;
  at->from = start ? 1 : 0; /* scores and q-values are of rows */
  at->to = start ? 2 : 3;
  if (start || anorank_settings_number(call->settings, "fdr") > 0 ||
      anorank_settings_number(call->settings, "mass") > 0)
    return;
  anorank_headline_kind kind = anorank_ranking_get_info(cli_shown(ranking))->headline.kind;
  if (kind == ANORANK_HEADLINE_RATE) return;
  at->tiers = kind != ANORANK_HEADLINE_SHIFT; /* then all rows are far from the training rows */
  at->to = kind == ANORANK_HEADLINE_APART ? 2 : 1;
}

static layout lay_out(FILE *stream, const cli_ranking *ranking, const cli_call *call) {
  size_t count = anorank_ranking_get_info(cli_shown(ranking))->count;
  layout at = {.columns = cli_width(stream),
               .rank = digits_of(count) > 4 ? digits_of(count) : 4,
               .row = digits_of(anorank_ranking_get_info(cli_shown(ranking))->rows),
               .of = cli_allocate(ranking->kept + 3, sizeof *at.of),
               .ids = cli_allocate(ranking->kept + 3, sizeof *at.ids)};
  if (at.row < 3) at.row = 3;
  choose_cells(&at, ranking, call);
  size_t others = at.rank + 2 + at.row + (at.to - at.from) * (2 + NUMBER_WIDTH);
  if (at.tiers) others += 2 + TIER_WIDTH;
  for (size_t j = 0; j < at.cells; j++) at.ids[j] = id_width(ranking, at.of[j]);
  fit_ids(&at, at.cells, at.columns > others ? at.columns - others : 0);
  at.reasons = others + 2 + (at.shown_ids < at.cells ? 3 : 0);
  for (size_t j = 0; j < at.shown_ids; j++) at.reasons += 2 + at.ids[j];
  if (at.reasons + LEAST_REASONS > at.columns) at.reasons = 0;
  int brief = cli_height(stream) > 0 && !call->verbose;
  at.reason_lines = !brief ? SIZE_MAX : at.reasons ? MOST_REASON_LINES : 1;
  return at;
}

/* Join the first `count` reasons of finding i in one text, with dots for the others. */
static void join_reasons(char *text, size_t size, const cli_ranking *ranking, size_t i, size_t count) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t k = 0; k < count && used + 4 < size; k++) {
    if (k > 0) memcpy(text + used, "; ", 3), used += 2;
    used += anorank_reason_text(anorank_ranking_reason(cli_shown(ranking), i, k), text + used, size - used);
    if (used > size - 1) used = size - 1;
  }
  if (count < anorank_ranking_at(cli_shown(ranking), i)->reasons && used + 6 < size)
    memcpy(text + used, "; …", sizeof "; …");
}

/* Choose as many complete reasons as fit; at least one, which may be truncated. */
static void choose_reasons(char *text, size_t size, const cli_ranking *ranking, size_t i, size_t indent,
                           const layout *at) {
  for (size_t count = anorank_ranking_at(cli_shown(ranking), i)->reasons; count > 0; count--) {
    join_reasons(text, size, ranking, i, count);
    if (at->reason_lines == SIZE_MAX ||
        cli_wrap_most(NULL, text, indent, indent, at->columns, SIZE_MAX) <= at->reason_lines)
      return;
  }
}

/* Return the lines of finding i, and write them unless the stream is NULL. */
static size_t put_reasons(FILE *stream, const cli_ranking *ranking, size_t i, const layout *at) {
  char text[2048];
  size_t indent = at->reasons ? at->reasons : REASON_INDENT;
  size_t own = at->reasons ? 0 : 1; /* the line of the numbers */
  if (anorank_ranking_at(cli_shown(ranking), i)->reasons == 0) {
    if (stream) fputc('\n', stream);
    return 1;
  }
  choose_reasons(text, sizeof text, ranking, i, indent, at);
  if (stream && own) fputc('\n', stream);
  if (stream) fprintf(stream, "%*s", own ? REASON_INDENT : 2, "");
  return own + cli_wrap_most(stream, text, indent, indent, at->columns, at->reason_lines);
}

static void put_finding(FILE *stream, const cli_ranking *ranking, size_t i, const layout *at) {
  static const char *const tiers[] = {"rest", "unusual", "apart"};
  char cell[256];
  const anorank_finding *one = anorank_ranking_at(cli_shown(ranking), i);
  const double numbers[] = {one->score, one->p_value, one->q_value};
  fprintf(stream, "%s%*zu%s  %*zu", cli_style(stream, CLI_BOLD), (int)at->rank, one->rank,
          cli_style(stream, CLI_PLAIN), (int)at->row, one->row + 1);
  for (size_t j = 0; j < at->shown_ids; j++) {
    anorank_table_text(ranking->findings, at->of[j], i, cell, sizeof cell);
    fputs("  ", stream);
    cli_put_cell(stream, cell, at->ids[j], 0);
  }
  if (at->shown_ids < at->cells) fputs("  …", stream);
  for (size_t k = at->from; k < at->to; k++) {
    cli_four_digits(cell, sizeof cell, numbers[k]);
    fprintf(stream, "  %*s", NUMBER_WIDTH, cell);
  }
  if (at->tiers) fprintf(stream, "  %-*s", at->reasons ? TIER_WIDTH : 0, tiers[one->tier]);
  (void)put_reasons(stream, ranking, i, at);
}

static void put_header(FILE *stream, const cli_ranking *ranking, const layout *at, int reasons) {
  static const char *const titles[] = {"score", "p-value", "q-value"};
  fprintf(stream, "%s%*s  %*s", cli_style(stream, CLI_BOLD), (int)at->rank, "rank", (int)at->row, "row");
  for (size_t j = 0; j < at->shown_ids; j++) {
    fputs("  ", stream);
    cli_put_cell(stream, anorank_table_name(ranking->findings, at->of[j]), at->ids[j], 0);
  }
  if (at->shown_ids < at->cells) fputs("  …", stream);
  for (size_t k = at->from; k < at->to; k++) fprintf(stream, "  %*s", NUMBER_WIDTH, titles[k]);
  if (at->tiers) fprintf(stream, "  %-*s", reasons && at->reasons ? TIER_WIDTH : 0, "tier");
  fprintf(stream, "%s%s\n", reasons && at->reasons ? "  reasons" : "", cli_style(stream, CLI_PLAIN));
}

/* Return the number of findings from `i` on that share its rank. */
static size_t tied_at(const cli_ranking *ranking, size_t i) {
  size_t count = anorank_ranking_get_info(cli_shown(ranking))->count, next = i + 1;
  size_t rank = anorank_ranking_at(cli_shown(ranking), i)->rank;
  while (next < count && anorank_ranking_at(cli_shown(ranking), next)->rank == rank) next++;
  return next - i;
}

/* Write "= 88 more rows with this score: 24, 31, 40, …" in one line. */
static void put_ties(FILE *stream, const cli_ranking *ranking, size_t first, size_t tied, const layout *at) {
  char text[512], count[32];
  size_t used = (size_t)snprintf(text, sizeof text, "= %s more row%s with this score:",
                                 ank_count_text(count, sizeof count, tied - 1), tied == 2 ? "" : "s");
  for (size_t k = 1; k < tied && used + 32 < sizeof text; k++)
    used +=
        (size_t)snprintf(text + used, sizeof text - used, " %zu%s",
                         anorank_ranking_at(cli_shown(ranking), first + k)->row + 1, k + 1 < tied ? "," : "");
  fprintf(stream, "%*s", REASON_INDENT, "");
  (void)cli_wrap_most(stream, text, REASON_INDENT, REASON_INDENT, at->columns, 1);
}

/* Return the number of findings to show: all requested ones, or as many as fit on the terminal. */
static size_t choose_shown(FILE *stream, const cli_ranking *ranking, const cli_call *call, const layout *at) {
  enum { AROUND = 6 }; /* the command, the answer, the header, the last line, an empty one, the prompt */
  size_t count = anorank_ranking_get_info(cli_shown(ranking))->count, height = cli_height(stream), shown = 0,
         groups = 0;
  if (height == 0 || call->verbose ||
      (anorank_settings_integer(call->settings, "lowest") > 0 && !ranking->cut))
    return count;
  size_t lines = AROUND + cli_notes_lines(&ranking->notes, call);
  while (shown < count) {
    size_t tied = tied_at(ranking, shown);
    lines += put_reasons(NULL, ranking, shown, at) + (tied > 1);
    if (lines > height && groups >= FEWEST_ROWS) break;
    shown += tied;
    groups++;
  }
  return shown;
}

/* Write ", 4 of 14 far apart": rows far down the order may exceed the limit of a column. */
static void write_apart(char *text, size_t size, const cli_ranking *ranking, size_t shown) {
  size_t all = anorank_ranking_get_info(cli_shown(ranking))->headline.apart, seen = 0;
  char few[32], many[32];
  for (size_t i = 0; i < shown; i++)
    seen += anorank_ranking_at(cli_shown(ranking), i)->tier == ANORANK_TIER_APART;
  if (seen == all) return;
  snprintf(text, size, ", %s of %s far apart", ank_count_text(few, sizeof few, seen),
           ank_count_text(many, sizeof many, all));
}

static void put_last_line(FILE *stream, const cli_ranking *ranking, const cli_call *call, size_t shown) {
  char text[256], few[32], all[32], apart[96] = "";
  const anorank_ranking_info *info = anorank_ranking_get_info(cli_shown(ranking));
  size_t there = find_start(ranking) == 0 ? info->rows
                 : anorank_settings_integer(call->settings, "rank-entities") != 0
                     ? info->headline.entities
                     : info->headline.listed_incidents;
  if (!ranking->cut && shown == info->count) return;
  if (find_start(ranking) > 0 && shown == there) return;
  if (find_start(ranking) == 0 && info->headline.kind != ANORANK_HEADLINE_SHIFT)
    write_apart(apart, sizeof apart, ranking, shown);
  ank_count_text(few, sizeof few, shown);
  ank_count_text(all, sizeof all, ranking->cut ? there : info->count);
  snprintf(text, sizeof text, "%s of %s shown%s; %s, -o FILE writes all", few, all, apart,
           ranking->cut ? "--lowest K shows more" : "-v shows all");
  fputs(cli_style(stream, CLI_DIM), stream);
  cli_wrap(stream, text, 0, 0, cli_columns(stream));
  fputs(cli_style(stream, CLI_PLAIN), stream);
}

void cli_ranking_table(FILE *stream, const cli_ranking *ranking, const cli_call *call) {
  char answer[512];
  snprintf(answer, sizeof answer, "%s", anorank_ranking_get_info(cli_shown(ranking))->answer);
  if (answer[0] >= 'a' && answer[0] <= 'z') answer[0] ^= 0x20; /* a sentence here, a note elsewhere */
  fputs(cli_style(stream, CLI_BOLD), stream);
  cli_wrap(stream, answer, 0, 0, cli_columns(stream));
  fputs(cli_style(stream, CLI_PLAIN), stream);
  if (anorank_ranking_get_info(cli_shown(ranking))->count == 0) return;
  layout at = lay_out(stream, ranking, call);
  size_t shown = choose_shown(stream, ranking, call, &at);
  put_header(stream, ranking, &at, anorank_settings_integer(call->settings, "reasons") > 0);
  for (size_t i = 0, tied; i < shown; i += tied) {
    tied = tied_at(ranking, i);
    put_finding(stream, ranking, i, &at);
    if (tied > 1) put_ties(stream, ranking, i, tied, &at);
  }
  put_last_line(stream, ranking, call, shown);
  free(at.ids);
  free(at.of);
}
