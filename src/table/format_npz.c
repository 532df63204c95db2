/* format_npz.c - several NPY arrays in one zip archive, as numpy.savez and numpy.savez_compressed write them.
 *
 * One member is chosen, and the NPY reader reads a source over its unpacked bytes. A zip archive is read from
 * its end, so a source that is not a regular file is first read into memory. */
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "table/format.h"
#include "table/npy_header.h"
#include "table/workbook.h"
#include "table/zip.h"

typedef struct npz_state {
  ank_zip *archive;
  char *name; /* "file.npz[X]", for messages */
  ank_source *inner;
  void *npy;
} npz_state;

static void npz_free(void *state) {
  npz_state *s = state;
  if (!s) return;
  ank_format_npy.reader->free(s->npy);
  ank_source_free(s->inner);
  ank_zip_free(s->archive);
  ank_free(s->name);
  ank_free(s);
}

/* ---- the member -------------------------------------------------------------------------------------- */

/* Return the length of an array's name, the member's without ".npy"; 0 if it is not an array. */
static size_t array_length(const char *member) {
  size_t length = member ? strlen(member) : 0;
  return length > 4 && strcmp(member + length - 4, ".npy") == 0 ? length - 4 : 0;
}

static int is_called(const char *member, const char *name) {
  size_t length = array_length(member);
  return length > 0 &&
         ((strlen(name) == length && memcmp(member, name, length) == 0) || strcmp(member, name) == 0);
}

/* Write "a, b, c", truncated after a few hundred bytes. */
static void list_names(const ank_zip *archive, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < ank_zip_count(archive); i++) {
    const char *member = ank_zip_at(archive, i)->name;
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

static void propose_arrays(const ank_zip *archive, anorank_error *err) {
  for (size_t i = 0; i < ank_zip_count(archive); i++) {
    char name[sizeof err->remedies];
    const char *member = ank_zip_at(archive, i)->name;
    size_t length = array_length(member);
    if (length == 0 || length >= sizeof name) continue;
    memcpy(name, member, length);
    name[length] = '\0';
    ank_remedy(err, "array", name);
  }
}

static anorank_status choose_member(size_t *chosen, const npz_state *s, const ank_source *source,
                                    const char *wanted, anorank_error *err) {
  size_t count = ank_zip_count(s->archive), arrays = 0, only = 0;
  char names[512], quoted[ANK_QUOTE_SIZE];
  for (size_t i = 0; i < count; i++) {
    const char *member = ank_zip_at(s->archive, i)->name;
    *chosen = i;
    if (is_called(member, wanted[0] ? wanted : "X")) return ANORANK_OK;
    if (array_length(member) > 0) arrays++, only = i;
  }
  if (arrays == 0)
    return ank_fail(
        err, ANORANK_ERROR_DATA, "zip-no-table",
        "%s: is a zip archive without NPY arrays or a workbook; unpack it, and name the table in it",
        ank_source_name(source));
  list_names(s->archive, names, sizeof names);
  if (wanted[0])
    (void)ank_fail(err, ANORANK_ERROR_USAGE, "npz-array-unknown", "%s: has no array \"%s\"; it has %s",
                   ank_source_name(source), ank_quote(quoted, wanted, strlen(wanted)), names);
  else if (arrays > 1)
    (void)ank_fail(err, ANORANK_ERROR_USAGE, "npz-which-array", "%s: has several arrays: %s",
                   ank_source_name(source), names);
  if (wanted[0] || arrays > 1) {
    ank_error_set_location(err, ank_source_name(source), 0, NULL);
    ank_error_set_setting(err, "array");
    propose_arrays(s->archive, err);
    return ANORANK_ERROR_USAGE;
  }
  *chosen = only;
  return ANORANK_OK;
}

static anorank_status open_member(npz_state *s, const ank_source *source, size_t index, anorank_error *err) {
  char quoted[ANK_QUOTE_SIZE], name[ANK_QUOTE_SIZE + 4096];
  const char *member = ank_zip_at(s->archive, index)->name;
  int length = snprintf(name, sizeof name, "%.3900s[%s]", ank_source_name(source),
                        ank_quote(quoted, member, array_length(member)));
  anorank_status status = ank_copy_text(&s->name, name, (size_t)length, err);
  return status == ANORANK_OK ? ank_zip_member(&s->inner, s->archive, index, s->name, err) : status;
}

/* ---- the class --------------------------------------------------------------------------------------- */

static int npz_recognise(const unsigned char *bytes, size_t length) {
  const char *name;
  size_t name_length;
  return ank_zip_begins(bytes, length, &name, &name_length) && !ank_workbook_member(name, name_length);
}

static anorank_status npz_open(void **state, ank_source *source, anorank_table *table,
                               const anorank_settings *settings, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  npz_state *s = NULL;
  size_t index = 0;
  *state = NULL;
  ANK_TRY(ank_alloc(&s, 1, sizeof *s, err));
  ANK_TRY(ank_zip_open(&s->archive, source, ank_memory_limit(settings), err));
  ANK_TRY(choose_member(&index, s, source, settings ? settings->array : "", err));
  ANK_TRY(open_member(s, source, index, err));
  ANK_TRY(ank_npy_open(&s->npy, s->inner, ANK_SIZE_LIMIT(ank_zip_at(s->archive, index)->size), table,
                       settings, err));
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

static const ank_reader_class read_npz = {npz_open, npz_next, npz_rows, npz_free, 0};

const ank_format ank_format_npz = {
    {"npz", "an archive of NPY arrays; the setting array chooses one", ".npz", 1, 0},
    0,
    npz_recognise,
    &read_npz,
    NULL};
