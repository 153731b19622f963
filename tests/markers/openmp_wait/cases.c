/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/markers/openmp_wait/cases.h"

#include <omp.h>
#include <setjmp.h>
#include <time.h>

/* The thread works, whatever that is. */
static void Sleep(int ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
  nanosleep(&time, 0);
  if (TellWork) TellWork();
}

/* Whoever is about to wait says so; the other one sees to it that it has begun to. */
static int g_waits;
static void SayThatIWait(void) { __atomic_store_n(&g_waits, 1, __ATOMIC_RELEASE); }
static void WorkWhileTheOtherWaits(void) {
  while (!__atomic_load_n(&g_waits, __ATOMIC_ACQUIRE)) Sleep(1);
  Sleep(kWorkMs);
}

int WaitAtTheEnd(int regions) {
  int threads = 0;
  for (int region = 0; region < regions; ++region) {
    g_waits = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    {
      ++threads;
      if (omp_get_thread_num() == region % 2) {
        WorkWhileTheOtherWaits();
      } else {
        SayThatIWait();
      }
    }
  }
  return threads;
}

int WaitAtABarrier(void) {
  int threads = 0;
  g_waits = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  {
    ++threads;
    if (omp_get_thread_num() == 0) {
      WorkWhileTheOtherWaits();
    } else {
      SayThatIWait();
    }
#pragma omp barrier
    Sleep(kWorkMs);
  }
  return threads;
}

int WaitForACritical(void) {
  int threads = 0;
  g_waits = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp critical(of_the_test)
      {
        ++threads;
        WorkWhileTheOtherWaits();
      }
    } else {
      Sleep(kWorkMs / 2);
      SayThatIWait();
#pragma omp critical(of_the_test)
      ++threads;
    }
  }
  return threads;
}

int TasksInABarrier(void) {
  int executed = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    for (int i = 0; i < 2; ++i) {
#pragma omp task
      {
        Sleep(kWorkMs);
#pragma omp atomic
        ++executed;
      }
    }
  }
  return executed;
}

// clang warns of conversions that it makes itself for a taskloop.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
int TasksOfALoop(void) {
  int executed = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 2; ++i) {
    Sleep(kWorkMs);
#pragma omp atomic
    ++executed;
  }
  return executed;
}
#pragma GCC diagnostic pop

int Nested(void) {
  int threads = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : threads)
  {
    int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
    {
      ++inner;
      Sleep(kWorkMs);
    }
    threads += inner;
  }
  return threads;
}

static jmp_buf g_back;

int LeftByLongjmp(void) {
  if (setjmp(g_back) != 0) return 1;
#pragma omp parallel num_threads(1)
  longjmp(g_back, 1);
  return 0;
}

int Sum(int terms) {
  int sum = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for reduction(+ : sum) schedule(static)
    for (int i = 0; i < terms; ++i) sum += i;
#pragma omp for reduction(+ : sum) schedule(dynamic)
    for (int i = 0; i < terms; ++i) sum += i;
#pragma omp for reduction(+ : sum) schedule(guided) ordered
    for (int i = 0; i < terms; ++i) {
#pragma omp ordered
      sum += i;
    }
  }
#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic, 3)
  for (int i = 0; i < terms; ++i) sum += i;
#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(runtime)
  for (int i = 0; i < terms; ++i) sum += i;
#pragma omp parallel sections num_threads(2) reduction(+ : sum)
  {
#pragma omp section
    for (int i = 0; i < terms; i += 2) sum += i;
#pragma omp section
    for (int i = 1; i < terms; i += 2) sum += i;
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < terms; ++i) {
#pragma omp task shared(sum) firstprivate(i) if (i % 2 == 0)
    {
#pragma omp atomic
      sum += i;
    }
#pragma omp taskwait
  }
  return sum;
}
