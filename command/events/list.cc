// SPDX-License-Identifier: BSD-3-Clause
#include "command/events/list.h"

#include <fmt/format.h>

#include <cerrno>

#include "collectors/hardware/events/libpfm.h"
#include "command/doctor/diagnose.h"

namespace roofmark::cli {
namespace {

std::string KeyOfThisCpu(std::string& why_none) {
  const Result<events::CpuFacts> facts = events::ReadCpuFacts();
  const Result<events::CpuModel> cpu =
      facts ? events::IdentifyCpu(*facts) : Result<events::CpuModel>(Error{facts.error()});
  if (cpu) return events::CpuKey(*cpu);
  why_none = cpu.error();
  return "";
}

std::string AllKeys() {
  std::string keys;
  for (const events::CpuModel& cpu : events::KnownCpus()) {
    keys += (keys.empty() ? "" : ", ") + events::CpuKey(cpu);
  }
  return keys;
}

void AddSoftware(EventList& list, const events::Sysfs& sysfs, const SystemFacts& facts) {
  for (const char* name : {"task-clock", "cpu-clock", "page-faults", "minor-faults", "major-faults",
                           "context-switches", "cpu-migrations"}) {
    const Result<events::Encoding> encoding = events::EncodeUserEvent(sysfs, name);
    if (!encoding || encoding->events.empty()) continue;
    list.software.push_back({name, ProbeEvent(encoding->events[0], facts)});
  }
}

}  // namespace

Result<std::unique_ptr<EventList>> ListEvents(const std::string& cpu, bool with_pmus) {
  auto list = std::make_unique<EventList>();
  list->here = KeyOfThisCpu(list->why_none);
  const std::string wanted = cpu.empty() ? list->here : cpu;
  const SystemFacts facts = ReadSystemFacts();
  const events::Sysfs sysfs;
  for (const events::CpuModel& model : events::KnownCpus()) {
    const std::string key = events::CpuKey(model);
    if (wanted != "all" && wanted != key) continue;
    list->cpus.push_back({events::TableOf(model), key == list->here, {}});
  }
  if (list->cpus.empty() && !cpu.empty()) {
    return Error{fmt::format("--cpu {}: no such CPU in the event table; there are: all, {}", cpu,
                             AllKeys())};
  }
  for (CpuEvents& each : list->cpus) {
    if (each.here) each.probed = ProbeTable(each.table, sysfs, facts);
  }
  list->why_no_names = events::WhyNoLibpfm();
  AddSoftware(*list, sysfs, facts);
  if (with_pmus) {
    for (const std::string& name : sysfs.DeviceNames()) {
      if (const Result<events::Device>& device = sysfs.Read(name)) list->pmus.push_back(*device);
    }
  }
  return list;
}

}  // namespace roofmark::cli
