/* column_names.c - guesses from the name of a column; see prepare_parts.h. To recognise one more word, add it to a
 * list. */
#include <string.h>

#include "prepare/prepare_parts.h"

#define MOST_LETTERS 64

static int is_lower(char c) { return c >= 'a' && c <= 'z'; }
static int is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_one_of(const char *word, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, list[i]) == 0) return 1;
  return 0;
}

#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof(list)[0])

/* The letters and digits of the name in lower case, words separated by single blanks: "isFraud" is "is
 * fraud". */
static void words_of(char out[MOST_LETTERS], const char *name) {
  size_t used = 0;
  char before = ' ';
  for (; *name && used + 2 < MOST_LETTERS; before = *name++) {
    int letter = is_lower(*name) || is_upper(*name) || is_digit(*name) || (unsigned char)*name >= 0x80;
    int new_word = !letter || (is_upper(*name) && is_lower(before));
    if (new_word && used > 0 && out[used - 1] != ' ') out[used++] = ' ';
    if (letter) out[used++] = is_upper(*name) ? (char)(*name - 'A' + 'a') : *name;
  }
  while (used > 0 && out[used - 1] == ' ') used--;
  out[used] = '\0';
}

static int has_word(const char *name, const char *const *list, size_t count) {
  char words[MOST_LETTERS];
  words_of(words, name);
  for (char *word = words, *next; word; word = next) {
    next = strchr(word, ' ');
    if (next) *next++ = '\0';
    if (is_one_of(word, list, count)) return 1;
  }
  return 0;
}

#define HAS_WORD(name, list) has_word(name, list, sizeof(list) / sizeof(list)[0])

/* Whether the name has a word of `some`, and otherwise only words of `some` and `beside`. */
static int only_words(const char *name, const char *const *some, size_t some_count, const char *const *beside,
                      size_t beside_count) {
  char words[MOST_LETTERS];
  int found = 0;
  words_of(words, name);
  for (char *word = words, *next; word; word = next) {
    next = strchr(word, ' ');
    if (next) *next++ = '\0';
    int known = is_one_of(word, some, some_count);
    if (!known && !is_digit(*word) && !is_one_of(word, beside, beside_count)) return 0;
    found |= known;
  }
  return found;
}

ank_label_hint ank_name_says_label(const char *name) {
  static const char *const labels[] = {
      "label",       "labels",      "target",        "class",       "fraud",   "anomaly",   "anomalies",
      "anomalous",   "outlier",     "outliers",      "y",           "y true",  "truth",     "ground truth",
      "groundtruth", "fraudulent",  "abnormal",      "attack",      "isfraud", "isanomaly", "isoutlier",
      "fraud flag",  "fraud label", "anomaly label", "class label", "betrug",  "fraude"};
  /* Counts and scores of anomalies, and those before this row, are measurements. */
  static const char *const measures[] = {
      "count",    "counts", "num",      "number",   "no",         "n",        "nr",      "score",
      "rate",     "ratio",  "prob",     "amount",   "sum",        "total",    "since",   "days",
      "hours",    "time",   "duration", "last",     "prev",       "previous", "prior",   "past",
      "mean",     "avg",    "max",      "min",      "percent",    "pct",      "history", "attacks",
      "failures", "faults", "frauds",   "defaults", "probability"};
  static const char *const parts[] = {"fraud",  "anomal",    "outlier",   "abnormal",
                                      "attack", "intrusion", "malicious", "failure"};
  static const char *const words_for_it[] = {"fault",  "faulty",  "isfault", "label", "labels",
                                             "target", "targets", "outcome", "truth", "defective"};
  /* "first class" and "default address" are no labels; "true class" and "default next month" are. */
  static const char *const weak[] = {"class", "default", "defaulted", "isdefault"};
  static const char *const beside[] = {"is",     "has",  "y",      "true",    "actual", "binary", "flag",
                                       "status", "loan", "credit", "payment", "next",   "month",  "will",
                                       "on",     "id",   "code",   "value",   "gt"};
  char words[MOST_LETTERS];
  words_of(words, name);
  if (IS_ONE_OF(strncmp(words, "is ", 3) == 0 ? words + 3 : words, labels)) return ANK_NAME_SURELY_LABEL;
  if (HAS_WORD(name, measures)) return ANK_NAME_NO_LABEL;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strstr(words, parts[i])) return ANK_NAME_PERHAPS_LABEL;
  if (HAS_WORD(name, words_for_it) ||
      only_words(name, weak, sizeof weak / sizeof weak[0], beside, sizeof beside / sizeof beside[0]))
    return ANK_NAME_PERHAPS_LABEL;
  return ANK_NAME_NO_LABEL;
}

ank_name_hint ank_name_says_id(const char *name) {
  static const char *const sure[] = {"id",         "ids",     "uuid",  "guid", "key",
                                     "identifier", "kennung", "rowid", "pk"};
  static const char *const perhaps[] = {"nr",     "no",     "num",    "number", "nummer",    "numero",
                                        "index",  "idx",    "serial", "ref",    "reference", "row",
                                        "rownum", "record", "case",   "code"};
  static const char *const whole[] = {"customerid", "userid",    "accountid",    "clientid",  "orderid",
                                      "invoiceid",  "sessionid", "deviceid",     "patientid", "personid",
                                      "productid",  "itemid",    "recordid",     "memberid",  "tripid",
                                      "eventid",    "cardid",    "transactionid"};
  char words[MOST_LETTERS];
  words_of(words, name);
  if (strcmp(name, "#") == 0 || strcmp(name, "Unnamed: 0") == 0) return ANK_NAME_SURELY_ID;
  const char *last = strrchr(words, ' ');
  size_t first = strcspn(words, " ");
  last = last ? last + 1 : words;
  if (IS_ONE_OF(last, sure) || IS_ONE_OF(words, whole) || (first == 2 && strncmp(words, "id", 2) == 0))
    return ANK_NAME_SURELY_ID;
  return IS_ONE_OF(last, perhaps) ? ANK_NAME_PERHAPS_ID : ANK_NAME_PLAIN;
}

int ank_name_says_calendar(const char *name) {
  static const char *const parts[] = {"hour", "minute", "weekday", "day",     "dow",
                                      "week", "month",  "year",    "quarter", "season"};
  return HAS_WORD(name, parts);
}

int ank_name_says_time(const char *name) {
  static const char *const times[] = {"time",  "ts",   "timestamp", "date", "datetime",
                                      "epoch", "when", "zeit",      "datum"};
  return HAS_WORD(name, times);
}
