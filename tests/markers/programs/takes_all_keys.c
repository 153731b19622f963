/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes every thread-specific key before it opens the library (argv[1]), and uses the first one.
 * Threads leave a region open when they end. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t g_first;
static void (*g_begin)(const char*);
static void (*g_end)(const char*);

static void Wrong(const char* what) {
  printf("%s\n", what);
  exit(1);
}

static void* Visit(void* value) {
  pthread_setspecific(g_first, value);
  g_begin("ended");
  g_end("ended");
  g_begin("left open");
  if (pthread_getspecific(g_first) != value) Wrong("the library overwrote a key of the program");
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 2 || pthread_key_create(&g_first, NULL) != 0) return 2;
  for (pthread_key_t key; pthread_key_create(&key, NULL) == 0;) {
  }
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) Wrong(dlerror());
  *(void**)&g_begin = dlsym(library, "roofmark_begin");
  *(void**)&g_end = dlsym(library, "roofmark_end");
  for (int i = 0; i < 50; ++i) {
    pthread_t thread;
    int value;
    if (pthread_create(&thread, NULL, &Visit, &value) != 0) Wrong("no thread");
    pthread_join(thread, NULL);
  }
  puts("done");
  return 0;
}
