/* parts.c - see parts.h. */
#include "anorank/io.h"
#include "parts.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "joint_file.h"

#define FIRST_LINE "anorank-mpi parts 2"

struct parts {
  char folder[PATH_MAX - 64], path[PATH_MAX];
  char ending[16], job[80];
  size_t finished;
  parts_place place;
  char *lines; /* process 0: of the finished parts */
};

static void list_path(char path[PATH_MAX], const parts *all) {
  snprintf(path, PATH_MAX, "%s/parts", all->folder);
}

/* Process 0: what an earlier run has written. */
static anorank_status read_list(parts *all, int resume, anorank_error *err) {
  char path[PATH_MAX], line[256], job[128] = "";
  size_t used = 0;
  list_path(path, all);
  FILE *file = fopen(path, "r");
  if (!file) return ANORANK_OK;
  int known = fgets(line, sizeof line, file) && strcmp(line, FIRST_LINE "\n") == 0 &&
              fgets(line, sizeof line, file) && sscanf(line, "job %127s", job) == 1;
  while (known && fgets(line, sizeof line, file)) {
    parts_place place;
    size_t number, length = strlen(line);
    if (sscanf(line, "%zu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &number, &place.file,
               &place.before, &place.at.offset, &place.at.line, &place.at.rows) != 6 ||
        number != all->finished || line[length - 1] != '\n')
      break;
    char *grown = realloc(all->lines, used + length + 1);
    if (!grown) break;
    memcpy(grown + used, line, length + 1);
    all->lines = grown;
    used += length;
    all->finished++;
    all->place = place;
  }
  fclose(file);
  if (!resume)
    return team_fail(err, ANORANK_ERROR_USAGE,
                     "%s: holds parts of an earlier run; add --resume to finish them, or name another folder",
                     all->folder);
  if (!known || strcmp(job, all->job) != 0)
    return team_fail(err, ANORANK_ERROR_USAGE,
                     "%s: holds parts of another job (another file, model or option); name another folder",
                     all->folder);
  return ANORANK_OK;
}

anorank_status parts_open(parts **out, const char *folder, const char *ending, const char *job, int resume,
                          anorank_error *err) {
  anorank_status status = ANORANK_OK;
  parts *all = calloc(1, sizeof *all);
  *out = NULL;
  if (!all) status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  if (all) {
    snprintf(all->ending, sizeof all->ending, "%s", ending);
    snprintf(all->job, sizeof all->job, "%s", job);
    if (snprintf(all->folder, sizeof all->folder, "%s", folder) >= (int)sizeof all->folder)
      status =
          team_fail(err, ANORANK_ERROR_RESOURCES, "%.200s...: the name of the folder is too long", folder);
  }
  if (status == ANORANK_OK && team_rank == 0 && mkdir(all->folder, 0777) != 0 && errno != EEXIST)
    status =
        team_fail(err, ANORANK_ERROR_RESOURCES, "%s: cannot make the folder: %s", folder, strerror(errno));
  if (status == ANORANK_OK && team_rank == 0) status = read_list(all, resume, err);
  status = team_agree(status, err);
  if (status != ANORANK_OK) {
    parts_free(all);
    return status;
  }
  team_share(&all->finished, sizeof all->finished);
  team_share(&all->place, sizeof all->place);
  *out = all;
  return ANORANK_OK;
}

void parts_free(parts *all) {
  if (!all) return;
  free(all->lines);
  free(all);
}

size_t parts_finished(const parts *all) { return all->finished; }

parts_place parts_next(const parts *all) { return all->place; }

const char *parts_path(parts *all) {
  snprintf(all->path, sizeof all->path, "%s/part-%06zu.%s", all->folder, all->finished, all->ending);
  return all->path;
}

/* Process 0: the list anew, whole or not at all. */
static anorank_status write_list(const parts *all, anorank_error *err) {
  char path[PATH_MAX], head[128];
  anorank_file *file = NULL;
  list_path(path, all);
  int length = snprintf(head, sizeof head, FIRST_LINE "\njob %s\n", all->job);
  anorank_status status = anorank_file_open(&file, path, err);
  if (status == ANORANK_OK) status = anorank_file_write(file, head, (size_t)length, err);
  if (status == ANORANK_OK) status = anorank_file_write(file, all->lines, strlen(all->lines), err);
  if (status == ANORANK_OK) status = anorank_file_commit(file, err);
  anorank_file_free(file);
  return status;
}

anorank_status parts_finish(parts *all, parts_place place, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (team_rank == 0) {
    char line[256];
    size_t used = all->lines ? strlen(all->lines) : 0;
    int length =
        snprintf(line, sizeof line, "%zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                 all->finished, place.file, place.before, place.at.offset, place.at.line, place.at.rows);
    char *grown = realloc(all->lines, used + (size_t)length + 1);
    if (grown) {
      memcpy(grown + used, line, (size_t)length + 1);
      all->lines = grown;
      status = write_list(all, err);
    } else {
      status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
    }
  }
  all->finished++;
  all->place = place;
  joint_words = "parts that are finished stay, and --resume goes on after them";
  return team_agree(status, err);
}
