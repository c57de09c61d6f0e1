#ifndef CCOVEREDTHREADS_H
#define CCOVEREDTHREADS_H

/* A program that links this target gives every thread that it, or a library of it, starts an alternate stack for signals
   (terminal_guard_cover_thread), so that the overflow of a thread's stack restores the terminal too. For programs, not for
   libraries: it stands in for pthread_create in the whole process. There is nothing to call. */

#endif
