// The table of readings, as constants in read-only memory: nothing is built or allocated at start.
// Resources/pinyin/make-readings.py generates table.c; this file declares its layout and the lookups.
#pragma once
#include <stdint.h>

#define PINYIN_LETTERS_WIDTH 8
#define PINYIN_PAGE_BITS 6
#define PINYIN_PHRASE_MAXIMUM 4

// An entry is 0 (no reading), or flags and a syllable code (number of the letters * 8 + tone; tone 5 is neutral), or,
// with the heteronym flag, the offset of a count and that many codes in pinyin_heteronyms.
enum { PINYIN_HETERONYM = 0x8000, PINYIN_BEGINS_PHRASE = 0x4000, PINYIN_VALUE = 0x1FFF };
enum { PINYIN_SURNAME = 1, PINYIN_WORD = 2 };

// A surname or word whose characters have unusual readings. Unused scalars and codes are 0; a word may have fewer codes
// than characters, and the others have their usual reading. Sorted by scalars.
struct pinyin_phrase {
  uint32_t scalars[PINYIN_PHRASE_MAXIMUM];
  uint16_t codes[PINYIN_PHRASE_MAXIMUM];
  uint8_t length;
  uint8_t kind;
};

// Up to four ASCII characters, the first in the lowest byte. Sorted by scalar.
struct pinyin_folding {
  uint32_t scalar;
  uint32_t letters;
};

extern const uint64_t pinyin_inputs_digest;    // FNV-1a of make-readings.py and overrides.json
extern const uint64_t pinyin_contents_digest;  // FNV-1a of the tables below
extern const uint32_t pinyin_icu_major, pinyin_icu_minor;

extern const char pinyin_letters[][PINYIN_LETTERS_WIDTH];
extern const uint32_t pinyin_letters_count;
extern const uint16_t pinyin_page_of[];
extern const uint32_t pinyin_page_of_count;
extern const uint16_t pinyin_entries[];
extern const uint16_t pinyin_heteronyms[];
extern const struct pinyin_phrase pinyin_phrases[];
extern const uint32_t pinyin_phrases_count;
extern const struct pinyin_folding pinyin_foldings[];
extern const uint32_t pinyin_foldings_count;

static inline uint16_t pinyin_entry(uint32_t scalar) {
  uint32_t page = scalar >> PINYIN_PAGE_BITS;
  if (page >= pinyin_page_of_count) return 0;
  uint32_t base = (uint32_t)pinyin_page_of[page] << PINYIN_PAGE_BITS;
  return pinyin_entries[base | (scalar & ((1u << PINYIN_PAGE_BITS) - 1))];
}

// Returns the count of readings at an offset; the codes follow.
static inline const uint16_t *_Nonnull pinyin_heteronym_set(uint32_t offset) { return pinyin_heteronyms + offset; }

// Returns the zero-padded letters of a syllable by its number.
static inline const char *_Nonnull pinyin_letters_at(uint32_t number) {
  return pinyin_letters[number < pinyin_letters_count ? number : 0];
}

// Returns the index of the first phrase that begins with this scalar or a greater one, or pinyin_phrases_count.
static inline uint32_t pinyin_phrase_search(uint32_t scalar) {
  uint32_t low = 0, high = pinyin_phrases_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pinyin_phrases[middle].scalars[0] < scalar) low = middle + 1; else high = middle;
  }
  return low;
}

static inline const struct pinyin_phrase *_Nonnull pinyin_phrase_at(uint32_t number) { return pinyin_phrases + number; }

// Returns the folding of a scalar, or 0.
static inline uint32_t pinyin_folding_of(uint32_t scalar) {
  uint32_t low = 0, high = pinyin_foldings_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pinyin_foldings[middle].scalar < scalar) low = middle + 1; else high = middle;
  }
  return low < pinyin_foldings_count && pinyin_foldings[low].scalar == scalar ? pinyin_foldings[low].letters : 0;
}
