// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/counted_places.h"

#include <fmt/format.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "collectors/hardware/perf/explain.h"
#include "lib/core/descriptor.h"
#include "markers/samples/trap_guard.h"

namespace roofmark::samples {
namespace {

int OpenBreakpoint(uint64_t address, pid_t thread, bool forks_are_others) noexcept {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_BREAKPOINT;
  attr.bp_type = HW_BREAKPOINT_X;
  attr.bp_addr = address;
  attr.bp_len = sizeof(long);  // what the kernel wants of instructions
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.inherit = 1;
  attr.inherit_thread = forks_are_others;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attr, thread, /*cpu=*/-1, /*group=*/-1, PERF_FLAG_FD_CLOEXEC));
}

std::string Explain(int error) {
  if (error == ENOSPC)
    return "the processor has no breakpoint left (is this a debugger's process?)";
  if (error == EOPNOTSUPP || error == ENOENT || error == ENODEV || error == EINVAL) {
    return "this machine offers no breakpoints for instructions";
  }
  return perf::ExplainOpen(error, /*with_kernel=*/false).reason;
}

// Counted by itself: some virtual machines open breakpoints that never count.
[[gnu::noinline]] void Probe() noexcept { asm volatile(""); }

std::string WhyNotExact(int breakpoint) noexcept {
  constexpr uint64_t kTimes = 3;
  for (uint64_t i = 0; i < kTimes; ++i) Probe();
  uint64_t times = 0;
  if (read(breakpoint, &times, sizeof times) == sizeof times && times == kTimes) return {};
  return "this machine offers breakpoints for instructions, but they do not count";
}

}  // namespace

CountedPlaces::~CountedPlaces() {
  for (Place& place : places_) Close(place);
}

// Kernels before 5.13 know no `inherit_thread`: they count in forked children, too.
std::optional<EventDescriptor> CountedPlaces::Open(uint64_t address, pid_t thread) noexcept {
  int opened = OpenBreakpoint(address, thread, /*forks_are_others=*/true);
  if (opened < 0 && errno == EINVAL) opened = OpenBreakpoint(address, thread, false);
  const EventDescriptor event(MoveOutOfTheWay(opened));
  return event.number() < 0 ? std::nullopt : std::optional(event);
}

void CountedPlaces::Close(Place& place) noexcept {
  for (EventDescriptor& event : place.events) event.Close();
  place.events.clear();
  if (place.address != 0) LetGoOfPlace(std::exchange(place.address, 0));
}

void CountedPlaces::Start(std::span<const CodePlace> places, const ModuleMap& modules,
                          std::span<const pid_t> threads) {
  why_not_ = WhyNot();
  const bool can = why_not_.empty();
  for (const CodePlace& place : places) {
    Place& known = places_.emplace_back(Place{{place, std::nullopt}, 0, {}});
    if (can) Start(known, modules, threads);
  }
}

void CountedPlaces::Start(Place& place, const ModuleMap& modules, std::span<const pid_t> threads) {
  const auto fail = [&](std::string why) {
    Close(place);
    if (why_not_.empty()) why_not_ = std::move(why);
  };
  const CodePlace& wanted = place.counted.place;
  const auto module =
      std::find_if(modules.begin(), modules.end(),
                   [&wanted](const MappedModule& each) { return each.file == wanted.file; });
  if (module == modules.end() || wanted.offset >= module->end - module->begin) {
    return fail(fmt::format("{} was not loaded at the start", wanted.file));
  }
  place.address = module->begin + wanted.offset;
  GuardPlace(place.address);
  for (const pid_t thread : threads) {
    const std::optional<EventDescriptor> event = Open(place.address, thread);
    if (event) {
      place.events.push_back(*event);
    } else if (errno != ESRCH) {  // else it ended
      return fail(Explain(errno));
    }
  }
}

std::vector<CountedPlace> CountedPlaces::Stop() noexcept try {
  std::vector<CountedPlace> counted;
  for (Place& place : places_) {
    uint64_t sum = 0, times = 0;
    bool all = !place.events.empty();
    for (const EventDescriptor& event : place.events) {
      all = all && event.IsOpen() && read(event.number(), &times, sizeof times) == sizeof times;
      sum += times;
    }
    if (all) place.counted.times = sum;
    if (!all && why_not_.empty()) why_not_ = "the program closed what counts them";
    Close(place);
    counted.push_back(place.counted);
  }
  places_.clear();
  return counted;
} catch (...) {
  return {};
}

std::string CountedPlaces::WhyNot() {
  const auto probe = reinterpret_cast<uintptr_t>(&Probe);
  std::optional<EventDescriptor> event = Open(probe, 0);
  if (!event) return Explain(errno);
  GuardPlace(probe);
  std::string why = WhyNotExact(event->number());
  event->Close();
  LetGoOfPlace(probe);
  return why;
}

}  // namespace roofmark::samples
