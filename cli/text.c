/* text.c - see text.h. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "anorank/anorank.h"
#include "core/nearest_name.h"
#include "core/print.h"
#include "core/utf8.h"

static int begins_character(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

/* Return the length of a visible character, 0 for anything else. */
static size_t shown_length(const char *text) {
  size_t length = ank_utf8_length(text, 4); /* a NUL ends it earlier */
  return ank_utf8_steers(text, length) ? 0 : length;
}

/* Return the length of the word at the start of `text`: to the next blank, but "10 %" and --option='a b' stay
 * whole. */
static size_t word_length(const char *text) {
  size_t length = strcspn(text, " ");
  if (strncmp(text + length, " %", 2) == 0) return length + 1 + strcspn(text + length + 1, " ");
  size_t quote = strcspn(text, "'");
  if (strncmp(text, "--", 2) != 0 || quote >= length || (text[quote - 1] != '=' && text[quote - 1] != '$'))
    return length;
  int escapes = text[quote - 1] == '$';
  for (length = quote + 1; text[length] && text[length] != '\'';)
    length += escapes && text[length] == '\\' ? 2 : 1;
  while (strncmp(text + length, "'\\''", 4) == 0) length += 4 + strcspn(text + length + 4, "'");
  return length + strcspn(text + length, " ");
}

/* Write untrusted text: control characters become '?'. */
static void put_shown(FILE *stream, const char *text, size_t length) {
  for (size_t i = 0, step; i < length; i += step ? step : 1) {
    step = shown_length(text + i);
    if (step == 0)
      fputc('?', stream);
    else
      fwrite(text + i, 1, step, stream);
  }
}

size_t cli_wrap_most(FILE *stream, const char *text, size_t at, size_t indent, size_t width, size_t most) {
  size_t lines = 1;
  for (int first = 1; *text; first = 0) {
    const char *word = text + strspn(text, " ");
    size_t length = word_length(word), needed = cli_width_of(word, length) + (size_t)!first;
    if (length == 0) break;
    /* the last line needs room for all the rest, or for the word and the dots */
    if (lines == most && at + (size_t)!first + cli_text_width(word) > width && at + needed + 2 > width) {
      if (stream) fputs(first ? "…" : " …", stream);
      break;
    }
    if (!first && at + needed > width) {
      if (stream) fprintf(stream, "\n%*s", (int)indent, "");
      at = indent;
      needed--;
      lines++;
    } else if (!first && stream) {
      fputc(' ', stream);
    }
    if (stream) put_shown(stream, word, length);
    at += needed;
    text = word + length;
  }
  if (stream) fputc('\n', stream);
  return lines;
}

void cli_wrap(FILE *stream, const char *text, size_t at, size_t indent, size_t width) {
  (void)cli_wrap_most(stream, text, at, indent, width, (size_t)-1);
}

static const char *plain_word(const void *context, size_t i) {
  return (*(const char *(*const *)(size_t i))context)(i);
}

const char *cli_meant(char *buffer, size_t size, const char *typed, const char *(*word_at)(size_t i),
                      const char *otherwise) {
  const char *nearest = ank_nearest_name(typed, plain_word, &word_at);
  snprintf(buffer, size, nearest ? "did you mean '%s'?" : "%s", nearest ? nearest : otherwise);
  return buffer;
}

int cli_is_listed(const char *list, const char *word, size_t length) {
  for (const char *at = list; at && *at;) {
    size_t step = strcspn(at, " ");
    if (step == length && strncmp(at, word, length) == 0) return 1;
    at += step + strspn(at + step, " ");
  }
  return 0;
}

size_t cli_shell_word(char *buffer, size_t size, const char *text) {
  static const char bare[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./,:+@%=";
  size_t used = 0;
  int plain = *text != '\0' && text[strspn(text, bare)] == '\0', shows = 1;
  for (const char *p = text; *p && shows; p += shown_length(p)) shows = shown_length(p) > 0;
  if (!plain) used += (size_t)snprintf(buffer, size, shows ? "'" : "$'");
  for (const char *p = text; *p && used + 8 < size; p++) {
    unsigned char c = (unsigned char)*p;
    if (!shows && (c < 0x20 || c >= 0x7F))
      used += (size_t)snprintf(buffer + used, size - used, "\\%03o", c);
    else if (!shows && (c == '\'' || c == '\\'))
      used += (size_t)snprintf(buffer + used, size - used, "\\%c", c);
    else if (shows && c == '\'')
      used += (size_t)snprintf(buffer + used, size - used, "'\\''");
    else
      buffer[used++] = (char)c;
  }
  if (!plain) buffer[used++] = '\'';
  buffer[used] = '\0';
  return used;
}

void cli_make_printable(char *text) {
  while (*text) {
    size_t length = shown_length(text);
    if (length == 0 && *text != '\n') *text = '?';
    text += length ? length : 1;
  }
}

const char *cli_printable(char *buffer, size_t size, const char *text) {
  size_t used = 0;
  while (text[used] && used + 1 < size) {
    size_t length = shown_length(text + used);
    if (used + length >= size) break;
    if (length == 0) buffer[used++] = '?';
    memcpy(buffer + used, text + used, length);
    used += length;
  }
  if (text[used] && used >= 3) { /* back to the start of a character, with room for the dots */
    for (used -= 3; used > 0 && !begins_character(buffer[used]);) used--;
    memcpy(buffer + used, "...", 3);
    used += 3;
  }
  buffer[used] = '\0';
  return buffer;
}

int cli_is_written_number(const char *text) {
  const char *first = text + strspn(text, "+-$ ");
  return first[strspn(first, "0123456789.,'_ %$")] == '\0' && strpbrk(first, "0123456789") &&
         strpbrk(text, ",'_ %$");
}

anorank_status cli_fail(anorank_error *err, anorank_status status, const char *code, const char *format,
                        ...) {
  va_list arguments;
  *err = (anorank_error){.status = status};
  va_start(arguments, format);
  ank_vprint(err->message, sizeof err->message, format, arguments);
  va_end(arguments);
  snprintf(err->code, sizeof err->code, "%s", code);
  return status;
}

void *cli_allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (memory) return memory;
  fprintf(stderr, "anorank: out of memory; use fewer rows or close other programs\n");
  exit(ANORANK_ERROR_RESOURCES);
}

void cli_print(FILE *stream, const char *format, ...) {
  char text[4001];
  va_list arguments;
  va_start(arguments, format);
  ank_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  fputs(text, stream);
}
