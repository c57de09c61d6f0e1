#define _GNU_SOURCE
#include "CCoveredThreads.h"

#include <CTerminalGuard.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef void *(*routine)(void *);
typedef int (*creator)(pthread_t *, const pthread_attr_t *, routine, void *);

struct start {
  routine routine;
  void *argument;
};

/* A thread that waits for a routine to run, runs it, and waits again. */
struct reserved {
  struct reserved *next;
  pthread_t thread;
  sem_t begin;
  struct start start;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reserved *reserve;

static void put_back(struct reserved *one) {
  pthread_mutex_lock(&lock);
  one->next = reserve;
  reserve = one;
  pthread_mutex_unlock(&lock);
}

static void *run_reserved(void *argument) {
  struct reserved *one = argument;
  one->thread = pthread_self();
  (void)terminal_guard_cover_thread();
  while (1) {
    put_back(one);
    while (sem_wait(&one->begin) != 0) continue;
    one->start.routine(one->start.argument);
  }
  return NULL;
}

/* Gives the routine to a thread in reserve; returns whether there was one. */
static int start_reserved(pthread_t *thread, struct start start) {
  pthread_mutex_lock(&lock);
  struct reserved *one = reserve;
  if (one) reserve = one->next;
  pthread_mutex_unlock(&lock);
  if (!one) return 0;
  *thread = one->thread;
  one->start = start;
  sem_post(&one->begin);
  return 1;
}

int covered_threads_keep(int count) {
  /* Each thread takes eight megabytes of address space. */
  struct rlimit space;
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) return 1;
  creator create = (creator)dlsym(RTLD_NEXT, "pthread_create");
  pthread_attr_t detached;
  if (!create || pthread_attr_init(&detached) != 0) return 0;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  int kept = 0;
  while (kept < count) {
    struct reserved *one = malloc(sizeof *one);
    pthread_t thread;
    if (!one || sem_init(&one->begin, 0, 0) != 0 || create(&thread, &detached, run_reserved, one) != 0) {
      free(one);
      break;
    }
    kept++;
  }
  pthread_attr_destroy(&detached);
  return kept == count;
}

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
  /* Whoever joins a thread waits for its end, and a thread in reserve does not end. */
  int state = PTHREAD_CREATE_JOINABLE;
  if (!attributes || pthread_attr_getdetachstate(attributes, &state) != 0 || state != PTHREAD_CREATE_DETACHED) {
    return code;
  }
  if (code == EAGAIN && start_reserved(thread, (struct start){routine, argument})) return 0;
  return code;
}
