#ifndef PIXBUF_LIBRARY_H
#define PIXBUF_LIBRARY_H
// The part of gdk-pixbuf that decodes images and encodes PNGs. The library is opened on first use, not linked, like
// chafa and libqrencode: with chafa it would add 15 shared libraries, 1.3 ms and 3 MB to every start, even of `query` in a mail program.
#include <stddef.h>
#include <stdint.h>

enum cpixbuf_result {
  CPIXBUF_DONE = 0,
  CPIXBUF_NO_LIBRARY,     // libgdk-pixbuf is not installed
  CPIXBUF_NO_LOADER,      // its module for this format is not installed (webp-pixbuf-loader)
  CPIXBUF_DAMAGED,        // the decoder reports damaged or truncated data
  CPIXBUF_SIZE_DIFFERS,   // the decoder found another size than the caller
  CPIXBUF_NO_MEMORY
};

// Pixels of a decoded image, owned by the library until cpixbuf_release.
struct cpixbuf_pixels {
  int width, height;
  int channels;           // 3 (RGB) or 4 (RGBA, not premultiplied), 8 bits each
  int stride;             // bytes from one row to the next
  const uint8_t *bytes;
  void *owner;
};

// Decodes count bytes with the loader of that name ("png", "jpeg", ...). expected_* is the size that the caller read
// from the header: a decoder that finds another one is stopped before it allocates memory. wanted_* is the size to
// decode to, which only saves time for a JPEG; 0 means the stored size.
enum cpixbuf_result cpixbuf_decode(
    const char *loader_name, const uint8_t *bytes, size_t count, int expected_width, int expected_height,
    int wanted_width, int wanted_height, struct cpixbuf_pixels *pixels);
void cpixbuf_release(struct cpixbuf_pixels *pixels);

// Encodes 8-bit RGB or RGBA rows as a PNG. The caller frees *png with cpixbuf_free.
enum cpixbuf_result cpixbuf_encode_png(
    const uint8_t *bytes, int width, int height, int channels, uint8_t **png, size_t *count);
void cpixbuf_free(uint8_t *png);

#endif
