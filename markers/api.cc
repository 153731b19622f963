// SPDX-License-Identifier: BSD-3-Clause
//
// The exported entry points of markers with a site.
#include <roofmark/roofmark.h>

#include "markers/fast_path.h"

#define ROOFMARK_API extern "C" __attribute__((visibility("default")))

using roofmark::Ticks;
using roofmark::markers::Recorder;
using roofmark::markers::TryBegin;
using roofmark::markers::TryEnd;

namespace {

// 0 until some thread has resolved the site's name.
uint32_t NameOf(const roofmark_site* site) noexcept {
  return __atomic_load_n(&site->id, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void SlowBegin(roofmark_site* site, int level) noexcept {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit(site)) recorder.Begin(NameOf(site), site->file, site->line, level);
}

__attribute__((noinline)) void SlowEnd(roofmark_site* site, uint64_t now) noexcept {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit(site)) recorder.End(NameOf(site), site->file, site->line, now);
}

}  // namespace

ROOFMARK_API void roofmark_site_begin(roofmark_site* site, int level) {
  if (!TryBegin(NameOf(site), level)) SlowBegin(site, level);
}

ROOFMARK_API void roofmark_site_end(roofmark_site* site) {
  const uint64_t now = Ticks();
  if (!TryEnd(NameOf(site), now)) SlowEnd(site, now);
}

ROOFMARK_API void roofmark_work(uint64_t flops, uint64_t bytes) {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit()) recorder.Work(flops, bytes);
}

ROOFMARK_API void roofmark_site_work(roofmark_site* site, uint64_t flops, uint64_t bytes) {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit(site)) recorder.Work(flops, bytes);
}

ROOFMARK_API void roofmark_site_operations(roofmark_site* site, uint64_t count) {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit(site)) recorder.Operations(NameOf(site), count);
}

// For the wrapper library: time inside MPI of the calling thread. 0 only says that it will come.
ROOFMARK_API void roofmark_mpi_time(uint64_t ticks) {
  Recorder::ExpectMpiTime();
  Recorder* recorder = roofmark::markers::g_recorder;
  if (ticks > 0 && recorder != nullptr && recorder->recording()) recorder->MpiTime(ticks);
}

ROOFMARK_API void roofmark_pause(void) {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit()) recorder.Pause();
}

ROOFMARK_API void roofmark_resume(void) {
  Recorder& recorder = Recorder::Get();
  if (recorder.Admit()) recorder.Unpause();
}

ROOFMARK_API int roofmark_active(void) { return Recorder::Get().Admit() ? 1 : 0; }

ROOFMARK_API const char* roofmark_version(void) { return ROOFMARK_VERSION_TEXT; }
