#ifndef CTERMINALGUARD_H
#define CTERMINALGUARD_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/* What must work inside a signal handler, and what Glibc's Swift module lacks. One terminal a process. */

/* A pipe with both ends closed on exec and never blocking. 0, or -1 with errno. */
int terminal_guard_pipe(int ends[2]);

/* Installs the handlers.
   Notices (TSTP CONT WINCH) and orders to end (all that end a program which does not catch them, such as TERM HUP INT QUIT
   ALRM USR1 XCPU PWR and the real-time signals) are written to signal_pipe, a byte each. What the parent had ignored stays
   so (nohup). Three seconds after the first order the process restores the terminal and dies by it, if it is still there:
   it may hang in a write to a terminal that takes nothing.
   Crashes (SEGV BUS ILL TRAP FPE ABRT SYS) restore the terminal on an alternate stack and then die by their default action
   (with SWIFT_BACKTRACE set, in Swift's backtracer). PIPE and XFSZ are ignored. All of these are unblocked.
   Signals of the host's set are left as they are: with SIGALRM among them there is no deadline, with SIGRTMAX no thread is stopped.
   Repeatable: later calls put back what another library replaced. 0, or -1 with errno. */
int terminal_guard_install(int signal_pipe, const sigset_t *hosts);

/* Gives the calling thread an alternate stack for signals, if it has none; freed when the thread ends. Without one an
   overflow of the thread's stack kills the process before a handler can run; any other crash is handled on the stack that
   is there. Cheap to repeat. 0, or -1 with errno. */
int terminal_guard_cover_thread(void);

/* From now on a crash or exit(3) restores: these bytes, at most 512 (more are cut), and these modes. An unfinished control
   string is ended before the bytes, waiting input is discarded. The caller is the thread that draws: a crash in another
   one stops it first. */
void terminal_guard_arm(int descriptor, const struct termios *modes, const char *bytes, size_t count);

/* From now on restoring writes these bytes first, at most 512 (more: none). They delete images, so they may be missing while
   they change, and are gone once written. */
void terminal_guard_images(const char *bytes, size_t count);

/* The terminal was given back. */
void terminal_guard_disarm(void);

/* Restores now if armed, and disarms. Async-signal-safe. */
void terminal_guard_restore(void);

/* Stops the process (or, with whole_group, its process group) as Ctrl-Z does; returns when continued. */
void terminal_guard_stop(int whole_group);

/* Starts arguments[0], found on PATH, in a session of its own with /dev/null as its only descriptors and every signal as a
   new program has it; its standard input is that descriptor, if it is not negative. The arguments end with NULL. 0, or an
   error number; the caller waits for the process. */
int terminal_guard_spawn_detached(char *const arguments[], int input, pid_t *process);

/* A file in memory that holds these bytes, to be read from its start, closed on exec. -1 with errno where there is none. */
int terminal_guard_memory_file(const void *bytes, size_t count);

/* Dies by the signal's default action, so that the parent sees it; by exit code 128 + signal if that fails. */
_Noreturn void terminal_guard_die(int signal_number);

#endif
