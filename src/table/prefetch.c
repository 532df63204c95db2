/* prefetch.c - see prefetch.h. */
#include "table/prefetch.h"

#include <stdatomic.h>
#include <string.h>

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/worker.h"
#include "table/raw_cells.h"

enum { PATIENCE = 100 }; /* milliseconds between two checks for cancellation */

struct ank_prefetch {
  anorank_table *shown, *filled;
  ank_filling fill;
  void *context;
  anorank_settings *settings;
  anorank_progress progress; /* from the caller */
  void *progress_context;
  anorank_stop stop;
  void *stop_context;
  ank_worker *worker;
  int begun, over;
  anorank_status status; /* of the last block */
  anorank_error error;
  atomic_int cancelled;
  _Atomic double share; /* progress of the reading thread */
  const char *_Atomic doing;
};

/* ---- on the reading thread --------------------------------------------------------------------------- */

static int note_progress(void *context, double share_done, const char *what) {
  ank_prefetch *prefetch = context;
  atomic_store_explicit(&prefetch->share, share_done, memory_order_relaxed);
  atomic_store_explicit(&prefetch->doing, what, memory_order_release);
  return atomic_load_explicit(&prefetch->cancelled, memory_order_relaxed);
}

static int is_cancelled(void *context) {
  return atomic_load_explicit(&((ank_prefetch *)context)->cancelled, memory_order_relaxed);
}

static void fill(void *context) {
  ank_prefetch *prefetch = context;
  prefetch->error = (anorank_error){0};
  prefetch->status = prefetch->fill(prefetch->context, prefetch->filled, &prefetch->error);
}

/* ---- two tables -------------------------------------------------------------------------------------- */

static anorank_status copy_or_null(char **to, const char *from, anorank_error *err) {
  return from ? ank_copy_text(to, from, strlen(from), err) : ANORANK_OK;
}

static anorank_status make_like(anorank_table **out, const anorank_table *like, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  anorank_table *made = NULL;
  *out = NULL;
  ANK_TRY(ank_table_new(&made, like->columns, err));
  made->limit = like->limit;
  ANK_TRY(copy_or_null(&made->source, like->source, err));
  ANK_TRY(copy_or_null(&made->missing, like->missing, err));
  for (size_t j = 0; j < like->columns; j++) {
    ANK_TRY(ank_table_set_like(made, j, &like->column[j], err));
    ANK_TRY(ank_raw_cells_like(&made->column[j], &like->column[j], 0, err));
  }
  *out = made;
  made = NULL;
done:
  ank_table_free(made);
  return status;
}

static anorank_status hand_over_levels(ank_levels *shown, ank_levels *filled, anorank_error *err) {
  int32_t code;
  if (filled->count > ANK_KEPT_LEVELS || shown->count > ANK_KEPT_LEVELS) { /* the levels of `shown` moved as a
                                                                            * whole */
    ank_levels_free(shown);
    *shown = (ank_levels){0};
  }
  if (filled->count > ANK_KEPT_LEVELS) {
    *shown = *filled;
    *filled = (ank_levels){0};
  }
  for (size_t i = shown->count; i < filled->count; i++)
    ANK_CHECK(ank_levels_code(&code, shown, filled->text[i], strlen(filled->text[i]), err));
  return ANORANK_OK;
}

/* Swap the cells of two tables. */
static void exchange_cells(anorank_table *one, anorank_table *other) {
  for (size_t j = 0; j < one->columns; j++) {
    ank_column a = one->column[j], *to = &one->column[j], *from = &other->column[j];
    to->numbers = from->numbers;
    to->codes = from->codes;
    to->raw_cells = from->raw_cells;
    from->numbers = a.numbers;
    from->codes = a.codes;
    from->raw_cells = a.raw_cells;
  }
  size_t rows = one->rows, capacity = one->capacity;
  one->rows = other->rows;
  one->capacity = other->capacity;
  other->rows = rows;
  other->capacity = capacity;
}

static anorank_status hand_over(ank_prefetch *prefetch, anorank_error *err) {
  anorank_table *shown = prefetch->shown, *filled = prefetch->filled;
  for (size_t j = 0; j < shown->columns; j++)
    ANK_CHECK(hand_over_levels(&shown->column[j].levels, &filled->column[j].levels, err));
  for (size_t i = 0; i < filled->notes.count; i++)
    ANK_CHECK(ank_notes_copy(&shown->notes, &filled->notes.list[i], err));
  ank_notes_free(&filled->notes);
  filled->notes = (ank_notes){0};
  exchange_cells(shown, filled);
  return ANORANK_OK;
}

/* ---- on the caller's thread -------------------------------------------------------------------------- */

static anorank_status ask_caller(const ank_prefetch *prefetch, anorank_error *err) {
  anorank_settings caller = {.progress = prefetch->progress,
                             .progress_context = prefetch->progress_context,
                             .stop = prefetch->stop,
                             .stop_context = prefetch->stop_context};
  const char *doing = atomic_load_explicit(&prefetch->doing, memory_order_acquire);
  ANK_CHECK(ank_check_cancelled(&caller, err));
  return doing
             ? ank_progress(&caller, atomic_load_explicit(&prefetch->share, memory_order_relaxed), doing, err)
             : ANORANK_OK;
}

anorank_status ank_prefetch_new(ank_prefetch **out, anorank_table *shown, ank_filling filling, void *context,
                                anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_prefetch *prefetch = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&prefetch, 1, sizeof *prefetch, err));
  prefetch->shown = shown;
  prefetch->fill = filling;
  prefetch->context = context;
  prefetch->settings = settings;
  prefetch->progress = settings->progress;
  prefetch->progress_context = settings->progress_context;
  prefetch->stop = settings->stop;
  prefetch->stop_context = settings->stop_context;
  ANK_TRY(make_like(&prefetch->filled, shown, err));
  prefetch->worker = ank_worker_start(fill, prefetch);
  if (!prefetch->worker) goto done;
  anorank_settings_on_progress(settings, note_progress, prefetch);
  anorank_settings_on_stop(settings, is_cancelled, prefetch);
  for (size_t j = 0; j < shown->columns; j++) { /* codes assigned before the first row */
    prefetch->filled->column[j].levels = shown->column[j].levels;
    shown->column[j].levels = (ank_levels){0};
  }
  *out = prefetch;
  prefetch = NULL;
done:
  if (prefetch) ank_table_free(prefetch->filled);
  ank_free(prefetch);
  return status;
}

anorank_status ank_prefetch_next(ank_prefetch *prefetch, anorank_error *err) {
  if (!prefetch->begun) ank_worker_begin(prefetch->worker);
  prefetch->begun = 1;
  if (prefetch->over) {
    ank_table_clear(prefetch->shown);
    return ANORANK_OK;
  }
  while (!ank_worker_done(prefetch->worker, prefetch->progress || prefetch->stop ? PATIENCE : -1))
    ANK_CHECK(ask_caller(prefetch, err));
  if (prefetch->status != ANORANK_OK)
    return ank_fail_around(err, &prefetch->error, "%s", prefetch->error.message);
  ANK_CHECK(hand_over(prefetch, err));
  ANK_CHECK(ask_caller(prefetch, err));
  prefetch->over = prefetch->shown->rows == 0;
  if (!prefetch->over) ank_worker_begin(prefetch->worker);
  return ANORANK_OK;
}

void ank_prefetch_free(ank_prefetch *prefetch) {
  if (!prefetch) return;
  atomic_store(&prefetch->cancelled, 1);
  ank_worker_end(prefetch->worker);
  anorank_settings_on_progress(prefetch->settings, prefetch->progress, prefetch->progress_context);
  anorank_settings_on_stop(prefetch->settings, prefetch->stop, prefetch->stop_context);
  ank_table_free(prefetch->filled);
  ank_free(prefetch);
}
