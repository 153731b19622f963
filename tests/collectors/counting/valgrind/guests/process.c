/* SPDX-License-Identifier: BSD-3-Clause
 *
 * process MODE: what else may happen to a counted process. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

__attribute__((noinline)) static void add(long n) {
  __attribute__((unused)) volatile double sum = 0;
  for (long i = 0; i < n; ++i) sum += 1.0;
}

/* The child reports what it did itself, then the parent. */
static int run_fork(void) {
  guest_own(1);
  add(1000);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    add(4000); /* it is in no region until it enters one */
    guest_own(1);
    add(70);
    guest_own(0);
    printf("child\n");
    int status = guest_report();
    fflush(stdout);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  add(5);
  guest_own(0);
  printf("parent %d\n", status);
  return guest_report();
}

/* 30 of work, 300 inside MPI and 1000 in a runtime that MPI calls. */
static int run_layers(void) {
  guest_own(1);
  add(10);
  (void)ROOF_REQUEST(ROOF_REQ_ENTER_LAYER, ROOF_LAYER_MPI);
  add(100);
  (void)ROOF_REQUEST(ROOF_REQ_ENTER_LAYER, ROOF_LAYER_RUNTIME);
  add(1000);
  (void)ROOF_REQUEST(ROOF_REQ_LEAVE_LAYER, 0);
  add(200);
  (void)ROOF_REQUEST(ROOF_REQ_LEAVE_LAYER, 0);
  add(20);
  guest_own(0);
  return guest_report();
}

static int run_exec(void) {
  guest_own(1);
  add(10);
  guest_own(0);
  execl("/bin/echo", "echo", "followed by echo", (char*)NULL);
  return 6;
}

/* Counts 10, not 100, then 1000. */
static int run_stop(void) {
  guest_own(1);
  add(10);
  (void)ROOF_REQUEST(ROOF_REQ_COUNT, ROOF_COUNT_NOTHING);
  add(100);
  (void)ROOF_REQUEST(ROOF_REQ_COUNT, ROOF_COUNT_ALL);
  add(1000);
  guest_own(0);
  return guest_report();
}

/* Reads 1 MiB in full, then cheaply, then in full again. */
static int run_cheap(void) {
  enum { kMany = 131072 };
  static volatile double data[kMany];
  static const int kExtents[] = {ROOF_COUNT_ALL, ROOF_COUNT_CHEAP, ROOF_COUNT_ALL};
  volatile double sum = 0;
  for (int i = 0; i < 3; ++i) {
    (void)ROOF_REQUEST(ROOF_REQ_COUNT, kExtents[i]);
    guest_own(1);
    double own = 0;
    for (int k = 0; k < kMany; ++k) own += data[k];
    sum = own;
    guest_own(0);
  }
  (void)sum;
  return guest_report();
}

/* Seconds of processor time of the same work, counted and not. */
static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run_stopped_speed(void) {
  enum { kMany = 1 << 20 };
  double* data = calloc(kMany, sizeof *data);
  static const int kExtents[] = {ROOF_COUNT_ALL, ROOF_COUNT_CHEAP, ROOF_COUNT_NOTHING};
  for (int counting = 0; counting < 3; ++counting) {
    (void)ROOF_REQUEST(ROOF_REQ_COUNT, kExtents[counting]);
    double start = seconds();
    for (int repeat = 0; repeat < 10; ++repeat)
      for (long i = 0; i < kMany; ++i) data[i] += 1.0;
    printf("seconds %d %f\n", counting, seconds() - start);
  }
  free(data);
  return guest_report();
}

/* As MPICH has it; there may be no huge pages. */
static int run_huge_pages(void) {
  const int segment = shmget(IPC_PRIVATE, 4 << 20, IPC_CREAT | SHM_HUGETLB | 0600);
  if (segment >= 0) shmctl(segment, IPC_RMID, NULL);
  return guest_report();
}

/* In a loop, in the middle of a block, and as the only instruction of one. */
static int run_time_stamp(void) {
  uint64_t last = 0;
  for (int i = 0; i < 100; ++i) {
    uint32_t low, high, cpu = ~0u;
    __asm__ volatile("jmp 1f\n1: rdtscp\n" : "=a"(low), "=d"(high), "=c"(cpu));
    const uint64_t now = (uint64_t)high << 32 | low;
    if (now <= last || cpu == ~0u) return 1;
    last = now;
  }
  return guest_report();
}

static int run_paths(unsigned long paths) {
  for (unsigned long path = 1; path <= paths; ++path) {
    guest_own(path);
    add((long)path % 7 + 1);
  }
  guest_own(0);
  return guest_report();
}

/* A region begins in a handler: the registers that come back with it must not bring back the path.
 */
static void handler(int number) {
  (void)number;
  guest_own(2);
}

static int run_signal(void) {
  signal(SIGUSR1, handler);
  guest_own(1);
  add(10);
  raise(SIGUSR1);
  add(200);
  guest_own(0);
  return guest_report();
}

static sigjmp_buf jump;
static void jumping_handler(int number) {
  (void)number;
  siglongjmp(jump, 1);
}

static int run_fault(void) {
  signal(SIGSEGV, jumping_handler);
  guest_own(1);
  if (sigsetjmp(jump, 1) == 0) __asm__ volatile("movl $1, 8");
  add(30);
  guest_own(0);
  return guest_report();
}

__attribute__((noinline)) static double use_stack(void) {
  volatile double array[60 * 1000 * 1000 / sizeof(double)];
  for (size_t i = 0; i < sizeof array / sizeof *array; i += 512) array[i] = 1;
  return array[0] + array[512];
}

static int run_stack(void) {
  guest_own(1);
  double sum = use_stack();
  guest_own(0);
  return sum == 2 ? guest_report() : 7;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  if (!strcmp(mode, "fork")) return run_fork();
  if (!strcmp(mode, "exec")) return run_exec();
  if (!strcmp(mode, "stop")) return run_stop();
  if (!strcmp(mode, "cheap")) return run_cheap();
  if (!strcmp(mode, "layers")) return run_layers();
  if (!strcmp(mode, "huge_pages")) return run_huge_pages();
  if (!strcmp(mode, "time_stamp")) return run_time_stamp();
  if (!strcmp(mode, "stopped_speed")) return run_stopped_speed();
  if (!strcmp(mode, "paths")) return run_paths(argc > 2 ? strtoul(argv[2], NULL, 10) : 0);
  if (!strcmp(mode, "signal")) return run_signal();
  if (!strcmp(mode, "fault")) return run_fault();
  if (!strcmp(mode, "stack")) return run_stack();
  return 5;
}
