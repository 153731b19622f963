/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every kernel program shares: its switches, MPI's start and end, and the verdict. Every
 * program checks its own result; a wrong one ends with status 1 and a message, a wrong switch
 * with status 2, so that figures never come from a broken kernel.
 */
#ifndef ROOFMARK_BENCHMARKS_KERNELS_KERNEL_H_
#define ROOFMARK_BENCHMARKS_KERNELS_KERNEL_H_

#ifdef __cplusplus
extern "C" {
#endif

/* A switch of one program: --NAME N. */
typedef struct {
  const char* name; /* at most 11 characters */
  const char* doc;
  long value;          /* default; 0: the program decides */
  const long* allowed; /* ends with 0 */
} KernelOption;
enum { kKernelOptions = 3 }; /* at most */

typedef struct {
  const char* name;
  long n; /* size, in the unit that the program's help gives */
  long iterations;
  int variant; /* index into `variants` */
  const char* variant_name;
  int spoil;                   /* damage one element before the check */
  long option[kKernelOptions]; /* in the order of KernelDoc::options */
  int rank, ranks, threads;
} Kernel;

typedef struct {
  const char* name;
  const char* size_doc;           /* "points per dimension and rank" */
  long n, n_multiple, iterations; /* defaults; n must be a positive multiple of n_multiple */
  const char* const* variants;    /* ends with NULL; the first is the default */
  const KernelOption* options;    /* ends with a name of NULL; NULL for none */
} KernelDoc;

/* Starts MPI (funneled) and reads the switches. Does not return on --help or a wrong switch. */
Kernel KernelBegin(int* argc, char*** argv, const KernelDoc* doc);

/* Collective, for switches that are right alone and wrong together: says why, does not return. */
void KernelRefuse(const Kernel* kernel, const char* why);

/* Collective: the clock starts when the last rank has come. Stop gives this rank's seconds. */
double KernelStartClock(void);
double KernelStopClock(double start);

/*
 * Collective. Prints one line on rank 0 (the slowest rank's time; flops and bytes are this rank's,
 * summed over ranks), ends MPI and returns the status for main. `error` is this rank's largest
 * deviation from the closed form; more than `tolerance` anywhere, or NaN, is a wrong result.
 */
int KernelEnd(const Kernel* kernel, double seconds, double flops, double bytes, double error,
              double tolerance);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_BENCHMARKS_KERNELS_KERNEL_H_ */
