/* json.h - the library's JSON writer on a stream. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdio.h>

#include "anorank/criterion.h"
#include "core/json_writer.h"
#include "report/result_json.h"

typedef ank_json cli_json;

void cli_json_start(cli_json *json, FILE *stream);

static inline void cli_json_open(cli_json *json, char bracket, int compact) {
  ank_json_open(json, bracket, compact);
}
static inline void cli_json_close(cli_json *json, char bracket) { ank_json_close(json, bracket); }
static inline void cli_json_key(cli_json *json, const char *key) { ank_json_key(json, key); }
static inline void cli_json_number(cli_json *json, double value) { ank_json_number(json, value); }
static inline void cli_json_integer(cli_json *json, int64_t value) { ank_json_integer(json, value); }
static inline void cli_json_unsigned(cli_json *json, uint64_t value) { ank_json_unsigned(json, value); }
static inline void cli_json_boolean(cli_json *json, int value) { ank_json_boolean(json, value); }
static inline void cli_json_string(cli_json *json, const char *value) { ank_json_string(json, value); }
static inline void cli_json_end(cli_json *json) { ank_json_end(json); }

/* A key and its value. */
static inline void cli_json_field(cli_json *json, const char *key, double value) {
  ank_json_field(json, key, value);
}
static inline void cli_json_count(cli_json *json, const char *key, size_t value) {
  ank_json_count(json, key, value);
}
static inline void cli_json_text(cli_json *json, const char *key, const char *value) {
  ank_json_words(json, key, value);
}
static inline void cli_json_interval(cli_json *json, const char *key, anorank_interval value) {
  ank_json_interval(json, key, value);
}

#endif
