/* headline.c - see headline.h. */
#include "ranking/headline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/method_constants.h"
#include "core/print.h"

const char *ank_tier_word(anorank_tier tier) {
  static const char *const words[] = {"rest", "unusual", "apart"};
  return words[tier];
}

/* ---- tiers ------------------------------------------------------------------------------------------- */

void ank_tiers_find(unsigned char *tier, const anorank_model *model, const ank_match *match,
                    const anorank_table *table, const double *scores) {
  const ank_limits *limits = &model->limits;
  for (size_t i = 0; i < table->rows; i++)
    tier[i] = scores[i] < limits->apart     ? ANORANK_TIER_APART
              : scores[i] < limits->unusual ? ANORANK_TIER_UNUSUAL
                                            : ANORANK_TIER_REST;
  for (size_t c = 0; c < limits->columns; c++) {
    size_t at = ank_match_column(match, c);
    double low = limits->low[c], high = limits->high[c];
    if (at == SIZE_MAX || table->column[at].kind == ANORANK_CATEGORICAL || (isinf(low) && isinf(high)))
      continue;
    const double *number = table->column[at].numbers;
    for (size_t i = 0; i < table->rows; i++)
      if (number[i] < low || number[i] > high) tier[i] = ANORANK_TIER_APART;
  }
}

void ank_tiers_count(ank_tier_counts *counts, const anorank_model *model, const unsigned char *tier,
                     const double *scores, size_t rows) {
  double middle = anorank_model_score_at(model, 0.5);
  counts->rows += rows;
  for (size_t i = 0; i < rows; i++) {
    counts->apart += tier[i] == ANORANK_TIER_APART;
    counts->unusual += tier[i] == ANORANK_TIER_UNUSUAL;
    counts->high += scores[i] > middle;
  }
}

/* ---- the case ---------------------------------------------------------------------------------------- */

void ank_headline_decide(anorank_headline *out, const anorank_model *model, const ank_tier_counts *counts,
                         int own, const anorank_settings *settings) {
  const anorank_dependence *history = &model->dependence;
  *out = (anorank_headline){.apart = counts->apart, .unusual = counts->unusual, .dependence = *history};
  if (!own && counts->rows > 0) out->differing = fmax(0, 1 - 2 * (double)counts->high / (double)counts->rows);
  if (counts->rows >= ANK_SHIFT_FEWEST && out->differing >= ANK_SHIFT_SHARE)
    out->kind = ANORANK_HEADLINE_SHIFT;
  else if (out->dependence.dependent || model->context) /* recent rows are in what a row is scored by */
    out->kind = ANORANK_HEADLINE_DEPENDENT;
  else if (!own && model->settings.train == ANORANK_TRAIN_CLEAN && history->tested)
    out->kind = ANORANK_HEADLINE_RATE;
  else
    out->kind = ANORANK_HEADLINE_APART;
  if (out->kind == ANORANK_HEADLINE_RATE) out->rate = settings->fdr > 0 ? settings->fdr : ANORANK_USUAL_FDR;
}

/* ---- words ------------------------------------------------------------------------------------------- */

/* "9 of 1,000 rows are far apart from the rest; 40 more are unusual" */
static void tiers_text(char *text, size_t size, const anorank_headline *headline, size_t rows) {
  char apart[32], unusual[32], all[32];
  ank_count_text(apart, sizeof apart, headline->apart);
  ank_count_text(unusual, sizeof unusual, headline->unusual);
  ank_count_text(all, sizeof all, rows);
  int used = headline->apart == 0 ? snprintf(text, size, "no row of %s is far apart from the rest", all)
                                  : snprintf(text, size, "%s of %s rows %s far apart from the rest", apart,
                                             all, headline->apart == 1 ? "is" : "are");
  if (headline->unusual > 0 && used > 0 && (size_t)used < size)
    snprintf(text + used, size - (size_t)used, "; %s%s %s unusual", unusual,
             headline->apart > 0 ? " more" : "", headline->unusual == 1 ? "is" : "are");
}

/* The number of selected rows, and the assumption of the rate. */
static void selection_text(char *text, size_t size, const anorank_headline *headline, size_t rows,
                           size_t selected, const anorank_settings *settings) {
  char found[32] = "no row", all[32];
  if (selected > 0) ank_count_text(found, sizeof found, selected);
  ank_count_text(all, sizeof all, rows);
  if (settings->mass > 0)
    ank_print(text, size, "%s of %s%s look%s more unusual than %.6g %% of normal rows", found, all,
              selected ? " rows" : "", selected > 1 ? "" : "s", 100 * settings->mass);
  else if (headline->kind == ANORANK_HEADLINE_RATE)
    ank_print(text, size, "%s of %s%s stand%s out at a false-discovery rate of %.6g %%", found, all,
              selected ? " rows" : "", selected > 1 ? "" : "s", 100 * headline->rate);
  else
    ank_print(text, size, "%s of %s%s selected at a rate of %.6g %% that assumes %s", found, all,
              selected ? " rows" : "", 100 * settings->fdr,
              headline->kind == ANORANK_HEADLINE_APART ? "exponentially decaying tails"
                                                       : "independent rows, drawn like the training rows");
}

/* A column name as a plural, where it is a plain English word: machine, machines. */
static void plural(char *text, size_t size, const char *name) {
  char quoted[ANK_QUOTE_SIZE];
  size_t length = strlen(name), letters = strspn(name, "abcdefghijklmnopqrstuvwxyz");
  if (letters == length && length >= 3 && !strchr("shxyz", name[length - 1]))
    snprintf(text, size, "%ss", name);
  else
    snprintf(text, size, "entities (by '%s')", ank_quote(quoted, name, length));
}

/* "3 incidents in 2 of 50 machines: ", or "3 of 19 incidents have extreme rows, in 2 of 50 machines: ": all are listed. */
static void incidents_text(char *text, size_t size, const anorank_headline *headline) {
  char found[32], listed[32], some[32], all[32], who[ANK_QUOTE_SIZE + 32];
  size_t extreme = headline->incidents, count = headline->listed_incidents;
  if (headline->entities == 0 || count == 0) return;
  ank_count_text(found, sizeof found, extreme);
  ank_count_text(listed, sizeof listed, count);
  int used = extreme == 0 ? snprintf(text, size, "%s incident%s without extreme rows", listed, ANK_S(count))
             : extreme < count ? snprintf(text, size, "%s of %s incidents %s extreme rows", found, listed,
                                          extreme == 1 ? "has" : "have")
                               : snprintf(text, size, "%s incident%s", listed, ANK_S(count));
  plural(who, sizeof who, headline->by);
  if (*headline->by && extreme > 0)
    used += snprintf(text + used, size - (size_t)used, "%s in %s of %s %s", extreme < count ? "," : "",
                     ank_count_text(some, sizeof some, headline->incident_entities),
                     ank_count_text(all, sizeof all, headline->entities), who);
  snprintf(text + used, size - (size_t)used, ": ");
}

static void dependence_text(char *text, size_t size, const anorank_dependence *found) {
  char name[ANK_QUOTE_SIZE];
  if (*found->entity)
    snprintf(text, size, "rows with the same '%s' resemble each other",
             ank_quote(name, found->entity, strlen(found->entity)));
  else
    snprintf(text, size,
             found->dependent ? "nearby rows resemble each other" : "rows are compared with earlier rows");
}

void ank_headline_text(char *text, size_t size, const anorank_headline *headline, size_t rows,
                       size_t selected, const anorank_settings *settings) {
  char counted[256], grouped[ANK_QUOTE_SIZE + 128] = "", why[160] = "";
  incidents_text(grouped, sizeof grouped, headline);
  int explicit = settings->mass > 0 || settings->fdr > 0;
  if (explicit || headline->kind == ANORANK_HEADLINE_RATE)
    selection_text(counted, sizeof counted, headline, rows, selected, settings);
  else
    tiers_text(counted, sizeof counted, headline, rows);
  if (headline->kind == ANORANK_HEADLINE_DEPENDENT) dependence_text(why, sizeof why, &headline->dependence);
  if (headline->kind == ANORANK_HEADLINE_SHIFT)
    ank_print(text, size, "distribution shift: %.0f %% of the rows differ from the training rows%s%s%s; %s%s",
              100 * headline->differing, *headline->shifted ? " (" : "", headline->shifted,
              *headline->shifted ? ")" : "", explicit ? grouped : "",
              explicit ? counted : "the order is valid among these rows only; `drift` compares the tables");
  else if (*why)
    ank_print(text, size, "%s%s; no false-alarm guarantee, because %s", grouped, counted, why);
  else
    ank_print(text, size, "%s%s", grouped, counted);
}
