/* SPDX-License-Identifier: BSD-3-Clause
 *
 * likwid [hostile]: a program with LIKWID's markers, which prints what they return. */
#include <likwid-marker.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static void Solve(void) {
  LIKWID_MARKER_INIT;
  const int registered = LIKWID_MARKER_REGISTER("sweep");
  for (int step = 0; step < 3; ++step) {
    const int started = LIKWID_MARKER_START("solve");
#pragma omp parallel num_threads(2)
    {
      LIKWID_MARKER_THREADINIT;
      LIKWID_MARKER_START("sweep");
#pragma omp barrier
      LIKWID_MARKER_STOP("sweep");
    }
    const int stopped = LIKWID_MARKER_STOP("solve");
    printf("%d %d %d\n", registered, started, stopped);
    LIKWID_MARKER_SWITCH;
  }
  int events = 5, count = -1;
  double values[5] = {0}, time = -1;
  LIKWID_MARKER_GET("solve", &events, values, &time, &count);
  printf("%d events, %d times, reset %d\n", events, count, LIKWID_MARKER_RESET("solve"));
  LIKWID_MARKER_CLOSE;
}

static void DoEverythingWrong(void) {
  LIKWID_MARKER_STOP("never begun");
  LIKWID_MARKER_START("before init");
  LIKWID_MARKER_STOP("before init");
  LIKWID_MARKER_INIT;
  char name[5000];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  LIKWID_MARKER_START(name);
  LIKWID_MARKER_STOP(name);
  LIKWID_MARKER_START("first");
  LIKWID_MARKER_START("overlaps");
  LIKWID_MARKER_STOP("first");
  LIKWID_MARKER_STOP("overlaps");
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 1000; ++i) {
    LIKWID_MARKER_START("crowd");
    if (i % 10 == omp_get_thread_num()) LIKWID_MARKER_STOP("crowd");
    LIKWID_MARKER_STOP("crowd");
  }
  LIKWID_MARKER_CLOSE;
  LIKWID_MARKER_CLOSE;
  LIKWID_MARKER_START("after close");
  LIKWID_MARKER_STOP("after close");
  LIKWID_MARKER_START("left open");
}

int main(int argc, char** argv) {
  argc > 1 && strcmp(argv[1], "hostile") == 0 ? DoEverythingWrong() : Solve();
  puts("done");
  return 0;
}
