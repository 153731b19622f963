/* SPDX-License-Identifier: BSD-3-Clause
 *
 * busy LIFE RECORD: visits regions and counts beside it, in the file RECORD, what it has begun to
 * end and what it has ended. Its third word tells a program that lives "until_told" to end. */
#include <fcntl.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Per thread: word 0 counts visits about to end, word 1 those that have. */
static _Atomic uint64_t* record;

static void Visit(_Atomic uint64_t* mine) {
  ROOF_REGION_BEGIN("step");
  mine[0]++;
  ROOF_REGION_END("step");
  mine[1]++;
}

static void Visits(int times) {
  for (int i = 0; i < times; ++i) Visit(record);
}

static void* Endless(void* mine) {
  for (;;) Visit(mine);
  return NULL;
}

static void* Named(void* number) {
  char name[32];
  for (int i = 0; i < 200; ++i) {
    snprintf(name, sizeof name, "t%d.%d", (int)(intptr_t)number, i);
    roofmark_begin(name);
    roofmark_end(name);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const char* life = argv[1];
  const int fd = open(argv[2], O_RDWR);
  record = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (record == MAP_FAILED) return 2;
  close(fd);
  if (!strcmp(life, "endless") || !strcmp(life, "threads")) {
    pthread_t thread;
    for (int i = 1; i < (life[0] == 't' ? 4 : 1); ++i) {
      pthread_create(&thread, NULL, &Endless, record + 2 * i);
    }
    Endless(record);
  }
  if (!strcmp(life, "many")) { /* 16 threads with 200 regions each */
    pthread_t threads[16];
    for (int i = 0; i < 16; ++i) pthread_create(&threads[i], NULL, &Named, (void*)(intptr_t)i);
    for (int i = 0; i < 16; ++i) pthread_join(threads[i], NULL);
    kill(getpid(), SIGKILL);
  }
  Visits(1000);
  if (!strcmp(life, "fork")) { /* the child's visits are its own affair */
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 500; ++i) {
        ROOF_REGION_BEGIN("step");
        ROOF_REGION_END("step");
      }
      exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    Visits(10);
    kill(getpid(), SIGKILL);
  }
  if (!strcmp(life, "closes")) { /* as daemons do; what is opened next has low numbers */
    for (int i = 3; i < 256; ++i) close(i);
    const int own = open(argv[2], O_RDONLY);
    Named((void*)0);
    if (own != 3) return 3;
    kill(getpid(), SIGKILL);
  }
  if (!strcmp(life, "waits")) {
    ROOF_REGION_BEGIN("wait");
    ROOF_REGION_WORK(1000, 0);
    fputs("ready\n", stdout);
    fflush(stdout);
    for (;;) pause();
  }
  if (!strcmp(life, "named")) Named((void*)0);
  if (!strcmp(life, "sleeps")) usleep(1500000);
  while (!strcmp(life, "works") && clock() < CLOCKS_PER_SEC / 2) continue; /* of CPU time */
  while (!strcmp(life, "until_told") && record[2] == 0) usleep(1000);
  if (!strcmp(life, "quick")) _exit(0);
  return 0;
}
