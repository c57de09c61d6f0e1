#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#include <wchar.h>

/* Macros and variables of the library, which Swift cannot use directly. */

/* <wchar.h> hides wcwidth unless _XOPEN_SOURCE was set when its module was built. */
extern int wcwidth(wchar_t);

/* glibc declares these only with _GNU_SOURCE. */
extern int dup3(int from, int to, int flags);
extern int memfd_create(const char *name, unsigned flags);

static const attr_t screen_bold = A_BOLD;
static const attr_t screen_dim = A_DIM;
static const attr_t screen_underline = A_UNDERLINE;
static const attr_t screen_reverse = A_REVERSE;
static const attr_t screen_italic = A_ITALIC;

static inline int screen_color_count(void) { return COLORS; }
static inline int screen_pair_count(void) { return COLOR_PAIRS; }
static inline int screen_rows(void) { return LINES; }
static inline int screen_columns(void) { return COLS; }

/* Sets up ncurses' new screen, to which cells are written directly, because a window of our own would only be copied
   to it. Allows inserting and deleting lines where that is shorter, never scrolls at the last cell, and does not
   check for input while it draws. */
static inline void screen_prepare(void) {
  idlok(newscr, TRUE);
  idcok(newscr, FALSE);
  scrollok(newscr, FALSE);
  leaveok(newscr, FALSE);
  intrflush(newscr, FALSE);
  /* Send each frame as a whole: the event loop decides whether to draw while keys are waiting. */
  typeahead(-1);
}

/* Makes a blank with these attributes and colors. */
static inline void screen_rendition(cchar_t *rendition, attr_t attributes, int pair) {
  static const wchar_t blank[] = L" ";
  setcchar(rendition, blank, attributes, 0, &pair);
}

/* Makes a cell with one printable ASCII character in that style, as setcchar would. */
static inline void screen_ascii_cell(cchar_t *cell, const cchar_t *rendition, unsigned char text) {
  *cell = *rendition;
  cell->chars[0] = text;
}

/* Makes any other cell. Text that has another width in the C library would shift the line, so it is replaced with a
   character of this width. */
static inline void screen_cell(cchar_t *cell, const cchar_t *rendition, const unsigned *text, int count, int width) {
  int length = 0;
  *cell = *rendition;
  if (count > 0 && wcwidth((wchar_t)text[0]) == width) {
    for (int i = 0; i < count && length < CCHARW_MAX; i++)
      if (i == 0 || wcwidth((wchar_t)text[i]) == 0) cell->chars[length++] = (wchar_t)text[i];
  } else {
    cell->chars[0] = width == 2 ? 0x3013 : 0xFFFD;
  }
}

static inline void screen_write(int row, int column, const cchar_t *cells, int count) {
  mvwadd_wchnstr(newscr, row, column, cells, count);
}

static inline void screen_update(int row, int column) {
  wmove(newscr, row, column);
  doupdate();
}

/* Opens a file in memory that is closed on exec (MFD_CLOEXEC); negative if there is none. */
static inline int screen_memory(void) { return memfd_create("screen", 1); }

static inline void screen_clear_on_next_update(void) { clearok(curscr, TRUE); }

static inline int screen_discard(int c) { return c; }

/* Makes ncurses assume that attributes are off, and returns its cursor position. */
static inline void screen_sync_cursor(int *row, int *column) {
  attr_t none = A_NORMAL;
  vid_puts(none, 0, NULL, screen_discard);
  *row = getcury(curscr);
  *column = getcurx(curscr);
}

/* Returns a string of the terminal's description; NULL if it has none. */
static inline const char *screen_string(const char *name) {
  char *value = tigetstr(name);
  return value == NULL || value == (char *)-1 ? NULL : value;
}

/* Returns a string of the description with two parameters filled in; valid until the next call. */
static inline const char *screen_filled(const char *name, int first, int second) {
  const char *format = screen_string(name);
  return format == NULL ? NULL : tiparm(format, first, second);
}

/* Tells ncurses that the terminal moved these lines up (or down, if negative) and left blank ones. */
static inline void screen_shift(int top, int bottom, int count) {
  WINDOW *windows[] = {newscr, curscr};
  for (int i = 0; i < 2; i++) {
    scrollok(windows[i], TRUE);
    wsetscrreg(windows[i], top, bottom);
    wscrl(windows[i], count);
    wsetscrreg(windows[i], 0, LINES - 1);
    scrollok(windows[i], FALSE);
  }
}

static inline void screen_forget_description(void) {
  if (cur_term != NULL) del_curterm(cur_term);
}

#endif
