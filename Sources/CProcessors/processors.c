#define _GNU_SOURCE
#include "CProcessors.h"

#include <sched.h>

int processors_exclude_current(pthread_attr_t *attributes) {
  cpu_set_t processors;
  int current = sched_getcpu();
  if (current < 0 || current >= CPU_SETSIZE) return -1;
  if (sched_getaffinity(0, sizeof processors, &processors) != 0) return -1;
  CPU_CLR(current, &processors);
  if (CPU_COUNT(&processors) == 0) return -1;
  return pthread_attr_setaffinity_np(attributes, sizeof processors, &processors) == 0 ? 0 : -1;
}
