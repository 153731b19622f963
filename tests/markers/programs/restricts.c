/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that restricts its system calls between two regions, as its argument says, prints
 * whether the sites of the second are "on" or "off" then, and ends with status 23. Status 77: this
 * kernel lets nobody do that. */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <roofmark/roofmark.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(name)                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* What an ordinary sandbox lets pass, and `otherwise` for all else. */
static int Restrict(uint32_t otherwise, int by_syscall) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(read),
      ALLOW(write),
      ALLOW(exit_group),
      ALLOW(brk),
      ALLOW(mmap),
      ALLOW(munmap),
      ALLOW(futex),
      ALLOW(rt_sigreturn),
      ALLOW(close),
      BPF_STMT(BPF_RET | BPF_K, otherwise),
  };
  const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
  return by_syscall ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0
                    : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Ends the process at one call. */
static int Forbid(uint32_t call) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int DoAs(const char* how) {
  if (!strcmp(how, "prctl")) return Restrict(SECCOMP_RET_KILL_PROCESS, 0);
  if (!strcmp(how, "seccomp")) return Restrict(SECCOMP_RET_KILL_PROCESS, 1);
  if (!strcmp(how, "error")) return Restrict(SECCOMP_RET_ERRNO | 1, 0);
  if (!strcmp(how, "reboot")) return Forbid(SYS_reboot); /* which nobody makes */
  if (!strcmp(how, "getrusage")) return Forbid(SYS_getrusage);
  if (!strcmp(how, "strict")) return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) == 0;
  /* "refused": there is no filter */
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) == -1 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) == -1;
}

static void Work(long times) {
  static volatile double sum;
  for (long i = 0; i < times; ++i) sum = sum + 1;
}

int main(int count, char** words) {
  const char* how = count > 1 ? words[1] : "";
  ROOF_REGION_BEGIN("around");
  ROOF_REGION_BEGIN("before");
  Work(1000);
  ROOF_REGION_END("before");
  if (!DoAs(how)) return 77;
  static roofmark_site begin = ROOFMARK_SITE_("behind"), end = ROOFMARK_SITE_("behind");
  for (int i = 0; i < 3; ++i) {
    if (ROOFMARK_IS_ON_(begin)) roofmark_site_begin(&begin, ROOFMARK_LEVEL_());
    Work(3000000); /* long enough to ask for time in the kernel */
    if (ROOFMARK_IS_ON_(end)) roofmark_site_end(&end);
  }
  ROOF_REGION_END("around");
  const int on = ROOFMARK_IS_ON_(begin) || ROOFMARK_IS_ON_(end);
  const char* sites = on ? "on\n" : "off\n";
  const size_t length = strlen(sites);
  if (write(STDOUT_FILENO, sites, length) != (ssize_t)length) return 1;
  if (!strcmp(how, "strict")) syscall(SYS_exit, 23);
  return 23;
}
