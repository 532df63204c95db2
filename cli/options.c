/* options.c - parse a command's arguments by its table of options and the library's table of settings.
 *
 * Long options are --name=value or --name value; short ones -o value or -ovalue, and flags can share a dash.
 * A yes/no setting may omit its value. "--" ends the options; "-" is an argument. Names are never
 * abbreviated: a script would break when a second option begins with the same letters. Instead the message
 * suggests the intended option. */
#include "options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/nearest_name.h"
#include "core/print.h"
#include "option_hints.h"
#include "text.h"

typedef struct parser {
  cli_call *call;
  int argc;
  char **argv;
  int next;
} parser;

const anorank_setting *cli_find_setting(const cli_command *command, const char *name, size_t length) {
  const anorank_setting *setting;
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++)
    if (strlen(setting->name) == length && strncmp(setting->name, name, length) == 0 &&
        cli_takes_setting(command, setting))
      return setting;
  return NULL;
}

static const char *option_word(const void *context, size_t i) {
  cli_item item;
  return cli_item_at(&item, context, i) ? item.name : NULL;
}

static int unknown_option(const cli_call *call, const char *typed, const char *name, size_t length) {
  char shown[80], word[64];
  cli_printable(shown, sizeof shown, typed);
  snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), name);
  const char *instead = cli_option_instead(name, length);
  if (instead) return cli_usage_error(call, "option-unknown", "unknown option --%s: %s", word, instead);
  const char *nearest = length > 1 ? ank_nearest_name(word, option_word, call->command) : NULL;
  if (nearest)
    return cli_usage_error(call, "option-unknown", "unknown option '%s'; did you mean '--%s'?", shown,
                           nearest);
  const cli_command *other;
  cli_item item;
  for (size_t i = 0; (other = cli_command_at(i)) != NULL; i++)
    if (!other->hidden && length > 1 && cli_item_find(&item, other, name, length, 0))
      return cli_usage_error(call, "option-unknown", "unknown option '%s'; it belongs to 'anorank %s'", shown,
                             other->name);
  return cli_usage_error(call, "option-unknown", "unknown option '%s'", shown);
}

/* Find old names in the lines `name = value` of a settings file. */
static void find_old_names(cli_call *call, const char *text) {
  for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
    char name[64];
    size_t used = strlen(call->old_settings), blanks = strspn(text, " \t\n");
    text += blanks;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " \t=\r\n"), text);
    const anorank_setting *setting = anorank_setting_find(name);
    if (setting && strcmp(setting->name, name) != 0)
      snprintf(call->old_settings + used, sizeof call->old_settings - used, "%s'%s' is called '%s'",
               used > 0 ? ", " : "", name, setting->name);
  }
}

static int read_settings_file(cli_call *call, const char *path) {
  enum { LARGEST = 1 << 20 };
  anorank_error err = {0}, inner = {0};
  char shown[256];
  cli_printable(shown, sizeof shown, path);
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  char *text = cli_allocate(LARGEST, 1);
  size_t length = file ? fread(text, 1, LARGEST, file) : 0;
  anorank_status status = ANORANK_OK;
  if (!file || ferror(file)) {
    status = !file && errno == ENOENT ? ANORANK_ERROR_DATA : ANORANK_ERROR_RESOURCES;
    cli_fail(&err, status, "settings-file-read", "%s: cannot read the settings: %s%s", shown, strerror(errno),
             errno == ENOENT ? "; check the name and the folder" : "");
  } else if (length == LARGEST) {
    status = cli_fail(&err, ANORANK_ERROR_USAGE, "settings-file-size",
                      "%s: is larger than 1 MiB; a settings file has lines of name = value", shown);
  } else if ((status = anorank_settings_parse(call->settings, text, length, &inner)) != ANORANK_OK) {
    err = inner;
    ank_print(err.message, sizeof err.message, "%s: %s", shown, inner.message);
  } else {
    find_old_names(call, text);
  }
  free(text);
  if (file && file != stdin) fclose(file);
  return status == ANORANK_OK ? 0 : cli_failure(call, status, &err);
}

static int is_choice(const char *choices, const char *word) {
  size_t length = strlen(word);
  for (;; choices++) {
    size_t step = strcspn(choices, "|");
    if (step == length && strncmp(choices, word, length) == 0) return 1;
    choices += step;
    if (*choices == '\0') return 0;
  }
}

static int take_option(cli_call *call, const cli_item *item, const char *value) {
  anorank_error err = {0};
  char shown[80];
  if (item->setting) {
    anorank_status status = anorank_settings_set(call->settings, item->name, value, &err);
    if (status != ANORANK_OK) return cli_failure(call, status, &err);
  } else if (item->choices && !is_choice(item->choices, value)) {
    return cli_usage_error(call, "option-value", "--%s is '%s'; it takes one of %s", item->name,
                           cli_printable(shown, sizeof shown, value), item->choices);
  }
  if (strcmp(item->name, "json") == 0) /* the short form */
    call->given[call->given_count++] = (cli_given){"output-format", "json"};
  else
    call->given[call->given_count++] = (cli_given){item->name, value};
  if (item->setting) return 0;
  if (strcmp(item->name, "help") == 0) call->help = CLI_HELP_SHORT;
  if (strcmp(item->name, "quiet") == 0) call->quiet = 1;
  if (strcmp(item->name, "verbose") == 0) call->verbose = 1;
  if (strcmp(item->name, "settings") == 0) return read_settings_file(call, value);
  return 0;
}

/* Handle --help all and -h all: every option. */
static void handle_help_all(parser *p, const char *value) {
  if (p->call->help && (value || p->next < p->argc) && strcmp(value ? value : p->argv[p->next], "all") == 0)
    p->call->help = CLI_HELP_ALL;
}

/* Find an option by its name, or by its old name, with a note. */
static int find_by_name(parser *p, const char *name, size_t length, cli_item *item) {
  const cli_command *command = p->call->command;
  if (cli_item_find(item, command, name, length, 0)) return 1;
  const char *now = cli_current_name(command, name, length);
  if (!now || !cli_item_find(item, command, now, strlen(now), 0)) return 0;
  p->call->renamed[p->call->renamed_count++] = (cli_given){name, now};
  return 1;
}

static int parse_long(parser *p, const char *typed) {
  const char *name = typed + 2;
  size_t length = strcspn(name, "=");
  const char *value = name[length] == '=' ? name + length + 1 : NULL;
  cli_item item;
  if (!find_by_name(p, name, length, &item)) return unknown_option(p->call, typed, name, length);
  if (strcmp(item.name, "help") == 0) {
    p->call->help = CLI_HELP_SHORT;
    handle_help_all(p, value);
    return 0;
  }
  if (!item.placeholder && value)
    return cli_usage_error(p->call, "option-takes-no-value", "--%.*s takes no value", (int)length, name);
  if (item.optional && !value) {
    const char *next = p->next < p->argc ? p->argv[p->next] : "";
    int answered = strcmp(next, "yes") == 0 || strcmp(next, "no") == 0;
    value = answered ? p->argv[p->next++] : "yes";
  }
  if (item.placeholder && !value) {
    if (p->next >= p->argc)
      return cli_usage_error(p->call, "option-needs-value", "--%.*s needs a value: --%.*s %s", (int)length,
                             name, (int)length, name, item.placeholder);
    value = p->argv[p->next++];
  }
  return take_option(p->call, &item, value ? value : "");
}

static int parse_short(parser *p, const char *typed) {
  for (const char *letter = typed + 1; *letter; letter++) {
    cli_item item;
    if (!cli_item_find(&item, p->call->command, NULL, 0, *letter))
      return unknown_option(p->call, typed, typed + 1, strlen(typed + 1));
    const char *value = "";
    if (item.placeholder) {
      if (letter[1])
        value = letter + 1;
      else if (p->next < p->argc)
        value = p->argv[p->next++];
      else
        return cli_usage_error(p->call, "option-needs-value", "-%c needs a value: -%c %s", *letter, *letter,
                               item.placeholder);
    }
    int code = take_option(p->call, &item, value);
    handle_help_all(p, letter[1] ? letter + 1 : NULL);
    if (code != 0 || item.placeholder) return code;
  }
  return 0;
}

static int check_positionals(const cli_call *call) {
  char shown[80];
  size_t known = 0;
  int several = 0;
  for (const cli_positional *one = call->command->positionals; one->name; one++, known++) {
    several |= one->required == CLI_SEVERAL;
    if (one->required && known >= call->positional_count)
      return cli_usage_error(call, "argument-missing", "missing argument %s: %s %s %s", one->name,
                             CLI_PROGRAM, call->command->name, call->command->usage);
  }
  if (call->positional_count > known && !several)
    return cli_usage_error(call, "argument-extra", "unexpected argument '%s'",
                           cli_printable(shown, sizeof shown, call->positionals[known]));
  return 0;
}

/* Old names keep working, with one note. */
static void note_renamed(const cli_call *call) {
  for (size_t i = 0; i < call->renamed_count; i++) {
    const cli_given *one = &call->renamed[i];
    int before = 0;
    for (size_t j = 0; j < i; j++) before |= strcmp(call->renamed[j].value, one->value) == 0;
    if (!before)
      cli_note(call, "option-renamed", "--%.*s is now --%s; the old name still works",
               (int)strcspn(one->name, "="), one->name, one->value);
  }
  if (*call->old_settings)
    cli_note(call, "option-renamed", "settings file: %s; the old names still work", call->old_settings);
}

anorank_settings *cli_settings_new(const cli_command *command) {
  anorank_settings *settings = NULL;
  anorank_error err = {0};
  const char *assumed = command && command->assume ? command->assume : "";
  anorank_status status = anorank_settings_new(&settings, NULL, &err);
  if (status == ANORANK_OK) status = anorank_settings_parse(settings, assumed, strlen(assumed), &err);
  if (status == ANORANK_OK) return settings;
  exit(cli_failure(NULL, status, &err)); /* like cli_allocate: no work has been done yet */
}

int cli_call_parse(cli_call *call, const cli_command *command, int argc, char **argv) {
  parser p = {call, argc, argv, 0};
  int options_ended = 0, code = 0;
  memset(call, 0, sizeof *call);
  call->command = command;
  call->settings = cli_settings_new(command);
  for (int i = 0; i < argc; i++)
    call->json_errors |= strcmp(argv[i], "--json") == 0; /* for errors in arguments before it, too */
  call->positionals = cli_allocate((size_t)argc + 1, sizeof *call->positionals);
  /* "-qv" is one argument and two options. */
  size_t most = 1;
  for (int i = 0; i < argc; i++) most += strlen(argv[i]) + 1;
  call->given = cli_allocate(most, sizeof *call->given);
  call->renamed = cli_allocate((size_t)argc + 1, sizeof *call->renamed);
  while (code == 0 && !call->help && p.next < argc) {
    const char *typed = argv[p.next++];
    if (options_ended || typed[0] != '-' || typed[1] == '\0')
      call->positionals[call->positional_count++] = typed;
    else if (strcmp(typed, "--") == 0)
      options_ended = 1;
    else
      code = typed[1] == '-' ? parse_long(&p, typed) : parse_short(&p, typed);
  }
  if (code == 0 && !call->help) code = check_positionals(call);
  if (code == 0) note_renamed(call);
  return code;
}

void cli_call_free(cli_call *call) {
  anorank_settings_free(call->settings);
  free(call->positionals);
  free(call->given);
  free(call->renamed);
}

const char *cli_value(const cli_call *call, const char *name) {
  for (size_t i = call->given_count; i-- > 0;)
    if (strcmp(call->given[i].name, name) == 0) return call->given[i].value;
  return NULL;
}

const char *cli_next_value(const cli_call *call, const char *name, size_t *cursor) {
  while (*cursor < call->given_count) {
    const cli_given *one = &call->given[(*cursor)++];
    if (strcmp(one->name, name) == 0) return one->value;
  }
  return NULL;
}

int cli_wants_json(const cli_call *call) {
  const char *format = cli_value(call, "output-format");
  return format && strcmp(format, "json") == 0;
}

int cli_check_stdin(const cli_call *call, size_t model, size_t file) {
  if (strcmp(call->positionals[model], "-") != 0 || strcmp(call->positionals[file], "-") != 0) return 0;
  return cli_usage_error(call, "stdin-twice",
                         "MODEL and FILE cannot both read standard input; name a file for one of them");
}
