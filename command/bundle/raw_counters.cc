// SPDX-License-Identifier: BSD-3-Clause
#include "command/bundle/raw_counters.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "collectors/hardware/events/attributes.h"

namespace roofmark::cli {
namespace {

// Every core of the event table has so many counters, and one for the NMI watchdog.
constexpr uint32_t kCountersAtOnce = 3;

int OpenCounting(const events::EncodedEvent& event, int cpu) {
  perf_event_attr attr = events::Attributes(event);
  attr.size = sizeof attr;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  // Devices outside the cores know no modes.
  attr.exclude_kernel = attr.exclude_hv = cpu < 0;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attr, cpu < 0 ? 0 : -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

RawCounters::RawCounters(const RawEvents& raw) : raw_(raw) {
  std::vector<Place> of_devices;
  uint32_t taken = kCountersAtOnce;  // of the last round
  for (size_t i = 0; i < raw.events.size(); ++i) {
    const RawEvent& each = raw.events[i];
    if (each.error != 0 || !each.runs) continue;
    if (each.event.scope == Scope::kPackage) {
      for (const uint32_t cpu : each.event.cpus) of_devices.push_back({i, static_cast<int>(cpu)});
      continue;
    }
    if (taken + each.counters > kCountersAtOnce) {
      rounds_.emplace_back();
      taken = 0;
    }
    rounds_.back().push_back({i, -1});
    taken += each.counters;
  }
  if (!of_devices.empty()) rounds_.push_back(std::move(of_devices));
}

RawCounters::~RawCounters() { End(); }

void RawCounters::EnterTeam(uint32_t path, bool, const counts::FinishedVisit*) noexcept {
  End();
  if (path != 0 && !rounds_.empty()) Begin(path);
}

void RawCounters::Begin(uint32_t path) {
  path_ = path;
  for (const Place& place : rounds_[visits_[path]++ % rounds_.size()]) {
    const int fd = OpenCounting(raw_.events[place.event].event, place.cpu);
    if (fd >= 0) opened_.push_back({place, fd});
  }
}

void RawCounters::End() {
  for (const Opened& each : opened_) {
    struct {
      int64_t value, enabled_ns, running_ns;
    } now = {};
    if (read(each.fd, &now, sizeof now) == sizeof now) {
      RawTotal& total = totals_[path_][{each.place.event, each.place.cpu}];
      total.event = each.place.event;
      total.cpu = each.place.cpu;
      total.value += now.value;
      total.enabled_ns += now.enabled_ns;
      total.running_ns += now.running_ns;
    }
    close(each.fd);
  }
  opened_.clear();
}

std::vector<RawTotal> RawCounters::TotalsOf(uint32_t path) const {
  std::vector<RawTotal> list;
  const auto found = totals_.find(path);
  if (found == totals_.end()) return list;
  for (const auto& [place, total] : found->second) list.push_back(total);
  return list;
}

}  // namespace roofmark::cli
