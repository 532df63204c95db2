/* random.h - see ../darwin.h. */
#include <stddef.h>
int getentropy(void *bytes, size_t length);
