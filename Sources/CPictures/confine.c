#define _GNU_SOURCE
#include "picture_process.h"

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

/* What decoding and the C library need: memory, threads, clocks, and reading files, because decoders are modules that
   are loaded on demand. Only files that are already open can be written to. */
static const int allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_preadv, SYS_lseek, SYS_close, SYS_fstat,
    SYS_newfstatat, SYS_faccessat, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_statfs, SYS_fstatfs, SYS_dup,
    SYS_dup3, SYS_pipe2, SYS_eventfd2, SYS_ppoll,
    SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk,
    SYS_futex, SYS_set_robust_list, SYS_set_tid_address, SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid,
    SYS_getresgid, SYS_getrusage, SYS_sysinfo, SYS_uname, SYS_getrandom, SYS_exit, SYS_exit_group,
#ifdef SYS_open  /* x86-64 also has older calls for the same */
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_pipe, SYS_poll, SYS_time,
#endif
#ifdef SYS_getrlimit
    SYS_getrlimit,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
};

/* Calls have this number and later ones, the same on all processors, since Linux 5.1. C libraries fall back to an older
   call if there is none (clone3, openat2, close_range). */
enum { first_recent = 424 };

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

/* Refuses `fcntl` but for copying descriptors and their flags: it can make the kernel signal other processes. */
static void check_fcntl(void) {
  add(BPF_JMP | BPF_JEQ | BPF_K, 0, 5, SYS_fcntl);
  load(offsetof(struct seccomp_data, args[1]));
  add(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, F_DUPFD_CLOEXEC);
  add(BPF_JMP | BPF_JGT | BPF_K, 0, 1, F_SETFL);
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
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)allowed[i]);
    add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
  }
  check_bits(SYS_openat, 2, writing, 0);
#ifdef SYS_open
  check_bits(SYS_open, 1, writing, 0);
#endif
  check_bits(SYS_clone, 0, CLONE_THREAD, 1);
  check_fcntl();
  /* `abort` and `raise` signal the process itself, it sets its own time limit, and threads have names. */
  check_first(SYS_tgkill, (unsigned)getpid());
  check_first(SYS_prlimit64, 0);
  check_first(SYS_prctl, PR_SET_NAME);
  add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, first_recent);
  refuse(ENOSYS);
  refuse(EPERM);
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
