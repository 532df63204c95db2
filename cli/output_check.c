/* output_check.c - early checks of output files: whether they can be written, and whether one would replace
 * an input or another output. See result_file.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file_io.h"
#include "inputs.h"
#include "result_file.h"
#include "text.h"

/* ---- identity of files ------------------------------------------------------------------------------- */

/* An existing file, by device and inode; a new one, by its name and the device and inode of its folder. */
typedef struct identity {
  dev_t device;
  ino_t inode;
  char name[256]; /* "" for an existing file */
} identity;

static int same_file(const identity *a, const identity *b) {
  return a->device == b->device && a->inode == b->inode && strcmp(a->name, b->name) == 0;
}

/* Identify a file. Returns 0 for outputs that cannot overwrite a file: a pipe, a terminal, an invalid path. */
static int identify(identity *out, const char *path, int standard) {
  struct stat about;
  char target[ANK_PATH_SIZE], folder[ANK_PATH_SIZE];
  *out = (identity){0};
  int there = strcmp(path, "-") == 0 ? fstat(standard, &about) == 0 : stat(path, &about) == 0;
  if (there) {
    out->device = about.st_dev;
    out->inode = about.st_ino;
    return S_ISREG(about.st_mode);
  }
  if (ank_follow_links(target, path) != 0 || ank_folder_of(folder, target) != 0) return 0;
  if (stat(folder, &about) != 0) return 0;
  out->device = about.st_dev;
  out->inode = about.st_ino;
  const char *name = ank_file_name(target);
  if (strlen(name) >= sizeof out->name) return 0;
  strcpy(out->name, name);
  return name[0] != '\0';
}

static int is_model(const char *path) {
  static const char magic[8] = "ANORANK"; /* docs/model-format.md */
  char found[sizeof magic];
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return 0;
  int same = ank_read_at(file, found, sizeof found, 0) == sizeof found && memcmp(found, magic, 8) == 0;
  close(file);
  return same;
}

/* ---- the outputs ------------------------------------------------------------------------------------- */

typedef struct named_file {
  const char *option; /* NULL: standard output */
  const char *path;
  identity file;
  int known; /* `file` is set */
} named_file;

enum { MOST_OUTPUTS = 16 };

static int is_output(const char *option) {
  static const char *const names[] = {"output",     "curve",  "excess", "figure",
                                      "save-model", "report", "review"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], option) == 0) return 1;
  return 0;
}

static int writes_model(const cli_call *call, const char *option) {
  return strcmp(option, "save-model") == 0 ||
         (strcmp(option, "output") == 0 && strcmp(call->command->name, "fit") == 0);
}

/* Find the last value of each output option, and standard output. */
static size_t find_outputs(named_file outputs[MOST_OUTPUTS], const cli_call *call) {
  size_t count = 0;
  outputs[count++] = (named_file){.path = "-"};
  for (size_t i = 0; i < call->given_count && count < MOST_OUTPUTS; i++) {
    const cli_given *given = &call->given[i];
    if (!is_output(given->name) || cli_value(call, given->name) != given->value) continue;
    if (*given->value && strcmp(given->value, "-") != 0)
      outputs[count++] = (named_file){.option = given->name, .path = given->value};
  }
  for (size_t i = 0; i < count; i++)
    outputs[i].known = identify(&outputs[i].file, outputs[i].path, STDOUT_FILENO);
  return count;
}

/* ---- can they be written? ---------------------------------------------------------------------------- */

static int refuse_folder(const cli_call *call, const char *path, int reason) {
  anorank_error err = {0};
  char shown[256];
  cli_printable(shown, sizeof shown, path);
  if (reason == EISDIR)
    cli_fail(&err, ANORANK_ERROR_RESOURCES, "file-is-folder", "%s: is a directory; name a file in it", shown);
  else
    cli_fail(&err, ANORANK_ERROR_RESOURCES, "output-folder", "%s: cannot write to its directory: %s%s", shown,
             strerror(reason), reason == ENOENT ? "; create it first" : "");
  return cli_failure(call, ANORANK_ERROR_RESOURCES, &err);
}

/* The temporary file is next to the target of a link. */
static int check_place(const cli_call *call, const char *path) {
  struct stat existing;
  char target[ANK_PATH_SIZE], folder[ANK_PATH_SIZE];
  int there = stat(path, &existing) == 0;
  if (there && S_ISDIR(existing.st_mode)) return refuse_folder(call, path, EISDIR);
  if (there && !S_ISREG(existing.st_mode)) return 0;
  if (ank_follow_links(target, path) != 0) return refuse_folder(call, path, errno);
  if (ank_folder_of(folder, target) != 0) return refuse_folder(call, path, ENAMETOOLONG);
  return access(folder, W_OK | X_OK) == 0 ? 0 : refuse_folder(call, path, errno);
}

/* ---- would they overwrite a file? -------------------------------------------------------------------- */

static const char *word_of(char word[64], const named_file *file) {
  snprintf(word, 64, "%s%s", file->option ? "--" : "", file->option ? file->option : "standard output");
  return word;
}

static int refuse_input(const cli_call *call, const named_file *output, const char *input) {
  char word[64], shown[256];
  return cli_usage_error(
      call, "output-is-input", "%s would overwrite the input %s; name another file", word_of(word, output),
      cli_printable(shown, sizeof shown, strcmp(input, "-") == 0 ? "standard input" : input));
}

/* Return whether the output is one of the tables of a directory. */
static int lies_in_folder(const identity *output, const char *path) {
  int found = 0;
  DIR *folder = opendir(path);
  for (const struct dirent *one; folder && !found && (one = readdir(folder)) != NULL;) {
    struct stat about;
    char table[ANK_PATH_SIZE];
    if (one->d_name[0] == '.' || !cli_names_table(one->d_name)) continue;
    if (snprintf(table, sizeof table, "%s/%s", path, one->d_name) >= (int)sizeof table) continue;
    if (stat(table, &about) != 0) continue;
    found = about.st_dev == output->device && about.st_ino == output->inode && !output->name[0];
  }
  if (folder) closedir(folder);
  return found;
}

static int check_input(const cli_call *call, const named_file *outputs, size_t count, const char *path) {
  struct stat about;
  identity input;
  if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
    for (size_t i = 0; i < count; i++)
      if (outputs[i].known && lies_in_folder(&outputs[i].file, path))
        return refuse_input(call, &outputs[i], outputs[i].option ? outputs[i].path : path);
    return 0;
  }
  if (!identify(&input, path, STDIN_FILENO) || input.name[0]) return 0;
  for (size_t i = 0; i < count; i++)
    if (outputs[i].known && same_file(&outputs[i].file, &input)) return refuse_input(call, &outputs[i], path);
  return 0;
}

static int takes_file(const cli_call *call, const char *option) {
  cli_item item;
  return !is_output(option) && cli_item_find(&item, call->command, option, strlen(option), 0) &&
         item.placeholder && strcmp(item.placeholder, "FILE") == 0;
}

/* Return the name of the i-th argument, NULL past the last one of the command. */
static const cli_positional *positional_of(const cli_call *call, size_t i) {
  const cli_positional *known = call->command->positionals;
  for (size_t k = 0; known && known[k].name; k++)
    if (k == i || known[k].required == CLI_SEVERAL) return &known[k];
  return NULL;
}

static int check_inputs(const cli_call *call, const named_file *outputs, size_t count) {
  int code = 0;
  for (size_t i = 0; code == 0 && i < call->positional_count; i++) {
    const cli_positional *what = positional_of(call, i);
    if (what && !what->word_at) code = check_input(call, outputs, count, call->positionals[i]);
  }
  for (size_t i = 0; code == 0 && i < call->given_count; i++)
    if (takes_file(call, call->given[i].name) && *call->given[i].value)
      code = check_input(call, outputs, count, call->given[i].value);
  return code;
}

static int check_outputs(const cli_call *call, const named_file *outputs, size_t count) {
  char one[64], other[64], shown[256];
  for (size_t i = 1; i < count; i++) {
    for (size_t k = 0; k < i; k++)
      if (outputs[i].known && outputs[k].known && same_file(&outputs[i].file, &outputs[k].file))
        return cli_usage_error(call, "output-twice", "%s and %s name the same file; name two files",
                               word_of(one, &outputs[k]), word_of(other, &outputs[i]));
    if (!writes_model(call, outputs[i].option) && is_model(outputs[i].path))
      return cli_usage_error(call, "output-is-model",
                             "%s would overwrite the model %s with something else; name another file",
                             word_of(one, &outputs[i]), cli_printable(shown, sizeof shown, outputs[i].path));
  }
  return 0;
}

/* ---- the whole check --------------------------------------------------------------------------------- */

/* Return an error if table and model are swapped. */
static int check_order(const cli_call *call) {
  char table[256], model[256];
  for (size_t i = 0; i + 1 < call->positional_count; i++) {
    const cli_positional *what = positional_of(call, i), *next = positional_of(call, i + 1);
    const char *first = call->positionals[i], *second = call->positionals[i + 1];
    if (!what || !next || strcmp(what->name, "MODEL") != 0 || strcmp(next->name, "FILE") != 0) continue;
    if (access(first, F_OK) == 0 && !is_model(first) && is_model(second))
      return cli_usage_error(call, "arguments-swapped",
                             "%s is a model and %s is not; name the model first: anorank %s%s%s %s %s",
                             cli_printable(model, sizeof model, second),
                             cli_printable(table, sizeof table, first), call->command->name, i > 0 ? " " : "",
                             i > 0 ? call->positionals[0] : "", model, table);
  }
  return 0;
}

int cli_output_check(const cli_call *call) {
  named_file outputs[MOST_OUTPUTS];
  size_t count = find_outputs(outputs, call);
  int code = check_order(call);
  if (code == 0) code = check_inputs(call, outputs, count);
  if (code == 0) code = check_outputs(call, outputs, count);
  for (size_t i = 1; code == 0 && i < count; i++) code = check_place(call, outputs[i].path);
  return code;
}
