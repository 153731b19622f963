/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marked code in C99; the first argument chooses what happens. Prints one line, so that a test sees
 * that the program's own output is untouched. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static void Nested(void) {
  for (int i = 0; i < 3; ++i) {
    ROOF_REGION_BEGIN("outer");
    for (int k = 0; k < 4; ++k) {
      ROOF_REGION_BEGIN("inner");
      usleep(1000);
      ROOF_REGION_WORK(100, 800);
      ROOF_REGION_OPERATIONS("updates", 7);
      ROOF_REGION_END("inner");
    }
    ROOF_REGION_BEGIN("with/slash");
    ROOF_REGION_END("with/slash");
    ROOF_REGION_END("outer");
  }
}

static void Recurse(int depth) {
  ROOF_REGION_BEGIN("recursive");
  if (depth > 1) {
    ROOF_REGION_BEGIN("between");
    Recurse(depth - 1);
    ROOF_REGION_END("between");
  } else {
    usleep(50000);
  }
  ROOF_REGION_END("recursive");
}

static void DeepRecursion(int depth) {
  ROOF_REGION_BEGIN("deep");
  if (depth > 1) DeepRecursion(depth - 1);
  ROOF_REGION_END("deep");
}

/* Whatever a program passes as a name. */
static void OddNames(void) {
  static char all_bytes[256], long_name[5000];
  for (int i = 0; i < 255; ++i) all_bytes[i] = (char)(i + 1);
  memset(long_name, 'x', sizeof long_name - 1);
  const char* const names[] = {
      "",     NULL,      "   ",    " \t\n",    "/",           "//",       "\\",
      "a/b",  "a\\/b",   "a\"b'c", "\x1b[31m", "\xff\xfe",    "\xc0\xaf", "..",
      "<b>&", "]]></x>", "%s%n",   "=1+1",     "line\nbreak", long_name,  all_bytes};
  const int count = (int)(sizeof names / sizeof *names);
  for (int i = 0; i < count; ++i) {
    roofmark_begin(names[i]);
    roofmark_operations(names[i], 3);
    for (int k = 0; k < count; ++k) {
      roofmark_begin(names[k]);
      roofmark_end(names[k]);
    }
    roofmark_end(names[i]);
  }
  ROOF_REGION_BEGIN("");
  ROOF_REGION_END("");
}

/* Different regions inside each other; visits at the bottom are left out. */
static void Abyss(int depth) {
  char name[32];
  snprintf(name, sizeof name, "level %d", depth);
  roofmark_begin(name);
  if (depth < 300) Abyss(depth + 1);
  for (int i = 0; depth == 300 && i < 3; ++i) {
    ROOF_REGION_BEGIN("level 1"); /* a path that there is */
    ROOF_REGION_END("level 1");
  }
  roofmark_end(name);
}

static void Mismatched(void) {
  ROOF_REGION_END("never begun");
  ROOF_REGION_BEGIN("a");
  ROOF_REGION_BEGIN("b");
  ROOF_REGION_BEGIN("c");
  ROOF_REGION_END("b"); /* closes c and b */
  ROOF_REGION_END("c"); /* is not open any more: ignored */
  ROOF_REGION_END("a");
  for (int i = 0; i < 5; ++i) {
    ROOF_REGION_BEGIN("after");
    ROOF_REGION_END("after");
  }
}

static void Named(void) {
  char name[32];
  for (int i = 0; i < 12; ++i) {
    snprintf(name, sizeof name, "step %d", i % 3); /* one buffer, changing text */
    roofmark_begin(name);
    roofmark_end(name);
  }
  char longer[200];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  roofmark_begin(longer);
  roofmark_end(longer);
}

static void Team(int threads) {
  omp_set_num_threads(threads);
  for (int i = 0; i < 2; ++i) {
    ROOF_REGION_BEGIN("team");
#pragma omp parallel
    {
      ROOF_REGION_BEGIN("worker");
      usleep(2000);
      ROOF_REGION_WORK(10 * (omp_get_thread_num() + 1), 0);
      ROOF_REGION_END("worker");
    }
    ROOF_REGION_END("team");
  }
}

static void* PosixWorker(void* unused) {
  ROOF_REGION_BEGIN("posix");
  ROOF_REGION_END("posix");
  return unused;
}

static int StandardWorker(void* unused) {
  (void)unused;
  ROOF_REGION_BEGIN("standard");
  ROOF_REGION_END("standard");
  return 0;
}

/* Threads made inside the region, one after the other and four at once. */
static void Threads(void) {
  ROOF_REGION_BEGIN("team");
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, PosixWorker, NULL);
    pthread_join(thread, NULL);
  }
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, PosixWorker, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  thrd_t standard;
  thrd_create(&standard, StandardWorker, NULL);
  thrd_join(standard, NULL);
  ROOF_REGION_END("team");
}

static void Fork(void) {
  ROOF_REGION_BEGIN("parent");
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 7; ++i) {
      ROOF_REGION_BEGIN("child");
      ROOF_REGION_END("child");
    }
    ROOF_REGION_END("parent");
    exit(0);
  }
  waitpid(child, NULL, 0);
  ROOF_REGION_END("parent");
}

/* Work in children alone, one after the other; one of them has a child of its own. */
static void ForkAll(void) {
  for (int k = 0; k < 3; ++k) {
    const pid_t child = fork();
    if (child != 0) {
      waitpid(child, NULL, 0);
      continue;
    }
    if (k == 1) waitpid(fork(), NULL, 0);
    for (int i = 0; i < 7; ++i) {
      ROOF_REGION_BEGIN("child");
      roofmark_begin("named");
      roofmark_end("named");
      ROOF_REGION_END("child");
    }
    _exit(0);
  }
}

static void Visit(int visits) {
  for (int i = 0; i < visits; ++i) {
    ROOF_REGION_BEGIN("visited");
    ROOF_REGION_WORK(1, 1);
    ROOF_REGION_OPERATIONS("updates", 1);
    ROOF_REGION_END("visited");
  }
}

static void* VisitOnThread(void* unused) {
  Visit(100);
  return unused;
}

static atomic_int stage;
static void Await(int wanted) {
  while (atomic_load(&stage) < wanted) usleep(100);
}

/* Has a region open while another thread pauses. */
static void* OpenOnThread(void* unused) {
  ROOF_REGION_BEGIN("on thread");
  atomic_store(&stage, 1);
  Await(2);
  ROOF_REGION_END("on thread");
  Visit(10);
  return unused;
}

static void Pauses(void) {
  Visit(3);
  ROOF_REGION_BEGIN("open");
  ROOF_REGION_BEGIN("ends in the pause");
  pthread_t other, waiting;
  pthread_create(&waiting, NULL, OpenOnThread, NULL);
  Await(1);
  roofmark_pause();
  roofmark_pause();
  Visit(1000);
  pthread_create(&other, NULL, VisitOnThread, NULL);
  pthread_join(other, NULL);
  roofmark_resume();
  Visit(1000); /* still paused */
  ROOF_REGION_END("ends in the pause");
  ROOF_REGION_BEGIN("begins in the pause");
  usleep(20000);
  roofmark_resume();
  atomic_store(&stage, 2);
  pthread_join(waiting, NULL);
  Visit(7); /* below "open" */
  ROOF_REGION_END("begins in the pause");
  ROOF_REGION_END("open");
  roofmark_resume(); /* one too many */
  Visit(5);
}

static void Many(void) {
  for (int i = 0; i < 100; ++i) {
    ROOF_REGION_BEGIN("many");
    usleep(1000);
    ROOF_REGION_END("many");
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  if (!strcmp(mode, "nested")) Nested();
  if (!strcmp(mode, "recurse")) Recurse(5);
  if (!strcmp(mode, "deep")) DeepRecursion(70000);
  if (!strcmp(mode, "mismatched")) Mismatched();
  if (!strcmp(mode, "odd names")) OddNames();
  if (!strcmp(mode, "abyss")) Abyss(1);
  if (!strcmp(mode, "named")) Named();
  if (!strcmp(mode, "team")) Team(argc > 2 ? atoi(argv[2]) : 2);
  if (!strcmp(mode, "threads")) Threads();
  if (!strcmp(mode, "fork")) Fork();
  if (!strcmp(mode, "forkall")) ForkAll();
  if (!strcmp(mode, "many")) Many();
  if (!strcmp(mode, "pauses")) Pauses();
  if (!strcmp(mode, "open")) ROOF_REGION_BEGIN("open");
  if (!strcmp(mode, "active")) return printf("active %d\n", roofmark_active()) < 0;
  printf("done\n");
  return 0;
}
