/* csv_cut.c - where a CSV file may be cut between records, seen from any place in it; see csv.h.
 *
 * Whether a newline ends a record depends on the quotes before it, and so on all of the file up to there. A piece is
 * therefore read once for each state that its first byte may find: what comes out is a function from states to
 * states, and the functions of neighbouring pieces are composed by whoever has them (anorank.h). States that come to
 * be the same stay the same, so in the end one or two are followed, and a stretch without quotes is looked at by
 * searching for newlines alone.
 *
 * A cut lies behind a '\n' that ends a record whose last character is not a blank: such a record is not empty, so
 * that in a file of one column no empty line, which is a row if something follows, loses what follows. A lone '\r'
 * ends a record, but is no cut. */
#include <string.h>

#include "table/csv.h"

enum {
  AT_CELL = 0, /* at the start of a record or cell, or in blanks after it */
  IN_PLAIN,    /* in a cell without quotes */
  IN_QUOTES,
  AFTER_QUOTE, /* behind a quote inside quotes: the end of the cell, or the first of two */
  WRONG,       /* reading the record will say what is wrong; nothing after it counts */
  STATES
};

_Static_assert(STATES == ANORANK_SCAN_STATES, "anorank.h");

#define FIRST_STRETCH ((size_t)64) /* few states are left after some cells */
#define STRETCH ((size_t)1 << 12)
#define NOWHERE UINT64_MAX

/* What a byte is. */
enum { OTHER, BLANK, DELIMITER, NEWLINE, RETURN, QUOTE, NUL, KINDS };

static const unsigned char next_state[STATES][KINDS] = {
    /*               OTHER     BLANK        DELIMITER  NEWLINE    RETURN     QUOTE        NUL */
    [AT_CELL] = {IN_PLAIN, AT_CELL, AT_CELL, AT_CELL, AT_CELL, IN_QUOTES, WRONG},
    [IN_PLAIN] = {IN_PLAIN, IN_PLAIN, AT_CELL, AT_CELL, AT_CELL, IN_PLAIN, WRONG},
    [IN_QUOTES] = {IN_QUOTES, IN_QUOTES, IN_QUOTES, IN_QUOTES, IN_QUOTES, AFTER_QUOTE, WRONG},
    [AFTER_QUOTE] = {WRONG, AFTER_QUOTE, AT_CELL, AT_CELL, AT_CELL, IN_QUOTES, WRONG},
    [WRONG] = {WRONG, WRONG, WRONG, WRONG, WRONG, WRONG, WRONG},
};

typedef struct scanning {
  unsigned char kind[256];
  anorank_scan *out;
  unsigned char state[STATES]; /* of each way to enter, now */
} scanning;

static void know_bytes(unsigned char kind[256], const ank_csv_dialect *dialect) {
  memset(kind, OTHER, 256);
  kind[' '] = kind['\t'] = BLANK;
  kind[(unsigned char)dialect->delimiter] = DELIMITER;
  if (dialect->runs) kind['\t'] = DELIMITER;
  kind['\n'] = NEWLINE;
  kind['\r'] = RETURN;
  kind['"'] = QUOTE;
  kind[0] = NUL;
}

/* The byte so far before `at`; `before` bytes are known before the piece. A newline where none is. */
static int byte_before(const unsigned char *bytes, size_t at, size_t back, size_t before) {
  return at + before >= back ? *(bytes + at - back) : '\n';
}

/* May a file be cut behind the '\n' at `at`, if it ends a record? */
static int ends_something(const unsigned char *bytes, size_t at, size_t before) {
  int last = byte_before(bytes, at, 1, before);
  return (last == '\r' ? byte_before(bytes, at, 2, before) : last) > ' ';
}

static void note_cut(anorank_scan *out, size_t way, uint64_t at) {
  if (out->first[way] == NOWHERE) out->first[way] = at;
  out->last[way] = at;
}

/* Byte by byte, following each state once. */
static void follow(scanning *scan, const unsigned char *bytes, size_t from, size_t to, size_t before) {
  unsigned char live[STATES], leader[STATES];
  size_t count = 0;
  for (size_t way = 0; way < STATES; way++) { /* one leader for all ways that are in the same state */
    size_t k = 0;
    while (k < count && scan->state[live[k]] != scan->state[way]) k++;
    if (k == count) live[count++] = (unsigned char)way;
    leader[way] = live[k];
  }
  for (size_t at = from; at < to; at++) {
    unsigned char kind = scan->kind[bytes[at]];
    int cut = kind == NEWLINE && ends_something(bytes, at, before);
    for (size_t k = 0; k < count; k++) {
      unsigned char *state = &scan->state[live[k]];
      *state = next_state[*state][kind];
      if (cut && *state == AT_CELL)
        for (size_t way = 0; way < STATES; way++)
          if (leader[way] == live[k]) note_cut(scan->out, way, at + 1);
    }
  }
  for (size_t way = 0; way < STATES; way++) scan->state[way] = scan->state[leader[way]];
}

/* A stretch without quotes, NULs and returns: outside of quotes the first and the last newline that are cuts count,
 * and the state at the end is told by the last bytes. */
static void skim(scanning *scan, const unsigned char *bytes, size_t from, size_t to, size_t before) {
  const unsigned char *found = bytes + from;
  size_t first = SIZE_MAX, last = SIZE_MAX, end = to;
  while ((found = memchr(found, '\n', (size_t)(bytes + to - found))) != NULL) {
    size_t at = (size_t)(found - bytes);
    if (ends_something(bytes, at, before)) {
      first = at + 1;
      break;
    }
    if (++found == bytes + to) break;
  }
  for (; first != SIZE_MAX && last == SIZE_MAX;) {
    end = (size_t)((const unsigned char *)memrchr(bytes + from, '\n', end - from) - bytes);
    if (ends_something(bytes, end, before)) last = end + 1;
  }
  size_t tail = to;
  while (tail > from && scan->kind[bytes[tail - 1]] == BLANK) tail--;
  int only_blanks = tail == from, plain = !only_blanks && scan->kind[bytes[tail - 1]] == OTHER;
  /* blanks behind a plain cell belong to it */
  for (size_t way = 0; way < STATES; way++) {
    unsigned char *state = &scan->state[way];
    if (*state != AT_CELL && *state != IN_PLAIN) continue;
    if (!only_blanks) *state = plain ? IN_PLAIN : AT_CELL;
    if (first != SIZE_MAX) {
      note_cut(scan->out, way, first);
      note_cut(scan->out, way, last);
    }
  }
}

static int has(const unsigned char *bytes, size_t from, size_t to, int byte) {
  return memchr(bytes + from, byte, to - from) != NULL;
}

/* A return counts with the byte behind it. */
static uint64_t count_lines(const unsigned char *bytes, size_t from, size_t to, size_t before, int returns) {
  uint64_t lines = 0;
  for (size_t at = from; at < to; at++) lines += bytes[at] == '\n';
  for (size_t at = from; at < (returns ? to : from + 1); at++)
    lines += bytes[at] != '\n' && byte_before(bytes, at, 1, before) == '\r';
  return lines;
}

static void scan_bytes(anorank_scan *out, const void *state, const unsigned char *bytes, size_t length,
                       size_t before) {
  const ank_csv *csv = state;
  scanning scan = {.out = out};
  know_bytes(scan.kind, &csv->dialect);
  *out = (anorank_scan){0};
  for (size_t way = 0; way < STATES; way++) {
    scan.state[way] = (unsigned char)way;
    out->first[way] = out->last[way] = NOWHERE;
  }
  for (size_t from = 0, to; from < length; from = to) {
    size_t most = from == 0 ? FIRST_STRETCH : STRETCH;
    to = length - from < most ? length : from + most;
    int returns = has(bytes, from, to, '\r');
    int plain = !returns && !has(bytes, from, to, '"') && !has(bytes, from, to, '\0');
    size_t middle = from;
    if (plain) { /* a quote before the stretch is done with at its first delimiter */
      while (middle < to && (scan.kind[bytes[middle]] == OTHER || scan.kind[bytes[middle]] == BLANK))
        middle++;
      if (middle < to) middle++;
    }
    follow(&scan, bytes, from, plain ? middle : to, before);
    if (plain && middle < to) skim(&scan, bytes, middle, to, before);
    out->lines += count_lines(bytes, from, to, before, returns);
  }
  memcpy(out->left, scan.state, sizeof scan.state);
}

static anorank_body body_of(const void *state, uint64_t taken) {
  const ank_csv *csv = state;
  if (csv->blank_rows > 0) return (anorank_body){0}; /* empty lines before the first row are rows */
  return (anorank_body){.cuts = ANORANK_CUTS_TEXT, .begin = taken - (csv->to - csv->from), .line = csv->line};
}

static void go_on(void *state, ank_source *source, uint64_t line, uint64_t rows) {
  ank_csv *csv = state;
  (void)rows;
  csv->source = source;
  csv->from = csv->to = csv->lines_end = 0;
  csv->at_end = 0;
  csv->line = (size_t)line;
  csv->blank_rows = 0;
}

const ank_cutting ank_csv_cutting = {body_of, scan_bytes, go_on};
