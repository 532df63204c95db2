/* test_prefetch.c - a reader with prefetch returns the same as one without: rows, levels, texts, notes,
 * errors. It calls the caller's callbacks on the caller's thread alone, and ends when it is cancelled. */
#include "table/prefetch.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"
#include "table/table.h"

static anorank_error err;
static anorank_settings settings;

static int reset(void **state) {
  (void)state;
  ank_settings_default(&settings);
  settings.threads = 2;
  settings.block_rows = 500;
  err = (anorank_error){0};
  return 0;
}

/* A name that each row has for itself, a few words, numbers; the header again in the middle. */
enum { ROWS = 9000, LINE = 80 };

static char *make_text(size_t bad_row) {
  char *text = test_memory((size_t)(ROWS + 2) * LINE), *to = text;
  assert_non_null(text);
  to += sprintf(to, "name,word,x,y\n");
  for (size_t i = 0; i < ROWS; i++) {
    if (i == 4321) to += sprintf(to, "name,word,x,y\n");
    to += sprintf(to, "row-%zu,w%zu,%s,%.3f\n", i, i * i % 61 % (1 + i / 300), i == bad_row ? "oops" : "7.50",
                  (double)(i % 89) / 8);
  }
  return text;
}

static anorank_reader *open_text(const char *text, int ahead) {
  anorank_reader *reader;
  assert_ok(anorank_reader_open(&reader, ANORANK_FROM_MEMORY(text, strlen(text), "t.csv"), &settings, &err));
  if (ahead) anorank_reader_prefetch(reader);
  return reader;
}

static const char *cell(const anorank_table *block, size_t row, size_t column) {
  int32_t code = block->column[column].codes[row];
  return code < 0 ? NULL : block->column[column].levels.text[code];
}

static void expect_same_block(const anorank_table *a, const anorank_table *b) {
  char one[64], other[64];
  assert_int_equal(a->rows, b->rows);
  assert_int_equal(anorank_notes_count(&a->notes), anorank_notes_count(&b->notes));
  for (size_t i = 0; i < a->rows; i++) {
    assert_string_equal(cell(a, i, 0), cell(b, i, 0));
    assert_int_equal(a->column[1].codes[i], b->column[1].codes[i]); /* few levels keep their codes */
    assert_string_equal(cell(a, i, 1), cell(b, i, 1));
    assert_true(a->column[3].numbers[i] == b->column[3].numbers[i]);
    anorank_table_text(a, 2, i, one, sizeof one);
    anorank_table_text(b, 2, i, other, sizeof other);
    assert_string_equal(one, other);
    assert_string_equal(one, "7.50");
  }
}

TEST_AFTER(reset, blocks_are_those_of_a_reader_that_does_not) {
  static const int64_t sizes[] = {1, 137, 500, 4000, 0};
  char *text = make_text(SIZE_MAX);
  ank_settings_lend(&settings, "keep", "x", NULL);
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    settings.block_rows = sizes[s];
    settings.max_memory =
        sizes[s] ? 0 : 1 << 20; /* blocks of the usual kind, but small: half as large ahead */
    scoped_reader *plain = open_text(text, 0), *ahead = open_text(text, 1);
    const anorank_table *a, *b;
    size_t rows = 0, blocks = 0;
    do {
      assert_ok(anorank_reader_next(ahead, &b, &err));
      rows += b ? b->rows : 0;
      blocks++;
      if (!sizes[s]) continue;
      assert_ok(anorank_reader_next(plain, &a, &err));
      anorank_reader_reset_levels(plain);
      assert_true(!a == !b);
      if (a) expect_same_block(a, b);
    } while (b);
    assert_int_equal(rows, ROWS);
    assert_true(blocks > 2);
    assert_ok(anorank_reader_next(ahead, &b, &err)); /* the end stays the end */
    assert_null(b);
    assert_int_equal(anorank_notes_count(&(anorank_reader_schema(ahead))->notes), 1);
  }
}

TEST_AFTER(reset, an_error_comes_when_its_block_is_asked_for) {
  char *text = make_text(1700); /* in the fourth block */
  anorank_error plain_err = {0};
  const anorank_table *block = NULL;
  for (int ahead = 0; ahead < 2; ahead++) {
    scoped_reader *reader = open_text(text, ahead);
    for (int i = 0; i < 3; i++) {
      assert_ok(anorank_reader_next(reader, &block, &err));
      assert_int_equal(block->rows, 500);
    }
    for (int again = 0; again < 2; again++) {
      anorank_error *to = ahead ? &err : &plain_err;
      assert_int_equal(anorank_reader_next(reader, &block, to), ANORANK_ERROR_DATA);
      assert_null(block);
    }
  }
  assert_string_equal(plain_err.message, err.message);
  assert_string_equal(plain_err.file, err.file);
  assert_int_equal(plain_err.line, err.line);
  assert_string_equal(plain_err.column, err.column);
  assert_error(&err, "cell-not-number line=1702 column=x");
}

typedef struct fetching {
  const char *text;
  size_t length, at;
  pthread_t caller;
  int elsewhere, told_elsewhere, told; /* calls on another thread; of progress: on another, and all */
} fetching;

static int fetch(void *context, void *buffer, size_t size, size_t *got) {
  fetching *from = context;
  *got = from->length - from->at < size ? from->length - from->at : size;
  memcpy(buffer, from->text + from->at, *got);
  from->at += *got;
  from->elsewhere += !pthread_equal(from->caller, pthread_self());
  return 0;
}

static int watch(void *context, double share, const char *what) {
  fetching *from = context;
  assert_true(share >= 0 && share <= 1);
  assert_non_null(what);
  from->told++;
  from->told_elsewhere += !pthread_equal(from->caller, pthread_self());
  return 0;
}

/* Longer than what opening looks at. */
static char *long_text(size_t lines) {
  static const char line[] = "1.250000001,2.750000001,3.500000001\n";
  char *text = test_memory(lines * strlen(line) + 8), *to = text;
  assert_non_null(text);
  to += sprintf(to, "a,b,c\n");
  for (size_t i = 0; i < lines; i++) to += sprintf(to, "%s", line);
  return text;
}

TEST_AFTER(reset, one_thread_is_all_there_is_if_one_is_asked_for) {
  char *text = long_text(100000);
  for (int threads = 1; threads <= 2; threads++) {
    fetching from = {.text = text, .length = strlen(text), .caller = pthread_self()};
    anorank_reader *reader;
    const anorank_table *block;
    size_t rows = 0;
    settings.threads = threads;
    anorank_settings_on_progress(&settings, watch, &from);
    assert_ok(anorank_reader_open(&reader, ANORANK_FROM_CALLBACK(fetch, &from, "t.csv"), &settings, &err));
    anorank_reader_prefetch(reader);
    do {
      assert_ok(anorank_reader_next(reader, &block, &err));
      rows += block ? block->rows : 0;
    } while (block);
    anorank_reader_free(reader);
    assert_int_equal(rows, 100000);
    assert_true(threads == 1 ? from.elsewhere == 0 : from.elsewhere > 0);
    assert_int_equal(from.told_elsewhere, 0);
    assert_true(from.told > 100);
  }
}

static int stop_waiting(void *context, double share, const char *what) {
  (void)share;
  return strcmp(what, "waiting for input") == 0 && ++*(int *)context > 1;
}

TEST_AFTER(reset, nobody_waits_for_a_pipe_for_ever) {
  int ends[2], waited = 0;
  const anorank_table *block;
  anorank_settings_on_progress(&settings, stop_waiting, &waited);
  /* some rows, and then neither more nor an end: we hold the other end */
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    char *text = long_text(60000);
    size_t length = strlen(text), done = 0;
    close(ends[0]);
    while (done < length) {
      ssize_t put = write(ends[1], text + done, length - done);
      if (put <= 0) _exit(1);
      done += (size_t)put;
    }
    _exit(0);
  }
  char name[32];
  anorank_reader *reader;
  snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
  assert_ok(anorank_reader_open(&reader, ANORANK_FROM_FILE(name), &settings, &err));
  anorank_reader_prefetch(reader);
  anorank_status status;
  size_t rows = 0;
  while ((status = anorank_reader_next(reader, &block, &err)) == ANORANK_OK && block) rows += block->rows;
  assert_int_equal(status,
                   ANORANK_CANCELLED); /* the caller's progress said so, while the thread was waiting */
  assert_true(rows > 20000);
  anorank_reader_free(reader);
  close(ends[0]);
  close(ends[1]);
}

TEST_AFTER(reset, a_reader_may_be_freed_at_any_time) {
  char *text = long_text(200000);
  const anorank_table *block;
  settings.block_rows = 0;
  for (int blocks = 0; blocks < 4; blocks++) {
    scoped_reader *reader = open_text(text, 1);
    for (int i = 0; i < blocks; i++) assert_ok(anorank_reader_next(reader, &block, &err));
  }
}

TEST_AFTER(reset, large_blocks_are_not_read_twice_at_a_time) {
  char *text = long_text(400000); /* 8 MiB are 349,525 rows of three numbers */
  for (int large = 0; large < 2; large++) {
    fetching from = {.text = text, .length = strlen(text), .caller = pthread_self()};
    anorank_reader *reader;
    const anorank_table *block;
    settings.block_rows = large ? 360000 : 340000;
    assert_ok(anorank_reader_open(&reader, ANORANK_FROM_CALLBACK(fetch, &from, "t.csv"), &settings, &err));
    anorank_reader_prefetch(reader);
    assert_ok(anorank_reader_next(reader, &block, &err));
    assert_int_equal(block->rows, settings.block_rows);
    anorank_reader_free(reader);
    assert_true(large ? from.elsewhere == 0 : from.elsewhere > 0);
  }
}
