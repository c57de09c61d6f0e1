#ifndef CCOVEREDTHREADS_H
#define CCOVEREDTHREADS_H

/* Linking this target gives every thread that the program or its libraries start an alternate stack for signals
   (terminal_guard_cover_thread): an overflow of a thread's stack then restores the terminal too. For programs, not for
   libraries: it replaces pthread_create in the whole process. */

/* Starts this many threads and keeps them in reserve. When the system has no more threads for the program, detached
   ones are taken from there: libdispatch would otherwise wait until it has, also on the main thread. Returns 0 if the
   system has not as many. Starts none, and returns 1, if the address space is limited. */
int covered_threads_keep(int count);

#endif
