/* labelled.h - the quality of an order, with labels. */
#ifndef ANK_CRITERION_LABELLED_H
#define ANK_CRITERION_LABELLED_H

#include "anorank/criterion.h"
#include "core/status.h"

#endif
