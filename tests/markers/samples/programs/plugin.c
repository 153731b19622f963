/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that is loaded and unloaded.
 */
double plugin_work(long times);
double plugin_work(long times) {
  volatile double sum = 0;
  for (long i = 0; i < times; ++i) sum = sum + 1;
  return sum;
}
