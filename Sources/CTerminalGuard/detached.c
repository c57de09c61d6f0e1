#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static int set_up(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int code = 0;
  for (int descriptor = STDIN_FILENO; !code && descriptor <= STDERR_FILENO; descriptor++)
    code = posix_spawn_file_actions_addopen(actions, descriptor, "/dev/null", O_RDWR, 0);
  if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
  if (!code) code = posix_spawnattr_setsigmask(attributes, &none);
  if (!code) code = posix_spawnattr_setsigdefault(attributes, &all);
  if (!code)
    code = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  return code;
}

int terminal_guard_spawn_detached(char *const arguments[], pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code) return code;
  code = posix_spawnattr_init(&attributes);
  if (!code) {
    code = set_up(&actions, &attributes);
    if (!code) code = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return code;
}
