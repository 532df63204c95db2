/* model_settings.c - see model_settings.h. */
#include "model/model_settings.h"

#include <string.h>

#include "core/alloc.h"

/* The value of a setting in files that do not store it. Files of version 0.1 store only what differed from the
 * defaults of that version, which are these. NEVER change a value here, even if a default changes: it would
 * alter old models. To add a setting that belongs to models: add a row with the value that means what
 * was done before there was the setting. */
static const struct {
  const char *name, *value;
} unstated[] = {
    {"seed", "0"},
    {"header", "auto"},
    {"delimiter", "auto"},
    {"missing", ""},
    {"categorical", ""},
    {"decimal", "."}, /* until 0.1 nothing but points was read, and no time */
    {"thousands", "none"},
    {"date-order", "auto"},
    {"truncated-u0", "0.7"},
    {"clipped-c", "0.3"},
    {"sigma", "1"},
    {"alpha", "3"},
    {"beta", "1"},
    {"epsilon", "0.01"},
    {"radius", "1"},
    {"pad", "0"},
    {"jitter-from", "0.05"},
    {"jitter-to", "3"},
    {"permute-share", "1"},
    {"limits", ""},
    {"scorer", "auto"},
    {"phi", "mww"},
    {"train-phi", ""},
    {"objective", "paper"},
    {"proxy", "mean"},
    {"lambda", "0,0.01,0.1,1,10"},
    {"epochs", "30"},
    {"learning-rate", "0.01"},
    {"optimiser", "sgd"},
    {"schedule", "constant"},
    {"shuffle", "yes"},
    {"batch", "256"},
    {"restarts", "1"},
    {"smoothing", "0.03"},
    {"warm-up", "0.3"},
    {"weight-decay", "0"},
    {"held-out", "0"},
    {"patience", "0"},
    {"hidden", "auto"},
    {"quadratic", "yes"},
    {"trees", "100"},
    {"tree-rows", "0"},
    {"depth", "8"},
    {"rounds", "200"},
    {"subsamples", "16"},
    {"subsample", "256"},
    {"neighbours", "5"},
    {"reference-rows", "10000"},
    {"hull-neighbours", "10"},
    {"hull-scaling", "normal"},
    {"bins", "20"},
    {"train", "clean"},
    {"fast", "no"},
    {"contrast", "auto"},
    {"contrast-ratio", "1"},
    {"id", ""},
    {"drop", ""},
    {"columns", ""},
    {"time", ""},
    {"by", ""},
    {"window", ""},
    {"max-entities", "1000000"},
    {"exclusion", ""},
    {"labels", ""},
    {"on-missing", "indicator"},
    {"scale", "standard"},
    {"calibration", "0"},
    {"folds", "0"},
};

enum { UNSTATED = sizeof unstated / sizeof unstated[0] };

const char *ank_model_settings_unstated(const char *name) {
  for (size_t i = 0; i < UNSTATED; i++)
    if (strcmp(unstated[i].name, name) == 0) return unstated[i].value;
  return NULL;
}

int ank_model_settings_belongs(const anorank_setting *setting) {
  /* SIMULATE: the shapes of contrast laws, such as pad, but not what is drawn from them otherwise. */
  static const unsigned groups =
      ANORANK_FOR_READ | ANORANK_FOR_LEARN | ANORANK_FOR_FIT | ANORANK_FOR_SIMULATE;
  /* Settings that describe one file, or a sample. */
  static const char *const passing[] = {"max-memory", "block-rows", "input-format", "array",
                                        "sheet",      "encoding",   "skip-lines",   "law",
                                        "rows",       "dim",        "first-row",    "bad-rows"};
  for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
    if (strcmp(setting->name, passing[i]) == 0) return 0;
  return (setting->applies_to & groups) != 0 || strcmp(setting->name, "seed") == 0;
}

static int is_of_context(const char *name) {
  return strcmp(name, "by") == 0 || strcmp(name, "window") == 0 || strcmp(name, "max-entities") == 0;
}

anorank_status ank_model_settings_save(const anorank_settings *settings, ank_bytes *out, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const anorank_setting *setting;
  char *value = NULL;
  for (size_t i = 0; (setting = anorank_setting_at(i)) != NULL; i++) {
    if (!ank_model_settings_belongs(setting)) continue;
    if (is_of_context(setting->name) && !*settings->by && !*settings->time) continue; /* as in older files */
    size_t size = anorank_settings_get(settings, setting->name, NULL, 0) + 1;
    ANK_TRY(ank_alloc(&value, size, 1, err));
    anorank_settings_get(settings, setting->name, value, size);
    ANK_TRY(ank_bytes_put_text(out, setting->name, err));
    ANK_TRY(ank_bytes_put_text(out, value, err));
    ank_free(value);
    value = NULL;
  }
done:
  ank_free(value);
  return status;
}

/* An unknown name comes from a later version and is ignored. */
anorank_status ank_model_settings_load(anorank_settings *settings, ank_cursor *in, int before_lists_add,
                                       anorank_error *err) {
  anorank_status status = ANORANK_OK;
  char *name = NULL, *value = NULL;
  anorank_error inner = {0};
  ANK_TRY(ank_settings_hold(settings, ank_settings_defaults(), err));
  for (size_t i = 0; i < UNSTATED; i++)
    ANK_TRY(anorank_settings_set(settings, unstated[i].name, unstated[i].value, err));
  while (in->at < in->length) {
    ANK_TRY(ank_cursor_text(in, &name, err));
    ANK_TRY(ank_cursor_text(in, &value, err));
    if (before_lists_add && strcmp(name, "missing") == 0) {
      char *whole = NULL;
      size_t length = strlen(value);
      ANK_TRY(ank_alloc(&whole, length + 2, 1, err));
      whole[0] = '=';
      memcpy(whole + 1, value, length + 1);
      ank_free(value);
      value = whole;
    }
    if (anorank_setting_find(name)) {
      status = anorank_settings_set(settings, name, value, &inner);
      if (status == ANORANK_ERROR_USAGE)
        ANK_FAIL(ANORANK_ERROR_MODEL, "model-setting", "the model is damaged: its setting %s", inner.message);
      if (status != ANORANK_OK) ANK_FAIL(status, inner.code, "%s", inner.message);
    }
    ank_free(name);
    ank_free(value);
    name = value = NULL;
  }
done:
  ank_free(name);
  ank_free(value);
  return status;
}
