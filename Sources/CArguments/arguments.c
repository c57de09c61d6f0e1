#include "arguments.h"

#include <stddef.h>

static int count;
static char **arguments;

// glibc gives constructors what it gives main. Swift reads /proc/self/cmdline instead, and where there is no /proc, as
// in some containers, it takes a command line for an empty one.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

int addressbook_argument_count(void) { return count; }

const char *addressbook_argument(int number) {
  return number >= 0 && number < count ? arguments[number] : NULL;
}
