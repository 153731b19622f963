/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair THREADS: prints the ns of CPU time that one begin and one end of a region cost, the median
 * of 15 chunks, then the mean over the threads. CPU time, since other programs then lengthen it
 * least. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "markers.h"

enum { kChunks = 15, kMostThreads = 64 };
static const double kLeastNs = 1e6; /* of a chunk, beside some 300 ns for reading the clock */

static pthread_barrier_t barrier;

static double NowNs(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double NsOf(long pairs) {
  const double begin = NowNs();
  for (long i = 0; i < pairs; ++i) {
    PEER_BEGIN("pair");
    PEER_END("pair");
    __asm__ volatile("" : : : "memory"); /* nothing of a marker is known from the pair before */
  }
  return NowNs() - begin;
}

static int Compare(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static void Measure(double* ns) {
  long pairs = 256;
  while (NsOf(pairs) < kLeastNs) pairs *= 2;
  double chunks[kChunks];
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < kChunks; ++i) chunks[i] = NsOf(pairs) / (double)pairs;
  qsort(chunks, kChunks, sizeof *chunks, Compare);
  *ns = chunks[kChunks / 2];
}

static void* Thread(void* ns) {
  PEER_THREAD();
  Measure(ns);
  return NULL;
}

int main(int argc, char** argv) {
  const int threads = argc == 2 ? atoi(argv[1]) : 0;
  if (threads < 1 || threads > kMostThreads) return 2;
  pthread_t others[kMostThreads];
  double ns[kMostThreads], sum = 0;
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  PEER_START();
  for (int i = 1; i < threads; ++i)
    if (pthread_create(&others[i], NULL, Thread, &ns[i]) != 0) return 3;
  Measure(&ns[0]);
  for (int i = 1; i < threads; ++i) pthread_join(others[i], NULL);
  PEER_STOP();
  for (int i = 0; i < threads; ++i) sum += ns[i];
  printf("ns %.4f\n", sum / threads);
  return 0;
}
