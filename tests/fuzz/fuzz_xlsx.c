/* Any bytes as a workbook: an error or a consistent table, the same whole and in blocks. Most inputs would
 * fail at a checksum, so the bytes also become the sheet of a valid archive. */
#include "fuzz/fuzz_table.h"

#include <zlib.h>

typedef struct archive {
  uint8_t *bytes;
  size_t length;
  uint8_t directory[1024];
  size_t directory_length;
  unsigned members;
} archive;

static void put(uint8_t *to, size_t *at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[(*at)++] = (uint8_t)(i < 8 ? value >> (8 * i) : 0);
}

static void add_member(archive *zip, const char *name, const uint8_t *data, size_t size) {
  size_t offset = zip->length, name_length = strlen(name);
  uLong crc = crc32(crc32(0, NULL, 0), data, (uInt)size);
  put(zip->bytes, &zip->length, 0x04034B50, 4);
  put(zip->bytes, &zip->length, 20, 10);
  put(zip->bytes, &zip->length, crc, 4);
  put(zip->bytes, &zip->length, size, 4);
  put(zip->bytes, &zip->length, size, 4);
  put(zip->bytes, &zip->length, name_length, 4);
  memcpy(zip->bytes + zip->length, name, name_length);
  zip->length += name_length;
  memcpy(zip->bytes + zip->length, data, size);
  zip->length += size;
  put(zip->directory, &zip->directory_length, 0x02014B50, 4);
  put(zip->directory, &zip->directory_length, 20, 12);
  put(zip->directory, &zip->directory_length, crc, 4);
  put(zip->directory, &zip->directory_length, size, 4);
  put(zip->directory, &zip->directory_length, size, 4);
  put(zip->directory, &zip->directory_length, name_length, 14);
  put(zip->directory, &zip->directory_length, offset, 4);
  memcpy(zip->directory + zip->directory_length, name, name_length);
  zip->directory_length += name_length;
  zip->members++;
}

static void finish(archive *zip) {
  size_t at = zip->length;
  memcpy(zip->bytes + at, zip->directory, zip->directory_length);
  zip->length += zip->directory_length;
  put(zip->bytes, &zip->length, 0x06054B50, 4);
  put(zip->bytes, &zip->length, 0, 4);
  put(zip->bytes, &zip->length, zip->members, 2);
  put(zip->bytes, &zip->length, zip->members, 2);
  put(zip->bytes, &zip->length, zip->directory_length, 4);
  put(zip->bytes, &zip->length, at, 4);
  put(zip->bytes, &zip->length, 0, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char book[] = "<workbook><sheets><sheet name='S' id='r'/></sheets></workbook>";
  static const char relations[] = "<a><Relationship Id='r' Target='s.xml'/></a>";
  static const char texts[] = "<sst><si><t>one</t></si><si><t>two</t></si></sst>";
  static const char styles[] = "<s><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/></cellXfs></s>";
  anorank_settings settings = fuzz_settings_for(ANK_FORMAT_xlsx);
  check_format(data, size, &settings);
  if (size > 1 << 16) return 0;
  archive zip = {.bytes = malloc(size + 4096)};
  MUST(zip.bytes);
  add_member(&zip, "xl/workbook.xml", (const uint8_t *)book, sizeof book - 1);
  add_member(&zip, "xl/_rels/workbook.xml.rels", (const uint8_t *)relations, sizeof relations - 1);
  add_member(&zip, "xl/sharedStrings.xml", (const uint8_t *)texts, sizeof texts - 1);
  add_member(&zip, "xl/styles.xml", (const uint8_t *)styles, sizeof styles - 1);
  add_member(&zip, "xl/s.xml", data, size);
  finish(&zip);
  check_format(zip.bytes, zip.length, &settings);
  free(zip.bytes);
  return 0;
}
