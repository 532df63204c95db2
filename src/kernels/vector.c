/* vector.c - select the kernels for the processor; see vector.h and vector_table.h. */
#include "kernels/vector.h"

#include <stdatomic.h>
#include <string.h>

#include "kernels/vector_table.h"

static int always(void) { return 1; }

static int has_avx2(void) {
#if defined(__x86_64__)
  return ank_vector_avx2.log && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return ank_vector_avx2.log != NULL; /* every such processor has them, or an equivalent: kernels/avx2.h */
#endif
}

/* Best first. */
static const struct choice {
  const char *name;
  const ank_vector_table *table;
  int (*usable)(void);
} choices[] = {
    {ANK_FAST_KERNELS, &ank_vector_avx2, has_avx2},
    {"generic", &ank_vector_generic, always},
};

/* NULL until first used. Threads that race here select the same set. */
static _Atomic(const struct choice *) picked;

int ank_kernels_use(const char *name) {
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    if (name && strcmp(name, choices[i].name) != 0) continue;
    if (!choices[i].usable()) continue;
    atomic_store(&picked, &choices[i]);
    return 1;
  }
  return 0;
}

static const struct choice *current(void) {
  const struct choice *choice = atomic_load_explicit(&picked, memory_order_acquire);
  if (choice) return choice;
  ank_kernels_use(NULL); /* the last row is always usable */
  return atomic_load(&picked);
}

const char *ank_kernels_name(void) { return current()->name; }

int ank_kernels_are_fast(void) { return current()->table != &ank_vector_generic; }

void ank_log(double *out, const double *x, size_t n) { current()->table->log(out, x, n); }
