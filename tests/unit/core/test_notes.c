/* Notes: in order, with their kind; a note that cannot be added leaves the others unchanged. */
#include "core/alloc.h"
#include "core/notes.h"
#include "support/check.h"

TEST(notes_keep_their_order_and_kind) {
  ank_notes notes = {0};
  for (int i = 0; i < 100; i++)
    assert_ok(ank_notes_add(&notes, i % 2 ? ANORANK_NOTE_DETAIL : ANORANK_NOTE_WARNING, NULL, "a-code",
                            "note %d", i));
  assert_int_equal(notes.count, 100);
  assert_string_equal(notes.list[41].text, "note 41");
  assert_int_equal(notes.list[41].kind, ANORANK_NOTE_DETAIL);
  assert_int_equal(notes.list[42].kind, ANORANK_NOTE_WARNING);
  assert_true(ank_notes_bytes(&notes) >= 100 * (sizeof(anorank_note) + 7));
  ank_notes_free(&notes);
  assert_int_equal(notes.count, 0);
  ank_notes_free(&notes);
}

TEST(a_failed_note_is_not_there) {
  ank_notes notes = {0};
  assert_ok(ank_notes_add_text(&notes, ANORANK_NOTE_ASSUMED, "a-code", "first", NULL));
  for (size_t k = 1; k < 10; k++) {
    size_t before = notes.count;
    ank_alloc_fail_at(k);
    anorank_status status = ank_notes_add_text(&notes, ANORANK_NOTE_ASSUMED, "a-code", "next", NULL);
    ank_alloc_fail_at(0);
    assert_int_equal(notes.count, before + (status == ANORANK_OK));
    assert_string_equal(notes.list[0].text, "first");
    if (status == ANORANK_OK) break;
    assert_status(status, ANORANK_ERROR_RESOURCES);
  }
  ank_notes_free(&notes);
}
