/* pieces.c - see pieces.h.
 *
 * A round over text: process r reads bytes [base + r c, base + (r + 1) c) and scans them for every state in which they may
 * begin (anorank_reader_scan). An exclusive scan composes these functions, so each process knows the state at its border, and
 * with it the first record that begins in its bytes; its own records go from there to where the next one's begin. The round
 * ends, and the next begins, at the last cut that anybody saw. */
#include "anorank/io.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

#include "passage.h"
#include "speeds.h"
#include "window.h"

#define LEAST_PIECE ((uint64_t)64 << 10) /* below this, sharing costs more than it gains */
#define MOST_RECORD ((uint64_t)64 << 20) /* no reader takes a longer one */
#define MOST_ROWS "1000000000"           /* so that all rows of a piece are one block */
#define NOWHERE UINT64_MAX

struct pieces {
  anorank_reader *reader;
  char *name;
  window window; /* of a file that is cut */
  anorank_body body;
  uint64_t piece; /* bytes that a process takes at a time */
  pieces_place at;
  uint64_t limit; /* the rounds end here, */
  uint64_t part;  /* or where so many bytes were read since `part_begin` */
  uint64_t part_begin;
  int part_ended, ended;
  uint64_t block; /* of a file that is not cut: number of the next block to be read */
  uint64_t rows_read;
  speeds shares;  /* of a round */
  uint64_t taken; /* bytes of the own records in the last round */
  int measured;   /* there was one */
  cuts *cut;      /* borrowed: is filled, or, `again`, followed; NULL: neither */
  int again;
};

/* ---- text ---------------------------------------------------------------------------------------------- */

/* What each process tells the others of its bytes. */
typedef struct border {
  uint64_t begin;     /* of its first record */
  uint64_t last;      /* the last cut, */
  uint64_t last_line; /* and the line there */
} border;

static anorank_status lines_of(const pieces *all, uint64_t from, uint64_t to, uint64_t *lines,
                               anorank_error *err) {
  anorank_scan scan;
  const unsigned char *bytes = all->window.bytes + WINDOW_BEFORE + (from - all->window.from);
  anorank_status status = anorank_reader_scan(&scan, all->reader, bytes, (size_t)(to - from),
                                              from > all->body.begin + 1 ? WINDOW_BEFORE : 0, err);
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
  if (scan->first[state] != NOWHERE) mine->begin = all->window.from + scan->first[state];
  if (scan->last[state] != NOWHERE) mine->last = all->window.from + scan->last[state];
  if (team_rank == 0) mine->begin = all->at.offset;
  if (mine->last != NOWHERE) {
    status = lines_of(all, mine->last, all->window.from + all->window.held, &lines, err);
    mine->last_line = all->at.line + before.lines + scan->lines - lines;
  }
  *line = all->at.line + before.lines;
  if (mine->begin != NOWHERE && mine->begin > all->window.from && status == ANORANK_OK) {
    status = lines_of(all, all->window.from, mine->begin, &lines, err);
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
  uint64_t base = all->at.offset, from, to, total = piece * (uint64_t)team_size, reached = base + total;
  anorank_scan scan = {0};
  border mine, *borders = malloc((size_t)team_size * sizeof *borders);
  if (reached > all->limit) reached = all->limit;
  speeds_share(&from, &to, &all->shares, total);
  from = from < reached - base ? base + from : reached;
  to = to < reached - base ? base + to : reached;
  uint64_t context = from - all->body.begin < WINDOW_BEFORE ? from - all->body.begin : WINDOW_BEFORE;
  anorank_status status = borders ? window_load(&all->window, from, to, context, err)
                                  : team_fail(err, ANORANK_ERROR_RESOURCES, "out of memory");
  if (status == ANORANK_OK)
    status = anorank_reader_scan(&scan, all->reader, all->window.bytes + WINDOW_BEFORE,
                                 (size_t)all->window.held, (size_t)context, err);
  status = team_agree(status, err);
  if (status == ANORANK_OK) {
    status = find_border(&mine, line, all, &scan, err);
    MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, borders, (int)sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    *end = end_of_round(all, borders, reached, end_line);
    all->window.next = mine.begin < *end ? mine.begin : *end;
    all->window.next_end = *end;
    for (int r = team_size - 1; r > team_rank; r--)
      if (borders[r].begin < all->window.next_end) all->window.next_end = borders[r].begin;
    if (all->window.next_end < all->window.next) all->window.next_end = all->window.next;
    all->taken = all->window.next_end - all->window.next;
    status = team_agree(status, err);
  }
  free(borders);
  return status;
}

static void end_part(pieces *all) {
  all->part_begin = all->at.offset;
  all->part_ended = 1;
}

/* The first round is a short one: it tells who is how fast. */
static uint64_t most_of(const pieces *all) {
  return team_size > 1 && !all->measured ? all->piece / 4 : all->piece;
}

/* One round of text: a part that is full ends before a record that does not fit, a long record makes the pieces longer. */
static anorank_status round_of_text(pieces *all, uint64_t *line, anorank_error *err) {
  uint64_t left = all->limit - all->at.offset, piece = left / (uint64_t)team_size + 1;
  uint64_t least = all->piece < LEAST_PIECE ? all->piece : LEAST_PIECE;
  if (piece > most_of(all)) piece = most_of(all);
  if (piece < least) piece = least;
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
      all->window.next = all->window.next_end = all->at.offset;
      end_part(all);
      return ANORANK_OK;
    }
    if (full) all->limit = all->body.end - all->limit > all->part ? all->limit + all->part : all->body.end;
    if (!full) piece *= 2;
    if (piece * (uint64_t)team_size > 4 * MOST_RECORD)
      all->limit = all->body.end, piece = all->body.end; /* no cuts at all */
  }
}

static anorank_status next_text(pieces *all, cuts_round *own, anorank_error *err) {
  anorank_status status = round_of_text(all, &own->line, err);
  *own = (cuts_round){.begin = all->window.next, .end = all->window.next_end, .line = own->line};
  if (status == ANORANK_OK)
    status = anorank_reader_go_on(all->reader, window_fetch, &all->window, own->line, 0, err);
  return status;
}

/* ---- rows of equal length -------------------------------------------------------------------------------- */

static anorank_status next_rows(pieces *all, cuts_round *own, anorank_error *err) {
  uint64_t bytes = all->body.row_bytes, left = (all->limit - all->at.offset) / bytes;
  uint64_t each = most_of(all) / bytes > 0 ? most_of(all) / bytes : 1, first, end;
  if (each > left / (uint64_t)team_size + 1) each = left / (uint64_t)team_size + 1;
  uint64_t all_rows = each * (uint64_t)team_size < left ? each * (uint64_t)team_size : left;
  speeds_share(&first, &end, &all->shares, all_rows);
  all->window.next = all->at.offset + first * bytes;
  all->window.next_end = all->at.offset + end * bytes;
  all->taken = all->window.next_end - all->window.next;
  *own = (cuts_round){.begin = all->window.next, .end = all->window.next_end};
  anorank_status status = window_load(&all->window, all->window.next, all->window.next_end, 0, err);
  all->at.offset += all_rows * bytes;
  if (status == ANORANK_OK)
    status = anorank_reader_go_on(all->reader, window_fetch, &all->window, 0, end - first, err);
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
  cuts_round own = {0};
  speeds_update(&all->shares, all->taken);
  anorank_status status =
      all->body.cuts == ANORANK_CUTS_TEXT ? next_text(all, &own, err) : next_rows(all, &own, err);
  all->measured = 1;
  if (status == ANORANK_OK) status = anorank_reader_next(all->reader, block, err);
  anorank_reader_forget(all->reader);
  status = team_agree(status, err);
  uint64_t rows = status == ANORANK_OK && *block ? anorank_table_rows(*block) : 0;
  *first_row = all->at.rows + team_sum_before(rows);
  all->at.rows += team_sum(rows);
  if (all->at.offset >= all->body.end) all->ended = 1;
  if (all->at.offset >= all->limit) end_part(all);
  own.first_row = *first_row;
  own.rows = rows;
  if (status == ANORANK_OK && all->cut) status = cuts_put(all->cut, own, err);
  return all->cut ? team_agree(status, err) : status;
}

/* The same rows as the last time: all that they had to agree on is known. */
static anorank_status next_again(pieces *all, const anorank_table **block, uint64_t *first_row, int *more,
                                 anorank_error *err) {
  const cuts_round *own = &all->cut->list[all->cut->next++];
  int text = all->body.cuts == ANORANK_CUTS_TEXT;
  *more = own->begin != CUTS_END;
  *first_row = own->first_row;
  if (!*more) {
    const anorank_table *none;
    all->at.rows = own->rows;
    return team_agree(anorank_reader_next(all->reader, &none, err), err);
  }
  all->window.next = own->begin;
  all->window.next_end = own->end;
  anorank_status status = window_load(&all->window, own->begin, own->end, 0, err);
  if (status == ANORANK_OK)
    status =
        anorank_reader_go_on(all->reader, window_fetch, &all->window, own->line, text ? 0 : own->rows, err);
  if (status == ANORANK_OK) status = anorank_reader_next(all->reader, block, err);
  anorank_reader_forget(all->reader);
  if (status == ANORANK_OK && (*block ? anorank_table_rows(*block) : 0) < own->rows)
    status = window_is_short(&all->window, err);
  return team_agree(status, err);
}

anorank_status pieces_next(pieces *all, const anorank_table **block, uint64_t *first_row, int *more,
                           anorank_error *err) {
  *block = NULL;
  *more = 0;
  if (all->again) return next_again(all, block, first_row, more, err);
  if (all->ended || all->part_ended) {
    const anorank_table *none;
    if (!all->ended) pieces_stop_after(all, all->part);
    anorank_status status = anorank_reader_next(all->reader, &none, err); /* leaves a schema without rows */
    if (status == ANORANK_OK && all->cut)
      status =
          cuts_put(all->cut, (cuts_round){.begin = CUTS_END, .end = CUTS_END, .rows = all->at.rows}, err);
    return team_agree(status, err);
  }
  anorank_status status = all->body.cuts == ANORANK_CUTS_NONE ? next_blocks(all, block, first_row, err)
                                                              : next_cut(all, block, first_row, err);
  *more = status == ANORANK_OK && !(all->ended && all->body.cuts == ANORANK_CUTS_NONE);
  return status;
}

void pieces_keep_cuts(pieces *all, cuts *cut, int again) {
  if (!pieces_are_cut(all)) return;
  all->cut = cut;
  all->again = again;
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
  if (status == ANORANK_OK) status = speeds_open(&all->shares, err);
  status = team_agree(status, err);
  uint64_t cut =
      team_most(status == ANORANK_OK && all->body.cuts == ANORANK_CUTS_NONE); /* by anybody's eyes */
  if (status == ANORANK_OK && cut) all->body.cuts = ANORANK_CUTS_NONE;
  if (status == ANORANK_OK && !cut) status = window_open(&all->window, all->name, err);
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
  window_close(&all->window);
  anorank_reader_free(all->reader);
  speeds_free(&all->shares);
  free(all->name);
  free(all);
}
