// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/hooks.h"

#include <dlfcn.h>

#include <atomic>
#include <cerrno>

namespace roofmark::counting {
namespace {

std::atomic<const roof_native_calls*> g_calls{nullptr};

// Handlers may call these functions: nothing is locked once the next one is known.
template <typename Function>
Function NextOf(const char* name, std::atomic<Function>& known) noexcept {
  Function next = known.load(std::memory_order_relaxed);
  if (next == nullptr) {
    next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    known.store(next, std::memory_order_relaxed);
  }
  return next;
}

const roof_native_calls* Calls() noexcept { return g_calls.load(std::memory_order_acquire); }

}  // namespace

int NextSigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  static std::atomic<roof_native_sigaction> known{nullptr};
  const auto next = NextOf("sigaction", known);
  if (next != nullptr) return next(number, action, old);
  errno = ENOSYS;
  return -1;
}

void TellEngine(const roof_native_calls* calls) noexcept {
  g_calls.store(calls, std::memory_order_release);
}

}  // namespace roofmark::counting

extern "C" {

#define ROOF_HOOK __attribute__((visibility("default")))

ROOF_HOOK int sigaction(int number, const struct sigaction* action,
                        struct sigaction* old) noexcept {
  const roof_native_calls* calls = roofmark::counting::Calls();
  return calls != nullptr ? calls->sigaction(number, action, old)
                          : roofmark::counting::NextSigaction(number, action, old);
}

// As libc's: a handler stays, and system calls that it interrupts go on.
ROOF_HOOK sighandler_t signal(int number, sighandler_t handler) noexcept {
  static std::atomic<sighandler_t (*)(int, sighandler_t)> known{nullptr};
  const roof_native_calls* calls = roofmark::counting::Calls();
  const auto next = roofmark::counting::NextOf("signal", known);
  if (next != nullptr && (calls == nullptr || handler == SIG_ERR)) return next(number, handler);
  struct sigaction action = {}, old = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  if (sigaddset(&action.sa_mask, number) != 0) return SIG_ERR;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

ROOF_HOOK int dlclose(void* handle) noexcept {
  static std::atomic<int (*)(void*)> known{nullptr};
  const auto next = roofmark::counting::NextOf("dlclose", known);
  const int result = next == nullptr ? -1 : next(handle);
  if (const roof_native_calls* calls = roofmark::counting::Calls()) calls->files_changed();
  return result;
}

}  // extern "C"
