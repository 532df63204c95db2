/* settings.h - the struct behind the opaque anorank_settings: a field for each row of settings.inc, and
 * callbacks.
 *
 * Values are validated when they are set, and never again. A constraint between two settings is checked where
 * both are used.
 *
 * Short names are arrays; texts of any length are pointers. Ownership of these texts:
 *   - objects from anorank_settings_new, and structs filled by ank_settings_hold, own their texts
 *     (each is the table's default or allocated) and are released; they are their own `owner`;
 *   - a struct from ank_settings_default borrows its texts, which must live as long as it does;
 *   - a copy by value of either borrows, too. It may live as long as the call, its fields may be changed
 *     (own.limits = ""), and its release does nothing. For a longer life, use ank_settings_hold. */
#ifndef ANK_CORE_SETTINGS_H
#define ANK_CORE_SETTINGS_H

#include "anorank/anorank.h"

#define ANK_FIELD_INTEGER(field, high) int64_t field;
#define ANK_FIELD_UNSIGNED(field, high) uint64_t field;
#define ANK_FIELD_BYTES(field, high) int64_t field;
#define ANK_FIELD_REAL(field, high) double field;
#define ANK_FIELD_CHOICE(field, high) int32_t field;
#define ANK_FIELD_NAME(field, high) char field[(high) + 1]; /* a short name */
#define ANK_FIELD_TEXT(field, high) const char *field;
#define ANK_FIELD_LIST(field, high) const char *field; /* comma-separated; see core/list.h */

struct anorank_settings {
#define ANK_SETTING(kind, field, name, low, high, ...) ANK_FIELD_##kind(field, high)
#include "core/settings.inc"
#undef ANK_SETTING
  /* not in the table */
  const anorank_settings *owner; /* itself: it owns its texts; else the object that does, so that a copy does
                                  * not free them */
  anorank_progress progress;     /* may be NULL */
  void *progress_context;
  anorank_stop stop; /* may be NULL */
  void *stop_context;
};

/* A row of the table: its field, and its public description. */
typedef struct ank_setting_row {
  size_t offset;
  anorank_setting info;
} ank_setting_row;

const ank_setting_row *ank_setting_row_at(size_t i); /* NULL past the end */
const ank_setting_row *ank_setting_row_find(const char *name);

/* Return the defaults, borrowed and valid for the whole process. */
const anorank_settings *ank_settings_defaults(void);

/* Return `settings`, or the defaults if it is NULL. Each public function begins with it. */
const anorank_settings *ank_settings_or_default(const anorank_settings *settings);

/* Initialise a struct on the stack, which borrows the table's texts. */
void ank_settings_default(anorank_settings *settings);

/* Set a value like anorank_settings_set, in a struct that borrows: a long text is not copied and must live as
 * long. */
anorank_status ank_settings_lend(anorank_settings *settings, const char *name, const char *text,
                                 anorank_error *err);

/* Fill `out` with a copy of `from` that owns its texts and has no callbacks; on failure it is empty. */
anorank_status ank_settings_hold(anorank_settings *out, const anorank_settings *from, anorank_error *err);
/* Move the content of `from` to `to`; `from` is then empty. */
void ank_settings_move(anorank_settings *to, anorank_settings *from);
void ank_settings_release(anorank_settings *settings); /* a zeroed struct is empty */

#endif
