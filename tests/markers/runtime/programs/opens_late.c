/* SPDX-License-Identifier: BSD-3-Clause
 *
 * opens_late LIBRARY: not linked with roofmark; opens it in main, as a plug-in would. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  printf("main once\n");
  fflush(stdout);
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library == NULL) return 1;
  void (*begin)(const char*);
  void (*end)(const char*);
  *(void**)&begin = dlsym(library, "roofmark_begin");
  *(void**)&end = dlsym(library, "roofmark_end");
  begin("late");
  end("late");
  dlclose(library);
  return 0;
}
