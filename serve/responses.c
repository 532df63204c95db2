/* responses.c - GET requests: models, metrics, health, and static files. */
#include <stdlib.h>
#include <string.h>

#include "core/print.h"
#include "json.h"
#include "service.h"

/* Files of this folder, embedded by cmake/serve.cmake. */
extern const unsigned char serve_page_html[], serve_page_js[], serve_page_css[], serve_openapi_json[];
extern const size_t serve_page_html_size, serve_page_js_size, serve_page_css_size, serve_openapi_json_size;

static void ready(serve_reply *reply, const char *type) {
  reply->status = 200;
  reply->type = type;
}

static void out_of_memory(serve_reply *reply) {
  serve_problem(reply, 503, "memory-exhausted", "out of memory");
}

void serve_respond_file(const serve_request *request, serve_reply *reply) {
  const struct {
    const char *path, *type;
    const void *bytes;
    size_t size;
  } files[] = {
      {"/", "text/html; charset=utf-8", serve_page_html, serve_page_html_size},
      {"/page.js", "text/javascript; charset=utf-8", serve_page_js, serve_page_js_size},
      {"/page.css", "text/css; charset=utf-8", serve_page_css, serve_page_css_size},
      {"/openapi.json", "application/json", serve_openapi_json, serve_openapi_json_size},
  };
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (strcmp(request->path, files[i].path) == 0) {
      ready(reply, files[i].type);
      reply->fixed = files[i].bytes;
      reply->fixed_length = files[i].size;
      reply->page = request->route == SERVE_ROUTE_PAGE;
    }
}

void serve_respond_state(serve_service *service, const serve_request *request, serve_reply *reply) {
  static const char fine[] = "ok\n";
  if (request->route == SERVE_ROUTE_READY && atomic_load(&service->draining)) {
    serve_refuse_ending(reply);
    return;
  }
  ready(reply, "text/plain; charset=utf-8");
  reply->fixed = fine;
  reply->fixed_length = sizeof fine - 1;
}

static void put_model(ank_json *json, serve_slot *slot) {
  char trouble[ANK_SENTENCE_SIZE], loaded[32];
  serve_model *model = serve_model_take(slot);
  pthread_mutex_lock(&slot->lock);
  memcpy(trouble, slot->trouble, sizeof trouble);
  pthread_mutex_unlock(&slot->lock);
  ank_json_open(json, '{', 0);
  ank_json_words(json, "name", slot->name);
  ank_json_words(json, "sha256", model->digest);
  ank_json_count(json, "file_bytes", model->file_bytes);
  ank_json_key(json, "loaded");
  serve_time_text(loaded, sizeof loaded, model->loaded);
  ank_json_string(json, loaded);
  ank_json_words(json, "reload_error", *trouble ? trouble : NULL);
  cli_model_json(json, model->model);
  ank_json_close(json, '}');
  serve_model_release(model);
}

void serve_respond_models(serve_service *service, const serve_request *request, serve_reply *reply) {
  ank_json json;
  FILE *stream = serve_spool_stream(&reply->body);
  if (!stream) {
    out_of_memory(reply);
    return;
  }
  cli_json_start(&json, stream);
  if (request->slot) {
    put_model(&json, request->slot);
  } else {
    ank_json_open(&json, '{', 0);
    ank_json_open_key(&json, "models", '[', 0);
    for (size_t i = 0; i < service->models.count; i++) put_model(&json, &service->models.slots[i]);
    ank_json_close(&json, ']');
    ank_json_close(&json, '}');
  }
  ank_json_end(&json);
  ready(reply, "application/json");
  if (serve_spool_close(&reply->body, stream) != 0) out_of_memory(reply);
}

void serve_respond_metrics(serve_service *service, serve_reply *reply) {
  size_t count = service->models.count;
  serve_model **taken = calloc(count + 1, sizeof *taken);
  serve_measured *measured = calloc(count + 1, sizeof *measured);
  FILE *stream = serve_spool_stream(&reply->body);
  if (taken && measured && stream) {
    for (size_t i = 0; i < count; i++) {
      serve_slot *slot = &service->models.slots[i];
      taken[i] = serve_model_take(slot);
      measured[i] =
          (serve_measured){slot->name, taken[i]->digest, anorank_model_get_info(taken[i]->model)->scorer,
                           taken[i]->loaded, &slot->metrics};
    }
    serve_metrics_write(stream, &service->metrics, measured, count);
    for (size_t i = 0; i < count; i++) serve_model_release(taken[i]);
  }
  ready(reply, "text/plain; version=0.0.4; charset=utf-8");
  if (!stream || serve_spool_close(&reply->body, stream) != 0 || !taken || !measured) out_of_memory(reply);
  free(taken);
  free(measured);
}
