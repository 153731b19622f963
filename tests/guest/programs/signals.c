/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals, jumps and stacks of the program's own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "guest.h"

enum { kRealTime = 34 }; /* the first that programs may use */

static void PrintMask(const char* when) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  printf("%s blocks", when);
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&mask, signal) == 1) printf(" %d", signal);
  }
  printf("\n");
}

static void* PrintsMask(void* value) {
  Visit();
  PrintMask("thread");
  return value;
}

void Guest_masks(void) {
  PrintMask("start");
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  sigaddset(&some, SIGPIPE);
  sigprocmask(SIG_BLOCK, &some, NULL);
  Visit();
  PrintMask("after markers");
  pthread_t thread;
  pthread_create(&thread, NULL, PrintsMask, NULL);
  pthread_join(thread, NULL);
}

void Guest_handlers(void) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action;
    if (signal == 32 || signal == 33 || sigaction(signal, NULL, &action) != 0) continue;
    if (action.sa_handler == SIG_DFL) continue;
    printf("signal %d is %s\n", signal, action.sa_handler == SIG_IGN ? "ignored" : "caught");
  }
  stack_t stack;
  sigaltstack(NULL, &stack);
  printf("alternate stack %d\n", (stack.ss_flags & SS_DISABLE) == 0);
}

static volatile sig_atomic_t g_caught;

static void VisitsInHandler(int signal) {
  Visit();
  g_caught = g_caught + signal;
}

static void Catch(int signal, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  Check(sigaction(signal, &action, NULL) == 0, "sigaction");
}

void Guest_marks_in_handlers(void) {
  Catch(SIGUSR1, VisitsInHandler, 0);
  Catch(kRealTime, VisitsInHandler, 0);
  for (int i = 0; i < 100; ++i) {
    ROOF_REGION_BEGIN("interrupted");
    raise(SIGUSR1);
    raise(kRealTime);
    ROOF_REGION_END("interrupted");
  }
  printf("caught %d\n", (int)g_caught);
}

void Guest_alternate_stack(void) {
  static char place[1 << 16];
  const stack_t stack = {.ss_sp = place, .ss_size = sizeof place};
  Check(sigaltstack(&stack, NULL) == 0, "sigaltstack");
  Catch(SIGUSR2, VisitsInHandler, SA_ONSTACK);
  Visit();
  raise(SIGUSR2);
  stack_t now;
  sigaltstack(NULL, &now);
  printf("caught %d, the stack is the same %d\n", (int)g_caught, now.ss_sp == (void*)place);
}

static volatile sig_atomic_t g_ticks;

static void Tick(int signal) {
  (void)signal;
  g_ticks = g_ticks + 1;
}

/* A handler anywhere, inside markers too. */
void Guest_timers(void) {
  Catch(SIGALRM, Tick, SA_RESTART);
  const struct itimerval often = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  while (g_ticks < 20) Visit();
  setitimer(ITIMER_REAL, &off, NULL);
  printf("ticks came\n");
}

static volatile int g_jumps = 1;
static jmp_buf g_place;
static sigjmp_buf g_signal_place;

static void Deeper(int depth) {
  ROOF_REGION_BEGIN("deeper");
  if (depth == 0 && g_jumps) longjmp(g_place, 3);
  if (depth > 0) Deeper(depth - 1);
  ROOF_REGION_END("deeper");
}

static void JumpsOut(int signal) { siglongjmp(g_signal_place, signal); }

void Guest_jumps(void) {
  for (volatile int i = 0; i < 5; ++i) {
    ROOF_REGION_BEGIN("around");
    const int value = setjmp(g_place);
    if (value == 0) Deeper(4);
    printf("jumped with %d\n", value);
    ROOF_REGION_END("around");
  }
  Catch(SIGUSR1, JumpsOut, 0);
  if (sigsetjmp(g_signal_place, 1) == 0) {
    ROOF_REGION_BEGIN("left by a signal");
    raise(SIGUSR1);
  }
  Visit();
  PrintMask("after jumps");
}

static ucontext_t g_main, g_other;

static void OnAnotherStack(void) {
  for (int i = 0; i < 3; ++i) {
    Visit();
    swapcontext(&g_other, &g_main);
  }
}

void Guest_contexts(void) {
  static char stack[1 << 16];
  getcontext(&g_other);
  g_other.uc_stack.ss_sp = stack;
  g_other.uc_stack.ss_size = sizeof stack;
  g_other.uc_link = &g_main;
  makecontext(&g_other, OnAnotherStack, 0);
  for (int i = 0; i < 3; ++i) {
    ROOF_REGION_BEGIN("switches");
    swapcontext(&g_main, &g_other);
    ROOF_REGION_END("switches");
    printf("back %d\n", i);
  }
}

static void Faulted(int signal) {
  printf("fault %d\n", signal);
  siglongjmp(g_signal_place, 1);
}

static int* volatile g_nowhere;

void Guest_faults(void) {
  Catch(SIGSEGV, Faulted, 0);
  ROOF_REGION_BEGIN("faults");
  if (sigsetjmp(g_signal_place, 1) == 0) *g_nowhere = 1;
  ROOF_REGION_END("faults");
  Catch(SIGSEGV, SIG_DFL, 0);
  fflush(stdout);
  *g_nowhere = 2;
}
