/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sampled CASE: a program without markers and without roofmark. What it does most is in Three() and
 * One(), which do the same work three to one; where they are in the executable is printed first.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* The linker makes these of sections with such names. */
extern char __executable_start[], __start_code_three[], __stop_code_three[], __start_code_one[],
    __stop_code_one[];

#define WORK(name, where)                                                    \
  __attribute__((noinline, section(where))) static double name(long times) { \
    volatile double sum = 0;                                                 \
    for (long i = 0; i < times; ++i) sum = sum + 1;                          \
    return sum;                                                              \
  }
WORK(Three, "code_three")
WORK(One, "code_one")

static double CpuSeconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* So many seconds of the calling thread's CPU time, in turns of different lengths: turns of one
 * length could go in step with the samples. Nor do threads go in step with each other, whose
 * samples would all fall on the same places. */
static void Work(double seconds) {
  static atomic_uint starts;
  const double end = CpuSeconds(CLOCK_THREAD_CPUTIME_ID) + seconds;
  unsigned state = 12345u + 2654435761u * atomic_fetch_add(&starts, 1u);
  while (CpuSeconds(CLOCK_THREAD_CPUTIME_ID) < end) {
    state = state * 1103515245u + 12345u;
    const long times = 50000 + (long)(state >> 16);
    Three(3 * times);
    One(times);
  }
}

static void* WorkOnThread(void* seconds) {
  Work(*(double*)seconds);
  return NULL;
}
static int WorkOnOtherThread(void* seconds) {
  Work(*(double*)seconds);
  return 0;
}

static void Threads(int count, double seconds) {
  pthread_t threads[64];
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, &WorkOnThread, &seconds);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

/* Threads that come and go, with the least stack that there can be. */
static void ManyThreads(int count) {
  double seconds = 0.0002;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, (size_t)sysconf(_SC_THREAD_STACK_MIN));
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, &small, &WorkOnThread, &seconds) != 0) exit(3);
    pthread_join(thread, NULL);
  }
}

static volatile sig_atomic_t g_signals = 0;
static void CountSignal(int number) {
  (void)number;
  ++g_signals;
}

/* The program profiles itself, as one that was compiled with -pg does. */
static void OwnProfiler(void) {
  signal(SIGPROF, &CountSignal);
  const struct itimerval each = {{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &each, NULL);
  Work(0.4);
  if (g_signals < 5) exit(4);
}

/* It takes the signal of roofmark's timers in the middle. */
static void TakesSignal(void) {
  Work(0.3);
  signal(SIGURG, &CountSignal);
  Work(1.0);
  const sig_atomic_t before = g_signals;
  Work(0.3);
  if (g_signals != before) exit(5);
  raise(SIGURG);
  if (g_signals != before + 1) exit(6);
}

static void ResetsSignals(void) {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  Work(0.5);
}

static void OwnPerfEvent(void) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  attr.exclude_kernel = 1;
  const int event = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
  Work(0.4);
  unsigned long long ns = 0;
  if (event >= 0 && (read(event, &ns, sizeof ns) != sizeof ns || ns < 300000000ull)) exit(7);
}

static void Forks(void) {
  const pid_t child = fork();
  double seconds = 0.3;
  if (child == 0) {
    Work(seconds);
    pthread_t thread;
    pthread_create(&thread, NULL, &WorkOnThread, &seconds);
    pthread_join(thread, NULL);
    exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (status != 0) exit(8);
  Work(0.3);
}

static void ClosesAll(void) {
  for (int i = 3; i < 4096; ++i) close(i);
  const int first = dup(0);
  if (first != 3) exit(9);
  Threads(2, 0.3);
  if (dup(0) != 4) exit(10);
}

static void HasFewFiles(void) {
  int last = -1;
  for (int next = dup(0); next >= 0; next = dup(0)) last = next;
  Threads(2, 0.3);
  for (int i = 3; i <= last; ++i) close(i);
}

static void Plugins(const char* file) {
  for (int i = 0; i < 5; ++i) {
    void* plugin = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) exit(11);
    const double end = CpuSeconds(CLOCK_THREAD_CPUTIME_ID) + 0.2;
    double (*work)(long);
    *(void**)&work = dlsym(plugin, "plugin_work");
    while (CpuSeconds(CLOCK_THREAD_CPUTIME_ID) < end) work(100000);
    dlclose(plugin);
  }
}

static void BypassesPthreads(void) {
  double seconds = 0.8;
  thrd_t thread;
  if (thrd_create(&thread, &WorkOnOtherThread, &seconds) != thrd_success) exit(12);
  thrd_join(thread, NULL);
}

static void* WorkBlocked(void* seconds) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  return WorkOnThread(seconds);
}
static void BlocksSignals(void) {
  double seconds = 0.5;
  pthread_t thread;
  pthread_create(&thread, NULL, &WorkBlocked, &seconds);
  pthread_join(thread, NULL);
}

/* Executes another case where the kernel denies perf_event_open, as containers do. */
static void Deny(char** command) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    exit(77);
  }
  execv("/proc/self/exe", command);
  exit(13);
}

static void Do(const char* what, char** rest) {
  if (strcmp(what, "work") == 0) Work(0.6);
  if (strcmp(what, "threads") == 0) Threads(4, 0.3);
  if (strcmp(what, "many") == 0) ManyThreads(2000);
  if (strcmp(what, "profiler") == 0) OwnProfiler();
  if (strcmp(what, "takes_signal") == 0) TakesSignal();
  if (strcmp(what, "resets") == 0) ResetsSignals();
  if (strcmp(what, "perf") == 0) OwnPerfEvent();
  if (strcmp(what, "forks") == 0) Forks();
  if (strcmp(what, "closes") == 0) ClosesAll();
  if (strcmp(what, "few_files") == 0) HasFewFiles();
  if (strcmp(what, "plugins") == 0) Plugins(rest[0]);
  if (strcmp(what, "bypasses") == 0) BypassesPthreads();
  if (strcmp(what, "blocks") == 0) BlocksSignals();
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (strcmp(argv[1], "denied") == 0) {
    argv[1] = argv[0];
    Deny(argv + 1);
  }
  printf("%td %td %td %td\n", __start_code_three - __executable_start,
         __stop_code_three - __executable_start, __start_code_one - __executable_start,
         __stop_code_one - __executable_start);
  fflush(stdout);
  Do(argv[1], argv + 2);
  return 0;
}
