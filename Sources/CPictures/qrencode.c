#include "qrencode_library.h"

#include <dlfcn.h>
#include <pthread.h>

// A test compiles this file with CHECK_PROTOTYPES against the library's own headers; an ordinary build needs none.
#ifdef CHECK_PROTOTYPES
#include <qrencode.h>
#else
typedef struct {
  int version;
  int width;
  unsigned char *data;
} QRcode;
typedef enum { QR_ECLEVEL_L = 0 } QRecLevel;
#endif

static QRcode *(*p_QRcode_encodeData)(int, const unsigned char *, int, QRecLevel);
static void (*p_QRcode_free)(QRcode *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_open;

static void open_library(void) {
#ifdef CHECK_PROTOTYPES
  p_QRcode_encodeData = QRcode_encodeData;
  p_QRcode_free = QRcode_free;
#else
  void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  *(void **)&p_QRcode_encodeData = dlsym(library, "QRcode_encodeData");
  *(void **)&p_QRcode_free = dlsym(library, "QRcode_free");
  if (!p_QRcode_encodeData || !p_QRcode_free) return;
#endif
  is_open = 1;
}

enum cqrencode_result cqrencode_encode(const uint8_t *bytes, int count, uint8_t *modules, int *side) {
  pthread_once(&once, open_library);
  if (!is_open) return CQRENCODE_NO_LIBRARY;
  QRcode *code = p_QRcode_encodeData(count, bytes, 0, QR_ECLEVEL_L);
  if (!code) return CQRENCODE_FAILED;
  enum cqrencode_result result = CQRENCODE_FAILED;
  if (code->width > 0 && code->width <= CQRENCODE_MOST) {
    *side = code->width;
    for (int index = 0; index < code->width * code->width; index++) modules[index] = code->data[index] & 1;
    result = CQRENCODE_DONE;
  }
  p_QRcode_free(code);
  return result;
}
