/* score_handler.c - score and rank requests: the results of `anorank score` and `anorank rank`, bit for bit, with the
 * body of a request as the file and its query parameters as the options. */
#include <stdlib.h>
#include <string.h>

#include "core/ascii.h"
#include "json.h"
#include "service.h"

static const char body_name[] = "the request"; /* what messages call it */

enum {
  BYTES_IN_MEMORY = 4, /* of the table, for each byte of the body */
  FINDINGS = 8192      /* rows of a ranking that are written at a time */
};

/* ---- formats ----------------------------------------------------------------------------------------- */

static const char *const types[SERVE_FORMATS] = {"text/csv; charset=utf-8",
                                                 "text/tab-separated-values; charset=utf-8",
                                                 "application/x-ndjson", "application/json"};
static const char *const written_as[SERVE_FORMATS] = {"csv", "tsv", "jsonl", "jsonl"};

/* Whether the value of Content-Type or Accept begins with this type. */
static int is_type(const char *value, const char *type) {
  size_t length = strlen(type);
  return value && ank_same_start(value, type, length) &&
         (value[length] == '\0' || strchr("; \t,", value[length]));
}

/* JSON is detected by its first byte; delimited formats by the headers of the request. */
static serve_format format_of_body(const serve_request *request) {
  unsigned char first[64];
  size_t got = serve_spool_peek(&request->body, first, sizeof first), i = 0;
  if (got >= 3 && memcmp(first, "\xEF\xBB\xBF", 3) == 0) i = 3;
  while (i < got && strchr(" \t\r\n", first[i])) i++;
  const char *type = serve_header(request, "Content-Type");
  if (is_type(type, "text/csv")) return SERVE_CSV;
  if (is_type(type, "text/tab-separated-values")) return SERVE_TSV;
  if (i < got && first[i] == '[') return SERVE_ARRAY;
  if (i < got && first[i] == '{') return SERVE_LINES;
  return is_type(type, "application/json") || is_type(type, "application/x-ndjson") ? SERVE_LINES : SERVE_CSV;
}

static serve_format format_of_answer(const serve_request *request, serve_format body) {
  const char *accept = serve_header(request, "Accept");
  if (is_type(accept, "text/csv")) return SERVE_CSV;
  if (is_type(accept, "text/tab-separated-values")) return SERVE_TSV;
  if (is_type(accept, "application/x-ndjson")) return SERVE_LINES;
  if (is_type(accept, "application/json")) return SERVE_ARRAY;
  return body;
}

static int check_type(const serve_request *request, serve_reply *reply) {
  static const char *const known[] = {"text/csv",
                                      "text/tab-separated-values",
                                      "application/json",
                                      "application/x-ndjson",
                                      "application/jsonl",
                                      "text/plain",
                                      "application/octet-stream",
                                      "application/x-www-form-urlencoded"}; /* what curl says of any body */
  const char *type = serve_header(request, "Content-Type");
  unsigned char first[4];
  size_t got = serve_spool_peek(&request->body, first, sizeof first);
  int fine = !type;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) fine |= is_type(type, known[i]);
  /* the library would unpack it, to any size */
  if (got >= 2 &&
      (memcmp(first, "\x1F\x8B", 2) == 0 || (got == 4 && memcmp(first, "\x28\xB5\x2F\xFD", 4) == 0)))
    serve_problem(reply, 415, "request-body-compressed",
                  "compressed bodies are not supported; send the body uncompressed");
  else if (!fine)
    serve_problem(reply, 415, "request-content-type",
                  "unsupported Content-Type; use text/csv, text/tab-separated-values, application/json or "
                  "application/x-ndjson");
  return reply->status == 0;
}

/* ---- parameters -------------------------------------------------------------------------------------- */

int serve_route_takes(serve_route route, const anorank_setting *setting) {
  static const char *const kept_back[] = {
      "max-memory", "input-format", "block-rows",  "bad-rows",
      "sheet",      "array",        "expect-every"}; /* responses list rows alone */
  unsigned groups = ANORANK_FOR_READ | ANORANK_FOR_RESULT;
  for (size_t i = 0; i < sizeof kept_back / sizeof kept_back[0]; i++)
    if (strcmp(setting->name, kept_back[i]) == 0) return 0;
  if (route == SERVE_ROUTE_RANK) groups |= ANORANK_FOR_RANKING;
  return (setting->applies_to & groups) != 0;
}

/* A request in progress. */
typedef struct job {
  serve_service *service;
  serve_request *request;
  serve_reply *reply;
  serve_model *model;
  serve_format in, out;
  const anorank_settings *read, *score; /* the model's, or the request's own */
  anorank_settings *own_read, *own_score;
  anorank_error err;
  int full;     /* the answer found no room */
  int open_row; /* JSON array: something stands in it */
} job;

static int past_deadline(void *context) {
  const job *work = context;
  return atomic_load(&work->service->hurry) || serve_clock() > work->request->deadline;
}

static anorank_status set_parameter(job *work, const serve_pair *one) {
  const anorank_setting *setting = anorank_setting_find(one->name);
  if (setting && serve_route_takes(work->request->route, setting))
    return anorank_settings_set(work->own_score, one->name, one->value, &work->err);
  serve_problem(work->reply, 400, "request-parameter",
                "unknown parameter '%.60s'; /openapi.json lists the valid ones", one->name);
  return ANORANK_ERROR_USAGE;
}

/* Settings of the request, if it has parameters or can be cancelled. */
static anorank_status make_settings(job *work) {
  const serve_request *request = work->request;
  work->read = work->model->read[work->in];
  work->score = work->model->score;
  if (request->parameter_count == 0 && !serve_is_long(request)) return ANORANK_OK;
  anorank_status status = anorank_settings_new(&work->own_score, work->score, &work->err);
  for (size_t i = 0; i < request->parameter_count && status == ANORANK_OK; i++)
    status = set_parameter(work, &request->parameters[i]);
  if (status != ANORANK_OK) return status;
  anorank_settings_on_stop(work->own_score, past_deadline, work);
  status = anorank_settings_new(&work->own_read, work->own_score, &work->err);
  if (status == ANORANK_OK)
    status = anorank_settings_set(work->own_read, "input-format", written_as[work->in], &work->err);
  if (status == ANORANK_OK)
    status = anorank_settings_prepare_reading(work->own_read, work->model->model, &work->err);
  anorank_settings_on_stop(work->own_read, past_deadline, work);
  work->read = work->own_read;
  work->score = work->own_score;
  return status;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static int put(job *work, const void *bytes, size_t length) {
  if (serve_spool_append(&work->reply->body, bytes, length) == 0) return 0;
  work->full = 1;
  return -1;
}

/* anorank_write: lines of JSON become elements of an array. */
static int put_written(void *context, const void *bytes, size_t length) {
  job *work = context;
  const char *at = bytes, *end = at + length;
  if (work->out != SERVE_ARRAY) return put(work, bytes, length);
  while (at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t run = (size_t)((newline ? newline : end) - at);
    /* open_row: 0 nothing yet, 1 within a row, 2 between two */
    if (run > 0 && work->open_row != 1 && put(work, work->open_row ? ",\n" : "[\n", 2) != 0) return -1;
    if (run > 0) work->open_row = 1;
    if (put(work, at, run) != 0) return -1;
    if (newline) work->open_row = 2;
    at += run + (newline ? 1 : 0);
  }
  return 0;
}

static anorank_status end_array(job *work) {
  if (work->out != SERVE_ARRAY) return ANORANK_OK;
  int failed = work->open_row ? put(work, "\n]\n", 3) : put(work, "[]\n", 3);
  return failed ? ANORANK_ERROR_RESOURCES : ANORANK_OK;
}

static int is_delimited(serve_format format) { return format == SERVE_CSV || format == SERVE_TSV; }

static anorank_status too_many_rows(job *work) {
  serve_problem(work->reply, 413, "request-row-count", "the body has more than %zu rows; send it in parts",
                work->service->options->max_rows);
  return ANORANK_ERROR_DATA;
}

/* ---- scores ------------------------------------------------------------------------------------------ */

static anorank_status score_block(job *work, anorank_writer *writer, const anorank_table *block) {
  anorank_table *result = NULL;
  anorank_status status = anorank_model_score_table(&result, work->model->model, block, work->reply->rows + 1,
                                                    work->score, &work->err);
  if (status == ANORANK_OK)
    serve_count_p_values(&work->request->slot->metrics,
                         anorank_table_numbers(result, anorank_table_columns(result) - 1),
                         anorank_table_rows(result));
  if (status == ANORANK_OK && is_delimited(work->out))
    status = anorank_table_escape_formulas(result, &work->err);
  if (status == ANORANK_OK) status = anorank_writer_append(writer, result, &work->err);
  anorank_table_free(result);
  work->reply->rows += anorank_table_rows(block);
  return status == ANORANK_OK && past_deadline(work) ? ANORANK_CANCELLED : status;
}

/* The body, from its first byte. */
static anorank_source body_of(job *work) {
  serve_spool *body = &work->request->body;
  body->taken = 0;
  if (body->file >= 0) return (anorank_source){.read = serve_spool_read, .context = body, .name = body_name};
  return (anorank_source){.bytes = body->bytes ? (const void *)body->bytes : "",
                          .length = (size_t)body->length,
                          .name = body_name};
}

static anorank_status read_table(job *work, anorank_table **table) {
  anorank_source body = body_of(work);
  anorank_status status = anorank_table_read(table, &body, work->read, &work->err);
  if (status == ANORANK_OK && anorank_table_rows(*table) > work->service->options->max_rows)
    status = too_many_rows(work);
  return status;
}

/* Rows are compared with earlier ones: the request is one table, in any order, and starts from the model's state. */
static int has_context(const job *work) {
  const anorank_settings *fitted = anorank_model_settings(work->model->model);
  return *anorank_settings_text(fitted, "by") || *anorank_settings_text(fitted, "time");
}

static anorank_status open_writer(job *work, anorank_writer **writer) {
  return anorank_writer_open(writer, ANORANK_TO_CALLBACK(put_written, work, "the answer"),
                             written_as[work->out], &work->err);
}

static anorank_status score_whole(job *work, anorank_writer *writer) {
  anorank_table *table = NULL;
  anorank_status status = read_table(work, &table);
  if (status == ANORANK_OK) status = score_block(work, writer, table);
  anorank_table_free(table);
  return status;
}

static anorank_status score_blocks(job *work, anorank_writer *writer) {
  anorank_reader *reader = NULL;
  const anorank_table *block = NULL;
  anorank_source body = body_of(work);
  anorank_status status = anorank_reader_open(&reader, &body, work->read, &work->err);
  while (status == ANORANK_OK) {
    status = anorank_reader_next(reader, &block, &work->err);
    if (status != ANORANK_OK || !block) break;
    if (anorank_table_rows(block) > work->service->options->max_rows - work->reply->rows)
      status = too_many_rows(work);
    else
      status = score_block(work, writer, block);
    anorank_reader_reset_levels(reader);
  }
  if (status == ANORANK_OK && work->reply->rows == 0)
    status = score_block(work, writer, anorank_reader_schema(reader));
  anorank_reader_free(reader);
  return status;
}

static anorank_status score(job *work) {
  anorank_writer *writer = NULL;
  anorank_status status = open_writer(work, &writer);
  if (status == ANORANK_OK)
    status = has_context(work) ? score_whole(work, writer) : score_blocks(work, writer);
  if (status == ANORANK_OK) status = anorank_writer_commit(writer, &work->err);
  anorank_writer_free(writer);
  return status == ANORANK_OK ? end_array(work) : status;
}

/* ---- ranks ------------------------------------------------------------------------------------------- */

/* `,"tier":"rest","reasons":[...]}` and the end of the line. */
static int put_reasons(job *work, const anorank_ranking *ranking, size_t i) {
  char *text = NULL;
  size_t size = 0;
  ank_json json;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return -1;
  fprintf(stream, ",\"tier\":\"%s\",\"reasons\":", ank_json_tier(anorank_ranking_at(ranking, i)->tier));
  cli_json_start(&json, stream);
  json.tight = 1;
  ank_json_reasons(&json, NULL, ranking, i, 1);
  fputs("}\n", stream);
  int failed = fclose(stream) != 0 || put_written(work, text, size) != 0;
  free(text);
  return failed ? -1 : 0;
}

/* Lines as the table's writer has them, with the reasons as data at their end: as `rank --output-format
 * jsonl` writes. */
static anorank_status put_findings(job *work, const anorank_ranking *ranking, const anorank_table *findings) {
  unsigned char *bytes = NULL;
  size_t length = 0, count = anorank_ranking_get_info(ranking)->count, at = 0;
  anorank_status status =
      anorank_table_write(findings, ANORANK_TO_MEMORY(&bytes, &length, NULL), "jsonl", &work->err);
  for (size_t i = 0; i < count && status == ANORANK_OK; i++) {
    const unsigned char *newline = memchr(bytes + at, '\n', length - at);
    size_t end = newline ? (size_t)(newline - bytes) : at;
    /* without the brace that closes the object */
    if (end == at || put_written(work, bytes + at, end - at - 1) != 0 || put_reasons(work, ranking, i) != 0)
      status = ANORANK_ERROR_RESOURCES;
    at = end + 1;
  }
  anorank_bytes_free(bytes);
  return status;
}

/* The headline goes into a response header, because the body holds rows in every format. Headers are ASCII: other characters are
 * escaped, with two escapes beyond U+FFFF. */
static void put_headline(serve_reply *reply, const anorank_ranking *ranking) {
  char *text = NULL;
  size_t size = 0, used = 0;
  ank_json json;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return;
  cli_json_start(&json, stream);
  json.tight = 1;
  ank_json_headline(&json, NULL, ranking);
  if (fclose(stream) == 0)
    for (size_t at = 0; at < size && used + 16 < sizeof reply->headline;) {
      const unsigned char *c = (const unsigned char *)text + at;
      unsigned code = *c < 0x80 ? *c : *c < 0xE0 ? *c & 0x1Fu : *c < 0xF0 ? *c & 0x0Fu : *c & 0x07u;
      size_t length = *c < 0x80 ? 1 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : 4;
      char *to = reply->headline + used;
      for (size_t k = 1; k < length; k++) code = code << 6 | (c[k] & 0x3Fu);
      if (code > 0xFFFF)
        used += (size_t)sprintf(to, "\\u%04x\\u%04x", 0xD7C0u + (code >> 10), 0xDC00u + (code & 0x3FFu));
      else if (code >= 0x7F)
        used += (size_t)sprintf(to, "\\u%04x", code);
      else if (code >= ' ')
        reply->headline[used++] = (char)code;
      at += length;
    }
  reply->headline[used] = '\0';
  free(text);
}

/* Append rows to the response. `writer` is NULL for JSON. */
static anorank_status put_ranking(job *work, anorank_writer *writer, const anorank_ranking *ranking,
                                  const anorank_table *table) {
  anorank_table *findings = NULL;
  const char *keep = anorank_settings_text(work->score, "keep");
  anorank_status status =
      anorank_ranking_table(&findings, ranking, table, keep, is_delimited(work->out), &work->err);
  if (status == ANORANK_OK && !writer) status = put_findings(work, ranking, findings);
  if (status == ANORANK_OK && writer) status = anorank_table_escape_formulas(findings, &work->err);
  if (status == ANORANK_OK && writer) status = anorank_writer_append(writer, findings, &work->err);
  anorank_table_free(findings);
  return status;
}

static anorank_status rank_whole(job *work, anorank_writer *writer) {
  anorank_table *table = NULL;
  anorank_ranking *ranking = NULL;
  anorank_status status = read_table(work, &table);
  if (status == ANORANK_OK)
    status = anorank_ranking_make(&ranking, work->model->model, table, work->score, &work->err);
  if (status == ANORANK_OK) status = put_ranking(work, writer, ranking, table);
  if (status == ANORANK_OK) {
    work->reply->rows = anorank_table_rows(table);
    put_headline(work->reply, ranking);
    serve_count_p_values(&work->request->slot->metrics, anorank_ranking_get_info(ranking)->p_values,
                         work->reply->rows);
  }
  anorank_ranking_free(ranking);
  anorank_table_free(table);
  return status;
}

static anorank_status open_part(void *context, size_t part, anorank_reader **reader, anorank_error *err) {
  job *work = context;
  anorank_source body = body_of(work);
  (void)part;
  return anorank_reader_open(reader, &body, work->read, err);
}

static anorank_status rank_blocks(job *work, anorank_writer *writer) {
  anorank_stream *stream = NULL;
  const anorank_ranking *ranking = NULL;
  const anorank_table *table = NULL;
  const anorank_parts parts = {.open = open_part, .context = work, .count = 1, .rows = &work->reply->rows};
  anorank_status status = anorank_rank_stream(&stream, work->model->model, &parts, work->score, &work->err);
  if (status == ANORANK_OK && work->reply->rows > work->service->options->max_rows)
    status = too_many_rows(work);
  do {
    if (status == ANORANK_OK) status = anorank_stream_next(&ranking, &table, stream, FINDINGS, &work->err);
    if (status == ANORANK_OK && ranking) status = put_ranking(work, writer, ranking, table);
    if (status == ANORANK_OK && ranking && !*work->reply->headline) put_headline(work->reply, ranking);
    if (status == ANORANK_OK && past_deadline(work)) status = ANORANK_CANCELLED;
  } while (status == ANORANK_OK && ranking);
  if (status == ANORANK_OK) serve_count_p_values(&work->request->slot->metrics, NULL, work->reply->rows);
  anorank_stream_free(stream);
  return status;
}

/* Whether the body is ranked in memory, by the rule of the command line. */
static int fits(const job *work) {
  double most = (double)anorank_settings_integer(work->score, "max-memory");
  return has_context(work) || (double)work->request->body.length <= most / BYTES_IN_MEMORY;
}

static anorank_status rank(job *work) {
  anorank_writer *writer = NULL;
  anorank_status status = is_delimited(work->out) ? open_writer(work, &writer) : ANORANK_OK;
  if (status == ANORANK_OK) status = fits(work) ? rank_whole(work, writer) : rank_blocks(work, writer);
  if (status == ANORANK_OK && writer) status = anorank_writer_commit(writer, &work->err);
  anorank_writer_free(writer);
  return status == ANORANK_OK ? end_array(work) : status;
}

/* ---- a request --------------------------------------------------------------------------------------- */

static void tell_failure(job *work, anorank_status status) {
  serve_reply *reply = work->reply;
  if (reply->status != 0) return; /* a problem of ours */
  if (work->full)
    serve_problem(reply, 503, "serve-response-space",
                  "server is out of response buffer space; retry, or send fewer rows");
  else if (status == ANORANK_CANCELLED && atomic_load(&work->service->hurry))
    serve_refuse_ending(reply);
  else if (status == ANORANK_CANCELLED)
    serve_problem(reply, 503, "request-timeout", "the work took longer than %u s; send fewer rows",
                  work->service->options->request_seconds);
  else if (!*work->err.message)
    serve_problem(reply, 503, "memory-exhausted", "out of memory");
  else
    serve_failure(reply, work->request, status, &work->err);
  reply->failed = status;
}

void serve_run_request(serve_service *service, serve_request *request, serve_reply *reply) {
  job work = {.service = service, .request = request, .reply = reply};
  if (!check_type(request, reply)) return;
  work.model = serve_model_take(request->slot);
  work.in = format_of_body(request);
  work.out = format_of_answer(request, work.in);
  memcpy(reply->digest, work.model->digest, sizeof reply->digest);
  serve_spool_free(&reply->body);
  serve_spool_start(&reply->body, &service->budget);
  anorank_status status = make_settings(&work);
  if (status == ANORANK_OK) status = request->route == SERVE_ROUTE_RANK ? rank(&work) : score(&work);
  if (status != ANORANK_OK) {
    tell_failure(&work, status);
  } else {
    reply->status = 200;
    reply->type = types[work.out];
  }
  anorank_settings_free(work.own_read);
  anorank_settings_free(work.own_score);
  serve_model_release(work.model);
}
