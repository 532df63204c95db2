/* api_simulate.c - reference laws for the outside: arguments are checked here, then inward. */
#include "contrast/law.h"

const anorank_law *anorank_law_at(size_t i) {
  const ank_law *law = ank_law_at(i);
  return law ? &law->info : NULL;
}

anorank_status anorank_simulate(anorank_table **out, const anorank_table *data,
                                const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_law *law = NULL;
  char names[512];
  ANK_NEED(out);
  *out = NULL;
  settings = ank_settings_or_default(settings);
  ANK_TRY(ank_law_named(&law, settings->law, err));
  if (law->info.around_data == 2 && !data) ANK_TRY(ank_law_needs_data(law, "", err));
  if (law->info.around_data == 0 && data)
    ANK_FAIL(ANORANK_ERROR_USAGE, "law-takes-no-data",
             "the law '%s' makes no use of data; give none, or choose one of %s", law->info.name,
             ank_law_list(names, sizeof names, 1));
  ANK_TRY(ank_simulate(out, law, data, settings, err));
done:
  return status;
}
