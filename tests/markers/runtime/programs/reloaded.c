/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that is built with two numbers. */
int reloaded_number(int n);

int reloaded_number(int n) {
  volatile double one = 1;
  double sum = 0;
  for (int i = 0; i < NUMBER * n; ++i) sum += one;
  return sum == (double)(NUMBER * n) ? NUMBER : 0;
}
