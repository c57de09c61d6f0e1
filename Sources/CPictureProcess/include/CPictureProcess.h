#ifndef CPICTUREPROCESS_H
#define CPICTUREPROCESS_H

#include <stddef.h>
#include <sys/types.h>

/* A process that decodes pictures for another one, and what it may do. */

/* Starts arguments[0] (a path; the arguments end with NULL) with one end of a socket as its standard input and output,
   /dev/null as its standard error, no other descriptor, no terminal and every signal as a new program has it. The caller gets
   the other end, closed on exec, and waits for the process. 0, or an error number. */
int picture_process_start(char *const arguments[], pid_t *process, int *descriptor);

/* Gives up, for good, what the calling process does not need for decoding: memory beyond that many bytes of address space,
   core dumps, files written, sockets, other programs and processes. The last four need seccomp; on a system without it
   they stay. 0, or an error number when a limit cannot be set. */
int picture_process_confine(size_t memory);

/* Ends the calling process by SIGXCPU after so many more seconds of processor time. */
void picture_process_limit_time(unsigned seconds);

/* Gives free memory back to the system. */
void picture_process_trim(void);

#endif
