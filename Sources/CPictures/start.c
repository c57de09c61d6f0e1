#define _GNU_SOURCE
#include "picture_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

static int set_up(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int socket) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int code = posix_spawn_file_actions_adddup2(actions, socket, STDIN_FILENO);
  if (!code) code = posix_spawn_file_actions_adddup2(actions, socket, STDOUT_FILENO);
  if (!code) code = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_RDWR, 0);
  if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
  if (!code) code = posix_spawnattr_setsigmask(attributes, &none);
  if (!code) code = posix_spawnattr_setsigdefault(attributes, &all);
  if (!code)
    code = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  return code;
}

int picture_process_start(char *const arguments[], pid_t *process, int *descriptor) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  /* If the program's standard descriptors are closed, ends[1] may have one of their numbers, and before glibc 2.29 a
     dup2 action to the same number kept close-on-exec. */
  int moved = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int code = moved < 0 ? errno : 0;
  close(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (!code) code = posix_spawn_file_actions_init(&actions);
  if (!code) {
    code = posix_spawnattr_init(&attributes);
    if (!code) {
      code = set_up(&actions, &attributes, moved);
      if (!code) code = posix_spawn(process, arguments[0], &actions, &attributes, arguments, environ);
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  if (moved >= 0) close(moved);
  if (code) {
    close(ends[0]);
    return code;
  }
  *descriptor = ends[0];
  return 0;
}
