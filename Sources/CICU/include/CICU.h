#ifndef CICU_H
#define CICU_H
// Wraps ICU in plain functions and opaque pointers. No ICU header is included here: ICU's names would otherwise be
// visible in Swift, where some clash with Foundation's copy of ICU. ICU also renames its functions by macro
// (utrans_openU_72), which Swift does not see.
#include <stdint.h>

typedef struct {
  uint8_t major, minor;
} cicu_version;

/// A collator. It does not change once it is open, so several threads may use it.
typedef struct cicu_collator cicu_collator;
/// A transliterator, for one thread at a time.
typedef struct cicu_transliterator cicu_transliterator;

/// Returns the library's version at run time.
cicu_version cicu_get_version(void);

/// Opens the collator of a locale with numeric ordering, or returns NULL. The locale is a BCP 47 language tag, or empty
/// for the root.
cicu_collator *_Nullable cicu_open_collator(const char *_Nonnull locale);

/// Writes the index characters of a locale, and the contractions of its collator that begin with U+FDD0, as far as they
/// fit. Each ends with a 0. Returns the length of all.
int32_t cicu_index_labels(const char *_Nonnull locale, const cicu_collator *_Nonnull collator,
                          uint16_t *_Nonnull labels, int32_t capacity);

/// Returns the number of a character's script.
int32_t cicu_script(uint32_t character);

/// Writes the sort key, which ends with a 0, as far as it fits. Returns the length of the whole key.
int32_t cicu_sort_key(const cicu_collator *_Nonnull collator, const uint16_t *_Nonnull text, int32_t length,
                      uint8_t *_Nonnull key, int32_t capacity);

/// Opens a transliterator by its name in UTF-16, or returns NULL. "Han-Latin" takes about 80 ms.
cicu_transliterator *_Nullable cicu_open_transliterator(const uint16_t *_Nonnull name, int32_t length);

/// Replaces the text in place. Returns its new length, or -1 on failure.
int32_t cicu_transliterate(cicu_transliterator *_Nonnull transliterator, uint16_t *_Nonnull text, int32_t length,
                           int32_t capacity);

/// Writes the text in normalization form KC as far as it fits. Returns the length of the whole text, or -1 on failure.
int32_t cicu_compatible_form(const uint16_t *_Nonnull text, int32_t length, uint16_t *_Nonnull target,
                             int32_t capacity);

#endif
