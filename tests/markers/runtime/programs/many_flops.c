/* SPDX-License-Identifier: BSD-3-Clause
 *
 * many_flops END: a thread and the main thread, 150 regions each with FLOPs of their own in double
 * precision, region i in visits of i + 1 operations, three times. Then it ends: by "kill" after a
 * rest in which the counting engine hands its counts over, by "segv" or "_exit" at once. A child
 * that counts on its own has come and gone before the last visits. */
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void Add(int operations) {
  volatile double sum = 0;
  for (int i = 0; i < operations; ++i) sum = sum + 1;
}

static void Visit(const char* letter, int times) {
  char name[32];
  for (int visit = 0; visit < times; ++visit) {
    for (int i = 0; i < 150; ++i) {
      snprintf(name, sizeof name, "%s%d", letter, i);
      roofmark_begin(name);
      Add(i + 1);
      roofmark_end(name);
    }
  }
}

static void* VisitsInThread(void* nothing) {
  Visit("t", 3);
  return nothing;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  pthread_t thread;
  pthread_create(&thread, NULL, &VisitsInThread, NULL);
  pthread_join(thread, NULL); /* its regions would lie in those of the main thread */
  Visit("m", 2);
  const pid_t child = fork();
  if (child == 0) {
    Add(1000);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  Visit("m", 1); /* the engine has just handed over, and rests */
  if (!strcmp(argv[1], "segv")) *(volatile int*)NULL = 1;
  if (!strcmp(argv[1], "_exit")) _exit(0);
  for (int i = 0; i < 30; ++i) usleep(50000);
  /* By another process: the engine sees to a signal that the program sends itself. */
  if (fork() == 0) return kill(getppid(), SIGKILL);
  for (;;) pause();
}
