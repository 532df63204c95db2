/* pieces.c - see pieces.h.
 *
 * A round over text: process r reads bytes [base + r c, base + (r + 1) c) and scans them for every state in which they may
 * begin (anorank_reader_scan). An exclusive scan composes these functions, so each process knows the state at its border, and
 * with it the first record that begins in its bytes; its own records go from there to where the next one's begin. The round
 * ends, and the next begins, at the last cut that anybody saw. */
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 2 };                    /* bytes before a piece that a scan looks at */
#define LEAST_PIECE ((uint64_t)64 << 10) /* below this, sharing costs more than it gains */
#define MOST_RECORD ((uint64_t)64 << 20) /* no reader takes a longer one */
#define MOST_READ ((uint64_t)1 << 30)    /* counts of MPI are int */
#define MOST_ROWS "1000000000"           /* so that all rows of a piece are one block */
#define NOWHERE UINT64_MAX

struct pieces {
  anorank_reader *reader;
  char *name;
  MPI_File file;
  int open; /* `file` is */
  anorank_body body;
  uint64_t piece; /* bytes that a process takes at a time */
  pieces_place at;
  uint64_t limit; /* the rounds end here, */
  uint64_t part;  /* or where so many bytes were read since `part_begin` */
  uint64_t part_begin;
  int part_ended, ended;
  unsigned char *bytes; /* CONTEXT, then the own piece */
  size_t capacity;
  uint64_t from, held;     /* the own piece: place in the file, bytes in memory */
  uint64_t next, next_end; /* of the own records: what the reader has not got yet */
  uint64_t block;          /* of a file that is not cut: number of the next block to be read */
  uint64_t rows_read;
};

/* ---- reading ------------------------------------------------------------------------------------------- */

static anorank_status read_at(const pieces *all, uint64_t offset, void *to, uint64_t length,
                              anorank_error *err) {
  for (uint64_t done = 0; done < length;) {
    uint64_t step = length - done < MOST_READ ? length - done : MOST_READ;
    MPI_Status got;
    int count = 0;
    int code = MPI_File_read_at(all->file, (MPI_Offset)(offset + done), (char *)to + done, (int)step,
                                MPI_BYTE, &got);
    if (code != MPI_SUCCESS) return team_fail_mpi(err, code, all->name, "cannot read");
    MPI_Get_count(&got, MPI_BYTE, &count);
    if (count <= 0)
      return team_fail(err, ANORANK_ERROR_DATA,
                       "%s: became shorter while it was read; try again when it is complete", all->name);
    done += (uint64_t)count;
  }
  return ANORANK_OK;
}

/* The own records: what is in memory, then what lies beyond the own piece. */
static int fetch(void *context, void *buffer, size_t size, size_t *got) {
  pieces *all = context;
  uint64_t left = all->next_end - all->next, in_memory = all->from + all->held;
  anorank_error unheard;
  *got = size < left ? size : (size_t)left;
  if (*got == 0) return 0;
  if (all->next < in_memory) {
    if (*got > in_memory - all->next) *got = (size_t)(in_memory - all->next);
    memcpy(buffer, all->bytes + CONTEXT + (all->next - all->from), *got);
  } else if (read_at(all, all->next, buffer, *got, &unheard) != ANORANK_OK) {
    return 1;
  }
  all->next += *got;
  return 0;
}

static anorank_status load(pieces *all, uint64_t from, uint64_t to, uint64_t context, anorank_error *err) {
  size_t need = (size_t)(to - from) + CONTEXT;
  if (all->capacity < need) {
    free(all->bytes);
    all->capacity = 0;
    if (!(all->bytes = malloc(need)))
      return team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory: cannot allocate %zu bytes", need);
    all->capacity = need;
  }
  all->from = from;
  all->held = to - from;
  return read_at(all, from - context, all->bytes + CONTEXT - context, all->held + context, err);
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* What a stretch of the file does to the state, and how many lines end in it. */
typedef struct passage {
  unsigned char left[8];
  uint64_t lines;
} passage;

/* first, then second; not commutative. */
static void compose(void *first, void *second, int *count, MPI_Datatype *type) {
  const passage *before = first;
  passage *after = second;
  (void)type;
  for (int k = 0; k < *count; k++, before++, after++) {
    unsigned char left[8] = {0};
    for (size_t s = 0; s < ANORANK_SCAN_STATES; s++) left[s] = after->left[before->left[s]];
    memcpy(after->left, left, sizeof left);
    after->lines += before->lines;
  }
}

static passage passage_before(const anorank_scan *scan) {
  passage mine = {.lines = scan->lines}, before = {.lines = 0};
  MPI_Datatype type;
  MPI_Op op;
  memcpy(mine.left, scan->left, ANORANK_SCAN_STATES);
  MPI_Type_contiguous((int)sizeof mine, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(compose, 0, &op);
  MPI_Exscan(&mine, &before, 1, type, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  if (team_rank == 0) before = (passage){.lines = 0}; /* not set there; state 0 at the base */
  return before;
}

/* What each process tells the others of its bytes. */
typedef struct border {
  uint64_t begin;     /* of its first record */
  uint64_t last;      /* the last cut, */
  uint64_t last_line; /* and the line there */
} border;

static anorank_status lines_of(const pieces *all, uint64_t from, uint64_t to, uint64_t *lines,
                               anorank_error *err) {
  anorank_scan scan;
  const unsigned char *bytes = all->bytes + CONTEXT + (from - all->from);
  anorank_status status = anorank_reader_scan(&scan, all->reader, bytes, (size_t)(to - from),
                                              from > all->body.begin + 1 ? CONTEXT : 0, err);
  *lines = status == ANORANK_OK ? scan.lines : 0;
  return status;
}

static anorank_status find_border(border *mine, uint64_t *line, const pieces *all, const anorank_scan *scan,
                                  anorank_error *err) {
  passage before = passage_before(scan);
  size_t state = before.left[0];
  uint64_t lines = 0;
  anorank_status status = ANORANK_OK;
  *mine = (border){NOWHERE, NOWHERE, 0};
  if (scan->first[state] != NOWHERE) mine->begin = all->from + scan->first[state];
  if (scan->last[state] != NOWHERE) mine->last = all->from + scan->last[state];
  if (team_rank == 0) mine->begin = all->at.offset;
  if (mine->last != NOWHERE) {
    status = lines_of(all, mine->last, all->from + all->held, &lines, err);
    mine->last_line = all->at.line + before.lines + scan->lines - lines;
  }
  *line = all->at.line + before.lines;
  if (mine->begin != NOWHERE && mine->begin > all->from && status == ANORANK_OK) {
    status = lines_of(all, all->from, mine->begin, &lines, err);
    *line += lines;
  }
  return status;
}

/* Where the round ends: NOWHERE if nobody saw a cut. */
static uint64_t end_of_round(const pieces *all, const border *borders, uint64_t reached, uint64_t *line) {
  uint64_t end = NOWHERE;
  if (reached == all->body.end) return reached;
  for (int r = 0; r < team_size; r++)
    if (borders[r].last != NOWHERE && borders[r].last > all->at.offset) {
      end = borders[r].last;
      *line = borders[r].last_line;
    }
  return end;
}

/* Read and scan the own bytes of a round of `piece` each, and find the own records. `*end` is where the round ends. */
static anorank_status cut_text(pieces *all, uint64_t piece, uint64_t *end, uint64_t *end_line, uint64_t *line,
                               anorank_error *err) {
  uint64_t base = all->at.offset, from = base + piece * (uint64_t)team_rank, to = from + piece;
  uint64_t reached = base + piece * (uint64_t)team_size;
  anorank_scan scan = {0};
  border mine, *borders = malloc((size_t)team_size * sizeof *borders);
  if (reached > all->limit) reached = all->limit;
  if (from > reached) from = reached;
  if (to > reached) to = reached;
  uint64_t context = from - all->body.begin < CONTEXT ? from - all->body.begin : CONTEXT;
  anorank_status status =
      borders ? load(all, from, to, context, err) : team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  if (status == ANORANK_OK)
    status = anorank_reader_scan(&scan, all->reader, all->bytes + CONTEXT, (size_t)all->held, (size_t)context,
                                 err);
  status = team_agree(status, err);
  if (status == ANORANK_OK) {
    status = find_border(&mine, line, all, &scan, err);
    MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, borders, (int)sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    *end = end_of_round(all, borders, reached, end_line);
    all->next = mine.begin < *end ? mine.begin : *end;
    all->next_end = *end;
    for (int r = team_size - 1; r > team_rank; r--)
      if (borders[r].begin < all->next_end) all->next_end = borders[r].begin;
    if (all->next_end < all->next) all->next_end = all->next;
    status = team_agree(status, err);
  }
  free(borders);
  return status;
}

static void end_part(pieces *all) {
  all->part_begin = all->at.offset;
  all->part_ended = 1;
}

/* One round of text: a part that is full ends before a record that does not fit, a long record makes the pieces longer. */
static anorank_status round_of_text(pieces *all, uint64_t *line, anorank_error *err) {
  uint64_t left = all->limit - all->at.offset, piece = left / (uint64_t)team_size + 1;
  uint64_t least = all->piece < LEAST_PIECE ? all->piece : LEAST_PIECE;
  if (piece < least) piece = least;
  if (piece > all->piece) piece = all->piece;
  for (;;) {
    uint64_t end = NOWHERE, end_line = 0;
    anorank_status status = cut_text(all, piece, &end, &end_line, line, err);
    if (status != ANORANK_OK) return status;
    if (end != NOWHERE) {
      all->at.offset = end;
      all->at.line = end_line;
      return ANORANK_OK;
    }
    int full = piece * (uint64_t)team_size >= all->limit - all->at.offset; /* of the part */
    if (full && all->at.offset > all->part_begin) { /* the rest of the part is no whole record */
      all->next = all->next_end = all->at.offset;
      end_part(all);
      return ANORANK_OK;
    }
    if (full) all->limit = all->body.end - all->limit > all->part ? all->limit + all->part : all->body.end;
    if (!full) piece *= 2;
    if (piece * (uint64_t)team_size > 4 * MOST_RECORD)
      all->limit = all->body.end, piece = all->body.end; /* no cuts at all */
  }
}

static anorank_status next_text(pieces *all, anorank_error *err) {
  uint64_t line = 0;
  anorank_status status = round_of_text(all, &line, err);
  if (status == ANORANK_OK) status = anorank_reader_go_on(all->reader, fetch, all, line, 0, err);
  return status;
}

/* ---- rows of equal length -------------------------------------------------------------------------------- */

static anorank_status next_rows(pieces *all, anorank_error *err) {
  uint64_t bytes = all->body.row_bytes, left = (all->limit - all->at.offset) / bytes;
  uint64_t each = all->piece / bytes > 0 ? all->piece / bytes : 1;
  if (each > left / (uint64_t)team_size + 1) each = left / (uint64_t)team_size + 1;
  uint64_t first = each * (uint64_t)team_rank < left ? each * (uint64_t)team_rank : left;
  uint64_t rows = left - first < each ? left - first : each;
  uint64_t all_rows = each * (uint64_t)team_size < left ? each * (uint64_t)team_size : left;
  all->next = all->at.offset + first * bytes;
  all->next_end = all->next + rows * bytes;
  anorank_status status = load(all, all->next, all->next_end, 0, err);
  all->at.offset += all_rows * bytes;
  if (status == ANORANK_OK) status = anorank_reader_go_on(all->reader, fetch, all, 0, rows, err);
  return status;
}

/* ---- a file that is not cut ------------------------------------------------------------------------------ */

static anorank_status next_blocks(pieces *all, const anorank_table **block, uint64_t *first_row,
                                  anorank_error *err) {
  anorank_status status = ANORANK_OK;
  do {
    *first_row = all->rows_read;
    status = anorank_reader_next(all->reader, block, err);
    if (status != ANORANK_OK || !*block) break;
    anorank_reader_forget(all->reader);
    all->rows_read += anorank_table_rows(*block);
  } while (all->block++ % (uint64_t)team_size != (uint64_t)team_rank);
  status = team_agree(status, err);
  all->at.rows = team_most(all->rows_read);
  all->ended = status != ANORANK_OK || !team_most(*block != NULL);
  return status;
}

/* ---- the rounds ------------------------------------------------------------------------------------------ */

static anorank_status next_cut(pieces *all, const anorank_table **block, uint64_t *first_row,
                               anorank_error *err) {
  anorank_status status = all->body.cuts == ANORANK_CUTS_TEXT ? next_text(all, err) : next_rows(all, err);
  if (status == ANORANK_OK) status = anorank_reader_next(all->reader, block, err);
  anorank_reader_forget(all->reader);
  status = team_agree(status, err);
  uint64_t rows = status == ANORANK_OK && *block ? anorank_table_rows(*block) : 0;
  *first_row = all->at.rows + team_sum_before(rows);
  all->at.rows += team_sum(rows);
  if (all->at.offset >= all->body.end) all->ended = 1;
  if (all->at.offset >= all->limit) end_part(all);
  return status;
}

anorank_status pieces_next(pieces *all, const anorank_table **block, uint64_t *first_row, int *more,
                           anorank_error *err) {
  *block = NULL;
  *more = 0;
  if (all->ended || all->part_ended) {
    const anorank_table *none;
    if (!all->ended) pieces_stop_after(all, all->part);
    return team_agree(anorank_reader_next(all->reader, &none, err), err); /* leaves a schema without rows */
  }
  anorank_status status = all->body.cuts == ANORANK_CUTS_NONE ? next_blocks(all, block, first_row, err)
                                                              : next_cut(all, block, first_row, err);
  *more = status == ANORANK_OK && !(all->ended && all->body.cuts == ANORANK_CUTS_NONE);
  return status;
}

void pieces_stop_after(pieces *all, uint64_t bytes) {
  uint64_t left = all->body.end - all->at.offset;
  all->part = bytes;
  all->part_begin = all->at.offset;
  all->part_ended = 0;
  all->limit = bytes < left ? all->at.offset + bytes : all->body.end;
}

pieces_place pieces_at(const pieces *all) { return all->at; }

int pieces_ended(const pieces *all) { return all->ended; }

void pieces_go_to(pieces *all, pieces_place place) {
  all->at = place;
  all->ended = place.offset >= all->body.end;
  pieces_stop_after(all, all->part);
}

int pieces_are_cut(const pieces *all) { return all->body.cuts != ANORANK_CUTS_NONE; }

const anorank_table *pieces_schema(const pieces *all) { return anorank_reader_schema(all->reader); }

/* All rows of a piece come as one block. */
static anorank_status open_reader(pieces *all, const char *path, const anorank_settings *settings,
                                  anorank_error *err) {
  anorank_settings *whole = NULL;
  anorank_status status = anorank_reader_open(&all->reader, path, settings, err);
  if (status != ANORANK_OK) return status;
  all->body = anorank_reader_body(all->reader);
  if (all->body.cuts == ANORANK_CUTS_NONE) return ANORANK_OK;
  anorank_reader_free(all->reader);
  all->reader = NULL;
  status = anorank_settings_copy(&whole, settings, err);
  if (status == ANORANK_OK) status = anorank_settings_set(whole, "block-rows", MOST_ROWS, err);
  if (status == ANORANK_OK) status = anorank_reader_open(&all->reader, path, whole, err);
  anorank_settings_free(whole);
  return status;
}

anorank_status pieces_open(pieces **out, const char *path, uint64_t piece, const anorank_settings *settings,
                           anorank_error *err) {
  anorank_status status = ANORANK_OK;
  pieces *all = calloc(1, sizeof *all);
  *out = NULL;
  if (all) all->name = strdup(path);
  if (!all || !all->name) status = team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  if (status == ANORANK_OK) status = open_reader(all, path, settings, err);
  status = team_agree(status, err);
  uint64_t cut =
      team_most(status == ANORANK_OK && all->body.cuts == ANORANK_CUTS_NONE); /* by anybody's eyes */
  if (status == ANORANK_OK && cut) all->body.cuts = ANORANK_CUTS_NONE;
  if (status == ANORANK_OK && !cut) {
    /* each for itself: together, over several machines, Open MPI would put a lock beside it */
    int code = MPI_File_open(MPI_COMM_SELF, all->name, MPI_MODE_RDONLY, MPI_INFO_NULL, &all->file);
    all->open = code == MPI_SUCCESS;
    if (!all->open) status = team_fail_mpi(err, code, path, "cannot open it");
  }
  status = team_agree(status, err);
  if (status != ANORANK_OK) {
    pieces_free(all);
    return status;
  }
  all->piece = piece;
  all->at = (pieces_place){.offset = all->body.begin, .line = all->body.line};
  all->ended = pieces_are_cut(all) && all->body.begin >= all->body.end;
  pieces_stop_after(all, UINT64_MAX);
  *out = all;
  return ANORANK_OK;
}

void pieces_free(pieces *all) {
  if (!all) return;
  if (all->open) MPI_File_close(&all->file);
  anorank_reader_free(all->reader);
  free(all->bytes);
  free(all->name);
  free(all);
}
