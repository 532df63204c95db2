/* duplicate_rows.c - see duplicate_rows.h. Rows are grouped by a hash table of their cells; equal hashes are compared. */
#include "model/duplicate_rows.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/hash.h"
#include "core/method_constants.h"
#include "core/parallel.h"
#include "prepare/prepare.h"

enum { HASHED = 1 << 14 }; /* rows at a time */

/* A selection of the compared columns: all, every other numeric one, or all but these. */
typedef enum { COMPARED, EVEN, ODD, BUT_EVEN, BUT_ODD } selection;

typedef struct {
  const anorank_table *table;
  const anorank_settings *settings;
  unsigned char *skip; /* per column: is not compared */
  uint64_t *hash;      /* per row; scratch of grouping */
  uint32_t *slot;      /* places of the hash table, a power of two; row + 1 */
  size_t slots;
} finding;

/* ---- cells ------------------------------------------------------------------------------------------- */

/* Equal cells, and missing ones, have equal words. */
static uint64_t word_of(const ank_column *column, size_t row) {
  uint64_t word;
  if (column->kind == ANORANK_CATEGORICAL) return (uint64_t)(uint32_t)column->codes[row];
  double x = isnan(column->numbers[row]) ? (double)NAN : column->numbers[row] + 0.0; /* -0 is 0 */
  memcpy(&word, &x, sizeof word);
  return word;
}

/* Whether column j belongs to the selection; `number` counts the numeric columns. */
static int selects(const finding *work, selection which, size_t j, size_t *number) {
  if (work->skip[j]) return 0;
  int numeric = work->table->column[j].kind != ANORANK_CATEGORICAL;
  int even = numeric && *number % 2 == 0, odd = numeric && *number % 2 == 1;
  *number += (size_t)numeric;
  switch (which) {
  case EVEN: return even;
  case ODD: return odd;
  case BUT_EVEN: return !even;
  case BUT_ODD: return !odd;
  default: return 1;
  }
}

static int equal(const finding *work, selection which, size_t a, size_t b) {
  for (size_t j = 0, number = 0; j < work->table->columns; j++)
    if (selects(work, which, j, &number) &&
        word_of(&work->table->column[j], a) != word_of(&work->table->column[j], b))
      return 0;
  return 1;
}

typedef struct {
  const finding *work;
  selection which;
} hashing;

static anorank_status hash_chunk(void *context, size_t chunk, anorank_error *err) {
  const hashing *job = context;
  const finding *work = job->work;
  size_t from = chunk * HASHED, n = work->table->rows, to = n - from < HASHED ? n : from + HASHED;
  (void)err;
  memset(work->hash + from, 0, (to - from) * sizeof *work->hash);
  for (size_t j = 0, number = 0; j < work->table->columns; j++) {
    if (!selects(work, job->which, j, &number)) continue;
    ank_word_hash hash = ank_word_hash_at(j);
    for (size_t i = from; i < to; i++)
      work->hash[i] += ank_hash_word(&hash, word_of(&work->table->column[j], i));
  }
  return ANORANK_OK;
}

/* first[i]: the first row that equals row i in the selected columns; count[i]: how many do, where i is first. */
static anorank_status group(size_t *first, uint32_t *count, finding *work, selection which,
                            anorank_error *err) {
  size_t n = work->table->rows;
  ANK_CHECK(
      ank_parallel(work->settings, (n + HASHED - 1) / HASHED, hash_chunk, &(hashing){work, which}, err));
  memset(work->slot, 0, work->slots * sizeof *work->slot);
  memset(count, 0, n * sizeof *count);
  for (size_t i = 0; i < n; i++) {
    size_t at = (size_t)work->hash[i] & (work->slots - 1);
    if (i % HASHED == 0) ANK_CHECK(ank_check_cancelled(work->settings, err));
    while (work->slot[at] &&
           (work->hash[work->slot[at] - 1] != work->hash[i] || !equal(work, which, work->slot[at] - 1, i)))
      at = (at + 1) & (work->slots - 1);
    if (!work->slot[at]) work->slot[at] = (uint32_t)i + 1;
    first[i] = work->slot[at] - 1;
    count[first[i]]++;
  }
  return ANORANK_OK;
}

/* ---- which are copies -------------------------------------------------------------------------------- */

static uint32_t common_divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The number of copies of the whole table. */
static uint32_t times_whole(const uint32_t *count, size_t n) {
  uint32_t divisor = 0;
  size_t groups = 0;
  for (size_t i = 0; i < n && divisor != 1; i++)
    if (count[i] > 0) {
      divisor = common_divisor(count[i], divisor);
      groups++;
    }
  return groups >= ANK_COPIES_FEWEST_GROUPS ? divisor : 1;
}

/* Of each group the first rows stay, one in `times`; the others are copies of the first. */
static void divide(ank_duplicates *out, uint32_t *count, size_t n, uint32_t times) {
  for (size_t i = 0; i < n; i++)
    if (out->of[i] == i) count[i] = count[i] / times; /* from here on: how many may still stay */
  for (size_t i = 0; i < n; i++) {
    size_t first = out->of[i];
    if (count[first] > 0) {
      count[first]--;
      out->of[i] = i;
    } else {
      out->copies++;
    }
  }
}

static double pairs(const uint32_t *count, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (double)count[i] * ((double)count[i] - 1) / 2;
  return sum;
}

/* Mark the groups (of first rows) that one half of the numeric columns identifies, if two rows that are not
 * equal hardly ever agree in the rest. */
static anorank_status identify(unsigned char *identified, const ank_duplicates *groups, const uint32_t *count,
                               size_t *first, uint32_t *other, finding *work, selection half,
                               anorank_error *err) {
  size_t n = work->table->rows,
         most = n / ANK_COPIES_COMMON > ANK_COPIES_MOST ? n / ANK_COPIES_COMMON : ANK_COPIES_MOST;
  ANK_CHECK(group(first, other, work, half == EVEN ? BUT_EVEN : BUT_ODD, err));
  if (pairs(other, n) - pairs(count, n) > ANK_COPIES_CHANCE * (double)n * ((double)n - 1) / 2)
    return ANORANK_OK;
  ANK_CHECK(group(first, other, work, half, err));
  for (size_t i = 0; i < n; i++)
    if (groups->of[i] == i && count[i] > 1 && count[i] <= most && other[first[i]] == count[i])
      identified[i] = 1;
  return ANORANK_OK;
}

/* Keep the groups that half of the numeric cells identify, and split the others. */
static anorank_status keep_identified(ank_duplicates *out, const uint32_t *count, finding *work,
                                      anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = work->table->rows, *first = NULL;
  uint32_t *other = NULL;
  unsigned char *identified = NULL;
  ANK_TRY(ank_alloc_raw(&first, n, sizeof *first, err));
  ANK_TRY(ank_alloc_raw(&other, n, sizeof *other, err));
  ANK_TRY(ank_alloc(&identified, n, 1, err));
  ANK_TRY(identify(identified, out, count, first, other, work, EVEN, err));
  ANK_TRY(identify(identified, out, count, first, other, work, ODD, err));
  for (size_t i = n; i-- > 0;) { /* first rows come last */
    if (out->of[i] != i && identified[out->of[i]])
      out->copies++;
    else
      out->of[i] = i;
  }
done:
  ank_free(first);
  ank_free(other);
  ank_free(identified);
  return status;
}

static anorank_status find(ank_duplicates *out, finding *work, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t n = work->table->rows, equals = 0;
  uint32_t *count = NULL, times;
  ANK_TRY(ank_alloc_raw(&count, n, sizeof *count, err));
  out->copies = 0;
  ANK_TRY(group(out->of, count, work, COMPARED, err));
  for (size_t i = 0; i < n; i++) equals += out->of[i] != i;
  if (equals == 0) goto done;
  times = times_whole(count, n);
  if (times > 1)
    divide(out, count, n, times);
  else
    ANK_TRY(keep_identified(out, count, work, err));
done:
  ank_free(count);
  return status;
}

/* ---- which columns ----------------------------------------------------------------------------------- */

/* Whether the first `rows` cells of the column are distinct whole numbers or words. */
static int has_distinct_names(finding *work, size_t j, size_t rows) {
  const ank_column *column = &work->table->column[j];
  ank_word_hash hash = ank_word_hash_at(j);
  size_t slots = 16;
  while (slots < 2 * rows) slots *= 2;
  memset(work->slot, 0, slots * sizeof *work->slot);
  for (size_t i = 0; i < rows; i++) {
    if (column->kind != ANORANK_CATEGORICAL && column->numbers[i] != floor(column->numbers[i])) return 0;
    uint64_t word = word_of(column, i);
    size_t at = (size_t)ank_hash_word(&hash, word) & (slots - 1);
    for (; work->slot[at]; at = (at + 1) & (slots - 1))
      if (word_of(column, work->slot[at] - 1) == word) return 0;
    work->slot[at] = (uint32_t)i + 1;
  }
  return 1;
}

/* Whether the column may only name rows; most others soon repeat a value. */
static int may_name(finding *work, size_t j) {
  enum { FIRST = 64 };
  size_t rows = work->table->rows;
  return has_distinct_names(work, j, rows < FIRST ? rows : FIRST) &&
         (rows <= FIRST || has_distinct_names(work, j, rows));
}

/* Skip columns that may name rows, and return their number. */
static anorank_status pass_over_names(size_t *names, finding *work, anorank_error *err) {
  *names = 0;
  for (size_t j = 0; j < work->table->columns; j++) {
    ANK_CHECK(ank_check_cancelled(work->settings, err));
    work->skip[j] = (unsigned char)may_name(work, j);
    *names += work->skip[j];
  }
  return ANORANK_OK;
}

/* Skip the columns that are not features. */
static anorank_status pass_over_unused(finding *work, const anorank_settings *settings, anorank_error *err) {
  anorank_error why = {0};
  ank_prepare *prepare = NULL;
  anorank_status status = ank_prepare_fit(&prepare, work->table, settings, &why);
  memset(work->skip, 0, work->table->columns);
  for (size_t j = 0; status == ANORANK_OK && j < work->table->columns; j++) {
    anorank_role role = ank_prepare_column(prepare, j).role;
    work->skip[j] =
        role != ANORANK_ROLE_NUMERIC && role != ANORANK_ROLE_CATEGORICAL && role != ANORANK_ROLE_TIME;
  }
  ank_prepare_free(prepare);
  /* If the table cannot be prepared, the fit reports the error. */
  return status == ANORANK_ERROR_RESOURCES ? ank_fail_around(err, &why, "%s", why.message) : ANORANK_OK;
}

void ank_duplicates_free(ank_duplicates *copies) {
  ank_free(copies->of);
  *copies = (ank_duplicates){0};
}

anorank_status ank_duplicates_find(ank_duplicates *out, const anorank_table *table,
                                   const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  finding work = {.table = table, .settings = settings, .slots = 16};
  int chosen = settings->id[0] || settings->drop[0] || settings->columns[0] || settings->labels[0];
  size_t names = 0;
  *out = (ank_duplicates){0};
  if (table->rows < 2 || table->rows >= UINT32_MAX / 4) return ANORANK_OK;
  while (work.slots < 2 * table->rows) work.slots *= 2;
  ANK_TRY(ank_alloc_raw(&out->of, table->rows, sizeof *out->of, err));
  ANK_TRY(ank_alloc_raw(&work.hash, table->rows, sizeof *work.hash, err));
  ANK_TRY(ank_alloc_raw(&work.slot, work.slots, sizeof *work.slot, err));
  ANK_TRY(ank_alloc(&work.skip, table->columns, 1, err));
  if (!chosen) {
    ANK_TRY(pass_over_names(&names, &work, err));
    ANK_TRY(find(out, &work, err));
  }
  if (chosen || (out->copies > 0 && names > 0)) {
    ANK_TRY(pass_over_unused(&work, settings, err));
    ANK_TRY(find(out, &work, err));
  }
done:
  ank_free(work.hash);
  ank_free(work.slot);
  ank_free(work.skip);
  if (status != ANORANK_OK || out->copies == 0) ank_duplicates_free(out);
  return status;
}
