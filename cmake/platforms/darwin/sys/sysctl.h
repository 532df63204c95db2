/* sysctl.h - see ../darwin.h. */
#include <stddef.h>
int sysctlbyname(const char *name, void *old, size_t *length, void *set, size_t size);
