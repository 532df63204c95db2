/* chart_ink.h - write SVG: numbers, escaped text, and how wide a text will be.
 *
 * The first failure sticks: everything after it does nothing, so drawing code need not look at each call. */
#ifndef ANK_REPORT_CHART_INK_H
#define ANK_REPORT_CHART_INK_H

#include "core/output.h"
#include "core/status.h"

typedef struct ank_ink {
  ank_output *output;
  anorank_error *err;
  anorank_status status;
} ank_ink;

/* Markup, as it is. */
void ank_ink_raw(ank_ink *ink, const char *markup);

/* A few pieces of markup and numbers: %s is a string as it is, %n a number with at most two decimals and
 * never in a locale's clothes. */
void ank_ink_format(ank_ink *ink, const char *format, ...);

/* `length` bytes of text from outside, safe between tags and within quotes. Control characters, marks
 * of direction and what is not UTF-8 become U+FFFD, line ends and tabs blanks. */
void ank_ink_text(ank_ink *ink, const char *text, size_t length);

typedef enum ank_anchor { ANK_ANCHOR_START, ANK_ANCHOR_MIDDLE, ANK_ANCHOR_END } ank_anchor;

/* A <text> with its base line at (x, y); `extra`: further attributes, or "". */
void ank_ink_label(ank_ink *ink, double x, double y, double size, ank_anchor anchor, const char *extra,
                   const char *text, size_t length);

/* About how wide a text is, rather too wide than too narrow: the reader's font is not known. */
double ank_text_width(const char *text, size_t length, double size);

/* How many bytes of text fit into `width`, broken at a blank where there is one; at least one character. */
size_t ank_text_fit(const char *text, double size, double width);

/* `text`, cut after so many characters with a mark of it; returns `out`. */
const char *ank_text_cut(char *out, size_t size, const char *text, size_t characters);

/* The number of lines that ank_text_fit cuts the text into. */
size_t ank_text_lines(const char *text, double size, double width);

#endif
