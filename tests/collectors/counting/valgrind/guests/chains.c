/* SPDX-License-Identifier: BSD-3-Clause
 *
 * chains KERNEL N: loops whose dependences are known, N iterations of one of them in path 1. Prints
 * how many seconds they took, too. */
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

#define LOOP(body)                                      \
  __asm__ volatile("1:\n" body "\n\tdec %[n]\n\tjnz 1b" \
                   : [n] "+r"(n), [at] "+r"(at)         \
                   : [x] "r"(x), [i] "r"(index)         \
                   : CLOBBERED, "rax", "rdx", "memory", "cc")
#define CLOBBERED                                                                          \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
      "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

/* Chains that know nothing of each other. */
#define ADD(i) "addsd (%[x]), %%xmm" #i "\n\t"
#define ADD2(i, k) ADD(i) ADD(k)
#define ADD4(i, k, l, m) ADD2(i, k) ADD2(l, m)
#define ADD8 ADD4(0, 1, 2, 3) ADD4(4, 5, 6, 7)
#define ADD16 ADD8 ADD4(8, 9, 10, 11) ADD4(12, 13, 14, 15)

/* 4 KB, 8 MB, 32 MB and 128 MB of doubles */
enum { kFew = 512, kMany = 1 << 20, kMore = 1 << 22, kMost = 1 << 24 };

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

/* Three matrices that lie one behind the other; each addition is to another element of the row. */
static void multiply(long n, double* a) {
  const double *b = a + n * n, *c = b + n * n;
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) a[i * n + j] += b[i * n + k] * c[k * n + j];
}
static long cube_root(long n) {
  long root = 1;
  while ((root + 1) * (root + 1) * (root + 1) <= n) ++root;
  return root;
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
  } else if (!strcmp(kernel, "gups")) {
    LOOP("mov (%[i],%[n],8), %%rax\n\taddq $1, (%[x],%%rax,8)");
  } else if (!strcmp(kernel, "stream")) {
    LOOP("movsd (%[x],%[n],8), %%xmm0\n\taddsd %%xmm1, %%xmm0\n\tmovsd %%xmm0, (%[x],%[n],8)");
  } else if (!strcmp(kernel, "chains_2")) {
    LOOP(ADD2(0, 1));
  } else if (!strcmp(kernel, "chains_4")) {
    LOOP(ADD4(0, 1, 2, 3));
  } else if (!strcmp(kernel, "chains_8")) {
    LOOP(ADD8);
  } else if (!strcmp(kernel, "chains_16")) {
    LOOP(ADD16);
  } else if (!strcmp(kernel, "fma")) {
    LOOP("vfmadd231sd %%xmm1, %%xmm2, %%xmm0");
  } else if (!strcmp(kernel, "sum")) {
    LOOP("addsd (%[x],%[n],8), %%xmm0");
  } else if (!strcmp(kernel, "sum_of_4")) { /* as a compiler may that can change the order */
    LOOP(
        "addsd (%[x],%[n],8), %%xmm0\n\taddsd 8(%[x],%[n],8), %%xmm1\n\t"
        "addsd 16(%[x],%[n],8), %%xmm2\n\taddsd 24(%[x],%[n],8), %%xmm3");
  } else if (!strcmp(kernel, "sweep")) { /* Gauss-Seidel: x[n] = (x[n + 1] + x[n - 1]) * c */
    LOOP(
        "addsd -8(%[x],%[n],8), %%xmm0\n\tmulsd %%xmm1, %%xmm0\n\t"
        "movsd %%xmm0, (%[x],%[n],8)");
  } else if (!strcmp(kernel, "sweep_512")) { /* x[n] = x[n + 1] * c, which a gather loads 8 times */
    LOOP(
        "lea 8(%[x],%[n],8), %%rax\n\tkxnorb %%k1, %%k1, %%k1\n\t"
        "vpxord %%zmm2, %%zmm2, %%zmm2\n\tvgatherdpd (%%rax,%%ymm2,8), %%zmm0%{%%k1%}\n\t"
        "vmulpd %%zmm1, %%zmm0, %%zmm0\n\tvmovsd %%xmm0, (%[x],%[n],8)");
  } else if (!strcmp(kernel, "triad")) {
    LOOP(
        "movsd (%[x],%[n],8), %%xmm0\n\tmulsd %%xmm1, %%xmm0\n\t"
        "addsd (%[i],%[n],8), %%xmm0\n\tmovsd %%xmm0, (%[x],%[n],8)");
  } else if (!strcmp(kernel, "dgemm")) {
    multiply(cube_root(n), x);
  } else if (!strcmp(kernel, "random")) { /* a branch on a bit that nobody can predict */
    LOOP(
        "imul $0x41c64e6d, %%rax, %%rax\n\tadd $12345, %%rax\n\t"
        "bt $40, %%rax\n\tjc 2f\n\tnop\n2:");
  } else if (!strcmp(kernel, "regular")) { /* the same work, every second time */
    LOOP(
        "imul $0x41c64e6d, %%rax, %%rax\n\tadd $12345, %%rax\n\t"
        "bt $0, %[n]\n\tjc 2f\n\tnop\n2:");
  } else if (!strcmp(kernel, "atomic")) {
    LOOP("lock addq $1, (%[x])");
  } else if (!strcmp(kernel, "minima")) {
    LOOP(
        "minpd %%xmm8, %%xmm0\n\tminpd %%xmm8, %%xmm1\n\tminpd %%xmm8, %%xmm2\n\t"
        "minpd %%xmm8, %%xmm3");
  } else if (!strcmp(kernel, "call")) { /* stores and loads of the return address */
    LOOP("call 2f\n\tjmp 3f\n2:\tret\n3:");
  } else {
    return 5;
  }
  return 0;
}

/* `near_` in front of a kernel: in 4 KB, `far_`: in 128 MB, `wide_`: in 32 MB that are in pages of
 * 4 KiB, whatever the kernel does elsewhere. */
static long take_prefix(const char** kernel) {
  static const struct {
    const char* name;
    long count;
  } kPrefixes[] = {{"near_", kFew}, {"far_", kMost}, {"wide_", kMore}};
  for (unsigned i = 0; i < sizeof kPrefixes / sizeof *kPrefixes; ++i) {
    const size_t length = strlen(kPrefixes[i].name);
    if (strncmp(*kernel, kPrefixes[i].name, length) != 0) continue;
    *kernel += length;
    return kPrefixes[i].count;
  }
  return kMany;
}

/* chase reads what link_up wrote, the others numbers. */
int main(int argc, char** argv) {
  if (argc != 3) return 5;
  const char* kernel = argv[1];
  const long n = atol(argv[2]), count = take_prefix(&kernel);
  double* x = aligned_alloc(4096, sizeof *x * (size_t)(count > n ? count : n + 8));
  if (count == kMore) madvise(x, sizeof *x * (size_t)count, MADV_NOHUGEPAGE);
  long* index = malloc(sizeof *index * (size_t)(count > n ? count : n + 8));
  for (long i = 0; i < (count > n ? count : n + 8); ++i) x[i] = 1;
  link_up(x, count, index);
  for (long i = count; i <= n; ++i) index[i] = index[i % count];
  if (strcmp(kernel, "chase") != 0)
    for (long i = 0; i < count; ++i) x[i] = 1;
  /* Reading the clock takes more instructions where the kernel updates it meanwhile. */
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  guest_own(1);
  const int failed = run(kernel, n, x, index);
  guest_own(0);
  clock_gettime(CLOCK_MONOTONIC, &end);
  // Behind the counts: how many lines printing takes out of the caches depends on the number.
  const int reported = failed ? failed : guest_report();
  printf("seconds %.9f\n",
         (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
  return reported;
}
