#define _GNU_SOURCE
#include "CCoveredThreads.h"

#include <CTerminalGuard.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef void *(*routine)(void *);
typedef int (*creator)(pthread_t *, const pthread_attr_t *, routine, void *);

struct start {
  routine routine;
  void *argument;
};

static void *begin(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  /* Without memory for a second stack the thread continues without one. */
  (void)terminal_guard_cover_thread();
  return start.routine(start.argument);
}

/* Takes precedence over the C library's function, which it calls. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, routine routine, void *argument) {
  creator create = (creator)dlsym(RTLD_NEXT, "pthread_create");
  if (!create) abort();
  struct start *start = malloc(sizeof *start);
  if (!start) return create(thread, attributes, routine, argument);
  start->routine = routine;
  start->argument = argument;
  int code = create(thread, attributes, begin, start);
  if (code) free(start);
  return code;
}
