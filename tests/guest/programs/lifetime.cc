// SPDX-License-Identifier: BSD-3-Clause
//
// C++ objects, exceptions, plug-ins and what runs at exit.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <roofmark/roofmark.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "guest.h"

namespace {

// Visits before main and after it.
struct Lasting {
  explicit Lasting(const char* given) : name(given) { Visit(); }
  ~Lasting() {
    Visit();
    std::printf("%s ends\n", name);
  }
  const char* name;
};

Lasting g_first("first"), g_second("second");

struct PerThread {
  ~PerThread() {
    Visit();
    std::puts("thread's object ends");
  }
  int value = 1;
};
thread_local PerThread t_object;

void Throw(int depth) {
  ROOF_REGION_SCOPE("throws");
  if (depth == 0) throw std::runtime_error("thrown");
  Throw(depth - 1);
}

}  // namespace

extern "C" {

void Guest_objects() {
  std::thread([] {
    t_object.value = 2;
    Visit();
  }).join();
  t_object.value = 3;
  static const Lasting local("local");
}

void Guest_exceptions() {
  for (int i = 0; i < 3; ++i) {
    try {
      Throw(20);
    } catch (const std::exception& error) {
      std::puts(error.what());
    }
  }
  std::set_terminate([] {
    Visit();
    std::puts("terminated");
    std::fflush(stdout);
    std::_Exit(21);
  });
  std::thread([] { Throw(2); }).join();
}

void Guest_plugins() {
  for (int i = 0; i < 20; ++i) {
    void* plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    Check(plugin != nullptr, "dlopen");
    void (*work)() = nullptr;
    *reinterpret_cast<void**>(&work) = dlsym(plugin, "Work");
    work();
    Check(dlclose(plugin) == 0, "dlclose");
  }
  std::printf("loaded %d\n", dlopen(PLUGIN, RTLD_NOLOAD | RTLD_LAZY) != nullptr);
}

void Guest_exit_handlers() {
  std::atexit([] {
    Visit();
    std::puts("at exit");
  });
  std::at_quick_exit([] {
    Visit();
    std::puts("at quick exit");
    std::fflush(stdout);
  });
  std::exit(22);
}

}  // extern "C"
