/* SPDX-License-Identifier: BSD-3-Clause
 *
 * long_day VISITS NAMES STEP_NS: a day of markers with a clock of its own. The program stands in
 * front of clock_gettime(), and of the file that says which clock Linux takes, so that the library
 * times regions by the monotonic clock that only this program moves: by STEP_NS in each visit. The
 * wall clock steps back and forth by an hour, and the CPUs that the program may use change, as they
 * do when somebody edits its cgroup. NAMES names are made at run time. Prints what it did: visits,
 * ns in regions of the fixed name, ns in all, KiB that the process grew by behind the eighth part
 * of the visits. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <roofmark/roofmark.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns = UINT64_C(1000000000000);
static uint64_t read_ns = 1; /* a reading takes so long: whoever waits for a time gets there */
static int64_t wall_step_s;

static long Raw(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec* now) {
  if (clock == CLOCK_MONOTONIC) {
    now_ns += read_ns;
    now->tv_sec = (time_t)(now_ns / 1000000000);
    now->tv_nsec = (long)(now_ns % 1000000000);
    return 0;
  }
  const long result = Raw(SYS_clock_gettime, clock, (long)now, 0, 0, 0, 0);
  if (clock == CLOCK_REALTIME && result == 0) now->tv_sec += wall_step_s;
  return result == 0 ? 0 : -1;
}

/* The library asks through this one, which is no point of cancellation. */
__attribute__((visibility("default"))) long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_openat && strstr((const char*)a[1], "/current_clocksource") != NULL) {
    const int fd = memfd_create("clocksource", MFD_CLOEXEC);
    if (fd < 0 || write(fd, "hpet\n", 5) != 5) return -1;
    lseek(fd, 0, SEEK_SET);
    return fd;
  }
  const long result = Raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  return result < 0 && result > -4096 ? -1 : result;
}

static long ResidentKib(void) {
  long pages = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) exit(1);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* All CPUs, and one of them. */
static void ChangeCpus(const cpu_set_t* all, uint64_t turn) {
  cpu_set_t some = *all;
  if (turn % 2 == 0) {
    for (size_t cpu = 0, kept = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &some) && kept++ > 0) CPU_CLR(cpu, &some);
    }
  }
  sched_setaffinity(0, sizeof some, &some);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const uint64_t visits = strtoull(argv[1], NULL, 10), names = strtoull(argv[2], NULL, 10);
  const uint64_t step_ns = strtoull(argv[3], NULL, 10);
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return 1;
  uint64_t spent_ns = 0, named_visits = 0;
  long before = 0;
  const uint64_t began_ns = now_ns;
  ROOF_REGION_BEGIN("day");
  read_ns = 0; /* a visit reads the clock several times, and a step may be short */
  for (uint64_t i = 0; i < visits; ++i) {
    const uint64_t since_ns = now_ns;
    ROOF_REGION_BEGIN("step");
    now_ns += step_ns;
    ROOF_REGION_END("step");
    spent_ns += now_ns - since_ns;
    /* Names are spread over the first tenth: from there on nothing is new. */
    if (named_visits < names && i * names / (visits / 10) >= named_visits) {
      char name[32];
      snprintf(name, sizeof name, "name-%llu", (unsigned long long)named_visits++);
      roofmark_begin(name);
      roofmark_end(name);
    }
    if (i % (visits / 100) == 0) {
      wall_step_s = i / (visits / 100) % 2 == 0 ? -3600 : 3600;
      ChangeCpus(&all, i / (visits / 100));
    }
    if (i == visits / 8) before = ResidentKib();
  }
  read_ns = 1;
  const long grown = ResidentKib() - before;
  ROOF_REGION_END("day");
  fprintf(stderr, "%llu %llu %llu %ld\n", (unsigned long long)visits, (unsigned long long)spent_ns,
          (unsigned long long)(now_ns - began_ns), grown);
  puts("done");
  return 0;
}
