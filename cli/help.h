/* help.h - the help texts, and the walk over a command's description that the manual pages share. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "command.h"

/* Hand every part of the description that both help and manual show to the renderer, in order: arguments,
 * options, settings by group, sections of its own, examples. */
void cli_describe(const cli_command *command, const cli_renderer *renderer, void *context);

/* The help line of a setting with its choices and its default, which may be the command's own (`command` may
 * be NULL). */
void cli_setting_text(char *text, size_t size, const anorank_setting *setting, const cli_command *command);

/* The short help fits on a screen of 80 by 24: the options people use and an example. `all`: everything. */
void cli_print_help(FILE *stream, const cli_command *command, int all);

void cli_describe_exit_codes(const char *title, const cli_renderer *renderer, void *context);

/* Say that there is no such command, and what may be meant; returns the exit code. */
int cli_unknown_command(const char *typed);

/* What `anorank` alone prints; `all` adds the options and the exit codes. */
void cli_print_overview(FILE *stream, int all);

#endif
