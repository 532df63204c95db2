/* phi.h - score-generating functions, for the criterion and for learning.
 *
 * To add one: define `const ank_phi ank_phi_NAME`, in phi.c or a file of its own, and add its line to
 * phis.inc. `anorank list phi`, `judge`, the JSON output and the contract tests read the registry. */
#ifndef ANK_CRITERION_PHI_H
#define ANK_CRITERION_PHI_H

#include "core/status.h"

/* How many there are: arrays with one element each need it at compile time. */
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
const ank_phi *ank_phi_find(const char *name); /* NULL if unknown */
double ank_phi_parameter(const ank_phi *phi, const anorank_settings *settings);

#endif
