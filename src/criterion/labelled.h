/* labelled.h - how good an order is where labels are known. */
#ifndef ANK_CRITERION_LABELLED_H
#define ANK_CRITERION_LABELLED_H

#include "anorank/criterion.h"
#include "core/status.h"

#endif
