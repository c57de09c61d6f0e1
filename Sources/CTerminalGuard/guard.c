#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Termination signals: every signal that ends a program unless it is caught, except the crashes, PIPE and XFSZ. The
   real-time signals are handled in the same way. */
static const int terminations[] = {SIGTERM, SIGHUP,  SIGINT,    SIGQUIT, SIGALRM, SIGUSR1,  SIGUSR2,
                             SIGPWR,  SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,   SIGSTKFLT};
static const int notices[] = {SIGTSTP, SIGCONT, SIGWINCH};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
/* A write to a closed pipe, or past a file size limit, should fail and not end the program. */
static const int ignored[] = {SIGPIPE, SIGXFSZ};
enum {
  termination_count = sizeof terminations / sizeof *terminations,
  notice_count = sizeof notices / sizeof *notices,
  crash_count = sizeof crashes / sizeof *crashes,
  ignored_count = sizeof ignored / sizeof *ignored
};

/* How long the program may take to terminate: it may hang in a write to a blocked terminal. */
enum { termination_timeout_seconds = 3 };

static atomic_int armed;
static int terminal = -1;
static struct termios saved_modes;
static char reset_bytes[512];
static size_t reset_count;
static char image_bytes[512];
static atomic_size_t image_count;
static pid_t owner;
static pid_t drawing_thread;

static atomic_int signal_pipe_end = -1;
static atomic_int first_termination;
static atomic_llong termination_deadline;
static atomic_int crashed;
static atomic_int drawing_stopped;
static struct sigaction before[crash_count];
static int wants_backtrace;
static int ignores_alarm;
static int installed;
/* The signals that the program handles itself. */
static sigset_t host_signals;

static int is_hosts(int number) { return sigismember(&host_signals, number) == 1; }

int terminal_guard_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

static pid_t thread_number(void) { return (pid_t)syscall(SYS_gettid); }

static long long seconds_now(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

/* A blocked terminal must not keep a crashed program alive. */
static void write_with_timeout(const char *bytes, size_t count) {
  size_t done = 0;
  for (int tries = 0; done < count && tries < 20; tries++) {
    ssize_t written = write(terminal, bytes + done, count - done);
    if (written > 0) {
      done += (size_t)written;
    } else if (errno == EAGAIN) {
      struct timespec pause = {0, 10000000};
      nanosleep(&pause, NULL);
    } else if (errno != EINTR) {
      break;
    }
  }
}

void terminal_guard_restore(void) {
  /* A child between fork and exec has a copy of the flag, but must leave the terminal to its parent. */
  if (getpid() != owner || !atomic_exchange(&armed, 0)) return;
  int saved_errno = errno;
  /* In the background the terminal already belongs to the shell, and touching it would stop us. */
  pid_t group = tcgetpgrp(terminal);
  if (group == -1 || group == getpgrp()) {
    int flags = fcntl(terminal, F_GETFL);
    if (flags >= 0) fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
    /* Ends a sequence (OSC, DCS, APC) that the program may have left incomplete. */
    write_with_timeout("\033\\", 2);
    write_with_timeout(image_bytes, atomic_exchange(&image_count, 0));
    write_with_timeout(reset_bytes, reset_count);
    if (flags >= 0) fcntl(terminal, F_SETFL, flags);
    /* Keys and mouse reports meant for the program must not reach the shell. */
    tcflush(terminal, TCIFLUSH);
    tcsetattr(terminal, TCSANOW, &saved_modes);
  }
  errno = saved_errno;
}

static void set_default(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, NULL);
}

/* Output of the drawing thread after the reset would remain on the terminal. */
static void stop_drawing(void) {
  if (is_hosts(SIGRTMAX) || thread_number() == drawing_thread || getpid() != owner || !atomic_load(&armed)) return;
  atomic_store(&crashed, 1);
  if (syscall(SYS_tgkill, owner, drawing_thread, SIGRTMAX) != 0) return;
  for (int tries = 0; tries < 100 && !atomic_load(&drawing_stopped); tries++) {
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
  }
}

static void on_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  stop_drawing();
  terminal_guard_restore();
  /* Let the signal occur again, to die of it: at once, or in Swift's backtracer if that was requested. By default the
     backtracer would prompt on the terminal for half a minute. */
  set_default(number);
  for (int i = 0; i < crash_count; i++)
    if (crashes[i] == number && wants_backtrace && before[i].sa_handler != SIG_IGN) sigaction(number, &before[i], NULL);
  /* A fault recurs when its instruction runs again, with its address; a signal that was sent does not. */
  if (info->si_code > 0 && number != SIGTRAP && number != SIGABRT && number != SIGSYS) return;
  raise(number);
}

static void write_to_pipe(int number) {
  unsigned char byte = (unsigned char)number;
  int end = atomic_load(&signal_pipe_end);
  if (end >= 0) {
    ssize_t ignored_result = write(end, &byte, 1);
    (void)ignored_result;
  }
}

static void on_notice(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  int saved_errno = errno;
  write_to_pipe(number);
  errno = saved_errno;
}

static void on_termination(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  int saved_errno = errno;
  if (number == SIGRTMAX && atomic_load(&crashed)) {
    atomic_store(&drawing_stopped, 1);
    for (;;) pause();
  }
  int first = atomic_load(&first_termination);
  if (first == 0 && number == SIGALRM && ignores_alarm) {
    errno = saved_errno;
    return;
  }
  if (first == 0) {
    atomic_store(&termination_deadline, seconds_now() + termination_timeout_seconds);
    int expected = 0;
    if (atomic_compare_exchange_strong(&first_termination, &expected, number) && !is_hosts(SIGALRM))
      alarm(termination_timeout_seconds);
    write_to_pipe(number);
  } else if (number == SIGALRM) {
    /* The alarm set above, or another one. */
    if (seconds_now() >= atomic_load(&termination_deadline)) {
      terminal_guard_restore();
      set_default(first);
      raise(first);
    }
    alarm(1);
  } else {
    write_to_pipe(number);
  }
  errno = saved_errno;
}

static int handle(int number, const struct sigaction *action) {
  struct sigaction old;
  if (is_hosts(number)) return 0;
  if (sigaction(number, NULL, &old) != 0) return -1;
  if (old.sa_handler == SIG_IGN) return 0;
  return sigaction(number, action, NULL);
}

int terminal_guard_install(int signal_pipe, const sigset_t *hosts) {
  host_signals = *hosts;
  atomic_store(&signal_pipe_end, signal_pipe);
  if (terminal_guard_cover_thread() != 0) return -1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  action.sa_sigaction = on_termination;
  for (int i = 0; i < termination_count; i++)
    if (handle(terminations[i], &action) != 0) return -1;
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
    if (handle(number, &action) != 0) return -1;
  /* Our own alarm needs SIGALRM, even if the parent ignored it. */
  struct sigaction alarm_before;
  if (!is_hosts(SIGALRM)) {
    if (sigaction(SIGALRM, &action, &alarm_before) != 0) return -1;
    if (alarm_before.sa_handler == SIG_IGN) ignores_alarm = 1;
  }
  action.sa_sigaction = on_notice;
  if (handle(SIGTSTP, &action) != 0) return -1;
  if (!is_hosts(SIGCONT) && sigaction(SIGCONT, &action, NULL) != 0) return -1;
  if (!is_hosts(SIGWINCH) && sigaction(SIGWINCH, &action, NULL) != 0) return -1;
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int i = 0; i < crash_count; i++)
    if (!is_hosts(crashes[i]) && sigaction(crashes[i], &action, installed ? NULL : &before[i]) != 0) return -1;
  /* A parent may start the program from a thread that blocks signals, and the process inherits the mask. */
  sigset_t ours;
  sigemptyset(&ours);
  for (int i = 0; i < termination_count; i++) sigaddset(&ours, terminations[i]);
  for (int i = 0; i < notice_count; i++) sigaddset(&ours, notices[i]);
  for (int i = 0; i < crash_count; i++) sigaddset(&ours, crashes[i]);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) sigaddset(&ours, number);
  for (int number = 1; number <= SIGRTMAX; number++)
    if (is_hosts(number)) sigdelset(&ours, number);
  if (sigprocmask(SIG_UNBLOCK, &ours, NULL) != 0) return -1;
  struct sigaction ignore;
  memset(&ignore, 0, sizeof ignore);
  ignore.sa_handler = SIG_IGN;
  for (int i = 0; i < ignored_count; i++)
    if (!is_hosts(ignored[i]) && sigaction(ignored[i], &ignore, NULL) != 0) return -1;
  wants_backtrace = getenv("SWIFT_BACKTRACE") != NULL;
  if (!installed) atexit(terminal_guard_restore);
  installed = 1;
  return 0;
}

void terminal_guard_arm(int descriptor, const struct termios *modes, const char *bytes, size_t count) {
  atomic_store(&armed, 0);
  terminal = descriptor;
  saved_modes = *modes;
  reset_count = count < sizeof reset_bytes ? count : sizeof reset_bytes;
  memcpy(reset_bytes, bytes, reset_count);
  owner = getpid();
  drawing_thread = thread_number();
  atomic_store(&armed, 1);
}

void terminal_guard_images(const char *bytes, size_t count) {
  atomic_store(&image_count, 0);
  if (count == 0 || count > sizeof image_bytes) return;
  memcpy(image_bytes, bytes, count);
  atomic_store(&image_count, count);
}

void terminal_guard_disarm(void) { atomic_store(&armed, 0); }

void terminal_guard_stop(int whole_group) {
  struct sigaction before_stop, stop;
  sigset_t tstp, old_mask;
  if (sigaction(SIGTSTP, NULL, &before_stop) != 0 || before_stop.sa_handler == SIG_IGN) return;
  memset(&stop, 0, sizeof stop);
  stop.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &stop, NULL);
  sigemptyset(&tstp);
  sigaddset(&tstp, SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &tstp, &old_mask);
  if (whole_group)
    kill(0, SIGTSTP);
  else
    raise(SIGTSTP);
  /* Execution continues here after SIGCONT. */
  sigprocmask(SIG_SETMASK, &old_mask, NULL);
  sigaction(SIGTSTP, &before_stop, NULL);
}

_Noreturn void terminal_guard_die(int signal_number) {
  terminal_guard_restore();
  set_default(signal_number);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  raise(signal_number);
  _exit(128 + signal_number);
}
