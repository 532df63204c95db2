/* settings.c - the table of everything that can be chosen.
 *
 * To add a setting: add a field to anorank_settings in anorank.h and a row here. The command line's options,
 * the help, the manual pages, the completions, the reference page and the validation all read the table. */
#include "core/format_names.h"
#include "core/status.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(anorank_settings, name)
#define TEXT(name) ANORANK_SETTING_TEXT, FIELD(name), 0, (double)sizeof(((anorank_settings *)0)->name)

enum {
  RUN = ANORANK_FOR_RUN,
  READ = ANORANK_FOR_READ,
  JUDGE = ANORANK_FOR_JUDGE,
  SIMULATE = ANORANK_FOR_SIMULATE,
  LEARN = ANORANK_FOR_LEARN,
  REPRODUCE = ANORANK_FOR_REPRODUCE,
  FIT = ANORANK_FOR_FIT,
  VERDICT = ANORANK_FOR_VERDICT,
  EXAMPLE = ANORANK_FOR_EXAMPLE
};

static const anorank_setting table[] = {
    {"seed", ANORANK_SETTING_UNSIGNED, FIELD(seed), 0, 18446744073709551615.0, "0", NULL, RUN, "N",
     "where the random numbers start; the same seed, the same bytes"},
    {"threads", ANORANK_SETTING_INTEGER, FIELD(threads), 0, 256, "0", NULL, RUN, "N",
     "threads to use, 0 for all cores; never changes the result"},
    {"max-memory", ANORANK_SETTING_BYTES, FIELD(max_memory), 0, 1125899906842624.0, "0", NULL, RUN | READ,
     "SIZE", "most memory that one table may take, such as 2G; 0 for four fifths of the machine's"},
    {"input-format", ANORANK_SETTING_CHOICE, FIELD(format), 0, ANK_FORMAT_END - 1, "auto", ANK_FORMAT_CHOICES, READ,
     "FORMAT", "format of the input; auto goes by content and name"},
    {"header", ANORANK_SETTING_CHOICE, FIELD(header), 0, 2, "auto", "auto|yes|no", READ, "WHEN",
     "whether the first line names the columns"},
    {"delimiter", TEXT(delimiter), "auto", NULL, READ, "CHAR",
     "what separates the cells of a CSV file: one character, tab, or auto"},
    {"missing", TEXT(missing), "", NULL, READ, "LIST",
     "cells that mean 'no value' besides the empty one, NA, N/A, NaN, nan, null, NULL, None, ? and #N/A; =LIST: "
     "those of the list and no others; \\, is a comma within one"},
    {"categorical", TEXT(categorical), "", NULL, READ, "LIST",
     "columns to read as categories whatever they hold, separated by commas"},
    {"decimal", ANORANK_SETTING_CHOICE, FIELD(decimal), 0, 2, "auto", "auto|.|,", READ, "MARK",
     "decimal mark of the numbers in text files; by default what the numbers show"},
    {"thousands", ANORANK_SETTING_CHOICE, FIELD(thousands), 0, 5, "auto", "auto|none|.|,|space|'", READ, "MARK",
     "what parts the thousands of the numbers in text files; by default what the numbers show"},
    {"date-order", ANORANK_SETTING_CHOICE, FIELD(date_order), 0, 3, "auto", "auto|ymd|dmy|mdy", READ, "ORDER",
     "order of day, month and year in dates such as 01/02/2025; by default what the dates show"},
    {"encoding", TEXT(encoding), "auto", NULL, READ, "NAME",
     "encoding of a text file, as iconv names it: utf-8, utf-16, windows-1252, shift_jis, or auto"},
    {"skip-lines", ANORANK_SETTING_INTEGER, FIELD(skip_lines), -1, 1e9, "-1", NULL, READ, "N",
     "lines above the table in a CSV or TSV file; -1 to find out"},
    {"sheet", TEXT(sheet), "", NULL, READ, "NAME", "which sheet of a workbook, by name or number; by default the first"},
    {"array", TEXT(array), "", NULL, READ, "NAME",
     "which array of an NPZ file; by default the only one, or X"},
    {"block-rows", ANORANK_SETTING_INTEGER, FIELD(block_rows), 0, 1e12, "0", NULL, READ, "N",
     "rows to hold at a time where a file is streamed; 0 for about 16 MiB"},
    {"ties", ANORANK_SETTING_CHOICE, FIELD(ties), 0, 1, "mid", "mid|max", JUDGE, "RULE",
     "rank of tied scores: their mean, or their largest (the paper's; never choose a scorer by it)"},
    {"truncated-u0", ANORANK_SETTING_REAL, FIELD(truncated_u0), 0, 1, "0.7", NULL, JUDGE | LEARN, "U",
     "threshold of the score-generating function 'truncated'"},
    {"clipped-c", ANORANK_SETTING_REAL, FIELD(clipped_c), 0, 1, "0.3", NULL, JUDGE | LEARN, "U",
     "ceiling of the score-generating function 'clipped'"},
    {"level", ANORANK_SETTING_REAL, FIELD(level), 0.5, 0.9999, "0.95", NULL, JUDGE, "P",
     "confidence level of intervals and bands"},
    {"bootstrap", ANORANK_SETTING_INTEGER, FIELD(bootstrap), 0, 1e6, "1000", NULL, JUDGE, "N",
     "bootstrap replications behind the bands; 0 for no bands"},
    {"band-from", ANORANK_SETTING_REAL, FIELD(band_from), 0, 1, "0.05", NULL, JUDGE, "MASS",
     "smallest mass for which the simultaneous band holds"},
    {"band-to", ANORANK_SETTING_REAL, FIELD(band_to), 0, 1, "0.95", NULL, JUDGE, "MASS",
     "largest mass for which the simultaneous band holds"},
    {"points", ANORANK_SETTING_INTEGER, FIELD(points), 11, 100001, "201", NULL, JUDGE, "N",
     "points of the reported curve, evenly spaced in mass from 0 to 1"},
    {"law", TEXT(law), "gaussian", NULL, SIMULATE, "LAW", "law to draw from; 'anorank list law' names them"},
    {"rows", ANORANK_SETTING_INTEGER, FIELD(rows), 1, 1e12, "1000", NULL, SIMULATE | EXAMPLE, "N",
     "rows to draw"},
    {"dim", ANORANK_SETTING_INTEGER, FIELD(dim), 1, 65536, "2", NULL, SIMULATE | REPRODUCE, "D",
     "columns to draw; a law around a file's data takes the file's"},
    {"sigma", ANORANK_SETTING_REAL, FIELD(sigma), 0, 1e300, "1", NULL, SIMULATE, "S",
     "gaussian: standard deviation of each column"},
    {"alpha", ANORANK_SETTING_REAL, FIELD(alpha), 1e-3, 1e6, "3", NULL, SIMULATE | REPRODUCE, "A",
     "radial: first shape of the Beta law of the radius"},
    {"beta", ANORANK_SETTING_REAL, FIELD(beta), 1e-3, 1e6, "1", NULL, SIMULATE | REPRODUCE, "B",
     "radial: second shape of the Beta law of the radius"},
    {"epsilon", ANORANK_SETTING_REAL, FIELD(epsilon), 0, 1e300, "0.01", NULL, SIMULATE | REPRODUCE, "E",
     "radial: added to the data's largest row norm to give the radius"},
    {"radius", ANORANK_SETTING_REAL, FIELD(radius), 0, 1e300, "1", NULL, SIMULATE, "R",
     "radial: radius where no data are given"},
    {"pad", ANORANK_SETTING_REAL, FIELD(pad), 0, 1e6, "0", NULL, SIMULATE, "SHARE",
     "box, pca_box: widen each range of the data by this share of it on both sides"},
    {"first-row", ANORANK_SETTING_INTEGER, FIELD(first_row), 0, 1e15, "0", NULL, SIMULATE | EXAMPLE, "I",
     "index of the first row drawn, to draw one sample in parts"},
    {"anomalies", ANORANK_SETTING_REAL, FIELD(anomalies), 0, 0.1, "0.005", NULL, EXAMPLE, "SHARE",
     "share of planted anomalies; 0 for none"},
    {"jitter-from", ANORANK_SETTING_REAL, FIELD(jitter_from), 1e-6, 1e6, "0.05", NULL, SIMULATE | LEARN, "S",
     "jitter: smallest width of the noise, in standard deviations of the column"},
    {"jitter-to", ANORANK_SETTING_REAL, FIELD(jitter_to), 1e-6, 1e6, "3", NULL, SIMULATE | LEARN, "S",
     "jitter: largest width of the noise"},
    {"mixture", TEXT(mixture), "box:1,jitter:1", NULL, SIMULATE | LEARN, "LIST",
     "mixture: laws with their weights, such as box:1,jitter:3"},
    {"limits", TEXT(limits), "", NULL, SIMULATE | LEARN, "LIST",
     "box: low:high for each column in order, separated by commas; empty for the data's"},
    {"scorer", TEXT(scorer), "auto", NULL, LEARN, "CLASS",
     "class of scoring functions, several to choose from, or auto: blend; 'anorank list scorer' names them"},
    {"phi", TEXT(phi), "mww", NULL, LEARN, "PHI",
     "score-generating function to train and to choose by; 'anorank list phi' names them"},
    {"train-phi", TEXT(train_phi), "", NULL, LEARN, "LIST",
     "score-generating functions to train with, where they differ from phi; each is tried"},
    {"objective", ANORANK_SETTING_CHOICE, FIELD(objective), 0, 2, "paper", "bce|paper|rank", LEARN, "WHAT",
     "what gradients climb: cross-entropy, the paper's Algorithm 1, or the smoothed criterion"},
    {"proxy", ANORANK_SETTING_CHOICE, FIELD(proxy), 0, 1, "mean", "mean|sum", LEARN, "SCALE",
     "paper: the proxy of W as a mean over the rows, or as the plain sum"},
    {"lambda", TEXT(lambda), "0,0.01,0.1,1,10", NULL, LEARN, "LIST",
     "paper: weights of the proxy to try; the network with the highest W is kept"},
    {"epochs", ANORANK_SETTING_INTEGER, FIELD(epochs), 1, 1e6, "30", NULL, LEARN, "N",
     "passes over the rows"},
    {"learning-rate", ANORANK_SETTING_REAL, FIELD(learning_rate), 1e-9, 1e3, "0.01", NULL, LEARN, "R",
     "length of a gradient step"},
    {"optimiser", ANORANK_SETTING_CHOICE, FIELD(optimiser), 0, 2, "sgd", "sgd|momentum|adam", LEARN, "NAME",
     "how gradients become steps"},
    {"schedule", ANORANK_SETTING_CHOICE, FIELD(schedule), 0, 1, "constant", "constant|cosine", LEARN, "NAME",
     "how the learning rate changes over the epochs"},
    {"shuffle", ANORANK_SETTING_CHOICE, FIELD(shuffle), 0, 1, "yes", "no|yes", LEARN, "YES/NO",
     "whether each epoch takes the rows in a new order"},
    {"batch", ANORANK_SETTING_INTEGER, FIELD(batch), 1, 1e9, "256", NULL, LEARN, "N",
     "rows per gradient step of bce and rank; the paper's objective takes one"},
    {"restarts", ANORANK_SETTING_INTEGER, FIELD(restarts), 1, 1e6, "1", NULL, LEARN, "N",
     "networks from different starts for each setting tried"},
    {"smoothing", ANORANK_SETTING_REAL, FIELD(smoothing), 1e-9, 1, "0.03", NULL, LEARN, "SHARE",
     "rank: share of the rows that a typical row is compared with softly, on either side"},
    {"warm-up", ANORANK_SETTING_REAL, FIELD(warm_up), 0, 1, "0.3", NULL, LEARN, "SHARE",
     "rank: share of the epochs that climb cross-entropy first"},
    {"weight-decay", ANORANK_SETTING_REAL, FIELD(weight_decay), 0, 1e3, "0", NULL, LEARN, "R",
     "shrink weights by this share of themselves per unit of learning rate"},
    {"held-out", ANORANK_SETTING_REAL, FIELD(held_out), 0, 0.9, "0", NULL, LEARN, "SHARE",
     "share of the rows kept aside to choose and to stop by; 0 chooses on the training rows, as the paper "
     "does"},
    {"patience", ANORANK_SETTING_INTEGER, FIELD(patience), 0, 1e6, "0", NULL, LEARN, "N",
     "epochs without a better W before training stops; 0 for never"},
    {"hidden", TEXT(hidden), "auto", NULL, LEARN, "LIST",
     "mlp: sizes of the hidden layers, separated by commas; auto for one of twice the columns"},
    {"quadratic", ANORANK_SETTING_CHOICE, FIELD(quadratic), 0, 1, "yes", "no|yes", LEARN, "YES/NO",
     "linear: whether to add squares and products of the columns"},
    {"trees", ANORANK_SETTING_INTEGER, FIELD(trees), 1, 1e6, "100", NULL, LEARN, "N",
     "trees, treerank, isolation: how many trees"},
    {"tree-rows", ANORANK_SETTING_INTEGER, FIELD(tree_rows), 0, 1e9, "0", NULL, LEARN, "N",
     "trees, treerank, isolation: rows each tree sees; 0 for the class's own rule"},
    {"depth", ANORANK_SETTING_INTEGER, FIELD(depth), 1, 60, "8", NULL, LEARN, "N",
     "treerank: depth of each tree"},
    {"rounds", ANORANK_SETTING_INTEGER, FIELD(rounds), 1, 1e6, "200", NULL, LEARN, "N",
     "rankboost: boosting rounds"},
    {"subsamples", ANORANK_SETTING_INTEGER, FIELD(subsamples), 1, 1e6, "16", NULL, LEARN, "N",
     "neighbours: how many subsamples"},
    {"subsample", ANORANK_SETTING_INTEGER, FIELD(subsample), 1, 1e9, "256", NULL, LEARN, "N",
     "neighbours: rows in each subsample"},
    {"neighbours", ANORANK_SETTING_INTEGER, FIELD(neighbours), 1, 1e6, "5", NULL, LEARN, "K",
     "knn: which neighbour's distance is the score"},
    {"references", ANORANK_SETTING_INTEGER, FIELD(references), 1, 1e9, "10000", NULL, LEARN, "N",
     "knn, hull, blend: most rows to keep for comparison"},
    {"hull-neighbours", ANORANK_SETTING_INTEGER, FIELD(hull_neighbours), 1, 64, "10", NULL, LEARN, "K",
     "hull: how many nearest rows span the hull"},
    {"space", ANORANK_SETTING_CHOICE, FIELD(space), 0, 2, "normal", "standard|range|normal", LEARN, "SPACE",
     "hull: columns by standard deviation, by range, or heavy-tailed ones by normal scores of ranks"},
    {"bins", ANORANK_SETTING_INTEGER, FIELD(bins), 2, 1e6, "20", NULL, LEARN, "N",
     "histogram: bins per column"},
    {"repetitions", ANORANK_SETTING_INTEGER, FIELD(repetitions), 1, 1e7, "50", NULL, REPRODUCE, "B",
     "how often to repeat the experiment; 50 (the paper's) has a standard error of 0.01, 500 of 0.003"},
    {"best", ANORANK_SETTING_CHOICE, FIELD(best), 0, 1, "no", "no|yes", REPRODUCE, "YES/NO",
     "average many networks on the same rows instead of keeping the paper's one"},
    {"select-ties", ANORANK_SETTING_CHOICE, FIELD(select_ties), 0, 1, "mid", "mid|max", REPRODUCE, "RULE",
     "ties of the W that chooses the network; max, the paper's definition, chooses collapsed ones"},
    {"train", ANORANK_SETTING_CHOICE, FIELD(train), 0, 1, "clean", "clean|contaminated", FIT, "KIND",
     "what the training rows are; believed normal, or with anomalies among them"},
    {"fast", ANORANK_SETTING_CHOICE, FIELD(fast), 0, 1, "no", "no|yes", FIT, "YES/NO",
     "a cheaper, several times faster method; a little less accurate"},
    {"contrast", TEXT(contrast), "auto", NULL, FIT, "LAW",
     "law of the contrast rows; auto takes a box for few columns and jitter for many"},
    {"contrast-ratio", ANORANK_SETTING_REAL, FIELD(contrast_ratio), 0.01, 100, "1", NULL, FIT, "R",
     "contrast rows per training row"},
    {"id", TEXT(id), "", NULL, FIT, "LIST", "columns that identify a row; passed through, never learned from"},
    {"drop", TEXT(drop), "", NULL, FIT, "LIST", "columns to leave out, separated by commas"},
    {"columns", TEXT(columns), "", NULL, FIT, "LIST", "the only columns to use, separated by commas"},
    {"time", TEXT(time), "", NULL, FIT, "COLUMN",
     "column that says when a row happened; by default columns of dates and times are found"},
    {"labels", TEXT(labels), "", NULL, FIT, "COLUMN",
     "column with 1 for known anomalies, 0 for normal rows; empty where nobody knows"},
    {"missing-policy", ANORANK_SETTING_CHOICE, FIELD(missing_policy), 0, 1, "indicator", "indicator|error",
     FIT, "RULE", "missing numbers: the mean and a mark that it was missing, or an error"},
    {"scale", ANORANK_SETTING_CHOICE, FIELD(scale), 0, 1, "standard", "standard|unit", FIT, "RULE",
     "numbers to mean 0 and standard deviation 1, or their range to [0, 1]"},
    {"calibration", ANORANK_SETTING_REAL, FIELD(calibration), 0, 0.9, "0", NULL, FIT, "SHARE",
     "share of the rows kept from the fit to calibrate p-values; 0 for what suits scorer and rows"},
    {"folds", ANORANK_SETTING_INTEGER, FIELD(folds), 0, 100, "0", NULL, FIT, "K",
     "parts of the cross-fit that calibrates p-values of few rows; 0 for what suits the scorer, 20 or 5"},
    {"lowest", ANORANK_SETTING_INTEGER, FIELD(lowest), 0, 1e15, "0", NULL, VERDICT, "K",
     "the K most abnormal rows; 0 for all"},
    {"mass", ANORANK_SETTING_REAL, FIELD(mass), 0, 1, "0", NULL, VERDICT, "A",
     "rows more unusual than a share A of the normal ones"},
    {"fdr", ANORANK_SETTING_REAL, FIELD(fdr), 0, 1, "0", NULL, VERDICT, "Q",
     "rows of which, on average, at most Q are false alarms"},
    {"reasons", ANORANK_SETTING_INTEGER, FIELD(reasons), 0, 1000, "3", NULL, VERDICT, "N",
     "reasons for each row"},
};

enum { COUNT = sizeof table / sizeof table[0] };

size_t anorank_setting_count(void) { return COUNT; }

const anorank_setting *anorank_setting_at(size_t i) { return i < COUNT ? &table[i] : NULL; }

/* Names that settings used to have: settings files and programs that use them go on working. */
static const struct {
  const char *old, *now;
} renamed[] = {{"format", "input-format"}};

const anorank_setting *anorank_setting_find(const char *name) {
  for (size_t i = 0; name && i < sizeof renamed / sizeof renamed[0]; i++)
    if (strcmp(renamed[i].old, name) == 0) name = renamed[i].now;
  for (size_t i = 0; name && i < COUNT; i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  return NULL;
}

/* Index of the word among "a|b|c", -1 if it is none of them. */
static int choice_index(const char *choices, const char *word) {
  size_t length = strlen(word);
  for (int index = 0;; index++) {
    size_t step = strcspn(choices, "|");
    if (step == length && strncmp(choices, word, length) == 0) return index;
    if (choices[step] == '\0') return -1;
    choices += step + 1;
  }
}

/* Digits and an optional sign only: strtoll would take spaces and more. */
static int parse_integer(const char *text, int64_t *value) {
  char *end;
  const char *digits = *text == '-' ? text + 1 : text;
  if (*digits < '0' || *digits > '9') return 0;
  errno = 0;
  long long parsed = strtoll(text, &end, 10);
  *value = parsed;
  return *end == '\0' && errno == 0;
}

static int parse_unsigned(const char *text, uint64_t *value) {
  char *end;
  if (*text < '0' || *text > '9') return 0;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return *end == '\0' && errno == 0;
}

static int parse_bytes(const char *text, int64_t *value) {
  char digits[32];
  size_t length = strlen(text);
  if (length == 0 || length >= sizeof digits) return 0;
  memcpy(digits, text, length + 1);
  const char *units = "KMGT";
  const char *unit = strchr(units, digits[length - 1] & ~0x20);
  int64_t scale = 1;
  if (unit && *unit) {
    digits[length - 1] = '\0';
    scale = (int64_t)1 << (10 * (unit - units + 1));
  }
  return parse_integer(digits, value) && !__builtin_mul_overflow(*value, scale, value);
}

static int parse_real(const char *text, double *value) {
  char *end;
  if (*text == '\0' || strchr(" \t\n\r\v\f", *text)) return 0;
  *value = strtod(text, &end);
  return *end == '\0' && isfinite(*value);
}

static void describe_allowed(const anorank_setting *row, char *text, size_t size) {
  switch (row->kind) {
  case ANORANK_SETTING_CHOICE: snprintf(text, size, "one of %s", row->choices); break;
  case ANORANK_SETTING_TEXT: snprintf(text, size, "at most %.0f bytes of text", row->high - 1); break;
  case ANORANK_SETTING_REAL: snprintf(text, size, "a number from %g to %g", row->low, row->high); break;
  case ANORANK_SETTING_BYTES: snprintf(text, size, "a size such as 512M or 2G"); break;
  case ANORANK_SETTING_UNSIGNED: snprintf(text, size, "a whole number from 0 to 18446744073709551615"); break;
  case ANORANK_SETTING_INTEGER:
    snprintf(text, size, "a whole number from %.0f to %.0f", row->low, row->high);
    break;
  }
}

/* `given` holds the value as text; NULL for a field that was filled in by hand. */
static anorank_status refuse(const anorank_setting *row, const char *given, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], allowed[256];
  describe_allowed(row, allowed, sizeof allowed);
  (void)ank_fail(err, ANORANK_ERROR_USAGE, "%s is \"%s\"; it takes %s", row->name,
                 ank_quote(quoted, given, strlen(given)), allowed);
  ank_blame(err, row->name);
  return ANORANK_ERROR_USAGE;
}

static int within(const anorank_setting *row, double value) {
  return value >= row->low && value <= row->high;
}

/* Write the parsed value to the field; 0 if the text is not a value of this setting. */
static int store(anorank_settings *settings, const anorank_setting *row, const char *text) {
  char *field = (char *)settings + row->offset;
  int64_t integer;
  switch (row->kind) {
  case ANORANK_SETTING_INTEGER:
  case ANORANK_SETTING_BYTES:
    if (!(row->kind == ANORANK_SETTING_BYTES ? parse_bytes(text, &integer) : parse_integer(text, &integer)))
      return 0;
    if (!within(row, (double)integer)) return 0;
    memcpy(field, &integer, sizeof integer);
    return 1;
  case ANORANK_SETTING_UNSIGNED: {
    uint64_t value;
    if (!parse_unsigned(text, &value)) return 0;
    memcpy(field, &value, sizeof value);
    return 1;
  }
  case ANORANK_SETTING_REAL: {
    double value;
    if (!parse_real(text, &value) || !within(row, value)) return 0;
    memcpy(field, &value, sizeof value);
    return 1;
  }
  case ANORANK_SETTING_CHOICE: {
    int32_t value = choice_index(row->choices, text);
    if (value < 0) return 0;
    memcpy(field, &value, sizeof value);
    return 1;
  }
  case ANORANK_SETTING_TEXT: {
    size_t length = strlen(text);
    if (length >= (size_t)row->high) return 0;
    memcpy(field, text, length + 1);
    return 1;
  }
  }
  return 0;
}

anorank_status anorank_settings_set(anorank_settings *settings, const char *name, const char *value,
                                    anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE];
  ANK_NEED(settings);
  ANK_NEED(name);
  ANK_NEED(value);
  const anorank_setting *row = anorank_setting_find(name);
  if (!row)
    return ank_fail(err, ANORANK_ERROR_USAGE, "there is no setting \"%s\"; check its spelling",
                    ank_quote(quoted, name, strlen(name)));
  return store(settings, row, value) ? ANORANK_OK : refuse(row, value, err);
}

void anorank_settings_default(anorank_settings *settings) {
  memset(settings, 0, sizeof *settings);
  for (size_t i = 0; i < COUNT; i++) (void)store(settings, &table[i], table[i].default_value);
}

size_t anorank_settings_get(const anorank_settings *settings, const anorank_setting *setting, char *text,
                            size_t size) {
  const char *field = (const char *)settings + setting->offset;
  int length = 0;
  switch (setting->kind) {
  case ANORANK_SETTING_INTEGER:
  case ANORANK_SETTING_BYTES: {
    int64_t value;
    memcpy(&value, field, sizeof value);
    length = snprintf(text, size, "%lld", (long long)value);
    break;
  }
  case ANORANK_SETTING_UNSIGNED: {
    uint64_t value;
    memcpy(&value, field, sizeof value);
    length = snprintf(text, size, "%llu", (unsigned long long)value);
    break;
  }
  case ANORANK_SETTING_REAL: {
    double value, again;
    memcpy(&value, field, sizeof value);
    length = snprintf(text, size, "%.15g", value);
    if (length < 0 || (size_t)length >= size || !parse_real(text, &again) || again != value)
      length = snprintf(text, size, "%.17g", value);
    break;
  }
  case ANORANK_SETTING_CHOICE: {
    int32_t value;
    memcpy(&value, field, sizeof value);
    const char *word = setting->choices;
    for (; value > 0 && strchr(word, '|'); value--) word = strchr(word, '|') + 1;
    length = snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
    break;
  }
  case ANORANK_SETTING_TEXT: length = snprintf(text, size, "%s", field); break;
  }
  return length < 0 ? 0 : (size_t)length;
}

anorank_status anorank_settings_check(const anorank_settings *settings, anorank_error *err) {
  ANK_NEED(settings);
  for (size_t i = 0; i < COUNT; i++) {
    const anorank_setting *row = &table[i];
    const char *field = (const char *)settings + row->offset;
    char text[2048];
    int32_t choice;
    anorank_settings copy;
    if (row->kind == ANORANK_SETTING_TEXT && !memchr(field, '\0', (size_t)row->high))
      return refuse(row, "(text without an end)", err);
    if (row->kind == ANORANK_SETTING_CHOICE) {
      memcpy(&choice, field, sizeof choice);
      snprintf(text, sizeof text, "%d", (int)choice);
      if (!within(row, choice)) return refuse(row, text, err);
    }
    anorank_settings_get(settings, row, text, sizeof text);
    if (!store(&copy, row, text)) return refuse(row, text, err);
  }
  if (settings->band_from > settings->band_to)
    return ank_fail(err, ANORANK_ERROR_USAGE, "band-from is %g and band-to is %g; from must not be above to",
                    settings->band_from, settings->band_to);
  return ANORANK_OK;
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void trim(const char **text, size_t *length) {
  while (*length > 0 && is_blank((*text)[0])) (*text)++, (*length)--;
  while (*length > 0 && is_blank((*text)[*length - 1])) (*length)--;
}

static anorank_status parse_line(anorank_settings *settings, const char *line, size_t length, size_t number,
                                 anorank_error *err) {
  char name[64], value[2048], quoted[ANK_QUOTE_SIZE];
  trim(&line, &length);
  if (length == 0 || line[0] == '#') return ANORANK_OK;
  const char *equals = memchr(line, '=', length);
  if (!equals)
    return ank_fail(
        err, ANORANK_ERROR_USAGE,
        "settings, line %zu: \"%s\" is not of the form name = value; correct it, or put a # before a remark",
        number, ank_quote(quoted, line, length));
  const char *left = line, *right = equals + 1;
  size_t left_length = (size_t)(equals - line), right_length = length - left_length - 1;
  trim(&left, &left_length);
  trim(&right, &right_length);
  if (left_length >= sizeof name || right_length >= sizeof value || memchr(line, '\0', length))
    return ank_fail(err, ANORANK_ERROR_USAGE,
                    "settings, line %zu: too long, or it holds a NUL byte; a line is name = value", number);
  memcpy(name, left, left_length);
  name[left_length] = '\0';
  memcpy(value, right, right_length);
  value[right_length] = '\0';
  anorank_error inner = {0};
  anorank_status status = anorank_settings_set(settings, name, value, &inner);
  if (status == ANORANK_OK) return status;
  inner.line = number;
  return ank_fail_around(err, &inner, "settings, line %zu: %s", number, inner.message);
}

anorank_status anorank_settings_parse(anorank_settings *settings, const char *text, size_t length,
                                      anorank_error *err) {
  ANK_NEED(settings);
  if (length > 0) ANK_NEED(text);
  anorank_settings changed = *settings;
  size_t number = 0;
  while (length > 0) {
    const char *newline = memchr(text, '\n', length);
    size_t step = newline ? (size_t)(newline - text) : length;
    anorank_status status = parse_line(&changed, text, step, ++number, err);
    if (status != ANORANK_OK) return status;
    if (newline) step++;
    text += step;
    length -= step;
  }
  anorank_status status = anorank_settings_check(&changed, err);
  if (status == ANORANK_OK) *settings = changed;
  return status;
}
