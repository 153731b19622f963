/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handlers that are not set by sigaction, and handlers that switch to another context. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "guest.h"

/* These are functions that one should not use any more. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/* What signal is in other standards; no header declares all of them at once. */
typedef void (*Handler)(int);
Handler __sysv_signal(int, Handler);
Handler sysv_signal(int, Handler);
Handler bsd_signal(int, Handler);

static volatile sig_atomic_t g_ticks;

static void Tick(int signal) {
  (void)signal;
  ROOF_REGION_BEGIN("in a handler");
  g_ticks = g_ticks + 1;
  ROOF_REGION_END("in a handler");
}

static void TickOnce(void) {
  const struct itimerval soon = {{0, 0}, {0, 200}};
  setitimer(ITIMER_REAL, &soon, NULL);
}
static void TickEvery(long microseconds) {
  const struct itimerval often = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &often, NULL);
}

static uint64_t Mix(uint64_t times, uint64_t value) {
  double sum = (double)(value & 1023);
  for (uint64_t i = 0; i < times; ++i) {
    sum = sum * 1.0000001 + 0.5;
    value = value * 6364136223846793005u + (uint64_t)sum;
    if (value & 8) value ^= i;
  }
  return value;
}

/* Regions, until so many ticks came inside and outside of them and of markers. */
static void WorkUntil(int ticks) {
  char name[16];
  const uint64_t wanted = Mix(500, 1);
  for (int i = 0; g_ticks < ticks; ++i) {
    snprintf(name, sizeof name, "part %d", i % 100);
    roofmark_begin(name);
    Check(Mix(500, 1) == wanted, "the same result");
    roofmark_end(name);
  }
}

static void TicksAgain(int signal) {
  sysv_signal(signal, TicksAgain); /* it was reset */
  Tick(signal);
  TickOnce();
}

static const char* NameOf(Handler handler) {
  return handler == SIG_DFL    ? "default"
         : handler == SIG_IGN  ? "ignored"
         : handler == SIG_HOLD ? "held"
         : handler == SIG_ERR  ? "error"
         : handler == Tick     ? "ticks"
                               : "another";
}

static void ShowAction(const char* when, int signal) {
  struct sigaction action;
  Check(sigaction(signal, NULL, &action) == 0, "sigaction");
  printf("%s: %s, flags %#x, blocks itself %d\n", when, NameOf(action.sa_handler),
         (unsigned)(action.sa_flags & ~SA_INTERRUPT), sigismember(&action.sa_mask, signal));
}

void Guest_other_functions(void) {
  printf("bsd_signal: was %s\n", NameOf(bsd_signal(SIGUSR1, Tick)));
  ShowAction("bsd_signal", SIGUSR1);
  printf("ssignal: was %s\n", NameOf(ssignal(SIGUSR1, SIG_DFL)));
  printf("__sysv_signal: was %s\n", NameOf(__sysv_signal(SIGUSR1, Tick)));
  ShowAction("__sysv_signal", SIGUSR1);
  printf("sigset: was %s\n", NameOf(sigset(SIGUSR1, Tick)));
  ShowAction("sigset", SIGUSR1);
  printf("sigset: was %s\n", NameOf(sigset(SIGUSR1, SIG_HOLD)));
  printf("sigset: was %s\n", NameOf(sigset(SIGUSR1, SIG_IGN)));
  printf("of no signal: %s\n", NameOf(sysv_signal(500, Tick)));
  printf("errno %d\n", errno);
  siginterrupt(SIGUSR1, 1);
  bsd_signal(SIGUSR1, Tick);
  ShowAction("interrupts", SIGUSR1);
  siginterrupt(SIGUSR1, 0);
  ShowAction("does not interrupt", SIGUSR1);
  sysv_signal(SIGALRM, TicksAgain);
  TickOnce();
  WorkUntil(100);
  sigset(SIGALRM, Tick);
  TickEvery(200);
  WorkUntil(200);
  TickEvery(0);
  printf("ticks came\n");
}

/* As the kernel has it, with a restorer of its own. */
struct KernelAction {
  Handler handler;
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};
void Guest_restores(void);
#ifdef __x86_64__
__asm__(".globl Guest_restores\nGuest_restores:\n  mov $15, %eax\n  syscall\n");
#else
void Guest_restores(void) {}
#endif

void Guest_system_calls(void) {
  enum { kHasRestorer = 0x04000000 };
  const struct KernelAction action = {Tick, SA_RESTART | kHasRestorer, Guest_restores, 0};
  Check(syscall(SYS_rt_sigaction, SIGALRM, &action, NULL, sizeof action.mask) == 0, "rt_sigaction");
  TickEvery(200);
  WorkUntil(200);
  TickEvery(0);
  printf("ticks came\n");
}

/* A scheduler in the program: a timer takes the thread from one context to the other. */
enum { kContexts = 3, kSwitches = 100, kParts = 50 };
static ucontext_t g_main, g_contexts[kContexts];
static volatile int g_current, g_ended[kContexts], g_switches;

static void GoOnWith(int next) {
  const int before = g_current;
  g_current = next;
  if (g_ended[before]) {
    setcontext(&g_contexts[next]);
  } else if (next != before) {
    g_switches = g_switches + 1;
    swapcontext(&g_contexts[before], &g_contexts[next]);
  }
}

static int NextContext(void) {
  for (int i = 1; i <= kContexts; ++i) {
    const int next = (g_current + i) % kContexts;
    if (!g_ended[next]) return next;
  }
  return -1;
}

static void Switches(int signal) {
  (void)signal;
  GoOnWith(NextContext());
}

static void BlockTicks(int how) {
  sigset_t ticks;
  sigemptyset(&ticks);
  sigaddset(&ticks, SIGALRM);
  sigprocmask(how, &ticks, NULL);
}

static void RunContext(int number) {
  const uint64_t wanted = Mix(2000, (uint64_t)number);
  char name[16];
  BlockTicks(SIG_UNBLOCK);
  snprintf(name, sizeof name, "context %d", number);
  for (int i = 0; i < kParts || g_switches < kSwitches; ++i) {
    roofmark_begin(name);
    Check(Mix(2000, (uint64_t)number) == wanted, "the same result");
    roofmark_end(name);
  }
  BlockTicks(SIG_BLOCK);
  g_ended[number] = 1;
  const int next = NextContext();
  if (next < 0) setcontext(&g_main);
  GoOnWith(next);
}

void Guest_preempted(void) {
  static char stacks[kContexts][1 << 16];
  BlockTicks(SIG_BLOCK);
  bsd_signal(SIGALRM, Switches);
  for (int i = 0; i < kContexts; ++i) {
    getcontext(&g_contexts[i]);
    g_contexts[i].uc_stack.ss_sp = stacks[i];
    g_contexts[i].uc_stack.ss_size = sizeof stacks[i];
    makecontext(&g_contexts[i], (void (*)(void))RunContext, 1, i);
  }
  TickEvery(500);
  swapcontext(&g_main, &g_contexts[0]);
  TickEvery(0);
  printf("all contexts ended\n");
}
