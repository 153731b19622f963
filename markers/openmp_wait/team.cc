// SPDX-License-Identifier: BSD-3-Clause
#include "markers/openmp_wait/team.h"

#include <dlfcn.h>

#include <utility>

#include "lib/core/clock.h"
#include "lib/core/follow_layer.h"

// Of libroofmark.so; missing where the program runs without.
extern "C" __attribute__((weak)) void roofmark_openmp_time(uint64_t parallel, uint64_t team,
                                                           uint64_t busy, uint64_t busiest);

namespace roofmark::openmp_wait {
namespace {

// Threads of the program's own may each begin one.
constexpr uint32_t kTeams = 64;
Team g_teams[kTeams];

// Of the calling thread. The clock runs while it works: in a body or a task, and in no wait.
struct Own {
  Team* team;      // the last one that it belonged to
  bool begun;      // a team that it has begun is under way
  bool in_body;    // of `team`, or in one of its tasks
  uint32_t waits;  // under way, one in another
  uint64_t since;  // when it began to work, while it does
  uint64_t busy;   // ticks for `team` until then
  uint64_t told;   // of these, what `team` knows
};
__thread Own t_own __attribute__((tls_model("initial-exec")));

void StartClock() { t_own.since = Ticks(); }
void StopClock() { t_own.busy += TicksBetween(t_own.since, Ticks()); }

__thread Team** t_handed __attribute__((tls_model("initial-exec")));

std::atomic<bool> g_blind{false};

void Tell() {
  Team& team = *t_own.team;
  team.busy.fetch_add(t_own.busy - t_own.told, std::memory_order_relaxed);
  t_own.told = t_own.busy;
  uint64_t most = team.busiest.load(std::memory_order_relaxed);
  while (most < t_own.busy &&
         !team.busiest.compare_exchange_weak(most, t_own.busy, std::memory_order_relaxed)) {
  }
}

// omp_get_level() of the runtime that is loaded; more than 0 within a parallel region.
bool IsNested() {
  using Query = int (*)();
  static std::atomic<Query> known{nullptr};
  Query level = known.load(std::memory_order_relaxed);
  if (__builtin_expect(level == nullptr, 0)) {
    level = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "omp_get_level"));
    if (level == nullptr) return false;
    known.store(level, std::memory_order_relaxed);
  }
  return level() > 0;
}

}  // namespace

bool IsWanted() noexcept { return roofmark_openmp_time != nullptr; }

void MeasureNoMore() noexcept { g_blind.store(true, std::memory_order_relaxed); }

uint32_t FollowIntoRuntime() noexcept {
  return FollowInto(g_blind.load(std::memory_order_relaxed) ? Layer::kWork : Layer::kRuntime);
}

Team* BeginTeam() noexcept {
  if (!IsWanted() || g_blind.load(std::memory_order_relaxed)) return nullptr;
  if (t_own.begun || t_own.in_body || IsNested()) return nullptr;
  for (Team& team : g_teams) {
    if (team.taken.load(std::memory_order_relaxed) ||
        team.taken.exchange(true, std::memory_order_acquire)) {
      continue;
    }
    team.threads.store(0, std::memory_order_relaxed);
    team.busy.store(0, std::memory_order_relaxed);
    team.busiest.store(0, std::memory_order_relaxed);
    t_own.begun = true;
    team.start = Ticks();
    return &team;
  }
  return nullptr;
}

void HandOver(Team** team) noexcept { t_handed = team; }

Team* TakeOver() noexcept {
  Team** handed = std::exchange(t_handed, nullptr);
  return handed == nullptr ? nullptr : std::exchange(*handed, nullptr);
}

void EndTeam(Team* team) noexcept {
  const uint64_t parallel = TicksBetween(team->start, Ticks());
  const uint64_t threads = team->threads.load(std::memory_order_relaxed);
  const uint64_t busy = team->busy.load(std::memory_order_relaxed);
  const uint64_t busiest = team->busiest.load(std::memory_order_relaxed);
  t_own.team = nullptr;
  t_own.begun = t_own.in_body = false;
  team->taken.store(false, std::memory_order_release);
  roofmark_openmp_time(parallel, parallel * threads, busy, busiest);
}

void BeginBody(Team* team) noexcept {
  team->threads.fetch_add(1, std::memory_order_relaxed);
  t_own = {team, t_own.begun, true, 0, 0, 0, 0};
  StartClock();
}

void EndBody() noexcept {
  if (!t_own.in_body) return;
  if (t_own.waits == 0) StopClock();
  t_own.in_body = false;
  Tell();
}

void LeaveBody() noexcept { t_own.in_body = false; }

void TellTeam() noexcept {
  if (t_own.in_body && t_own.waits != 0) Tell();
}

void BeginWait() noexcept {
  if (t_own.in_body && t_own.waits++ == 0) StopClock();
}

void EndWait() noexcept {
  if (t_own.in_body && t_own.waits != 0 && --t_own.waits == 0) StartClock();
}

Interrupted BeginTask() noexcept {
  const Interrupted before = {t_own.waits, t_own.in_body, FollowInto(Layer::kWork)};
  if (t_own.team == nullptr || (before.in_body && before.waits == 0)) return before;
  t_own.waits = 0;
  t_own.in_body = true;
  StartClock();
  return before;
}

void EndTask(Interrupted before) noexcept {
  FollowBack(before.layer);
  if (t_own.team == nullptr || (before.in_body && before.waits == 0)) return;
  if (t_own.waits == 0) StopClock();
  t_own.waits = before.waits;
  t_own.in_body = before.in_body;
  if (!before.in_body) Tell();
}

}  // namespace roofmark::openmp_wait
