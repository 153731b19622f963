// SPDX-License-Identifier: BSD-3-Clause
//
// opens_local LIBRARY: opens it in a scope of its own, as a plug-in that was linked with it would,
// and other libraries one after the other at one place.
#include <dlfcn.h>

#include <cstdio>
#include <initializer_list>

int main(int, char** arguments) {
  void* const roofmark = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (roofmark == nullptr) return 1;
  using Mark = void (*)(const char*);
  const auto begin = reinterpret_cast<Mark>(dlsym(roofmark, "roofmark_begin"));
  const auto end = reinterpret_cast<Mark>(dlsym(roofmark, "roofmark_end"));
  int sum = 0;
  for (const char* file : {RELOADED_ONE, RELOADED_TWO, RELOADED_ONE}) {
    void* library = dlopen(file, RTLD_NOW);
    const auto number = reinterpret_cast<int (*)(int)>(dlsym(library, "reloaded_number"));
    begin("whole");
    sum = 10 * sum + number(100);
    end("whole");
    dlclose(library);
  }
  std::printf("reloaded %d\n", sum);
  return 0;
}
