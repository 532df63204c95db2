/* command.h - the description of a command.
 *
 * To add a command: write cli/cmd_NAME.c with a `const cli_command cli_cmd_NAME` and add a line to
 * commands.inc. Parsing, help, manual page, completions and the build use that description and
 * the library's settings table, so a new setting needs no change here.
 *
 * The program uses the public headers of the library. Its shared names begin with cli_. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>

#include "anorank/anorank.h"
#include "anorank/criterion.h"
#include "anorank/experimental.h"
#include "anorank/io.h"
#include "anorank/report.h"

/* The name of the program. */
#define CLI_PROGRAM "anorank"

typedef struct cli_option {
  const char *name;        /* the long option is --name */
  char letter;             /* the short one, 0 for none */
  const char *placeholder; /* the value in help; NULL: a flag; "FILE": completed as a file */
  const char *choices; /* "word|word|...": what the value may be, or CLI_FORMATS_WRITTEN; NULL: anything */
  const char *help;    /* one line, lower case, no full stop */
} cli_option;

/* For `choices`: the formats that are written. */
#define CLI_FORMATS_WRITTEN ">"

enum { CLI_SEVERAL = 2 };

typedef struct cli_positional {
  const char *name; /* upper case */
  const char *help;
  int required;                     /* CLI_SEVERAL: one or more, and no other after it */
  const char *(*word_at)(size_t i); /* the words it may be, NULL past their end; NULL: a file */
} cli_positional;

typedef struct cli_example {
  const char *command;
  const char *what; /* a clause, lower case, no full stop */
} cli_example;

/* Output of a description: a help text or a manual page. */
typedef struct cli_renderer {
  void (*section)(void *context, const char *title);
  void (*entry)(void *context, const char *term, const char *placeholder, const char *text);
  void (*example)(void *context, const char *command, const char *what);
} cli_renderer;

typedef struct cli_call cli_call;

enum { CLI_POSITIONALS = 4, CLI_OPTIONS = 20, CLI_EXAMPLES = 6 };

typedef struct cli_command {
  const char *name;
  const char *summary;     /* one line, lower case, no full stop */
  const char *usage;       /* what follows the name in the synopsis */
  const char *description; /* paragraphs, separated by newlines; the short help has the first alone */
  const char *everyday;    /* names of the options that the short help shows, separated by blanks */
  cli_positional positionals[CLI_POSITIONALS]; /* the last one, like those of the next two, has no name */
  cli_option options[CLI_OPTIONS];
  cli_example examples[CLI_EXAMPLES];
  unsigned settings;  /* ANORANK_FOR_...: the groups of settings it takes as options */
  const char *omit;   /* one setting of those groups that is given another way, or NULL */
  const char *assume; /* changes to the defaults as lines of a settings file, or NULL */
  void (*more)(const cli_renderer *renderer, void *context); /* additional sections, or NULL */
  int hidden;                                                /* left out of lists and completions */
  int (*run)(cli_call *call);                                /* returns the exit code */
} cli_command;

/* Return the i-th command, NULL past the end. */
const cli_command *cli_command_at(size_t i);

/* Return the task under which the overview lists command i; commands of one task are adjacent. */
const char *cli_command_task(size_t i);

const cli_command *cli_command_find(const char *name);

/* Return the names of the commands that are not hidden, NULL past the end: for completion and suggestions. */
const char *cli_command_word(size_t i);

/* -h, -q, -v and --settings: the options that every command takes. */
extern const cli_option cli_common_options[];

/* Return whether the command takes this setting as an option. */
int cli_takes_setting(const cli_command *command, const anorank_setting *setting);

/* One option of a command: from its table, a common one, or a setting. */
typedef struct cli_item {
  const char *name, *placeholder, *choices, *help; /* like cli_option; formats are listed by name */
  char letter;
  int optional;                   /* the value may be omitted, which means "yes" */
  const anorank_setting *setting; /* NULL: not a setting */
} cli_item;

/* Get the i-th option, in this order; 0 past the end. */
int cli_item_at(cli_item *out, const cli_command *command, size_t i);

/* Find an option by name, or by `letter` if that is not 0; returns 0 if there is none. */
int cli_item_find(cli_item *out, const cli_command *command, const char *name, size_t length, char letter);

/* Return the groups of settings in the order of help, with a title each; 0 past the end. */
unsigned cli_group_at(size_t i, const char **title);

/* Return the one group under which this command shows the setting (a setting may belong to several). */
unsigned cli_group_of(const cli_command *command, const anorank_setting *setting);

#endif
