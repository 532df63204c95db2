/* cards.c - the example "cards": payments by card as a table, with missing cells and synthetic frauds. */
#include "example/cards.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "table/cell_text.h"

#define ROWS_PER_REPORT 65536

enum {
  COLUMN_TRANSACTION,
  COLUMN_TIME,
  COLUMN_ACCOUNT,
  COLUMN_CARD,
  COLUMN_AMOUNT,
  COLUMN_CATEGORY,
  COLUMN_COUNTRY,
  COLUMN_CHANNEL,
  COLUMN_HOUR,
  COLUMN_DISTANCE,
  COLUMN_COUNT,
  COLUMN_DEVICE,
  COLUMN_FRAUD,
  COLUMNS
};

static const struct {
  const char *name;
  anorank_kind kind;
  double gaps; /* share of lost cells */
} columns[COLUMNS] = {
    [COLUMN_TRANSACTION] = {"transaction", ANORANK_CATEGORICAL, 0},
    [COLUMN_TIME] = {"time", ANORANK_CATEGORICAL, 0},
    [COLUMN_ACCOUNT] = {"account", ANORANK_CATEGORICAL, 0},
    [COLUMN_CARD] = {"card", ANORANK_CATEGORICAL, 0},
    [COLUMN_AMOUNT] = {"amount", ANORANK_NUMERIC, 0},
    [COLUMN_CATEGORY] = {"category", ANORANK_CATEGORICAL, 0.04},
    [COLUMN_COUNTRY] = {"country", ANORANK_CATEGORICAL, 0.04},
    [COLUMN_CHANNEL] = {"channel", ANORANK_CATEGORICAL, 0},
    [COLUMN_HOUR] = {"hour", ANORANK_NUMERIC, 0},
    [COLUMN_DISTANCE] = {"distance_km", ANORANK_NUMERIC, 0.08},
    [COLUMN_COUNT] = {"count_24h", ANORANK_NUMERIC, 0.08},
    [COLUMN_DEVICE] = {"device_age_days", ANORANK_NUMERIC, 0.05},
    [COLUMN_FRAUD] = {"fraud", ANORANK_NUMERIC, 0},
};

/* Write "2025-01-01 00:00:00" plus that many seconds. */
static void write_time(char text[ANK_CELL_SIZE], double seconds) {
  ank_time_text(text, 1735689600 + floor(seconds), ANORANK_SECONDS);
  text[10] = ' ';
  text[19] = '\0'; /* no Z */
}

static anorank_status put_text(anorank_table *table, size_t column, size_t at, const char *text,
                               anorank_error *err) {
  ank_column *into = &table->column[column];
  return ank_levels_code(&into->codes[at], &into->levels, text, strlen(text), err);
}

static double rounded(double value, double digits) { return round(value * digits) / digits; }

static anorank_status put_payment(anorank_table *table, size_t at, const ank_payment *payment, uint64_t row,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char text[ANK_CELL_SIZE];
  snprintf(text, sizeof text, "T%08llu", (unsigned long long)row + 1);
  ANK_TRY(put_text(table, COLUMN_TRANSACTION, at, text, err));
  write_time(text, payment->seconds);
  ANK_TRY(put_text(table, COLUMN_TIME, at, text, err));
  snprintf(text, sizeof text, "A%04u", payment->account.number + 1);
  ANK_TRY(put_text(table, COLUMN_ACCOUNT, at, text, err));
  ANK_TRY(put_text(table, COLUMN_CARD, at, ank_card_names[payment->account.card], err));
  ANK_TRY(put_text(table, COLUMN_CATEGORY, at, ank_shop_names[payment->shop], err));
  ANK_TRY(put_text(table, COLUMN_COUNTRY, at, ank_land_names[payment->land], err));
  ANK_TRY(put_text(table, COLUMN_CHANNEL, at, ank_channel_names[payment->channel], err));
  table->column[COLUMN_AMOUNT].numbers[at] = rounded(fmax(payment->amount, 0.01), 100);
  table->column[COLUMN_HOUR].numbers[at] = payment->hour;
  table->column[COLUMN_DISTANCE].numbers[at] = rounded(payment->distance, payment->distance < 100 ? 10 : 1);
  table->column[COLUMN_COUNT].numbers[at] = payment->count;
  table->column[COLUMN_DEVICE].numbers[at] = floor(payment->device_age);
  table->column[COLUMN_FRAUD].numbers[at] = payment->fraud;
done:
  return status;
}

/* Lose cells, whatever their value. */
static void lose_cells(anorank_table *table, size_t at, uint64_t seed, uint64_t row) {
  ank_rng rng;
  ank_card_rng(&rng, seed, DRAW_GAPS, row);
  for (size_t j = 0; j < COLUMNS; j++) {
    if (ank_rng_uniform(&rng) >= columns[j].gaps) continue;
    if (columns[j].kind == ANORANK_NUMERIC)
      table->column[j].numbers[at] = NAN;
    else
      table->column[j].codes[at] = -1;
  }
}

anorank_status ank_cards_make(anorank_table **out, const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *table = NULL;
  size_t rows = (size_t)settings->rows;
  *out = NULL;
  ANK_TRY(ank_table_new(&table, COLUMNS, err));
  table->limit = ank_memory_limit(settings);
  for (size_t j = 0; j < COLUMNS; j++) {
    ANK_TRY(ank_table_set_name(table, j, columns[j].name, strlen(columns[j].name), err));
    ank_table_set_kind(table, j, columns[j].kind);
  }
  ANK_TRY(ank_table_reserve(table, rows, err));
  for (size_t at = 0; at < rows; at++) {
    ank_payment payment;
    uint64_t row = (uint64_t)settings->first_row + at;
    if (at % ROWS_PER_REPORT == 0)
      ANK_TRY(ank_progress(settings, (double)at / (double)rows, "making rows", err));
    ank_payment_honest(&payment, settings->seed, row);
    ank_payment_fraud(&payment, settings->seed, row, settings->anomalies);
    ANK_TRY(put_payment(table, at, &payment, row, err));
    lose_cells(table, at, settings->seed, row);
  }
  table->rows = rows;
  ANK_TRY(ank_progress(settings, 1, "making rows", err));
  *out = table;
  table = NULL;
done:
  ank_table_free(table);
  return status;
}
