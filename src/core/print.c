/* print.c - see print.h. */
#include "core/print.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- the exact decimal digits of a double ------------------------------------------------------------ */

enum {
  WHOLE = 36,  /* limbs of nine digits before the point: 2^1024 has 309 digits */
  BROKEN = 121 /* and behind it: 2^-1074 has 1074 */
};

typedef struct decimal {
  char digits[(WHOLE + BROKEN) * 9]; /* without zeros at either end; none for zero */
  int count;
  int point; /* the value is 0.DIGITS * 10^point */
} decimal;

static void keep_digits(decimal *out, const uint32_t *limbs, int count) {
  int started = 0, first = 0;
  while (count > 0 && limbs[count - 1] == 0) count--;
  while (first < count && limbs[first] == 0) first++;
  out->count = 0;
  out->point = 9 * (WHOLE - first);
  for (int i = first; i < count; i++)
    for (uint32_t unit = 100000000, limb = limbs[i]; unit > 0; limb %= unit, unit /= 10) {
      char digit = (char)('0' + limb / unit);
      if (!started && digit == '0')
        out->point--;
      else
        started = 1, out->digits[out->count++] = digit;
    }
  while (out->count > 0 && out->digits[out->count - 1] == '0') out->count--;
  if (out->count == 0) out->point = 1;
}

/* Of a finite double from 0 up. */
static void exact_digits(decimal *out, double value) {
  uint32_t limbs[WHOLE + BROKEN] = {0};
  int exponent;
  uint64_t mantissa = (uint64_t)ldexp(frexp(value, &exponent), 53);
  exponent -= 53; /* value = mantissa * 2^exponent */
  limbs[WHOLE - 1] = (uint32_t)(mantissa % 1000000000);
  limbs[WHOLE - 2] = (uint32_t)(mantissa / 1000000000);
  for (; exponent > 0;) {
    int shift = exponent < 29 ? exponent : 29;
    uint64_t carry = 0;
    for (int i = WHOLE; i-- > 0;) {
      carry += (uint64_t)limbs[i] << shift;
      limbs[i] = (uint32_t)(carry % 1000000000);
      carry /= 1000000000;
    }
    exponent -= shift;
  }
  for (int last = WHOLE; exponent < 0;) {
    int shift = -exponent < 9 ? -exponent : 9; /* 10^9 is a multiple of 2^9 */
    uint32_t rest = 0;
    if (last < WHOLE + BROKEN) last++;
    for (int i = WHOLE - 2; i < last; i++) {
      uint32_t next = limbs[i] & ((1u << shift) - 1);
      limbs[i] = (limbs[i] >> shift) + rest;
      rest = (1000000000u >> shift) * next;
    }
    exponent += shift;
  }
  keep_digits(out, limbs, WHOLE + BROKEN);
}

/* Keep `count` digits, which may be none or less; exact halves go to the even neighbour. */
static void round_digits(decimal *d, int count) {
  if (count >= d->count) return;
  int up = 0;
  if (count >= 0) {
    char next = d->digits[count];
    int odd = count > 0 && (d->digits[count - 1] & 1);
    up = next > '5' || (next == '5' && (d->count > count + 1 || odd));
  }
  d->count = count > 0 ? count : 0;
  while (up && d->count > 0 && d->digits[d->count - 1] == '9') d->count--;
  if (up && d->count > 0) {
    d->digits[d->count - 1]++;
  } else if (up) { /* all nines, or nothing */
    d->digits[d->count++] = '1';
    d->point++;
  }
  while (d->count > 0 && d->digits[d->count - 1] == '0') d->count--;
  if (d->count == 0) d->point = 1;
}

/* ---- text -------------------------------------------------------------------------------------------- */

typedef struct sink {
  char *text;
  size_t size, length;
} sink;

static void put(sink *out, char c) {
  if (out->length + 1 < out->size) out->text[out->length] = c;
  out->length++;
}

static void put_many(sink *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) put(out, text[i]);
}

static void fill(sink *out, char c, int count) {
  while (count-- > 0) put(out, c);
}

typedef struct spec {
  int left, plus, space, zeros, full; /* the flags - + ' ' 0 # */
  int width, precision;               /* precision -1: not given */
  char length;                        /* 0, h, l, z, j, t; H for hh, q for ll */
  char conversion;
} spec;

static char digit_at(const decimal *d, int i) { return i >= 0 && i < d->count ? d->digits[i] : '0'; }

/* Without exponent, `places` digits behind the point. */
static size_t write_fixed(char *body, const decimal *d, int places, int point) {
  size_t at = 0;
  for (int i = d->point > 0 ? 0 : d->point - 1; i < d->point; i++) body[at++] = digit_at(d, i);
  if (places > 0 || point) body[at++] = '.';
  for (int i = 0; i < places; i++) body[at++] = digit_at(d, d->point + i);
  return at;
}

static size_t write_exponent(char *body, const decimal *d, int places, int point) {
  int exponent = d->count > 0 ? d->point - 1 : 0, size = exponent < 0 ? -exponent : exponent;
  size_t at = 0;
  body[at++] = digit_at(d, 0);
  if (places > 0 || point) body[at++] = '.';
  for (int i = 1; i <= places; i++) body[at++] = digit_at(d, i);
  body[at++] = 'e';
  body[at++] = exponent < 0 ? '-' : '+';
  if (size >= 100) body[at++] = (char)('0' + size / 100);
  body[at++] = (char)('0' + size / 10 % 10);
  body[at++] = (char)('0' + size % 10);
  return at;
}

/* Digits, point and exponent of a finite number from 0 up. */
static size_t write_number(char *body, double value, const spec *s) {
  decimal d;
  int precision = s->precision < 0 ? 6 : s->precision > ANK_PRINT_DIGITS ? ANK_PRINT_DIGITS : s->precision;
  exact_digits(&d, value);
  if (s->conversion == 'f') {
    round_digits(&d, d.point + precision);
    return write_fixed(body, &d, precision, s->full);
  }
  if (s->conversion == 'e') {
    round_digits(&d, precision + 1);
    return write_exponent(body, &d, precision, s->full);
  }
  if (precision == 0) precision = 1;
  round_digits(&d, precision);
  int exponent = d.count > 0 ? d.point - 1 : 0, shown = s->full || d.count == 0 ? precision : d.count;
  if (d.count == 0 && !s->full) shown = 1;
  if (exponent < -4 || exponent >= precision) return write_exponent(body, &d, shown - 1, s->full);
  int places = shown - 1 - exponent;
  return write_fixed(body, &d, places > 0 ? places : 0, s->full);
}

static void put_double(sink *out, double value, const spec *s) {
  char body[9 * WHOLE + ANK_PRINT_DIGITS + 16];
  size_t length = 3;
  int finite = isfinite(value);
  char sign = signbit(value) ? '-' : s->plus ? '+' : s->space ? ' ' : '\0';
  if (finite)
    length = write_number(body, fabs(value), s);
  else
    memcpy(body, isnan(value) ? "nan" : "inf", 3);
  int gap = s->width - (int)length - (sign != '\0'), zeros = s->zeros && !s->left && finite;
  if (!s->left && !zeros) fill(out, ' ', gap);
  if (sign) put(out, sign);
  if (zeros) fill(out, '0', gap);
  put_many(out, body, length);
  if (s->left) fill(out, ' ', gap);
}

/* The next argument: what a length letter stands for has another size on other machines. */
static long long take_signed(char length, va_list *args) {
  switch (length) {
  case 'l': return va_arg(*args, long);
  case 'q':
  case 'j': return va_arg(*args, long long);
  case 'z': /* NOLINT(bugprone-branch-clone): equal only where the types are */
  case 't': return va_arg(*args, ptrdiff_t);
  default: return va_arg(*args, int);
  }
}

static unsigned long long take_unsigned(char length, va_list *args) {
  switch (length) {
  case 'l': return va_arg(*args, unsigned long);
  case 'q':
  case 'j': return va_arg(*args, unsigned long long);
  case 'z': /* NOLINT(bugprone-branch-clone): as above */
  case 't': return va_arg(*args, size_t);
  default: return va_arg(*args, unsigned);
  }
}

/* Whole numbers and pointers are the same in every locale: snprintf, one conversion at a time. */
static void put_whole(sink *out, const spec *s, va_list *args) {
  char form[24], body[64];
  size_t at = 0;
  int is_signed = s->conversion == 'd' || s->conversion == 'i', length;
  form[at++] = '%';
  if (s->plus) form[at++] = '+';
  if (s->space) form[at++] = ' ';
  if (s->full) form[at++] = '#';
  if (s->zeros && !s->left && s->precision < 0) form[at++] = '0';
  /* Spaces around are put here, so that any width has room; zeros are part of the number. */
  int inner = s->zeros && !s->left && s->precision < 0 ? (s->width < 40 ? s->width : 40) : 0;
  memcpy(form + at, "*.*", 3);
  at += 3;
  if (s->conversion != 'p') memcpy(form + at, "ll", 2), at += 2;
  form[at++] = s->conversion;
  form[at] = '\0';
  int precision = s->precision > 40 ? 40 : s->precision;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (s->conversion == 'p')
    length = snprintf(body, sizeof body, "%p", va_arg(*args, void *));
  else if (is_signed)
    length = snprintf(body, sizeof body, form, inner, precision, take_signed(s->length, args));
  else
    length = snprintf(body, sizeof body, form, inner, precision, take_unsigned(s->length, args));
#pragma GCC diagnostic pop
  if (!s->left) fill(out, ' ', s->width - length);
  put_many(out, body, (size_t)length);
  if (s->left) fill(out, ' ', s->width - length);
}

static void put_text(sink *out, const char *text, const spec *s) {
  size_t length = 0, most = s->precision < 0 ? SIZE_MAX : (size_t)s->precision;
  while (length < most && text[length]) length++;
  int gap = length < (size_t)(s->width > 0 ? s->width : 0) ? s->width - (int)length : 0;
  if (!s->left) fill(out, ' ', gap);
  put_many(out, text, length);
  if (s->left) fill(out, ' ', gap);
}

static int take_number(const char **p, va_list *args) {
  int value = 0;
  if (**p == '*') {
    ++*p;
    return va_arg(*args, int);
  }
  for (; **p >= '0' && **p <= '9'; ++*p)
    if (value < 100000) value = 10 * value + (**p - '0');
  return value;
}

static const char *take_spec(spec *s, const char *p, va_list *args) {
  *s = (spec){.precision = -1};
  for (;; p++) {
    if (*p == '-')
      s->left = 1;
    else if (*p == '+')
      s->plus = 1;
    else if (*p == ' ')
      s->space = 1;
    else if (*p == '0')
      s->zeros = 1;
    else if (*p == '#')
      s->full = 1;
    else
      break;
  }
  s->width = take_number(&p, args);
  if (s->width < 0) s->left = 1, s->width = -s->width;
  if (*p == '.') {
    p++;
    s->precision = take_number(&p, args);
  }
  if (*p == 'h' || *p == 'l') {
    s->length = *p++;
    if (*p == s->length) s->length = *p++ == 'h' ? 'H' : 'q';
  } else if (*p == 'z' || *p == 'j' || *p == 't') {
    s->length = *p++;
  }
  s->conversion = *p;
  return *p ? p + 1 : p;
}

int ank_vprint(char *text, size_t size, const char *format, va_list given) {
  sink out = {text, size, 0};
  va_list args;
  va_copy(args, given);
  for (const char *p = format; *p;) {
    spec s;
    if (*p != '%') {
      put(&out, *p++);
      continue;
    }
    p = take_spec(&s, p + 1, &args);
    switch (s.conversion) {
    case 'e':
    case 'f':
    case 'g': put_double(&out, va_arg(args, double), &s); break;
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'p': put_whole(&out, &s, &args); break;
    case 'c': put_text(&out, (char[2]){(char)va_arg(args, int), '\0'}, &s); break;
    case 's': put_text(&out, va_arg(args, const char *), &s); break;
    default: put(&out, s.conversion ? s.conversion : '%'); break; /* %% */
    }
  }
  va_end(args);
  if (size > 0) text[out.length < size ? out.length : size - 1] = '\0';
  return (int)out.length;
}

int ank_print(char *text, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = ank_vprint(text, size, format, args);
  va_end(args);
  return length;
}

const char *ank_count_text(char *text, size_t size, size_t count) {
  char digits[32];
  size_t length = (size_t)ank_print(digits, sizeof digits, "%zu", count), used = 0;
  for (size_t i = 0; i < length && used + 2 < size; i++) {
    if (i > 0 && (length - i) % 3 == 0) text[used++] = ',';
    text[used++] = digits[i];
  }
  if (size > 0) text[used] = '\0';
  return text;
}
