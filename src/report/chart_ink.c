/* chart_ink.c - see chart_ink.h. */
#include "report/chart_ink.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put(ank_ink *ink, const char *bytes, size_t length) {
  if (ink->status == ANORANK_OK) ink->status = ank_output_write(ink->output, bytes, length, ink->err);
}

void ank_ink_raw(ank_ink *ink, const char *markup) { put(ink, markup, strlen(markup)); }

/* In hundredths, by whole numbers: shorter than %g and independent of the locale. */
static void put_number(ank_ink *ink, double value) {
  char text[48];
  if (!isfinite(value)) value = 0;
  long long hundredths = llround(fmin(fmax(value, -1e9), 1e9) * 100);
  unsigned long long size = (unsigned long long)(hundredths < 0 ? -hundredths : hundredths);
  int length =
      snprintf(text, sizeof text, "%s%llu.%02llu", hundredths < 0 ? "-" : "", size / 100, size % 100);
  while (text[length - 1] == '0') length--;
  if (text[length - 1] == '.') length--;
  put(ink, text, (size_t)length);
}

void ank_ink_format(ank_ink *ink, const char *format, ...) {
  va_list args;
  va_start(args, format);
  for (const char *percent; (percent = strchr(format, '%')) != NULL; format = percent + 2) {
    put(ink, format, (size_t)(percent - format));
    if (percent[1] == 'n')
      put_number(ink, va_arg(args, double));
    else
      ank_ink_raw(ink, va_arg(args, const char *));
  }
  va_end(args);
  ank_ink_raw(ink, format);
}

/* The code point at `text` and its length; -1 where it is not UTF-8 (length 1). */
static long decode(const char *text, size_t length, size_t *used) {
  const unsigned char *b = (const unsigned char *)text;
  size_t count = b[0] < 0x80 ? 1 : b[0] >= 0xc2 && b[0] < 0xe0 ? 2 : (b[0] & 0xf0) == 0xe0 ? 3 : 4;
  *used = 1;
  if (count == 1) return b[0];
  if ((count == 4 && (b[0] & 0xf8) != 0xf0) || count > length) return -1;
  long code = b[0] & (0xff >> (count + 1));
  for (size_t i = 1; i < count; i++) {
    if ((b[i] & 0xc0) != 0x80) return -1;
    code = code << 6 | (b[i] & 0x3f);
  }
  if ((count == 3 && code < 0x800) || (count == 4 && (code < 0x10000 || code > 0x10ffff))) return -1;
  if (code >= 0xd800 && code < 0xe000) return -1;
  *used = count;
  return code;
}

void ank_ink_text(ank_ink *ink, const char *text, size_t length) {
  size_t used;
  for (size_t i = 0; i < length; i += used) {
    long code = decode(text + i, length - i, &used);
    if (code == '&')
      ank_ink_raw(ink, "&amp;");
    else if (code == '<')
      ank_ink_raw(ink, "&lt;");
    else if (code == '>')
      ank_ink_raw(ink, "&gt;");
    else if (code == '"')
      ank_ink_raw(ink, "&quot;");
    else if (code == '\'')
      ank_ink_raw(ink, "&#39;");
    else if (code == '\n' || code == '\r' || code == '\t')
      ank_ink_raw(ink, " ");
    else if (code < 0 || code == 0xfffe || code == 0xffff || ank_utf8_steers(text + i, used))
      ank_ink_raw(ink, "\xef\xbf\xbd");
    else
      put(ink, text + i, used);
  }
}

void ank_ink_label(ank_ink *ink, double x, double y, double size, ank_anchor anchor, const char *extra,
                   const char *text, size_t length) {
  static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  ank_ink_format(ink, "<text x=\"%n\" y=\"%n\" font-size=\"%n\"%s%s>", x, y, size, anchors[anchor], extra);
  ank_ink_text(ink, text, length);
  ank_ink_raw(ink, "</text>\n");
}

/* In ems, of a wide sans-serif face. */
static double character_width(long code) {
  if (code < 0) return 1;
  if (code < 0x80 && strchr("ijl.,:;'|!", (int)code)) return 0.32;
  if (code < 0x80 && strchr(" ()[]/ftrI-", (int)code)) return 0.4;
  if (code == 'm' || code == 'M' || code == 'W' || code == '%' || code == '@') return 0.95;
  if (code == 'w' || code == 'O' || code == 'Q' || code == 'G') return 0.8;
  if (code >= 'A' && code <= 'Z') return 0.69;
  if (code == 0xb9 || code == 0xb2 || code == 0xb3 || (code >= 0x2070 && code < 0x2080)) return 0.41;
  if (code >= 0x300 && code < 0x370) return 0;                         /* combining marks */
  if (code >= 0x1100 && (code < 0x2000 || code >= 0x2e80)) return 1.1; /* East Asian scripts, pictures */
  return 0.63;
}

double ank_text_width(const char *text, size_t length, double size) {
  double width = 0;
  size_t used;
  for (size_t i = 0; i < length; i += used) width += character_width(decode(text + i, length - i, &used));
  return width * size;
}

size_t ank_text_fit(const char *text, double size, double width) {
  size_t length = strlen(text), used, blank = 0;
  double taken = 0;
  for (size_t i = 0; i < length; i += used) {
    taken += character_width(decode(text + i, length - i, &used)) * size;
    if (taken > width && i > 0) return blank > 0 ? blank : i;
    if (text[i] == ' ') blank = i + 1;
  }
  return length;
}

size_t ank_text_lines(const char *text, double size, double width) {
  size_t lines = 0;
  for (; *text; lines++) text += ank_text_fit(text, size, width);
  return lines;
}

const char *ank_text_cut(char *out, size_t size, const char *text, size_t characters) {
  static const char mark[] = "\xe2\x80\xa6";
  const char *end = text, *before = text; /* `before`: where to cut if not all fits */
  for (size_t k = 0; *end && (size_t)(end - text) + sizeof mark <= size; k++) {
    size_t step = ank_utf8_length(end, strlen(end));
    if (k < characters) before = end;
    if (k == characters) break;
    end += step > 0 ? step : 1;
  }
  if (!*end && (size_t)(end - text) < size)
    snprintf(out, size, "%s", text);
  else
    snprintf(out, size, "%.*s%s", (int)(before - text), text, mark);
  return out;
}
