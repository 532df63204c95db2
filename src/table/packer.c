/* packer.c - gzip and zstd compression of output files; see writer.h. */
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/alloc.h"
#include "table/writer.h"

#define PACKED_SIZE ((size_t)1 << 17)
#define GZIP_LEVEL 6
#define ZSTD_LEVEL 3

struct ank_packer {
  ank_packing packing;
  ank_output *output;
  unsigned char *packed;
  z_stream gzip;
  int gzip_begun;
  ZSTD_CCtx *zstd;
};

void ank_packer_free(ank_packer *packer) {
  if (!packer) return;
  if (packer->gzip_begun) deflateEnd(&packer->gzip);
  ZSTD_freeCCtx(packer->zstd);
  ank_free(packer->packed);
  ank_free(packer);
}

anorank_status ank_packer_new(ank_packer **out, ank_packing packing, ank_output *output, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_packer *packer = NULL;
  *out = NULL;
  if (packing == ANK_PACK_NOT) return ANORANK_OK;
  ANK_TRY(ank_alloc(&packer, 1, sizeof *packer, err));
  packer->packing = packing;
  packer->output = output;
  ANK_TRY(ank_alloc_raw(&packer->packed, PACKED_SIZE, 1, err));
  if (packing == ANK_PACK_GZIP) {
    packer->gzip_begun =
        deflateInit2(&packer->gzip, GZIP_LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  } else {
    packer->zstd = ZSTD_createCCtx();
    if (packer->zstd) {
      (void)ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
      (void)ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1);
    }
  }
  if (!packer->gzip_begun && !packer->zstd)
    ANK_FAIL(ANORANK_ERROR_RESOURCES, "memory-exhausted", "%s: out of memory for compression",
             ank_output_name(output));
  *out = packer;
  packer = NULL;
done:
  ank_packer_free(packer);
  return status;
}

static anorank_status write_gzip(ank_packer *packer, const void *bytes, size_t length, int last,
                                 anorank_error *err) {
  const unsigned char *from = bytes;
  do {
    /* zlib counts in unsigned int */
    size_t step = length < ((size_t)1 << 30) ? length : (size_t)1 << 30;
    packer->gzip.next_in = (Bytef *)(uintptr_t)from;
    packer->gzip.avail_in = (uInt)step;
    from += step;
    length -= step;
    do {
      packer->gzip.next_out = packer->packed;
      packer->gzip.avail_out = (uInt)PACKED_SIZE;
      (void)deflate(&packer->gzip, last && length == 0 ? Z_FINISH : Z_NO_FLUSH);
      size_t made = PACKED_SIZE - packer->gzip.avail_out;
      ANK_CHECK(ank_output_write(packer->output, packer->packed, made, err));
    } while (packer->gzip.avail_out == 0);
  } while (length > 0);
  return ANORANK_OK;
}

static anorank_status write_zstd(ank_packer *packer, const void *bytes, size_t length, int last,
                                 anorank_error *err) {
  ZSTD_inBuffer in = {bytes, length, 0};
  size_t left;
  do {
    ZSTD_outBuffer made = {packer->packed, PACKED_SIZE, 0};
    left = ZSTD_compressStream2(packer->zstd, &made, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left))
      return ank_fail(err, ANORANK_ERROR_RESOURCES, "output-compress", "%s: zstd cannot compress: %s",
                      ank_output_name(packer->output), ZSTD_getErrorName(left));
    ANK_CHECK(ank_output_write(packer->output, packer->packed, made.pos, err));
  } while (last ? left > 0 : in.pos < in.size);
  return ANORANK_OK;
}

anorank_status ank_packer_write(ank_packer *packer, const void *bytes, size_t length, anorank_error *err) {
  if (length == 0) return ANORANK_OK;
  return packer->packing == ANK_PACK_GZIP ? write_gzip(packer, bytes, length, 0, err)
                                          : write_zstd(packer, bytes, length, 0, err);
}

anorank_status ank_packer_finish(ank_packer *packer, anorank_error *err) {
  return packer->packing == ANK_PACK_GZIP ? write_gzip(packer, "", 0, 1, err)
                                          : write_zstd(packer, "", 0, 1, err);
}
