#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int requests[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
enum { request_count = sizeof requests / sizeof *requests, crash_count = sizeof crashes / sizeof *crashes };

/* How long the program may take to obey before a second order ends it at once. */
enum { patience_seconds = 3 };

static atomic_int armed;
static int terminal = -1;
static struct termios saved_modes;
static char reset_bytes[512];
static size_t reset_count;
static char image_bytes[512];
static atomic_size_t image_count;
static pid_t owner;

static atomic_int signal_pipe_end = -1;
static atomic_long first_order;
static struct sigaction before[crash_count];
static int wants_backtrace;
static int installed;
static char *alternate_stack;
enum { alternate_stack_size = 65536 };

int terminal_guard_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

/* A terminal that takes nothing must not keep a crashed program alive. */
static void write_patiently(const char *bytes, size_t count) {
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
  /* A child between fork and exec has the parent's flag but not its terminal. */
  if (getpid() != owner || !atomic_exchange(&armed, 0)) return;
  int saved_errno = errno;
  /* In the background the terminal is the shell's already, and touching it would stop us. */
  pid_t group = tcgetpgrp(terminal);
  if (group == -1 || group == getpgrp()) {
    int flags = fcntl(terminal, F_GETFL);
    if (flags >= 0) fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
    size_t images = atomic_exchange(&image_count, 0);
    if (images > 0) {
      /* Ends the sequence in the middle of which the program may have crashed. */
      write_patiently("\033\\", 2);
      write_patiently(image_bytes, images);
    }
    write_patiently(reset_bytes, reset_count);
    if (flags >= 0) fcntl(terminal, F_SETFL, flags);
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

static void on_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  terminal_guard_restore();
  /* Once more, to die of it: at once, or in Swift's backtracer if that was asked for. By itself it would ask a person
     questions on the terminal for half a minute. */
  set_default(number);
  for (int i = 0; i < crash_count; i++)
    if (crashes[i] == number && wants_backtrace && before[i].sa_handler != SIG_IGN) sigaction(number, &before[i], NULL);
  /* A fault of this very instruction comes again by itself, with its address; a signal that was sent does not. */
  if (info->si_code > 0 && number != SIGTRAP && number != SIGABRT) return;
  raise(number);
}

static void on_request(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  int saved_errno = errno;
  unsigned char byte = (unsigned char)number;
  int end = atomic_load(&signal_pipe_end);
  if (end >= 0) {
    ssize_t ignored = write(end, &byte, 1);
    (void)ignored;
  }
  if (number == SIGTERM || number == SIGINT || number == SIGQUIT || number == SIGHUP) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long expected = 0;
    if (!atomic_compare_exchange_strong(&first_order, &expected, (long)now.tv_sec + 1) &&
        (long)now.tv_sec + 1 - expected > patience_seconds) {
      /* Asked twice and still here: the program hangs. */
      terminal_guard_restore();
      set_default(number);
      raise(number);
    }
  }
  errno = saved_errno;
}

int terminal_guard_install(int signal_pipe) {
  atomic_store(&signal_pipe_end, signal_pipe);
  if (alternate_stack == NULL) {
    alternate_stack = malloc(alternate_stack_size);
    if (alternate_stack == NULL) return -1;
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = alternate_stack_size};
    if (sigaltstack(&stack, NULL) != 0) return -1;
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  action.sa_sigaction = on_request;
  for (int i = 0; i < request_count; i++) {
    struct sigaction old;
    if (sigaction(requests[i], NULL, &old) != 0) return -1;
    int mayBeIgnored = requests[i] != SIGWINCH && requests[i] != SIGCONT;
    if (mayBeIgnored && old.sa_handler == SIG_IGN) continue;
    if (sigaction(requests[i], &action, NULL) != 0) return -1;
  }
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int i = 0; i < crash_count; i++)
    if (sigaction(crashes[i], &action, installed ? NULL : &before[i]) != 0) return -1;
  struct sigaction ignore;
  memset(&ignore, 0, sizeof ignore);
  ignore.sa_handler = SIG_IGN;
  if (sigaction(SIGPIPE, &ignore, NULL) != 0) return -1;
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
  /* Here again after SIGCONT. */
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
