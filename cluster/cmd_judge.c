/* cmd_judge.c - anorank-mpi judge SCORES --contrast SCORES_U: reading and sorting by many processes, the verdict by one.
 *
 * The verdict depends on the order of the scores alone, so process 0 makes it of numbers that are in that order (pooled_order.h): the
 * same sums in the same order as one process has, and so the same bytes. With --against or --labels, rows must be kept
 * together: then process 0 does it all. */
#include <math.h>
#include <string.h>

#include "commands.h"
#include "judge.h"
#include "pieces.h"
#include "pooled_order.h"

extern const cli_command cli_cmd_judge;

/* One file of scores, a part of it on each process. */
typedef struct sample {
  numbers scores;
  uint64_t rows, missing, first; /* of all processes: without a value, and the first of these, from 1 */
} sample;

static anorank_status add_block(sample *to, const anorank_table *block, size_t column, uint64_t first_row,
                                int turn, anorank_error *err) {
  size_t rows = anorank_table_rows(block), from = to->scores.count;
  const double *values = anorank_table_numbers(block, column);
  for (size_t i = 0; i < rows; i++)
    if (isnan(values[i]) && to->missing++ == 0) to->first = first_row + i + 1;
  anorank_status status = numbers_add(&to->scores, values, rows, err);
  for (size_t i = from; turn && status == ANORANK_OK && i < to->scores.count; i++)
    to->scores.value[i] = -to->scores.value[i];
  return status;
}

static anorank_status read_blocks(sample *to, pieces *input, size_t column, int turn, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (int more = 1; status == ANORANK_OK && more;) {
    const anorank_table *block;
    uint64_t first_row = 0;
    status = pieces_next(input, &block, &first_row, &more, err);
    if (status == ANORANK_OK && block) status = add_block(to, block, column, first_row, turn, err);
    if (more) status = team_agree(status, err);
  }
  if (status != ANORANK_OK) return status;
  uint64_t mine = to->missing ? to->first : UINT64_MAX;
  MPI_Allreduce(&mine, &to->first, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  to->missing = team_sum(to->missing);
  to->rows = team_sum(to->scores.count);
  return status;
}

static int read_sample(sample *to, cli_scores *named, cli_call *call, const char *path, const char *wanted,
                       int must) {
  anorank_error err = {0};
  pieces *input = NULL;
  size_t column = 0;
  int code = 0, turn = cli_value(call, "higher-is-abnormal") != NULL;
  anorank_status status = pieces_open(&input, path, cluster_piece(call), call->settings, &err);
  if (status == ANORANK_OK) code = cli_judge_column(call, pieces_schema(input), path, wanted, must, &column);
  if (status == ANORANK_OK && code == 0) {
    cli_judge_name(named, path, anorank_table_name(pieces_schema(input), column));
    status = read_blocks(to, input, column, turn, &err);
  }
  if (status == ANORANK_OK && code == 0)
    code = cli_judge_enough(call, named, path, (size_t)to->rows, (size_t)to->missing, (size_t)to->first);
  pieces_free(input);
  named->rows = (size_t)to->rows;
  return status != ANORANK_OK ? cluster_failure(call, status, &err) : code;
}

static int judge_together(cli_call *call) {
  anorank_error err = {0};
  cli_verdict verdict;
  sample x = {.rows = 0}, u = {.rows = 0};
  const char *column = cli_value(call, "column");
  memset(&verdict, 0, sizeof verdict);
  int code = cli_judge_begin(call);
  if (code == 0) code = cli_judge_check(call);
  if (code == 0) code = read_sample(&x, &verdict.x, call, call->positionals[0], column, 1);
  if (code == 0)
    code = read_sample(&u, &verdict.u, call, cli_value(call, "contrast"), column ? column : verdict.x.column,
                       column != NULL);
  if (code == 0) code = cluster_failure(call, pooled_order(&x.scores, &u.scores, call->settings, &err), &err);
  verdict.x.values = x.scores.value;
  verdict.u.values = u.scores.value;
  if (team_rank == 0) code = cli_judge_end(&verdict, call, code);
  team_wait();
  numbers_free(&x.scores);
  numbers_free(&u.scores);
  return code;
}

int cluster_judge(cli_call *call) {
  const char *contrast = cli_value(call, "contrast");
  int code = cluster_check_input(call, call->positionals[0]);
  if (code == 0 && contrast) code = cluster_check_input(call, contrast);
  if (code != 0) return code;
  if (!cli_value(call, "against") && !cli_value(call, "labels")) return judge_together(call);
  if (team_rank == 0) code = cli_cmd_judge.run(call);
  team_wait();
  return code;
}
