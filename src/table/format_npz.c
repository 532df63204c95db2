/* format_npz.c - several NPY arrays in one zip archive, as numpy.savez and numpy.savez_compressed write them.
 *
 * One member is chosen, and a source over its unpacked bytes is given to the NPY reader. A zip archive is
 * read from its end, so what is not a regular file must first be in memory. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "core/alloc.h"
#include "table/format.h"
#include "table/npy_header.h"

typedef struct npz_state {
  zip_t *archive;
  zip_file_t *member;
  unsigned char *bytes; /* the archive, where it is not a file */
  char *name;           /* "file.npz[X]", for messages */
  ank_source *inner;
  void *npy;
} npz_state;

static void npz_free(void *state) {
  npz_state *s = state;
  if (!s) return;
  ank_format_npy.reader->free(s->npy);
  ank_source_free(s->inner);
  if (s->member) zip_fclose(s->member);
  if (s->archive) zip_discard(s->archive);
  ank_free(s->bytes);
  ank_free(s->name);
  ank_free(s);
}

/* ---- the archive ------------------------------------------------------------------------------------- */

static anorank_status not_an_archive(const ank_source *source, const char *why, anorank_error *err) {
  return ank_fail(err, ANORANK_ERROR_DATA,
                  "%s: cannot be read as an NPZ archive: %s; was it cut short, or is it another format?",
                  ank_source_name(source), why);
}

static anorank_status read_into_memory(npz_state *s, size_t *length, ank_source *source, size_t limit,
                                       anorank_error *err) {
  size_t capacity = 0, got = 1;
  *length = 0;
  while (got > 0) {
    anorank_status status = ank_reserve(&s->bytes, &capacity, *length + ((size_t)1 << 18), 1, err);
    if (status == ANORANK_OK)
      status = ank_source_read_full(source, s->bytes + *length, capacity - *length, &got, err);
    if (status != ANORANK_OK) return status;
    *length += got;
    if (*length > limit) {
      (void)ank_fail(
          err, ANORANK_ERROR_RESOURCES,
          "%s: an NPZ archive that is not a plain file must be held in memory: more than the %zu bytes "
          "allowed; save it as a file first, or allow more memory",
          ank_source_name(source), limit);
      ank_place(err, ank_source_name(source), 0, NULL);
      ank_remedy_memory(err, limit);
      return ANORANK_ERROR_RESOURCES;
    }
  }
  return ANORANK_OK;
}

static anorank_status open_archive(npz_state *s, ank_source *source, const anorank_settings *settings,
                                   anorank_error *err) {
  int file = ank_source_file(source), code = 0;
  if (file >= 0) {
    int copy = dup(file);
    if (copy < 0)
      return ank_fail(err, ANORANK_ERROR_RESOURCES, "%s: cannot open it twice: %s", ank_source_name(source),
                      strerror(errno));
    s->archive = zip_fdopen(copy, ZIP_CHECKCONS, &code);
    if (!s->archive) close(copy);
  } else {
    size_t length;
    zip_error_t error;
    anorank_status status = read_into_memory(s, &length, source, ank_memory_limit(settings), err);
    if (status != ANORANK_OK) return status;
    zip_error_init(&error);
    zip_source_t *buffer = zip_source_buffer_create(s->bytes, length, 0, &error);
    if (buffer) s->archive = zip_open_from_source(buffer, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (buffer && !s->archive) zip_source_free(buffer);
    code = zip_error_code_zip(&error);
    zip_error_fini(&error);
  }
  if (s->archive) return ANORANK_OK;
  if (code == ZIP_ER_MEMORY)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "%s: out of memory while opening the archive",
                    ank_source_name(source));
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  anorank_status status = not_an_archive(source, zip_error_strerror(&error), err);
  zip_error_fini(&error);
  return status;
}

/* ---- the member -------------------------------------------------------------------------------------- */

/* Length of an array's name: the member's without ".npy"; 0 where it is not an array. */
static size_t array_length(const char *member) {
  size_t length = member ? strlen(member) : 0;
  return length > 4 && strcmp(member + length - 4, ".npy") == 0 ? length - 4 : 0;
}

static int is_called(const char *member, const char *name) {
  size_t length = array_length(member);
  return length > 0 &&
         ((strlen(name) == length && memcmp(member, name, length) == 0) || strcmp(member, name) == 0);
}

/* "a, b, c", cut after a few hundred bytes. */
static void list_names(zip_t *archive, char *text, size_t size) {
  zip_int64_t count = zip_get_num_entries(archive, 0);
  size_t used = 0;
  text[0] = '\0';
  for (zip_int64_t i = 0; i < count; i++) {
    const char *member = zip_get_name(archive, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
    size_t length = array_length(member);
    char quoted[ANK_QUOTE_SIZE];
    if (length == 0) continue;
    ank_quote(quoted, member, length);
    if (used + strlen(quoted) + 8 > size) {
      memcpy(text + used, ", ...", 6);
      return;
    }
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", quoted);
  }
}

static void propose_arrays(zip_t *archive, anorank_error *err) {
  zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; i++) {
    char name[sizeof err->remedy[0].value];
    const char *member = zip_get_name(archive, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
    size_t length = array_length(member);
    if (length == 0 || length >= sizeof name) continue;
    memcpy(name, member, length);
    name[length] = '\0';
    ank_remedy(err, "array", name);
  }
}

static anorank_status choose_member(zip_uint64_t *chosen, const npz_state *s, const ank_source *source,
                                    const char *wanted, anorank_error *err) {
  zip_int64_t count = zip_get_num_entries(s->archive, 0), arrays = 0, only = -1;
  char names[512], quoted[ANK_QUOTE_SIZE];
  for (zip_int64_t i = 0; i < count; i++) {
    const char *member = zip_get_name(s->archive, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
    *chosen = (zip_uint64_t)i;
    if (is_called(member, wanted[0] ? wanted : "X")) return ANORANK_OK;
    if (array_length(member) > 0) arrays++, only = i;
  }
  if (arrays == 0)
    return ank_fail(err, ANORANK_ERROR_DATA,
                    "%s: a zip archive without NPY arrays; make it with numpy.savez, or if it is a workbook, "
                    "save that as CSV",
                    ank_source_name(source));
  list_names(s->archive, names, sizeof names);
  if (wanted[0])
    (void)ank_fail(err, ANORANK_ERROR_USAGE, "%s: has no array \"%s\"; it has: %s", ank_source_name(source),
                   ank_quote(quoted, wanted, strlen(wanted)), names);
  else if (arrays > 1)
    (void)ank_fail(err, ANORANK_ERROR_USAGE, "%s: has several arrays: %s", ank_source_name(source), names);
  if (wanted[0] || arrays > 1) {
    ank_place(err, ank_source_name(source), 0, NULL);
    ank_blame(err, "array");
    propose_arrays(s->archive, err);
    return ANORANK_ERROR_USAGE;
  }
  *chosen = (zip_uint64_t)only;
  return ANORANK_OK;
}

static anorank_status read_member(void *state, void *buffer, size_t size, size_t *got, anorank_error *err) {
  npz_state *s = state;
  *got = 0;
  if (size == 0) return ANORANK_OK;
  zip_int64_t read = zip_fread(s->member, buffer, size);
  if (read >= 0) {
    *got = (size_t)read;
    return ANORANK_OK;
  }
  zip_error_t *error = zip_file_get_error(s->member);
  int code = zip_error_code_zip(error);
  return ank_fail(err, code == ZIP_ER_MEMORY ? ANORANK_ERROR_RESOURCES : ANORANK_ERROR_DATA,
                  "%s: cannot be unpacked: %s; the archive is damaged, copy or save it again", s->name,
                  zip_error_strerror(error));
}

static anorank_status open_member(npz_state *s, size_t *bytes, ank_source *source, zip_uint64_t index,
                                  anorank_error *err) {
  zip_stat_t about;
  char quoted[ANK_QUOTE_SIZE], name[ANK_QUOTE_SIZE + 4096];
  const char *member = zip_get_name(s->archive, index, ZIP_FL_ENC_RAW);
  int length = snprintf(name, sizeof name, "%.3900s[%s]", ank_source_name(source),
                        ank_quote(quoted, member, array_length(member)));
  anorank_status status = ank_copy_text(&s->name, name, (size_t)length, err);
  if (status != ANORANK_OK) return status;
  zip_stat_init(&about);
  if (zip_stat_index(s->archive, index, 0, &about) != 0 || !(about.valid & ZIP_STAT_SIZE))
    return not_an_archive(source, zip_error_strerror(zip_get_error(s->archive)), err);
  if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) && about.encryption_method != ZIP_EM_NONE)
    return ank_fail(err, ANORANK_ERROR_DATA, "%s: is encrypted; decrypt the archive first", s->name);
  *bytes = about.size;
  s->member = zip_fopen_index(s->archive, index, 0);
  if (!s->member)
    return ank_fail(err, ANORANK_ERROR_DATA, "%s: cannot be unpacked: %s; save it with numpy.savez", s->name,
                    zip_error_strerror(zip_get_error(s->archive)));
  return ank_source_from_callback(&s->inner, s->name, read_member, NULL, s, err);
}

/* ---- the class --------------------------------------------------------------------------------------- */

static int npz_recognise(const unsigned char *bytes, size_t length) {
  return length >= 4 && (memcmp(bytes, "PK\x03\x04", 4) == 0 || memcmp(bytes, "PK\x05\x06", 4) == 0);
}

static anorank_status npz_open(void **state, ank_source *source, anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  npz_state *s = NULL;
  zip_uint64_t index = 0;
  size_t bytes = 0;
  *state = NULL;
  ANK_TRY(ank_alloc(&s, 1, sizeof *s, err));
  ANK_TRY(open_archive(s, source, settings, err));
  ANK_TRY(choose_member(&index, s, source, settings ? settings->array : "", err));
  ANK_TRY(open_member(s, &bytes, source, index, err));
  ANK_TRY(ank_npy_open(&s->npy, s->inner, bytes, table, settings, err));
  *state = s;
  s = NULL;
done:
  npz_free(s);
  return status;
}

static anorank_status npz_next(void *state, anorank_table *table, size_t most, anorank_error *err) {
  return ank_format_npy.reader->next(((npz_state *)state)->npy, table, most, err);
}

static size_t npz_rows(const void *state) {
  return ank_format_npy.reader->rows(((const npz_state *)state)->npy);
}

static const ank_reader_class read_npz = {npz_open, npz_next, npz_rows, npz_free};

const ank_format ank_format_npz = {
    {"npz", "an archive of NPY arrays; the setting array chooses one", ".npz", 1, 0},
    0,
    npz_recognise,
    &read_npz,
    NULL};
