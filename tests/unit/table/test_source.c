/* test_source.c - bytes from files, pipes and memory, plain and compressed. */
#include "table/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/alloc.h"
#include "support/check.h"
#include "table/source_codecs.h"

#define LENGTH ((size_t)700001)

static unsigned char *content; /* text that compresses, but not to nothing */
static unsigned char packed[2 * LENGTH];

static int make_content(void **state) {
  (void)state;
  content = test_memory(LENGTH);
  uint64_t x = 1;
  for (size_t i = 0; i < LENGTH; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    content[i] = (unsigned char)('a' + (x >> 33) % 13);
  }
  return content ? 0 : -1;
}

static int free_content(void **state) {
  (void)state;
  return 0;
}

static size_t gzip(unsigned char *out, size_t room, const unsigned char *bytes, size_t length) {
  z_stream stream = {0};
  assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = (unsigned char *)(uintptr_t)bytes;
  stream.avail_in = (uInt)length;
  stream.next_out = out;
  stream.avail_out = (uInt)room;
  assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
  size_t made = room - stream.avail_out;
  deflateEnd(&stream);
  return made;
}

static size_t zstd(unsigned char *out, size_t room, const unsigned char *bytes, size_t length) {
  size_t made = ZSTD_compress(out, room, bytes, length, 1);
  assert_false(ZSTD_isError(made));
  return made;
}

typedef size_t (*packer)(unsigned char *out, size_t room, const unsigned char *bytes, size_t length);
static const packer packers[] = {gzip, zstd};

static void expect_content(ank_source *source, size_t step) {
  anorank_error err = {0};
  unsigned char *buffer = test_memory(step);
  size_t at = 0, got;
  for (;;) {
    assert_ok(ank_source_read(source, buffer, step, &got, &err));
    if (got == 0) break;
    assert_true(at + got <= LENGTH);
    assert_memory_equal(buffer, content + at, got);
    at += got;
  }
  assert_int_equal(at, LENGTH);
}

static ank_source *open_memory(const void *bytes, size_t length) {
  anorank_error err = {0};
  ank_source *source;
  assert_ok(ank_source_from_memory(&source, bytes, length, "memory.gz", &err));
  return source;
}

TEST(plain_and_compressed_bytes_are_complete_in_any_steps) {
  static const size_t steps[] = {1, 7, 4096, 65537, LENGTH, 2 * LENGTH};
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    ank_source *source = open_memory(content, LENGTH);
    expect_content(source, steps[i]);
    assert_close(ank_source_share(source), 1, 0);
    ank_source_free(source);
    for (size_t p = 0; p < 2; p++) {
      source = open_memory(packed, packers[p](packed, sizeof packed, content, LENGTH));
      expect_content(source, steps[i]);
      assert_close(ank_source_share(source), 1, 0);
      assert_int_equal(ank_source_file(source), -1);
      ank_source_free(source);
    }
  }
}

TEST(several_members_are_one_stream) {
  for (size_t p = 0; p < 2; p++) {
    size_t made = packers[p](packed, sizeof packed, content, 1000);
    made += packers[p](packed + made, sizeof packed - made, content, 0);
    made += packers[p](packed + made, sizeof packed - made, content + 1000, LENGTH - 1000);
    ank_source *source = open_memory(packed, made);
    expect_content(source, 5000);
    ank_source_free(source);
  }
}

/* Reads to the end; the status of the read that failed, or OK. */
static anorank_status drain(const void *bytes, size_t length, anorank_error *err) {
  ank_source *source;
  char buffer[5000];
  size_t got = 1;
  anorank_status status = ank_source_from_memory(&source, bytes, length, "name.x", err);
  if (status != ANORANK_OK) return status;
  while (status == ANORANK_OK && got > 0) status = ank_source_read(source, buffer, sizeof buffer, &got, err);
  ank_source_free(source);
  return status;
}

TEST(truncated_data_are_refused_wherever_they_are_cut) {
  for (size_t p = 0; p < 2; p++) {
    size_t made = packers[p](packed, sizeof packed, content, 3000);
    anorank_error err = {0};
    assert_ok(drain(packed, made, &err));
    for (size_t cut = 4; cut < made; cut++) {
      err.message[0] = '\0';
      assert_status(drain(packed, cut, &err), ANORANK_ERROR_DATA);
      assert_error(&err, packers[p] == gzip ? "gzip-cut-short" : "zstd-cut-short");
    }
  }
}

TEST(zeros_behind_gzip_are_padding) {
  static const size_t counts[] = {1, 511, 100000, 300000};
  anorank_error err = {0};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    size_t made = gzip(packed, sizeof packed, content, 1000);
    made += gzip(packed + made, sizeof packed - made, content + 1000, LENGTH - 1000);
    unsigned char *padded = calloc(1, made + counts[i] + 1);
    memcpy(padded, packed, made);
    ank_source *source = open_memory(padded, made + counts[i]);
    expect_content(source, 5000);
    ank_source_free(source);
    padded[made + counts[i]] = 0x1F; /* another member behind padding is none: gzip says so, too */
    assert_status(drain(padded, made + counts[i] + 1, &err), ANORANK_ERROR_DATA);
    assert_error(&err, "gzip-extra-bytes");
    free(padded);
  }
}

TEST(corrupt_data_and_trailing_rubbish_are_refused) {
  for (size_t p = 0; p < 2; p++) {
    size_t made = packers[p](packed, sizeof packed, content, 3000);
    anorank_error err = {0};
    memcpy(packed + made, "rubbish", 7);
    assert_status(drain(packed, made + 7, &err), ANORANK_ERROR_DATA);
    assert_error(&err, packers[p] == gzip ? "gzip-extra-bytes" : "zstd-corrupt");
  }
  /* gzip carries a checksum: any flipped byte after the header must be noticed */
  size_t made = gzip(packed, sizeof packed, content, 3000);
  for (size_t at = 10; at < made; at += 13) {
    anorank_error err = {0};
    packed[at] ^= 0x10;
    assert_status(drain(packed, made, &err), ANORANK_ERROR_DATA);
    packed[at] ^= 0x10;
  }
}

TEST(peek_shows_without_taking) {
  anorank_error err = {0};
  ank_source *source = open_memory(packed, gzip(packed, sizeof packed, content, LENGTH));
  const unsigned char *bytes;
  size_t got;
  assert_ok(ank_source_peek(source, &bytes, 10, &got, &err));
  assert_int_equal(got, 10);
  assert_memory_equal(bytes, content, 10);
  assert_ok(ank_source_peek(source, &bytes, 100000, &got, &err));
  assert_int_equal(got, 100000);
  assert_memory_equal(bytes, content, got);
  char taken[50];
  assert_ok(ank_source_read_full(source, taken, sizeof taken, &got, &err));
  assert_int_equal(got, sizeof taken);
  assert_ok(ank_source_peek(source, &bytes, (size_t)1 << 20, &got, &err));
  assert_int_equal(got, LENGTH - sizeof taken);
  assert_memory_equal(bytes, content + sizeof taken, got);
  ank_source_free(source);
  source = open_memory(content, LENGTH);
  assert_ok(ank_source_peek(source, &bytes, 4096, &got, &err));
  expect_content(source, 1000);
  ank_source_free(source);
}

TEST(an_empty_source_ends_immediately) {
  anorank_error err = {0};
  assert_ok(drain("", 0, &err));
  assert_ok(drain(NULL, 0, &err));
  for (size_t p = 0; p < 2; p++)
    assert_ok(drain(packed, packers[p](packed, sizeof packed, content, 0), &err));
}

TEST(a_file_is_read_and_knows_its_share_and_descriptor) {
  anorank_error err = {0};
  char path[] = "/tmp/anorank-source-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, content, LENGTH), LENGTH);
  close(file);
  ank_source *source;
  assert_ok(ank_source_open(&source, path, NULL, &err));
  assert_string_equal(ank_source_name(source), path);
  assert_true(ank_source_file(source) >= 0);
  assert_close(ank_source_share(source), 0, 0);
  expect_content(source, 10000);
  assert_close(ank_source_share(source), 1, 0);
  ank_source_free(source);
  unlink(path);
}

TEST(a_file_that_shrinks_while_it_is_read_is_an_error) {
  for (int compressed = 0; compressed < 2; compressed++) {
    anorank_error err = {0};
    char path[] = "/tmp/anorank-source-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    size_t made = compressed ? gzip(packed, sizeof packed, content, LENGTH) : LENGTH, got = 1;
    assert_int_equal(write(file, compressed ? packed : (unsigned char *)content, made), made);
    ank_source *source;
    static char buffer[LENGTH];
    assert_ok(ank_source_open(&source, path, NULL, &err));
    assert_ok(ank_source_read(source, buffer, 10, &got, &err));
    assert_int_equal(ftruncate(file, (off_t)(made / 2)), 0);
    close(file);
    anorank_status status = ANORANK_OK;
    while (status == ANORANK_OK && got > 0)
      status = ank_source_read(source, buffer, sizeof buffer, &got, &err);
    if (!compressed || made > ANK_CODEC_INPUT) {
      assert_status(status, ANORANK_ERROR_DATA);
      assert_string_equal(err.code, "file-changed");
    }
    ank_source_free(source);
    unlink(path);
  }
}

static int stop_at_third(void *context, double share, const char *what) {
  int *calls = context;
  (void)share;
  assert_string_equal(what, "waiting for input");
  return ++*calls == 3;
}

TEST(waiting_for_a_pipe_can_be_cancelled) {
  anorank_error err = {0};
  anorank_settings settings = test_settings();
  int ends[2], calls = 0;
  char path[32];
  settings.progress = stop_at_third;
  settings.progress_context = &calls;
  assert_int_equal(pipe(ends), 0);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  ank_source *source;
  assert_status(ank_source_open(&source, path, &settings, &err), ANORANK_CANCELLED);
  assert_null(source);
  assert_int_equal(calls, 3);
  close(ends[0]);
  close(ends[1]);
}

TEST(a_pipe_is_read_in_the_pieces_that_come) {
  anorank_error err = {0};
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  size_t made = gzip(packed, sizeof packed, content, LENGTH);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    for (size_t at = 0; at < made; at += 5003) {
      size_t step = made - at < 5003 ? made - at : 5003;
      if (write(ends[1], packed + at, step) < 0) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  char path[32];
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  ank_source *source;
  assert_ok(ank_source_open(&source, path, NULL, &err));
  close(ends[0]);
  assert_close(ank_source_share(source), -1, 0);
  expect_content(source, 100000);
  ank_source_free(source);
}

TEST(unreadable_files_are_errors_with_a_remedy) {
  anorank_error err = {0};
  ank_source *source;
  assert_fails(ank_source_open(&source, "/tmp/no-such-folder/x.csv", NULL, &err), ANORANK_ERROR_DATA,
               "file-missing");
  assert_null(source);
  assert_fails(ank_source_open(&source, "/tmp", NULL, &err), ANORANK_ERROR_DATA, "file-is-folder");
  assert_null(source);
  if (geteuid() != 0) {
    char path[] = "/tmp/anorank-source-XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(fchmod(file, 0), 0);
    close(file);
    assert_fails(ank_source_open(&source, path, NULL, &err), ANORANK_ERROR_RESOURCES, "file-permission");
    unlink(path);
  }
}

static int closed;
static void count_closing(void *state) {
  (void)state;
  closed++;
}
static anorank_status read_nothing(void *state, void *buffer, size_t size, size_t *got, anorank_error *err) {
  (void)state, (void)buffer, (void)size, (void)err;
  *got = 0;
  return ANORANK_OK;
}

TEST(a_callback_is_closed_once_also_when_memory_fails) {
  ank_source *source;
  anorank_error err = {0};
  for (size_t k = 1; k <= 3; k++) {
    closed = 0;
    ank_alloc_fail_at(k);
    anorank_status status = ank_source_from_callback(&source, "x", read_nothing, count_closing, NULL, &err);
    ank_alloc_fail_at(0);
    assert_int_equal(status, k == 3 ? ANORANK_OK : ANORANK_ERROR_RESOURCES);
    ank_source_free(source);
    assert_int_equal(closed, 1);
  }
}

TEST(every_failing_allocation_ends_cleanly) {
  for (size_t p = 0; p < 2; p++) {
    size_t made = packers[p](packed, sizeof packed, content, 3000);
    anorank_error err = {0};
    ank_alloc_fail_at(0);
    assert_ok(drain(packed, made, &err));
    size_t requests = ank_alloc_fail_at(0);
    assert_true(requests > 3);
    for (size_t k = 1; k <= requests; k++) {
      ank_alloc_fail_at(k);
      anorank_status status = drain(packed, made, &err);
      ank_alloc_fail_at(0);
      assert_int_equal(status, ANORANK_ERROR_RESOURCES);
    }
  }
}

TEST_GROUP(make_content, free_content)
