/* json.c - see json.h. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/shortest.h"
#include "text.h"

void cli_json_start(cli_json *json, FILE *stream) {
  memset(json, 0, sizeof *json);
  json->stream = stream;
}

static void break_line(cli_json *json) { fprintf(json->stream, "\n%*s", 2 * json->depth, ""); }

/* What has to stand before the next key or value. */
static void separate(cli_json *json) {
  if (json->after_key) {
    json->after_key = 0;
    return;
  }
  int *filled = &json->filled[json->depth], compact = json->compact[json->depth];
  if (*filled) fputs(compact && !json->tight ? ", " : ",", json->stream);
  if (!compact && json->depth > 0) break_line(json);
  *filled = 1;
}

void cli_json_open(cli_json *json, char bracket, int compact) {
  separate(json);
  fputc(bracket, json->stream);
  int inherited = json->compact[json->depth];
  if (json->depth + 1 < CLI_JSON_DEPTH) json->depth++;
  json->filled[json->depth] = 0;
  json->compact[json->depth] = compact || inherited;
}

void cli_json_close(cli_json *json, char bracket) {
  int broken = json->filled[json->depth] && !json->compact[json->depth];
  json->depth--;
  if (broken) break_line(json);
  fputc(bracket, json->stream);
}

static void write_string(FILE *stream, const char *value) {
  const unsigned char *text = (const unsigned char *)value;
  fputc('"', stream);
  while (*text) {
    size_t length = cli_character_length(text);
    if (*text == '"' || *text == '\\')
      fprintf(stream, "\\%c", *text);
    else if (*text == '\n')
      fputs("\\n", stream);
    else if (*text == '\t')
      fputs("\\t", stream);
    else if (*text < 0x20 || *text == 0x7F)
      fprintf(stream, "\\u%04x", *text);
    else if (length == 0)
      fputs("\\ufffd", stream);
    else if (cli_steers(text))
      fprintf(stream, "\\u%04x",
              length == 2 ? (text[0] & 0x1Fu) << 6 | (text[1] & 0x3Fu)
                          : (text[0] & 0x0Fu) << 12 | (text[1] & 0x3Fu) << 6 | (text[2] & 0x3Fu));
    else
      fwrite(text, 1, length, stream);
    text += length ? length : 1;
  }
  fputc('"', stream);
}

void cli_json_key(cli_json *json, const char *key) {
  separate(json);
  write_string(json->stream, key);
  fputs(json->tight ? ":" : ": ", json->stream);
  json->after_key = 1;
}

void cli_json_number(cli_json *json, double value) {
  char text[ANK_SHORTEST_SIZE];
  separate(json);
  if (isfinite(value))
    fwrite(text, 1, ank_shortest(text, value), json->stream);
  else
    fputs("null", json->stream);
}

void cli_json_integer(cli_json *json, int64_t value) {
  separate(json);
  fprintf(json->stream, "%" PRId64, value);
}

void cli_json_unsigned(cli_json *json, uint64_t value) {
  separate(json);
  fprintf(json->stream, "%" PRIu64, value);
}

void cli_json_boolean(cli_json *json, int value) {
  separate(json);
  fputs(value ? "true" : "false", json->stream);
}

void cli_json_string(cli_json *json, const char *value) {
  separate(json);
  if (value)
    write_string(json->stream, value);
  else
    fputs("null", json->stream);
}

void cli_json_end(cli_json *json) { fputc('\n', json->stream); }

void cli_json_setting(cli_json *json, const anorank_settings *settings, const anorank_setting *setting) {
  const char *name = setting->name;
  char word[64];
  cli_json_key(json, name);
  switch (setting->kind) {
  case ANORANK_SETTING_UNSIGNED:
    cli_json_unsigned(json, (uint64_t)anorank_settings_integer(settings, name));
    break;
  case ANORANK_SETTING_INTEGER:
  case ANORANK_SETTING_BYTES: cli_json_integer(json, anorank_settings_integer(settings, name)); break;
  case ANORANK_SETTING_REAL: cli_json_number(json, anorank_settings_number(settings, name)); break;
  case ANORANK_SETTING_CHOICE:
    anorank_settings_get(settings, name, word, sizeof word);
    cli_json_string(json, word);
    break;
  case ANORANK_SETTING_TEXT:
  case ANORANK_SETTING_LIST: cli_json_string(json, anorank_settings_text(settings, name)); break;
  }
}
