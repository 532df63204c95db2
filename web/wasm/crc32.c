/* crc32.c - the checksum of model files, as zlib has it; four bits at a time. */
#include <zlib.h>

uLong crc32_z(uLong crc, const Bytef *bytes, z_size_t length) {
  static const unsigned table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  if (!bytes) return 0;
  unsigned sum = ~(unsigned)crc;
  for (z_size_t i = 0; i < length; i++) {
    sum ^= bytes[i];
    sum = sum >> 4 ^ table[sum & 15];
    sum = sum >> 4 ^ table[sum & 15];
  }
  return ~sum;
}
