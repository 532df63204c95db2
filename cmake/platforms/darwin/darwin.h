/* darwin.h - the names of macOS that platform_darwin.c uses, for a compile check elsewhere (scripts/platforms.sh). */
#include <pthread.h>
#include <stdio.h>

FILE *funopen(const void *cookie, int (*read)(void *, char *, int), int (*write)(void *, const char *, int),
              fpos_t (*seek)(void *, fpos_t, int), int (*close)(void *));
int pthread_cond_timedwait_relative_np(pthread_cond_t *condition, pthread_mutex_t *lock,
                                       const struct timespec *left);
