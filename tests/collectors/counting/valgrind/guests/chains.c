/* SPDX-License-Identifier: BSD-3-Clause
 *
 * chains KERNEL N: loops whose dependences are known, N iterations of one of them in path 1. Prints
 * the seconds that these took, too. */
#include <string.h>
#include <time.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

#define LOOP(body)                                      \
  __asm__ volatile("1:\n" body "\n\tdec %[n]\n\tjnz 1b" \
                   : [n] "+r"(n), [at] "+r"(at)         \
                   : [x] "r"(x), [i] "r"(index)         \
                   : "xmm0", "xmm1", "xmm2", "rax", "rdx", "memory", "cc")

enum { kFew = 512, kMany = 1 << 20 }; /* 4 KB and 8 MB of doubles */

/* A circle through all elements in random order: element i holds the address of the next one. */
static void link_up(double* x, long count, long* order) {
  unsigned long state = 42;
  for (long i = 0; i < count; ++i) order[i] = i;
  for (long i = count - 1; i > 0; --i) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    long j = (long)((state >> 33) % (unsigned long)i), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  for (long i = 0; i < count; ++i) {
    void* next = x + order[(i + 1) % count];
    memcpy(x + order[i], &next, sizeof next);
  }
}

__attribute__((noinline)) static int run(const char* kernel, long n, double* x, const long* index) {
  double* at = x;
  if (!strcmp(kernel, "add")) {
    LOOP("addsd %%xmm1, %%xmm0");
  } else if (!strcmp(kernel, "add2")) {
    LOOP("addsd %%xmm1, %%xmm0\n\taddsd %%xmm1, %%xmm2");
  } else if (!strcmp(kernel, "mul")) {
    LOOP("mulsd %%xmm1, %%xmm0");
  } else if (!strcmp(kernel, "div")) {
    LOOP("divsd %%xmm1, %%xmm0");
  } else if (!strcmp(kernel, "imul")) {
    LOOP("imul %%rax, %%rax");
  } else if (!strcmp(kernel, "broken")) { /* the chain begins anew in every iteration */
    LOOP("xorps %%xmm0, %%xmm0\n\taddsd %%xmm1, %%xmm0");
  } else if (!strcmp(kernel, "spill")) {
    LOOP("movsd %%xmm0, (%[x])\n\tmovsd (%[x]), %%xmm0\n\taddsd %%xmm1, %%xmm0");
  } else if (!strcmp(kernel, "chase")) {
    LOOP("mov (%[at]), %[at]");
  } else if (!strcmp(kernel, "gather")) {
    LOOP("mov (%[i],%[n],8), %%rax\n\tmovsd (%[x],%%rax,8), %%xmm0");
  } else if (!strcmp(kernel, "stream")) {
    LOOP("movsd (%[x],%[n],8), %%xmm0\n\taddsd %%xmm1, %%xmm0\n\tmovsd %%xmm0, (%[x],%[n],8)");
  } else if (!strcmp(kernel, "call")) { /* stores and loads of the return address */
    LOOP("call 2f\n\tjmp 3f\n2:\tret\n3:");
  } else {
    return 5;
  }
  return 0;
}

/* chase reads what link_up wrote, the others numbers; `near` in front: in 4 KB. */
int main(int argc, char** argv) {
  if (argc != 3) return 5;
  const int near = !strncmp(argv[1], "near_", 5);
  const char* kernel = argv[1] + (near ? 5 : 0);
  const long n = atol(argv[2]), count = near ? kFew : kMany;
  double* x = aligned_alloc(4096, sizeof *x * (size_t)(count > n ? count : n + 8));
  long* index = malloc(sizeof *index * (size_t)(count > n ? count : n + 8));
  for (long i = 0; i < (count > n ? count : n + 8); ++i) x[i] = 1;
  link_up(x, count, index);
  for (long i = count; i <= n; ++i) index[i] = index[i % count];
  if (strcmp(kernel, "chase"))
    for (long i = 0; i < count; ++i) x[i] = 1;
  struct timespec begin, end;
  guest_own(1);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const int failed = run(kernel, n, x, index);
  clock_gettime(CLOCK_MONOTONIC, &end);
  guest_own(0);
  printf("seconds %.9f\n",
         (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
  return failed ? failed : guest_report();
}
