/* test_entity_names.c - names with numbers against a slow list in the order of use. */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "context/entity_names.h"
#include "core/rng.h"

enum { MOST = 40, STEPS = 20000 };

TEST(names_are_found_and_evicted_as_a_list_in_the_order_of_use_says) {
  ank_entity_names names = {0};
  char used[MOST][16], name[16]; /* the oldest first */
  size_t count = 0;
  ank_rng rng;
  ank_rng_open(&rng, 1, ANK_STREAM_REPORT, 1);
  assert_true(ank_entity_find(&names, "a") == ANK_NO_ENTITY);
  for (size_t step = 0; step < STEPS; step++) {
    uint32_t number;
    int evicted = 0;
    size_t at = 0;
    snprintf(name, sizeof name, "n%d", (int)ank_rng_below(&rng, 60));
    while (at < count && strcmp(used[at], name) != 0) at++;
    number = ank_entity_find(&names, name);
    assert_int_equal(number != ANK_NO_ENTITY, at < count);
    if (number != ANK_NO_ENTITY) {
      ank_entity_touch(&names, number);
    } else {
      assert_ok(ank_entity_reserve(&names, count < MOST ? count + 1 : MOST, strlen(name) + 1, NULL));
      number = ank_entity_add(&evicted, &names, name, MOST);
    }
    assert_int_equal(evicted, at == count && count == MOST);
    if (at == count && count == MOST) at = 0;
    if (at < count) memmove(used + at, used + at + 1, (--count - at) * sizeof used[0]);
    memcpy(used[count++], name, sizeof name);
    assert_string_equal(ank_entity_name(&names, number), name);
    assert_int_equal(names.count, count);
    uint32_t e = names.oldest;
    for (size_t k = 0; step % 97 == 0 && k < count; k++, e = k < count ? names.newer[e] : e)
      assert_string_equal(ank_entity_name(&names, e), used[k]);
  }
  assert_true(names.text_used < 4096 * 4); /* forgotten names are squeezed out */
  ank_entity_names_free(&names);
}
