/* program.c - what Windows wants of a program and not of a library; linked into the command line and its tests. Streams
 * carry bytes, not lines, and the console shows UTF-8. */
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

__attribute__((constructor)) static void prepare(void) {
  _fmode = _O_BINARY;
  for (int stream = 0; stream <= 2; stream++) (void)_setmode(stream, _O_BINARY);
  (void)SetConsoleOutputCP(CP_UTF8);
  for (DWORD stream = STD_OUTPUT_HANDLE; stream >= STD_ERROR_HANDLE; stream--) {
    DWORD mode;
    HANDLE console = GetStdHandle(stream);
    if (GetConsoleMode(console, &mode))
      (void)SetConsoleMode(console,
                           mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING); /* the progress bar is redrawn */
  }
}
