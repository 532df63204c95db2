/* settings.h - what the opaque anorank_settings holds.
 *
 * The fields up to `progress` have a row each in the table of settings.c. Their values were checked when
 * they were set, so nobody checks them again; what two settings must fulfil together is checked where both
 * are used.
 *
 * Texts: names that are short by nature are arrays, everything that may be long is a pointer. Who owns what
 * the pointers name:
 *   - objects from anorank_settings_new, and structs filled by ank_settings_hold, own their texts
 *     (each is the table's default or allocated) and are released; they are their own `owner`;
 *   - one from ank_settings_default borrows them: whatever is set must live as long as it does;
 *   - a copy by value of either borrows, too. It may live as long as the call, its fields may be changed
 *     (own.limits = ""), and to release it does nothing. What outlives the call holds.
 *
 * To add a setting: a field here and a row in settings.c. */
#ifndef ANK_CORE_SETTINGS_H
#define ANK_CORE_SETTINGS_H

#include "anorank/anorank.h"

struct anorank_settings {
  /* running */
  uint64_t seed;
  int64_t threads;    /* 0: all cores */
  int64_t max_memory; /* bytes that one table may take; 0: four fifths of the machine's memory */
  /* reading */
  int32_t format;          /* anorank_format */
  int32_t header;          /* anorank_header */
  char delimiter[8];       /* "auto", or one character, or "tab" */
  const char *missing;     /* cells that mean "no value" besides the usual ones; "=LIST" instead of them */
  const char *categorical; /* names of columns to read as categories whatever they hold, comma-separated */
  int32_t decimal;         /* decimal mark: 0 auto, 1 point, 2 comma */
  int32_t thousands;       /* 0 auto, 1 none, 2 point, 3 comma, 4 space, 5 apostrophe */
  int32_t date_order;      /* of 01/02/2025: 0 auto, 1 ymd, 2 dmy, 3 mdy */
  char encoding[32];       /* "auto", or the name of one */
  int64_t skip_lines;      /* lines above the table; -1: find out */
  const char *sheet;       /* which sheet of a workbook, by name or number; "": the first */
  const char *array;       /* which array of an NPZ file; "": the only one, or the one called X */
  int64_t block_rows;      /* rows that a reader hands out at a time; 0: as many as fit in about 16 MiB */
  /* judging */
  int32_t ties;        /* anorank_ties */
  double truncated_u0; /* phi = truncated: u * 1{u >= u0} */
  double clipped_c;    /* phi = clipped: min(u, c) */
  double level;        /* of intervals and bands */
  int64_t bootstrap;   /* replications behind the bands; 0: no bands */
  double band_from;    /* the simultaneous band holds for mass in [band_from, band_to] */
  double band_to;
  int64_t points; /* of the curve that is reported */
  /* simulating */
  char law[32];      /* a name from anorank_law_at */
  int64_t rows;      /* how many to draw */
  int64_t dim;       /* columns; laws around a file's data take the file's */
  double sigma;      /* gaussian: standard deviation of each column */
  double alpha;      /* radial: first shape of the Beta law of the radius */
  double beta;       /* radial: second shape */
  double epsilon;    /* radial: the radius is dilated by (largest row norm of the data) + epsilon */
  double radius;     /* radial: dilation without data */
  double pad;        /* box: each side grows by this share of its width */
  int64_t first_row; /* index of the first row drawn: 0 then 1000 gives what 0 to 1999 would, in two parts */
  double anomalies;  /* built-in examples: share of planted anomalies */
  /* contrast laws beyond the box */
  double jitter_from; /* jitter: U = x + s e, s log-uniform on [from, to] times the column's sd */
  double jitter_to;
  const char *limits; /* box: "low:high" for each column in order, comma-separated; empty: the data's */
  /* learning */
  const char *scorer; /* names from the registry of classes, comma-separated, or "auto": what suits the job */
  char phi[32];       /* a name from anorank_phi_at: what `rank` and `paper` train, and what selects */
  const char
      *train_phi;     /* phi to train with, comma-separated: each is tried, `phi` chooses; "": phi itself */
  int32_t objective;  /* anorank_objective */
  int32_t proxy;      /* anorank_proxy: the paper's proxy as a mean over n, or as the plain sum */
  const char *lambda; /* weights of the proxy to try, comma-separated */
  int64_t epochs;
  double learning_rate;
  int32_t optimiser; /* anorank_optimiser */
  int32_t schedule;  /* anorank_schedule */
  int32_t shuffle;   /* 0: rows in file order; 1: a new order each epoch */
  int64_t batch;     /* rows per step */
  int64_t restarts;  /* networks per setting of the grid; the best by W is kept */
  double smoothing;  /* rank: share of the rows that a typical row is compared with softly, on either side */
  double warm_up;    /* rank: share of the epochs that climb cross-entropy first */
  double weight_decay;
  double held_out;    /* share of X and U kept aside to choose and to stop by */
  int64_t patience;   /* epochs without a better held-out W before stopping; 0: never stop early */
  const char *hidden; /* mlp: hidden layer sizes, comma-separated; "auto": one layer of 2d (the paper's) */
  int32_t quadratic;  /* linear: 1 adds squares and products */
  int64_t trees;      /* trees, treerank, isolation: how many */
  int64_t tree_rows;  /* rows per tree; 0: the class's own rule */
  int64_t depth;      /* treerank: depth of each tree */
  int64_t rounds;     /* rankboost: boosting rounds */
  int64_t subsamples; /* neighbours: how many */
  int64_t subsample;  /* neighbours: rows in each */
  int64_t neighbours; /* knn: which neighbour's distance */
  int64_t reference_rows;  /* knn, hull, blend: most rows kept */
  int64_t hull_neighbours; /* hull: how many nearest rows span it */
  int32_t hull_scaling;    /* anorank_space: where hull takes its distances */
  int64_t bins;            /* histogram: bins per column */
  /* reproducing the paper's experiment */
  int64_t repetitions;
  int32_t best;        /* 1: average many networks instead of keeping one */
  int32_t select_ties; /* anorank_ties by which W chooses the network; MAX shows the collapse it causes */
  /* fitting a model */
  int32_t train;         /* anorank_train: are the training rows believed to be normal? */
  int32_t fast;          /* 1: what "auto" stands for is a cheaper scorer */
  char contrast[32];     /* law of the second sample; "auto": box for few columns, jitter for many */
  double contrast_ratio; /* contrast rows per training row */
  const char *id;        /* columns to pass through, comma-separated */
  const char *drop;      /* columns to leave out */
  const char *columns;   /* the only columns to use; "": all */
  const char *time;      /* column that says when a row happened; "": find out */
  const char *by;        /* columns that say whom a row belongs to; "": nobody */
  const char *window;    /* rows or a length of time that is recent; "": 20 rows */
  const char *labels;    /* column of known anomalies (1) and normal rows (0), no feature; "": none */
  int32_t on_missing;    /* anorank_on_missing */
  int32_t scale;         /* anorank_scale */
  double calibration;    /* share of the rows kept from the fit for p-values; 0: what suits the scorer */
  int64_t folds;         /* of the cross-fit that gives p-values (contaminated, or few rows) */
  /* verdicts */
  int64_t lowest;      /* how many rows to report; 0: all */
  double mass;         /* report the rows outside the set that holds this share of normal rows; 0: not used */
  double fdr;          /* report the rows with q-value at most this; 0: not used */
  int64_t reasons;     /* how many to give for each row */
  int64_t review_rows; /* that a review asks about at a time */
  /* results */
  const char
      *keep; /* columns to put beside them as they are written in the file, comma-separated, or "all" */
  /* comparing two tables */
  int64_t permutations;
  /* not in the table */
  const anorank_settings *owner; /* itself: the texts are its own; else another's, which a copy cannot free */
  anorank_progress progress;     /* may be NULL */
  void *progress_context;
  anorank_stop stop; /* may be NULL */
  void *stop_context;
};

/* A row of the table: where its field is, and what the outside may know. */
typedef struct ank_setting_row {
  size_t offset;
  anorank_setting info;
} ank_setting_row;

const ank_setting_row *ank_setting_row_at(size_t i); /* NULL past the end */
const ank_setting_row *ank_setting_row_find(const char *name);

/* The defaults, to borrow for ever. */
const anorank_settings *ank_settings_defaults(void);

/* `settings`, or the defaults where it is NULL: what each public function begins with. */
const anorank_settings *ank_settings_or_default(const anorank_settings *settings);

/* For a struct on the stack; its texts are the table's. */
void ank_settings_default(anorank_settings *settings);

/* anorank_settings_set for a struct that borrows: a long text is not copied and must live as long. */
anorank_status ank_settings_lend(anorank_settings *settings, const char *name, const char *text,
                                 anorank_error *err);

/* Fill `out` with a copy of `from` that owns its texts and calls nobody back; on failure it holds nothing. */
anorank_status ank_settings_hold(anorank_settings *out, const anorank_settings *from, anorank_error *err);
/* Hand over what `from` holds, which then holds nothing. */
void ank_settings_move(anorank_settings *to, anorank_settings *from);
void ank_settings_release(anorank_settings *settings); /* zeroed ones hold nothing */

#endif
