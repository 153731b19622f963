/* SPDX-License-Identifier: BSD-3-Clause */
#include "benchmarks/kernels/kernel.h"

#include <getopt.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void PrintUsage(FILE* out, const KernelDoc* doc) {
  fprintf(out,
          "usage: %s [--n N] [--iterations N] [--variant NAME] [--spoil]\n"
          "  --n N           %s (default %ld)\n"
          "  --iterations N  default %ld\n"
          "  --variant NAME  one of:",
          doc->name, doc->size_doc, doc->n, doc->iterations);
  for (const char* const* v = doc->variants; *v != NULL; ++v) fprintf(out, " %s", *v);
  fprintf(out, "\n  --spoil         damage one element before the check, to see the check fail\n");
  for (const KernelOption* o = doc->options; o != NULL && o->name != NULL; ++o) {
    fprintf(out, "  --%s N%*s%s; one of:", o->name, (int)(12 - strlen(o->name)), "", o->doc);
    for (const long* a = o->allowed; *a != 0; ++a) fprintf(out, " %ld", *a);
    if (o->value != 0) fprintf(out, " (default %ld)", o->value);
    fprintf(out, "\n");
  }
}

static void Leave(int status) {
  MPI_Finalize();
  exit(status);
}

/* All ranks see the same switches, so all come here together. */
static void Refuse(const Kernel* kernel, const KernelDoc* doc, const char* what,
                   const char* value) {
  if (kernel->rank == 0) {
    fprintf(stderr, "%s: %s%s\n", kernel->name, what, value);
    PrintUsage(stderr, doc);
  }
  Leave(2);
}

static long ParseCount(const Kernel* kernel, const KernelDoc* doc, const char* text,
                       long multiple) {
  char* end;
  const long value = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value <= 0 || value % multiple != 0) {
    char what[64];
    snprintf(what, sizeof what, "not a positive multiple of %ld: ", multiple);
    Refuse(kernel, doc, what, text);
  }
  return value;
}

static int ParseVariant(const Kernel* kernel, const KernelDoc* doc, const char* text) {
  for (int i = 0; doc->variants[i] != NULL; ++i) {
    if (strcmp(doc->variants[i], text) == 0) return i;
  }
  Refuse(kernel, doc, "no such variant: ", text);
  return 0;
}

static long ParseOption(const Kernel* kernel, const KernelDoc* doc, int index, const char* text) {
  char* end;
  const long value = strtol(text, &end, 10);
  const KernelOption* option = &doc->options[index];
  for (const long* a = option->allowed; *text != '\0' && *end == '\0' && *a != 0; ++a) {
    if (*a == value) return value;
  }
  char what[64];
  snprintf(what, sizeof what, "--%s cannot be ", option->name);
  Refuse(kernel, doc, what, text);
  return 0;
}

/* What getopt_long returns for the program's own switches: this and its index. */
enum { kOwnSwitch = 256 };

/* The shared switches, the program's own, the end. */
static void ListSwitches(const KernelDoc* doc, Kernel* kernel, struct option* all) {
  static const struct option kShared[] = {{"n", required_argument, NULL, 'n'},
                                          {"iterations", required_argument, NULL, 'i'},
                                          {"variant", required_argument, NULL, 'v'},
                                          {"spoil", no_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'}};
  memcpy(all, kShared, sizeof kShared);
  all += sizeof kShared / sizeof *kShared;
  for (int i = 0; doc->options != NULL && doc->options[i].name != NULL; ++i) {
    *all++ = (struct option){doc->options[i].name, required_argument, NULL, kOwnSwitch + i};
    kernel->option[i] = doc->options[i].value;
  }
  *all = (struct option){NULL, 0, NULL, 0};
}

Kernel KernelBegin(int* argc, char*** argv, const KernelDoc* doc) {
  Kernel kernel = {.name = doc->name, .n = doc->n, .iterations = doc->iterations};
  struct option switches[6 + kKernelOptions];
  ListSwitches(doc, &kernel, switches);
  int provided;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &kernel.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &kernel.ranks);
  kernel.threads = omp_get_max_threads();
  if (provided < MPI_THREAD_FUNNELED)
    Refuse(&kernel, doc, "MPI does not provide MPI_THREAD_FUNNELED", "");
  opterr = 0;
  int option;
  while ((option = getopt_long(*argc, *argv, "n:", switches, NULL)) != -1) {
    switch (option) {
      case 'n':
        kernel.n = ParseCount(&kernel, doc, optarg, doc->n_multiple);
        break;
      case 'i':
        kernel.iterations = ParseCount(&kernel, doc, optarg, 1);
        break;
      case 'v':
        kernel.variant = ParseVariant(&kernel, doc, optarg);
        break;
      case 's':
        kernel.spoil = 1;
        break;
      case 'h':
        if (kernel.rank == 0) PrintUsage(stdout, doc);
        Leave(0);
        break;
      case '?':
        Refuse(&kernel, doc, "wrong switch: ", (*argv)[optind - 1]);
        break;
      default:
        kernel.option[option - kOwnSwitch] = ParseOption(&kernel, doc, option - kOwnSwitch, optarg);
    }
  }
  if (optind < *argc) Refuse(&kernel, doc, "unexpected argument: ", (*argv)[optind]);
  kernel.variant_name = doc->variants[kernel.variant];
  return kernel;
}

void KernelRefuse(const Kernel* kernel, const char* why) {
  if (kernel->rank == 0) fprintf(stderr, "%s: %s\n", kernel->name, why);
  Leave(2);
}

double KernelStartClock(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

double KernelStopClock(double start) { return MPI_Wtime() - start; }

int KernelEnd(const Kernel* kernel, double seconds, double flops, double bytes, double error,
              double tolerance) {
  /* A NaN compares false with everything: make it an error that a maximum keeps. */
  double worst[2] = {seconds, error <= tolerance ? error : (error > 0 ? error : 1e300)};
  double work[2] = {flops, bytes};
  MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, work, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const int wrong = !(worst[1] <= tolerance);
  if (kernel->rank == 0) {
    if (wrong) {
      fprintf(stderr, "%s: wrong result: deviates by %g from the closed form, allowed %g\n",
              kernel->name, worst[1], tolerance);
    } else {
      printf(
          "%s %s: n %ld, %ld iterations, %d ranks x %d threads: %.3f s, %.2f GFLOP/s, "
          "%.2f GB/s, result checked\n",
          kernel->name, kernel->variant_name, kernel->n, kernel->iterations, kernel->ranks,
          kernel->threads, worst[0], work[0] / worst[0] * 1e-9, work[1] / worst[0] * 1e-9);
    }
    fflush(stdout);
  }
  MPI_Finalize();
  return wrong ? 1 : 0;
}
