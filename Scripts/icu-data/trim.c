// Writes the data of an ICU library without what a program does not use, and prints the name of its symbol:
//   trim FILE PATTERN…
// An item is kept if the last pattern that matches its name, such as coll/de.res, does not begin with a minus sign.
// The data is a table of names and offsets, then the items (ICU's source/common/ucmndata.h). icupkg does the same, but
// not for the data of a version newer than its own.
#include <fnmatch.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include UTYPES

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

typedef struct {
  uint32_t name, start;
} Item;

extern const unsigned char U_ICUDATA_ENTRY_POINT[];

static bool is_kept(const char *name, char **patterns) {
  bool is_kept = false;
  // Each name begins with that of the package.
  name = strchr(name, '/') + 1;
  for (; *patterns != NULL; patterns++) {
    bool removes = **patterns == '-';
    if (fnmatch(*patterns + removes, name, FNM_PATHNAME) == 0) is_kept = !removes;
  }
  return is_kept;
}

static uint32_t padded(uint32_t size) { return (size + 15) & ~(uint32_t)15; }

static void write_padded(FILE *file, const void *bytes, uint32_t size) {
  static const char zeros[16];
  fwrite(bytes, 1, size, file);
  fwrite(zeros, 1, padded(size) - size, file);
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  const unsigned char *data = U_ICUDATA_ENTRY_POINT;
  const uint16_t header = *(const uint16_t *)data;
  const unsigned char *table = data + header;
  const uint32_t all = *(const uint32_t *)table;
  const Item *items = (const Item *)(table + sizeof all);

  // An item ends where the next one starts. The last one, a locale without data of its own, is left out.
  uint32_t *kept = calloc(all, sizeof *kept), number = 0, names = 0;
  for (uint32_t index = 0; index + 1 < all; index++) {
    const char *name = (const char *)table + items[index].name;
    if (!is_kept(name, arguments + 2)) continue;
    kept[number++] = index;
    names += strlen(name) + 1;
  }
  uint32_t name = sizeof number + number * sizeof(Item), size = name + names, start = padded(size);
  unsigned char *head = calloc(1, size);
  memcpy(head, &number, sizeof number);
  for (uint32_t index = 0; index < number; index++) {
    const char *text = (const char *)table + items[kept[index]].name;
    const Item item = {name, start};
    memcpy(head + sizeof number + index * sizeof item, &item, sizeof item);
    strcpy((char *)head + name, text);
    name += strlen(text) + 1;
    start += padded(items[kept[index] + 1].start - items[kept[index]].start);
  }

  FILE *file = fopen(arguments[1], "wb");
  if (file == NULL) return 1;
  write_padded(file, data, header);
  write_padded(file, head, size);
  for (uint32_t index = 0; index < number; index++) {
    const Item *item = items + kept[index];
    write_padded(file, table + item->start, (item + 1)->start - item->start);
  }
  puts(TEXT(U_ICUDATA_ENTRY_POINT));
  return ferror(file) || fclose(file) != 0;
}
