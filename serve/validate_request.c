/* validate_request.c - strict checks of a request head. Two programs that parse a head differently can see two requests
 * instead of one (request smuggling), so anything ambiguous is refused and the connection is closed. */
#include <string.h>

#include "core/ascii.h"
#include "service.h"

static int is_token(const char *text) {
  if (!*text) return 0;
  for (; *text; text++)
    if (!ank_is_letter_or_digit((unsigned char)*text) && !strchr("!#$%&'*+-.^_`|~", *text)) return 0;
  return 1;
}

static int is_visible(const char *text) {
  for (; *text; text++)
    if (((unsigned char)*text < 0x20 && *text != '\t') || *text == 0x7F) return 0;
  return 1;
}

static size_t times(const serve_request *request, const char *name) {
  size_t count = 0;
  for (size_t i = 0; i < request->header_count; i++)
    count += (size_t)ank_same_word(request->headers[i].name, name);
  return count;
}

const char *serve_header(const serve_request *request, const char *name) {
  for (size_t i = 0; i < request->header_count; i++)
    if (ank_same_word(request->headers[i].name, name)) return request->headers[i].value;
  return NULL;
}

/* The length of the body must be unambiguous. */
static void check_length(serve_reply *reply, const serve_request *request) {
  const char *length = serve_header(request, "Content-Length"),
             *encoding = serve_header(request, "Transfer-Encoding");
  int posts = strcmp(request->method, "POST") == 0;
  if (length && encoding)
    serve_problem(reply, 400, "request-length-and-encoding",
                  "the request has both Content-Length and Transfer-Encoding; send one of them");
  else if (times(request, "Content-Length") > 1)
    serve_problem(reply, 400, "request-length-twice", "duplicate Content-Length; send it once");
  else if (length && (!*length || strspn(length, "0123456789") != strlen(length) || strlen(length) > 18))
    serve_problem(reply, 400, "request-length-value", "invalid Content-Length; send the number of bytes");
  else if (encoding && (times(request, "Transfer-Encoding") > 1 || !ank_same_word(encoding, "chunked")))
    serve_problem(reply, 501, "request-transfer-encoding",
                  "unsupported Transfer-Encoding; use 'chunked' or Content-Length");
  else if (encoding && strcmp(request->version, "HTTP/1.1") != 0)
    serve_problem(reply, 400, "request-encoding-http-1-0",
                  "HTTP/1.0 requests cannot use Transfer-Encoding; send Content-Length");
  else if (!posts && (encoding || (length && strspn(length, "0") != strlen(length))))
    serve_problem(reply, 400, "request-body-unexpected",
                  "GET and HEAD requests must not have a body; remove it");
  else if (posts && !encoding && !length)
    serve_problem(reply, 411, "request-length-missing",
                  "the request has neither Content-Length nor Transfer-Encoding; send one of them");
}

static void check_names(serve_reply *reply, const serve_request *request) {
  static const char *const once[] = {"Host", "Authorization", "Content-Type", "Content-Encoding", "Expect"};
  const char *expect = serve_header(request, "Expect");
  for (size_t i = 0; i < request->header_count && reply->status == 0; i++)
    if (!is_token(request->headers[i].name) || !is_visible(request->headers[i].value))
      serve_problem(reply, 400, "request-header-form", "malformed header; write 'Name: value'");
  for (size_t i = 0; i < sizeof once / sizeof once[0] && reply->status == 0; i++)
    if (times(request, once[i]) > 1)
      serve_problem(reply, 400, "request-header-twice", "duplicate %s; send it once", once[i]);
  if (reply->status != 0) return;
  if (strcmp(request->version, "HTTP/1.1") == 0 && !serve_header(request, "Host"))
    serve_problem(reply, 400, "request-host-missing",
                  "missing Host header, which HTTP/1.1 requires; send it");
  else if (expect && !ank_same_word(expect, "100-continue"))
    serve_problem(reply, 417, "request-expect", "unsupported Expect header; only '100-continue' is allowed");
}

void serve_validate_request(serve_reply *reply, const serve_request *request) {
  static const char *const methods[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"};
  int known = 0;
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
    known |= strcmp(request->method, methods[i]) == 0;
  if (strcmp(request->version, "HTTP/1.1") != 0 && strcmp(request->version, "HTTP/1.0") != 0)
    serve_problem(reply, 505, "request-http-version", "unsupported HTTP version; use 1.1 or 1.0");
  else if (!known)
    serve_problem(reply, 501, "request-method-unknown", "unknown method; use GET or POST");
  else if (request->crowded)
    serve_problem(reply, 431, "request-head-size",
                  "too many headers (over 64) or parameters (over 32), or one contains a NUL; send fewer");
  else
    check_names(reply, request);
  if (reply->status == 0) check_length(reply, request);
  if (reply->status != 0) reply->closes = 1;
}
