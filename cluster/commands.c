/* commands.c - see commands.h. Each command is a copy of the command line's with another function to run and an option or two
 * more, so that options, help and messages cannot come to differ. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

extern const cli_command cli_cmd_fit, cli_cmd_score, cli_cmd_rank, cli_cmd_detect, cli_cmd_judge;

enum { MOST_OPTIONS = 40 };

static const cli_option more[] = {
    {"piece", 0, "SIZE", NULL, "bytes of a file that a process takes at a time [8M]"},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_option more_of_score[] = {
    {"part-size", 0, "SIZE", NULL,
     "write parts of the scores of about SIZE bytes of FILE each into the folder that --output names"},
    {"resume", 0, NULL, NULL, "with --part-size: go on after the parts that an earlier run has finished"},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_positional score_positionals[] = {
    {"MODEL", "model that 'anorank fit' wrote", 1, NULL},
    {"FILE", "table to score, or parts of one, or a folder", CLI_SEVERAL, NULL},
    {NULL, NULL, 0, NULL}};

static const struct {
  const cli_command *from;
  const cli_option *options; /* besides; NULL: none */
  int (*run)(cli_call *call);
  const char *everyday; /* NULL: as the command line has it */
  const char *example, *what;
} table[] = {
    {&cli_cmd_fit, NULL, cluster_fit, NULL, "mpirun -n 4 anorank-mpi fit history.csv -o model.anr",
     "learn from rows that are believed normal, read by four processes"},
    {&cli_cmd_score, more_of_score, cluster_score, "output output-format keep part-size resume threads",
     "mpirun -n 4 anorank-mpi score model.anr big.csv -o scores.csv",
     "a score and a p-value for each row, by four processes"},
    {&cli_cmd_rank, NULL, cluster_rank, NULL,
     "mpirun -n 4 anorank-mpi rank model.anr big.csv --fdr 0.1 -o alerts.csv",
     "alerts of which at most a tenth are false alarms, by four processes"},
    {&cli_cmd_detect, NULL, cluster_detect, NULL,
     "mpirun -n 4 anorank-mpi detect big.csv --lowest 1000 -o found.csv",
     "the thousand most abnormal rows, and why, by four processes"},
    {&cli_cmd_judge, NULL, cluster_judge, NULL, "mpirun -n 4 anorank-mpi judge x.csv --contrast u.csv",
     "how good is the order, without labels?"},
};

enum { COMMANDS = sizeof table / sizeof table[0] };

static cli_command commands[COMMANDS];
static cli_option options[COMMANDS][MOST_OPTIONS];
static cli_example examples[COMMANDS][2];

static size_t append(cli_option *to, size_t used, const cli_option *from) {
  for (; from && from->name && used + 1 < MOST_OPTIONS; from++) to[used++] = *from;
  return used;
}

void cluster_commands_make(void) {
  for (size_t i = 0; i < COMMANDS; i++) {
    size_t used = append(options[i], 0, table[i].from->options);
    used = append(options[i], used, table[i].options);
    (void)append(options[i], used, more);
    commands[i] = *table[i].from;
    examples[i][0] = (cli_example){table[i].example, table[i].what};
    commands[i].options = options[i];
    commands[i].examples = examples[i];
    commands[i].run = table[i].run;
    if (table[i].everyday) commands[i].everyday = table[i].everyday;
    if (table[i].from != &cli_cmd_score) continue;
    commands[i].positionals = score_positionals; /* the command line has one FILE */
    commands[i].usage = "MODEL FILE... [-o FILE] [OPTION]...";
  }
}

const cli_command *cli_command_at(size_t i) { return i < COMMANDS ? &commands[i] : NULL; }

const cli_command *cli_command_find(const char *name) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

const char *cli_command_word(size_t i) { return i < COMMANDS ? commands[i].name : NULL; }

/* ---- what they share ----------------------------------------------------------------------------------- */

uint64_t cluster_bytes(const cli_call *call, const char *option, uint64_t otherwise) {
  static const char units[] = "KMGT";
  const char *text = cli_value(call, option);
  char *end = NULL;
  if (!text) return otherwise;
  unsigned long long value = strtoull(text, &end, 10);
  const char *unit = *end ? strchr(units, *end) : NULL;
  if (unit && end[1] == '\0' && value < 1 << 20) value <<= 10 * (unit - units + 1), end++;
  return *text >= '0' && *text <= '9' && *end == '\0' && value <= (uint64_t)1 << 50 ? value : 0;
}

uint64_t cluster_piece(const cli_call *call) { return cluster_bytes(call, "piece", (uint64_t)8 << 20); }

anorank_status cluster_share_model(anorank_model **model, const char *name, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *bytes = NULL;
  size_t length = 0;
  if (team_rank == 0) status = anorank_model_to_bytes(&bytes, &length, *model, err);
  status = team_agree(status, err);
  if (status == ANORANK_OK) status = team_share_new(&bytes, &length, err);
  if (status == ANORANK_OK && team_rank > 0)
    status = anorank_model_load_memory(model, bytes, length, name, err);
  if (team_rank == 0)
    anorank_bytes_free(bytes);
  else
    free(bytes);
  return team_agree(status, err);
}

anorank_status cluster_load_model(anorank_model **out, const char *path, anorank_error *err) {
  *out = NULL;
  anorank_status status = team_agree(team_rank == 0 ? anorank_model_load(out, path, err) : ANORANK_OK, err);
  return status == ANORANK_OK ? cluster_share_model(out, path, err) : status;
}

int cluster_check_input(const cli_call *call, const char *path) {
  if (strcmp(path, "-") == 0 && team_size > 1)
    return cli_usage_error(
        call, "standard input cannot be shared by %d processes; name a file that all can read", team_size);
  if (cluster_piece(call) == 0)
    return cli_usage_error(call, "--piece is '%s'; it takes bytes, such as 8M", cli_value(call, "piece"));
  return 0;
}

int cluster_failure(const cli_call *call, anorank_status status, const anorank_error *err) {
  return cli_failure(call, status, err);
}
