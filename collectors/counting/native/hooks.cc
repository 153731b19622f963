// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/hooks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

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

using Cancel = int (*)(pthread_t);
using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

struct Waiting {
  sem_t ready;
  long thread = 0;
};

void* WaitForCancellation(void* given) {
  auto* waiting = static_cast<Waiting*>(given);
  waiting->thread = syscall(SYS_gettid);
  sem_post(&waiting->ready);
  for (;;) pause();
}

// It has gone from the list of threads when this returns.
void CancelThread(Create create, Cancel cancel) noexcept {
  Waiting waiting;
  pthread_t thread;
  sem_init(&waiting.ready, 0, 0);
  if (create(&thread, nullptr, &WaitForCancellation, &waiting) == 0) {
    while (sem_wait(&waiting.ready) != 0) {
    }
    cancel(thread);
    pthread_join(thread, nullptr);
    while (syscall(SYS_tgkill, getpid(), waiting.thread, 0) == 0) sched_yield();
  }
  sem_destroy(&waiting.ready);
}

Cancel NextCancel() noexcept {
  static std::atomic<Cancel> known{nullptr};
  return NextOf("pthread_cancel", known);
}

}  // namespace

int NextSigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  static std::atomic<roof_native_sigaction> known{nullptr};
  const auto next = NextOf("sigaction", known);
  if (next != nullptr) return next(number, action, old);
  errno = ENOSYS;
  return -1;
}

// The caller's own cancellation waits, and so do its signals, whose handlers could come here again.
void CancelAThread() noexcept {
  static std::atomic<Create> known{nullptr};
  const Create create = NextOf("pthread_create", known);
  const Cancel cancel = NextCancel();
  if (create == nullptr || cancel == nullptr) return;
  sigset_t all, before;
  int state;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  CancelThread(create, cancel);
  pthread_setcancelstate(state, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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

ROOF_HOOK int mprotect(void* begin, size_t bytes, int protection) noexcept {
  static std::atomic<int (*)(void*, size_t, int)> known{nullptr};
  const auto next = roofmark::counting::NextOf("mprotect", known);
  if (next == nullptr) {
    errno = ENOSYS;
    return -1;
  }
  const int result = next(begin, bytes, protection);
  const int error = errno;
  if (const roof_native_calls* calls = roofmark::counting::Calls()) {
    calls->memory_changed(begin, bytes);
  }
  errno = error;
  return result;
}

ROOF_HOOK int pthread_cancel(pthread_t thread) {
  const auto next = roofmark::counting::NextCancel();
  if (next == nullptr) return ENOSYS;
  if (const roof_native_calls* calls = roofmark::counting::Calls()) calls->follow_cancellation();
  return next(thread);
}

}  // extern "C"
