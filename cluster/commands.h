/* commands.h - the commands of anorank-mpi: those of the command line with the same options, run by many processes. */
#ifndef CLUSTER_COMMANDS_H
#define CLUSTER_COMMANDS_H

#include "options.h"
#include "team.h"

/* Once, before anything is parsed. */
void cluster_commands_make(void);

/* The value of an option in bytes ("8M"); 0: it is none. */
uint64_t cluster_bytes(const cli_call *call, const char *option, uint64_t otherwise);

/* Bytes of the file that a process takes at a time (--piece); at most 1 TiB. */
uint64_t cluster_piece(const cli_call *call);

/* The model file of process 0, for all. */
anorank_status cluster_load_model(anorank_model **out, const char *path, anorank_error *err);

/* The model of process 0, for those that have none yet; `name` for messages. */
anorank_status cluster_share_model(anorank_model **model, const char *name, anorank_error *err);

/* What must hold of an input: it has a name, where there are several processes. */
int cluster_check_input(const cli_call *call, const char *path);

/* The exit code of what all have agreed on; process 0 says it. */
int cluster_failure(const cli_call *call, anorank_status status, const anorank_error *err);

int cluster_fit(cli_call *call);
int cluster_score(cli_call *call);
int cluster_rank(cli_call *call);
int cluster_detect(cli_call *call);
int cluster_judge(cli_call *call);

#endif
