/* messages.c - errors and notes on standard error, as sentences or as lines of JSON. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/print.h"
#include "json.h"
#include "options.h"
#include "terminal.h"
#include "text.h"
#include "width.h"

/* Print `anorank: MESSAGE`; on a terminal, long lines are broken between words. */
enum { PREFIX = sizeof CLI_PROGRAM + 1 }; /* columns of "anorank: " */

static void print_message(const char *style, const char *format, va_list arguments) {
  char text[8 * ANK_SENTENCE_SIZE];
  size_t at = PREFIX, columns = cli_width(stderr);
  ank_vprint(text, sizeof text, format, arguments);
  cli_make_printable(text); /* names of files are as typed */
  cli_progress_clear();
  fprintf(stderr, "%s" CLI_PROGRAM ":%s ", cli_style(stderr, style), cli_style(stderr, CLI_PLAIN));
  for (char *line = text, *next; line; line = next, at = 0) {
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    if (isatty(STDERR_FILENO) && at + cli_text_width(line) > columns)
      cli_wrap(stderr, line, at, 0, columns);
    else
      fprintf(stderr, "%s\n", line);
  }
}

static void print_plain(const char *style, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_message(style, format, arguments);
  va_end(arguments);
}

static int environment_wants_json(void) {
  const char *format = getenv("ANORANK_MESSAGES");
  return format && strcmp(format, "json") == 0;
}

/* Notes are JSON only by environment variable: --json concerns the result and errors. */
static int wants_json_errors(const cli_call *call) {
  return environment_wants_json() || (call && (call->json_errors || cli_wants_json(call)));
}

static void put_error(const anorank_error *err) {
  ank_json json;
  cli_progress_clear();
  cli_json_start(&json, stderr);
  ank_json_open(&json, '{', 1);
  ank_json_open_key(&json, "error", '{', 1);
  ank_json_error(&json, err);
  ank_json_close(&json, '}');
  cli_json_close(&json);
}

static void put_note(const char *code, const char *format, va_list arguments) {
  char text[8 * ANK_SENTENCE_SIZE];
  ank_json json;
  ank_vprint(text, sizeof text, format, arguments);
  cli_progress_clear();
  cli_json_start(&json, stderr);
  ank_json_open(&json, '{', 1);
  ank_json_open_key(&json, "note", '{', 1);
  ank_json_words(&json, "code", code);
  ank_json_words(&json, "message", text);
  ank_json_close(&json, '}');
  cli_json_close(&json);
}

/* Print an error as text or JSON; `text` is its message in terms of the command line. */
static void print_error(const cli_call *call, const anorank_error *err, const char *text) {
  if (wants_json_errors(call))
    put_error(err);
  else if (call && call->verbose)
    print_plain(CLI_ALERT, "%s [%s]", text, err->code);
  else
    print_plain(CLI_ALERT, "%s", text);
}

static int usage_error(const cli_call *call, const anorank_error *err, const char *text) {
  print_error(call, err, text);
  if (wants_json_errors(call)) return ANORANK_ERROR_USAGE;
  if (call && call->command)
    fprintf(stderr, "Try '" CLI_PROGRAM " %s --help'.\n", call->command->name);
  else
    fprintf(stderr, "Try '" CLI_PROGRAM " --help'.\n");
  return ANORANK_ERROR_USAGE;
}

int cli_usage_error(const cli_call *call, const char *code, const char *format, ...) {
  anorank_error err = {.status = ANORANK_ERROR_USAGE};
  va_list arguments;
  va_start(arguments, format);
  ank_vprint(err.message, sizeof err.message, format, arguments);
  va_end(arguments);
  snprintf(err.code, sizeof err.code, "%s", code);
  return usage_error(call, &err, err.message);
}

int cli_unknown_word(const cli_call *call, const char *code, const char *refusal, const char *typed,
                     const char *(*word_at)(size_t i), const char *otherwise) {
  char shown[80], meant[120];
  return cli_usage_error(call, code, "%s '%s'; %s", refusal, cli_printable(shown, sizeof shown, typed),
                         cli_meant(meant, sizeof meant, typed, word_at, otherwise));
}

/* Return whether the message begins with an option of this command by its name, without dashes: "level is
 * 3". */
static int begins_with_setting(const cli_call *call, const anorank_error *err) {
  size_t length = strlen(err->setting);
  return call && call->command && length > 0 && strncmp(err->message, err->setting, length) == 0 &&
         cli_find_setting(call->command, err->setting, length);
}

/* Append the remedies of the library as options of this command: "; pass --missing=n.a. or --drop=amount". */
static void add_remedies(char *text, size_t size, const cli_call *call, const anorank_error *err) {
  const cli_command *command = call ? call->command : NULL;
  char word[4 * sizeof err->remedies + 8];
  const char *quote = strrchr(err->message, '"'), *advice = strstr(quote ? quote : err->message, "; ");
  const char *before = NULL;
  const char *setting, *value;
  size_t used = strlen(text);
  for (size_t k = 0; command && anorank_error_remedy(err, k, &setting, &value); k++) {
    if (!cli_find_setting(command, setting, strlen(setting)) || used >= size) continue;
    if (call->kinds_fixed && strcmp(setting, "categorical") == 0) continue;
    cli_shell_word(word, sizeof word, value);
    int other = strcmp(setting, err->setting) != 0; /* the advice of the message is about something else */
    if (!before) before = !advice ? "; pass" : other ? ", or pass" : ": pass";
    used += (size_t)snprintf(text + used, size - used, "%s --%s=%s", before, setting, word);
    before = " or";
  }
  size_t length = strlen(err->setting);
  if (command && length > 0 && !before && used < size && !begins_with_setting(call, err) &&
      cli_find_setting(command, err->setting, length))
    snprintf(text + used, size - used, " (--%s)", err->setting);
}

int cli_failure(const cli_call *call, anorank_status status, const anorank_error *err) {
  if (status == ANORANK_OK) return 0;
  anorank_error shown = *err;
  shown.status = status;
  if (status == ANORANK_CANCELLED) {
    cli_fail(&shown, status, "cancelled", "cancelled; no file was changed");
    print_error(call, &shown, shown.message);
    return cli_signal_code();
  }
  char text[6 * ANK_SENTENCE_SIZE];
  snprintf(text, sizeof text, "%s%s", begins_with_setting(call, err) ? "--" : "", err->message);
  add_remedies(text, sizeof text, call, err);
  if (status == ANORANK_ERROR_USAGE) return usage_error(call, &shown, text);
  if (status == ANORANK_ERROR_RESOURCES && cli_reader_gone()) return CLI_EXIT_PIPE;
  print_error(call, &shown, text);
  return (int)status;
}

void cli_note(const cli_call *call, const char *code, const char *format, ...) {
  if (call->quiet) return;
  va_list arguments;
  va_start(arguments, format);
  if (environment_wants_json())
    put_note(code, format, arguments);
  else
    print_message(CLI_BOLD, format, arguments);
  va_end(arguments);
}

size_t cli_message_lines(const char *text, size_t columns) {
  return cli_wrap_most(NULL, text, PREFIX, 0, columns, (size_t)-1);
}

void cli_detail(const cli_call *call, const char *format, ...) {
  if (!call->verbose) return;
  va_list arguments;
  va_start(arguments, format);
  print_message(CLI_BOLD, format, arguments);
  va_end(arguments);
}
