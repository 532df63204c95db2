/* xml.h - check that a text is well-formed XML, as far as our own files use it: elements, attributes in
 * double quotes, the five named entities and numeric ones, no comments, no DOCTYPE. */
#ifndef TEST_SUPPORT_XML_H
#define TEST_SUPPORT_XML_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline size_t xml_name(const char *at) {
  size_t length = 0;
  while (isalnum((unsigned char)at[length]) || (length > 0 && strchr(":-_.", at[length]) && at[length]))
    length++;
  return length;
}

/* Past characters up to one of `stop`; NULL at one that may not stand there. */
static inline const char *xml_characters(const char *at, const char *stop) {
  for (; *at && !strchr(stop, *at); at++) {
    unsigned char c = (unsigned char)*at;
    if (c == '<' || c == '>' || (c < 0x20 && c != '\n')) return NULL;
    if (c != '&') continue;
    size_t length = strcspn(at, ";");
    static const char *const entities[] = {"&amp", "&lt", "&gt", "&quot", "&#39"};
    int known = 0;
    for (size_t i = 0; i < 5; i++)
      known |= strlen(entities[i]) == length && !strncmp(at, entities[i], length);
    if (!known) return NULL;
  }
  return at;
}

/* NULL if well-formed, else where it goes wrong. */
static inline const char *xml_fault(const char *text) {
  const char *open[64];
  size_t depth = 0, elements = 0;
  const char *at = text;
  while (*at) {
    const char *next = xml_characters(at, "<");
    if (!next) return at;
    if (depth == 0 && at + strspn(at, " \n") != next) return at; /* text outside the root */
    at = next;
    if (!*at) break;
    if (at[1] == '/') {
      size_t length = xml_name(at + 2);
      if (depth == 0 || xml_name(open[depth - 1]) != length ||
          strncmp(open[depth - 1], at + 2, length) != 0 || at[2 + length] != '>')
        return at;
      depth--;
      at += 3 + length;
      continue;
    }
    const char *name = at + 1;
    if (xml_name(name) == 0 || (depth == 0 && elements > 0) || depth == 64) return at;
    elements++;
    at = name + xml_name(name);
    while (*at == ' ') {
      size_t length = xml_name(at + 1);
      if (length == 0 || strncmp(at + 1 + length, "=\"", 2) != 0) return at;
      next = xml_characters(at + 3 + length, "\"");
      if (!next || *next != '"') return at;
      at = next + 1;
    }
    if (strncmp(at, "/>", 2) == 0)
      at += 2;
    else if (*at == '>') {
      open[depth++] = name;
      at++;
    } else
      return at;
  }
  return depth == 0 && elements > 0 ? NULL : at;
}

/* A whole file with a NUL after it; NULL if it cannot be read. */
static inline char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = test_memory((size_t)size + 1);
  size_t got = text ? fread(text, 1, (size_t)size, file) : 0;
  fclose(file);
  if (got == (size_t)size) return text;
  return NULL;
}

static inline size_t count_text(const char *text, const char *what) {
  size_t count = 0;
  for (; (text = strstr(text, what)) != NULL; text += strlen(what)) count++;
  return count;
}

#endif
