/* help.h - the help texts, and the walk over a command's description that the manual pages share. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "command.h"

/* Pass the parts of the description that help and manual share to the renderer, in order: arguments, options,
 * settings by group, additional sections. */
void cli_describe(const cli_command *command, const cli_renderer *renderer, void *context);

/* Pass the examples to the renderer, as a section. */
void cli_describe_examples(const cli_command *command, const cli_renderer *renderer, void *context);

/* Write the help line of a setting with its choices and its default; `command` (may be NULL) can change the
 * default. */
void cli_setting_text(char *text, size_t size, const anorank_setting *setting, const cli_command *command);

/* Print help. The short form has examples and common options and fits on a screen of 80 by 24; `all`: every
 * option. */
void cli_print_help(FILE *stream, const cli_command *command, int all);

void cli_describe_exit_codes(const char *title, const cli_renderer *renderer, void *context);

/* Print the error of an unknown command, with a suggestion; returns the exit code. */
int cli_unknown_command(const char *typed);

/* Print the output of `anorank` without arguments; `all` adds the options and the exit codes. */
void cli_print_overview(FILE *stream, int all);
void cli_print_version(FILE *stream);

#endif
