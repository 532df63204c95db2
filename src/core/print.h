/* print.h - printf to memory, independent of the locale.
 *
 * Supports the part of printf that this tree uses: flags - + space 0, width and precision (also *), the
 * lengths l ll z, and the conversions d u x c s e f g and %. Independent of the library, so the command line
 * uses it, too. */
#ifndef ANK_CORE_PRINT_H
#define ANK_CORE_PRINT_H

#include <stdarg.h>
#include <stddef.h>

/* Format like snprintf: writes at most `size` bytes with the closing NUL and returns the length of the whole
 * text. A precision of numbers above ANK_PRINT_DIGITS is reduced to it. */
#define ANK_PRINT_DIGITS 1100
int ank_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int ank_vprint(char *text, size_t size, const char *format, va_list given)
    __attribute__((format(printf, 3, 0)));

/* Room for a note, or for a message with the remedy that a front end adds. */
#define ANK_SENTENCE_SIZE 1024

/* Write a count with commas between thousands: "12,000". Returns `text`; 32 bytes are enough. */
const char *ank_count_text(char *text, size_t size, size_t count);

#endif
