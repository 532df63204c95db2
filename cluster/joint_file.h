/* joint_file.h - one file that all processes write, in the order of their pieces; whole or not at all.
 *
 * A plain file is written by all of them at once, each at its own offset, under a temporary name that becomes the
 * right one at the end. Where that cannot be (standard output, a pipe, a compressed file) process 0 writes what the others
 * send it. All functions are collective (team.h). */
#ifndef CLUSTER_JOINT_FILE_H
#define CLUSTER_JOINT_FILE_H

#include "core/scratch_file.h"
#include "team.h"

typedef struct joint_file joint_file;

anorank_status joint_open(joint_file **out, const char *path, anorank_error *err);

/* Can bytes be written again at the beginning? */
int joint_can_patch(const joint_file *file);

/* The bytes of process 0, then those of process 1, ... */
anorank_status joint_append(joint_file *file, const void *bytes, size_t length, anorank_error *err);

/* The same of what each process has in a file of its own, in pieces of a few megabytes. */
anorank_status joint_append_scratch(joint_file *file, const ank_scratch_file *from, anorank_error *err);

/* Process 0 writes these at the beginning, in the place of others. */
anorank_status joint_patch(joint_file *file, const void *bytes, size_t length, anorank_error *err);

anorank_status joint_commit(joint_file *file, anorank_error *err);

/* Without commit before, nothing is left. */
void joint_free(joint_file *file);

/* When a signal ends the program, the temporary file goes with it: safe to call in a handler. What then holds of the output,
 * in words. */
void joint_forsake(void);
extern const char *volatile joint_words;

#endif
