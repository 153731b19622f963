/* SPDX-License-Identifier: BSD-3-Clause
 *
 * under reserve DEVICE N COMMAND...   somebody else holds N of the device's counters (virtual PMU)
 * under seccomp ERRNO COMMAND...      perf_event_open is filtered, as containers do it */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "virtual_pmu.h"

static int FilterPerf(unsigned error) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof code[0], code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

int main(int argc, char** argv) {
  int used = 0;
  if (argc > 4 && strcmp(argv[1], "reserve") == 0) {
    if (!vpmu_present() || vpmu_reserve(argv[2], atoi(argv[3])) != 0) return 99;
    used = 4;
  } else if (argc > 3 && strcmp(argv[1], "seccomp") == 0) {
    if (FilterPerf((unsigned)atoi(argv[2]))) return 98;
    used = 3;
  } else {
    return 97;
  }
  execvp(argv[used], argv + used);
  return 127;
}
