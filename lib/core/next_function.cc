// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/next_function.h"

#include <dlfcn.h>

namespace roofmark {

void* NextFor(const char* name, void* caller) noexcept {
  Dl_info info;
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return nullptr;
  // Its count of users is given back: the library is executing, so it stays.
  void* library = dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  if (library == nullptr) return nullptr;
  void* function = dlsym(library, name);
  dlclose(library);
  return function;
}

void* Next::Get(void* caller) noexcept {
  void* known = known_.load(std::memory_order_relaxed);
  if (__builtin_expect(known != nullptr, 1)) return known;
  known = dlsym(RTLD_NEXT, name_);
  if (known == nullptr) return NextFor(name_, caller);
  known_.store(known, std::memory_order_relaxed);
  return known;
}

}  // namespace roofmark
