/* joint_file.c - see joint_file.h. */
#include "anorank/io.h"
#include "joint_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { COPIED = 4 << 20 }; /* bytes at a time */

struct joint_file {
  char *name;
  char target[PATH_MAX], temporary[PATH_MAX];
  MPI_File file;
  int open;           /* `file` is: written by all */
  anorank_file *sent; /* process 0, where it writes for all */
  uint64_t length;    /* so far */
};

static char doomed[PATH_MAX];           /* the temporary file, */
static volatile sig_atomic_t is_doomed; /* while there is one: a signal must not find half a name */

const char *volatile joint_words = "no file was changed";

void joint_forsake(void) {
  if (is_doomed) (void)unlink(doomed);
}

static int ends_with(const char *text, const char *ending) {
  size_t length = strlen(text), wanted = strlen(ending);
  return length > wanted && strcmp(text + length - wanted, ending) == 0;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* Process 0: may all write to it? Then it gets a temporary name, that nobody else has. */
static anorank_status choose_name(joint_file *file, const char *path, anorank_error *err) {
  struct stat about;
  struct timespec now = {0};
  int exists = strcmp(path, "-") != 0 && stat(path, &about) == 0;
  if (strcmp(path, "-") == 0 || (exists && !S_ISREG(about.st_mode)) || ends_with(path, ".gz") ||
      ends_with(path, ".zst"))
    return ANORANK_OK;
  if (exists ? !realpath(path, file->target)
             : snprintf(file->target, sizeof file->target, "%s", path) >= (int)sizeof file->target)
    return team_fail(err, ANORANK_ERROR_RESOURCES, "%s: cannot open for writing: %s", path,
                     strerror(exists ? errno : ENAMETOOLONG));
  clock_gettime(CLOCK_REALTIME, &now);
  if (snprintf(file->temporary, sizeof file->temporary, "%s.tmp-%ld-%09ld", file->target, (long)getpid(),
               now.tv_nsec) >= (int)sizeof file->temporary) {
    file->temporary[0] = '\0';
    return team_fail(err, ANORANK_ERROR_RESOURCES, "%s: cannot open for writing: %s", path,
                     strerror(ENAMETOOLONG));
  }
  return ANORANK_OK;
}

/* Process 0: an empty file of that name, with the rights that the right one has or would get. All know the name by then, so that
 * it goes with the job, whoever dies. */
static anorank_status make_temporary(joint_file *file, const char *path, anorank_error *err) {
  struct stat about;
  int exists = stat(path, &about) == 0;
  int made = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? 0600 : 0666);
  if (made < 0)
    return team_fail(err, ANORANK_ERROR_RESOURCES, "%s: cannot write into its folder: %s%s", path,
                     strerror(errno), errno == ENOENT ? "; make the folder first" : "");
  if (exists) (void)fchmod(made, about.st_mode & 07777);
  close(made);
  return ANORANK_OK;
}

static anorank_status open_together(joint_file *file, const char *path, anorank_error *err) {
  memcpy(doomed, file->temporary, sizeof doomed);
  is_doomed = 1;
  anorank_status status = team_agree(team_rank == 0 ? make_temporary(file, path, err) : ANORANK_OK, err);
  if (status != ANORANK_OK) return status;
  /* each for itself: together, over several machines, Open MPI would put a lock beside it, and leave it there when all die */
  int code = MPI_File_open(MPI_COMM_SELF, file->temporary, MPI_MODE_WRONLY, MPI_INFO_NULL, &file->file);
  file->open = code == MPI_SUCCESS;
  return file->open ? ANORANK_OK : team_fail_mpi(err, code, path, "cannot open for writing");
}

anorank_status joint_open(joint_file **out, const char *path, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  joint_file *file = calloc(1, sizeof *file);
  *out = NULL;
  if (file) file->name = strdup(strcmp(path, "-") == 0 ? "standard output" : path);
  if (!file || !file->name) status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  if (status == ANORANK_OK && team_rank == 0) status = choose_name(file, path, err);
  status = team_agree(status, err);
  if (status == ANORANK_OK) team_share(file->temporary, sizeof file->temporary);
  if (status == ANORANK_OK && file->temporary[0]) {
    status = open_together(file, path, err);
  } else if (status == ANORANK_OK && team_rank == 0) {
    status = anorank_file_open(&file->sent, path, err);
  }
  status = team_agree(status, err);
  if (status == ANORANK_OK)
    *out = file;
  else
    joint_free(file);
  return status;
}

int joint_can_patch(const joint_file *file) { return file->open; }

/* ---- writing ------------------------------------------------------------------------------------------- */

static anorank_status write_at(joint_file *file, uint64_t offset, const void *bytes, size_t length,
                               anorank_error *err) {
  for (size_t done = 0; done < length;) {
    MPI_Status written;
    int count = 0;
    errno = 0;
    int code = MPI_File_write_at(file->file, (MPI_Offset)(offset + done), (const char *)bytes + done,
                                 team_step(length - done), MPI_BYTE, &written);
    if (code == MPI_SUCCESS) MPI_Get_count(&written, MPI_BYTE, &count);
    if (code == MPI_SUCCESS && count > 0) {
      done += (size_t)count;
      continue;
    }
    const char *advice = errno == ENOSPC  ? "; free some space or write elsewhere"
                         : errno == EFBIG ? "; it is over the size limit for files"
                                          : "";
    if (errno != 0)
      return team_fail(err, ANORANK_ERROR_RESOURCES, "%s: cannot write: %s%s", file->name, strerror(errno),
                       advice);
    return team_fail_mpi(err, code, file->name, "cannot write");
  }
  return ANORANK_OK;
}

/* Process 0 receives and writes what the others have, one after the other. */
static anorank_status send_to_first(joint_file *file, const unsigned char *bytes, size_t length,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint64_t mine = length, *lengths = team_rank == 0 ? malloc((size_t)team_size * sizeof *lengths) : NULL;
  unsigned char *heard = NULL;
  size_t room = 0;
  if (team_rank == 0 && !lengths) status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  if ((status = team_agree(status, err)) != ANORANK_OK) {
    free(lengths);
    return status;
  }
  MPI_Gather(&mine, 1, MPI_UINT64_T, lengths, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (team_rank > 0)
    for (size_t at = 0; at < length; at += TEAM_MOST_BYTES)
      MPI_Send(bytes + at, team_step(length - at), MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  if (team_rank == 0) status = anorank_file_write(file->sent, bytes, length, err);
  for (int r = 1; team_rank == 0 && r < team_size; r++) {
    if (lengths[r] > room) {
      free(heard);
      room = (size_t)lengths[r];
      if (!(heard = malloc(room)))
        MPI_Abort(MPI_COMM_WORLD, ANORANK_ERROR_RESOURCES); /* they are sending already */
    }
    for (size_t at = 0; at < lengths[r]; at += TEAM_MOST_BYTES)
      MPI_Recv(heard + at, team_step(lengths[r] - at), MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status == ANORANK_OK && lengths[r] > 0)
      status = anorank_file_write(file->sent, heard, (size_t)lengths[r], err);
  }
  free(heard);
  free(lengths);
  return status;
}

anorank_status joint_append(joint_file *file, const void *bytes, size_t length, anorank_error *err) {
  anorank_status status;
  if (!file->open) {
    status = send_to_first(file, bytes, length, err);
  } else {
    uint64_t offset = file->length + team_sum_before(length);
    file->length += team_sum(length);
    status = write_at(file, offset, bytes, length, err);
  }
  return team_agree(status, err);
}

/* All at once, each at its own place. */
static anorank_status copy_to_place(joint_file *file, const ank_scratch_file *from, unsigned char *buffer,
                                    anorank_error *err) {
  anorank_status status = ANORANK_OK;
  uint64_t offset = file->length + team_sum_before(from->length);
  file->length += team_sum(from->length);
  for (uint64_t at = 0; status == ANORANK_OK && at < from->length; at += COPIED) {
    size_t step = from->length - at < COPIED ? (size_t)(from->length - at) : COPIED;
    status = ank_scratch_read(from, buffer, step, at, err);
    if (status == ANORANK_OK) status = write_at(file, offset + at, buffer, step, err);
  }
  return team_agree(status, err);
}

/* One process after the other, by way of process 0. */
static anorank_status copy_in_turn(joint_file *file, const ank_scratch_file *from, unsigned char *buffer,
                                   anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (int r = 0; status == ANORANK_OK && r < team_size; r++) {
    uint64_t length = team_most(r == team_rank ? from->length : 0);
    for (uint64_t at = 0; status == ANORANK_OK && at < length; at += COPIED) {
      size_t step = r != team_rank ? 0 : length - at < COPIED ? (size_t)(length - at) : COPIED;
      if (step > 0) status = ank_scratch_read(from, buffer, step, at, err);
      status = team_agree(status, err);
      if (status == ANORANK_OK) status = joint_append(file, buffer, step, err);
    }
  }
  return status;
}

anorank_status joint_append_scratch(joint_file *file, const ank_scratch_file *from, anorank_error *err) {
  unsigned char *buffer = malloc(COPIED);
  anorank_status status = ANORANK_OK;
  if (!buffer) status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  status = team_agree(status, err);
  if (status == ANORANK_OK) status = (file->open ? copy_to_place : copy_in_turn)(file, from, buffer, err);
  free(buffer);
  return status;
}

anorank_status joint_patch(joint_file *file, const void *bytes, size_t length, anorank_error *err) {
  return team_agree(team_rank == 0 ? write_at(file, 0, bytes, length, err) : ANORANK_OK, err);
}

/* ---- the end ------------------------------------------------------------------------------------------- */

anorank_status joint_commit(joint_file *file, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  if (!file->open) {
    if (team_rank == 0) status = anorank_file_commit(file->sent, err);
    return team_agree(status, err);
  }
  int code = MPI_File_sync(file->file);
  if (code != MPI_SUCCESS) status = team_fail_mpi(err, code, file->name, "cannot write");
  code = MPI_File_close(&file->file);
  file->open = 0;
  if (status == ANORANK_OK && code != MPI_SUCCESS)
    status = team_fail_mpi(err, code, file->name, "cannot write");
  status = team_agree(status, err);
  if (status == ANORANK_OK && team_rank == 0 && rename(file->temporary, file->target) != 0)
    status = team_fail(err, ANORANK_ERROR_RESOURCES, "%s: cannot write: %s", file->name, strerror(errno));
  status = team_agree(status, err);
  if (status == ANORANK_OK) {
    is_doomed = 0;
    file->temporary[0] = '\0';
  }
  return status;
}

void joint_free(joint_file *file) {
  if (!file) return;
  if (file->open) MPI_File_close(&file->file);
  if (team_rank == 0 && file->temporary[0]) (void)unlink(file->temporary);
  if (file->temporary[0]) is_doomed = 0;
  anorank_file_free(file->sent);
  free(file->name);
  free(file);
}
