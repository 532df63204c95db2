/* test_files_page.c - docs/files.md: how anorank interprets numbers, dates, flags, gaps and layouts.
 *
 * The test reads every row of the page, checks values and note codes, and compares the generated page with the
 * committed one. ANORANK_PAGE=FILE writes the page instead. */
#include "support/check.h"
#include "table/table.h"

#include <iconv.h>

/* A column of cells, separated by '|', in a file of two columns; the value of the first cell. */
typedef struct cell_case {
  const char *cells, *becomes;
  char delimiter; /* 0: a semicolon */
} cell_case;

static const cell_case numbers[] = {
    {"1234.56|7.5", "1234.56", 0},
    {"1234,56|7,5", "1234.56", 0},
    {"1.234,56|7,50", "1234.56", 0},
    {"1.234.567,8|7,5", "1234567.8", 0},
    {"1,234.56|7.50", "1234.56", ','},
    {"5,000,000|7", "5000000", ','},
    {"12,34,567.5|7", "1234567.5", ','},
    {"1 234,56|7,50", "1234.56", 0},
    {"1\u00A0234,56|7,50", "1234.56", 0},
    {"1\u202F234,56|7,50", "1234.56", 0},
    {"1'234.56|7.50", "1234.56", 0},
    {"1\u2019234.56|7.50", "1234.56", 0},
    {"$5,000,000|$7", "5000000", ','},
    {"$1,234.56|$7.00", "1234.56", ','},
    {"1.234,56 €|7,00 €", "1234.56", 0},
    {"€ 1.234,56|€ 7,00", "1234.56", 0},
    {"EUR 12.50|EUR 7.25", "12.5", 0},
    {"12.50 CHF|7.25 CHF", "12.5", 0},
    {"CHF 12.-|CHF 7.50", "12", 0},
    {"-$5.00|$7.00", "-5", 0},
    {"($5.00)|$7.00", "-5", 0},
    {"(1,234.50)|7.00", "-1234.5", ','},
    {"5,00-|7,00", "-5", 0},
    {"\u22125,5|7,5", "-5.5", 0},
    {"\uFF0D5,5|7,5", "-5.5", 0},
    {"+5,5|7,5", "5.5", 0},
    {"12 %|7 %", "0.12", 0},
    {"12.3%|7.5%", "0.123", 0},
    {"1,5e3|2,5", "1500", 0},
    {"1e3|2", "1000", 0},
    {"0,48|0,5", "0.48", 0},
    {".5|.25", "0.5", 0},
    {"12 kg|7 kg", "12", 0},
    {"37.2 °C|36.9 °C", "37.2", 0},
    {"\uFF11\uFF12\uFF13|\uFF17", "123", 0},
    {"￥1,200|￥700", "1200", ','},
    {" 7 |8", "7", 0},
    {"inf|8|9", "inf", 0},
    {"1.234|5.678", "1.234", 0},
    {"1,234|5,678", "1.234", 0},
    {"1,234|5,678", "1234", ','},
    {"0.123|1.234", "0.123", 0},
    {"$5|€5", "text '$5'", 0},
    {"1.234,56|1,234.56", "text '1.234,56'", 0},
    {"12A|7B|9C", "text '12A'", 0},
    {"01067|80331", "1067", 0},
    {"90071992547409931|90071992547409933", "text '90071992547409931'", 0},
    {"-9007199254740993|-9007199254740994", "text '-9007199254740993'", 0},
    {"1712345678901234567|1712345678901234999", "text '1712345678901234567'", 0},
    {"1712345678901234000|1712345678901235000", "1.712345678901234e18", 0},
    {"1.5K|900|2.3M", "1500", 0},
    {"$1.5M|$900", "1500000", 0},
    {"3,2 Mio. €|900 €", "3200000", 0},
    {"3 MB|512 kB|1 GiB", "3000000", 0},
    {"1.5 GiB|512 kB", "1610612736", 0},
    {"2 min|90 s|250 ms", "120", 0},
    {"1.2 kg|700 g", "1200", 0},
    {"7.00 CR|12.50 DR", "-7", 0},
    {"7.00 CR|12.50", "-7", 0},
    {"$7.00 CR|$12.50", "-7", 0},
    {"7.00 DR|12.50", "text '7.00 DR'", 0},
    {"12 kg|7", "text '12 kg'", 0},
    {"12 kg|7 MB", "text '12 kg'", 0},
    {"\u0661\u0662\u066B\u0665|\u0667", "12.5", 0},
    {"\u06F1\u06F2\u066C\u06F0\u06F0\u06F0\u066B\u06F5|\u06F7", "12000.5", 0},
    {"\u0967\u0968|\u096D", "12", 0},
};

static const cell_case moments[] = {
    {"2025-12-31|2025-01-02", "time 2025-12-31", 0},
    {"2025/12/31|2025/1/2", "time 2025-12-31", 0},
    {"2025-12-31T23:59:59Z|2025-01-02T00:00:00Z", "time 2025-12-31T23:59:59Z", 0},
    {"2025-12-31T23:59:59+01:00|2025-01-02T00:00:00+01:00", "time 2025-12-31T22:59:59Z", 0},
    {"2025-12-31 23:59:59.250|2025-01-02 00:00:00.000", "time 2025-12-31T23:59:59.250Z", 0},
    {"20251231T235959Z|20250102T000000Z", "time 2025-12-31T23:59:59Z", 0},
    {"31.12.2025|2.1.2025", "time 2025-12-31", 0},
    {"31.12.2025 23:59|02.01.2025 00:00", "time 2025-12-31T23:59:00Z", 0},
    {"31.12.25|02.01.25", "time 2025-12-31", 0},
    {"31/12/2025|02/01/2025", "time 2025-12-31", 0},
    {"12/31/2025|1/2/2025", "time 2025-12-31", 0},
    {"12/31/2025 11:59 PM|1/2/2025 12:00 AM", "time 2025-12-31T23:59:00Z", 0},
    {"01/02/2025|03/04/2025", "time 2025-01-02", ','},
    {"01/02/2025|03/04/2025", "time 2025-02-01", 0},
    {"31-12-2025|02-01-2025", "time 2025-12-31", 0},
    {"31 Dec 2025|2 Jan 2025", "time 2025-12-31", 0},
    {"Dec 31, 2025|Jan 2, 2025", "time 2025-12-31", 0},
    {"31. Dezember 2025|2. Januar 2025", "time 2025-12-31", 0},
    {"2025年12月31日|2025年1月2日", "time 2025-12-31", 0},
    {"20251231|20250102|20250103|20250104", "time 2025-12-31", 0},
    {"20251231235959|20250102000000|20250103120000|20250104120000", "time 2025-12-31T23:59:59Z", 0},
    {"20251231|20250102|20251332|20250104", "20251231", 0},
    {"23:59|00:00", "time 1970-01-01T23:59:00Z", 0},
    {"11:59 pm|12:00 am", "time 1970-01-01T23:59:00Z", 0},
    {"29:30:15|7:00:00", "106215", 0},
    {"125:30|-0:15", "451800", 0},
    {"25:61|26:70", "text '25:61'", 0},
    {"2025-13-45|2025-14-46", "text '2025-13-45'", 0},
    {"10.0.0.1|10.0.0.2", "text '10.0.0.1'", 0},
    {"1767225599|1767225600", "1767225599", 0},
};

static const cell_case flags_and_gaps[] = {
    {"yes|no", "text 'yes'", 0},
    {"TRUE|FALSE", "text 'TRUE'", 0},
    {"t|f", "text 't'", 0},
    {"ja|nein", "text 'ja'", 0},
    {"1|yes|0|N", "text '1'", 0},
    {"oui|non", "text 'oui'", 0},
    {"1|0", "1", 0},
    {"  red |red", "text 'red'", 0},
    {"|7", "no value", 0},
    {"NA|7", "no value", 0},
    {"n/a|7", "no value", 0},
    {"NULL|7", "no value", 0},
    {"?|7", "no value", 0},
    {"#N/A|7", "no value", 0},
    {"#DIV/0!|7", "no value", 0},
    {"-|7|8", "no value", 0},
    {"—|7|8", "no value", 0},
    {"n.a.|7|8", "no value", 0},
    {"k.A.|7,5|8,5", "no value", 0},
    {"unknown|2025-01-02|2025-01-03", "no value", 0},
    {"-|red|blue", "text '-'", 0},
};

/* A whole file: names with the kind (n, c, t), then rows; and the codes of its notes. */
typedef struct layout_case {
  const char *what, *name;
  const char *bytes;
  size_t length; /* 0: up to the NUL */
  const char *becomes, *codes;
} layout_case;

static const layout_case layouts[] = {
    {"commas", "t.csv", "a,b\n1,2\n", 0, "a:n b:n | 1 2", ""},
    {"semicolons and decimal commas", "t.csv", "a;b\n1,5;2\n", 0, "a:n b:n | 1.5 2", "column-number-format"},
    {"tabs", "t.csv", "a\tb\n1\t2\n", 0, "a:n b:n | 1 2", ""},
    {"bars", "t.csv", "a|b\n1|2\n", 0, "a:n b:n | 1 2", ""},
    {"blanks", "t.txt", "a  b\n1  2\n", 0, "a:n b:n | 1 2", ""},
    {"Excel's first line `sep=;`", "t.csv", "sep=;\na;b\n1;2\n", 0, "a:n b:n | 1 2", ""},
    {"no names", "t.csv", "1,2\n3,4\n", 0, "x1:n x2:n | 1 2 | 3 4", ""},
    {"texts alone: names are a guess", "t.csv", "who,what\nann,x\nbob,y\n", 0, "who:c what:c | ann x | bob y",
     "csv-header-found"},
    {"a first line whose texts come again", "t.csv", "ann,f\nbob,m\neve,f\n", 0,
     "x1:c x2:c | ann f | bob m | eve f", "csv-header-absent"},
    {"the same name twice", "t.csv", "a,b,a\n1,2,3\n", 0, "a:n b:n a_2:n | 1 2 3", "csv-duplicate-names"},
    {"titles above the table", "t.csv", "Report of May;;\n\nname;x;y\nann;1;2\nbob;3;4\n", 0,
     "name:c x:n y:n | ann 1 2 | bob 3 4", "csv-skipped-lines"},
    {"titles filled up with empty cells", "t.csv",
     "Statement;;;\nIBAN;DE12 3456;;\nday;text;amount;balance\n01.02.2025;a;1,5;2\n02.02.2025;b;-9,0;3\n", 0,
     "day:t text:c amount:n balance:n | 2025-02-01 a 1.5 2 | 2025-02-02 b -9 3",
     "csv-skipped-lines column-number-format column-number-format"},
    {"units below the names", "t.csv", "t,heat\ns,°C\n1,2\n3,4\n5,6\n7,8\n", 0,
     "t:n heat:n | 1 2 | 3 4 | 5 6 | 7 8", "csv-units-line"},
    {"a delimiter at the end of the rows", "t.csv", "a,b\n1,2,\n3,4,\n", 0, "a:n b:n | 1 2 | 3 4", ""},
    {"the names again further down", "t.csv", "a,b\n1,2\na,b\n3,4\n", 0, "a:n b:n | 1 2 | 3 4",
     "csv-header-again"},
    {"UTF-8 with a mark", "t.csv",
     "\xEF\xBB\xBF"
     "a,b\n1,2\n",
     0, "a:n b:n | 1 2", ""},
    {"UTF-16 with a mark", "t.csv",
     "\xFF\xFE"
     "a\0,\0b\0\n\0\x31\0,\0\x32\0\n\0",
     18, "a:n b:n | 1 2", ""},
    {"UTF-16 without", "t.csv", "a\0,\0b\0\n\0\x31\0,\0\x32\0\n\0", 16, "a:n b:n | 1 2", "encoding-guessed"},
    {"UTF-32 with a mark", "t.csv", "\xFF\xFE\0\0a\0\0\0\n\0\0\0\x31\0\0\0\n\0\0\0", 20, "a:n | 1", ""},
    {"UTF-32 without", "t.csv", "a\0\0\0,\0\0\0b\0\0\0\n\0\0\0\x31\0\0\0,\0\0\0\x32\0\0\0\n\0\0\0", 32,
     "a:n b:n | 1 2", "encoding-guessed"},
    {"Windows-1252", "t.csv", "a,b\n1,M\xFCller\n2,5\x80\n", 0, "a:n b:c | 1 Müller | 2 5€",
     "encoding-guessed"},
    {"Shift-JIS", "t.csv", "a,\x8B\xE0\x8A\x7A\n1,2\n", 0, "a:n 金額:n | 1 2", "encoding-guessed"},
    {"JSON lines", "t.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"a\":2}\n", 0, "a:n b:c | 1 x | 2 _", ""},
    {"a JSON array", "t.json", "[\n {\"a\": 1},\n {\"a\": 2}\n]\n", 0, "a:n | 1 | 2", ""},
    {"JSON records over several lines", "t.json", "{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n", 0, "a:n | 1 | 2", ""},
    {"an object within an object", "t.json", "[{\"a\":{\"b\":1,\"c\":\"x\"}}]", 0, "a.b:n a.c:c | 1 x", ""},
    {"numbers as texts in JSON", "t.json", "[{\"a\":\"1.234,50\"},{\"a\":\"2,50\"}]", 0, "a:n | 1234.5 | 2.5",
     "column-number-format"},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- reading ----------------------------------------------------------------------------------------- */

static anorank_table *read_named(const char *bytes, size_t length, const char *name) {
  anorank_table *table;
  anorank_error err = {0};
  if (anorank_table_read(&table, ANORANK_FROM_MEMORY(bytes, length, name), NULL, &err) != ANORANK_OK)
    fail_msg("%s", err.message);
  return table;
}

static void describe_cell(char *out, size_t size, const anorank_table *table, size_t column, size_t row) {
  char text[128];
  size_t length = anorank_table_text(table, column, row, text, sizeof text);
  anorank_kind kind = anorank_table_kind(table, column);
  if (length == 0)
    snprintf(out, size, "no value");
  else if (kind == ANORANK_CATEGORICAL)
    snprintf(out, size, "text '%s'", text);
  else
    snprintf(out, size, "%s%s", kind == ANORANK_TIME ? "time " : "", text);
}

static void join_notes(char *out, size_t size, const anorank_table *table) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < anorank_notes_count(&table->notes) && used < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "; " : "",
                             anorank_notes_at(&table->notes, i)->text);
}

static void join_codes(char *out, size_t size, const anorank_table *table) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < anorank_notes_count(&table->notes) && used < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "",
                             anorank_notes_at(&table->notes, i)->code);
}

static void read_case(char *becomes, char *notes, size_t size, const cell_case *one) {
  char file[1024], copy[512], delimiter = one->delimiter ? one->delimiter : ';', *save;
  size_t used = (size_t)snprintf(file, sizeof file, "k%cx\n", delimiter);
  snprintf(copy, sizeof copy, "%s", one->cells);
  if (copy[0] == '|') used += (size_t)snprintf(file + used, sizeof file - used, "r%c\n", delimiter);
  for (char *cell = strtok_r(copy, "|", &save); cell; cell = strtok_r(NULL, "|", &save))
    used +=
        (size_t)snprintf(file + used, sizeof file - used, delimiter == ',' ? "r,\"%s\"\n" : "r;%s\n", cell);
  scoped_table *table = read_named(file, used, "t.csv");
  describe_cell(becomes, size, table, 1, 0);
  join_notes(notes, size, table);
}

static void describe_table(char *out, size_t size, const anorank_table *table) {
  static const char kinds[] = "nct";
  size_t used = 0;
  for (size_t j = 0; j < anorank_table_columns(table); j++)
    used += (size_t)snprintf(out + used, size - used, "%s%s:%c", j ? " " : "", anorank_table_name(table, j),
                             kinds[anorank_table_kind(table, j)]);
  for (size_t i = 0; i < anorank_table_rows(table); i++) {
    used += (size_t)snprintf(out + used, size - used, " |");
    for (size_t j = 0; j < anorank_table_columns(table); j++) {
      char text[64];
      size_t length = anorank_table_text(table, j, i, text, sizeof text);
      used += (size_t)snprintf(out + used, size - used, " %s", length ? text : "_");
    }
  }
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static char page[65536];
static size_t page_used;
static size_t page_rows;

#define PUT(...) page_used += (size_t)snprintf(page + page_used, sizeof page - page_used, __VA_ARGS__)

/* A bar or a newline within a cell of a table. */
static void put_code(const char *text) {
  PUT("`");
  for (; *text; text++) {
    if (*text == '|')
      PUT("` `");
    else if (*text == '\n')
      PUT("⏎");
    else
      PUT("%c", *text);
  }
  PUT("`");
}

static int wrong;
static int page_is_ours = 1;

static int knows_encoding(const char *name) {
  iconv_t known = iconv_open("UTF-8", name);
  return known != (iconv_t)-1 && iconv_close(known) == 0;
}

static void compare(const char *what, const char *is, const char *must) {
  if (strcmp(is, must) == 0) return;
  print_error("%s: \"%s\", not \"%s\"\n", what, is, must);
  wrong++;
}

static void expect_not_supported(const char *bytes, size_t length, const char *name) {
  anorank_error err = {0};
  anorank_table *none;
  assert_fails(anorank_table_read(&none, ANORANK_FROM_MEMORY(bytes, length, name), NULL, &err),
               ANORANK_ERROR_DATA, "encoding-not-supported");
}

static void check_cells(const char *title, const cell_case *cases, size_t count) {
  PUT("\n## %s\n\nCells of one column, and the value of the first. Semicolons separate cells unless\n"
      "the row says otherwise.\n\n"
      "| cells | value | notes |\n|---|---|---|\n",
      title);
  for (size_t i = 0; i < count; i++, page_rows++) {
    char becomes[512], notes[512];
    read_case(becomes, notes, sizeof becomes, &cases[i]);
    compare(cases[i].cells, becomes, cases[i].becomes);
    PUT("| ");
    put_code(cases[i].cells[0] == '|' ? " |7" : cases[i].cells);
    PUT("%s | %s | %s |\n", cases[i].delimiter ? ", in quotes, commas between cells" : "", becomes, notes);
  }
}

TEST(every_row_of_the_page_is_true) {
  char becomes[1024], notes[1024], codes[256];
  PUT("# Files: how anorank reads numbers, dates and layouts\n\n"
      "You want to know how anorank reads a cell or a file.\n"
      "\n"
      "anorank reads CSV, TSV, Excel workbooks, JSON lines and arrays, NPY and NPZ, plain or with gzip or\n"
      "zstd. `-` is standard input. It detects delimiter, header, encoding, decimal marks and dates, and\n"
      "notes what it assumed.\n"
      "\n"
      "These settings override it: `decimal`, `thousands`, `date-order`, `missing`, `header`,\n"
      "`skip-lines`, `encoding` and `sheet` ([settings.md](settings.md)). A cell that does not fit its\n"
      "column is an error with file, line and column.\n"
      "\n"
      "```sh\n"
      "for i in 1 2 3 4 5 6 7 8; do echo \"0$i.05.2026;1.00$i,50\"; done >rows.csv\n"
      "(echo 'day;amount'; cat rows.csv) >bank.csv\n"
      "anorank detect bank.csv -v\n"
      "```\n"
      "`tests/unit/table/test_files_page.c` reads every row below and writes this page.\n");
  check_cells("Numbers", numbers, COUNT(numbers));
  check_cells("Dates and times", moments, COUNT(moments));
  check_cells("Flags, texts and gaps", flags_and_gaps, COUNT(flags_and_gaps));
  PUT("\n## Layouts and encodings\n\nn: numbers, c: categories, t: times; _ is a missing cell.\n\n"
      "| file | value | notes |\n|---|---|---|\n");
  for (size_t i = 0; i < COUNT(layouts); i++, page_rows++) {
    const layout_case *one = &layouts[i];
    size_t length = one->length ? one->length : strlen(one->bytes);
    if (strcmp(one->what, "Shift-JIS") == 0 && !knows_encoding("CP932")) {
      page_is_ours = 0; /* its note names the encoding that iconv knows */
      if (!knows_encoding("SHIFT_JIS")) {
        expect_not_supported(one->bytes, length, one->name);
        continue;
      }
    }
    anorank_table *table = read_named(one->bytes, length, one->name);
    describe_table(becomes, sizeof becomes, table);
    join_notes(notes, sizeof notes, table);
    join_codes(codes, sizeof codes, table);
    anorank_table_free(table);
    compare(one->what, becomes, one->becomes);
    compare(one->what, codes, one->codes);
    PUT("| %s | ", one->what);
    put_code(becomes);
    PUT(" | %s |\n", notes);
  }
  assert_int_equal(wrong, 0);
  assert_true(page_rows >= 60);
  assert_true(page_used < sizeof page);
}

TEST(the_committed_page_is_up_to_date) {
  static char committed[sizeof page];
  const char *to = getenv("ANORANK_PAGE");
  if (!page_is_ours) skip();
  FILE *file = fopen(to ? to : TEST_DATA "/../../docs/files.md", to ? "w" : "r");
  assert_non_null(file);
  if (to) {
    assert_int_equal(fwrite(page, 1, page_used, file), page_used);
  } else {
    size_t length = fread(committed, 1, sizeof committed, file);
    if (length != page_used || memcmp(committed, page, length) != 0)
      fail_msg("%s", "docs/files.md is out of date: run this test with ANORANK_PAGE=docs/files.md");
  }
  assert_int_equal(fclose(file), 0);
}
