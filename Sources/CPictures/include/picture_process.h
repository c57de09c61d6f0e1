#ifndef PICTURE_PROCESS_H
#define PICTURE_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

/* Starts and confines a process that decodes images for another one. */

/* Starts arguments[0] (a path; the arguments end with NULL) with one end of a socket as its standard input and output,
   /dev/null as its standard error, no other descriptors, no terminal and default signals. The caller gets the other
   end, closed on exec, and waits for the process. Returns 0, or an error number. */
int picture_process_start(char *const arguments[], pid_t *process, int *descriptor);

/* Permanently drops everything that the calling process does not need for decoding: more than `memory` bytes of address
   space, core dumps, changing files, sockets, other programs and processes. On a system without seccomp, the last four
   remain possible, but nothing can be written to a file. Returns 0, or an error number if a limit cannot be set. */
int picture_process_confine(size_t memory);

/* Ends the calling process with SIGXCPU after that many more seconds of processor time. */
void picture_process_limit_time(unsigned seconds);

/* Returns free memory to the system. */
void picture_process_trim(void);

#endif
