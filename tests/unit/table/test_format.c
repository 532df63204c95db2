/* The registry of formats: each description is true, and everything that lists formats has them all. */
#include "support/formats.h"
#include "table/format.h"

TEST(the_setting_has_every_format_that_is_read) {
  const anorank_format *format;
  char expected[256] = "auto";
  for (size_t i = 0; (format = anorank_format_at(i)) != NULL; i++) {
    anorank_settings settings = settings_for(ANK_FORMAT_auto);
    strcat(strcat(expected, "|"), format->name);
    assert_ok(anorank_settings_set(&settings, "input-format", format->name, NULL));
    assert_int_equal(settings.format, i + 1);
    assert_ptr_equal(&ank_format_at(i)->info, format);
  }
  assert_string_equal(anorank_setting_find("input-format")->choices, expected);
  assert_null(anorank_format_at(99));
}

TEST(formats_state_their_abilities) {
  const ank_format *format;
  for (size_t i = 0; (format = ank_format_at(i)) != NULL; i++) {
    assert_ptr_equal(ank_format_named(format->info.name), format);
    assert_int_equal(format->info.reads, format->reader != NULL);
    assert_int_equal(format->info.writes, format->writer != NULL);
    assert_true(format->info.help[0] && format->info.endings[0] == '.');
    char path[64];
    snprintf(path, sizeof path, "x%.*s", (int)strcspn(format->info.endings, " "), format->info.endings);
    assert_ptr_equal(ank_format_ending(path, strlen(path)), format);
    if (format->reader) assert_ptr_equal(ank_format_of((const unsigned char *)"", 0, path), format);
  }
  assert_null(ank_format_named("auto"));
  assert_null(ank_format_ending(".csv", 4));
}

TEST(a_format_recognises_and_reads_its_output) {
  const double cells[] = {1, 2.5, -3, 4, 5e-7, 6};
  const ank_format *format;
  anorank_table *table;
  assert_ok(anorank_table_from_matrix(&table, cells, 3, 2, 2, 1, NULL, NULL));
  for (size_t i = 0; (format = ank_format_at(i)) != NULL; i++) {
    if (!format->writer || !format->reader) continue;
    assert_ok(anorank_table_write(table, ANORANK_TO_FILE(scratch("any")), format->info.name, NULL));
    anorank_settings settings = settings_for((int32_t)i + 1);
    for (int known = 0; known < 2; known++) {
      scoped_table *again;
      if (!known && format->delimiter == '\t') settings.format = ANK_FORMAT_auto; /* CSV finds the tabs */
      if (known && format->recognise) settings.format = ANK_FORMAT_auto;
      assert_ok(anorank_table_read(&again, ANORANK_FROM_FILE(scratch("any")), &settings, NULL));
      assert_same_table(table, again);
    }
  }
  assert_int_equal(unlink(scratch("any")), 0);
  anorank_table_free(table);
}

TEST(content_comes_before_the_ending) {
  static const struct {
    const char *bytes, *path, *format;
  } cases[] = {
      {"{\"a\":1}\n", "x", "jsonl"}, {" [1,2]\n", "x", "jsonl"},      {"[{\"a\":1}]", "x.csv", "jsonl"},
      {"a,b\n1,2\n", "x", "csv"},    {"{x},y\n", "x", "csv"},         {"", "x.jsonl", "jsonl"},
      {"", "x.ndjson.gz", "jsonl"},  {"[a],b\n", "x", "csv"},         {"", "x", "csv"},
      {"a\tb", "X.TSV", "tsv"},      {"\x93NUMPY", "x.tab", "npy"},   {"PK\x03\x04", "x", "npz"},
      {"a,b", "x.unknown", "csv"},   {"{\"a\":1}", "x.tsv", "jsonl"}, {"1,2", "jsonl", "csv"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    assert_string_equal(
        ank_format_of((const unsigned char *)cases[k].bytes, strlen(cases[k].bytes), cases[k].path)
            ->info.name,
        cases[k].format);
}

TEST_GROUP(make_scratch, remove_scratch)
