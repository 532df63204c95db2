/* option_hints.c - see option_hints.h. One row for each piece of advice. */
#include "option_hints.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

/* Renamed options that are not settings (the library has the old names of settings). `commands`: those with
 * the old name, separated by blanks; NULL: all. */
static const struct {
  const char *commands, *old, *now;
} renamed[] = {
    {"detect rank evaluate compare", "format", "output-format"},
    {NULL, "svg", "figure"},
    {"reproduce", "out", "figures"},
};

/* `typed`: the words that it applies to, separated by blanks. */
typedef struct lead {
  const char *typed, *instead;
} lead;

static const lead options[] = {
    {"top top-k limit head n n-outliers", "--lowest K of 'detect' and 'rank' lists the K most abnormal rows"},
    {"contamination outliers-fraction nu",
     "anorank needs no share of anomalies; select rows with --fdr Q, --mass A or --lowest K"},
    {"threshold cutoff",
     "--fdr Q selects rows by their false-discovery rate, --mass A by how unusual they are"},
    {"p-value", "--mass A selects rows with a p-value of at most 1 - A, --fdr Q by false-discovery rate"},
    {"n-estimators", "--trees N sets the number of trees"},
    {"max-samples", "--tree-rows N sets the rows per tree"},
    {"n-neighbors neighbors", "--neighbours K sets k, the neighbour whose distance is the score"},
    {"k",
     "--neighbours K sets the neighbour whose distance is the score; --lowest K sets the number of rows"},
    {"random-state random-seed", "--seed N sets the seed"},
    {"n-jobs jobs", "--threads N sets the number of threads"},
    {"algorithm method detector", "--scorer CLASS sets the method; 'anorank list scorer' lists them"},
    {"sep separator", "--delimiter CHAR sets the delimiter"},
    {"no-header", "--header no reads the first line as data"},
    {"na-values", "--missing LIST sets the texts that mean a missing value"},
    {"target label", "--labels COLUMN names the column of known anomalies, --drop COLUMN ignores a column"},
    {"features include", "--columns LIST sets the columns to use"},
    {"exclude ignore", "--drop LIST sets the columns to ignore"},
    {"port host bind", "--listen HOST:PORT of 'anorank serve' sets the address"},
    {"by time window",
     "'anorank fit' and 'anorank detect' take it; a model keeps it, so fit again to change it"},
    {"group group-by entity", "--by LIST sets the columns that identify an entity"},
    {"index", "--id LIST sets the columns that identify a row"},
    {"explain",
     "reasons are on by default; --reasons N sets their number, and 'anorank explain' shows one row"},
    {"plot svg", "'judge', 'evaluate' and 'compare' draw the mass-volume curve with --figure FILE.svg"},
    {"csv", "--output-format csv writes CSV, and so does -o FILE.csv"},
    {"jsonl json", "--output-format jsonl writes JSON lines, and so does -o FILE.jsonl"},
    {"out out-file", "--output FILE sets the output file"},
    {"input file data", "name the file as an argument: 'anorank detect FILE'"},
    {"model", "name the model as the first argument: 'anorank rank MODEL FILE'"},
    {"version", "use 'anorank --version'"},
    {NULL, NULL},
};

static const lead commands[] = {
    {"train learn", "'anorank fit FILE -o MODEL' fits a model"},
    {"predict",
     "'anorank score MODEL FILE' scores each row, 'anorank rank MODEL FILE' lists the most abnormal first"},
    {"transform apply", "'anorank score MODEL FILE' scores each row"},
    {"outliers anomalies find scan run", "'anorank detect FILE' lists the most abnormal rows"},
    {"top", "'anorank detect FILE --lowest K' lists the K most abnormal rows"},
    {"show", "'anorank inspect MODEL' shows a model, 'anorank detect FILE' the abnormal rows of a table"},
    {"info describe", "'anorank inspect MODEL' shows a model"},
    {"plot", "'anorank evaluate FILE --figure curve.svg' draws the mass-volume curve"},
    {"test", "'anorank evaluate FILE' evaluates a model, 'anorank judge' the scores of any tool"},
    {"validate", "'anorank evaluate FILE' evaluates a model"},
    {"version", "use 'anorank --version'"},
    {"demo", "'anorank example cards -o cards.csv' writes an example table"},
    {NULL, NULL},
};

const char *cli_current_name(const cli_command *command, const char *typed, size_t length) {
  for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
    if (strlen(renamed[i].old) == length && strncmp(renamed[i].old, typed, length) == 0 &&
        (!renamed[i].commands || cli_is_listed(renamed[i].commands, command->name, strlen(command->name))))
      return renamed[i].now;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, typed);
  const anorank_setting *setting = anorank_setting_find(name);
  return setting ? setting->name : NULL;
}

static const char *find(const lead *leads, const char *typed, size_t length) {
  while (leads->typed && !cli_is_listed(leads->typed, typed, length)) leads++;
  return leads->instead;
}

const char *cli_option_instead(const char *typed, size_t length) { return find(options, typed, length); }

const char *cli_command_instead(const char *typed) { return find(commands, typed, strlen(typed)); }
