/* api_figure.c - the public door to figures: check the arguments, then inward. */
#include "report/figure_mass_volume.h"

anorank_status anorank_figure_mass_volume(const char *path, const anorank_judgement *first,
                                          const char *first_label, const anorank_judgement *second,
                                          const char *second_label, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  ANK_NEED(path);
  ANK_NEED(first);
  if (!*path) return ank_fail(err, ANORANK_ERROR_USAGE, "the name of the file to write is empty");
  ANK_TRY(ank_output_open(&output, path, err));
  ANK_TRY(ank_figure_mass_volume(output, first, first_label, second, second_label, err));
  ANK_TRY(ank_output_commit(output, err));
done:
  ank_output_free(output);
  return status;
}

anorank_status anorank_figure_mass_volume_to_bytes(unsigned char **out, size_t *length,
                                                   const anorank_judgement *first, const char *first_label,
                                                   const anorank_judgement *second, const char *second_label,
                                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_output *output = NULL;
  ANK_NEED(out);
  *out = NULL;
  ANK_NEED(length);
  ANK_NEED(first);
  ANK_TRY(ank_output_to_memory(&output, "memory", err));
  ANK_TRY(ank_figure_mass_volume(output, first, first_label, second, second_label, err));
  ANK_TRY(ank_output_commit(output, err));
  *out = ank_output_take(output, length);
done:
  ank_output_free(output);
  return status;
}
