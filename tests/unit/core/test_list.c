/* Lists of names: commas within a name, blanks, empty items. */
#include "core/list.h"
#include "support/check.h"

/* The items without their backslashes, each in brackets. */
static const char *items_of(const char *list) {
  static char text[256];
  const char *item;
  size_t length, used = 0;
  while (ank_list_next(&list, &item, &length)) {
    text[used++] = '[';
    used += ank_list_decode(text + used, item, length);
    text[used++] = ']';
  }
  text[used] = '\0';
  return text;
}

TEST(items_end_at_commas_and_lose_their_blanks) {
  assert_string_equal(items_of(""), "");
  assert_string_equal(items_of(" , ,\t"), "");
  assert_string_equal(items_of("a"), "[a]");
  assert_string_equal(items_of(" a b ,c,, d\t"), "[a b][c][d]");
}

TEST(a_backslash_makes_a_comma_part_of_an_item) {
  assert_string_equal(items_of("a\\,b,c"), "[a,b][c]");
  assert_string_equal(items_of("a\\\\,b"), "[a\\][b]");
  assert_string_equal(items_of("\\=a,b=c"), "[=a][b=c]");
  assert_string_equal(items_of("C:\\x,y\\"), "[C:\\x][y\\]");
}

TEST(an_encoded_name_is_one_item_that_decodes_to_it) {
  static const char *const names[] = {"a", "a,b", ",", "a\\", "\\,", "=x", "a=b", "\\\\", "a\\b,"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char list[64] = "first,", wanted[64];
    size_t length = strlen(names[i]);
    list[6 + ank_list_encode(list + 6, names[i], length)] = '\0';
    snprintf(wanted, sizeof wanted, "[first][%s]", names[i]);
    assert_string_equal(items_of(list), wanted);
    assert_true(ank_list_has(list, names[i], length));
    assert_false(ank_list_has(list, "firs", 4));
    assert_false(ank_list_has(list, "first,", 6));
  }
}
