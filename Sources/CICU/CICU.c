#include "CICU.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/ucol.h>
#include <unicode/unorm2.h>
#include <unicode/utrans.h>
#include <unicode/uversion.h>

cicu_version cicu_get_version(void) {
  UVersionInfo version;
  u_getVersion(version);
  return (cicu_version){version[0], version[1]};
}

cicu_collator *cicu_open_root_collator(void) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open("", &status);
  if (collator != NULL) ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status);
  if (U_SUCCESS(status)) return (cicu_collator *)collator;
  if (collator != NULL) ucol_close(collator);
  return NULL;
}

int32_t cicu_sort_key(const cicu_collator *collator, const uint16_t *text, int32_t length, uint8_t *key,
                      int32_t capacity) {
  return ucol_getSortKey((const UCollator *)collator, text, length, key, capacity);
}

cicu_transliterator *cicu_open_transliterator(const uint16_t *name, int32_t length) {
  UErrorCode status = U_ZERO_ERROR;
  UTransliterator *transliterator = utrans_openU(name, length, UTRANS_FORWARD, NULL, 0, NULL, &status);
  return U_SUCCESS(status) ? (cicu_transliterator *)transliterator : NULL;
}

int32_t cicu_transliterate(cicu_transliterator *transliterator, uint16_t *text, int32_t length, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t limit = length;
  utrans_transUChars((UTransliterator *)transliterator, text, &length, capacity, 0, &limit, &status);
  return U_SUCCESS(status) ? length : -1;
}

int32_t cicu_compatible_form(const uint16_t *text, int32_t length, uint16_t *target, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *normalizer = unorm2_getNFKCInstance(&status);
  if (U_FAILURE(status)) return -1;
  int32_t count = unorm2_normalize(normalizer, text, length, target, capacity, &status);
  return U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR ? count : -1;
}
