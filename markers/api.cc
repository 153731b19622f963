// SPDX-License-Identifier: BSD-3-Clause
//
// The exported entry points of markers with a site.
#include <roofmark/roofmark.h>

#include "markers/declare.h"
#include "markers/fast_path.h"

#define ROOFMARK_API extern "C" __attribute__((visibility("default")))

using roofmark::Inside;
using roofmark::Ticks;
using roofmark::markers::AddMpiTime;
using roofmark::markers::DeclaredWork;
using roofmark::markers::DeclareOperations;
using roofmark::markers::DeclareWork;
using roofmark::markers::PrepareWork;
using roofmark::markers::Recorder;
using roofmark::markers::TryBegin;
using roofmark::markers::TryEnd;
using roofmark::markers::TryTime;

namespace spool = roofmark::spool;

namespace {

// 0 until some thread has resolved the site's name.
uint32_t NameOf(const roofmark_site* site) noexcept {
  return __atomic_load_n(&site->id, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void SlowBegin(roofmark_site* site, int level) noexcept {
  const bool admitted = Recorder::Admits(site);
  if (!admitted && !Recorder::Miss(site->name == nullptr ? "" : site->name)) return;
  const Inside inside;
  if (inside && Recorder::Get().ResolveRegion(site)) {
    Recorder::Get().Begin(NameOf(site), site->file, site->line, level);
  }
}

bool ResolveSite(roofmark_site* site) noexcept {
  if (NameOf(site) != 0) return true;
  const Inside inside;
  return inside && Recorder::Get().Resolve(site);
}

__attribute__((noinline)) void SlowEnd(roofmark_site* site, uint64_t now) noexcept {
  if (!Recorder::Admits(site)) return;
  const Inside inside;
  if (inside && Recorder::Get().ResolveRegion(site)) {
    Recorder::Get().End(NameOf(site), site->file, site->line, now);
  }
}

// Where recording is off no clock is read: the first time takes system calls, and a program that
// restricts them may not be allowed the CPU's counter either.
__attribute__((noinline)) void AdmittedEnd(roofmark_site* site) noexcept {
  if (Recorder::Admits(site)) SlowEnd(site, Ticks());
}

}  // namespace

ROOFMARK_API void roofmark_site_begin(roofmark_site* site, int level) {
  if (!TryBegin(NameOf(site), level)) SlowBegin(site, level);
}

ROOFMARK_API void roofmark_site_end(roofmark_site* site) {
  const roofmark::markers::ThreadRecord* record = roofmark::markers::t_record;
  if (__builtin_expect(record == nullptr || !record->simple.load(std::memory_order_relaxed), 0)) {
    return AdmittedEnd(site);
  }
  const uint64_t now = Ticks();
  if (!TryEnd(NameOf(site), now)) SlowEnd(site, now);
}

ROOFMARK_API void roofmark_work(uint64_t flops, uint64_t bytes) {
  if (Recorder::recording()) DeclareWork(flops, bytes);
}

ROOFMARK_API void roofmark_site_work(roofmark_site* site, uint64_t flops, uint64_t bytes) {
  if (Recorder::Admits(site)) DeclareWork(flops, bytes);
}

ROOFMARK_API void roofmark_site_operations(roofmark_site* site, uint64_t count) {
  if (Recorder::Admits(site) && ResolveSite(site)) DeclareOperations(NameOf(site), count);
}

// For the wrapper library: time inside MPI of the calling thread, a frame of the library, and the
// address to which its outermost function returns. 0 only says that it will come. What roofmark
// itself calls of MPI is nobody's.
ROOFMARK_API void roofmark_mpi_time(uint64_t ticks, const void* frame, const void* caller) {
  Recorder::ExpectMpiTime();
  if (ticks == 0 || roofmark::t_inside != 0 || !Recorder::recording()) return;
  Recorder::TellOfMpi(ticks, frame, caller);
  AddMpiTime(ticks);
}

// For the wrapper library: a parallel region that the calling thread began has ended. It took
// `parallel` ticks, hence its team `team`; in `busy` of them its threads did not wait, and
// `busiest` is the longest of a thread. All 0: that they will come.
ROOFMARK_API void roofmark_openmp_time(uint64_t parallel, uint64_t team, uint64_t busy,
                                       uint64_t busiest) {
  Recorder::ExpectOpenMpTime();
  if (team == 0 || roofmark::t_inside != 0 || !Recorder::recording()) return;
  const auto add = [=](DeclaredWork& work) {
    spool::Raise(work.parallel_ticks, parallel);
    spool::Raise(work.team_ticks, team);
    spool::Raise(work.busy_ticks, busy);
    spool::Raise(work.busiest_ticks, busiest);
  };
  if (!TryTime(add) && PrepareWork(0)) TryTime(add);
}

// For the wrapper libraries: the calling thread goes on in this layer. Returns the one in which it
// was, or kLayersNotFollowed if nobody wants to know. What roofmark itself calls is nobody's.
ROOFMARK_API uint32_t roofmark_layer(uint32_t layer) {
  roofmark::Collector* follower = Recorder::LayerFollower();
  if (follower == nullptr || roofmark::t_inside != 0) return roofmark::kLayersNotFollowed;
  const Inside inside;
  if (!inside) return roofmark::kLayersNotFollowed;
  return static_cast<uint32_t>(follower->EnterLayer(static_cast<roofmark::Layer>(layer)));
}

ROOFMARK_API void roofmark_pause(void) {
  if (!Recorder::recording()) return;
  const Inside inside;
  if (inside) Recorder::Get().Pause();
}

ROOFMARK_API void roofmark_resume(void) {
  if (!Recorder::recording()) return;
  const Inside inside;
  if (inside) Recorder::Get().Unpause();
}

ROOFMARK_API int roofmark_active(void) { return Recorder::recording() ? 1 : 0; }

ROOFMARK_API const char* roofmark_version(void) { return ROOFMARK_VERSION_TEXT; }
