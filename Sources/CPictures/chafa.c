#include "chafa_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A test compiles this file with CHECK_PROTOTYPES against the library's own headers; an ordinary build needs none.
#ifdef CHECK_PROTOTYPES
#include <chafa.h>
#undef g_string_free  // a macro in newer versions of GLib
_Static_assert(CHAFA_PIXEL_MODE_SIXELS == 1, "as below");
_Static_assert(CHAFA_TERM_SEQ_BEGIN_SIXELS == 40 && CHAFA_TERM_SEQ_END_SIXELS == 41, "as below");
#else
typedef int gboolean;
typedef int gint;
typedef float gfloat;
typedef uint8_t guint8;
typedef uint32_t guint32;
typedef uint32_t gunichar;
typedef struct ChafaCanvas ChafaCanvas;
typedef struct ChafaCanvasConfig ChafaCanvasConfig;
typedef struct ChafaSymbolMap ChafaSymbolMap;
typedef struct ChafaTermInfo ChafaTermInfo;
typedef struct GError GError;
typedef char gchar;
typedef size_t gsize;
typedef struct {
  gchar *str;
  gsize len;
  gsize allocated_len;
} GString;
typedef enum {
  CHAFA_CANVAS_MODE_TRUECOLOR = 0,
  CHAFA_CANVAS_MODE_INDEXED_240 = 2,
  CHAFA_CANVAS_MODE_INDEXED_16 = 3,
  CHAFA_CANVAS_MODE_FGBG = 5
} ChafaCanvasMode;
typedef enum { CHAFA_PIXEL_RGBA8_UNASSOCIATED = 4 } ChafaPixelType;
typedef enum { CHAFA_COLOR_SPACE_DIN99D = 1 } ChafaColorSpace;
typedef enum { CHAFA_PIXEL_MODE_SIXELS = 1 } ChafaPixelMode;
typedef enum { CHAFA_TERM_SEQ_BEGIN_SIXELS = 40, CHAFA_TERM_SEQ_END_SIXELS = 41 } ChafaTermSeq;
typedef enum {
  CHAFA_SYMBOL_TAG_SPACE = 1 << 0,
  CHAFA_SYMBOL_TAG_SOLID = 1 << 1,
  CHAFA_SYMBOL_TAG_QUAD = 1 << 7,
  CHAFA_SYMBOL_TAG_HALF = (1 << 8) | (1 << 9),
  CHAFA_SYMBOL_TAG_ASCII = 1 << 14,
  CHAFA_SYMBOL_TAG_SEXTANT = 1 << 22
} ChafaSymbolTags;
#endif

#define FUNCTIONS(F) \
  F(void, chafa_set_n_threads, (gint)) \
  F(ChafaSymbolMap *, chafa_symbol_map_new, (void)) \
  F(void, chafa_symbol_map_add_by_tags, (ChafaSymbolMap *, ChafaSymbolTags)) \
  F(void, chafa_symbol_map_unref, (ChafaSymbolMap *)) \
  F(ChafaCanvasConfig *, chafa_canvas_config_new, (void)) \
  F(void, chafa_canvas_config_set_geometry, (ChafaCanvasConfig *, gint, gint)) \
  F(void, chafa_canvas_config_set_canvas_mode, (ChafaCanvasConfig *, ChafaCanvasMode)) \
  F(void, chafa_canvas_config_set_color_space, (ChafaCanvasConfig *, ChafaColorSpace)) \
  F(void, chafa_canvas_config_set_symbol_map, (ChafaCanvasConfig *, const ChafaSymbolMap *)) \
  F(void, chafa_canvas_config_set_fg_color, (ChafaCanvasConfig *, guint32)) \
  F(void, chafa_canvas_config_set_bg_color, (ChafaCanvasConfig *, guint32)) \
  F(void, chafa_canvas_config_set_work_factor, (ChafaCanvasConfig *, gfloat)) \
  F(void, chafa_canvas_config_unref, (ChafaCanvasConfig *)) \
  F(ChafaCanvas *, chafa_canvas_new, (const ChafaCanvasConfig *)) \
  F(void, chafa_canvas_draw_all_pixels, (ChafaCanvas *, ChafaPixelType, const guint8 *, gint, gint, gint)) \
  F(gunichar, chafa_canvas_get_char_at, (ChafaCanvas *, gint, gint)) \
  F(void, chafa_canvas_get_raw_colors_at, (ChafaCanvas *, gint, gint, gint *, gint *)) \
  F(void, chafa_canvas_config_set_pixel_mode, (ChafaCanvasConfig *, ChafaPixelMode)) \
  F(void, chafa_canvas_config_set_cell_geometry, (ChafaCanvasConfig *, gint, gint)) \
  F(ChafaTermInfo *, chafa_term_info_new, (void)) \
  F(gint, chafa_term_info_set_seq, (ChafaTermInfo *, ChafaTermSeq, const gchar *, GError **)) \
  F(void, chafa_term_info_unref, (ChafaTermInfo *)) \
  F(GString *, chafa_canvas_print, (ChafaCanvas *, ChafaTermInfo *)) \
  F(gchar *, g_string_free, (GString *, gboolean)) \
  F(void, chafa_canvas_unref, (ChafaCanvas *))

#define DECLARE(result, name, parameters) static result(*p_##name) parameters;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_open;

static void open_library(void) {
#ifdef CHECK_PROTOTYPES
#define BIND(result, name, parameters) p_##name = name;
#else
  void *library = dlopen("libchafa.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define BIND(result, name, parameters) \
  *(void **)&p_##name = dlsym(library, #name); \
  if (!p_##name) return;
#endif
  FUNCTIONS(BIND)
  // An image is a few hundred cells: threads would cost more than they save, and could get the program's signals.
  p_chafa_set_n_threads(1);
  is_open = 1;
}

static ChafaCanvasMode mode_of(enum cchafa_colors colors) {
  switch (colors) {
    case CCHAFA_TRUE_COLOR: return CHAFA_CANVAS_MODE_TRUECOLOR;
    case CCHAFA_256: return CHAFA_CANVAS_MODE_INDEXED_240;
    case CCHAFA_16: return CHAFA_CANVAS_MODE_INDEXED_16;
    case CCHAFA_MONOCHROME: break;
  }
  return CHAFA_CANVAS_MODE_FGBG;
}

static unsigned tags_of(enum cchafa_symbols symbols) {
  unsigned blocks = CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_SOLID | CHAFA_SYMBOL_TAG_HALF;
  switch (symbols) {
    case CCHAFA_HALVES: return blocks;
    case CCHAFA_QUADRANTS: return blocks | CHAFA_SYMBOL_TAG_QUAD;
    case CCHAFA_SEXTANTS: return blocks | CHAFA_SYMBOL_TAG_QUAD | CHAFA_SYMBOL_TAG_SEXTANT;
    case CCHAFA_ASCII: break;
  }
  return CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_ASCII;
}

enum cchafa_result cchafa_draw(
    const uint8_t *rgba, int width, int height, enum cchafa_colors colors, enum cchafa_symbols symbols,
    int light_background, int columns, int rows, struct cchafa_cell *cells) {
  pthread_once(&once, open_library);
  if (!is_open) return CCHAFA_NO_LIBRARY;

  ChafaSymbolMap *map = p_chafa_symbol_map_new();
  p_chafa_symbol_map_add_by_tags(map, (ChafaSymbolTags)tags_of(symbols));
  ChafaCanvasConfig *config = p_chafa_canvas_config_new();
  p_chafa_canvas_config_set_geometry(config, columns, rows);
  p_chafa_canvas_config_set_canvas_mode(config, mode_of(colors));
  p_chafa_canvas_config_set_symbol_map(config, map);
  p_chafa_canvas_config_set_fg_color(config, light_background ? 0x000000 : 0xffffff);
  p_chafa_canvas_config_set_bg_color(config, light_background ? 0xffffff : 0x000000);
  p_chafa_canvas_config_set_work_factor(config, 1.0f);
  // In the palette modes, use perceptual distance: in RGB a face turns gray.
  if (colors == CCHAFA_256 || colors == CCHAFA_16) {
    p_chafa_canvas_config_set_color_space(config, CHAFA_COLOR_SPACE_DIN99D);
  }

  ChafaCanvas *canvas = p_chafa_canvas_new(config);
  p_chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, rgba, width, height, width * 4);
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++) {
      struct cchafa_cell *cell = &cells[(size_t)row * (size_t)columns + (size_t)column];
      gint foreground = -1, background = -1;
      cell->symbol = p_chafa_canvas_get_char_at(canvas, column, row);
      if (colors != CCHAFA_MONOCHROME) p_chafa_canvas_get_raw_colors_at(canvas, column, row, &foreground, &background);
      cell->foreground = foreground;
      cell->background = background;
    }
  }
  p_chafa_canvas_unref(canvas);
  p_chafa_canvas_config_unref(config);
  p_chafa_symbol_map_unref(map);
  return CCHAFA_DONE;
}

enum cchafa_result cchafa_sixels(
    const uint8_t *rgba, int width, int height, int out_width, int out_height, char **bytes, size_t *count) {
  *bytes = NULL;
  *count = 0;
  pthread_once(&once, open_library);
  if (!is_open) return CCHAFA_NO_LIBRARY;

  ChafaTermInfo *terminal = p_chafa_term_info_new();
  p_chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS, "\033P%1;%2;%3q", NULL);
  p_chafa_term_info_set_seq(terminal, CHAFA_TERM_SEQ_END_SIXELS, "\033\\", NULL);
  ChafaCanvasConfig *config = p_chafa_canvas_config_new();
  // One cell with all the pixels.
  p_chafa_canvas_config_set_geometry(config, 1, 1);
  p_chafa_canvas_config_set_cell_geometry(config, out_width, out_height);
  p_chafa_canvas_config_set_pixel_mode(config, CHAFA_PIXEL_MODE_SIXELS);
  p_chafa_canvas_config_set_work_factor(config, 1.0f);

  ChafaCanvas *canvas = p_chafa_canvas_new(config);
  p_chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, rgba, width, height, width * 4);
  GString *drawn = p_chafa_canvas_print(canvas, terminal);
  enum cchafa_result result = CCHAFA_NO_MEMORY;
  if (drawn && (*bytes = malloc(drawn->len + 1)) != NULL) {
    memcpy(*bytes, drawn->str, drawn->len);
    *count = drawn->len;
    result = CCHAFA_DONE;
  }
  if (drawn) p_g_string_free(drawn, 1);
  p_chafa_canvas_unref(canvas);
  p_chafa_canvas_config_unref(config);
  p_chafa_term_info_unref(terminal);
  return result;
}

void cchafa_free(char *bytes) { free(bytes); }
