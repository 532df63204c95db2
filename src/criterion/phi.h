/* phi.h - score-generating functions, for the criterion and later for learning. */
#ifndef ANK_CRITERION_PHI_H
#define ANK_CRITERION_PHI_H

#include "core/status.h"

/* How many there are: arrays with one element each need it at compile time. */
enum { ANK_PHI_COUNT = 8 };

typedef struct ank_phi {
  anorank_phi info;
  double (*value)(double u, double parameter);
  double (*slope)(double u, double parameter); /* NULL where phi is a step: no gradient */
  size_t parameter;                            /* offset of a double in anorank_settings, SIZE_MAX: none */
} ank_phi;

const ank_phi *ank_phi_at(size_t i);
const ank_phi *ank_phi_find(const char *name);     /* NULL if unknown */
const char *ank_phi_list(char *text, size_t size); /* "mww, logrank, ..."; returns `text` */
double ank_phi_parameter(const ank_phi *phi, const anorank_settings *settings);

#endif
