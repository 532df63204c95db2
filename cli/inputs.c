/* inputs.c - see inputs.h. */
#include "inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/ascii.h"
#include "core/file_io.h"
#include "model_options.h"
#include "ranking_report.h"
#include "text.h"

#define STREAM_BYTES (256.0 * 1048576)
#define PACKED 5 /* assumed compression ratio of a table */

/* ---- files to read ---------------------------------------------------------------------------------- */

static void add(cli_inputs *inputs, const char *folder, const char *name) {
  size_t length = (folder ? strlen(folder) + 1 : 0) + strlen(name) + 1;
  cli_input *grown = cli_allocate(inputs->count + 1, sizeof *grown);
  if (inputs->count > 0) memcpy(grown, inputs->list, inputs->count * sizeof *grown);
  free(inputs->list);
  inputs->list = grown;
  char *path = cli_allocate(length, 1);
  int slash = folder && *ank_file_name(folder) != '\0';
  snprintf(path, length, "%s%s%s", folder ? folder : "", slash ? "/" : "", name);
  struct stat about;
  int standard = !folder && strcmp(name, "-") == 0;
  int there = standard ? fstat(STDIN_FILENO, &about) == 0 : stat(path, &about) == 0;
  double bytes = there && !S_ISREG(about.st_mode) ? -1 : there ? (double)about.st_size : 0;
  if (standard) bytes = -1;
  inputs->list[inputs->count++] = (cli_input){path, -1, 0, bytes};
}

int cli_names_table(const char *name) {
  const anorank_format *format;
  for (size_t i = 0; (format = anorank_format_at(i)) != NULL; i++) {
    const char *ending = format->endings;
    while (format->reads && *ending) {
      char one[32];
      size_t length = strcspn(ending, " ");
      if (length < sizeof one) {
        memcpy(one, ending, length);
        one[length] = '\0';
        if (cli_names_format(name, one)) return 1;
      }
      ending += length + strspn(ending + length, " ");
    }
  }
  return 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const cli_input *)a)->path, ((const cli_input *)b)->path);
}

static int add_folder(cli_inputs *inputs, const char *path, const cli_call *call) {
  char shown[256];
  anorank_error err = {.status = ANORANK_ERROR_DATA};
  DIR *folder = opendir(path);
  size_t before = inputs->count;
  cli_printable(shown, sizeof shown, path);
  if (!folder) {
    cli_fail(&err, ANORANK_ERROR_RESOURCES, "folder-read", "%s: cannot list the directory: %s", shown,
             strerror(errno));
    return cli_failure(call, ANORANK_ERROR_RESOURCES, &err);
  }
  for (const struct dirent *one; (one = readdir(folder)) != NULL;)
    if (one->d_name[0] != '.' && cli_names_table(one->d_name)) add(inputs, path, one->d_name);
  closedir(folder);
  if (inputs->count == before) {
    cli_fail(&err, ANORANK_ERROR_DATA, "folder-no-tables",
             "%s: no table files found; their names must end in .csv, .tsv, .jsonl or another known format",
             shown);
    return cli_failure(call, ANORANK_ERROR_DATA, &err);
  }
  qsort(inputs->list + before, inputs->count - before, sizeof *inputs->list, by_name);
  return 0;
}

int cli_inputs_find(cli_inputs *inputs, const cli_call *call, size_t first) {
  int code = 0;
  for (size_t i = first; code == 0 && i < call->positional_count; i++) {
    const char *path = call->positionals[i];
    struct stat about;
    if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
      code = add_folder(inputs, path, call);
    else
      add(inputs, NULL, path);
  }
  for (size_t i = 0; code == 0 && i < inputs->count; i++)
    if (inputs->count > 1 && strcmp(inputs->list[i].path, "-") == 0)
      code = cli_usage_error(call, "stdin-part",
                             "standard input cannot be one of several files; name files only");
  return code;
}

void cli_inputs_free(cli_inputs *inputs) {
  for (size_t i = 0; i < inputs->count; i++) {
    if (inputs->list[i].file >= 0) close(inputs->list[i].file);
    free(inputs->list[i].path);
  }
  free(inputs->list);
  free(inputs->rows);
  *inputs = (cli_inputs){0};
}

/* Return the bytes of text that are read into memory as a whole. */
static double enough(const cli_call *call) {
  double limit = (double)anorank_settings_integer(call->settings, "max-memory") / 4;
  return limit > 0 && limit < STREAM_BYTES ? limit : STREAM_BYTES;
}

static int is_packed(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (ank_same_word(dot, ".gz") || ank_same_word(dot, ".zst") || ank_same_word(dot, ".xlsx"));
}

int cli_has_context(const cli_call *call) {
  return *anorank_settings_text(call->settings, "by") || *anorank_settings_text(call->settings, "time");
}

int cli_inputs_stream(const cli_inputs *inputs, const cli_call *call) {
  const cli_input *one = &inputs->list[0];
  return inputs->count > 1 || one->bytes < 0 ||
         one->bytes * (is_packed(one->path) ? PACKED : 1) > enough(call);
}

/* ---- pipes ------------------------------------------------------------------------------------------- */

/* Copy all bytes. Returns their number, or -1 and errno; `*reads`: the failure was a read. */
static double copy_bytes(int from, int to, int *reads) {
  enum { SIZE = 1 << 20 };
  char *buffer = cli_allocate(SIZE, 1);
  double bytes = 0;
  for (;;) {
    ssize_t got = read(from, buffer, SIZE);
    if (got < 0 && errno == EINTR) continue;
    *reads = got < 0;
    if (got > 0 && ank_write_full(to, buffer, (size_t)got) != 0) got = -1;
    if (got < 0) bytes = -1;
    if (got <= 0) break;
    bytes += (double)got;
  }
  int error = errno;
  free(buffer);
  errno = error;
  return bytes;
}

static int keep(cli_input *input, const cli_call *call, cli_notes *notes) {
  char shown[256], size[32];
  anorank_error err = {.status = ANORANK_ERROR_RESOURCES};
  int standard = strcmp(input->path, "-") == 0, reads = 0;
  int from = standard ? STDIN_FILENO : open(input->path, O_RDONLY | O_CLOEXEC);
  int to = from >= 0 ? ank_open_temporary() : -1;
  cli_printable(shown, sizeof shown, standard ? "standard input" : input->path);
  double bytes = to >= 0 ? copy_bytes(from, to, &reads) : -1;
  int reason = errno;
  if (from >= 0 && !standard) close(from);
  if (bytes < 0) {
    if (from < 0 || reads)
      cli_fail(&err, ANORANK_ERROR_RESOURCES, "file-read", "%s: cannot be read: %s", shown, strerror(reason));
    else
      cli_fail(&err, ANORANK_ERROR_RESOURCES, "temporary-file",
               "%s: cannot be stored in a temporary file: %s; set TMPDIR to a directory with more free space",
               shown, strerror(reason));
    if (to >= 0) close(to);
    return cli_failure(call, ANORANK_ERROR_RESOURCES, &err);
  }
  input->file = to;
  input->bytes = bytes;
  if (bytes > enough(call)) {
    cli_size_text(size, sizeof size, bytes);
    cli_notes_add(notes, ANORANK_NOTE_DETAIL, "input-copied",
                  "%s is read more than once, so its %s were copied to a temporary file", shown, size);
  }
  return 0;
}

int cli_inputs_keep(cli_inputs *inputs, const cli_call *call, cli_notes *notes) {
  int code = 0;
  for (size_t i = 0; code == 0 && i < inputs->count; i++)
    if (inputs->list[i].bytes < 0) code = keep(&inputs->list[i], call, notes);
  return code;
}

static int read_kept(void *context, void *buffer, size_t size, size_t *got) {
  cli_input *from = context;
  ssize_t count;
  do count = pread(from->file, buffer, size, from->at);
  while (count < 0 && errno == EINTR);
  if (count < 0) return -1;
  *got = (size_t)count;
  from->at += count;
  return 0;
}

static anorank_source source_of(cli_input *input) {
  input->at = 0;
  if (input->file < 0) return (anorank_source){.path = input->path};
  return (anorank_source){.read = read_kept,
                          .context = input,
                          .name = strcmp(input->path, "-") == 0 ? "standard input" : input->path};
}

anorank_status cli_inputs_table(anorank_table **out, cli_inputs *inputs, const cli_call *call,
                                anorank_error *err) {
  anorank_source source = source_of(&inputs->list[0]);
  return anorank_table_read(out, &source, call->settings, err);
}

/* ---- all rows ---------------------------------------------------------------------------------------- */

/* Return arrays to the system when they are freed. By default the C library moves large arrays to its heap after the first
 * ones, and the resulting fragmentation costs a third of the memory of a fit. */
static void return_large_arrays(void) {
#ifdef __GLIBC__
  (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

static anorank_status open_part(void *context, size_t part, anorank_reader **reader, anorank_error *err) {
  cli_inputs *inputs = context;
  const cli_call *call = inputs->call;
  anorank_source source = source_of(&inputs->list[part]);
  anorank_status status = anorank_reader_open(reader, &source, call->settings, err);
  if (status == ANORANK_OK && part == 0) inputs->code = cli_check_keep(anorank_reader_schema(*reader), call);
  if (status == ANORANK_OK && inputs->code == 0) return ANORANK_OK;
  anorank_reader_free(*reader);
  *reader = NULL;
  return status == ANORANK_OK ? ANORANK_CANCELLED : status;
}

anorank_parts cli_inputs_parts(cli_inputs *inputs, const cli_call *call) {
  return_large_arrays();
  inputs->call = call;
  if (!inputs->rows) inputs->rows = cli_allocate(inputs->count, sizeof *inputs->rows);
  return (anorank_parts){.open = open_part, .context = inputs, .count = inputs->count, .rows = inputs->rows};
}

anorank_status cli_inputs_sample(anorank_stream **out, cli_inputs *inputs, const cli_call *call,
                                 anorank_error *err) {
  anorank_parts parts = cli_inputs_parts(inputs, call);
  anorank_status status = anorank_stream_new(out, NULL, call->settings, err);
  if (status == ANORANK_OK) status = anorank_stream_read(*out, &parts, call->settings, err);
  if (status == ANORANK_OK) {
    cli_detail(call, "read %zu rows", anorank_stream_rows(*out));
    return status;
  }
  anorank_stream_free(*out);
  *out = NULL;
  return status;
}
