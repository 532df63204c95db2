/* example.c - the registry of built-in tables. */
#include "example/example.h"

static const ank_example *const examples[] = {&ank_example_cards};

size_t ank_example_count(void) { return sizeof examples / sizeof examples[0]; }

const ank_example *ank_example_at(size_t i) { return i < ank_example_count() ? examples[i] : NULL; }
