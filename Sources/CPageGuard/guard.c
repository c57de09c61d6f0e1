#define _GNU_SOURCE
#include "CPageGuard.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { range_count = 64 };

static struct {
  atomic_int is_used;
  atomic_int has_failed;
  _Atomic uintptr_t start;
  _Atomic uintptr_t end;
} ranges[range_count];

/* The previous handler, in two copies: one can be read while the other is written. */
static struct sigaction previous[2];
static atomic_int newest;
static atomic_flag is_renewing = ATOMIC_FLAG_INIT;
/* The address of the last fault that was passed on; 1 for a signal that was sent. */
static _Atomic uintptr_t last_passed;
static uintptr_t page_size;

/* Replaces a missing page with zeros. */
static int replace_page(uintptr_t address) {
  for (int i = 0; i < range_count; i++) {
    if (address < atomic_load(&ranges[i].start) || address >= atomic_load(&ranges[i].end)) continue;
    atomic_store(&ranges[i].has_failed, 1);
    void *page = (void *)(address & ~(page_size - 1));
    return mmap(page, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;
  }
  return 0;
}

static void on_bus_error(int number, siginfo_t *info, void *context) {
  int is_fault = info->si_code > 0;
  if (is_fault && replace_page((uintptr_t)info->si_addr)) return;

  struct sigaction next = previous[atomic_load(&newest)];
  /* The same fault again: the previous handler did not fix it, or passed it back to us. */
  uintptr_t address = is_fault ? (uintptr_t)info->si_addr : 1;
  if (atomic_exchange(&last_passed, address) == address) next.sa_handler = SIG_DFL;
  if (next.sa_handler == SIG_IGN && is_fault) next.sa_handler = SIG_DFL;
  if (next.sa_handler == SIG_DFL || next.sa_handler == SIG_IGN) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = next.sa_handler;
    sigaction(number, &action, NULL);
    /* A fault recurs by itself. */
    if (!is_fault) raise(number);
  } else if (next.sa_flags & SA_SIGINFO) {
    next.sa_sigaction(number, info, context);
  } else {
    next.sa_handler(number);
  }
}

void page_guard_renew(void) {
  struct sigaction present;
  if (sigaction(SIGBUS, NULL, &present) != 0) return;
  if ((present.sa_flags & SA_SIGINFO) && present.sa_sigaction == on_bus_error) return;
  if (atomic_flag_test_and_set(&is_renewing)) return;
  int next = !atomic_load(&newest);
  previous[next] = present;
  atomic_store(&newest, next);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = on_bus_error;
  sigaction(SIGBUS, &action, NULL);
  atomic_flag_clear(&is_renewing);
}

int page_guard_add(const void *start, size_t size) {
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < range_count; i++) {
    int expected = 0;
    if (!atomic_compare_exchange_strong(&ranges[i].is_used, &expected, 1)) continue;
    atomic_store(&ranges[i].has_failed, 0);
    atomic_store(&ranges[i].start, (uintptr_t)start);
    atomic_store(&ranges[i].end, (uintptr_t)start + size);
    page_guard_renew();
    return i;
  }
  return -1;
}

void page_guard_remove(int number) {
  atomic_store(&ranges[number].end, 0);
  atomic_store(&ranges[number].start, 0);
  atomic_store(&ranges[number].is_used, 0);
}

int page_guard_has_failed(int number) { return atomic_load(&ranges[number].has_failed); }
