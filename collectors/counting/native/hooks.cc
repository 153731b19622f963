// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/hooks.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "collectors/counting/native/next_of.h"

namespace roofmark::counting {
namespace {

std::atomic<const roof_native_calls*> g_calls{nullptr};

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

const roof_native_calls* ToldEngine() noexcept { return g_calls.load(std::memory_order_acquire); }

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

ROOF_HOOK int dlclose(void* handle) noexcept {
  static std::atomic<int (*)(void*)> known{nullptr};
  const auto next = roofmark::counting::NextOf("dlclose", known);
  const int result = next == nullptr ? -1 : next(handle);
  if (const roof_native_calls* calls = roofmark::counting::ToldEngine()) calls->files_changed();
  return result;
}

ROOF_HOOK int pthread_cancel(pthread_t thread) {
  const auto next = roofmark::counting::NextCancel();
  if (next == nullptr) return ENOSYS;
  if (const roof_native_calls* calls = roofmark::counting::ToldEngine())
    calls->follow_cancellation();
  return next(thread);
}

}  // extern "C"
