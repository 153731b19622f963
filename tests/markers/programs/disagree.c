// SPDX-License-Identifier: BSD-3-Clause
//
// A program whose time-stamp counter goes back on request, as that of a thread does which moves to
// a CPU whose counter is behind: the counter is trapped, and played by the handler of the trap.
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "roofmark/roofmark.h"

static volatile uint64_t behind;

static void Play(int signal, siginfo_t* info, void* context) {
  (void)info;
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  const unsigned char* code = (const unsigned char*)registers[REG_RIP];
  const int plain = code[0] == 0x0f && code[1] == 0x31;
  const int with_cpu = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  if (!plain && !with_cpu) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(signal, &action, NULL);
    return;
  }
  uint32_t low, high, cpu;
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(cpu));
  uint64_t ticks = ((uint64_t)high << 32) | low;
  if (plain) {  // the C library's clocks read the other one, or wait before
    ticks -= behind;
    registers[REG_RIP] += 2;
  } else {
    registers[REG_RCX] = cpu;
    registers[REG_RIP] += 3;
  }
  registers[REG_RAX] = (uint32_t)ticks;
  registers[REG_RDX] = (greg_t)(ticks >> 32);
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = Play, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0) {
    puts("the counter cannot be trapped");
    return 77;
  }
  for (int i = 0; i < 10; ++i) {
    ROOF_REGION_BEGIN("back");
    behind = 1000 * 1000 * 1000;
    ROOF_REGION_END("back");
    behind = 0;
  }
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  puts("done");
  return 0;
}
