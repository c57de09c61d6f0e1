#include "CICU.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ucol.h>
#include <unicode/uloc.h>
#include <unicode/ulocdata.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>
#include <unicode/utrans.h>
#include <unicode/uversion.h>

cicu_version cicu_get_version(void) {
  UVersionInfo version;
  u_getVersion(version);
  return (cicu_version){version[0], version[1]};
}

/// Writes ICU's name of a locale, and opens its data; NULL if ICU does not have the locale.
static ULocaleData *open_locale(const char *tag, char *name, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t parsed = 0;
  int32_t length = uloc_forLanguageTag(tag, name, capacity, &parsed, &status);
  if (U_FAILURE(status) || length >= capacity || parsed != (int32_t)strlen(tag)) return NULL;
  ULocaleData *data = ulocdata_open(name, &status);
  if (U_SUCCESS(status) && (status != U_USING_DEFAULT_WARNING || *tag == 0)) return data;
  if (data != NULL) ulocdata_close(data);
  return NULL;
}

cicu_collator *cicu_open_collator(const char *locale) {
  char name[ULOC_FULLNAME_CAPACITY];
  ULocaleData *data = open_locale(locale, name, sizeof name);
  if (data == NULL) return NULL;
  ulocdata_close(data);
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open(name, &status);
  // Many locales have the root's order, but an order that was asked for by name must be there.
  bool is_missing = status == U_USING_DEFAULT_WARNING && strchr(name, '@') != NULL;
  if (collator != NULL) ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status);
  if (U_SUCCESS(status) && !is_missing) return (cicu_collator *)collator;
  if (collator != NULL) ucol_close(collator);
  return NULL;
}

/// Appends the members of a set that begin with a character, or with any if it is 0.
static int32_t append_members(const USet *set, UChar first, uint16_t *texts, int32_t length, int32_t capacity) {
  for (int32_t index = 0; index < uset_getItemCount(set); index++) {
    UErrorCode status = U_ZERO_ERROR;
    UChar32 start, end;
    UChar text[16];
    int32_t count = uset_getItem(set, index, &start, &end, text, 15, &status);
    if (U_FAILURE(status)) continue;
    if (count > 0) end = start;
    for (UChar32 character = start; character <= end; character++) {
      if (count == 0) {
        int32_t units = 0;
        U16_APPEND_UNSAFE(text, units, character);
        text[units] = 0;
      } else {
        text[count] = 0;
      }
      if (first != 0 && text[0] != first) continue;
      for (UChar *unit = text;; unit++) {
        if (length < capacity) texts[length] = *unit;
        length++;
        if (*unit == 0) break;
      }
    }
  }
  return length;
}

int32_t cicu_index_labels(const char *locale, const cicu_collator *collator, uint16_t *labels, int32_t capacity) {
  char name[ULOC_FULLNAME_CAPACITY];
  ULocaleData *data = open_locale(locale, name, sizeof name);
  if (data == NULL) return 0;
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = 0;
  USet *characters = ulocdata_getExemplarSet(data, NULL, 0, ULOCDATA_ES_INDEX, &status);
  ulocdata_close(data);
  if (characters != NULL) {
    length = append_members(characters, 0, labels, length, capacity);
    uset_close(characters);
  }
  // Only Chinese has such contractions, and looking for them takes a while.
  if (strncmp(name, "zh", 2) != 0) return length;
  USet *contractions = uset_openEmpty();
  status = U_ZERO_ERROR;
  ucol_getContractionsAndExpansions((const UCollator *)collator, contractions, NULL, false, &status);
  length = append_members(contractions, 0xFDD0, labels, length, capacity);
  uset_close(contractions);
  return length;
}

int32_t cicu_script(uint32_t character) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript((UChar32)character, &status);
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
