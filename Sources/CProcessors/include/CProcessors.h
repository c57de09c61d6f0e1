#ifndef C_PROCESSORS_H
#define C_PROCESSORS_H

#include <pthread.h>

/* Ties the threads that are created with these attributes to the processors that the calling thread may run on, but not
   to the one that it is running on. Returns 0; or -1, and leaves the attributes unchanged, if there is no other
   processor or the system does not tell. */
int processors_exclude_current(pthread_attr_t *attributes);

#endif
