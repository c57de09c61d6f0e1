#define _GNU_SOURCE
#include "CPictureProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* Network, other programs, other processes, changing files. Reading files is allowed: decoders are modules that are
   loaded on demand. */
static const int forbidden[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_sendmmsg, SYS_recvmsg, SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setpriority, SYS_unlinkat, SYS_renameat2,
    SYS_linkat, SYS_symlinkat, SYS_mkdirat, SYS_mknodat, SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_fchmod,
    SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr, SYS_utimensat, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare,
    SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_keyctl, SYS_request_key,
    SYS_memfd_create, SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_open  /* x86-64 also has the calls without a directory descriptor */
    SYS_fork, SYS_vfork, SYS_creat, SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mkdir, SYS_rmdir, SYS_mknod,
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
#ifdef SYS_pidfd_open
    SYS_pidfd_open, SYS_pidfd_send_signal,
#endif
};

/* Newer calls whose arguments a filter cannot check; C libraries fall back to the older ones. */
static const int unknown[] = {
#ifdef SYS_clone3
    SYS_clone3,
#endif
#ifdef SYS_openat2
    SYS_openat2,
#endif
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
    -1,
};

enum { filter_limit = 512 };
static struct sock_filter filter[filter_limit];
static unsigned short filter_count;

static void add(unsigned short code, unsigned char if_true, unsigned char if_false, unsigned value) {
  if (filter_count < filter_limit) filter[filter_count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offset); }
static void refuse(int code) { add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (unsigned)code); }

/* Refuses a call if one of these bits of an argument is set (or, with bits_needed, if none of them is). */
static void check_bits(int number, int argument, unsigned bits, int bits_needed) {
  add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (unsigned)number);
  load(offsetof(struct seccomp_data, args[0]) + 8 * (size_t)argument);
  add(BPF_JMP | BPF_JSET | BPF_K, bits_needed ? 1 : 0, bits_needed ? 0 : 1, bits);
  refuse(EPERM);
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

/* Refuses a call unless its first argument has this value. */
static void check_first(int number, unsigned value) {
  add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (unsigned)number);
  load(offsetof(struct seccomp_data, args[0]));
  add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value);
  refuse(EPERM);
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

static void make_filter(void) {
  const unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  load(offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
  refuse(EPERM);
  load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  /* The x32 ABI has the same calls under other numbers. */
  add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
  refuse(EPERM);
#endif
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)forbidden[i]);
    refuse(EPERM);
  }
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    if (unknown[i] < 0) continue;
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)unknown[i]);
    refuse(ENOSYS);
  }
  check_bits(SYS_openat, 2, writing, 0);
#ifdef SYS_open
  check_bits(SYS_open, 1, writing, 0);
#endif
  check_bits(SYS_clone, 0, CLONE_THREAD, 1);
  /* `abort` and `raise` signal the process itself, and it sets its own time limit. */
  check_first(SYS_tgkill, (unsigned)getpid());
  check_first(SYS_prlimit64, 0);
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

static void install_filter(void) {
  make_filter();
  if (filter_count == filter_limit) return;
  struct sock_fprog program = {filter_count, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  /* Without filters, the limits still apply. */
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else
static void install_filter(void) {}
#endif

static int limit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit present;
  if (getrlimit(resource, &present) != 0) return errno;
  if (present.rlim_max != RLIM_INFINITY && present.rlim_max < value) value = present.rlim_max;
  struct rlimit new = {value, value};
  return setrlimit(resource, &new) == 0 ? 0 : errno;
}

int picture_process_confine(size_t memory) {
  /* Swift's handlers would start a backtracer, which is forbidden here. */
  const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  int code = limit(RLIMIT_AS, memory);
  if (!code) code = limit(RLIMIT_CORE, 0);
  if (!code) code = limit(RLIMIT_FSIZE, 0);
  if (!code) code = limit(RLIMIT_NOFILE, 64);
  if (!code) install_filter();
  return code;
}

void picture_process_limit_time(unsigned seconds) {
  struct timespec used = {0, 0};
  struct rlimit limits;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0 || getrlimit(RLIMIT_CPU, &limits) != 0) return;
  limits.rlim_cur = (rlim_t)used.tv_sec + 1 + seconds;
  if (limits.rlim_max != RLIM_INFINITY && limits.rlim_cur > limits.rlim_max) limits.rlim_cur = limits.rlim_max;
  setrlimit(RLIMIT_CPU, &limits);
}

void picture_process_trim(void) { malloc_trim(0); }
