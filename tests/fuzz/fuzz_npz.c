/* Any bytes as NPZ: an error or a consistent table, the same whole and in blocks. */
#include "fuzz/fuzz_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  anorank_settings settings = fuzz_settings_for(ANK_FORMAT_npz);
  check_format(data, size, &settings);
  return 0;
}
