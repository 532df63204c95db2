/* cell_format_note.c - the note on the format of a column, and whether two such notes are equivalent; see cell_format.h. */
#include <stdio.h>
#include <string.h>

#include "core/shortest.h"
#include "table/cell_format.h"

static void describe_time(char *text, size_t size, const ank_cell_format *spelling, const char *name) {
  static const char *const words[] = {
      [ANK_DATE_DMY] = "day, month, year",
      [ANK_DATE_MDY] = "month, day, year",
  };
  const char *order = spelling->order < ANK_DATE_ANY && spelling->order > 1 ? words[spelling->order] : NULL;
  if (spelling->compact)
    snprintf(text, size, "%s: %s read as year, month, day", name, spelling->example);
  else if (!spelling->has_date)
    snprintf(text, size, "%s: %s read as a time of day", name, spelling->example);
  else if (spelling->assumed)
    snprintf(text, size, "%s: %s read as %s, but another order fits too; set date-order to choose", name,
             spelling->example, order ? order : "a date");
  else if (order)
    snprintf(text, size, "%s: %s read as %s", name, spelling->example, order);
}

void ank_cell_format_describe(char *text, size_t size, const ank_cell_format *spelling, const char *name) {
  char number[ANK_SHORTEST_SIZE];
  double value;
  text[0] = '\0';
  if (spelling->kind == ANK_CELL_FORMAT_TIME) describe_time(text, size, spelling, name);
  if (spelling->long_numbers)
    snprintf(text, size, "%s: %s has more digits than a number can hold, so its cells are read as texts",
             name, spelling->example);
  if (spelling->looks_numeric)
    snprintf(
        text, size,
        "%s: %s looks like a number, but formats or units differ, so cells are read as text; set decimal "
        "and thousands to choose",
        name, spelling->example);
  if (spelling->kind != ANK_CELL_FORMAT_NUMBER && spelling->kind != ANK_CELL_FORMAT_PLAIN) return;
  if (!spelling->example[0]) return;
  if (spelling->duration) {
    snprintf(text, size, "%s: %s read as a duration, in seconds", name, spelling->example);
    return;
  }
  if (ank_cell_format_number(&value, spelling, spelling->example, strlen(spelling->example)) != ANK_NUMBER)
    return;
  number[ank_shortest(number, value)] = '\0';
  snprintf(text, size, "%s: %s read as %s%s", name, spelling->example, number,
           spelling->padded ? "; if these are codes, add the column to categorical or id"
           : spelling->assumed
               ? ", an assumption, because the decimal mark is ambiguous; set decimal to choose"
               : "");
}

/* Return the formats in which the example of a note, "name: example read as value", has that value; 0:
 * another note. */
static unsigned ways_of(const char *note, size_t *name_length, const char **rest) {
  const char *middle = strstr(note, " read as "), *example = note, *next;
  ank_parsed_number written;
  unsigned ways = 0;
  double value, wanted;
  if (!middle) return 0;
  while ((next = strstr(example, ": ")) && next < middle) example = next + 2;
  *name_length = (size_t)(example - note);
  *rest = middle + 9;
  if (ank_number_parse(&wanted, *rest, strcspn(*rest, ",;")) != ANK_NUMBER) return 0;
  if (!ank_parsed_number_split(&written, example, (size_t)(middle - example))) return 0;
  const ank_scale *scales[] = {written.scale, ank_scale_find(written.affix, strlen(written.affix))};
  for (int way = 0; way < 2 * ANK_NUMBER_FORMATS; way++) {
    written.scale = scales[way >= ANK_NUMBER_FORMATS];
    if (ank_parsed_number_formats(&written) >> way % ANK_NUMBER_FORMATS & 1 &&
        ank_parsed_number_value(&value, &written, way % ANK_NUMBER_FORMATS) == ANK_NUMBER && value == wanted)
      ways |= 1u << way % ANK_NUMBER_FORMATS;
  }
  return ways;
}

int ank_same_reading(const char *one, const char *other) {
  size_t length = 0, other_length = 0;
  const char *rest = "", *other_rest = "";
  if (strcmp(one, other) == 0) return 1;
  unsigned ways = ways_of(one, &length, &rest), other_ways = ways_of(other, &other_length, &other_rest);
  if (length == 0 || length != other_length || memcmp(one, other, length) != 0) return 0;
  return ways | other_ways ? (ways & other_ways) != 0 : strcmp(rest, other_rest) == 0; /* dates */
}
