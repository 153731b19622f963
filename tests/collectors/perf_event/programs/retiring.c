/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A marked OpenMP program that retires known counts on the virtual PMU: thread t of four retires
 * (t + 1) x 100 of the event in the team region, and as much of another in a region of its own. An
 * argument is a rule for calls that fail, or "signals": markers in handlers that come anywhere. */
#include <omp.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "virtual_pmu.h"

enum { kScalarDouble = 0x1c7, k256Double = 0x10c7, kInstructions = 0xc0 };

enum { kHandled = 1000 };
static volatile sig_atomic_t g_handled;

static void SetTimer(suseconds_t microseconds) {
  const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

/* The last one stops the timer: on a slow machine the next signal always waits already, and the
 * code that was interrupted gets no turn. */
static void Handle(int signal) {
  (void)signal;
  ROOF_REGION_BEGIN("in a handler");
  ROOF_REGION_END("in a handler");
  if (++g_handled >= kHandled) SetTimer(0);
}

static int Signals(void) {
  signal(SIGALRM, &Handle);
  Handle(0);
  SetTimer(200);
  while (g_handled < kHandled) {
    ROOF_REGION_BEGIN("outer");
    ROOF_REGION_END("outer");
  }
  puts("done");
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "signals") == 0) return Signals();
  if (argc > 1 && vpmu_fault(argv[1]) != 0) return 2;
  omp_set_num_threads(4);
  for (int visit = 0; visit < 3; ++visit) {
    ROOF_REGION_BEGIN("outer");
    vpmu_retire(0, kScalarDouble, 5);
    ROOF_REGION_BEGIN("team");
#pragma omp parallel
    {
      const uint64_t mine = 100 * ((uint64_t)omp_get_thread_num() + 1);
      vpmu_retire(0, k256Double, mine);
      ROOF_REGION_BEGIN("own");
      vpmu_retire(0, kInstructions, mine);
      ROOF_REGION_END("own");
    }
    ROOF_REGION_END("team");
    vpmu_retire(0, kScalarDouble, 2);
    ROOF_REGION_END("outer");
    vpmu_retire(0, kScalarDouble, 1000000);
  }
  puts("done");
  return 0;
}
