/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One region of a program that knows no MPI. */
#include <roofmark/roofmark.h>

int main(void) {
  roofmark_begin("alone");
  roofmark_end("alone");
  return 0;
}
