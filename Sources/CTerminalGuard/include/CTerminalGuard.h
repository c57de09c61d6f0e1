#ifndef CTERMINALGUARD_H
#define CTERMINALGUARD_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/* Code that must work in a signal handler, and functions missing from Swift's Glibc module. A process has one
   terminal. */

/* Creates a pipe with both ends non-blocking and closed on exec. Returns 0, or -1 with errno. */
int terminal_guard_pipe(int ends[2]);

/* Installs the handlers. Notifications (TSTP CONT WINCH) and termination signals (all that end a program unless caught,
   such as TERM HUP INT QUIT ALRM USR1 XCPU PWR and the real-time signals) are written to signal_pipe, one byte each.
   TSTP and termination signals that the parent ignored stay ignored (nohup). If the process is still running three
   seconds after the first termination signal, it restores the terminal and dies by that signal: it may hang in a write
   to a blocked terminal. On a crash (SEGV BUS ILL TRAP FPE ABRT SYS) the handler restores the terminal, on an alternate
   stack, and the process then dies by the signal's default action (with SWIFT_BACKTRACE set, in Swift's backtracer).
   PIPE and XFSZ are ignored; all the other signals named here are unblocked. Signals in the host's set are left alone:
   with SIGALRM in it there is no deadline, with SIGRTMAX no thread is stopped. May be called again: later calls restore
   handlers that another library replaced. Returns 0, or -1. */
int terminal_guard_install(int signal_pipe, const sigset_t *hosts);

/* Gives the calling thread an alternate stack for signals, if it has none; freed when the thread ends. Without one an
   overflow of the thread's stack kills the process before a handler can run; any other crash is handled on the normal
   stack. Cheap to repeat. Returns 0, or -1. */
int terminal_guard_cover_thread(void);

/* Makes a crash or exit(3) restore the terminal: it writes these bytes, at most 512 (the rest is cut), and sets these
   modes. An incomplete control string is ended first, and pending input is discarded. The caller is the thread
   that draws: a crash in another one stops it first. */
void terminal_guard_arm(int descriptor, const struct termios *modes, const char *bytes, size_t count);

/* Sets the bytes that delete images, at most 512 (if there are more, none). They are written before the others when the
   terminal is restored, only once, and not at all while they are being replaced. */
void terminal_guard_images(const char *bytes, size_t count);

/* Records that the terminal was restored normally. */
void terminal_guard_disarm(void);

/* Restores now if armed, and disarms. Async-signal-safe. */
void terminal_guard_restore(void);

/* Stops the process (or, with whole_group, its process group) as Ctrl-Z does; returns when continued, or at once if
   TSTP is ignored. */
void terminal_guard_stop(int whole_group);

/* Starts arguments[0], found on PATH, in its own session with default signals and no descriptors except /dev/null;
   input, if it is not negative, becomes its standard input. The arguments end with NULL. Returns 0, or an error
   number; the caller waits for the process. */
int terminal_guard_spawn_detached(char *const arguments[], int input, pid_t *process);

/* Creates a file in memory with these bytes, positioned at its start, closed on exec. Returns its descriptor, or -1
   with errno. */
int terminal_guard_memory_file(const void *bytes, size_t count);

/* Restores the terminal and dies by the signal's default action, which the parent can see; if that fails, exits with
   128 + signal. */
_Noreturn void terminal_guard_die(int signal_number);

#endif
