#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

/* With AVX-512 the kernel's frame alone is larger than 2 KiB, the old MINSIGSTKSZ; with AMX it is larger than 8 KiB,
   the old SIGSTKSZ. */
enum { stack_size = 65536 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t stack_key;
static int has_key;
static _Thread_local int is_covered;

static void free_stack(void *stack) {
  stack_t none = {.ss_flags = SS_DISABLE};
  if (sigaltstack(&none, NULL) == 0) munmap(stack, stack_size);
}

static void make_key(void) { has_key = pthread_key_create(&stack_key, free_stack) == 0; }

int terminal_guard_cover_thread(void) {
  if (is_covered) return 0;
  stack_t present;
  if (sigaltstack(NULL, &present) != 0) return -1;
  if (present.ss_flags & SS_DISABLE) {
    pthread_once(&once, make_key);
    if (!has_key) return -1;
    void *memory = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return -1;
    stack_t stack = {.ss_sp = memory, .ss_size = stack_size};
    if (pthread_setspecific(stack_key, memory) != 0 || sigaltstack(&stack, NULL) != 0) {
      pthread_setspecific(stack_key, NULL);
      munmap(memory, stack_size);
      return -1;
    }
  }
  is_covered = 1;
  return 0;
}
