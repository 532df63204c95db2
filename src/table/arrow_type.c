/* arrow_type.c - the format strings of the Arrow C data interface that a table can hold. */
#include "table/arrow_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"

#define MOST_SCALE 400 /* digits after the point of a decimal */

/* Formats with a fixed name. Numbers in units of time become seconds. */
static const struct {
  const char *format;
  ank_arrow_type type;
} plain[] = {
    {"c", {.type = ANORANK_INT8}},
    {"C", {.type = ANORANK_UINT8}},
    {"s", {.type = ANORANK_INT16}},
    {"S", {.type = ANORANK_UINT16}},
    {"i", {.type = ANORANK_INT32}},
    {"I", {.type = ANORANK_UINT32}},
    {"l", {.type = ANORANK_INT64}},
    {"L", {.type = ANORANK_UINT64}},
    {"e", {.type = ANORANK_FLOAT16}},
    {"f", {.type = ANORANK_FLOAT32}},
    {"g", {.type = ANORANK_FLOAT64}},
    {"b", {.layout = ANK_ARROW_BITS}},
    {"n", {.layout = ANK_ARROW_NULLS}},
    {"u", {.layout = ANK_ARROW_TEXT, .kind = ANORANK_CATEGORICAL}},
    {"U", {.layout = ANK_ARROW_LARGE, .kind = ANORANK_CATEGORICAL}},
    {"vu", {.layout = ANK_ARROW_VIEW, .kind = ANORANK_CATEGORICAL}},
    {"tdD", {.type = ANORANK_INT32, .kind = ANORANK_TIME, .timed = 1, .resolution = ANORANK_DAYS}},
    {"tts", {.type = ANORANK_INT32, .timed = 1, .resolution = ANORANK_SECONDS}},
    {"ttm", {.type = ANORANK_INT32, .timed = 1, .resolution = ANORANK_MILLISECONDS}},
    {"ttu", {.type = ANORANK_INT64, .timed = 1, .resolution = ANORANK_MICROSECONDS}},
    {"ttn", {.type = ANORANK_INT64, .timed = 1, .resolution = ANORANK_NANOSECONDS}},
    {"tDs", {.type = ANORANK_INT64, .timed = 1, .resolution = ANORANK_SECONDS}},
    {"tDm", {.type = ANORANK_INT64, .timed = 1, .resolution = ANORANK_MILLISECONDS}},
    {"tDu", {.type = ANORANK_INT64, .timed = 1, .resolution = ANORANK_MICROSECONDS}},
    {"tDn", {.type = ANORANK_INT64, .timed = 1, .resolution = ANORANK_NANOSECONDS}},
    /* date64 counts the milliseconds of whole days */
    {"tdm",
     {.type = ANORANK_INT64,
      .kind = ANORANK_TIME,
      .timed = 1,
      .resolution = ANORANK_MILLISECONDS,
      .days = 1}},
};

/* Parse "d:precision,scale" or "d:precision,scale,bits". */
static int take_decimal(ank_arrow_type *out, const char *format) {
  char *end;
  long precision = strtol(format + 2, &end, 10), scale, bits = 128;
  if (*end != ',') return 0;
  scale = strtol(end + 1, &end, 10);
  if (*end == ',') bits = strtol(end + 1, &end, 10);
  if (*end || precision < 1 || labs(scale) > MOST_SCALE || (bits != 32 && bits != 64 && bits != 128))
    return 0;
  *out = (ank_arrow_type){.layout = ANK_ARROW_DECIMAL, .width = (size_t)bits / 8, .scale = (int)scale};
  return 1;
}

/* Return 0 if the type is not a number, text or time. */
static int type_of(ank_arrow_type *out, const char *format) {
  static const char units[] = "smun";
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    if (strcmp(plain[i].format, format) == 0) {
      *out = plain[i].type;
      return 1;
    }
  if (strncmp(format, "d:", 2) == 0) return take_decimal(out, format);
  const char *unit = strncmp(format, "ts", 2) == 0 && format[2] ? strchr(units, format[2]) : NULL;
  if (!unit || format[3] != ':') return 0; /* the rest is the zone for display */
  *out = (ank_arrow_type){.type = ANORANK_INT64,
                          .kind = ANORANK_TIME,
                          .timed = 1,
                          .resolution = (anorank_resolution)(ANORANK_SECONDS + (unit - units))};
  return 1;
}

static anorank_status refuse(const char *name, const char *format, const char *what, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], shown[ANK_QUOTE_SIZE];
  (void)ank_fail(
      err, ANORANK_ERROR_DATA, "arrow-type",
      "column '%s' has the unsupported Arrow type \"%s\"%s; cast it to a number, text or time, or drop it",
      ank_quote(quoted, name, strlen(name)), ank_quote(shown, format, strlen(format)), what);
  ank_error_set_location(err, NULL, 0, name);
  return ANORANK_ERROR_DATA;
}

anorank_status ank_arrow_column_of(ank_arrow_column *out, const struct ArrowSchema *schema, size_t index,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char made[32];
  *out = (ank_arrow_column){0};
  snprintf(made, sizeof made, "x%zu", index + 1);
  const char *name = schema && schema->name && *schema->name ? schema->name : made;
  if (!schema || !schema->format || !schema->release)
    return ank_fail(err, ANORANK_ERROR_DATA, "arrow-released",
                    "column '%s' of the Arrow schema is missing or already released; export it again", made);
  ANK_TRY(ank_copy_text(&out->name, name, strlen(name), err));
  const struct ArrowSchema *dictionary = schema->dictionary;
  if (!dictionary) {
    const char *binary =
        strchr("zZ", schema->format[0]) || strcmp(schema->format, "vz") == 0 ? " (binary)" : "";
    if (!type_of(&out->values, schema->format)) ANK_TRY(refuse(name, schema->format, binary, err));
    goto done;
  }
  out->has_dictionary = 1;
  if (!type_of(&out->indices, schema->format) || out->indices.layout != ANK_ARROW_NUMBERS ||
      out->indices.timed || out->indices.type < ANORANK_INT64 || out->indices.type > ANORANK_UINT8)
    ANK_TRY(refuse(name, schema->format, " (as index of a dictionary)", err));
  if (!dictionary->format || dictionary->dictionary || !type_of(&out->values, dictionary->format))
    ANK_TRY(refuse(name, dictionary->format ? dictionary->format : "", " (in a dictionary)", err));
done:
  if (status != ANORANK_OK) {
    ank_free(out->name);
    out->name = NULL;
  }
  return status;
}
