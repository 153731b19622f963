/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four forked processes that run side by side, the last one forked by another thread. Process i
 * does (i + 1) * kFlops in its region. They end by exit and by _exit; with the argument "killed" by
 * a signal, as the workers of a pool do, or by _exit in its handler. With "daemon" the parent ends
 * at once. While it waits, the parent moves the position of its command line, which under Valgrind
 * is also the position at which the children read theirs. */
#include <fcntl.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kChildren = 4, kAdditions = 100000 };
static volatile double g_sum;
static int* g_done; /* shared by all */
static const char* g_how;

static void OnSignal(int number) {
  (void)number;
  _exit(0);
}

static void Work(int times) {
  for (int i = 0; i < times * kAdditions; ++i) g_sum = g_sum + 1;
}

static void* Fork(void* number) {
  const int child = *(int*)number;
  if (fork() != 0) return NULL;
  ROOF_REGION_BEGIN("child");
  Work(child + 1);
  ROOF_REGION_END("child");
  __atomic_add_fetch(g_done, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(g_done, __ATOMIC_SEQ_CST) < kChildren) usleep(1000);
  if (!strcmp(g_how, "killed")) {
    signal(SIGTERM, &OnSignal);
    raise(child % 2 ? SIGTERM : SIGKILL);
  }
  if (child % 2) _exit(0);
  exit(0);
}

int main(int count, char** words) {
  g_how = count > 1 ? words[1] : "";
  g_done = mmap(NULL, sizeof *g_done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ROOF_REGION_BEGIN("parent");
  Work(1);
  for (int i = 0; i < kChildren - 1; ++i) Fork(&i);
  int last = kChildren - 1;
  pthread_t thread;
  if (pthread_create(&thread, NULL, &Fork, &last) != 0) return 1;
  pthread_join(thread, NULL);
  if (!strcmp(g_how, "daemon")) return 0;
  const int command_line = open("/proc/self/cmdline", O_RDONLY);
  while (waitpid(-1, NULL, WNOHANG) >= 0) lseek(command_line, 0, SEEK_END);
  Work(1);
  ROOF_REGION_END("parent");
  return 0;
}
