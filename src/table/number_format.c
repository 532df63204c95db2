/* number_format.c - parse human number formats; see cell_format.h.
 *
 * To add a currency: add it to `currencies`. */
#include <stdio.h>
#include <string.h>

#include "table/cell_format.h"

/* Signs and abbreviations before or after an amount. ISO 4217 codes: those in wide use. */
static const char *const currencies[] = {
    "$",    "€",   "£",   "¥",   "¢",    "¤",    "₹",     "₩",   "₽", "₺",   "₴",    "₫",    "₪",   "₦",
    "฿",    "₿", "₱",   "₡",   "₲",    "₵",    "₸",     "₾", "₼", "￥",  "＄",   "￡",   "￦",  "円",
    "元",   "원",  "US$", "R$",  "A$",   "C$",   "CA$",   "AU$", "HK$", "NZ$", "S$",   "NT$",  "MX$", "kr",
    "kr.",  "Kr",  "Kr.", "Kč",  "zł",   "Ft",   "lei",   "лв",  "лв.", "руб", "руб.", "₽.", "Fr.", "Fr",
    "SFr.", "Rs",  "Rs.", "RM",  "Rp",   "TL",   "R",     "EUR", "USD", "GBP", "CHF",  "JPY",  "CNY", "RMB",
    "SEK",  "NOK", "DKK", "ISK", "PLN",  "CZK",  "HUF",   "RON", "BGN", "HRK", "RUB",  "UAH",  "TRY", "ILS",
    "INR",  "PKR", "LKR", "BDT", "THB",  "VND",  "IDR",   "MYR", "SGD", "PHP", "KRW",  "TWD",  "HKD", "AUD",
    "NZD",  "CAD", "MXN", "BRL", "ARS",  "CLP",  "COP",   "PEN", "ZAR", "EGP", "NGN",  "KES",  "MAD", "SAR",
    "AED",  "QAR", "KWD", "BTC", "Euro", "euro", "Dollar"};

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int known_currency(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof currencies / sizeof currencies[0]; i++)
    if (strlen(currencies[i]) == length && memcmp(currencies[i], text, length) == 0) return 1;
  return 0;
}

/* Characters equivalent to others: their bytes and their meaning. */
static const struct lookalike {
  const char *bytes;
  char meant;
} lookalikes[] = {
    {"\xC2\xA0", ' '},      /* no-break space */
    {"\xE2\x80\xAF", ' '},  /* narrow no-break space */
    {"\xE2\x80\x89", ' '},  /* thin space */
    {"\xE2\x80\x87", ' '},  /* figure space */
    {"\xE3\x80\x80", ' '},  /* ideographic space */
    {"\xE2\x80\x99", '\''}, /* right single quotation mark */
    {"\xCA\xBC", '\''},     /* modifier letter apostrophe */
    {"\xE2\x88\x92", '-'},  /* minus */
    {"\xE2\x80\x93", '-'},  /* en dash */
    {"\xE2\x80\x90", '-'},  /* hyphen */
    {"\xE2\x80\x91", '-'},  /* non-breaking hyphen */
    {"\xEF\xB9\xA3", '-'},  /* small hyphen-minus */
    {"\xEF\xBC\x8D", '-'},  /* fullwidth hyphen-minus */
    {"\xEF\xBC\x8B", '+'},  /* fullwidth plus */
    {"\xEF\xBC\x8E", '.'},  /* fullwidth full stop */
    {"\xEF\xBC\x8C", ','},  /* fullwidth comma */
    {"\xEF\xBC\x85", '%'},  /* fullwidth per cent */
    {"\xD9\xAA", '%'},      /* Arabic per cent */
    {"\xD9\xAB", '.'},      /* Arabic decimal mark */
    {"\xD9\xAC", ','},      /* Arabic thousands mark */
    {"\xEF\xBC\x88", '('},  {"\xEF\xBC\x89", ')'},
};

/* Digits of other scripts: the leading bytes, and the last byte of the zero. */
static const struct script {
  const char *before;
  unsigned char zero;
} scripts[] = {
    {"\xEF\xBC", 0x90}, /* fullwidth */
    {"\xD9", 0xA0},     /* Arabic */
    {"\xDB", 0xB0},     /* Persian, Urdu */
    {"\xE0\xA5", 0xA6}, /* Devanagari */
    {"\xE0\xA7", 0xA6}, /* Bengali */
    {"\xE0\xB9", 0x90}, /* Thai */
};

/* Return the value of the digit of another script at p, -1 if there is none; its length in *step. */
static int foreign_digit(const char *p, size_t left, size_t *step) {
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
    size_t length = strlen(scripts[i].before);
    if (left <= length || memcmp(p, scripts[i].before, length) != 0) continue;
    int value = (unsigned char)p[length] - scripts[i].zero;
    if (value < 0 || value > 9) continue;
    *step = length + 1;
    return value;
  }
  return -1;
}

/* Return the character at p as ASCII if it is equivalent to one, else 0; its length in *step. */
static char meaning(const char *p, const char *end, size_t *step) {
  *step = 1;
  if ((unsigned char)*p < 0x80) return *p == '\t' ? ' ' : *p;
  size_t left = (size_t)(end - p);
  for (size_t i = 0; i < sizeof lookalikes / sizeof lookalikes[0]; i++) {
    size_t length = strlen(lookalikes[i].bytes);
    if (length > left || memcmp(p, lookalikes[i].bytes, length) != 0) continue;
    *step = length;
    return lookalikes[i].meant;
  }
  int digit = foreign_digit(p, left, step);
  if (digit >= 0) return (char)('0' + digit);
  *step = ank_utf8_length(p, left);
  if (*step == 0) *step = 1;
  return 0;
}

void ank_trim_cell(const char **text, size_t *length) {
  const char *p = *text, *end = p + *length;
  size_t step;
  while (p < end && meaning(p, end, &step) == ' ') p += step;
  while (end > p) {
    const char *last = end - 1;
    while (last > p && ((unsigned char)*last & 0xC0) == 0x80) last--;
    if (meaning(last, end, &step) != ' ' || last + step != end) break;
    end = last;
  }
  *text = p;
  *length = (size_t)(end - p);
}

/* ---- parsing ----------------------------------------------------------------------------------------- */

typedef struct scan {
  const char *at, *end;
  int signs, brackets;
} scan;

static char next_meaning(const scan *s, size_t *step) {
  *step = 0;
  return s->at < s->end ? meaning(s->at, s->end, step) : '\0';
}

static void pass_blanks(scan *s, ank_parsed_number *out) {
  size_t step;
  while (s->at < s->end && next_meaning(s, &step) == ' ') s->at += step, out->dressed = 1;
}

static int begins_body(const scan *s) {
  size_t step, second;
  char c = next_meaning(s, &step);
  if (is_digit(c)) return 1;
  if ((c != '.' && c != ',') || s->at + step >= s->end) return 0;
  return is_digit(meaning(s->at + step, s->end, &second));
}

/* Return the length of an affix: letters and signs up to a blank, a digit, a bracket or a sign. */
static size_t affix_length(const scan *s) {
  const char *p = s->at;
  while (p < s->end) {
    size_t step;
    char c = meaning(p, s->end, &step);
    if (is_digit(c) || (c && strchr(" -+()%'", c)) || (c == ',')) break;
    if (c == '.' && (p == s->at || (p + 1 < s->end && is_digit(p[1])))) break;
    p += step;
  }
  return (size_t)(p - s->at);
}

/* Treat the suffix of 3.2 Mio. EUR as a multiplier of an amount of money. */
static void prefer_currency(ank_parsed_number *out) {
  const ank_scale *scale = ank_scale_find(out->affix, strlen(out->affix));
  if (!out->unit || out->scale || !scale || !ank_scale_of_plain(scale)) return;
  out->scale = scale;
  out->affix[0] = '\0';
}

static int take_affix(ank_parsed_number *out, scan *s, int before) {
  size_t length = affix_length(s);
  int known = known_currency(s->at, length);
  if (known) prefer_currency(out);
  if (length == 0 || length >= ANK_AFFIX_SIZE || out->affix[0]) return 0;
  if (before && !known) return 0;
  out->unit = !known;
  memcpy(out->affix, s->at, length);
  out->affix[length] = '\0';
  out->dressed = 1;
  s->at += length;
  return 1;
}

/* Read a multiplier after a currency: $1.5M, 12.00 EUR CR. */
static int take_scale(ank_parsed_number *out, scan *s) {
  size_t length = affix_length(s);
  if (!out->affix[0] || out->unit || out->scale) return 0;
  const ank_scale *scale = ank_scale_find(s->at, length);
  if (!scale || !ank_scale_of_plain(scale)) return 0;
  out->scale = scale;
  s->at += length;
  return 1;
}

static int take_front(ank_parsed_number *out, scan *s) {
  size_t step;
  while (!begins_body(s)) {
    char c = next_meaning(s, &step);
    if (s->at >= s->end) return 0;
    if (c == ' ') {
      s->at += step;
    } else if ((c == '-' || c == '+') && s->signs++ == 0) {
      out->negative = c == '-';
      out->dressed |= step > 1;
      s->at += step;
    } else if (c == '(' && s->brackets++ == 0 && s->signs == 0) {
      s->at += step;
      out->dressed = 1;
    } else if (c == '\'' && s->at + 1 < s->end && out->length == 0 && !out->dressed) {
      s->at += step; /* Excel's mark of a number kept as text */
      out->dressed = 1;
    } else if (!take_affix(out, s, 1)) {
      return 0;
    }
  }
  return 1;
}

static int take_body(ank_parsed_number *out, scan *s) {
  const char *last = s->at;
  size_t kept = 0;
  while (s->at < s->end) {
    size_t step;
    char c = next_meaning(s, &step);
    if (!c || !strchr("0123456789., '", c)) break;
    if (out->length + 1 >= sizeof out->body) return 0;
    out->body[out->length++] = c;
    out->dressed |= step > 1;
    s->at += step;
    if (is_digit(c) || c == '.' || c == ',') last = s->at, kept = out->length;
  }
  s->at = last; /* blanks after the last digit do not belong to it */
  out->length = kept;
  /* 12.- and 12,-- are whole amounts of money */
  size_t step;
  if (kept > 1 && (out->body[kept - 1] == '.' || out->body[kept - 1] == ',') &&
      next_meaning(s, &step) == '-') {
    while (next_meaning(s, &step) == '-') s->at += step;
    out->length--;
    out->dressed = 1;
    return 1;
  }
  char c = next_meaning(s, &step);
  if ((c | 0x20) != 'e') return 1;
  const char *p = s->at + 1;
  char exponent[8] = "e";
  size_t used = 1;
  if (p < s->end) {
    char sign = meaning(p, s->end, &step);
    if (sign == '-' || sign == '+') exponent[used++] = sign, p += step;
  }
  size_t digits = used;
  while (p < s->end && is_digit(*p) && used < sizeof exponent - 1) exponent[used++] = *p++;
  if (used == digits || (p < s->end && (is_digit(*p) || ((unsigned char)*p | 0x20) >= 'a'))) return 1;
  if (out->length + used >= sizeof out->body) return 0;
  memcpy(out->body + out->length, exponent, used);
  out->length += used;
  s->at = p;
  return 1;
}

static int take_back(ank_parsed_number *out, scan *s) {
  static const char per_mille[] = "\xE2\x80\xB0";
  while (s->at < s->end) {
    size_t step;
    char c = next_meaning(s, &step);
    pass_blanks(s, out);
    if (s->at >= s->end) break;
    c = next_meaning(s, &step);
    if (c == '-' && s->signs++ == 0 && s->brackets == 0) {
      out->negative = 1;
    } else if (c == '%' && out->percent == 0) {
      out->percent = 2;
    } else if (c == ')' && s->brackets == 1) {
      s->brackets = 2;
      out->negative = 1;
    } else if ((size_t)(s->end - s->at) >= 3 && memcmp(s->at, per_mille, 3) == 0 && out->percent == 0) {
      out->percent = 3;
      step = 3;
    } else if (take_affix(out, s, 0) || take_scale(out, s)) {
      continue;
    } else {
      return 0;
    }
    out->dressed = 1;
    s->at += step;
  }
  return s->brackets == 0 || s->brackets == 2;
}

int ank_parsed_number_split(ank_parsed_number *out, const char *text, size_t length) {
  memset(out, 0, sizeof *out);
  if (length > 120) return 0;
  scan s = {.at = text, .end = text + length};
  if (!take_front(out, &s) || !take_body(out, &s) || !take_back(out, &s)) return 0;
  out->body[out->length] = '\0';
  return 1;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static char decimal_of(int way) { return ank_way_has_comma(way) ? ',' : '.'; }

static char thousands_of(int way) {
  static const char marks[] = {'\0', '.', ',', ' ', '\''};
  return marks[ank_way_thousands(way)];
}

/* Write the body in that format as a plain number. Returns 0 if it is not one. Groups have three digits; in
 * the Indian format two, except for the last. The first has one to three and does not begin with a zero. */
static int rewrite_body(char *plain, const char *body, int way) {
  char decimal = decimal_of(way), thousands = thousands_of(way);
  size_t used = 0, run = 0;
  int groups = 0;
  for (; is_digit(*body); body++, run++) plain[used++] = *body;
  if (thousands && *body == thousands && (run == 0 || run > 3 || plain[0] == '0')) return 0;
  while (thousands && *body == thousands) {
    for (body++, run = 0; is_digit(*body); body++, run++) plain[used++] = *body;
    int short_group = run == 2 && thousands == ',' && *body == ',';
    if (run != 3 && !short_group) return 0;
    groups++;
  }
  if (*body == decimal) {
    plain[used++] = '.';
    for (body++; is_digit(*body); body++) plain[used++] = *body;
  }
  if (*body == 'e') {
    if (groups > 0) return 0;
    while (*body) plain[used++] = *body++;
  }
  plain[used] = '\0';
  return *body == '\0' && used > 0;
}

unsigned ank_parsed_number_formats(const ank_parsed_number *written) {
  char plain[80];
  unsigned ways = 0;
  for (int way = 0; way < ANK_NUMBER_FORMATS; way++) {
    if (way == ank_way_of(0, ANK_THOUSANDS_POINT) || way == ank_way_of(1, ANK_THOUSANDS_COMMA)) continue;
    if (rewrite_body(plain, written->body, way)) ways |= 1u << way;
  }
  return ways;
}

static double times_power(double value, int power) {
  for (; power > 0; power--) value *= 10;
  for (; power < 0; power++) value /= 10;
  return value;
}

ank_number_kind ank_parsed_number_value(double *out, const ank_parsed_number *written, int way) {
  char plain[96];
  if (!rewrite_body(plain + 1, written->body, way)) return ANK_NUMBER_NONE;
  plain[0] = written->negative ? '-' : '+';
  int power = (written->scale ? written->scale->power : 0) - written->percent;
  int exponent = strchr(plain, 'e') != NULL;
  size_t length = strlen(plain);
  /* With an exponent, 12.3 % becomes the same double as 0.123. */
  if (power != 0 && !exponent) snprintf(plain + length, sizeof plain - length, "e%d", power);
  ank_number_kind kind = ank_number_parse(out, plain, strlen(plain));
  if (exponent) *out = times_power(*out, power);
  if (written->scale) *out *= written->scale->factor;
  return kind;
}
