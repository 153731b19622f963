// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command/doctor/counter_findings.h"
#include "command/doctor/diagnose.h"
#include "command/doctor/open_event.h"

namespace roofmark::cli {
namespace {

constexpr char kCoreSection[] = "Counters of the operating system";

perf_event_attr Generic(uint32_t type, uint64_t config) {
  perf_event_attr attr{};
  attr.type = type;
  attr.config = config;
  return attr;
}

perf_event_attr Cycles() { return Generic(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES); }

struct TriedEvent {
  std::string_view name;
  perf_event_attr attr;
};

// Each event by itself; the worst of them is the finding.
Finding TryAll(std::string id, std::string title, const std::vector<TriedEvent>& events,
               Target target, const SystemFacts& facts) {
  Finding finding{std::move(id), kCoreSection, std::move(title), "", {}};
  std::string counts, fails;
  for (const TriedEvent& event : events) {
    const Opened opened = TryOnThread({event.attr}, target == Target::kKernel);
    const Diagnosis diagnosis = opened.error == 0 && !opened.runs
                                    ? DiagnoseNeverRuns(facts)
                                    : DiagnoseOpen(opened.error, target, facts);
    std::string& list = diagnosis.state == State::kOk ? counts : fails;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", event.name);
    if (diagnosis.state > finding.diagnosis.state) finding.diagnosis = diagnosis;
  }
  if (!counts.empty())
    finding.found = counts + (counts.find(',') == counts.npos ? " counts" : " count");
  if (!fails.empty()) {
    finding.found +=
        fmt::format("{}{} cannot be counted", finding.found.empty() ? "" : "; ", fails);
  }
  return finding;
}

Finding SystemCall(const SystemFacts& facts) {
  Finding finding{"perf_event_open", kCoreSection, "system call",
                  "perf_event_open reaches the operating system",
                  DiagnoseSystemCall(ErrorOfUnknownFlags(), facts)};
  if (!finding.Ok()) finding.found = "perf_event_open does not reach the operating system";
  return finding;
}

Finding UserRead() {
  Finding finding{
      "user_read", kCoreSection, "fast read", "counters are read without a system call", {}};
  if (!CanReadInUserMode(Generic(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS))) {
    finding.found = "every read is a system call";
    finding.diagnosis = {State::kLimited, 0,
                         "the operating system does not allow programs to read counters directly",
                         "echo 1 | sudo tee /sys/bus/event_source/devices/cpu/rdpmc (ARM: sysctl "
                         "kernel.perf_user_access=1)"};
  }
  return finding;
}

// Branches: on no CPU of the table have they a counter of their own, as cycles and instructions do.
Finding Counters(const SystemFacts& facts) {
  const Capacity capacity =
      CountersFor(Generic(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS));
  Finding finding{"counters",
                  kCoreSection,
                  "counters",
                  fmt::format("{} events count at the same time{}", capacity.runs,
                              facts.nmi_watchdog ? "; the NMI watchdog is on" : ""),
                  {}};
  if (capacity.opens == 0) {
    finding.found = "their number is unknown: the event that finds it (branches) does not count";
  }
  if (capacity.runs < capacity.opens) {
    finding.found = fmt::format("{} of {} are free", capacity.runs, capacity.opens);
    finding.diagnosis = DiagnoseNeverRuns(facts);
    const size_t held = capacity.opens - capacity.runs;
    finding.diagnosis.cause = fmt::format(
        "{} held by {}", held == 1 ? "one is" : fmt::format("{} are", held),
        facts.nmi_watchdog ? "the NMI watchdog" : "others (the site's monitoring, a profiler)");
  }
  return finding;
}

}  // namespace

Findings FindCoreCounters(const SystemFacts& facts) {
  Findings findings = {SystemCall(facts)};
  if (!findings[0].Ok()) return findings;
  const auto software = [](uint64_t config) { return Generic(PERF_TYPE_SOFTWARE, config); };
  findings.push_back(TryAll("software_events", "software events",
                            {{"task-clock", software(PERF_COUNT_SW_TASK_CLOCK)},
                             {"page-faults", software(PERF_COUNT_SW_PAGE_FAULTS)}},
                            Target::kSoftware, facts));
  const perf_event_attr instructions = Generic(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
  findings.push_back(TryAll("core_events", "core's counters",
                            {{"cycles", Cycles()}, {"instructions", instructions}}, Target::kCore,
                            facts));
  // Without a PMU that opens, the rest would repeat the same reason.
  if (TryOnThread({instructions}, false).error != 0) return findings;
  findings.push_back(
      TryAll("kernel_mode", "kernel mode", {{"cycles", Cycles()}}, Target::kKernel, facts));
  findings.push_back(UserRead());
  findings.push_back(Counters(facts));
  return findings;
}

}  // namespace roofmark::cli
