/* model_bytes.h - correct the frame of a model file after a change of its content. Tests of the sections need
 * it, since the checksum would refuse any change. */
#ifndef TEST_SUPPORT_MODEL_BYTES_H
#define TEST_SUPPORT_MODEL_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void model_put_u64(unsigned char *at, uint64_t value) {
  for (size_t i = 0; i < 8; i++) at[i] = (unsigned char)(value >> (8 * i));
}

/* CRC-32, a bit at a time: written separately, so that it checks the library's. */
static inline uint32_t model_checksum(const unsigned char *bytes, size_t length) {
  static uint32_t table[256];
  for (uint32_t k = 0; table[255] == 0 && k < 256; k++) {
    uint32_t rest = k;
    for (int bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320u ^ rest >> 1 : rest >> 1;
    table[k] = rest;
  }
  uint32_t sum = 0xffffffffu;
  for (size_t i = 0; i < length; i++) sum = table[(sum ^ bytes[i]) & 255] ^ sum >> 8;
  return sum ^ 0xffffffffu;
}

static inline void model_mend(unsigned char *bytes, size_t length) {
  static const unsigned char head[8] = {'A', 'N', 'O', 'R', 'A', 'N', 'K', 0};
  if (length < 56) return;
  memcpy(bytes, head, 8);
  model_put_u64(bytes + 8, 1);
  model_put_u64(bytes + 24, 0x0102030405060708);
  model_put_u64(bytes + 32, length);
  model_put_u64(bytes + length - 8, model_checksum(bytes, length - 8));
}

#endif
