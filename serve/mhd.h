/* mhd.h - the functions of libmicrohttpd, loaded when a service starts: other commands do not need
 * the library or its dependencies, and the program runs where it is not installed. */
#ifndef SERVE_MHD_H
#define SERVE_MHD_H

#include <microhttpd.h>

#include "anorank/anorank.h"

#define SERVE_MHD_FUNCTIONS(DO)                                                                              \
  DO(start_daemon)                                                                                           \
  DO(stop_daemon)                                                                                            \
  DO(add_connection)                                                                                         \
  DO(get_version)                                                                                            \
  DO(get_connection_info)                                                                                    \
  DO(get_connection_values_n)                                                                                \
  DO(http_unescape)                                                                                          \
  DO(create_response_from_buffer)                                                                            \
  DO(create_response_from_fd64)                                                                              \
  DO(add_response_header)                                                                                    \
  DO(queue_response)                                                                                         \
  DO(destroy_response)                                                                                       \
  DO(suspend_connection)                                                                                     \
  DO(resume_connection)

#define SERVE_MHD_POINTER(name) __typeof__(MHD_##name) *name;
typedef struct serve_mhd {
  SERVE_MHD_FUNCTIONS(SERVE_MHD_POINTER)
  int refuses_odd_lines; /* at the strictness that http.c sets: since 0.9.77 */
} serve_mhd;

/* Call once, before starting threads that use it. */
extern serve_mhd mhd;
anorank_status serve_mhd_load(anorank_error *err);

#endif
