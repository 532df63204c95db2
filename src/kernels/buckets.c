/* buckets.c - visit the buckets of a partition on all threads; see words.h. */
#include "core/alloc.h"
#include "core/parallel.h"
#include "kernels/words.h"

#define LEAST_TASK ((size_t)1 << 14) /* words; a smaller task costs more to dispatch than to do */
#define LEAST_LARGE ((size_t)1 << 18)
#define MOST_SERIAL ((size_t)1 << 31) /* limit of ank_sort_words */

typedef struct {
  const size_t *start;
  ank_word *scratch;
  ank_bucket body;
  void *context;
  size_t *task; /* the first bucket of each task, and the end */
} visit;

static anorank_status run_task(void *context, size_t task, anorank_error *err) {
  visit *v = context;
  anorank_status status = ANORANK_OK;
  ank_word *own = NULL;
  if (!v->scratch) {
    size_t most = 0;
    for (size_t b = v->task[task]; b < v->task[task + 1]; b++) {
      size_t size = v->start[b + 1] - v->start[b];
      if (size > most) most = size;
    }
    ANK_TRY(ank_alloc_raw(&own, most, sizeof *own, err));
  }
  for (size_t b = v->task[task]; b < v->task[task + 1]; b++) {
    size_t begin = v->start[b], end = v->start[b + 1];
    if (begin < end) v->body(v->context, begin, end, own ? own : v->scratch + begin);
  }
done:
  ank_free(own);
  return status;
}

typedef struct {
  ank_word *words, *sorted;
} copy;

static void sort_and_copy(void *context, size_t begin, size_t end, ank_word *scratch) {
  copy *c = context;
  ank_sort_words(c->sorted + begin, scratch, end - begin);
  memcpy(c->words + begin, c->sorted + begin, (end - begin) * sizeof *c->words);
}

/* Each level narrows the range of keys by 2^ANK_CELL_BITS, so the recursion is at most six deep. */
static anorank_status sort_large(ank_word *words, ank_word *scratch, size_t n,
                                 const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_partition partition = {.start = NULL};
  ank_word *own = NULL;
  copy c = {.words = words};
  if (!scratch) ANK_TRY(ank_alloc_raw(&own, n, sizeof *own, err));
  c.sorted = own ? own : scratch;
  ANK_TRY(ank_partition_make(&partition, c.sorted, words, n, ANK_KEYS_FROM_WORDS, settings, err));
  if (partition.sorted) goto done;
  status = ank_partition_visit(&partition, c.sorted, words, sort_and_copy, &c, settings, err);
  /* Lose no value. The analyzer does not see that `words` is not empty. NOLINTNEXTLINE */
  if (status != ANORANK_OK) memcpy(words, c.sorted, n * sizeof *words);
done:
  ank_free(partition.start);
  ank_free(own);
  return status;
}

anorank_status ank_partition_visit(const ank_partition *partition, ank_word *target, ank_word *scratch,
                                   ank_bucket body, void *context, const anorank_settings *settings,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const size_t *start = partition->start;
  size_t buckets = partition->plan.buckets, n = start[buckets], tasks = 0, large = n / 16;
  visit v = {.start = start, .scratch = scratch, .body = body, .context = context};
  if (large < LEAST_LARGE) large = LEAST_LARGE;
  if (large > MOST_SERIAL) large = MOST_SERIAL;
  ANK_TRY(ank_alloc_raw(&v.task, n / LEAST_TASK + 2, sizeof *v.task, err));
  v.task[0] = 0;
  for (size_t b = 0; b < buckets; b++) {
    size_t size = start[b + 1] - start[b];
    if (size > large)
      ANK_TRY(sort_large(target + start[b], scratch ? scratch + start[b] : NULL, size, settings, err));
    if (start[b + 1] - start[v.task[tasks]] >= LEAST_TASK || b + 1 == buckets) v.task[++tasks] = b + 1;
  }
  ANK_TRY(ank_parallel(settings, tasks, run_task, &v, err));
done:
  ank_free(v.task);
  return status;
}
