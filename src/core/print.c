/* print.c - see print.h. libc writes the digits of each number. It takes only the decimal mark from the
 * locale, which is replaced afterwards. */
#include "core/print.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_SIZE (ANK_PRINT_DIGITS + 400) /* 309 digits before the point, ANK_PRINT_DIGITS after it */

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
  int left, zeros;      /* the flags - and 0 */
  char sign;            /* '+' or ' ' before numbers that are not negative; 0: none */
  int width, precision; /* precision -1: not given */
  char length;          /* 0, l, z; q for ll */
  char conversion;
} spec;

/* Write a sign and digits in the given width. */
static void put_number(sink *out, const spec *s, const char *body, int zeros) {
  size_t length = strlen(body), sign = strchr("+- ", body[0]) != NULL;
  int gap = length < (size_t)s->width ? s->width - (int)length : 0;
  if (!s->left && !zeros) fill(out, ' ', gap);
  put_many(out, body, sign);
  if (!s->left && zeros) fill(out, '0', gap);
  put_many(out, body + sign, length - sign);
  if (s->left) fill(out, ' ', gap);
}

/* Write "%+.*" and the conversion, as snprintf reads it. */
static void make_form(char form[12], const spec *s, const char *length) {
  char sign[2] = {s->sign, '\0'};
  snprintf(form, 12, "%%%s.*%s%c", sign, length, s->conversion);
}

/* Replace the decimal mark of the locale by a point. */
static void use_point(char *body) {
  char *at = body + (strchr("+- ", body[0]) != NULL);
  while (*at >= '0' && *at <= '9') at++;
  if (*at == '\0' || *at == 'e') return;
  char *rest = at + 1;
  while (*rest && (*rest < '0' || *rest > '9')) rest++;
  *at++ = '.';
  memmove(at, rest, strlen(rest) + 1);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void put_double(sink *out, double value, const spec *s) {
  char form[12], body[NUMBER_SIZE];
  make_form(form, s, "");
  snprintf(body, sizeof body, form, s->precision > ANK_PRINT_DIGITS ? ANK_PRINT_DIGITS : s->precision, value);
  if (isfinite(value)) use_point(body);
  put_number(out, s, body, s->zeros && isfinite(value));
}

static void put_whole(sink *out, const spec *s, va_list *args) {
  char form[12], body[NUMBER_SIZE];
  int precision = s->precision > ANK_PRINT_DIGITS ? ANK_PRINT_DIGITS : s->precision;
  make_form(form, s, "ll");
  if (s->conversion == 'd') {
    long long value = s->length == 'q'   ? va_arg(*args, long long)
                      : s->length == 'l' ? va_arg(*args, long)
                      : s->length == 'z' ? va_arg(*args, ptrdiff_t)
                                         : va_arg(*args, int);
    snprintf(body, sizeof body, form, precision, value);
  } else {
    unsigned long long value = s->length == 'q'   ? va_arg(*args, unsigned long long)
                               : s->length == 'l' ? va_arg(*args, unsigned long)
                               : s->length == 'z' ? va_arg(*args, size_t)
                                                  : va_arg(*args, unsigned);
    snprintf(body, sizeof body, form, precision, value);
  }
  put_number(out, s, body, s->zeros && precision < 0);
}

#pragma GCC diagnostic pop

static void put_text(sink *out, const char *text, const spec *s) {
  size_t length = 0, most = s->precision < 0 ? SIZE_MAX : (size_t)s->precision;
  while (length < most && text[length]) length++;
  int gap = length < (size_t)s->width ? s->width - (int)length : 0;
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
  for (; *p && strchr("-+ 0", *p); p++) {
    s->left |= *p == '-';
    s->zeros |= *p == '0';
    if (*p == '+' || (*p == ' ' && !s->sign)) s->sign = *p;
  }
  s->width = take_number(&p, args);
  if (s->width < 0) s->left = 1, s->width = -s->width;
  if (*p == '.') {
    p++;
    s->precision = take_number(&p, args);
  }
  if (*p == 'l' || *p == 'z') s->length = *p++;
  if (s->length == 'l' && *p == 'l') s->length = 'q', p++;
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
    case 'u':
    case 'x': put_whole(&out, &s, &args); break;
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
