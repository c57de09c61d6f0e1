#ifndef CCOVEREDTHREADS_H
#define CCOVEREDTHREADS_H

/* Linking this target gives every thread that the program or its libraries start an alternate stack for signals
   (terminal_guard_cover_thread): an overflow of a thread's stack then restores the terminal too. For programs, not for
   libraries: it replaces pthread_create in the whole process. There is nothing to call. */

#endif
