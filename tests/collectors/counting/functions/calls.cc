// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that call each other and a library, with known FLOPs. The first argument is a library
// that is opened late, and of which `called_add` is called.
#include <dlfcn.h>

#include <cstdio>

#include "tests/collectors/counting/functions/called.h"

#define CALLED __attribute__((noinline))

CALLED void Even(int n);

// So many levels, with 11 additions each.
CALLED void Odd(int n) {
  called_add(10);
  if (n > 0) Even(n - 1);
  called_add(1);
}
CALLED void Even(int n) {
  called_add(10);
  if (n > 0) Odd(n - 1);
  called_add(1);
}

CALLED void Again(int n) {
  called_add(3);
  if (n > 0) Again(n - 1);
  called_add(2);
}

namespace ns {

template <typename T>
CALLED void Solve(T n) {
  called_add(static_cast<int>(n));
}
CALLED void Solve(const char*) { called_also_(7); }

}  // namespace ns

int main(int argc, char** argv) {
  Even(6);
  Odd(1);
  Again(4);
  ns::Solve(100);
  ns::Solve("");
  called_add(1000);
  if (argc > 1) {
    void* library = dlopen(argv[1], RTLD_NOW);
    if (library == nullptr) return 1;
    reinterpret_cast<void (*)(int)>(dlsym(library, "called_add"))(20);
    dlclose(library);
  }
  std::puts("done");
  return 0;
}
