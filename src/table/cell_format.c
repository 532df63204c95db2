/* cell_format.c - the number or date format of a column; see cell_format.h.
 *
 * A format is chosen if it can read at least nine tenths of the filled cells; the others are then errors with
 * line and column. Ties are resolved in this order: the settings; evidence from other columns; the delimiter
 * (files with semicolons come from places that use a decimal comma, files with commas or tabs do not); the
 * plain number. */
#include "table/cell_format.h"

#include <math.h>
#include <string.h>

#include "table/cell_words.h"

static int is_digits(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] < '0' || text[i] > '9') return 0;
  return 1;
}

static void keep_example(char to[ANK_EXAMPLE_SIZE], const char *text, size_t length) {
  if (length >= ANK_EXAMPLE_SIZE || length <= strlen(to)) return;
  memcpy(to, text, length);
  to[length] = '\0';
}

#define POINT_WAYS ((1u << ANK_THOUSANDS_COUNT) - 1)
#define FEWEST_PADDED 4 /* digits: 01067 is a code, 07 may be a month */

static unsigned add_written(ank_cell_sample *tally, const ank_parsed_number *written) {
  unsigned ways = ank_parsed_number_formats(written);
  if (ways == 0) return 0;
  tally->numbers++;
  for (int way = 0; way < ANK_NUMBER_FORMATS; way++) tally->fits[way] += ways >> way & 1;
  tally->points += strchr(written->body, '.') != NULL;
  tally->commas += strchr(written->body, ',') != NULL;
  tally->percents += written->percent != 0;
  if (!written->affix[0]) return ways;
  tally->affixes++;
  if (written->unit) {
    const ank_scale *scale = ank_scale_find(written->affix, strlen(written->affix));
    if (!scale || (tally->scale && strcmp(tally->scale->base, scale->base) != 0)) tally->several_bases = 1;
    if (!tally->scale) tally->scale = scale;
    tally->units++;
  }
  if (!tally->affix[0])
    memcpy(tally->affix, written->affix, sizeof tally->affix);
  else if (strcmp(tally->affix, written->affix) != 0)
    tally->several_affixes = 1;
  return ways;
}

/* Return whether digits are a whole number above 2^53, where a double may merge it with its neighbours. */
static int exceeds_double(const char *digits, size_t length) {
  static const char most[] = "9007199254740992";
  size_t places = sizeof most - 1;
  for (; length > 0 && *digits == '0'; digits++) length--;
  return length > places || (length == places && memcmp(digits, most, places) > 0);
}

/* Return whether digits are nanoseconds since 1970 in whole microseconds, in the years 2001 to 2033: doubles
 * keep those distinct. Identifiers with as many digits do not all end in 000. */
static int is_nanoseconds(const char *digits, size_t length) {
  return length == 19 && *digits == '1' && memcmp(digits + 16, "000", 3) == 0;
}

static void add_digits(ank_cell_sample *tally, const char *digits, size_t count, int negative,
                       const char *text, size_t length) {
  if (!exceeds_double(digits, count)) return;
  tally->nanoseconds += !negative && is_nanoseconds(digits, count);
  if (tally->long_numbers++ == 0)
    keep_example(tally->long_number, text, length);
  else if (strlen(tally->long_number) != length || memcmp(tally->long_number, text, length) != 0)
    tally->several_long = 1;
}

void ank_cell_sample_add_whole(ank_cell_sample *tally, const char *text, size_t length) {
  size_t sign = length > 0 && (*text == '-' || *text == '+');
  if (is_digits(text + sign, length - sign))
    add_digits(tally, text + sign, length - sign, *text == '-', text, length);
}

/* Count 1.234.567 and 1 234 567: one kind of mark, and a point or a comma more than once. */
static void add_grouped(ank_cell_sample *tally, const ank_parsed_number *written, const char *text,
                        size_t length) {
  char digits[sizeof written->body];
  size_t count = 0, points = 0, commas = 0;
  if (written->affix[0] || written->percent || strchr(written->body, 'e')) return;
  for (const char *p = written->body; *p; p++) {
    points += *p == '.';
    commas += *p == ',';
    if (*p >= '0' && *p <= '9') digits[count++] = *p;
  }
  if ((points && commas) || points + commas == 1) return;
  add_digits(tally, digits, count, written->negative, text, length);
}

int ank_cell_sample_counts_digits(const ank_cell_sample *tally, size_t cells) {
  size_t often = tally->several_long ? 10 : 2; /* one value in many cells may mean "unlimited" */
  return tally->long_numbers * often > cells && tally->nanoseconds < tally->long_numbers;
}

/* A plain number without its mark is plain in every format; only 1.234 has another meaning. Every cell of the
 * sample goes through here, so it is short. */
static void add_plain(ank_cell_sample *tally, const char *text, size_t length) {
  const char *point = memchr(text, '.', length), *first = text + (*text == '-' || *text == '+');
  tally->plain++;
  tally->numbers++;
  tally->points += point != NULL;
  for (ank_thousands thousands = 0; thousands < ANK_THOUSANDS_COUNT; thousands++)
    tally->fits[ank_way_of(0, thousands)]++;
  int grouped = point && text + length - point == 4 && point - first >= 1 && point - first <= 3 &&
                *first != '0' && !memchr(point, 'e', 4) && !memchr(point, 'E', 4);
  if (point) keep_example(tally->pointed, text, length);
  if (!tally->padded[0] && *text == '0' && length >= FEWEST_PADDED && is_digits(text, length))
    keep_example(tally->padded, text, length);
  if (grouped)
    tally->fits[ank_way_of(1, ANK_THOUSANDS_POINT)]++;
  else if (!point)
    for (ank_thousands thousands = 0; thousands < ANK_THOUSANDS_COUNT; thousands++)
      tally->fits[ank_way_of(1, thousands)]++;
}

void ank_cell_sample_add(ank_cell_sample *tally, const char *text, size_t length) {
  ank_parsed_number written;
  ank_moment moment;
  double value, seconds;
  ank_number_kind kind = ank_number_parse(&value, text, length);
  if (kind == ANK_NUMBER_NAN) return;
  if (kind == ANK_NUMBER_NONE && ank_missing_among_numbers(text, length)) {
    tally->gaps++;
    return;
  }
  tally->cells++;
  if (tally->flags + 1 == tally->cells) tally->flags += ank_flag_of(text, length) >= 0; /* all cells so far */
  if (kind != ANK_NUMBER_NONE) {
    ank_cell_sample_add_whole(tally, text, length);
    add_plain(tally, text, length); /* even if too long or too large: reading the row reports that */
    if (ank_compact_moment_parse(&moment, text, length)) {
      if (tally->compact++ == 0) keep_example(tally->compact_date, text, length);
      tally->compact_times += moment.has_time != 0;
    }
    return;
  }
  unsigned orders = ank_moment_orders(text, length);
  if (ank_duration_parse(&seconds, text, length)) {
    tally->durations++;
    if (!orders) {
      tally->long_durations++;
      keep_example(tally->duration, text, length);
      return;
    }
  }
  if (orders) {
    if (tally->moments++ == 0) keep_example(tally->moment, text, length);
    for (int i = 0; i < 3; i++) tally->order[i] += orders >> i & 1;
    (void)ank_moment_parse(&moment, text, length, ANK_DATE_ANY);
    tally->dates += moment.has_date != 0;
    tally->times += moment.has_time != 0;
    if (moment.digits > tally->digits) tally->digits = moment.digits;
    return;
  }
  if (!ank_parsed_number_split(&written, text, length)) return;
  unsigned ways = add_written(tally, &written);
  if (ways) add_grouped(tally, &written, text, length);
  if (ways & POINT_WAYS) keep_example(tally->example[0], text, length);
  if (ways & ~POINT_WAYS) keep_example(tally->example[1], text, length);
}

/* ---- what the file tells ----------------------------------------------------------------------------- */

static size_t most_with(const ank_cell_sample *tally, int comma) {
  size_t most = 0;
  for (ank_thousands thousands = 0; thousands < ANK_THOUSANDS_COUNT; thousands++) {
    size_t fits = tally->fits[ank_way_of(comma, thousands)];
    if (fits > most) most = fits;
  }
  return most;
}

static int enough(size_t part, size_t whole) { return whole > 0 && part * 10 >= whole * 9; }

void ank_cell_format_hint(ank_cell_format_hints *hints, const ank_cell_sample *tally) {
  if (enough(tally->moments, tally->cells) && tally->dates > 0) {
    hints->dmy_columns += tally->order[1] > tally->order[2];
    hints->mdy_columns += tally->order[2] > tally->order[1];
  }
  if (!enough(tally->numbers, tally->cells)) return;
  size_t comma = most_with(tally, 1), point = most_with(tally, 0);
  hints->comma_columns += comma > point && enough(comma, tally->cells);
  hints->point_columns += point > comma && enough(point, tally->cells);
}

/* ---- deciding ---------------------------------------------------------------------------------------- */

static int allowed(int way, const ank_cell_format_hints *hints) {
  if (hints->decimal == 1 && ank_way_has_comma(way)) return 0;
  if (hints->decimal == 2 && !ank_way_has_comma(way)) return 0;
  return hints->thousands == 0 || (int)ank_way_thousands(way) == hints->thousands - 1;
}

/* Return whether the file uses a decimal comma: 1, 0, or -1 if unknown. */
static int prefers_comma(const ank_cell_sample *tally, const ank_cell_format_hints *hints) {
  if (hints->comma_columns != hints->point_columns) return hints->comma_columns > hints->point_columns;
  if (tally->commas > 0 && hints->delimiter == ';') return 1;
  if (tally->commas > 0 && (hints->delimiter == ',' || hints->delimiter == '\t')) return 0;
  return hints->delimiter == ',' ? 0 : -1;
}

/* Return the format that fits most cells. Ties prefer the decimal mark of the file, then the fewest marks. */
static int choose_way(const ank_cell_sample *tally, const ank_cell_format_hints *hints, int *assumed) {
  size_t most = 0;
  int best = -1, preference = prefers_comma(tally, hints);
  int ends[2] = {0, 0}; /* can either mark be the decimal one? */
  for (int way = 0; way < ANK_NUMBER_FORMATS; way++)
    if (allowed(way, hints) && tally->fits[way] > most) most = tally->fits[way];
  for (int way = 0; way < ANK_NUMBER_FORMATS && most > 0; way++) {
    if (!allowed(way, hints) || tally->fits[way] != most) continue;
    ends[ank_way_has_comma(way)] = 1;
    if (best < 0 || (preference == 1 && !ank_way_has_comma(best) && ank_way_has_comma(way))) best = way;
  }
  *assumed = ends[0] && ends[1] && tally->points + tally->commas > 0 &&
             hints->comma_columns == hints->point_columns && hints->delimiter != ',';
  return best;
}

/* Return the order of a date. With points or hyphens the day comes first. With slashes it does so where the
 * comma is the decimal mark. Otherwise the date is ambiguous: the month is assumed first, with a note. */
static unsigned choose_order(const ank_cell_sample *tally, const ank_cell_format_hints *hints, int *assumed) {
  static const unsigned settings[] = {0, ANK_DATE_YMD, ANK_DATE_DMY, ANK_DATE_MDY};
  size_t dmy = tally->order[1], mdy = tally->order[2];
  if (tally->order[0] == tally->moments) return ANK_DATE_ANY;
  if (hints->date_order) return settings[hints->date_order];
  if (dmy != mdy) return dmy > mdy ? ANK_DATE_DMY : ANK_DATE_MDY;
  if (hints->dmy_columns != hints->mdy_columns)
    return hints->dmy_columns > hints->mdy_columns ? ANK_DATE_DMY : ANK_DATE_MDY;
  if (!strchr(tally->moment, '/')) return ANK_DATE_DMY;
  *assumed = 1;
  return hints->comma_columns > hints->point_columns || hints->delimiter == ';' ? ANK_DATE_DMY : ANK_DATE_MDY;
}

static void decide_time(ank_cell_format *out, const ank_cell_sample *tally,
                        const ank_cell_format_hints *hints) {
  out->order = choose_order(tally, hints, &out->assumed);
  size_t fits = out->order == ANK_DATE_ANY   ? tally->moments
                : out->order == ANK_DATE_YMD ? tally->order[0]
                : out->order == ANK_DATE_DMY ? tally->order[1]
                                             : tally->order[2];
  if (!enough(fits, tally->cells)) return;
  out->kind = ANK_CELL_FORMAT_TIME;
  out->has_date = tally->dates > 0;
  out->has_time = tally->times > 0;
  out->digits = tally->digits;
  memcpy(out->example, tally->moment, sizeof out->example);
}

/* Eight random digits are a date with probability 1/27, so a few dates in a row are conclusive. */
static int holds_compact_dates(const ank_cell_sample *tally) {
  enum { FEWEST = 4 };
  return tally->compact >= FEWEST && enough(tally->compact, tally->cells);
}

/* Return whether units are multiples of each other, as in 5.5K and 900, or 3 MB and 12 kB. */
static int mixes_scales(const ank_cell_sample *tally) {
  return tally->units > 0 && tally->units == tally->affixes && !tally->several_bases && tally->scale &&
         ank_scales_mix(tally->scale, tally->units < tally->numbers);
}

void ank_cell_format_decide(ank_cell_format *out, const ank_cell_sample *tally,
                            const ank_cell_format_hints *hints) {
  *out = (ank_cell_format){.kind = ANK_CELL_FORMAT_TEXT};
  if (tally->cells == 0) {
    if (tally->gaps == 0) out->kind = ANK_CELL_FORMAT_PLAIN;
    return;
  }
  if (tally->long_durations > 0 && enough(tally->durations, tally->cells)) {
    out->kind = ANK_CELL_FORMAT_NUMBER;
    out->duration = 1;
    memcpy(out->example, tally->duration, sizeof out->example);
    return;
  }
  if (enough(tally->moments, tally->cells)) {
    decide_time(out, tally, hints);
    return;
  }
  if (holds_compact_dates(tally)) {
    *out = (ank_cell_format){.kind = ANK_CELL_FORMAT_TIME,
                             .order = ANK_DATE_ANY,
                             .compact = 1,
                             .has_date = 1,
                             .has_time = tally->compact_times > 0};
    memcpy(out->example, tally->compact_date, sizeof out->example);
    return;
  }
  if (!enough(tally->numbers, tally->cells)) return;
  if (ank_cell_sample_counts_digits(tally, tally->cells)) { /* numbers of orders and cards */
    out->long_numbers = 1;
    memcpy(out->example, tally->long_number, sizeof out->example);
    return;
  }
  if (tally->flags == tally->cells && tally->plain < tally->cells)
    return; /* 1, 0, yes, no: a boolean
                                                                            * column */
  int way = choose_way(tally, hints, &out->assumed);
  memcpy(out->example, tally->example[ank_way_has_comma(way) || !tally->example[0][0]], sizeof out->example);
  /* A unit on some cells only is not a unit: 7 and 7b are texts. */
  int one_unit = !tally->several_affixes && (tally->units == 0 || tally->units == tally->numbers);
  if (!one_unit && mixes_scales(tally)) out->base = tally->scale->base;
  if (way < 0 || !enough(tally->fits[way], tally->cells) || (!one_unit && !out->base)) {
    /* 12A, 7B: codes. */
    out->looks_numeric = tally->units == 0 || strlen(tally->affix) > 1;
    return;
  }
  int marks = (tally->commas > 0 && way != 0) || (tally->points > 0 && ank_way_has_comma(way));
  int by_setting = hints->thousands > 1 || hints->decimal == 2;
  if (enough(tally->plain, tally->cells) && !marks && !by_setting && tally->plain == tally->numbers) {
    out->kind = ANK_CELL_FORMAT_PLAIN;
    out->flags = tally->flags == tally->cells;
    out->padded = !out->assumed && tally->padded[0] != '\0';
    if (out->padded) memcpy(out->example, tally->padded, sizeof out->example);
    if (out->assumed) memcpy(out->example, tally->pointed, sizeof out->example);
    return;
  }
  if (!out->example[0]) memcpy(out->example, tally->pointed, sizeof out->example);
  out->kind = ANK_CELL_FORMAT_NUMBER;
  out->way = way;
  if (!out->base) memcpy(out->affix, tally->affix, sizeof out->affix);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* Return whether the unit is allowed in the column. If units are mixed, convert the number to their base. */
static int fits_unit(ank_parsed_number *written, const ank_cell_format *spelling) {
  if (!spelling->base) return !written->affix[0] || strcmp(written->affix, spelling->affix) == 0;
  if (!written->affix[0]) return 1;
  written->scale = ank_scale_find(written->affix, strlen(written->affix));
  return written->scale && strcmp(written->scale->base, spelling->base) == 0;
}

ank_number_kind ank_cell_format_number(double *out, const ank_cell_format *spelling, const char *text,
                                       size_t length) {
  ank_parsed_number written;
  int plain = spelling->kind != ANK_CELL_FORMAT_NUMBER;
  if (spelling->duration) return ank_duration_parse(out, text, length) ? ANK_NUMBER : ANK_NUMBER_NONE;
  if (plain || !ank_parsed_number_split(&written, text, length)) {
    ank_number_kind kind = ank_number_parse(out, text, length);
    if (!plain && kind == ANK_NUMBER && isfinite(*out)) return ANK_NUMBER_NONE;
    if (!plain || kind != ANK_NUMBER_NONE) return kind;
    int flag = spelling->flags ? ank_flag_of(text, length) : -1;
    if (flag >= 0) {
      *out = flag;
      return ANK_NUMBER;
    }
    if (!ank_parsed_number_split(&written, text, length)) return ANK_NUMBER_NONE;
    if (written.percent) return ANK_NUMBER_NONE;
  }
  if (!fits_unit(&written, spelling)) return ANK_NUMBER_NONE;
  return ank_parsed_number_value(out, &written, plain ? 0 : spelling->way);
}

anorank_resolution ank_cell_format_resolution(const ank_cell_format *spelling) {
  if (!spelling->has_time) return ANORANK_DAYS;
  return spelling->digits == 0   ? ANORANK_SECONDS
         : spelling->digits <= 3 ? ANORANK_MILLISECONDS
         : spelling->digits <= 6 ? ANORANK_MICROSECONDS
                                 : ANORANK_NANOSECONDS;
}

int ank_cell_format_moment(double *out, const ank_cell_format *spelling, const char *text, size_t length) {
  ank_moment moment;
  int compact = spelling->compact && ank_compact_moment_parse(&moment, text, length);
  if (!compact && !ank_moment_parse(&moment, text, length, spelling->order)) return 0;
  if (spelling->has_date && !moment.has_date) return 0;
  *out = moment.seconds;
  return 1;
}
