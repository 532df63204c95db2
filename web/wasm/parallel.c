/* parallel.c - core/parallel.h where there are no threads: chunks run in place, in their order. */
#include "core/parallel.h"

anorank_status ank_check_cancelled(const anorank_settings *settings, anorank_error *err) {
  if (!settings || !settings->stop || settings->stop(settings->stop_context) == 0) return ANORANK_OK;
  return ank_fail(err, ANORANK_CANCELLED, "cancelled", "cancelled while %s", "working");
}

void ank_once(ank_once_flag *flag, void (*make)(void)) {
  if (!flag->state) make();
  flag->state = 1;
}

size_t ank_threads(const anorank_settings *settings) {
  (void)settings;
  return 1;
}

anorank_status ank_parallel(const anorank_settings *settings, size_t chunks, ank_chunk body, void *context,
                            anorank_error *err) {
  for (size_t chunk = 0; chunk < chunks; chunk++) {
    anorank_status status = ank_check_cancelled(settings, err);
    if (status == ANORANK_OK) status = body(context, chunk, err);
    if (status != ANORANK_OK) return status;
  }
  return ANORANK_OK;
}
