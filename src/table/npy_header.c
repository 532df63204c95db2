/* npy_header.c - see npy_header.h. The header is Python source; this parser accepts only the three keys, in
 * any order and with any spacing. */
#include "table/npy_header.h"

#include <stdio.h>
#include <string.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE 6
#define LONGEST_HEADER 65536 /* numpy's own are under 200 bytes; a wrong length must not make us read on */

typedef struct parser {
  const char *text, *at, *end;
  const char *source;
  unsigned seen; /* one bit per key found */
} parser;

enum { SEEN_DESCR = 1, SEEN_ORDER = 2, SEEN_SHAPE = 4 };

static anorank_status broken(const parser *p, const char *expected, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  size_t left = (size_t)(p->end - p->at);
  if (left > 24) left = 24;
  return ank_fail(
      err, ANORANK_ERROR_DATA, "npy-header",
      "%s: broken NPY header at its byte %zu: expected %s, found \"%s\"; save the array again with "
      "numpy.save",
      p->source, (size_t)(p->at - p->text) + 1, expected, ank_quote(quoted, p->at, left));
}

static void skip_spaces(parser *p) {
  while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r')) p->at++;
}

static int take(parser *p, char c) {
  skip_spaces(p);
  if (p->at >= p->end || *p->at != c) return 0;
  p->at++;
  return 1;
}

static int take_word(parser *p, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0) return 0;
  p->at += length;
  return 1;
}

static anorank_status take_string(parser *p, const char **start, size_t *length, const char *expected,
                                  anorank_error *err) {
  skip_spaces(p);
  if (p->at >= p->end || (*p->at != '\'' && *p->at != '"')) return broken(p, expected, err);
  const char *close = memchr(p->at + 1, *p->at, (size_t)(p->end - p->at) - 1);
  if (!close || memchr(p->at, '\\', (size_t)(close - p->at))) return broken(p, expected, err);
  *start = p->at + 1;
  *length = (size_t)(close - *start);
  p->at = close + 1;
  return ANORANK_OK;
}

static const char *advice_for(char type) {
  switch (type) {
  case 'U':
  case 'S':
  case 'a': return "text cannot be ranked from NPY: save it as CSV, or only the numeric columns";
  case 'O': return "Python objects are never loaded: save numbers with numpy.save(file, array.astype(float))";
  case 'c': return "save the real and the imaginary part as two columns of numbers";
  case 'M':
  case 'm': return "save times as numbers: numpy.save(file, array.astype('int64'))";
  default: return "save it as numbers: numpy.save(file, array.astype(float))";
  }
}

static anorank_status refuse_type(const parser *p, const char *descr, size_t length, const char *advice,
                                  anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  return ank_fail(err, ANORANK_ERROR_DATA, "npy-type", "%s: holds values of type \"%s\"; %s", p->source,
                  ank_quote(quoted, descr, length), advice);
}

static int is_little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

/* Return 0 if the type is not a number. */
static int type_of(anorank_type *out, char kind, size_t size) {
  static const struct {
    char kind;
    unsigned char size;
    anorank_type type;
  } known[] = {{'f', 8, ANORANK_FLOAT64}, {'f', 4, ANORANK_FLOAT32}, {'f', 2, ANORANK_FLOAT16},
               {'i', 8, ANORANK_INT64},   {'i', 4, ANORANK_INT32},   {'i', 2, ANORANK_INT16},
               {'i', 1, ANORANK_INT8},    {'u', 8, ANORANK_UINT64},  {'u', 4, ANORANK_UINT32},
               {'u', 2, ANORANK_UINT16},  {'u', 1, ANORANK_UINT8},   {'b', 1, ANORANK_BOOL}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (known[i].kind == kind && known[i].size == size) {
      *out = known[i].type;
      return 1;
    }
  return 0;
}

static anorank_status parse_descr(parser *p, ank_npy_header *header, anorank_error *err) {
  const char *descr = "";
  size_t length = 0, digits = 0, size = 0;
  skip_spaces(p);
  if (p->at < p->end && *p->at == '[') {
    const char *end = memchr(p->at, ']', (size_t)(p->end - p->at));
    return refuse_type(p, p->at, (size_t)(end ? end + 1 - p->at : p->end - p->at),
                       "records cannot be read: save the numeric fields as one plain array, see "
                       "numpy.lib.recfunctions.structured_to_unstructured",
                       err);
  }
  ANK_CHECK(take_string(p, &descr, &length, "the type, such as '<f8',", err));
  if (length < 2 || !strchr("<>|=", descr[0]) || descr[0] == '\0')
    return refuse_type(p, descr, length, advice_for('?'), err);
  for (size_t i = 2; i < length && descr[i] >= '0' && descr[i] <= '9' && digits < 4; i++, digits++)
    size = size * 10 + (size_t)(descr[i] - '0');
  char type = descr[1];
  int whole = digits > 0 && digits + 2 == length && descr[2] != '0';
  if (!whole || !type_of(&header->type, type, size) || (descr[0] == '|' && size > 1))
    return refuse_type(p, descr, length, advice_for(type), err);
  header->item_size = size;
  header->swapped =
      size > 1 && (descr[0] == '<' || descr[0] == '>') && (descr[0] == '<') != is_little_endian();
  return ANORANK_OK;
}

static anorank_status parse_order(parser *p, ank_npy_header *header, anorank_error *err) {
  skip_spaces(p);
  header->fortran_order = take_word(p, "True");
  if (!header->fortran_order && !take_word(p, "False")) return broken(p, "True or False", err);
  return ANORANK_OK;
}

static anorank_status parse_shape(parser *p, ank_npy_header *header, anorank_error *err) {
  size_t sizes[2] = {1, 1}, dims = 0;
  if (!take(p, '(')) return broken(p, "a shape such as (100, 3)", err);
  while (!take(p, ')')) {
    skip_spaces(p);
    const char *start = p->at;
    size_t size = 0;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
      if (__builtin_mul_overflow(size, (size_t)10, &size) ||
          __builtin_add_overflow(size, (size_t)(*p->at - '0'), &size)) {
        p->at = start;
        return broken(p, "a length below 2^64", err);
      }
      p->at++;
    }
    if (p->at == start) return broken(p, "a whole number of at least 0", err);
    if (dims < 2) sizes[dims] = size;
    dims++;
    int comma = take(p, ',');
    skip_spaces(p);
    int closing = p->at < p->end && *p->at == ')';
    if ((!comma && !closing) || (!comma && dims == 1)) return broken(p, "',' in the shape", err);
  }
  if (dims == 0)
    return ank_fail(err, ANORANK_ERROR_DATA, "npy-dimensions",
                    "%s: holds a single number, not a table; save a 2-D array", p->source);
  if (dims > 2)
    return ank_fail(err, ANORANK_ERROR_DATA, "npy-dimensions",
                    "%s: holds an array of %zu dimensions, but a table has two; use numpy.save(file, "
                    "array.reshape(len(array), -1))",
                    p->source, dims);
  header->rows = sizes[0];
  header->columns = sizes[1];
  return ANORANK_OK;
}

static anorank_status parse_entry(parser *p, ank_npy_header *header, anorank_error *err) {
  static const struct {
    const char *key;
    unsigned bit;
    anorank_status (*parse)(parser *, ank_npy_header *, anorank_error *);
  } entries[] = {{"descr", SEEN_DESCR, parse_descr},
                 {"fortran_order", SEEN_ORDER, parse_order},
                 {"shape", SEEN_SHAPE, parse_shape}};
  const char *key = "", *before = p->at;
  size_t length = 0;
  ANK_CHECK(take_string(p, &key, &length, "a key in quotes", err));
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    if (length != strlen(entries[i].key) || memcmp(key, entries[i].key, length) != 0) continue;
    if (p->seen & entries[i].bit) break;
    if (!take(p, ':')) return broken(p, "':' after the key", err);
    p->seen |= entries[i].bit;
    return entries[i].parse(p, header, err);
  }
  p->at = before;
  return broken(p, "'descr', 'fortran_order' and 'shape' once each", err);
}

static anorank_status parse_dictionary(parser *p, ank_npy_header *header, anorank_error *err) {
  if (!take(p, '{')) return broken(p, "'{'", err);
  while (!take(p, '}')) {
    ANK_CHECK(parse_entry(p, header, err));
    int comma = take(p, ',');
    skip_spaces(p);
    if (!comma && (p->at >= p->end || *p->at != '}')) return broken(p, "',' or '}'", err);
  }
  skip_spaces(p);
  if (p->at != p->end) return broken(p, "nothing but spaces after '}'", err);
  if (p->seen != (SEEN_DESCR | SEEN_ORDER | SEEN_SHAPE))
    return broken(p, "'descr', 'fortran_order' and 'shape' once each", err);
  return ANORANK_OK;
}

static anorank_status check_shape(const ank_npy_header *header, const char *source, anorank_error *err) {
  if (header->columns == 0)
    return ank_fail(err, ANORANK_ERROR_DATA, "table-no-columns",
                    "%s: the array has no columns; save a 2-D array with at least one", source);
  if (header->columns > ANORANK_MAX_COLUMNS)
    return ank_fail(err, ANORANK_ERROR_DATA, "table-column-count",
                    "%s: %zu columns are more than the %d allowed; if the array is transposed, save array.T",
                    source, header->columns, ANORANK_MAX_COLUMNS);
  return ANORANK_OK;
}

static anorank_status cut_short(const ank_source *source, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_DATA, "npy-cut-short",
                  "%s: ends within the NPY header; copy or save it again", ank_source_name(source));
}

anorank_status ank_npy_read_header(ank_npy_header *header, ank_source *source, anorank_error *err) {
  char text[LONGEST_HEADER];
  unsigned char start[12];
  const char *name = ank_source_name(source);
  size_t got, length;
  memset(header, 0, sizeof *header);
  ANK_CHECK(ank_source_read_full(source, start, MAGIC_SIZE + 4, &got, err));
  if (memcmp(start, MAGIC, got < MAGIC_SIZE ? got : MAGIC_SIZE) != 0)
    return ank_fail(err, ANORANK_ERROR_DATA, "npy-magic",
                    "%s: does not begin with \\x93NUMPY, so it is not an NPY file; check the format", name);
  if (got < MAGIC_SIZE + 4) return cut_short(source, err);
  unsigned version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    return ank_fail(err, ANORANK_ERROR_DATA, "npy-version",
                    "%s: unsupported NPY version %u.%u; save the array as 1.0, 2.0 or 3.0, with numpy.save",
                    name, version, (unsigned)start[7]);
  length = start[8] | (size_t)start[9] << 8;
  header->data_offset = MAGIC_SIZE + 4;
  if (version >= 2) {
    ANK_CHECK(ank_source_read_full(source, start + 10, 2, &got, err));
    if (got < 2) return cut_short(source, err);
    length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    header->data_offset += 2;
  }
  if (length > LONGEST_HEADER)
    return ank_fail(
        err, ANORANK_ERROR_DATA, "npy-header-size",
        "%s: the NPY header claims %zu bytes, more than the %d allowed; save the array again with "
        "numpy.save",
        name, length, LONGEST_HEADER);
  header->data_offset += length;
  ANK_CHECK(ank_source_read_full(source, text, length, &got, err));
  if (got < length) return cut_short(source, err);
  parser p = {text, text, text + length, name, 0};
  ANK_CHECK(parse_dictionary(&p, header, err));
  ANK_CHECK(check_shape(header, name, err));
  if (__builtin_mul_overflow(header->rows, header->columns * header->item_size, &header->data_bytes) ||
      header->data_bytes > PTRDIFF_MAX - header->data_offset)
    return ank_fail(err, ANORANK_ERROR_DATA, "npy-shape",
                    "%s: the NPY header claims %zu rows of %zu columns, more than any file holds; save the "
                    "array again with numpy.save",
                    name, header->rows, header->columns);
  return ANORANK_OK;
}

void ank_npy_write_header(unsigned char preface[ANK_NPY_PREFACE], size_t rows, size_t columns) {
  char text[ANK_NPY_PREFACE + 1];
  int length = snprintf(text, sizeof text, "{'descr': '%cf8', 'fortran_order': False, 'shape': (%zu, %zu), }",
                        is_little_endian() ? '<' : '>', rows, columns);
  memset(preface, ' ', ANK_NPY_PREFACE);
  memcpy(preface, MAGIC "\x01\x00", MAGIC_SIZE + 2);
  preface[8] = ANK_NPY_PREFACE - (MAGIC_SIZE + 4);
  preface[9] = 0;
  memcpy(preface + MAGIC_SIZE + 4, text, (size_t)length);
  preface[ANK_NPY_PREFACE - 1] = '\n';
}
