/* Model bytes: what is put comes back, the layout is little-endian, and no damaged byte is trusted. */
#include "core/alloc.h"
#include "support/check.h"

static const double doubles[] = {0.0, -0.0, 1.5, -INFINITY, 5e-324};
static const float floats[] = {1.0F, -2.5F};
static const uint32_t words[] = {0, 0xFFFFFFFFU, 7};

static anorank_status put_all(ank_bytes *bytes, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ANK_TRY(ank_bytes_put_u64(bytes, 0x0102030405060708U, err));
  ANK_TRY(ank_bytes_put_f64(bytes, -1.25, err));
  ANK_TRY(ank_bytes_put_f64s(bytes, doubles, 5, err));
  ANK_TRY(ank_bytes_put_f32s(bytes, floats, 2, err));
  ANK_TRY(ank_bytes_put_u32s(bytes, words, 3, err));
  ANK_TRY(ank_bytes_put_text(bytes, "text", err));
done:
  return status;
}

typedef struct {
  uint64_t word;
  double number, *f64s;
  float *f32s;
  uint32_t *u32s;
  char *text;
  size_t f64_count, f32_count, u32_count;
} content;

static void content_free(content *c) {
  ank_free(c->f64s);
  ank_free(c->f32s);
  ank_free(c->u32s);
  ank_free(c->text);
}

static anorank_status take_all(content *c, ank_cursor *cursor, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *c = (content){0};
  ANK_TRY(ank_cursor_u64(cursor, &c->word, err));
  ANK_TRY(ank_cursor_f64(cursor, &c->number, err));
  ANK_TRY(ank_cursor_f64s(cursor, &c->f64s, &c->f64_count, err));
  ANK_TRY(ank_cursor_f32s(cursor, &c->f32s, &c->f32_count, err));
  ANK_TRY(ank_cursor_u32s(cursor, &c->u32s, &c->u32_count, err));
  ANK_TRY(ank_cursor_text(cursor, &c->text, err));
  ANK_TRY(ank_cursor_end(cursor, err));
done:
  return status;
}

TEST(written_values_read_back) {
  scoped_bytes bytes = {0};
  content c;
  assert_ok(put_all(&bytes, NULL));
  ank_cursor cursor = {bytes.data, bytes.length, 0};
  assert_ok(take_all(&c, &cursor, NULL));
  assert_true(c.word == 0x0102030405060708U && c.number == -1.25);
  assert_int_equal(c.f64_count, 5);
  assert_memory_equal(c.f64s, doubles, sizeof doubles);
  assert_memory_equal(c.f32s, floats, sizeof floats);
  assert_memory_equal(c.u32s, words, sizeof words);
  assert_string_equal(c.text, "text");
  content_free(&c);
}

TEST(the_layout_is_little_endian) {
  scoped_bytes bytes = {0};
  assert_ok(put_all(&bytes, NULL));
  const unsigned char first[] = {8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0xF4, 0xBF, 5, 0};
  assert_memory_equal(bytes.data, first, sizeof first);
}

TEST(every_truncation_is_an_error_of_the_model) {
  scoped_bytes bytes = {0};
  assert_ok(put_all(&bytes, NULL));
  for (size_t length = 0; length < bytes.length; length++) {
    content c;
    anorank_error err = {0};
    ank_cursor cursor = {bytes.data, length, 0};
    assert_fails(take_all(&c, &cursor, &err), ANORANK_ERROR_MODEL, "model-cut-short");
    content_free(&c);
  }
}

TEST(lying_counts_and_left_over_bytes_are_refused) {
  scoped_bytes bytes = {0};
  double *values;
  size_t count;
  char *text;
  assert_ok(ank_bytes_put_u64(&bytes, UINT64_MAX / 8 + 2, NULL));
  ank_cursor cursor = {bytes.data, bytes.length, 0};
  assert_status(ank_cursor_f64s(&cursor, &values, &count, NULL), ANORANK_ERROR_MODEL);
  assert_null(values);
  cursor.at = 0;
  assert_status(ank_cursor_text(&cursor, &text, NULL), ANORANK_ERROR_MODEL);
  cursor.at = 0;
  assert_status(ank_cursor_size(&cursor, &count, 1, 10, "a thing", NULL), ANORANK_ERROR_MODEL);
  cursor.at = 4;
  assert_status(ank_cursor_end(&cursor, NULL), ANORANK_ERROR_MODEL);
}

TEST(each_failing_allocation_is_survived) {
  for (size_t k = 1; k < 50; k++) {
    ank_bytes bytes = {0};
    content c = {0};
    (void)ank_alloc_fail_at(k);
    anorank_status status = put_all(&bytes, NULL);
    ank_cursor cursor = {bytes.data, bytes.length, 0};
    if (status == ANORANK_OK) status = take_all(&c, &cursor, NULL);
    size_t made = ank_alloc_fail_at(0);
    content_free(&c);
    ank_bytes_free(&bytes);
    if (made < k) {
      assert_ok(status);
      return;
    }
    assert_status(status, ANORANK_ERROR_RESOURCES);
  }
  fail();
}
