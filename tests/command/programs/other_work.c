// SPDX-License-Identifier: BSD-3-Clause
//
// A program that does another amount of work in each execution, as one does that runs for a set
// time: the first ones do more steps than later ones. It appends the number of its steps to a file,
// after a loop that it always does.
#include <stdio.h>

enum { kIterations = 200000, kPrepared = 100, kMostSteps = 150, kFewerEachTime = 25 };

static double __attribute__((noinline)) prepare(long n, double x) {
  for (long i = 0; i < n; ++i) x = x * 0.998 + 0.25;
  return x;
}

static double __attribute__((noinline)) step(long n, double x) {
  for (long i = 0; i < n; ++i) x = x * 0.999 + 0.5;
  return x;
}

static long LinesOf(const char* name) {
  FILE* file = fopen(name, "r");
  long lines = 0;
  if (file == NULL) return 0;
  for (int byte = getc(file); byte != EOF; byte = getc(file)) lines += byte == '\n';
  fclose(file);
  return lines;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const long steps = kMostSteps - kFewerEachTime * LinesOf(argv[1]);
  double x = prepare((long)kPrepared * kIterations, 1);
  for (long i = 0; i < steps; ++i) x = step(kIterations, x);
  FILE* file = fopen(argv[1], "a");
  if (file == NULL) return 2;
  fprintf(file, "%ld\n", steps);
  return fclose(file) == 0 && x > 0 ? 0 : 1;
}
