/* models.h - the served models, and their replacement while requests use them.
 *
 * A request holds the model that is current when its work begins until it ends; a new file becomes current
 * once it is completely loaded. Clients never see a path: messages use the name of a model. */
#ifndef SERVE_MODELS_H
#define SERVE_MODELS_H

#include <pthread.h>
#include <sys/types.h>

#include "core/print.h"
#include "core/sha256.h"
#include "metrics.h"
#include "serve.h"

/* The formats of bodies. An array is converted to LINES on input. */
typedef enum serve_format { SERVE_CSV = 0, SERVE_TSV, SERVE_LINES, SERVE_ARRAY, SERVE_FORMATS } serve_format;

/* A loaded model. Immutable except for its reference count. */
typedef struct serve_model {
  atomic_size_t users;
  anorank_model *model;
  anorank_settings *score;               /* to score with: one thread, `keep` empty */
  anorank_settings *read[SERVE_FORMATS]; /* to read bodies of each format with, ids as they are written */
  char digest[ANK_SHA256_TEXT];          /* of the file */
  size_t file_bytes;
  double loaded; /* seconds since 1970 */
} serve_model;

/* Identifies a state of a file. */
typedef struct serve_stamp {
  dev_t device;
  ino_t inode;
  off_t size;
  int64_t changed; /* nanoseconds */
} serve_stamp;

typedef struct serve_slot {
  const char *name, *path; /* borrowed from the options */
  pthread_mutex_t lock;    /* of the next two */
  serve_model *current;
  char trouble[ANK_SENTENCE_SIZE]; /* why the current file is not the loaded model; "" */
  serve_stamp seen;                /* the control thread's alone */
  serve_model_metrics metrics;
} serve_slot;

typedef struct serve_models {
  serve_slot *slots;
  size_t count;
  uint64_t max_memory;
} serve_models;

/* Load all. On failure nothing is left to free, and the message names the file. */
anorank_status serve_models_open(serve_models *models, const serve_options *options, anorank_error *err);
void serve_models_close(serve_models *models);

/* NULL: unknown name. */
serve_slot *serve_models_find(const serve_models *models, const char *name, size_t length);

/* Acquire the current model, until it is released. Never NULL. */
serve_model *serve_model_take(serve_slot *slot);
void serve_model_release(serve_model *model);

typedef enum serve_change { SERVE_UNCHANGED = 0, SERVE_LOADED, SERVE_REFUSED } serve_change;

/* Reload the model if its file changed, or in any case (`force`). If the file cannot be loaded, the model
 * stays and `trouble` has the reason. One thread at a time may call it. */
serve_change serve_slot_refresh(serve_slot *slot, uint64_t max_memory, int force);

#endif
