// SPDX-License-Identifier: BSD-3-Clause
//
// Works by a function that it calls through a pointer. 2 FLOPs an iteration, and one more a call.
double work(int iterations);

static double step(double x, int iterations) {
  for (int i = 0; i < iterations; ++i) x = x * 0.999 + 1e-3;
  return x;
}

static double (*volatile way)(double, int) = step;

double work(int iterations) { return way(0.5, iterations) + 1; }
