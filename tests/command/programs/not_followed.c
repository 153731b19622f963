// SPDX-License-Identifier: BSD-3-Clause
//
// A loop behind a call of code that was made at run time: where the native engine comes to such
// code it lets the program go on.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static double __attribute__((noinline)) light(long n, double x) {
  for (long i = 0; i < n; ++i) x = x * 0.999 + 0.5;
  return x;
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1;
  static const unsigned char kReturn[] = {0xC3};
  void* made = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return 2;
  memcpy(made, kReturn, sizeof kReturn);
  if (mprotect(made, 4096, PROT_READ | PROT_EXEC) != 0) return 2;
  void (*function)(void);
  memcpy(&function, &made, sizeof function);
  function();
  return light(n, 1) > 0 ? 0 : 1;
}
