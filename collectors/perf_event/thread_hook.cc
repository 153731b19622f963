// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/perf_event/thread_hook.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <new>

namespace roofmark::perf {
namespace {

using Body = void* (*)(void*);
using Create = int (*)(pthread_t*, const pthread_attr_t*, Body, void*);

std::atomic<const ThreadEvents*> g_events{nullptr};
std::atomic<int> g_on_the_way{0};
pthread_key_t g_key;
pthread_once_t g_key_once = PTHREAD_ONCE_INIT;

// Destructors of other keys (the markers', which close regions) run in the same round, before or
// after this one: so wait for the second round.
void Ended(void* round) noexcept {
  static char second;
  if (round != &second) {
    pthread_setspecific(g_key, &second);
  } else if (const ThreadEvents* events = g_events.load()) {
    events->ended();
  }
}

void MakeKey() { pthread_key_create(&g_key, &Ended); }

struct Start {
  Body body;
  void* argument;
};

// Copied before anything of the application runs: pthread_exit and cancellation must not lose it.
void* Run(void* given) {
  const Start start = *static_cast<Start*>(given);
  delete static_cast<Start*>(given);
  if (const ThreadEvents* events = g_events.load()) {
    AnnounceEnd();
    events->started();
  }
  --g_on_the_way;
  return start.body(start.argument);
}

Create NextCreate() noexcept {
  static std::atomic<Create> next{nullptr};
  Create found = next.load(std::memory_order_relaxed);
  if (found == nullptr) {
    found = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    next.store(found, std::memory_order_relaxed);
  }
  return found;
}

}  // namespace

void SetThreadEvents(const ThreadEvents* events) noexcept {
  pthread_once(&g_key_once, &MakeKey);
  g_events.store(events);
}

int ThreadsOnTheWay() noexcept { return g_on_the_way.load(); }

void AnnounceEnd() noexcept { pthread_setspecific(g_key, &g_key); }

}  // namespace roofmark::perf

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attr,
                                                                     void* (*body)(void*),
                                                                     void* argument) noexcept {
  using namespace roofmark::perf;
  const Create next = NextCreate();
  if (next == nullptr) return EAGAIN;
  if (g_events.load(std::memory_order_relaxed) == nullptr) {
    return next(thread, attr, body, argument);
  }
  auto* start = new (std::nothrow) Start{body, argument};
  if (start == nullptr) return next(thread, attr, body, argument);
  ++g_on_the_way;
  const int error = next(thread, attr, &Run, start);
  if (error != 0) {
    --g_on_the_way;
    delete start;
  }
  return error;
}
