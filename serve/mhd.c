/* mhd.c - see mhd.h. */
#include "mhd.h"
#include "text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

serve_mhd mhd;

static anorank_status refuse(anorank_error *err, const char *why) {
  return cli_fail(err, ANORANK_ERROR_RESOURCES, "serve-library",
                  "cannot load libmicrohttpd: %.400s; install it (Debian: apt install libmicrohttpd12)", why);
}

/* A number of the version, "0.9.75" with `at` = 2 is 75; the text that follows it does not matter. */
static unsigned version_part(const char *text, int at) {
  unsigned number = 0;
  for (; *text && at > 0; text++) at -= *text == '.';
  for (; *text >= '0' && *text <= '9'; text++) number = 10 * number + (unsigned)(*text - '0');
  return number;
}

anorank_status serve_mhd_load(anorank_error *err) {
  void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL), *found;
  if (!library) {
    const char *why = dlerror();
    return refuse(err, why ? why : "not found");
  }
#define SERVE_MHD_FIND(name)                                                                                 \
  found = dlsym(library, "MHD_" #name);                                                                      \
  if (!found) return refuse(err, "it lacks MHD_" #name);                                                     \
  memcpy(&mhd.name, &found, sizeof found); /* ISO C has no cast for it */
  SERVE_MHD_FUNCTIONS(SERVE_MHD_FIND)
#undef SERVE_MHD_FIND
  const char *version = mhd.get_version();
  unsigned major = version_part(version, 0), minor = version_part(version, 1),
           patch = version_part(version, 2);
  mhd.refuses_odd_lines = major > 0 || minor > 9 || (minor == 9 && patch >= 77);
  if (major == 0 && (minor < 9 || (minor == 9 && patch < 75))) return refuse(err, "it is older than 0.9.75");
  return ANORANK_OK;
}
