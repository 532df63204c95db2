/* zip.c - see zip.h. Section numbers: PKWARE's APPNOTE.TXT 6.3.9. */
#include "table/zip.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/ascii.h"
#include "core/file_io.h"
#include "table/zlib_memory.h"

#define END_SIZE 22
#define MOST_COMMENT 65535
#define LOCATOR_SIZE 20
#define END64_SIZE 56
#define ENTRY_SIZE 46
#define LOCAL_SIZE 30
#define MOST_DIRECTORY ((uint64_t)256 << 20)
#define INPUT ((size_t)1 << 15)

enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1 };

struct ank_zip {
  const char *name;
  int file;             /* for pread, or -1 */
  unsigned char *bytes; /* the archive, if it is not a file */
  uint64_t length;
  uint64_t directory; /* start of the directory: members end before it */
  ank_zip_entry *entries;
  size_t count, capacity;
};

static unsigned u16(const unsigned char *p) { return (unsigned)p[0] | (unsigned)p[1] << 8; }
static uint32_t u32(const unsigned char *p) { return (uint32_t)u16(p) | (uint32_t)u16(p + 2) << 16; }
static uint64_t u64(const unsigned char *p) { return (uint64_t)u32(p) | (uint64_t)u32(p + 4) << 32; }

static anorank_status broken(const ank_zip *zip, const char *why, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_DATA, "zip-damaged",
                  "%s: cannot read the zip archive: %s; it may be truncated, or in another format", zip->name,
                  why);
}

/* Read exactly these bytes. */
static anorank_status read_at(const ank_zip *zip, void *buffer, size_t size, uint64_t offset,
                              anorank_error *err) {
  if (offset > zip->length || size > zip->length - offset) return broken(zip, "it ends too early", err);
  if (zip->bytes) {
    memcpy(buffer, zip->bytes + offset, size);
    return ANORANK_OK;
  }
  size_t got = ank_read_at(zip->file, buffer, size, offset);
  if (got == SIZE_MAX)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "file-read", "%s: cannot read: %s", zip->name,
                    strerror(errno));
  return got < size ? broken(zip, "it ends too early", err) : ANORANK_OK;
}

/* ---- the directory ----------------------------------------------------------------------------------- */

typedef struct ending {
  uint64_t at, entries, size, offset;
} ending;

/* Find the end of the directory (4.3.16): the last match in the file. */
static anorank_status find_end(ending *out, const ank_zip *zip, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *tail = NULL;
  size_t size = zip->length < END_SIZE + MOST_COMMENT ? (size_t)zip->length : END_SIZE + MOST_COMMENT;
  int found = 0;
  ANK_TRY(ank_alloc_raw(&tail, size + 1, 1, err));
  ANK_TRY(read_at(zip, tail, size, zip->length - size, err));
  for (size_t i = size >= END_SIZE ? size - END_SIZE + 1 : 0; i-- > 0 && !found;) {
    const unsigned char *p = tail + i;
    if (u32(p) != 0x06054B50 || END_SIZE + u16(p + 20) != size - i) continue;
    if (u16(p + 4) != 0 || u16(p + 6) != 0 || u16(p + 8) != u16(p + 10))
      ANK_TRY(broken(zip, "it is one of several parts", err));
    *out = (ending){zip->length - size + i, u16(p + 10), u32(p + 12), u32(p + 16)};
    found = 1;
  }
  if (!found) ANK_TRY(broken(zip, "it has no directory at its end", err));
done:
  ank_free(tail);
  return status;
}

/* Find the larger one of zip64 (4.3.14), if a locator precedes the end. */
static anorank_status find_end64(ending *end, const ank_zip *zip, anorank_error *err) {
  unsigned char locator[LOCATOR_SIZE], record[END64_SIZE];
  if (end->at < LOCATOR_SIZE) return ANORANK_OK;
  ANK_CHECK(read_at(zip, locator, sizeof locator, end->at - LOCATOR_SIZE, err));
  if (u32(locator) != 0x07064B50) return ANORANK_OK;
  uint64_t at = u64(locator + 8);
  ANK_CHECK(read_at(zip, record, sizeof record, at, err));
  if (u32(record) != 0x06064B50 || at > end->at)
    return broken(zip, "its large directory is not where it says", err);
  *end = (ending){at, u64(record + 32), u64(record + 40), u64(record + 48)};
  return ANORANK_OK;
}

/* Read sizes and offset that are too large for the entry from an extra field (4.5.3). */
static int take_extra64(ank_zip_entry *entry, const unsigned char *p, size_t length) {
  while (length >= 4) {
    unsigned id = u16(p), size = u16(p + 2);
    if (size > length - 4) return 0;
    if (id == 1) {
      uint64_t *const wanted[] = {&entry->size, &entry->packed, &entry->offset};
      const unsigned char *value = p + 4;
      for (size_t i = 0; i < 3; i++) {
        if (*wanted[i] != UINT32_MAX) continue;
        if ((size_t)(value - p) + 8 > (size_t)size + 4) return 0;
        *wanted[i] = u64(value);
        value += 8;
      }
      return 1;
    }
    p += 4 + size;
    length -= 4 + size;
  }
  return entry->size != UINT32_MAX && entry->packed != UINT32_MAX && entry->offset != UINT32_MAX;
}

static anorank_status take_entry(ank_zip *zip, const unsigned char *p, size_t left, size_t *step,
                                 anorank_error *err) {
  if (left < ENTRY_SIZE || u32(p) != 0x02014B50) return broken(zip, "its directory is damaged", err);
  size_t name = u16(p + 28), extra = u16(p + 30), comment = u16(p + 32);
  *step = ENTRY_SIZE + name + extra + comment;
  if (*step > left) return broken(zip, "its directory is damaged", err);
  ank_zip_entry entry = {.flags = u16(p + 8),
                         .method = u16(p + 10),
                         .crc = u32(p + 16),
                         .packed = u32(p + 20),
                         .size = u32(p + 24),
                         .offset = u32(p + 42)};
  if (!take_extra64(&entry, p + ENTRY_SIZE + name, extra))
    return broken(zip, "its directory is damaged", err);
  if (entry.offset > zip->directory || entry.packed > zip->directory - entry.offset)
    return broken(zip, "a member lies outside of it", err);
  ANK_CHECK(ank_reserve(&zip->entries, &zip->capacity, zip->count + 1, sizeof *zip->entries, err));
  ANK_CHECK(ank_copy_text(&entry.name, (const char *)p + ENTRY_SIZE, name, err));
  zip->entries[zip->count++] = entry;
  return ANORANK_OK;
}

static anorank_status read_directory(ank_zip *zip, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  unsigned char *directory = NULL;
  ending end = {0};
  ANK_TRY(find_end(&end, zip, err));
  ANK_TRY(find_end64(&end, zip, err));
  if (end.offset > end.at || end.size > end.at - end.offset || end.size > MOST_DIRECTORY ||
      end.entries > end.size / ENTRY_SIZE)
    ANK_TRY(broken(zip, "its directory is not where it says", err));
  zip->directory = end.offset;
  ANK_TRY(ank_alloc_raw(&directory, (size_t)end.size + 1, 1, err));
  ANK_TRY(read_at(zip, directory, (size_t)end.size, end.offset, err));
  size_t at = 0, step = 0;
  for (uint64_t i = 0; i < end.entries; i++, at += step)
    ANK_TRY(take_entry(zip, directory + at, (size_t)end.size - at, &step, err));
done:
  ank_free(directory);
  return status;
}

static anorank_status read_into_memory(ank_zip *zip, ank_source *source, size_t limit, anorank_error *err) {
  size_t capacity = 0, got = 1, length = 0;
  while (got > 0) {
    anorank_status status = ank_reserve(&zip->bytes, &capacity, length + ((size_t)1 << 18), 1, err);
    if (status == ANORANK_OK)
      status = ank_source_read_full(source, zip->bytes + length, capacity - length, &got, err);
    if (status != ANORANK_OK) return status;
    length += got;
    if (length > limit) {
      (void)ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-limit",
                     "%s: an archive from a pipe needs more than the %zu bytes allowed; save it as a file "
                     "first, or raise max-memory",
                     zip->name, limit);
      ank_error_set_location(err, zip->name, 0, NULL);
      ank_remedy_default_memory(err, limit);
      return ANORANK_ERROR_RESOURCES;
    }
  }
  zip->length = length;
  return ANORANK_OK;
}

anorank_status ank_zip_open(ank_zip **out, ank_source *source, size_t limit, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ank_zip *zip = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&zip, 1, sizeof *zip, err));
  zip->name = ank_source_name(source);
  zip->file = ank_source_file(source);
  if (zip->file < 0) {
    ANK_TRY(read_into_memory(zip, source, limit, err));
  } else {
    off_t length = lseek(zip->file, 0, SEEK_END);
    if (length < 0)
      ANK_FAIL(ANORANK_ERROR_RESOURCES, "file-read", "%s: cannot read: %s", zip->name, strerror(errno));
    zip->length = (uint64_t)length;
  }
  ANK_TRY(read_directory(zip, err));
  *out = zip;
  zip = NULL;
done:
  ank_zip_free(zip);
  return status;
}

void ank_zip_free(ank_zip *zip) {
  if (!zip) return;
  for (size_t i = 0; i < zip->count; i++) ank_free(zip->entries[i].name);
  ank_free(zip->entries);
  ank_free(zip->bytes);
  ank_free(zip);
}

size_t ank_zip_count(const ank_zip *zip) { return zip->count; }

const ank_zip_entry *ank_zip_at(const ank_zip *zip, size_t i) { return &zip->entries[i]; }

size_t ank_zip_find(const ank_zip *zip, const char *name) {
  for (size_t i = 0; i < zip->count; i++)
    if (ank_same_word(zip->entries[i].name, name)) return i;
  return SIZE_MAX;
}

/* ---- members ----------------------------------------------------------------------------------------- */

typedef struct member {
  const ank_zip *zip;
  const ank_zip_entry *entry;
  const char *name; /* owned by the source */
  uint64_t at, end; /* packed bytes in the file */
  uint64_t made;
  uLong crc;
  z_stream stream;
  int begun, ended;
  unsigned char input[INPUT];
} member;

static anorank_status damaged(const member *m, const char *why, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_DATA, "zip-damaged",
                  "%s: cannot be unpacked: %s; copy or save the archive again", m->name, why);
}

static anorank_status read_stored(member *m, void *buffer, size_t size, size_t *got, anorank_error *err) {
  uint64_t left = m->end - m->at;
  *got = left < size ? (size_t)left : size;
  anorank_status status = read_at(m->zip, buffer, *got, m->at, err);
  m->at += *got;
  m->ended = m->at == m->end;
  return status;
}

static anorank_status read_deflated(member *m, void *buffer, size_t size, size_t *got, anorank_error *err) {
  m->stream.next_out = buffer;
  m->stream.avail_out = size > UINT_MAX ? UINT_MAX : (uInt)size;
  uInt asked = m->stream.avail_out;
  while (m->stream.avail_out == asked && !m->ended) {
    if (m->stream.avail_in == 0) {
      uint64_t left = m->end - m->at;
      size_t step = left < sizeof m->input ? (size_t)left : sizeof m->input;
      if (step == 0) return damaged(m, "it ends too early", err);
      ANK_CHECK(read_at(m->zip, m->input, step, m->at, err));
      m->at += step;
      m->stream.next_in = m->input;
      m->stream.avail_in = (uInt)step;
    }
    int code = inflate(&m->stream, Z_NO_FLUSH);
    m->ended = code == Z_STREAM_END;
    if (code == Z_MEM_ERROR)
      return ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-exhausted", "%s: out of memory while unpacking",
                      m->name);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      return damaged(m, m->stream.msg ? m->stream.msg : "bad data", err);
  }
  *got = asked - m->stream.avail_out;
  return ANORANK_OK;
}

static anorank_status read_member(void *state, void *buffer, size_t size, size_t *got, anorank_error *err) {
  member *m = state;
  *got = 0;
  if (m->ended && m->made == m->entry->size) return ANORANK_OK;
  if (!m->ended)
    ANK_CHECK(m->entry->method == STORED ? read_stored(m, buffer, size, got, err)
                                         : read_deflated(m, buffer, size, got, err));
  m->made += *got;
  const unsigned char *bytes = buffer;
  for (size_t done = 0; done < *got;) {
    size_t step = *got - done < UINT_MAX ? *got - done : UINT_MAX;
    m->crc = crc32(m->crc, bytes + done, (uInt)step);
    done += step;
  }
  if (m->made > m->entry->size || (m->ended && m->made < m->entry->size))
    return damaged(m, "its length is not what the directory says", err);
  if (m->ended && m->crc != m->entry->crc) return damaged(m, "its checksum is wrong", err);
  return ANORANK_OK;
}

static void close_member(void *state) {
  member *m = state;
  if (m->begun) inflateEnd(&m->stream);
  ank_free(m);
}

/* Find the bytes after a header (4.3.7) that repeats the name, and may have other extra fields. */
static anorank_status find_bytes(member *m, anorank_error *err) {
  unsigned char local[LOCAL_SIZE];
  ANK_CHECK(read_at(m->zip, local, sizeof local, m->entry->offset, err));
  m->at = m->entry->offset + LOCAL_SIZE + u16(local + 26) + u16(local + 28);
  m->end = m->at + m->entry->packed;
  if (u32(local) != 0x04034B50 || m->end > m->zip->directory || u16(local + 8) != m->entry->method)
    return damaged(m, "it is not where the directory says", err);
  return ANORANK_OK;
}

anorank_status ank_zip_member(ank_source **out, ank_zip *zip, size_t i, const char *name,
                              anorank_error *err) {
  anorank_status status = ANORANK_OK;
  const ank_zip_entry *entry = &zip->entries[i];
  member *m = NULL;
  *out = NULL;
  ANK_TRY(ank_alloc(&m, 1, sizeof *m, err));
  m->zip = zip;
  m->entry = entry;
  m->name = name;
  m->crc = crc32(0, NULL, 0);
  if (entry->flags & ENCRYPTED)
    ANK_FAIL(ANORANK_ERROR_DATA, "zip-encrypted", "%s: is encrypted; decrypt the archive first", name);
  if (entry->method != STORED && entry->method != DEFLATED)
    ANK_FAIL(ANORANK_ERROR_DATA, "zip-method",
             "%s: uses the unsupported compression method %u; use deflate, the default of zip", name,
             entry->method);
  if (entry->method == STORED && entry->packed != entry->size)
    ANK_TRY(damaged(m, "its length is not what the directory says", err));
  ANK_TRY(find_bytes(m, err));
  m->ended = entry->method == STORED && entry->size == 0;
  if (entry->method == DEFLATED) {
    m->begun = ank_inflate_begin(&m->stream, -MAX_WBITS) == Z_OK;
    if (!m->begun)
      ANK_FAIL(ANORANK_ERROR_RESOURCES, "memory-exhausted", "%s: out of memory while unpacking", name);
  }
  member *given = m;
  m = NULL; /* close_member frees it, also on failure */
  ANK_TRY(ank_source_from_callback(out, name, read_member, close_member, given, err));
  given->name = ank_source_name(*out);
done:
  if (m) close_member(m);
  return status;
}

int ank_zip_begins(const unsigned char *bytes, size_t length, const char **name, size_t *name_length) {
  *name = "";
  *name_length = 0;
  if (length >= 4 && memcmp(bytes, "PK\x05\x06", 4) == 0) return 1;
  if (length < 4 || memcmp(bytes, "PK\x03\x04", 4) != 0) return 0;
  if (length > LOCAL_SIZE) {
    size_t whole = u16(bytes + 26);
    *name = (const char *)bytes + LOCAL_SIZE;
    *name_length = whole < length - LOCAL_SIZE ? whole : length - LOCAL_SIZE;
  }
  return 1;
}
