/* settings.h - the struct behind the opaque anorank_settings: a field for each row of settings.inc, and callbacks.
 *
 * Values are validated when set, so never again; what two settings must fulfil together is
 * checked where both are used.
 *
 * Texts: names that are short by nature are arrays, everything that may be long is a pointer. Who owns what
 * the pointers name:
 *   - objects from anorank_settings_new, and structs filled by ank_settings_hold, own their texts
 *     (each is the table's default or allocated) and are released; they are their own `owner`;
 *   - one from ank_settings_default borrows them: whatever is set must live as long as it does;
 *   - a copy by value of either borrows, too. It may live as long as the call, its fields may be changed
 *     (own.limits = ""), and to release it does nothing. What outlives the call holds. */
#ifndef ANK_CORE_SETTINGS_H
#define ANK_CORE_SETTINGS_H

#include "anorank/anorank.h"

#define ANK_FIELD_INTEGER(field, high) int64_t field;
#define ANK_FIELD_UNSIGNED(field, high) uint64_t field;
#define ANK_FIELD_BYTES(field, high) int64_t field;
#define ANK_FIELD_REAL(field, high) double field;
#define ANK_FIELD_CHOICE(field, high) int32_t field;
#define ANK_FIELD_NAME(field, high) char field[(high) + 1]; /* a text that is short by nature */
#define ANK_FIELD_TEXT(field, high) const char *field;
#define ANK_FIELD_LIST(field, high) const char *field; /* comma-separated; see core/list.h */

struct anorank_settings {
#define ANK_SETTING(kind, field, name, low, high, ...) ANK_FIELD_##kind(field, high)
#include "core/settings.inc"
#undef ANK_SETTING
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

/* The defaults, borrowed and valid for the whole process. */
const anorank_settings *ank_settings_defaults(void);

/* `settings`, or the defaults where it is NULL: what each public function begins with. */
const anorank_settings *ank_settings_or_default(const anorank_settings *settings);

/* For a struct on the stack; its texts are the table's. */
void ank_settings_default(anorank_settings *settings);

/* anorank_settings_set for a struct that borrows: a long text is not copied and must live as long. */
anorank_status ank_settings_lend(anorank_settings *settings, const char *name, const char *text,
                                 anorank_error *err);

/* Fill `out` with a copy of `from` that owns its texts and has no callbacks; on failure it is empty. */
anorank_status ank_settings_hold(anorank_settings *out, const anorank_settings *from, anorank_error *err);
/* Hand over what `from` holds, which then holds nothing. */
void ank_settings_move(anorank_settings *to, anorank_settings *from);
void ank_settings_release(anorank_settings *settings); /* zeroed ones hold nothing */

#endif
