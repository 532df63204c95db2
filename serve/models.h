/* models.h - the models that are served, and how they are replaced while requests use them.
 *
 * A request takes the model that is current when its work begins and keeps it to its end; a new file
 * becomes current only once it has loaded whole. Nothing here names a path to a client: messages call a
 * model by its name. */
#ifndef SERVE_MODELS_H
#define SERVE_MODELS_H

#include <pthread.h>
#include <sys/types.h>

#include "core/print.h"
#include "core/sha256.h"
#include "metrics.h"
#include "serve.h"

/* The formats of bodies. LINES is also what an array becomes on its way in. */
typedef enum serve_format { SERVE_CSV = 0, SERVE_TSV, SERVE_LINES, SERVE_ARRAY, SERVE_FORMATS } serve_format;

/* A model that was loaded. Immutable but for its count of users. */
typedef struct serve_model {
  atomic_size_t users;
  anorank_model *model;
  anorank_settings *score;               /* to score with: one thread, `keep` empty */
  anorank_settings *read[SERVE_FORMATS]; /* to read bodies of each format with, ids as they are written */
  char digest[ANK_SHA256_TEXT];          /* of the file */
  size_t file_bytes;
  double loaded; /* seconds since 1970 */
} serve_model;

/* What tells one state of a file from another. */
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

/* NULL: there is none of that name. */
serve_slot *serve_models_find(const serve_models *models, const char *name, size_t length);

/* The model that answers now, until it is released. Never NULL. */
serve_model *serve_model_take(serve_slot *slot);
void serve_model_release(serve_model *model);

typedef enum serve_change { SERVE_UNCHANGED = 0, SERVE_LOADED, SERVE_REFUSED } serve_change;

/* Look whether the file changed, or load it anyway (`force`). A file that cannot be loaded leaves the
 * model as it is and says why in `trouble`. Called by one thread at a time. */
serve_change serve_slot_refresh(serve_slot *slot, uint64_t max_memory, int force);

#endif
