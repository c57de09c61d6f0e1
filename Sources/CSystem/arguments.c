#include "arguments.h"

#include <stddef.h>
#include <sys/auxv.h>

static int count;
static char **arguments;

// glibc passes the arguments of main to constructors too. Swift reads /proc/self/cmdline instead; without /proc, as in
// some containers, it sees an empty command line.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

const char *addressbook_program_path(void) { return (const char *)getauxval(AT_EXECFN); }

int addressbook_argument_count(void) { return count; }

const char *addressbook_argument(int number) {
  return number >= 0 && number < count ? arguments[number] : NULL;
}
