/* method_constants.h - every constant that affects scores and p-values, with its meaning and its source.
 *
 * Models store what was computed with these values, so a change affects new models only, except for the constants
 * marked (score): those are read when rows are scored, and a change would alter the scores of existing model
 * files. The golden tests detect both.
 *
 * Where a value comes from:
 *   study     prototypes on the 22 development tables (ADBench), about 1,500 configurations: docs/accuracy.md,
 *             "Past the recipe". In-sample optimum, flat around it unless said otherwise
 *   planted   the same tables with planted anomalies, which no recipe was tuned on: docs/accuracy.md
 *   mixed     tables with categories: docs/accuracy.md, "One file, anomalies inside"
 *   answers   leave-one-out experiments with known anomalies and dismissed rows: docs/accuracy.md, "Known
 *             anomalies" and "What a few answers bring"
 *   alarms    simulations of false alarms and of what is found (tests/slow/false_alarms.c): docs/coverage.md
 *   left out  simulations of leave-one-out p-values (tests/slow/left_out.c): docs/lab-notebook.md
 *   theory    follows from a formula that is named
 *   cost      bounds time or memory; accuracy was checked not to suffer
 *   guard     keeps arithmetic finite; any value of that order does
 *   judgement no measurement is recorded
 *
 * Constants that only set block sizes stay in their files. */
#ifndef ANK_CORE_METHOD_CONSTANTS_H
#define ANK_CORE_METHOD_CONSTANTS_H

/* ---- entities and times (model/deviation.h) ------------------------------------------------------------ */

/* Weight of the deviation from the own past, in units of the scorer's scores, and the rest of that term: chosen
 * in-sample, on eight families of tables (docs/research/accuracy-log.md, "Entities and times"). */
#define ANK_DEVIATION_CLEAN 3.0
#define ANK_DEVIATION_CONTAMINATED 8.0
#define ANK_DEVIATION_BEND 10.0        /* (score) where it becomes logarithmic: judgement */
#define ANK_DEVIATION_LEAST_SCALE 1e-3 /* guard */

/* ---- distances (neighbours/, scorers/) ----------------------------------------------------------------- */

#define ANK_DISTANCE_FLOOR 1e-3 /* (score) log(d + floor): study; below, distances are noise of digits */
#define ANK_EXPECTED_DISTANCE_NEGLIGIBLE                                                                     \
  1e-9                          /* probability of a nearest row that is no longer added up: guard */
#define ANK_HULL_RIDGE 0.1      /* (score) rho = ridge max(1, K / d)^2: study (0.03 to 1 tried, 1: -0.5 AP) */
#define ANK_HULL_FLOOR 1e-6     /* (score) 1/2 log(square + floor): study */
#define ANK_HISTOGRAM_PRIOR 0.5 /* rows added to each cell of a histogram: theory (Krichevsky, Trofimov) */
#define ANK_MAHALANOBIS_SINGULAR 1e-10 /* pivot of a correlation matrix that counts as 0: guard */
#define ANK_MAHALANOBIS_RIDGE 1e-8     /* added then to its diagonal, ten times more until it works: guard */
#define ANK_MAHALANOBIS_MOST_Z 1e100   /* (score) standard units beyond which all is equally far: guard */

/* ---- spaces (neighbours/space_fit.c) ------------------------------------------------------------------- */

/* Excess kurtosis above which a column is squashed to normal scores: beyond Laplace's 3, short of the exponential law's
 * 6. With the outer hundredths cut these are 1.0 and 2.5, and a lognormal column has 7.8; both must be exceeded. */
#define ANK_SPACE_HEAVY 5.0     /* of all values: study (no treatment: -0.4 AUC) */
#define ANK_SPACE_HEAVY_CUT 3.0 /* without the outer hundredths, so that no single row decides: judgement */
/* A table is ruled by extremes if such a share of its columns is so many standard deviations long. */
#define ANK_SPACE_LONG 20.0 /* mixed (docs/lab-notebook.md, "Fitting"; what was dropped is listed there) */
#define ANK_SPACE_RULED 0.4 /* mixed */

/* ---- blend (scorers/blend_fit.c; formulas in blend.h) -------------------------------------------------- */

#define ANK_BLEND_HULL_NEIGHBOURS 10    /* K: study (5, 8, 14, 20, 32 lose 0.2 to 0.4 AUC) */
#define ANK_BLEND_CALIBRATION_ROWS 2000 /* whose quantiles give centre and scale: cost */
#define ANK_BLEND_LOW 0.1               /* quantiles of the scale, ... */
#define ANK_BLEND_HIGH 0.9
#define ANK_BLEND_NORMAL_WIDTH 2.56 /* ... which are so many sd apart in a normal law: theory (2 x 1.2816) */
#define ANK_BLEND_LEAST_SCALE 1e-3  /* guard */
#define ANK_BLEND_LEAST_NATS                                                                                 \
  0.5 /* least scale of the histogram, in nats: where most rows share a bin, the next bin
                                       is no alarm: judgement */
#define ANK_BLEND_MOST_Z 10 /* (score) z is linear up to here, then logarithmic: study (4 to 100: 0.1 AP) */
#define ANK_BLEND_LEAST_Z (-6) /* (score) and down to here: study */

/* a single numeric column (blend_tail.c) */
#define ANK_BLEND_TAIL_SHARE 0.01 /* of the rows, on each side of a single column: judgement */
#define ANK_BLEND_TAIL_LEAST 2    /* rows there at least: judgement */
#define ANK_BLEND_TAIL_STEP 1e-6  /* (score) between values there: guard against ties */

/* clean */
#define ANK_BLEND_PAIR_SETS 32 /* subsets for columns of two values: study */
#define ANK_BLEND_PAIR_ROWS 64 /* rows of each: study */

/* clean: tokens (scorers/blend_tokens.h); study of 373 tables, measured on others */
#define ANK_TOKEN_REPEAT 0.9     /* of the rows share their value: it is the token (0.5 to 0.95: the same) */
#define ANK_TOKEN_USEFUL 0.6     /* of the rows share their token, or the group is dropped: study */
#define ANK_TOKEN_FREE 1         /* (score) nats that do not count (0 to 2: AUC within 0.3) */
#define ANK_TOKEN_SCALE_FROM 2.0 /* nats, from which the unit of the other parts is measured, ... */
#define ANK_TOKEN_SCALE_TO 5.0   /* ... and to which: study (1 to 3, 4: AUC within 0.1, AP within 0.2) */
#define ANK_TOKEN_GATE 0.15      /* loss, as a normal quantile of the area, that shuts the gate: study */
#define ANK_TOKEN_LEAST 0.3      /* weight, below which it is 0: cost (0.5: AUC within 0.1) */
#define ANK_TOKEN_DOUBT 0.5      /* divided by sqrt(rows), taken off the lead: study (small tables) */
#define ANK_SWAPPED                                                                                          \
  0.3 /* of the cells of a contrast row, of the gate and of `evaluate`: study (one cell: within 0.1) */
#define ANK_TOKEN_GATE_ROWS 400 /* cost */
#define ANK_TOKEN_GATE_LEAST 10 /* rows, below which nothing is known of the gap: judgement */
#define ANK_TOKEN_TELLING 3     /* nats of a value or pair never seen that is named as a reason: judgement */
#define ANK_TOKEN_LAST 0.1      /* share of the rows that are last in the table: judgement */
#define ANK_TOKEN_MOVES 0.02    /* of them that are new beyond what chance explains: judgement */

/* mlp: an ensemble (learn/ensemble.h, scorers/encoding.h); study on 23 tables of odd-dev, measured on others */
#define ANK_ENSEMBLE_NETWORKS 2       /* study (4: the same within 0.1) */
#define ANK_ENSEMBLE_HIDDEN "64,32"   /* study (64: -1.0 AUC / -0.6 AP) */
#define ANK_ENSEMBLE_RATE 3e-3        /* study (1e-2: -1.0 AUC / +0.6 AP) */
#define ANK_ENSEMBLE_DECAY 1.0        /* of weights: study (0: -0.7 AUC, 10: -11 AP) */
#define ANK_ENSEMBLE_CONTRAST 2       /* contrast rows in a batch for each row: judgement */
#define ANK_ENSEMBLE_CONTRAST_DRAWN 8 /* drawn for each row: study (new ones in each epoch: within 0.1) */
#define ANK_ENSEMBLE_ROWS 2000        /* rows that an epoch shows: cost */
#define ANK_ENSEMBLE_MOST 20000       /* rows that all epochs show: cost */
#define ANK_ENCODING_TAIL 1e-3        /* (score) normal scores end here: guard */
#define ANK_ENCODING_MOST 1024        /* inputs, above which a column has fewer: cost */

/* contaminated: weights before the division by ANK_BLEND_WEIGHTS; g is the weight of groups */
#define ANK_BLEND_WEIGHTS 2.2            /* 1 + 1/2 + 1/2 + 0.2: theory, the sum of the weights at g = 0 */
#define ANK_BLEND_NEAREST_NEIGHBOURS 5   /* study (1, 3, 10, 20 are worse or equal) */
#define ANK_BLEND_NEAREST 1.0            /* study, planted (recipe R1) */
#define ANK_BLEND_NEAREST_GROUPS (-0.75) /* times g: mixed */
#define ANK_BLEND_HULL_NORMAL 0.5        /* study, planted (R1) */
#define ANK_BLEND_HULL_NORMAL_GROUPS (-0.25) /* times g, goes to the histogram: mixed */
#define ANK_BLEND_HULL_RANGE 0.5             /* study, planted (R1) */
#define ANK_BLEND_HISTOGRAM 0.2              /* planted: a hedge against missing global anomalies (R1) */
#define ANK_BLEND_HISTOGRAM_GROUPS 0.2       /* times g: mixed */
#define ANK_BLEND_CROWD 0.8                  /* times g: mixed (weight without categories: -1 AP) */
#define ANK_BLEND_GROUPS 2                   /* g = min(1, this x share of categorical columns): mixed */
#define ANK_BLEND_GAP_SHARE 0.15             /* of the rows that may be groups far apart: mixed */
#define ANK_BLEND_CROWD_ROWS 2560            /* cost */
#define ANK_BLEND_CROWD_SHARE 256            /* one in so many of them is the neighbourhood: mixed */
#define ANK_BLEND_CROWD_LEAST 2              /* neighbours: judgement */
#define ANK_BLEND_SHAPE_LEAST 20  /* columns of numbers, below which the covariance is left out: mixed */
#define ANK_BLEND_SHAPE_MOST 1024 /* features: cost, a covariance is quadratic in them */
#define ANK_BLEND_SHAPE_HALF 200  /* weight d / (d + this): mixed (twice the weight: within 0.3) */
#define ANK_BLEND_FAST_SETS 64    /* --fast: subsets, and rows of each: study (recipe Q3) */
#define ANK_BLEND_FAST_ROWS 16

/* ---- trimming (scorers/trim.c) ------------------------------------------------------------------------- */

#define ANK_TRIM_ROWS 20000 /* that take part: cost */
#define ANK_TRIM_KEPT 7000  /* of the rows that are safe, at most: study */
#define ANK_TRIM_START 0.5  /* share to begin with: study (Q1) */
#define ANK_TRIM_SHARES                                                                                      \
  0.55, 0.60, 0.65, 0.70 /* after each round: study (last 50 to 90 % tried; 80: -1.8 AUC) */
#define ANK_TRIM_ROUNDS 4
#define ANK_TRIM_FAST_SHARE 0.75 /* --fast: in one step: study (Q3) */
#define ANK_TRIM_VIEW_SIZE 8     /* rows of a subset of the first view: study */
#define ANK_TRIM_ROUND_SIZE 64   /* rows of a subset of a round: study */
#define ANK_TRIM_BINS 20         /* of the histogram: study (without it: one table -55 AUC) */
#define ANK_TRIM_REFERENCES                                                                                  \
  2048 /* at least, where there are as many; all of them, while a round is no more than */
#define ANK_TRIM_ENOUGH_WORK 400000000 /* differences of cells: cost */
#define ANK_TRIM_LEAST 5               /* rows that are kept: judgement */

/* ---- feedback (scorers/blend_answers*.c, model/fit_scorer.c) ------------------------------------------- */

#define ANK_FEEDBACK_FLOOR 0.01 /* (score) log(d + floor) - 1/2 log(d_1 + floor): answers */
#define ANK_FEEDBACK_PLACE 0.5  /* (score) the 1/2 in it: answers (without it: -10 AUC on unknown kinds) */
#define ANK_FEEDBACK_MOST_NEAR 10.0   /* (score) as z of the other parts */
#define ANK_FEEDBACK_PART 4           /* weight and scale of the part: it is in units of the sum already */
#define ANK_FEEDBACK_GROUND 6000      /* rows of the fit that feedback is judged among: cost */
#define ANK_FEEDBACK_PAIRED 200       /* of them whose distances give the length of the kernel: cost */
#define ANK_FEEDBACK_LEFT_OUT 64      /* rows that are left out in turn: cost */
#define ANK_FEEDBACK_LENGTH 0.4       /* of the median distance between two rows: answers */
#define ANK_FEEDBACK_NOISE 0.1        /* variance of the Gaussian process: answers */
#define ANK_FEEDBACK_RISE 1.0         /* of a confirmed row, from the median to ... : answers */
#define ANK_FEEDBACK_RARE 0.99        /* ... this quantile */
#define ANK_FEEDBACK_LOSS 3           /* a loss counts so many times: answers */
#define ANK_FEEDBACK_DOUBT 2.5        /* added to the standard error of the gain: answers */
#define ANK_FEEDBACK_MOST_EACH 0.2    /* weight for each confirmed row: answers (two may agree by chance) */
#define ANK_FEEDBACK_DISMISSED (-0.5) /* weight of the nearest dismissed row: answers */
#define ANK_FEEDBACK_WEIGHTS 0.2, 0.4, 0.7, 1, 1.4 /* of the nearest confirmed row, to choose from: answers */
#define ANK_FEEDBACK_CONTRAST_DOUBT 5              /* k known rows have k / (k + this) of ... : judgement */
#define ANK_FEEDBACK_CONTRAST_SHARE 0.5            /* ... this share of the contrast sample: judgement */

/* ---- calibration (model/calibration.c: the formulas; model/model_fit.c) --------------------------------------- */

#define ANK_TAIL_FEWEST 100       /* scores, below which p-values are ranks: alarms */
#define ANK_TAIL_FEWEST_BELOW 40  /* k: alarms (60 reached into groups: false alarms .46 against .11) */
#define ANK_TAIL_FEWEST_DEEPER 15 /* of these, below the threshold and not at it: judgement */
#define ANK_TAIL_BELOW 10         /* k is one score in so many: alarms (a light tail has its rate there) */
#define ANK_TAIL_WIDE 2           /* ... or so many for each score set aside: alarms (20 % anomalies) */
#define ANK_TAIL_ASIDE 4          /* at most one in so many is set aside: alarms (one column of noise) */
#define ANK_TAIL_LOOKED_AT 3      /* one in so many is looked at, to see that a gap is deeper than that */
#define ANK_TAIL_STEP 8           /* the next `a` is an eighth further: cost */
#define ANK_TAIL_CHANCE 0.3       /* n p_a / a below which a gap counts: alarms (Cauchy noise) */
#define ANK_TAIL_SCALE_POWER 0.25 /* scale = D / g^(1/4): alarms, between both views of what is set aside */
#define ANK_TAIL_STANDARD_ERRORS 0.5 /* added to the scale: alarms */
#define ANK_TAIL_LIGHTEST (-0.75)    /* shape: below -1 the likelihood is unbounded: theory */
#define ANK_TAIL_LIKELIHOOD 1.35  /* half of the 90 % point of chi-square with 1 df, one-sided 5 %: theory */
#define ANK_TAIL_GRID 40          /* values of the shape that are tried, and halvings: cost */
#define ANK_TAIL_GRID_END 0.999   /* of the least theta that the deepest score allows: guard */
#define ANK_TAIL_DOUBT 8.0        /* p is multiplied by 1 + 8 / a^2: alarms (a single row apart) */
#define ANK_TAIL_QUARTER 4        /* tied scores: in the lowest quarter, ... */
#define ANK_TAIL_DISTINCT 2       /* ... fewer distinct ones than one in 2, or */
#define ANK_TAIL_LONGEST 10       /* one that more than one in 10 have: judgement */
#define ANK_TAIL_LUMP_TENTHS 9    /* fewer distinct ones of those set aside than 9 in 10: alarms (words) */
#define ANK_SMALLEST_P_VALUE 1e-9 /* (score) no p-value below this is claimed, however far out: judgement */

#define ANK_FIT_FEWEST_ROWS 5            /* judgement */
#define ANK_FIT_SPLIT_ROWS 200           /* below, every row is needed for the fit: judgement */
#define ANK_FIT_SPLIT_SHARE 0.25         /* kept from the fit for p-values: study (-0.0 AUC / -0.7 AP) */
#define ANK_FIT_SPLIT_CALIBRATION 20000  /* at most: cost */
#define ANK_FIT_CROSS_CALIBRATION 100000 /* scores of a cross-fit at most: cost */
#define ANK_FIT_ALONE_ROWS 1000          /* below, one row alone can bend a heavy-tailed column: left out */
#define ANK_FIT_ALONE_FOLDS 20           /* left out */
#define ANK_FIT_USUAL_FOLDS 5            /* judgement */
#define ANK_FIT_BLOCK_FOLDS                                                                                  \
  10 /* of contaminated rows in stretches: study (skab-file .747 to .777, nab .620 to .621) */
#define ANK_BLOCKS_LONG_HISTORY                                                                              \
  200                       /* rows of an entity, below which all of them judge each other: study (panel) */
#define ANK_ENTITY_FEWEST 5 /* entities, below which scores stay as they are: judgement */
#define ANK_FIT_ENOUGH_ROWS 40000 /* of a class that keeps no more than `references`: cost */

/* ---- equal rows (model/duplicate_rows.c) ----------------------------------------------------------------------- */

#define ANK_COPIES_FEWEST_GROUPS 10 /* of equal rows, before their numbers have a common divisor: judgement */
#define ANK_COPIES_MOST 10          /* copies of a row that count as repeated by mistake, ... : judgement */
#define ANK_COPIES_COMMON 100       /* ... or one in so many rows */
#define ANK_COPIES_CHANCE 0.01      /* of two rows being equal in all columns but some: judgement */

/* ---- exchangeability (model/dependence.c) -------------------------------------------------------------- */

#define ANK_DEPENDENCE_FEWEST 100    /* rows; below, nothing is tested: judgement */
#define ANK_DEPENDENCE_ROWS 1000     /* rows that are compared with their followers: cost */
#define ANK_DEPENDENCE_OTHERS 20     /* and with so many others each: cost */
#define ANK_DEPENDENCE_Z 4.0         /* tables in random order pass, most series fail: headlines.py */
#define ANK_DEPENDENCE_NEARNESS 0.46 /* dependence that is weaker does no harm: judgement */
#define ANK_DEPENDENCE_NEAREST 0.5   /* share of rows whose nearest row has the same entity: judgement */
#define ANK_CLOCK_CORRELATION 0.99   /* rank correlation with the order of the rows: judgement */
#define ANK_CLOCK_LINEAR                                                                                     \
  0.99 /* correlation with it that counters have and sorted measurements do not: theory
                                       (sorted normal values have 0.977) */

/* ---- tiers (model/limits.c); tests/slow/tiers.c measures them ------------------------------------------- */

#define ANK_APART_EXPECTED                                                                                   \
  0.05 /* rows like the training rows that are apart, expected in a whole table: judgement */
#define ANK_UNUSUAL_EXPECTED 1.0  /* the same for unusual rows: judgement */
#define ANK_APART_TAIL 0.1        /* share of the rows that a tail is fitted to, on one side: tiers */
#define ANK_APART_TAIL_ROWS 100.0 /* at most so many: extrapolation from near the end: tiers */
#define ANK_APART_TAIL_MORE 0.005 /* and this share: tiers */
#define ANK_APART_SHAPE 0.2       /* share that says how heavy the tail is: tiers */
#define ANK_APART_SHAPE_ROWS 2000 /* at most so many: cost */
#define ANK_APART_USUAL 120.0  /* values that the mean shape of the table counts as: tiers, gross_errors.py */
#define ANK_APART_HEAVIER 0.2  /* heavy tails are assumed heavier than their bulk shows: tiers */
#define ANK_APART_HEAVIEST 1.4 /* shape beyond the Cauchy distribution's: judgement */
#define ANK_APART_GROUP 500    /* one row in so many beyond a limit is a kind of row: gross_errors.py */

/* ---- incidents (ranking/incidents.c) --------------------------------------------------------------------- */

#define ANK_INCIDENT_LEVEL                                                                                   \
  0.01 /* p-value up to which rows make incidents where nothing selects rows: judgement */
#define ANK_INCIDENT_GAP 20 /* rows, at most, where no window is set: the usual window */

/* ---- headline (ranking/headline.c) ---------------------------------------------------------------------- */

#define ANK_SHIFT_FEWEST 50 /* rows; below, a shift of all rows is not looked for: judgement */
#define ANK_SHIFT_SHARE                                                                                      \
  0.6 /* of rows that differ from the training rows: more than anomalies can be: judgement */

#endif
