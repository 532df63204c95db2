/* main.c - anorank-mpi: the large jobs of anorank by many processes, on one machine or many.
 *
 * All processes parse the same arguments and come to the same exit code; process 0 alone speaks. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "help.h"
#include "joint_file.h"
#include "names.h"
#include "result_file.h"
#include "text.h"

static int loud = STDERR_FILENO; /* standard error, also where this process is quiet */
static int
    *spoken; /* shared by the processes on the machine of process 0; NULL: not known yet, or elsewhere */
static int settled;        /* who shares it is known */
static int neighbours = 1; /* processes on this machine */

static void say(const char *text) { (void)!write(loud, text, strlen(text)); }

/* Whoever comes first speaks for all: the one that died may be process 0, and a process that nobody has waited for yet looks
 * alive. While MPI starts, processes 0 and 1 may both speak: twice is better than not at all. */
static int speaks(void) {
  if (spoken) return __atomic_exchange_n(spoken, 1, __ATOMIC_ACQ_REL) == 0;
  return settled ? team_rank == 0 : team_rank <= 1;
}

/* mpirun sends SIGTERM to all when one of them has died, and SIGKILL soon after: no time for anything else. */
static void on_signal(int number) {
  joint_forsake();
  if (speaks()) {
    say(CLI_PROGRAM ": stopped; ");
    say(joint_words);
    say("\n");
  }
  _exit(128 + number);
}

/* Memory that the processes of a machine share; without it, process 0 speaks. */
static MPI_Win share_voice(void) {
  MPI_Comm here;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Aint size = 0;
  int unit = 0, first = team_rank == 0, number = 0, *voice = NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, team_rank, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &neighbours);
  MPI_Comm_rank(here, &number);
  MPI_Bcast(&first, 1, MPI_INT, 0, here); /* process 0 is the first of its machine */
  MPI_Comm_set_errhandler(here, MPI_ERRORS_RETURN);
  if (MPI_Win_allocate_shared(number == 0 ? (MPI_Aint)sizeof *voice : 0, (int)sizeof *voice, MPI_INFO_NULL,
                              here, &voice, &window) != MPI_SUCCESS)
    window = MPI_WIN_NULL;
  if (window != MPI_WIN_NULL && MPI_Win_shared_query(window, 0, &size, &unit, &voice) == MPI_SUCCESS) {
    if (number == 0) *voice = 0;
    MPI_Barrier(here);
    if (first) spoken = voice;
  }
  settled = 1;
  MPI_Comm_free(&here);
  return window;
}

static void install_signals(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_signal;
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) sigaction(signals[i], &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* becomes a failed write */
}

/* Standard output and standard error are those of process 0. */
static void be_quiet(void) {
  int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept >= 0) loud = kept;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  (void)dup2(nowhere, STDOUT_FILENO);
  (void)dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

/* As many threads as there are processors for each process of this machine, unless the user says. */
static int set_threads(cli_call *call) {
  anorank_error err = {0};
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (cli_value(call, "threads") || !anorank_setting_find("threads")) return 0;
  long threads = processors / neighbours > 1 ? processors / neighbours : 1;
  return cli_failure(call, anorank_settings_set_integer(call->settings, "threads", threads, &err), &err);
}

static const char *command_word(const void *context, size_t i) {
  (void)context;
  return cli_command_word(i);
}

static int unknown_command(const char *typed) {
  char shown[80];
  cli_printable(shown, sizeof shown, typed);
  const char *nearest = cli_nearest(typed, command_word, NULL);
  if (typed[0] == '-')
    return cli_usage_error(NULL, "unknown option '%s' before a command; options come after it", shown);
  if (nearest) return cli_usage_error(NULL, "unknown command '%s'; did you mean '%s'?", shown, nearest);
  return cli_usage_error(NULL, "unknown command '%s'; one process, 'anorank', has all of them", shown);
}

/* Machines may see other folders and files: the largest code is everybody's. */
static int agreed(int code) { return (int)team_most((uint64_t)code); }

/* mpirun makes standard output of process 0 a terminal, whatever its own is: findings go there as into a pipe. */
static int parse(cli_call *call, const cli_command *command, int argc, char **argv) {
  int code = cli_call_parse(call, command, argc, argv);
  const char *output = cli_value(call, "output");
  int findings = strcmp(command->name, "rank") == 0 || strcmp(command->name, "detect") == 0;
  if (code != 0 || call->help || !findings || cli_value(call, "output-format") ||
      (output && strcmp(output, "-") != 0))
    return code;
  static char csv[] = "--output-format=csv"; /* the call keeps a pointer into it */
  char **longer = cli_allocate((size_t)argc + 1, sizeof *longer);
  longer[0] = csv;
  if (argc > 0) memcpy(longer + 1, argv, (size_t)argc * sizeof *longer);
  cli_call_free(call);
  *call = (cli_call){0};
  code = cli_call_parse(call, command, argc + 1, longer);
  free(longer);
  return code;
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_call call = {0};
  int code = agreed(parse(&call, command, argc, argv));
  if (code == 0 && call.help) {
    cli_print_help(stdout, command, call.help == CLI_HELP_ALL);
  } else if (code == 0) {
    code = agreed(set_threads(&call));
    if (code == 0 && !cli_value(&call, "part-size"))
      code = agreed(team_rank == 0 ? cli_output_check(&call) : 0);
    if (code == 0) code = command->run(&call);
  }
  cli_call_free(&call);
  return code;
}

static void print_overview(void) {
  const cli_command *command;
  printf("anorank-mpi runs the large jobs of anorank on many processes and machines, with the same bytes:\n\n"
         "  mpirun -n 4 anorank-mpi score MODEL FILE -o SCORES\n\nCommands:\n");
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    printf("  %-11s %s\n", command->name, command->summary);
}

int main(int argc, char **argv) {
  int code = 0;
  cli_streams_open();
  const char *number = getenv("OMPI_COMM_WORLD_RANK"); /* for who is stopped while it starts */
  if (number) team_rank = atoi(number);
  install_signals();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &team_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &team_size);
  MPI_Win voice = share_voice();
  setenv("NO_COLOR", "1", 1); /* mpirun makes standard output a terminal, whatever its own is */
  if (team_rank > 0) be_quiet();
  cluster_commands_make();
  const char *first = argc > 1 ? argv[1] : "--help";
  const cli_command *command = cli_command_find(first);
  if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
    print_overview();
  else if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0)
    printf(CLI_PROGRAM " %s\n", anorank_version());
  else
    code = command ? run(command, argc - 2, argv + 2) : unknown_command(first);
  int written = cli_finish_output();
  if (code == 0) code = written;
  /* mpirun ends all as soon as one has another exit code than 0: process 0 has it, and what it sends then is no news. */
  signal(SIGTERM, SIG_IGN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (voice != MPI_WIN_NULL) MPI_Win_free(&voice);
  MPI_Finalize();
  return team_rank == 0 ? code : 0;
}
