#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

static int set_up(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int input) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int code = 0;
  if (input >= 0) code = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
  for (int descriptor = input >= 0 ? STDOUT_FILENO : STDIN_FILENO; !code && descriptor <= STDERR_FILENO; descriptor++)
    code = posix_spawn_file_actions_addopen(actions, descriptor, "/dev/null", O_RDWR, 0);
  if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
  if (!code) code = posix_spawnattr_setsigmask(attributes, &none);
  if (!code) code = posix_spawnattr_setsigdefault(attributes, &all);
  if (!code)
    code = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  return code;
}

int terminal_guard_spawn_detached(char *const arguments[], int input, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code) return code;
  code = posix_spawnattr_init(&attributes);
  if (!code) {
    code = set_up(&actions, &attributes, input);
    if (!code) code = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

int terminal_guard_memory_file(const void *bytes, size_t count) {
  int made = memfd_create("text", MFD_CLOEXEC);
  if (made < 0) return -1;
  /* Not one of the standard descriptors, which are replaced before the new program starts. */
  int file = fcntl(made, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(made);
  size_t done = 0;
  while (file >= 0 && done < count) {
    ssize_t written = write(file, (const char *)bytes + done, count - done);
    if (written > 0) {
      done += (size_t)written;
    } else if (written == 0 || errno != EINTR) {
      close(file);
      return -1;
    }
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}
