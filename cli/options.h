/* options.h - the parsed command line. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdio.h>

#include "command.h"
#include "terminal.h"

typedef struct cli_given {
  const char *name;  /* long name of the option */
  const char *value; /* "" for a flag */
} cli_given;

enum { CLI_HELP_NONE = 0, CLI_HELP_SHORT, CLI_HELP_ALL };

struct cli_call {
  const cli_command *command;
  anorank_settings *settings; /* defaults, then settings files and options in the order they were typed */
  const char **positionals;
  size_t positional_count;
  cli_given *given; /* all options in the order typed, including settings */
  size_t given_count;
  cli_given *renamed; /* old names that were typed, with the present ones */
  size_t renamed_count;
  char old_settings[256]; /* likewise of a settings file: "'a' is called 'b', 'c' is called 'd'" */
  int help;               /* CLI_HELP_... */
  int quiet, verbose;
  int json_errors;       /* --json is among the arguments */
  int kinds_fixed;       /* a model or a judgement determines the kinds of columns: changing them does not
                          * help */
  cli_progress progress; /* started by commands that may take long */
};

/* Create the initial settings of a command (NULL: none): the defaults with its changes. */
anorank_settings *cli_settings_new(const cli_command *command);

/* Parse the arguments after the command's name. Returns 0, or the exit code after the message. Free with
 * cli_call_free in both cases. */
int cli_call_parse(cli_call *call, const cli_command *command, int argc, char **argv);
void cli_call_free(cli_call *call);

/* Return the setting that this command takes as an option of that name; NULL if there is none. */
const anorank_setting *cli_find_setting(const cli_command *command, const char *name, size_t length);

/* Return the last value given for an option, NULL if it was not given. */
const char *cli_value(const cli_call *call, const char *name);

/* Return the next value given for an option that may be repeated, from *cursor (start at 0); NULL at the
 * end. */
const char *cli_next_value(const cli_call *call, const char *name, size_t *cursor);

/* Output options of the commands that write text or JSON; cli_wants_json reads them. */
#define CLI_REPORT_OPTIONS                                                                                   \
  {"output-format", 0, "FORMAT", "table|json", "output format"}, {                                           \
    "json", 0, NULL, NULL, "short for --output-format json"                                                  \
  }
int cli_wants_json(const cli_call *call);

/* Print `anorank: MESSAGE` and the hint at --help; returns the exit code for wrong usage. `code` is one of
 * docs/errors.md; --verbose shows it. With --json, or ANORANK_MESSAGES=json in the environment, an error is
 * one line of JSON on standard error instead. */
int cli_usage_error(const cli_call *call, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Print the error of an argument that is not one of the words: `refusal`, the argument in quotes, and the
 * nearest word or `otherwise`. Returns the exit code. */
int cli_unknown_word(const cli_call *call, const char *code, const char *refusal, const char *typed,
                     const char *(*word_at)(size_t i), const char *otherwise);

/* Check that MODEL and FILE, at these positions of the arguments, are not both '-'. Returns 0 or the exit
 * code. */
int cli_check_stdin(const cli_call *call, size_t model, size_t file);

/* Print a failure of the library or of the program itself; returns the exit code. */
int cli_failure(const cli_call *call, anorank_status status, const anorank_error *err);

/* Print a note on standard error, unless --quiet; one line of JSON with ANORANK_MESSAGES=json. */
void cli_note(const cli_call *call, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Return the lines of a terminal that a note needs. */
size_t cli_message_lines(const char *text, size_t columns);

/* Print a message with --verbose only. */
void cli_detail(const cli_call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
