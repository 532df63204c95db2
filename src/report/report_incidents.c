/* report_incidents.c - incidents of a report: each with a column of its entity over time, and the number per
 * entity. */
#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "kernels/sort.h"
#include "model/model_context.h"
#include "report/report_data.h"
#include "report/result_json.h"

enum { DRAWN = 12, LISTED = 200, AROUND = 100, MOST_POINTS = 400, MOST_ENTITIES = 50 };

/* The usual range of a column of an entity. */
typedef struct usual {
  double low, middle, high, spread;
} usual;

/* Find the rows of an entity: positions from..end - 1 of the sequences. */
static void entity_of(size_t *from, size_t *end, const ank_sequences *rows, size_t place) {
  uint32_t entity = rows->entity[rows->order[place]];
  for (*from = place; *from > 0 && rows->entity[rows->order[*from - 1]] == entity;) --*from;
  for (*end = place; *end < rows->rows && rows->entity[rows->order[*end]] == entity;) ++*end;
}

/* `work` has room for all rows of the entity. */
static anorank_status find_usual(usual *out, const double *values, const uint32_t *order, size_t count,
                                 double *work, anorank_error *err) {
  size_t n = 0;
  *out = (usual){NAN, NAN, NAN, NAN};
  for (size_t i = 0; i < count; i++)
    if (isfinite(values[order[i]])) work[n++] = values[order[i]];
  if (n < 3) return ANORANK_OK;
  ANK_CHECK(ank_sort(work, n, NULL, err));
  *out = (usual){work[(size_t)(0.05 * (double)(n - 1))], work[n / 2],
                 work[(size_t)(0.95 * (double)(n - 1) + 0.5)], 0};
  out->spread = out->high - out->low;
  return ANORANK_OK;
}

/* Find the numeric column in which the peak is farthest from the entity's usual range; SIZE_MAX: none. */
static anorank_status find_column(size_t *out, usual *band, const ank_report *report, const ank_stretch *one,
                                  size_t from, size_t end, double *work, anorank_error *err) {
  const ank_sequences *rows = &report->ranking->groups.sequences;
  double farthest = -1;
  *out = SIZE_MAX;
  for (size_t j = 0; j < report->given->table->columns; j++) {
    const ank_column *column = &report->table->column[j];
    usual found;
    if (!ank_report_has_numbers(report, j)) continue;
    ANK_CHECK(find_usual(&found, column->numbers, rows->order + from, end - from, work, err));
    double far = fabs(column->numbers[one->peak] - found.middle) / found.spread;
    if (!(far > farthest) || isinf(far)) continue;
    farthest = far;
    *out = j;
    *band = found;
  }
  return ANORANK_OK;
}

/* Write [time, value, within the incident] around it, thinned before and after. */
static void put_points(ank_json *json, const ank_report *report, const ank_stretch *one, size_t column,
                       size_t from, size_t end) {
  const ank_sequences *rows = &report->ranking->groups.sequences;
  size_t around = one->rows > AROUND ? one->rows : AROUND;
  size_t first = one->place > from + around ? one->place - around : from;
  size_t last = one->place + one->rows + around < end ? one->place + one->rows + around : end;
  size_t step = (last - first) / MOST_POINTS + 1;
  ank_json_open_key(json, "points", '[', 1);
  for (size_t place = first; place < last; place++) {
    size_t row = rows->order[place];
    int within = place >= one->place && place < one->place + one->rows;
    if (row != one->peak && (place - first) % step != 0) continue;
    const double values[] = {rows->time[row], report->table->column[column].numbers[row], within};
    ank_json_numbers(json, NULL, values, 3);
  }
  ank_json_close(json, ']');
}

static anorank_status put_chart(ank_json *json, const ank_report *report, const ank_stretch *one,
                                anorank_error *err) {
  anorank_status status = ANORANK_OK;
  double *work = NULL;
  size_t from, end, column;
  usual band = {0};
  entity_of(&from, &end, &report->ranking->groups.sequences, one->place);
  ANK_TRY(ank_alloc_raw(&work, end - from, sizeof *work, err));
  ANK_TRY(find_column(&column, &band, report, one, from, end, work, err));
  if (column == SIZE_MAX) goto done;
  ank_json_words(json, "column", report->table->column[column].name);
  ank_json_field(json, "low", band.low);
  ank_json_field(json, "high", band.high);
  put_points(json, report, one, column, from, end);
done:
  ank_free(work);
  return status;
}

static anorank_status put_entity(ank_json *json, const ank_report *report, uint32_t entity, size_t row,
                                 anorank_error *err) {
  char text[1024] = "";
  if (report->model->context)
    ANK_CHECK(
        ank_context_entity_text(text, sizeof text, report->model->context, entity, report->table, row, err));
  ank_json_words(json, "entity", *text ? text : NULL);
  return ANORANK_OK;
}

/* Write entities with incidents, in the order of their first one: most abnormal first. */
static anorank_status put_entities(ank_json *json, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_groups *groups = &report->ranking->groups;
  size_t *number = NULL, shown = 0;
  ANK_TRY(ank_alloc(&number, groups->sequences.entities, sizeof *number, err));
  for (size_t i = 0; i < groups->incidents.count; i++) number[groups->incidents.list[i].entity]++;
  ank_json_open_key(json, "entities", '[', 0);
  for (size_t i = 0; i < groups->incidents.count && shown < MOST_ENTITIES; i++) {
    const ank_stretch *one = &groups->incidents.list[i];
    if (number[one->entity] == 0) continue;
    ank_json_open(json, '{', 1);
    ANK_TRY(put_entity(json, report, one->entity, one->peak, err));
    ank_json_count(json, "incidents", number[one->entity]);
    ank_json_close(json, '}');
    number[one->entity] = 0;
    shown++;
  }
  ank_json_close(json, ']');
done:
  ank_free(number);
  return status;
}

anorank_status ank_report_write_incidents(ank_json *json, const ank_report *report, anorank_error *err) {
  const ank_groups *groups = &report->ranking->groups;
  static const char *const tiers[] = {"rest", "unusual", "apart"};
  if (!groups->sequences.time || groups->incidents.count == 0) return ANORANK_OK;
  ank_context_info info = ank_context_get_info(report->model->context);
  ank_json_open_key(json, "incidents", '{', 0);
  ank_json_words(json, "by", *info.by ? info.by : NULL);
  ank_json_flag(json, "moments", info.moments);
  ank_json_words(json, "expected", report->ranking->expected);
  ank_json_count(json, "count", groups->incidents.count);
  ANK_CHECK(put_entities(json, report, err));
  ank_json_open_key(json, "list", '[', 0);
  for (size_t i = 0; i < groups->incidents.count && i < LISTED; i++) {
    const ank_stretch *one = &groups->incidents.list[i];
    ank_json_open(json, '{', 1);
    ANK_CHECK(put_entity(json, report, one->entity, one->peak, err));
    ank_json_field(json, "from", groups->sequences.time[one->first]);
    ank_json_field(json, "to", groups->sequences.time[one->last]);
    ank_json_count(json, "peak", one->peak + 1);
    ank_json_count(json, "rows", one->rows);
    ank_json_field(json, "p_value", one->p_value);
    ank_json_words(json, "tier", tiers[one->tier]);
    if (i < DRAWN) ANK_CHECK(put_chart(json, report, one, err));
    ank_json_close(json, '}');
  }
  ank_json_close(json, ']');
  ank_json_close(json, '}');
  return ANORANK_OK;
}
