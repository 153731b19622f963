// SPDX-License-Identifier: BSD-3-Clause
//
// libgomp, in front of which this library stands. It has no interface for tools, so the functions
// that it is handed are replaced by ones that note when they begin and end.
//
// Arguments are handed on as machine words: all of them are integers or pointers. More words than
// the program has passed hold what happens to lie there, as the runtime would have found it.
#include <link.h>

#include <algorithm>
#include <cstdint>

#include "lib/core/follow_layer.h"
#include "lib/core/next_function.h"
#include "markers/openmp_wait/gomp_calls.h"
#include "markers/openmp_wait/tasks.h"
#include "markers/openmp_wait/team.h"

#define ROOFMARK_WRAPPER extern "C" __attribute__((visibility("default")))

namespace {

using namespace roofmark::openmp_wait;
using roofmark::Next;

using Word = uintptr_t;
static_assert(sizeof(Word) == 8, "the arguments of 32-bit ABIs are not one word each");

using BodyFunction = void (*)(void*);

struct Fork {
  BodyFunction function;
  void* argument;
  Team* team;
};

// Ends what it began also where an exception or the end of the thread leaves it.
class Share {
 public:
  explicit Share(Team* team) : measured_(team != nullptr) {
    roofmark::FollowInto(roofmark::Layer::kWork);
    if (measured_) BeginBody(team);
  }
  ~Share() {
    if (measured_) EndBody();
    FollowIntoRuntime();
  }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

 private:
  const bool measured_;
};
class Wait {
 public:
  Wait() : before_(FollowIntoRuntime()) { BeginWait(); }
  ~Wait() {
    EndWait();
    roofmark::FollowBack(before_);
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

 private:
  const uint32_t before_;
};

// In place of the body, on each thread of the team.
void TimedBody(void* argument) {
  const auto* fork = static_cast<const Fork*>(argument);
  HandOver(nullptr);
  const Share share(fork->team);
  fork->function(fork->argument);
}

// The calling thread's last parallel region: who has begun it, and what it executes.
struct LastFork {
  const void *caller, *body;
};
__thread LastFork t_last __attribute__((tls_model("initial-exec"))) = {nullptr, nullptr};

template <typename... Words>
Word TimedFork(Next& next, void* caller, Word body, Word argument, Words... words) {
  const auto call = reinterpret_cast<Word (*)(Word, Word, Words...)>(next.Get(caller));
  if (__builtin_expect(call == nullptr, 0)) return 0;
  t_last = {caller, reinterpret_cast<const void*>(body)};
  Team* team = BeginTeam();
  const uint32_t before = FollowIntoRuntime();
  if (team == nullptr && before == roofmark::kLayersNotFollowed) {
    return call(body, argument, words...);
  }
  Fork fork = {reinterpret_cast<BodyFunction>(body), reinterpret_cast<void*>(argument), team};
  HandOver(&fork.team);
  const Word result =
      call(reinterpret_cast<Word>(&TimedBody), reinterpret_cast<Word>(&fork), words...);
  HandOver(nullptr);
  roofmark::FollowBack(before);
  if (fork.team != nullptr) EndTeam(fork.team);
  return result;
}

template <typename... Words>
Word TimedWait(Next& next, void* caller, Words... words) {
  const auto call = reinterpret_cast<Word (*)(Words...)>(next.Get(caller));
  if (__builtin_expect(call == nullptr, 0)) return 0;
  const Wait wait;
  return call(words...);
}

// Making tasks executes some, too.
template <typename... Words>
Word TimedTasks(Next& next, void* caller, Word task, Words... words) {
  const auto function = TimedTask(reinterpret_cast<TaskFunction>(task));
  return TimedWait(next, caller, reinterpret_cast<Word>(function), words...);
}

}  // namespace

// Of the linker: where this library begins.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;

namespace {

// As the headers of this library say.
uintptr_t EndOfLibrary() {
  const auto begin = reinterpret_cast<uintptr_t>(&__ehdr_start);
  const auto* segments = reinterpret_cast<const ElfW(Phdr)*>(begin + __ehdr_start.e_phoff);
  uintptr_t end = begin;
  for (unsigned i = 0; i < __ehdr_start.e_phnum; ++i) {
    if (segments[i].p_type != PT_LOAD) continue;
    end = std::max(end, begin + segments[i].p_vaddr + segments[i].p_memsz);
  }
  return end;
}

bool IsOwn(const void* code) {
  static const uintptr_t end = EndOfLibrary();
  const auto address = reinterpret_cast<uintptr_t>(code);
  return address >= reinterpret_cast<uintptr_t>(&__ehdr_start) && address < end;
}

}  // namespace

// What the runtime sees of a parallel region that came through here is replaced by what the program
// has: where its call returns to, and its body.
ROOFMARK_WRAPPER void roofmark_openmp_fork(const void** caller, const void** body) {
  if (IsOwn(*caller)) *caller = t_last.caller;
  if (IsOwn(*body)) *body = t_last.body;
}

#define ROOFMARK_PARAMS_0
#define ROOFMARK_PARAMS_1 Word a
#define ROOFMARK_PARAMS_4 Word a, Word b, Word c, Word d
#define ROOFMARK_PARAMS_5 ROOFMARK_PARAMS_4, Word e
#define ROOFMARK_PARAMS_7 ROOFMARK_PARAMS_5, Word f, Word g
#define ROOFMARK_PARAMS_8 ROOFMARK_PARAMS_7, Word h
#define ROOFMARK_PARAMS_10 ROOFMARK_PARAMS_8, Word i, Word j
#define ROOFMARK_PARAMS_11 ROOFMARK_PARAMS_10, Word k
#define ROOFMARK_ARGS_0
#define ROOFMARK_ARGS_1 , a
#define ROOFMARK_ARGS_4 , a, b, c, d
#define ROOFMARK_ARGS_5 ROOFMARK_ARGS_4, e
#define ROOFMARK_ARGS_7 ROOFMARK_ARGS_5, f, g
#define ROOFMARK_ARGS_8 ROOFMARK_ARGS_7, h
#define ROOFMARK_ARGS_10 ROOFMARK_ARGS_8, i, j
#define ROOFMARK_ARGS_11 ROOFMARK_ARGS_10, k

#define ROOFMARK_WRAP(timed, name, n)                                  \
  ROOFMARK_WRAPPER Word name(ROOFMARK_PARAMS_##n) {                    \
    static Next next{#name};                                           \
    return timed(next, __builtin_return_address(0) ROOFMARK_ARGS_##n); \
  }
#define ROOFMARK_WRAP_FORK(name, n) ROOFMARK_WRAP(TimedFork, name, n)
#define ROOFMARK_WRAP_WAIT(name, n) ROOFMARK_WRAP(TimedWait, name, n)

ROOFMARK_GOMP_FORKS(ROOFMARK_WRAP_FORK)
ROOFMARK_GOMP_WAITS(ROOFMARK_WRAP_WAIT)
ROOFMARK_WRAP(TimedTasks, GOMP_task, 10)
ROOFMARK_WRAP(TimedTasks, GOMP_taskloop, 11)
ROOFMARK_WRAP(TimedTasks, GOMP_taskloop_ull, 11)
