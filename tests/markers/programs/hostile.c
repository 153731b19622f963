/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application that leaves the library little room; the first argument chooses how. It prints
 * what it found wrong, or "done". */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void Wrong(const char* what) {
  printf("%s\n", what);
  exit(1);
}

/* Needs less stack than sprintf. */
static void NameOf(char* name, int number) {
  strcpy(name, "region number      ");
  for (char* digit = name + 18; number > 0; number /= 10) *digit-- = (char)('0' + number % 10);
}

/* Every slow way of a marker. */
static void Visit(void) {
  ROOF_REGION_BEGIN("outer");
  for (int i = 0; i < 3; ++i) {
    char name[40];
    NameOf(name, i);
    roofmark_begin(name);
    ROOF_REGION_WORK(1, 8);
    ROOF_REGION_OPERATIONS("updates", 2);
    roofmark_operations("updates", 1);
    roofmark_end(name);
  }
  ROOF_REGION_END("never begun");
  ROOF_REGION_END("outer");
  roofmark_pause();
  roofmark_resume();
}

/* --- small stacks --------------------------------------------------------------------------- */

enum { kPaint = 0x5A };

static size_t Used(const unsigned char* stack, size_t size) {
  size_t unused = 0;
  while (unused < size && stack[unused] == kPaint) ++unused;
  return size - unused;
}

static void* Nothing(void* unused) { return unused; }

static void* VisitAndLeaveOpen(void* unused) {
  Visit();
  ROOF_REGION_BEGIN("left open");
  return unused;
}

static size_t StackOf(void* (*body)(void*)) {
  enum { kSize = 24 << 10 }; /* so little that nothing needs it because there is enough */
  unsigned char* stack = aligned_alloc(4096, kSize);
  memset(stack, kPaint, kSize);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kSize);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, body, NULL) != 0) Wrong("no thread");
  pthread_join(thread, NULL);
  const size_t used = Used(stack, kSize);
  free(stack);
  return used;
}

/* What a thread uses that does nothing, and one that visits regions. */
static void MeasureStack(void) {
  const size_t idle = StackOf(&Nothing), visiting = StackOf(&VisitAndLeaveOpen);
  printf("idle %zu, visiting %zu\n", idle, visiting);
}

static void SmallStacks(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, &VisitAndLeaveOpen, NULL) != 0) Wrong("no thread");
    pthread_join(thread, NULL);
  }
}

/* --- cancellation --------------------------------------------------------------------------- */

static atomic_int g_go;

static void ManyNames(int first, int last) {
  for (int i = first; i < last; ++i) {
    char name[40];
    NameOf(name, i);
    roofmark_begin(name);
    roofmark_end(name);
  }
}

static void* IsCancelled(void* unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  while (!g_go) {
  }
  /* The request is pending from here on. A marker must not act on it. */
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  Visit();
  ManyNames(0, 3000); /* so that the spool grows, which opens files */
  ROOF_REGION_BEGIN("not cancelled");
  ROOF_REGION_END("not cancelled");
  pthread_testcancel();
  return unused;
}

static void Cancellation(void) {
  pthread_t thread;
  void* result;
  if (pthread_create(&thread, NULL, &IsCancelled, NULL) != 0) Wrong("no thread");
  pthread_cancel(thread);
  g_go = 1;
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) Wrong("the thread was not cancelled");
  Visit();
}

/* --- signals -------------------------------------------------------------------------------- */

static volatile sig_atomic_t g_interrupt;
static volatile sig_atomic_t g_handled;
static volatile sig_atomic_t g_no_memory; /* nobody may allocate */

static void Handle(int signal) {
  (void)signal;
  roofmark_begin("in a handler");
  ROOF_REGION_BEGIN("in the same handler");
  ROOF_REGION_WORK(1, 1);
  ROOF_REGION_END("in the same handler");
  roofmark_end("in a handler");
  ++g_handled;
}

extern void* __libc_malloc(size_t);

/* Interrupts whoever allocates, with all the locks that it holds. */
__attribute__((visibility("default"))) void* malloc(size_t size) {
  if (g_no_memory) _exit(9);
  if (g_interrupt) {
    g_interrupt = 0;
    raise(SIGUSR1);
  }
  return __libc_malloc(size);
}

static void Signals(void) {
  signal(SIGUSR1, &Handle);
  for (int i = 0; i < 100; ++i) {
    char name[40];
    NameOf(name, i);
    g_interrupt = 1;
    roofmark_begin(name);
    roofmark_end(name);
  }
  g_interrupt = 0;
  if (g_handled == 0) Wrong("no signal came while a marker allocated");
}

static void LongVisit(int us) {
  struct timespec begin, now;
  ROOF_REGION_BEGIN("long in a handler");
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < us);
  ROOF_REGION_END("long in a handler");
}

static void TakesLong(int signal) {
  (void)signal;
  g_no_memory = 1;
  for (int i = 0; i < 3; ++i) LongVisit(2000);
  g_no_memory = 0;
  ++g_handled;
}

/* A region that was visited before may be visited where memory must not be asked for. */
static void LongSignals(void) {
  signal(SIGUSR1, &TakesLong);
  LongVisit(0);
  g_interrupt = 1;
  free(malloc(100));
  if (g_handled != 1) Wrong("no signal came");
}

static void ExitsInside(int signal) {
  (void)signal;
  exit(3);
}

static void ExitInHandler(void) {
  signal(SIGUSR1, &ExitsInside);
  g_interrupt = 1;
  roofmark_begin("a region with a name that is long enough to be allocated on the heap");
}

/* Only the fast path, interrupted at any instruction. */
static void TimedSignals(void) {
  signal(SIGALRM, &Handle);
  Handle(0);
  ROOF_REGION_BEGIN("around");
  Handle(0);
  ROOF_REGION_END("around");
  const struct itimerval often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, NULL);
  int visits = 1;
  for (; g_handled < 5000; ++visits) {
    ROOF_REGION_BEGIN("around");
    ROOF_REGION_END("around");
  }
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  printf("visits %d handled %d\n", visits, g_handled);
}

/* --- the thread's state --------------------------------------------------------------------- */

static void State(void) {
  sigset_t before, after;
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  fesetround(FE_UPWARD);
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept(FE_OVERFLOW);
  errno = 77;
  ManyNames(0, 200);
  Visit();
  if (errno != 77) Wrong("errno has changed");
  if (fetestexcept(FE_ALL_EXCEPT) != FE_OVERFLOW) Wrong("a floating-point flag has changed");
  if (fegetround() != FE_UPWARD) Wrong("the rounding mode has changed");
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  for (int i = 1; i < NSIG; ++i) {
    if (sigismember(&before, i) != sigismember(&after, i)) Wrong("the signal mask has changed");
  }
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_ALL_EXCEPT); /* until the end of the process */
  ManyNames(1000, 3000);
  if (fegetexcept() != FE_ALL_EXCEPT) Wrong("the trapped exceptions have changed");
}

/* --- many names ----------------------------------------------------------------------------- */

static void Deep(int depth) {
  char name[40];
  for (int i = 0; i < depth; ++i) {
    NameOf(name, i);
    roofmark_begin(name);
  }
  for (int i = depth; i-- > 0;) {
    NameOf(name, i);
    roofmark_end(name);
  }
  ROOF_REGION_BEGIN("after");
  ROOF_REGION_END("after");
}

/* --- pauses --------------------------------------------------------------------------------- */

enum { kBystanders = 200 };

static atomic_int g_visits, g_over;

static void* VisitUntilOver(void* unused) {
  do {
    ManyNames(0, 200); /* more than a thread remembers */
    g_visits = 1;
  } while (!g_over);
  return unused;
}

static void* StandBy(void* unused) {
  ROOF_REGION_BEGIN("bystander");
  ROOF_REGION_END("bystander");
  while (!g_over) usleep(1000);
  return unused;
}

/* Who pauses comes to the visitor last. */
static void Pauses(void) {
  pthread_t visitor, bystanders[kBystanders];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  if (pthread_create(&visitor, NULL, &VisitUntilOver, NULL) != 0) Wrong("no thread");
  while (g_visits == 0) sched_yield();
  for (int i = 0; i < kBystanders; ++i) {
    if (pthread_create(&bystanders[i], &small, &StandBy, NULL) != 0) Wrong("no thread");
  }
  for (int i = 0; i < 15000; ++i) {
    roofmark_pause();
    roofmark_resume();
  }
  g_over = 1;
  pthread_join(visitor, NULL);
  for (int i = 0; i < kBystanders; ++i) pthread_join(bystanders[i], NULL);
}

/* As a batch system limits addresses: the program meets it, and ends in order. */
static void Exhausts(void) {
  const struct rlimit limit = {400 << 20, 400 << 20};
  setvbuf(stdout, NULL, _IONBF, 0);
  setrlimit(RLIMIT_AS, &limit);
  ROOF_REGION_BEGIN("eats");
  for (size_t bytes = 1 << 20; bytes >= 16; bytes /= 2)
    while (malloc(bytes) != NULL) {
    }
  ROOF_REGION_END("eats");
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "stack") == 0) MeasureStack();
  if (strcmp(what, "small_stacks") == 0) SmallStacks();
  if (strcmp(what, "cancellation") == 0) Cancellation();
  if (strcmp(what, "signals") == 0) Signals();
  if (strcmp(what, "exit_in_handler") == 0) ExitInHandler();
  if (strcmp(what, "timed_signals") == 0) TimedSignals();
  if (strcmp(what, "long_signals") == 0) LongSignals();
  if (strcmp(what, "state") == 0) State();
  if (strcmp(what, "exhausts") == 0) Exhausts();
  if (strcmp(what, "pauses") == 0) Pauses();
  if (strcmp(what, "deep") == 0) Deep(atoi(argv[2]));
  if (strcmp(what, "wide") == 0) ManyNames(0, atoi(argv[2]));
  puts("done");
  return 0;
}
