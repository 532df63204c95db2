/* foreign.h - files of other programs, known by their first bytes. */
#ifndef ANK_TABLE_FOREIGN_H
#define ANK_TABLE_FOREIGN_H

#include "core/status.h"

/* ANORANK_ERROR_DATA, saying what the file is and how to get a table out of it, if `bytes` begin like one of
 * the formats that are often met but not read; otherwise OK. As CSV such files would give odd complaints, or
 * none. */
anorank_status ank_refuse_foreign(const unsigned char *bytes, size_t length, const char *name,
                                  anorank_error *err);

#endif
