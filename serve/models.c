/* models.c - see models.h. */
#include "models.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  LARGEST_FILE = 1 << 30,
  BLOCK_ROWS = 8192 /* between two of which the time is looked at */
};

int serve_is_name(const char *name) {
  size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
  return length > 0 && length <= SERVE_NAME && name[length] == '\0' && name[0] != '.';
}

static void free_model(serve_model *model) {
  if (!model) return;
  anorank_model_free(model->model);
  anorank_settings_free(model->score);
  for (size_t i = 0; i < SERVE_FORMATS; i++) anorank_settings_free(model->read[i]);
  free(model);
}

serve_model *serve_model_take(serve_slot *slot) {
  pthread_mutex_lock(&slot->lock);
  serve_model *model = slot->current;
  atomic_fetch_add(&model->users, 1);
  pthread_mutex_unlock(&slot->lock);
  return model;
}

void serve_model_release(serve_model *model) {
  if (model && atomic_fetch_sub(&model->users, 1) == 1) free_model(model);
}

static anorank_status out_of_memory(anorank_error *err) {
  return cli_fail(err, ANORANK_ERROR_RESOURCES, "memory-exhausted", "out of memory");
}

/* ---- settings ---------------------------------------------------------------------------------------- */

/* Bodies are read like the training rows: missing values and categorical columns. */
static anorank_status make_settings(serve_model *made, uint64_t max_memory, anorank_error *err) {
  static const char *const formats[SERVE_FORMATS] = {"csv", "tsv", "jsonl", "jsonl"};
  anorank_status status = anorank_settings_new(&made->score, NULL, err);
  if (status == ANORANK_OK) status = anorank_settings_set_number(made->score, "threads", 1, err);
  if (status == ANORANK_OK)
    status = anorank_settings_set_number(made->score, "max-memory", (double)(max_memory), err);
  if (status == ANORANK_OK) status = anorank_settings_set_number(made->score, "block-rows", BLOCK_ROWS, err);
  for (size_t i = 0; i < SERVE_FORMATS && status == ANORANK_OK; i++) {
    status = anorank_settings_new(&made->read[i], made->score, err);
    if (status == ANORANK_OK) status = anorank_settings_set(made->read[i], "input-format", formats[i], err);
    if (status == ANORANK_OK) status = anorank_settings_prepare_reading(made->read[i], made->model, err);
  }
  return status;
}

/* ---- files ------------------------------------------------------------------------------------------- */

static serve_stamp stamp_of(const struct stat *about) {
  return (serve_stamp){about->st_dev, about->st_ino, about->st_size,
                       (int64_t)about->st_mtim.tv_sec * 1000000000 + about->st_mtim.tv_nsec};
}

static int same_stamp(const serve_stamp *a, const serve_stamp *b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size && a->changed == b->changed;
}

static anorank_status cannot_read(const char *label, int reason, anorank_error *err) {
  return cli_fail(err, reason == ENOENT ? ANORANK_ERROR_MODEL : ANORANK_ERROR_RESOURCES, "model-read",
                  "%.400s: cannot read the model: %s", label, strerror(reason));
}

static anorank_status read_open(int file, unsigned char **out, size_t *length, serve_stamp *stamp,
                                const char *label, anorank_error *err) {
  struct stat about;
  size_t got = 0;
  if (fstat(file, &about) != 0) return cannot_read(label, errno, err);
  *stamp = stamp_of(&about);
  if (!S_ISREG(about.st_mode) || about.st_size > LARGEST_FILE)
    return cannot_read(label, S_ISDIR(about.st_mode) ? EISDIR : EFBIG, err);
  *length = (size_t)about.st_size;
  *out = malloc(*length + 1);
  if (!*out) return cannot_read(label, ENOMEM, err);
  while (got < *length) {
    ssize_t done = read(file, *out + got, *length - got);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return cannot_read(label, errno, err);
    if (done == 0) break; /* cut meanwhile: the checksum will say so */
    got += (size_t)done;
  }
  *length = got;
  return ANORANK_OK;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The model of a file, which messages call `label`. */
static anorank_status load(serve_model **out, const char *path, const char *label, uint64_t max_memory,
                           serve_stamp *stamp, anorank_error *err) {
  unsigned char *bytes = NULL;
  size_t length = 0;
  anorank_status status;
  serve_model *made = calloc(1, sizeof *made);
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  *out = NULL;
  if (!made || file < 0)
    status = cannot_read(label, made ? errno : ENOMEM, err);
  else
    status = read_open(file, &bytes, &length, stamp, label, err);
  if (status == ANORANK_OK)
    status = anorank_model_load(&made->model, ANORANK_FROM_MEMORY(bytes, length, label), err);
  if (status == ANORANK_OK) status = make_settings(made, max_memory, err);
  if (status == ANORANK_OK) {
    ank_sha256_of(made->digest, bytes, length);
    made->file_bytes = length;
    made->loaded = seconds_now();
    atomic_init(&made->users, 1);
    *out = made;
  } else {
    free_model(made);
  }
  if (file >= 0) close(file);
  free(bytes);
  return status;
}

/* ---- all of them ------------------------------------------------------------------------------------- */

serve_slot *serve_models_find(const serve_models *models, const char *name, size_t length) {
  for (size_t i = 0; i < models->count; i++)
    if (strlen(models->slots[i].name) == length && memcmp(models->slots[i].name, name, length) == 0)
      return &models->slots[i];
  return NULL;
}

anorank_status serve_models_open(serve_models *models, const serve_options *options, anorank_error *err) {
  *models = (serve_models){.slots = calloc(options->model_count, sizeof *models->slots)};
  models->max_memory = options->max_memory;
  anorank_status status = models->slots ? ANORANK_OK : out_of_memory(err);
  while (status == ANORANK_OK && models->count < options->model_count) {
    serve_slot *slot = &models->slots[models->count];
    slot->name = options->models[models->count].name;
    slot->path = options->models[models->count].path;
    status = load(&slot->current, slot->path, slot->path, models->max_memory, &slot->seen, err);
    if (status == ANORANK_OK) models->count++, pthread_mutex_init(&slot->lock, NULL);
  }
  if (status != ANORANK_OK) serve_models_close(models);
  return status;
}

void serve_models_close(serve_models *models) {
  for (size_t i = 0; i < models->count; i++) {
    serve_model_release(models->slots[i].current);
    pthread_mutex_destroy(&models->slots[i].lock);
  }
  free(models->slots);
  *models = (serve_models){0};
}

static void put_current(serve_slot *slot, serve_model *next, const char *trouble) {
  pthread_mutex_lock(&slot->lock);
  serve_model *before = next ? slot->current : NULL;
  if (next) slot->current = next;
  snprintf(slot->trouble, sizeof slot->trouble, "%s", trouble);
  pthread_mutex_unlock(&slot->lock);
  serve_model_release(before);
}

serve_change serve_slot_refresh(serve_slot *slot, uint64_t max_memory, int force) {
  struct stat about;
  anorank_error err = {0};
  serve_model *next = NULL;
  serve_stamp stamp = {0};
  int there = stat(slot->path, &about) == 0;
  if (there) stamp = stamp_of(&about);
  if (!force && same_stamp(&stamp, &slot->seen)) return SERVE_UNCHANGED;
  slot->seen = stamp; /* a file that is being written differs again at the next look */
  if (load(&next, slot->path, slot->name, max_memory, &stamp, &err) != ANORANK_OK) {
    atomic_fetch_add(&slot->metrics.failures, 1);
    put_current(slot, NULL, err.message);
    return SERVE_REFUSED;
  }
  slot->seen = stamp;
  atomic_fetch_add(&slot->metrics.reloads, 1);
  put_current(slot, next, "");
  return SERVE_LOADED;
}
