/* source_text.c - text in any encoding as UTF-8; see source_text.h.
 *
 * UTF-16 and Windows-1252 are converted here, so that the common cases work without the C library's tables;
 * iconv converts all others, none on Windows. Windows-1252 rather than Latin-1: they differ in the bytes 0x80 to 0x9F, which
 * are € and quotes in real files. */
#include "table/source_text.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "table/source_codecs.h"

#define LOOKED_AT ((size_t)1 << 20)
#define INPUT ((size_t)1 << 15)

typedef enum way { AS_IT_IS, UTF16_LITTLE, UTF16_BIG, WINDOWS, BY_ICONV } way;

typedef struct decoder {
  ank_source *inner;
  way way;
  iconv_t iconv;
  int open; /* iconv_close is necessary */
  unsigned char input[INPUT];
  size_t from, to;
  int ended;
  int cut;                   /* the text ends in the middle of a character */
  unsigned char made[8 * 4]; /* a character that did not fit */
} decoder;

/* ---- detecting the encoding ------------------------------------------------------------------------- */

/* Return whether the text is valid UTF-8, except for a truncated last character. */
static int is_utf8(const unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < length;) {
    size_t step = bytes[i] < 0x80 ? 1 : ank_utf8_length((const char *)bytes + i, length - i);
    if (step == 0) return length - i < 4 && bytes[i] >= 0xC2 && bytes[i] <= 0xF4;
    i += step;
  }
  return 1;
}

/* Detect UTF-16 without a byte-order mark: nearly every second byte is 0 if the text is mostly ASCII. */
static way utf16_by_zeros(const unsigned char *bytes, size_t length) {
  size_t zeros[2] = {0, 0}, pairs = length / 2 < 2048 ? length / 2 : 2048;
  for (size_t i = 0; i < 2 * pairs; i++) zeros[i % 2] += bytes[i] == 0;
  if (pairs < 4) return AS_IT_IS;
  if (zeros[1] * 10 >= pairs * 7 && zeros[0] * 20 <= pairs) return UTF16_LITTLE;
  if (zeros[0] * 10 >= pairs * 7 && zeros[1] * 20 <= pairs) return UTF16_BIG;
  return AS_IT_IS;
}

/* Detect UTF-32, before UTF-16: nearly all of the upper three bytes are 0. NULL: it is not. */
static const char *utf32_by_zeros(const unsigned char *bytes, size_t length) {
  size_t zeros[4] = {0, 0, 0, 0}, fours = length / 4 < 1024 ? length / 4 : 1024;
  for (size_t i = 0; i < 4 * fours; i++) zeros[i % 4] += bytes[i] == 0;
  if (fours < 2) return NULL;
  if (zeros[3] == fours && zeros[2] * 10 >= fours * 9 && zeros[0] * 20 <= fours) return "UTF-32LE";
  if (zeros[0] == fours && zeros[1] * 10 >= fours * 9 && zeros[3] * 20 <= fours) return "UTF-32BE";
  return NULL;
}

/* Detect Shift-JIS: every byte above ASCII begins or is one of its characters, and a third of the first bytes
 * are quotes or gaps in Windows-1252, not letters. */
static int is_shift_jis(const unsigned char *bytes, size_t length) {
  size_t pairs = 0, low = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = bytes[i];
    if (c < 0x80 || (c >= 0xA1 && c <= 0xDF)) continue; /* half-width kana are single bytes */
    int leads = (c >= 0x81 && c <= 0x9F) || (c >= 0xE0 && c <= 0xFC);
    if (!leads) return 0;
    if (i + 1 == length) break;
    unsigned char next = bytes[++i];
    if (next < 0x40 || next == 0x7F || next > 0xFC) return 0;
    pairs++;
    low += c <= 0x9F;
  }
  return pairs > 0 && low * 3 >= pairs;
}

static way guess(const unsigned char *bytes, size_t length, const char **name) {
  *name = "UTF-32";
  if (length >= 4 && memcmp(bytes, "\xFF\xFE\0\0", 4) == 0) return BY_ICONV;
  *name = NULL;
  if (length >= 2 && bytes[0] == 0xFF && bytes[1] == 0xFE) return UTF16_LITTLE;
  if (length >= 2 && bytes[0] == 0xFE && bytes[1] == 0xFF) return UTF16_BIG;
  if (length >= 4 && memcmp(bytes, "\0\0\xFE\xFF", 4) == 0) {
    *name = "UTF-32";
    return BY_ICONV;
  }
  *name = utf32_by_zeros(bytes, length);
  if (*name) return BY_ICONV;
  way wide = utf16_by_zeros(bytes, length);
  if (wide != AS_IT_IS) return wide;
  if (memchr(bytes, 0, length) || is_utf8(bytes, length)) return AS_IT_IS;
  if (!is_shift_jis(bytes, length)) return WINDOWS;
  *name = "CP932";
  return BY_ICONV;
}

/* ---- converting -------------------------------------------------------------------------------------- */

static unsigned windows_character(unsigned char byte) {
  static const unsigned short high[32] = {0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                          0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
                                          0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                          0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};
  return byte >= 0x80 && byte < 0xA0 ? high[byte - 0x80] : byte;
}

/* Decode the UTF-16 character at the start of the input; its bytes in *taken, 0 if more are needed. */
static unsigned wide_character(decoder *d, size_t *taken) {
  const unsigned char *p = d->input + d->from;
  size_t left = d->to - d->from;
  int big = d->way == UTF16_BIG;
  *taken = 0;
  if (left < 2) {
    d->cut = d->ended;
    return 0;
  }
  unsigned unit = big ? (unsigned)p[0] << 8 | p[1] : (unsigned)p[1] << 8 | p[0];
  *taken = 2;
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF) return 0xFFFD;
  if (left < 4) {
    *taken = 0;
    d->cut = d->ended;
    return 0;
  }
  unsigned low = big ? (unsigned)p[2] << 8 | p[3] : (unsigned)p[3] << 8 | p[2];
  if (low < 0xDC00 || low > 0xDFFF) return 0xFFFD;
  *taken = 4;
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

anorank_status ank_text_cut_short(const char *name, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_DATA, "encoding-cut-short",
                  "%s: ends in the middle of a character; copy the file again, or set its encoding", name);
}

static size_t convert_own(decoder *d, unsigned char *to, size_t size) {
  size_t used = 0;
  while (d->from < d->to && used + 4 <= size) {
    size_t taken = 1;
    unsigned code = d->way == WINDOWS ? windows_character(d->input[d->from]) : wide_character(d, &taken);
    if (taken == 0) break;
    d->from += taken;
    if (code != 0xFEFF) used += ank_put_utf8((char *)to + used, code);
  }
  return used;
}

static anorank_status convert_by_iconv(decoder *d, unsigned char *to, size_t size, size_t *got,
                                       anorank_error *err) {
  char *in = (char *)d->input + d->from, *out = (char *)to;
  size_t in_left = d->to - d->from, out_left = size;
  size_t result = iconv(d->iconv, &in, &in_left, &out, &out_left);
  d->from = d->to - in_left;
  *got = size - out_left;
  int reason = result == (size_t)-1 ? errno : 0;
  d->cut = reason == EINVAL && d->ended;
  if (reason == EILSEQ && *got == 0)
    return ank_fail(err, ANORANK_ERROR_DATA, "encoding-wrong",
                    "%s: does not match its encoding; set encoding to another one",
                    ank_source_name(d->inner));
  return ANORANK_OK;
}

static anorank_status read_text(void *state, void *buffer, size_t size, size_t *got, anorank_error *err) {
  decoder *d = state;
  *got = 0;
  while (*got == 0) {
    if (!d->ended) {
      size_t more;
      memmove(d->input, d->input + d->from, d->to - d->from);
      d->to -= d->from;
      d->from = 0;
      ANK_CHECK(ank_source_read(d->inner, d->input + d->to, sizeof d->input - d->to, &more, err));
      d->ended = more == 0;
      d->to += more;
    }
    if (d->from == d->to && d->ended) break;
    if (size < sizeof d->made) /* never in practice: readers request thousands */
      return ank_fail(err, ANORANK_ERROR_USAGE, "json-buffer-size",
                      "%s: a buffer of %zu bytes is too small for JSON; pass a larger one",
                      ank_source_name(d->inner), size);
    if (d->way == BY_ICONV)
      ANK_CHECK(convert_by_iconv(d, buffer, size, got, err));
    else
      *got = convert_own(d, buffer, size);
    if (d->cut) return ank_text_cut_short(ank_source_name(d->inner), err);
  }
  return ANORANK_OK;
}

static void close_text(void *state) {
  decoder *d = state;
  if (d->open) iconv_close(d->iconv);
  ank_source_free(d->inner);
  ank_free(d);
}

/* ---- opening ----------------------------------------------------------------------------------------- */

/* Return the encoding that the setting `encoding` names. */
static way named(const char *encoding) {
  static const struct {
    const char *name;
    way way;
  } own[] = {{"utf-8", AS_IT_IS},     {"utf8", AS_IT_IS},        {"utf-16le", UTF16_LITTLE},
             {"utf-16be", UTF16_BIG}, {"windows-1252", WINDOWS}, {"cp1252", WINDOWS},
             {"latin-1", WINDOWS},    {"latin1", WINDOWS},       {"iso-8859-1", WINDOWS}};
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    if (ank_same_word(own[i].name, encoding)) return own[i].way;
  return BY_ICONV;
}

static const char *word_of(way chosen, const char *name) {
  return chosen == WINDOWS ? "Windows-1252" : chosen == BY_ICONV ? name : "UTF-16";
}

anorank_status ank_source_decode_text(ank_source **source, const char *encoding,
                                      char detected[ANK_ENCODING_SIZE], anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const unsigned char *bytes;
  const char *name = encoding;
  char quoted[ANK_QUOTE_SIZE];
  decoder *d = NULL;
  size_t length;
  detected[0] = '\0';
  int automatic = ank_same_word(encoding, "auto");
  ANK_TRY(ank_source_peek(*source, &bytes, LOOKED_AT, &length, err));
  int marked =
      length >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF));
  int by_content = automatic || (ank_same_word(encoding, "utf-16") && marked);
  way chosen = by_content ? guess(bytes, length, &name) : named(encoding);
  if (chosen == AS_IT_IS) goto done;
  ANK_TRY(ank_alloc(&d, 1, sizeof *d, err));
  d->way = chosen;
  if (chosen == BY_ICONV) {
    d->iconv = iconv_open("UTF-8", name);
    if (d->iconv == (iconv_t)-1 && by_content && strcmp(name, "CP932") == 0)
      d->iconv = iconv_open("UTF-8", name = "SHIFT_JIS"); /* all but some symbols; musl has this one only */
    d->open = d->iconv != (iconv_t)-1;
    if (!d->open && by_content)
      ANK_FAIL(ANORANK_ERROR_DATA, "encoding-not-supported",
               "%s: looks like %s, which this build cannot decode; convert the file to UTF-8",
               ank_source_name(*source), name);
    if (!d->open)
      ANK_FAIL(ANORANK_ERROR_USAGE, "encoding-unknown",
               "unknown encoding \"%s\"; 'iconv -l' lists the known ones",
               ank_quote(quoted, name, strlen(name)));
  }
  if (automatic && !marked) snprintf(detected, ANK_ENCODING_SIZE, "%s", word_of(chosen, name));
  d->inner = *source;
  ank_source *wrapped;
  decoder *given = d;
  d = NULL; /* close_text frees it, also on failure */
  *source = NULL;
  ANK_TRY(ank_source_wrap(&wrapped, given->inner, read_text, close_text, given, err));
  *source = wrapped;
done:
  if (d && d->open) iconv_close(d->iconv);
  ank_free(d);
  return status;
}
