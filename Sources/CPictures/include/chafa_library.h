#ifndef CHAFA_LIBRARY_H
#define CHAFA_LIBRARY_H
// The parts of chafa that draw pixels as character cells and as sixels. The library is opened on first use, not linked
// (see pixbuf_library.h).
#include <stddef.h>
#include <stdint.h>

enum cchafa_result { CCHAFA_DONE = 0, CCHAFA_NO_LIBRARY, CCHAFA_NO_MEMORY };

enum cchafa_colors {
  CCHAFA_TRUE_COLOR,
  CCHAFA_256,         // palette entries 16...255, which are the same in every terminal
  CCHAFA_16,
  CCHAFA_MONOCHROME   // only the terminal's own foreground and background
};

enum cchafa_symbols {
  CCHAFA_HALVES,      // space, full block, upper, lower, left, right half
  CCHAFA_QUADRANTS,   // those and the quarters (U+2596...259F)
  CCHAFA_SEXTANTS,    // those and the sixths of Unicode 13 (U+1FB00...1FB3B), which few fonts have
  CCHAFA_ASCII
};

struct cchafa_cell {
  uint32_t symbol;                  // one code point, one column wide
  int32_t foreground, background;   // 0xRRGGBB, or a palette entry, or -1 for the terminal's own color
};

// Draws RGBA rows (not premultiplied), stretched to columns x rows cells, into the caller's row-by-row buffer.
// light_background tells monochrome which of the terminal's two colors is the brighter one.
enum cchafa_result cchafa_draw(
    const uint8_t *rgba, int width, int height, enum cchafa_colors colors, enum cchafa_symbols symbols,
    int light_background, int columns, int rows, struct cchafa_cell *cells);

// Encodes RGBA rows (not premultiplied) as sixels, stretched to out_width x out_height pixels. Chafa leaves out the
// last lines if they do not fill a sixel, which is six pixels high. The caller frees *bytes with cchafa_free.
enum cchafa_result cchafa_sixels(
    const uint8_t *rgba, int width, int height, int out_width, int out_height, char **bytes, size_t *count);
void cchafa_free(char *bytes);

#endif
