/* phi.h - score-generating functions, for the criterion and for learning.
 *
 * To add one: define `const ank_phi ank_phi_NAME`, in phi.c or a separate file, and add its line to phis.inc.
 * `anorank list phi`, `judge`, the JSON output and the contract tests read the registry. */
#ifndef ANK_CRITERION_PHI_H
#define ANK_CRITERION_PHI_H

#include "anorank/criterion.h"
#include "core/status.h"

/* The number of functions, for arrays at compile time. */
enum {
#define ANK_PHI(name) ANK_PHI_PLACE_##name,
#include "criterion/phis.inc"
#undef ANK_PHI
  ANK_PHI_COUNT
};

#define ANK_NO_PARAMETER SIZE_MAX

typedef struct ank_phi {
  anorank_phi info;
  double (*value)(double u, double parameter);
  double (*slope)(double u, double parameter); /* NULL where phi is a step: no gradient */
  size_t parameter; /* offset of a double in anorank_settings, ANK_NO_PARAMETER: none */
} ank_phi;

#define ANK_PHI(name) extern const ank_phi ank_phi_##name;
#include "criterion/phis.inc"
#undef ANK_PHI

const ank_phi *ank_phi_at(size_t i);
const ank_phi *ank_phi_find(const char *name);     /* NULL if unknown */
const char *ank_phi_list(char *text, size_t size); /* "mww, logrank, ..."; returns `text` */
double ank_phi_parameter(const ank_phi *phi, const anorank_settings *settings);

/* Return the value of one of `tied` rows with equal scores, after `before` lower ones of `total`. MID: the
 * mean of phi over the ranks that they share. (phi of the mean rank is equal for mww. For a phi that bends
 * down, as log and clipped do, it is larger, so much that constant scores would have the largest W_clipped.)
 * MAX: phi of their largest rank. O(tied). */
double ank_phi_of_ties(const ank_phi *phi, double parameter, size_t before, size_t tied, size_t total,
                       anorank_ties ties);

#endif
