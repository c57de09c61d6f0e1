#ifndef CICU_SHIM_H
#define CICU_SHIM_H
// ICU renames its functions by macro (utrans_openU_72), which Swift does not see: each one that we call has a plain name here.
#include <stdlib.h>
#include <string.h>
#include <unicode/ucol.h>
#include <unicode/utrans.h>
#include <unicode/uversion.h>

typedef struct {
  uint8_t major, minor;
} cicu_version;

static inline cicu_version cicu_get_version(void) {
  UVersionInfo version;
  u_getVersion(version);
  return (cicu_version){version[0], version[1]};
}

// The root collator with numbers by value, or NULL. It is not changed after it was opened, so several threads may use it.
static inline UCollator *_Nullable cicu_open_root_collator(void) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open("", &status);
  if (collator != NULL) ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status);
  if (U_SUCCESS(status)) return collator;
  if (collator != NULL) ucol_close(collator);
  return NULL;
}

// Writes the sort key, which ends with a 0, as far as it fits. Returns the length that the whole key has.
static inline int32_t cicu_sort_key(const UCollator *_Nonnull collator, const uint16_t *_Nonnull text, int32_t length,
                                    uint8_t *_Nonnull key, int32_t capacity) {
  return ucol_getSortKey(collator, text, length, key, capacity);
}

// The transliterator from Han to Latin, or NULL. Opening it takes some 80 ms.
static inline UTransliterator *_Nullable cicu_open_han_latin(void) {
  static const UChar name[] = u"Han-Latin";
  UErrorCode status = U_ZERO_ERROR;
  UTransliterator *transliterator = utrans_openU(name, -1, UTRANS_FORWARD, NULL, 0, NULL, &status);
  return U_SUCCESS(status) ? transliterator : NULL;
}

// Replaces the text in place. Returns its new length, or -1 when it failed.
static inline int32_t cicu_transliterate(UTransliterator *_Nonnull transliterator, uint16_t *_Nonnull text, int32_t length,
                                         int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t limit = length;
  utrans_transUChars(transliterator, text, &length, capacity, 0, &limit, &status);
  return U_SUCCESS(status) ? length : -1;
}

#endif
