#ifndef CCOVEREDTHREADS_H
#define CCOVEREDTHREADS_H

/* Linking this target gives every thread that the program or its libraries start an alternate stack for signals
   (terminal_guard_cover_thread): an overflow of a thread's stack then restores the terminal too. For programs, not for
   libraries: it replaces pthread_create in the whole process. */

/* Keeps up to this many threads in reserve from the next start of a detached thread on. When the system has no more
   threads for the program, detached ones are taken from there: libdispatch would otherwise wait until it has, also on
   the main thread. Without effect if the address space is limited. */
void covered_threads_keep(int count);

#endif
