#include "pixbuf_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// A test compiles this file with CHECK_PROTOTYPES against the library's own headers; an ordinary build needs none.
#ifdef CHECK_PROTOTYPES
#include <gdk-pixbuf/gdk-pixbuf.h>
#else
typedef int gboolean;
typedef char gchar;
typedef unsigned char guchar;
typedef size_t gsize;
typedef uint32_t GQuark;
typedef void *gpointer;
typedef const void *gconstpointer;
typedef unsigned long gulong;
typedef struct { GQuark domain; int code; gchar *message; } GError;
typedef struct GdkPixbuf GdkPixbuf;
typedef struct GdkPixbufLoader GdkPixbufLoader;
typedef struct GClosure GClosure;
typedef struct GLogField GLogField;
typedef enum { GDK_COLORSPACE_RGB } GdkColorspace;
typedef enum { GDK_PIXBUF_ERROR_INSUFFICIENT_MEMORY = 1 } GdkPixbufError;
typedef enum { G_CONNECT_DEFAULT_FLAGS } GConnectFlags;
typedef enum { G_LOG_WRITER_HANDLED = 1 } GLogWriterOutput;
typedef enum { G_LOG_LEVEL_DEBUG = 1 << 7 } GLogLevelFlags;
typedef void (*GCallback)(void);
typedef void (*GDestroyNotify)(gpointer data);
typedef void (*GClosureNotify)(gpointer data, GClosure *closure);
typedef void (*GdkPixbufDestroyNotify)(guchar *pixels, gpointer data);
typedef void (*GLogFunc)(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data);
typedef GLogWriterOutput (*GLogWriterFunc)(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data);
#endif

#define FUNCTIONS(F) \
  F(GdkPixbufLoader *, gdk_pixbuf_loader_new_with_type, (const char *, GError **)) \
  F(gboolean, gdk_pixbuf_loader_write, (GdkPixbufLoader *, const guchar *, gsize, GError **)) \
  F(gboolean, gdk_pixbuf_loader_close, (GdkPixbufLoader *, GError **)) \
  F(void, gdk_pixbuf_loader_set_size, (GdkPixbufLoader *, int, int)) \
  F(GdkPixbuf *, gdk_pixbuf_loader_get_pixbuf, (GdkPixbufLoader *)) \
  F(GdkPixbuf *, gdk_pixbuf_new_from_data, \
    (const guchar *, GdkColorspace, gboolean, int, int, int, int, GdkPixbufDestroyNotify, gpointer)) \
  F(gboolean, gdk_pixbuf_save_to_bufferv, \
    (GdkPixbuf *, gchar **, gsize *, const char *, char **, char **, GError **)) \
  F(int, gdk_pixbuf_get_width, (const GdkPixbuf *)) \
  F(int, gdk_pixbuf_get_height, (const GdkPixbuf *)) \
  F(int, gdk_pixbuf_get_n_channels, (const GdkPixbuf *)) \
  F(int, gdk_pixbuf_get_rowstride, (const GdkPixbuf *)) \
  F(const guchar *, gdk_pixbuf_read_pixels, (const GdkPixbuf *)) \
  F(guchar *, gdk_pixbuf_get_pixels, (const GdkPixbuf *)) \
  F(GQuark, gdk_pixbuf_error_quark, (void)) \
  F(gpointer, g_object_ref, (gpointer)) \
  F(void, g_object_unref, (gpointer)) \
  F(gulong, g_signal_connect_data, \
    (gpointer, const gchar *, GCallback, gpointer, GClosureNotify, GConnectFlags)) \
  F(void, g_error_free, (GError *)) \
  F(void, g_free, (gpointer)) \
  F(GLogFunc, g_log_set_default_handler, (GLogFunc, gpointer)) \
  F(void, g_log_set_writer_func, (GLogWriterFunc, gpointer, GDestroyNotify))

#define DECLARE(result, name, parameters) static result(*p_##name) parameters;
FUNCTIONS(DECLARE)

// GLib writes warnings to standard error, which is the terminal.
static void drop_message(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  (void)domain, (void)level, (void)message, (void)data;
}

static GLogWriterOutput drop_fields(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
  (void)level, (void)fields, (void)count, (void)data;
  return G_LOG_WRITER_HANDLED;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_open;

static void open_library(void) {
#ifdef CHECK_PROTOTYPES
#undef g_object_ref  // a macro that keeps the argument's type
#define BIND(result, name, parameters) p_##name = name;
#else
  void *library = dlopen("libgdk_pixbuf-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  // dlsym also searches the library's dependencies: GObject and GLib.
#define BIND(result, name, parameters) \
  *(void **)&p_##name = dlsym(library, #name); \
  if (!p_##name) return;
#endif
  FUNCTIONS(BIND)
  p_g_log_set_default_handler(drop_message, NULL);
  p_g_log_set_writer_func(drop_fields, NULL, NULL);
  is_open = 1;
}

static enum cpixbuf_result result_of(GError *error, enum cpixbuf_result otherwise) {
  if (!error) return otherwise;
  int no_memory = error->domain == p_gdk_pixbuf_error_quark() && error->code == GDK_PIXBUF_ERROR_INSUFFICIENT_MEMORY;
  p_g_error_free(error);
  return no_memory ? CPIXBUF_NO_MEMORY : otherwise;
}

struct sizes {
  int expected_width, expected_height, wanted_width, wanted_height;
  int differs;
};

static void size_prepared(GdkPixbufLoader *loader, int width, int height, gpointer data) {
  struct sizes *sizes = data;
  if (width != sizes->expected_width || height != sizes->expected_height) {
    sizes->differs = 1;
    p_gdk_pixbuf_loader_set_size(loader, 0, 0);  // a size of zero stops every loader
  } else if (sizes->wanted_width > 0 && sizes->wanted_height > 0) {
    p_gdk_pixbuf_loader_set_size(loader, sizes->wanted_width, sizes->wanted_height);
  }
}

// The library does not clear the pixels: a PNG whose data end early, with valid checksums, would show old contents of
// the program's memory, and sharing the photo would leak them.
static void area_prepared(GdkPixbufLoader *loader, gpointer data) {
  (void)data;
  GdkPixbuf *pixbuf = p_gdk_pixbuf_loader_get_pixbuf(loader);
  if (!pixbuf) return;
  size_t row = (size_t)p_gdk_pixbuf_get_width(pixbuf) * (size_t)p_gdk_pixbuf_get_n_channels(pixbuf);
  guchar *pixels = p_gdk_pixbuf_get_pixels(pixbuf);
  for (int y = 0; y < p_gdk_pixbuf_get_height(pixbuf); y++) {
    memset(pixels + (size_t)y * (size_t)p_gdk_pixbuf_get_rowstride(pixbuf), 0, row);
  }
}

enum cpixbuf_result cpixbuf_decode(
    const char *loader_name, const uint8_t *bytes, size_t count, int expected_width, int expected_height,
    int wanted_width, int wanted_height, struct cpixbuf_pixels *pixels) {
  pthread_once(&once, open_library);
  if (!is_open) return CPIXBUF_NO_LIBRARY;

  GError *error = NULL;
  GdkPixbufLoader *loader = p_gdk_pixbuf_loader_new_with_type(loader_name, &error);
  if (!loader) return result_of(error, CPIXBUF_NO_LOADER);

  struct sizes sizes = {expected_width, expected_height, wanted_width, wanted_height, 0};
  p_g_signal_connect_data(
      loader, "size-prepared", (GCallback)(void (*)(void))size_prepared, &sizes, NULL, (GConnectFlags)0);
  // The other loaders only report the area after decoding, when clearing it would erase the image.
  if (!strcmp(loader_name, "png") || !strcmp(loader_name, "jpeg") || !strcmp(loader_name, "bmp")) {
    p_g_signal_connect_data(
        loader, "area-prepared", (GCallback)(void (*)(void))area_prepared, NULL, NULL, (GConnectFlags)0);
  }

  enum cpixbuf_result result = CPIXBUF_DONE;
  // All at once: GIF and WebP start over with each piece (a lossless WebP of 14 megapixels takes 11 s instead of 0.3).
  if (!p_gdk_pixbuf_loader_write(loader, bytes, count, &error)) {
    result = result_of(error, CPIXBUF_DAMAGED);
    p_gdk_pixbuf_loader_close(loader, NULL);
  } else if (!p_gdk_pixbuf_loader_close(loader, &error)) {
    result = result_of(error, CPIXBUF_DAMAGED);
  }
  if (sizes.differs) result = CPIXBUF_SIZE_DIFFERS;
  GdkPixbuf *pixbuf = p_gdk_pixbuf_loader_get_pixbuf(loader);
  if (result == CPIXBUF_DONE && !pixbuf) result = CPIXBUF_DAMAGED;
  if (result == CPIXBUF_DONE) {
    pixels->owner = p_g_object_ref(pixbuf);
    pixels->width = p_gdk_pixbuf_get_width(pixbuf);
    pixels->height = p_gdk_pixbuf_get_height(pixbuf);
    pixels->channels = p_gdk_pixbuf_get_n_channels(pixbuf);
    pixels->stride = p_gdk_pixbuf_get_rowstride(pixbuf);
    pixels->bytes = p_gdk_pixbuf_read_pixels(pixbuf);
  }
  p_g_object_unref(loader);
  return result;
}

void cpixbuf_release(struct cpixbuf_pixels *pixels) {
  if (pixels->owner) p_g_object_unref(pixels->owner);
  pixels->owner = NULL;
  pixels->bytes = NULL;
}

enum cpixbuf_result cpixbuf_encode_png(
    const uint8_t *bytes, int width, int height, int channels, uint8_t **png, size_t *count) {
  pthread_once(&once, open_library);
  if (!is_open) return CPIXBUF_NO_LIBRARY;
  GdkPixbuf *pixbuf = p_gdk_pixbuf_new_from_data(
      bytes, GDK_COLORSPACE_RGB, channels == 4, 8, width, height, width * channels, NULL, NULL);
  if (!pixbuf) return CPIXBUF_NO_MEMORY;
  GError *error = NULL;
  gchar *buffer = NULL;
  gsize length = 0;
  char *keys[] = {"compression", NULL};
  char *values[] = {"9", NULL};
  enum cpixbuf_result result = CPIXBUF_DONE;
  if (p_gdk_pixbuf_save_to_bufferv(pixbuf, &buffer, &length, "png", keys, values, &error)) {
    *png = (uint8_t *)buffer;
    *count = length;
  } else {
    result = result_of(error, CPIXBUF_NO_MEMORY);
  }
  p_g_object_unref(pixbuf);
  return result;
}

void cpixbuf_free(uint8_t *png) {
  if (png) p_g_free(png);
}
