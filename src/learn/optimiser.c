/* optimiser.c - SGD, momentum (0.9), Adam (Kingma and Ba 2015, 0.9 and 0.999) with decoupled weight decay. */
#include "learn/optimiser.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"

static const double momentum = 0.9, first_rate = 0.9, second_rate = 0.999, tiny = 1e-8;

anorank_status ank_optimiser_make(ank_optimiser *out, size_t count, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  *out = (ank_optimiser){.kind = (anorank_optimiser)settings->optimiser,
                         .count = count,
                         .decay = settings->weight_decay,
                         .first_power = 1,
                         .second_power = 1};
  if (out->kind != ANORANK_OPTIMISER_SGD) ANK_TRY(ank_alloc(&out->first, count, sizeof *out->first, err));
  if (out->kind == ANORANK_OPTIMISER_ADAM) ANK_TRY(ank_alloc(&out->second, count, sizeof *out->second, err));
done:
  if (status != ANORANK_OK) ank_optimiser_free(out);
  return status;
}

void ank_optimiser_free(ank_optimiser *optimiser) {
  ank_free(optimiser->first);
  ank_free(optimiser->second);
  *optimiser = (ank_optimiser){0};
}

static void adam_step(ank_optimiser *o, double *values, const double *gradient, double rate) {
  o->first_power *= first_rate;
  o->second_power *= second_rate;
  double first_scale = 1 / (1 - o->first_power), second_scale = 1 / (1 - o->second_power);
  for (size_t k = 0; k < o->count; k++) {
    o->first[k] = first_rate * o->first[k] + (1 - first_rate) * gradient[k];
    o->second[k] = second_rate * o->second[k] + (1 - second_rate) * gradient[k] * gradient[k];
    values[k] -= rate * first_scale * o->first[k] / (sqrt(second_scale * o->second[k]) + tiny);
  }
}

void ank_optimiser_step(ank_optimiser *optimiser, double *values, const double *gradient, double rate) {
  size_t count = optimiser->count;
  if (optimiser->decay > 0)
    for (size_t k = 0; k < count; k++) values[k] -= rate * optimiser->decay * values[k];
  switch (optimiser->kind) {
  case ANORANK_OPTIMISER_SGD:
    for (size_t k = 0; k < count; k++) values[k] -= rate * gradient[k];
    break;
  case ANORANK_OPTIMISER_MOMENTUM:
    for (size_t k = 0; k < count; k++) {
      optimiser->first[k] = momentum * optimiser->first[k] + gradient[k];
      values[k] -= rate * optimiser->first[k];
    }
    break;
  case ANORANK_OPTIMISER_ADAM: adam_step(optimiser, values, gradient, rate); break;
  }
}

void ank_optimiser_reset(ank_optimiser *optimiser) {
  size_t bytes = optimiser->count * sizeof(double);
  if (optimiser->first) memset(optimiser->first, 0, bytes);
  if (optimiser->second) memset(optimiser->second, 0, bytes);
  optimiser->first_power = optimiser->second_power = 1;
}

double ank_learning_rate(const anorank_settings *settings, size_t epoch, size_t epochs) {
  if (settings->schedule == ANORANK_SCHEDULE_CONSTANT) return settings->learning_rate;
  return settings->learning_rate * 0.5 * (1 + cos(acos(-1.0) * (double)epoch / (double)epochs));
}
