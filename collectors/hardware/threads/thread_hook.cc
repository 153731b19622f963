// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/thread_hook.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <new>
#include <optional>

#include "lib/core/inside.h"
#include "lib/core/thread.h"

namespace roofmark::threads {
namespace {

using Body = void* (*)(void*);
using Create = int (*)(pthread_t*, const pthread_attr_t*, Body, void*);

std::atomic<const ThreadEvents*> g_events[kThreadListeners] = {};
std::atomic<int> g_on_the_way{0};
// None if the application has taken all: then ends are noticed at boundaries only.
std::optional<pthread_key_t> g_key;
pthread_once_t g_key_once = PTHREAD_ONCE_INIT;

bool AnyoneListens() noexcept {
  return std::any_of(std::begin(g_events), std::end(g_events), [](const auto& events) {
    return events.load(std::memory_order_relaxed) != nullptr;
  });
}

void Tell(void (*ThreadEvents::*what)() noexcept) noexcept {
  for (const auto& listener : g_events) {
    if (const ThreadEvents* events = listener.load()) (events->*what)();
  }
}

// Destructors of other keys (the markers', which close regions) run in the same round, before or
// after this one: so wait for the second round.
void Ended(void* round) {
  static char second;
  LeaveAtThreadEnd();
  const Inside inside;
  if (round != &second) {
    pthread_setspecific(*g_key, &second);
  } else {
    Tell(&ThreadEvents::ended);
  }
}

void MakeKey() {
  if (pthread_key_t key; pthread_key_create(&key, &Ended) == 0) g_key = key;
}

struct Start {
  Body body;
  void* argument;
};

// Copied before anything of the application runs: pthread_exit and cancellation must not lose it.
void* Run(void* given) {
  const Start start = *static_cast<Start*>(given);
  delete static_cast<Start*>(given);
  if (AnyoneListens()) {
    const Inside inside;
    AnnounceEnd();
    Tell(&ThreadEvents::started);
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

// Numbers of roofmark's own threads, of the last one where several followed each other; 0: none
// yet.
constexpr size_t kMostOwn = 32;
std::atomic<pid_t> g_own[kMostOwn];

struct OwnStart {
  Body body;
  void* argument;
  std::atomic<pid_t>* slot;
  sem_t known;
};

void* RunOwn(void* given) {
  auto* start = static_cast<OwnStart*>(given);
  const Body body = start->body;
  void* argument = start->argument;
  std::atomic<pid_t>* slot = start->slot;
  slot->store(ThisThread());
  sem_post(&start->known);
  void* result = body(argument);
  // The number stays in its slot: the thread still is in /proc/self/task for a moment.
  return result;
}

bool MakeOwn(pthread_t* thread, OwnStart& start, Stack stack) noexcept {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  constexpr size_t kSmall = 256 << 10;
  if (stack == Stack::kSmall) {
    pthread_attr_setstacksize(&attributes, std::max<size_t>(kSmall, PTHREAD_STACK_MIN));
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const auto next = NextCreate();
  const bool made = next != nullptr && next(thread, &attributes, &RunOwn, &start) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return made;
}

}  // namespace

bool CreateUncounted(pthread_t* thread, Body body, void* argument, Stack stack) noexcept {
  for (std::atomic<pid_t>& slot : g_own) {
    pid_t before = slot.load();
    constexpr pid_t kTaken = -1;
    const bool free = before == 0 || (before != kTaken && IsGone(before));
    if (!free || !slot.compare_exchange_strong(before, kTaken)) continue;
    OwnStart start{body, argument, &slot, {}};
    sem_init(&start.known, 0, 0);
    const bool made = MakeOwn(thread, start, stack);
    while (made && sem_wait(&start.known) != 0) {
    }
    sem_destroy(&start.known);
    if (!made) slot.store(0);
    return made;
  }
  return false;
}

bool IsUncounted(pid_t tid) noexcept {
  return std::any_of(std::begin(g_own), std::end(g_own),
                     [tid](const std::atomic<pid_t>& own) { return own.load() == tid; });
}

void SetThreadEvents(ThreadListener listener, const ThreadEvents* events) noexcept {
  pthread_once(&g_key_once, &MakeKey);
  g_events[static_cast<size_t>(listener)].store(events);
}

int ThreadsOnTheWay() noexcept { return g_on_the_way.load(); }

void AnnounceEnd() noexcept {
  if (g_key) pthread_setspecific(*g_key, &g_key);
}

}  // namespace roofmark::threads

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attr,
                                                                     void* (*body)(void*),
                                                                     void* argument) noexcept {
  using namespace roofmark::threads;
  const Create next = NextCreate();
  if (next == nullptr) return EAGAIN;
  if (!AnyoneListens()) return next(thread, attr, body, argument);
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
