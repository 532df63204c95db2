/* test_reader.c - whole reads, block reads, pipes, compression and failing memory all give the same
 * result. */
#include "table/reader.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "core/alloc.h"
#include "support/check.h"

static anorank_error err;
static anorank_settings settings;
static uint64_t seed;

static int reset(void **state) {
  (void)state;
  ank_settings_default(&settings);
  err.message[0] = '\0';
  seed = 7;
  return 0;
}

static uint64_t draw(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return seed >> 33;
}

typedef struct text {
  char *bytes;
  size_t length, room;
} text;

static void put(text *to, const char *word) {
  size_t length = strlen(word);
  if (to->length + length + 1 > to->room) {
    to->room = 2 * (to->room + length) + 64;
    char *more = test_memory(to->room);
    if (to->length) memcpy(more, to->bytes, to->length);
    to->bytes = more;
  }
  memcpy(to->bytes + to->length, word, length + 1);
  to->length += length;
}

/* A table of numbers, numbers with gaps and words, in one of several spellings of the same content. */
enum { PLAIN, QUOTED, CRLF, LONE_CR, BLANKS, SPELLINGS };

static text make_text(size_t rows, int spelling) {
  text out = {0};
  const char *line_end = spelling == CRLF ? "\r\n" : spelling == LONE_CR ? "\r" : "\n";
  static const char *const words[] = {"red", "green", "deep blue", "x", "caf\303\251", "NA"};
  put(&out, "id,value,gaps,word,last");
  put(&out, line_end);
  seed = 99;
  for (size_t i = 0; i < rows; i++) {
    char cells[5][64];
    snprintf(cells[0], 64, "%zu", i);
    snprintf(cells[1], 64, "%.17g", ((double)draw() - 1e9) * 1.1e-7);
    snprintf(cells[2], 64, "%.3f", (double)(draw() % 1000) / 7);
    if (draw() % 4 == 0) cells[2][0] = '\0';
    snprintf(cells[3], 64, "%s", words[draw() % 6]);
    snprintf(cells[4], 64, draw() % 9 ? "%d" : "nan", (int)draw() - 1000000000);
    for (int j = 0; j < 5; j++) {
      char cell[400];
      const char *format = spelling == QUOTED ? "\"%s\"" : spelling == BLANKS && j != 3 ? "  %s " : "%s";
      snprintf(cell, sizeof cell, format, (const char *)cells[j]);
      put(&out, cell);
      if (j < 4) put(&out, ",");
    }
    if (i + 1 < rows || i % 2) put(&out, line_end);
    if (spelling == BLANKS && i % 50 == 0) put(&out, "\n \n");
  }
  return out;
}

/* Do the rows of `block` equal those of `whole` from `first` on? */
static void expect_equal_rows(const anorank_table *whole, size_t first, const anorank_table *block) {
  assert_int_equal(whole->columns, block->columns);
  assert_true(first + block->rows <= whole->rows);
  for (size_t j = 0; j < whole->columns; j++) {
    const ank_column *a = &whole->column[j], *b = &block->column[j];
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->kind, b->kind);
    for (size_t i = 0; i < block->rows; i++) {
      if (a->kind == ANORANK_NUMERIC) {
        double x = a->numbers[first + i], y = b->numbers[i];
        if (!(x == y || (isnan(x) && isnan(y)))) fail_msg("row %zu, column %zu: %g, %g", first + i, j, x, y);
      } else {
        assert_int_equal(a->codes[first + i], b->codes[i]);
        if (b->codes[i] >= 0) assert_string_equal(a->levels.text[b->codes[i]], b->levels.text[b->codes[i]]);
      }
    }
  }
}

static anorank_table *read_memory(const text *from) {
  anorank_table *table;
  anorank_status status =
      anorank_table_read(&table, ANORANK_FROM_MEMORY(from->bytes, from->length, "t.csv"), &settings, &err);
  if (status != ANORANK_OK) fail_msg("%s", err.message);
  return table;
}

TEST_AFTER(reset, every_spelling_reads_the_same) {
  text plain = make_text(30000, PLAIN);
  scoped_table *whole = read_memory(&plain);
  assert_int_equal(whole->rows, 30000);
  assert_int_equal(whole->column[3].kind, ANORANK_CATEGORICAL);
  assert_int_equal(whole->column[3].levels.count, 5);
  for (int spelling = QUOTED; spelling < SPELLINGS; spelling++) {
    text other = make_text(30000, spelling);
    scoped_table *table = read_memory(&other);
    assert_int_equal(table->rows, whole->rows);
    expect_equal_rows(whole, 0, table);
  }
}

/* Walk the reader and compare with the whole; takes over the reader. */
static void expect_blocks(const anorank_table *whole, anorank_reader *reader, size_t block_rows) {
  const anorank_table *block;
  size_t rows = 0;
  assert_int_equal(anorank_table_rows(anorank_reader_schema(reader)), 0);
  for (;;) {
    anorank_status status = anorank_reader_next(reader, &block, &err);
    if (status != ANORANK_OK) fail_msg("%s", err.message);
    if (!block) break;
    assert_ptr_equal(block, anorank_reader_schema(reader));
    if (rows + block_rows <= whole->rows) assert_int_equal(block->rows, block_rows);
    expect_equal_rows(whole, rows, block);
    rows += block->rows;
  }
  assert_int_equal(rows, whole->rows);
  assert_ok(anorank_reader_next(reader, &block, &err)); /* the end stays the end */
  assert_null(block);
  anorank_reader_free(reader);
}

/* Numbers only, some MiB of them, with `odd` in the place of one line. */
static text make_numbers(size_t rows, size_t odd_row, const char *odd) {
  text out = {0};
  char line[128];
  put(&out, "a,b,c\n");
  for (size_t i = 0; i < rows; i++) {
    snprintf(line, sizeof line, "%zu,%.17g,%s\n", i, ((double)draw() - 1e9) * 1e-7, i % 11 ? "-0.25" : "NA");
    put(&out, i == odd_row ? odd : line);
  }
  return out;
}

TEST_AFTER(reset, threads_never_change_what_is_read) {
  static const char *const odd[] = {"1,2,3\n", "\"1\",\" 2\"  ,3\r\n\n", "1,2,3\r4,5,6\n", "1,x,3\n", "1,2\n",
                                    "1,\"2\n"};
  for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++) {
    text from = make_numbers(300000, k * 47000, odd[k]);
    scoped_table *one, *many;
    anorank_error other = {0};
    assert_true(from.length > (size_t)8 << 20);
    settings.threads = 1;
    anorank_status status =
        anorank_table_read(&one, ANORANK_FROM_MEMORY(from.bytes, from.length, "t.csv"), &settings, &err);
    settings.threads = 4;
    assert_status(
        anorank_table_read(&many, ANORANK_FROM_MEMORY(from.bytes, from.length, "t.csv"), &settings, &other),
        status);
    if (status == ANORANK_OK) {
      assert_int_equal(one->rows, many->rows);
      expect_equal_rows(one, 0, many);
    } else {
      assert_string_equal(err.message, other.message);
    }
    assert_int_equal(status, k < 3 ? ANORANK_OK : ANORANK_ERROR_DATA);
  }
}

static const size_t block_sizes[] = {1, 2, 7, 1000, 1000000};
enum { SIZES = sizeof block_sizes / sizeof block_sizes[0] };

TEST_AFTER(reset, blocks_from_memory_equal_the_whole) {
  for (int spelling = 0; spelling < SPELLINGS; spelling++) {
    text from = make_text(5003, spelling);
    scoped_table *whole = read_memory(&from);
    for (size_t i = 0; i < SIZES; i++) {
      ank_source *source;
      anorank_reader *reader;
      settings.block_rows = (int64_t)block_sizes[i];
      assert_ok(ank_source_from_memory(&source, from.bytes, from.length, "t.csv", &err));
      assert_ok(ank_reader_open(&reader, source, &settings, &err));
      expect_blocks(whole, reader, block_sizes[i]);
    }
  }
}

static text gzip(const text *from) {
  text out = {test_memory(from->length + 1000), 0, from->length + 1000};
  z_stream stream = {0};
  assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = (unsigned char *)from->bytes;
  stream.avail_in = (uInt)from->length;
  stream.next_out = (unsigned char *)out.bytes;
  stream.avail_out = (uInt)out.room;
  assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.length = out.room - stream.avail_out;
  deflateEnd(&stream);
  return out;
}

TEST_AFTER(reset, blocks_from_files_and_pipes_equal_the_whole) {
  text plain = make_text(20000, PLAIN), packed = gzip(&plain);
  anorank_table *whole = read_memory(&plain), *table;
  for (int compressed = 0; compressed < 2; compressed++) {
    const text *from = compressed ? &packed : &plain;
    char path[] = "/tmp/anorank-reader-XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(write(file, from->bytes, from->length), from->length);
    close(file);
    assert_ok(anorank_table_read(&table, ANORANK_FROM_FILE(path), &settings, &err));
    assert_int_equal(table->rows, whole->rows);
    expect_equal_rows(whole, 0, table);
    anorank_table_free(table);
    for (size_t i = 0; i < SIZES; i++) {
      anorank_reader *reader;
      settings.block_rows = (int64_t)block_sizes[i];
      assert_ok(anorank_reader_open(&reader, ANORANK_FROM_FILE(path), &settings, &err));
      expect_blocks(whole, reader, block_sizes[i]);
    }
    unlink(path);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
      for (size_t at = 0; at < from->length; at += 10007) {
        size_t step = from->length - at < 10007 ? from->length - at : 10007;
        if (write(ends[1], from->bytes + at, step) != (ssize_t)step) _exit(1);
      }
      _exit(0);
    }
    close(ends[1]);
    int kept = dup(STDIN_FILENO);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    close(ends[0]);
    anorank_reader *reader;
    settings.block_rows = 1000;
    assert_ok(anorank_reader_open(&reader, ANORANK_FROM_FILE("-"), &settings, &err));
    expect_blocks(whole, reader, 1000);
    dup2(kept, STDIN_FILENO);
    close(kept);
    waitpid(child, NULL, 0);
  }
  anorank_table_free(whole);
}

TEST_AFTER(reset, blocks_keep_their_memory) {
  text from = make_text(50000, PLAIN);
  ank_source *source;
  scoped_reader *reader;
  const anorank_table *block;
  settings.block_rows = 100;
  assert_ok(ank_source_from_memory(&source, from.bytes, from.length, "t.csv", &err));
  assert_ok(ank_reader_open(&reader, source, &settings, &err));
  for (int i = 0; i < 100; i++) assert_ok(anorank_reader_next(reader, &block, &err));
  ank_alloc_fail_at(0);
  for (int i = 0; i < 300; i++) assert_ok(anorank_reader_next(reader, &block, &err));
  assert_int_equal(ank_alloc_fail_at(0), 0);
}

TEST_AFTER(reset, a_file_with_a_header_alone_still_opens) {
  ank_source *source;
  anorank_reader *reader;
  const anorank_table *block;
  assert_ok(ank_source_from_memory(&source, "a,b\n", 4, "t.csv", &err));
  assert_ok(ank_reader_open(&reader, source, &settings, &err));
  assert_int_equal(anorank_table_columns(anorank_reader_schema(reader)), 2);
  assert_string_equal(anorank_table_name(anorank_reader_schema(reader), 1), "b");
  assert_ok(anorank_reader_next(reader, &block, &err));
  assert_null(block);
  anorank_reader_free(reader);
  assert_ok(ank_source_from_memory(&source, "", 0, "t.csv", &err));
  assert_status(ank_reader_open(&reader, source, &settings, &err), ANORANK_ERROR_DATA);
  assert_null(reader);
}

/* Rows of words pass by the fast way, and whether the names again are a row must not hang on where a block ends. */
TEST_AFTER(reset, names_in_the_middle_are_no_row_whatever_the_blocks) {
  static const struct {
    const char *bytes;
    size_t rows;
  } cases[] = {{"k,v\na,b\nc,d\nk,v\ne,f\n \"k\",v\nk,k\n", 4}, {"1\n1\n[\n\n1\nb\n", 5}};
  for (size_t k = 0; k < 2; k++)
    for (int64_t block_rows = 1; block_rows < 9; block_rows++) {
      ank_source *source;
      scoped_reader *reader;
      const anorank_table *block;
      size_t rows = 0;
      settings.block_rows = block_rows;
      settings.header = ANORANK_HEADER_YES;
      assert_ok(ank_source_from_memory(&source, cases[k].bytes, strlen(cases[k].bytes), "t.csv", &err));
      assert_ok(ank_reader_open(&reader, source, &settings, &err));
      do {
        assert_ok(anorank_reader_next(reader, &block, &err));
        rows += block ? block->rows : 0;
      } while (block);
      assert_int_equal(rows, cases[k].rows);
    }
}

TEST_AFTER(reset, a_failure_in_a_block_is_repeated) {
  ank_source *source;
  scoped_reader *reader;
  const anorank_table *block;
  const char *bytes = "a,b\n1,2\n3,4\n5\n6,7\n";
  settings.block_rows = 1;
  assert_ok(ank_source_from_memory(&source, bytes, strlen(bytes), "t.csv", &err));
  assert_ok(ank_reader_open(&reader, source, &settings, &err));
  assert_ok(anorank_reader_next(reader, &block, &err));
  assert_ok(anorank_reader_next(reader, &block, &err));
  assert_int_equal(block->rows, 1);
  for (int i = 0; i < 2; i++) {
    err.message[0] = '\0';
    assert_fails(anorank_reader_next(reader, &block, &err), ANORANK_ERROR_DATA,
                 "csv-cell-count line=4 setting=delimiter");
    assert_null(block);
  }
}

TEST_AFTER(reset, every_failing_allocation_is_an_error_without_a_leak) {
  static const int spellings[] = {PLAIN, QUOTED};
  for (int i = 0; i < 2; i++) {
    text plain = make_text(200, spellings[i]), packed = gzip(&plain);
    anorank_table *table;
    ank_alloc_fail_at(0);
    assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY(packed.bytes, packed.length, "t.csv.gz"),
                                 &settings, &err));
    anorank_table_free(table);
    size_t requests = ank_alloc_fail_at(0);
    assert_true(requests > 30);
    for (size_t k = 1; k <= requests; k++) {
      ank_alloc_fail_at(k);
      anorank_status status = anorank_table_read(
          &table, ANORANK_FROM_MEMORY(packed.bytes, packed.length, "t.csv.gz"), &settings, &err);
      ank_alloc_fail_at(0);
      if (status != ANORANK_ERROR_RESOURCES) fail_msg("request %zu of %zu: %d", k, requests, (int)status);
      assert_null(table);
    }
  }
}

TEST_AFTER(reset, wrong_calls_are_usage_errors) {
  scoped_table *table;
  anorank_reader *reader;
  const anorank_table *block;
  assert_status(anorank_table_read(NULL, ANORANK_FROM_FILE("x"), &settings, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_read(&table, NULL, &settings, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_table_read(&table, ANORANK_FROM_MEMORY(NULL, 5, "x"), &settings, &err),
                ANORANK_ERROR_USAGE);
  assert_status(anorank_reader_open(&reader, NULL, &settings, &err), ANORANK_ERROR_USAGE);
  assert_status(anorank_reader_next(NULL, &block, &err), ANORANK_ERROR_USAGE);
  assert_null(anorank_reader_schema(NULL));
  anorank_reader_free(NULL);
  assert_ok(anorank_table_read(&table, ANORANK_FROM_MEMORY("1\n", 2, NULL), NULL, NULL));
}

/* Mutated files may be refused, but must never be read in two ways, and never hurt. */
TEST_AFTER(reset, mutated_files_read_alike_in_blocks_and_whole) {
  text original = make_text(60, PLAIN);
  static const char marks[] = "\",;\n\r \t0.-e\0N";
  for (int round = 0; round < 3000; round++) {
    text copy = {test_memory(original.length), original.length, 0};
    memcpy(copy.bytes, original.bytes, original.length);
    seed = (uint64_t)round;
    for (uint64_t i = draw() % 4; i < 4; i++)
      copy.bytes[draw() % copy.length] = marks[draw() % (sizeof marks - 1)];
    anorank_table *whole;
    ank_source *source;
    anorank_reader *reader;
    const anorank_table *block;
    anorank_error other = {0};
    size_t rows = 0;
    settings.block_rows = 1 + (int64_t)(draw() % 9);
    anorank_status status =
        anorank_table_read(&whole, ANORANK_FROM_MEMORY(copy.bytes, copy.length, "t.csv"), &settings, &err);
    assert_ok(ank_source_from_memory(&source, copy.bytes, copy.length, "t.csv", &other));
    anorank_status again = ank_reader_open(&reader, source, &settings, &other);
    while (again == ANORANK_OK) {
      again = anorank_reader_next(reader, &block, &other);
      if (again != ANORANK_OK || !block) break;
      if (whole) expect_equal_rows(whole, rows, block);
      rows += block->rows;
    }
    assert_int_equal(status, again);
    if (status == ANORANK_OK)
      assert_int_equal(rows, whole->rows);
    else
      assert_string_equal(err.message, other.message);
    anorank_table_free(whole);
    anorank_reader_free(reader);
  }
}

/* A column of names would fill the memory; categories keep their codes. */
TEST_AFTER(reset, forgetting_levels_begins_the_codes_of_names_anew) {
  enum { ROWS = 4000, BLOCK = 2000 };
  char *bytes = test_memory(ROWS * 32), *end = bytes;
  assert_non_null(bytes);
  end += sprintf(end, "name,kind\n");
  for (int i = 0; i < ROWS; i++) end += sprintf(end, "name-%05d,%s\n", i, i % 3 ? "common" : "rare");
  settings.block_rows = BLOCK;
  for (int forget = 0; forget < 2; forget++) {
    ank_source *source;
    scoped_reader *reader;
    const anorank_table *block;
    assert_ok(ank_source_from_memory(&source, bytes, (size_t)(end - bytes), "names.csv", &err));
    assert_ok(ank_reader_open(&reader, source, &settings, &err));
    for (int first = 0; first < ROWS; first += BLOCK) {
      assert_ok(anorank_reader_next(reader, &block, &err));
      assert_int_equal(block->rows, BLOCK);
      assert_int_equal(anorank_table_levels(block, 0), forget ? BLOCK : first + BLOCK);
      assert_int_equal(anorank_table_levels(block, 1), 2);
      for (int i = 0; i < BLOCK; i++) {
        char name[32];
        snprintf(name, sizeof name, "name-%05d", first + i);
        assert_string_equal(anorank_table_level(block, 0, (size_t)block->column[0].codes[i]), name);
        assert_int_equal(block->column[1].codes[i], (first + i) % 3 ? 1 : 0);
      }
      if (forget) anorank_reader_reset_levels(reader);
    }
  }
}

#undef TEST
