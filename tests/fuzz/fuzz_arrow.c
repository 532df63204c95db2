/* Any bytes as an Arrow array: an error or a consistent table; everything is released exactly once.
 *
 * The interface passes no sizes. So the input chooses types, counts, lengths, offsets, bitmaps, offsets of
 * texts, views and indices within buffers that are large enough for every length and offset it can express.
 * What a consumer must check itself (counts, signs, ascending offsets, indices, views) may have any value. */
#include "fuzz/fuzz_table.h"

#include "anorank/arrow.h"

enum { CELLS = 64, BYTES = 1024 };

static const char *const formats[] = {"c",     "C",         "s",    "S",     "i",   "I",       "l", "L",
                                      "e",     "f",         "g",    "b",     "n",   "u",       "U", "vu",
                                      "tdD",   "tdm",       "tss:", "tsn:Z", "ttm", "ttn",     "z", "+l",
                                      "d:9,2", "d:9,-3,64", "tDu",  "w:4",   "",    "d:5,2,32"};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static int alive;

static void release_array(struct ArrowArray *array) {
  MUST(array->release);
  if (array->dictionary && array->dictionary->release) array->dictionary->release(array->dictionary);
  array->release = NULL;
  alive--;
}

static void release_schema(struct ArrowSchema *schema) {
  MUST(schema->release);
  if (schema->dictionary && schema->dictionary->release) schema->dictionary->release(schema->dictionary);
  schema->release = NULL;
  alive--;
}

typedef struct input {
  const uint8_t *data;
  size_t size;
} input;

static int take(input *in) {
  if (in->size == 0) return 0;
  in->size--;
  return *in->data++;
}

/* What one array needs; of 16 bytes a cell. */
typedef struct room {
  uint8_t bitmap[CELLS], cells[16 * CELLS + 16], text[BYTES];
  int64_t size;
  const void *buffers[5];
  struct ArrowArray dictionary;
  struct ArrowSchema dictionary_schema;
} room;

/* Texts with offsets must stay within `text`, whose size is unknown; signs and order are free. */
static void tame(room *to, const char *format) {
  size_t width = strcmp(format, "U") == 0 ? 8 : strcmp(format, "u") == 0 ? 4 : 0;
  for (size_t i = 0; width && i + width <= sizeof to->cells; i += width) {
    int16_t low;
    memcpy(&low, to->cells + i, 2);
    int64_t value = low % BYTES;
    memcpy(to->cells + i, &value, width); /* little-endian, as the machines this runs on */
  }
}

static void fill(room *to, struct ArrowArray *array, struct ArrowSchema *schema, const char *format,
                 input *in) {
  int shape = take(in);
  for (size_t i = 0; i < sizeof to->bitmap; i++) to->bitmap[i] = (uint8_t)take(in);
  for (size_t i = 0; i < sizeof to->cells; i++) to->cells[i] = (uint8_t)take(in);
  memset(to->text, 'a' + shape % 3, sizeof to->text);
  tame(to, format);
  to->size = BYTES;
  to->buffers[0] = shape & 1 ? to->bitmap : NULL;
  to->buffers[1] = shape & 2 && shape & 4 ? NULL : to->cells;
  to->buffers[2] = to->text;
  to->buffers[3] = &to->size;
  int buffers = strcmp(format, "vu") == 0              ? 4
                : format[0] == 'u' || format[0] == 'U' ? 3
                : strcmp(format, "n")                  ? 2
                                                       : 0;
  *array = (struct ArrowArray){.length = take(in) % (CELLS / 2) - (shape >> 7),
                               .offset = take(in) % (CELLS / 2),
                               .null_count = (int8_t)take(in),
                               .n_buffers = shape & 8 && shape & 16 ? take(in) % 5 : buffers,
                               .buffers = to->buffers,
                               .release = release_array};
  if (array->n_buffers > buffers && strcmp(format, "vu") == 0) array->n_buffers = buffers;
  *schema = (struct ArrowSchema){.format = format, .name = "c", .release = release_schema};
  alive += 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static room column, dictionary;
  input in = {data, size};
  struct ArrowArray array;
  struct ArrowSchema schema;
  anorank_error err = {0};
  anorank_table *table;
  int with_dictionary = take(&in) & 1;
  alive = 0;
  fill(&column, &array, &schema, formats[take(&in) % FORMATS], &in);
  if (with_dictionary) {
    fill(&dictionary, &column.dictionary, &column.dictionary_schema, formats[take(&in) % FORMATS], &in);
    array.dictionary = &column.dictionary;
    schema.dictionary = &column.dictionary_schema;
  }
  anorank_status status = anorank_table_from_arrow(&table, &array, &schema, NULL, &err);
  MUST(alive == 0 && !array.release && !schema.release);
  MUST((status == ANORANK_OK) == (table != NULL));
  MUST((status == ANORANK_OK) == (err.message[0] == '\0'));
  if (table) {
    struct ArrowArrayStream stream;
    anorank_table *again;
    if (anorank_table_to_arrow_stream(&stream, table, NULL) ==
        ANORANK_OK) { /* times may be beyond what fits */
      MUST(anorank_table_from_arrow_stream(&again, &stream, NULL, NULL) == ANORANK_OK);
      MUST(anorank_table_rows(again) == anorank_table_rows(table));
      for (size_t i = 0; i < anorank_table_rows(table); i++) {
        char one[2048], two[2048];
        (void)anorank_table_text(table, 0, i, one, sizeof one);
        (void)anorank_table_text(again, 0, i, two, sizeof two);
        MUST(strcmp(one, two) == 0);
      }
      anorank_table_free(again);
    }
    anorank_table_free(table);
  }
  return 0;
}
