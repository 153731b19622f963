// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpu.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <iterator>

#include "collectors/hardware/events/cpus/cpus.h"
#include "lib/core/file.h"

namespace roofmark::events {
namespace {

// By Microarch: the list gives both their order.
constexpr const Cpu* kRows[] = {
#define ROOFMARK_CPU(microarch, row) &cpus::row,
#include "collectors/hardware/events/cpus/list.inc"
#undef ROOFMARK_CPU
};

constexpr std::string_view kStillWorks =
    "choose events with ROOFMARK_EVENTS, or use ROOFMARK_COLLECTOR=counting or timer";

std::string WhatWasFound(const CpuFacts& facts) {
  if (facts.vendor == "GenuineIntel") {
    return fmt::format("for Intel family {} model {}", facts.family, facts.model);
  }
  if (!facts.vendor.empty()) {
    return fmt::format("for {} family 0x{:x} model 0x{:x}", facts.vendor, facts.family,
                       facts.model);
  }
  if (facts.implementer != 0) {
    return fmt::format("for ARM implementer 0x{:x} part 0x{:x}", facts.implementer, facts.part);
  }
  return fmt::format("for this CPU ({})",
                     facts.cpu.empty() ? "/proc/cpuinfo names none" : facts.cpu);
}

// The value of the first line "key : value"; empty if there is none.
std::string_view Line(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const size_t last = line.find_last_not_of(" \t", colon == 0 ? 0 : colon - 1);
    if (line.substr(0, last + 1) != key) continue;
    const size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string_view::npos ? "" : line.substr(value);
  }
  return "";
}

uint32_t Number(std::string_view text, std::string_view key) {
  return static_cast<uint32_t>(std::strtoul(std::string(Line(text, key)).c_str(), nullptr, 0));
}

}  // namespace

Result<CpuFacts> ReadCpuFacts(const std::string& root) {
  const Result<std::string> read = ReadFile(root + "/proc/cpuinfo");
  if (!read) return Error{read.error()};
  CpuFacts facts;
  facts.vendor = Line(*read, "vendor_id");
  facts.family = Number(*read, "cpu family");
  facts.model = Number(*read, "model");
  facts.stepping = Number(*read, "stepping");
  facts.implementer = Number(*read, "CPU implementer");
  facts.part = Number(*read, "CPU part");
  facts.cpu = Line(*read, "cpu");
  return facts;
}

Result<CpuModel> IdentifyCpu(const CpuFacts& facts) {
  for (const CpuModel& known : KnownCpus()) {
    const Cpu& row = RowOf(known.microarch);
    if ((known.client ? row.is_client : row.is)(facts)) return known;
  }
  return Error{fmt::format("no event table {}; {}", WhatWasFound(facts), kStillWorks)};
}

const std::vector<CpuModel>& KnownCpus() {
  // Never destroyed: the library may be asked while the process ends.
  static const auto* const known = [] {
    auto* all = new std::vector<CpuModel>;
    for (size_t i = 0; i < std::size(kRows); ++i) {
      const auto microarch = static_cast<Microarch>(i);
      all->push_back({microarch});
      if (kRows[i]->is_client != nullptr) all->push_back({microarch, true});
    }
    return all;
  }();
  return *known;
}

const Cpu& RowOf(Microarch microarch) { return *kRows[static_cast<size_t>(microarch)]; }

std::string CpuKey(const CpuModel& cpu) {
  return fmt::format("{}{}", RowOf(cpu.microarch).key, cpu.client ? "-client" : "");
}

std::string_view CpuTitle(Microarch microarch) { return RowOf(microarch).title; }

uint32_t SveVectorBits() {
#ifdef PR_SVE_GET_VL
  const int answer = prctl(PR_SVE_GET_VL, 0, 0, 0, 0);
  if (answer > 0) return static_cast<uint32_t>(answer & PR_SVE_VL_LEN_MASK) * 8;
#endif
  return 128;
}

}  // namespace roofmark::events
