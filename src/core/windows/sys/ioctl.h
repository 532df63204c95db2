/* ioctl.h - the size of a terminal, on Windows. */
#ifndef ANK_CORE_WINDOWS_IOCTL_H
#define ANK_CORE_WINDOWS_IOCTL_H

#define TIOCGWINSZ 1

struct winsize {
  unsigned short ws_row, ws_col;
};

/* In platform_windows.c; `request` is TIOCGWINSZ. */
int ioctl(int file, int request, struct winsize *size);

#endif
