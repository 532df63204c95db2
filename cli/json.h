/* json.h - a small JSON writer: commas, indentation and escapes are its business. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "anorank/anorank.h"

enum { CLI_JSON_DEPTH = 16 };

typedef struct cli_json {
  FILE *stream;
  int depth;
  int filled[CLI_JSON_DEPTH];  /* something stands in this object or array already */
  int compact[CLI_JSON_DEPTH]; /* on one line */
  int after_key;
  int tight; /* no blanks: for lines */
} cli_json;

void cli_json_start(cli_json *json, FILE *stream);

/* Objects and arrays; the compact ones are written on one line, with all they hold. */
void cli_json_open(cli_json *json, char bracket, int compact);
void cli_json_close(cli_json *json, char bracket);

void cli_json_key(cli_json *json, const char *key);

/* The shortest digits that read back to the same double; NaN and infinities are null. */
void cli_json_number(cli_json *json, double value);
void cli_json_integer(cli_json *json, int64_t value);
void cli_json_unsigned(cli_json *json, uint64_t value);
void cli_json_boolean(cli_json *json, int value);

/* UTF-8; bytes that are not become U+FFFD. NULL is null. */
void cli_json_string(cli_json *json, const char *value);

/* A setting by its name, as the kind of value it is. */
void cli_json_setting(cli_json *json, const anorank_settings *settings, const anorank_setting *setting);

/* A newline after the outermost value. */
void cli_json_end(cli_json *json);

#endif
