/* Any bytes as CSV: an error or a consistent table, the same whole and in blocks. The first byte chooses the
 * settings, so that one corpus covers delimiters, headers and TSV. */
#include "fuzz/fuzz_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const delimiters[] = {"auto", ",", ";", "tab", "|", " ", "auto", "auto"};
  if (size == 0) return 0;
  anorank_settings settings = fuzz_settings_for(data[0] & 0x20 ? ANK_FORMAT_tsv : ANK_FORMAT_csv);
  strcpy(settings.delimiter, delimiters[data[0] & 7]);
  settings.header = (int32_t)((data[0] >> 3) & 3) % 3;
  if (data[0] & 0x40) settings.categorical = "a,x1";
  check_format(data + 1, size - 1, &settings);
  return 0;
}
