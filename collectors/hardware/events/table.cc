// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/table.h"

#include <fmt/format.h>

#include "collectors/hardware/events/builders.h"

namespace roofmark::events {

EventTable TableOf(const CpuModel& cpu) {
  if (cpu.microarch <= Microarch::kSierraForest) return IntelTable(cpu);
  if (cpu.microarch <= Microarch::kZen5) return AmdTable(cpu);
  if (cpu.microarch <= Microarch::kThunderX2) return ArmTable(cpu);
  return PowerTable(cpu);
}

std::string_view MeasureName(Measure measure) {
  constexpr std::string_view kNames[] = {"flops",
                                         "cycles",
                                         "instructions",
                                         "memory_stall_cycles",
                                         "last_level_misses",
                                         "l1_read_bytes",
                                         "l1_write_bytes",
                                         "l2_read_bytes",
                                         "l2_write_bytes",
                                         "l3_read_bytes",
                                         "dram_read_bytes",
                                         "dram_write_bytes",
                                         "dram_bytes",
                                         "hbm_read_bytes",
                                         "hbm_write_bytes"};
  return kNames[static_cast<size_t>(measure)];
}

std::string_view PrecisionName(FpPrecision precision) {
  constexpr std::string_view kNames[] = {"dp", "sp", "hp", "bf16", "mixed"};
  return kNames[static_cast<size_t>(precision)];
}

std::string_view WidthName(FpWidth width) {
  constexpr std::string_view kNames[] = {"scalar", "128", "256", "512", "vector", "any"};
  return kNames[static_cast<size_t>(width)];
}

std::string KindNames(KindSet kinds) {
  if (kinds == kAnyKind) return "any";
  constexpr std::string_view kNames[] = {"add", "mul", "fma", "div", "sqrt"};
  std::string names;
  for (size_t kind = 0; kind < kFlopKinds; ++kind) {
    if ((kinds & KindBit(static_cast<FlopKind>(kind))) == 0) continue;
    if (!names.empty()) names += '+';
    names += kNames[kind];
  }
  return names;
}

std::string QuantityName(const Quantity& quantity) {
  if (quantity.measure != Measure::kFlops) return std::string(MeasureName(quantity.measure));
  std::string name = fmt::format("flops_{}", PrecisionName(quantity.precision));
  if (quantity.width != FpWidth::kAny) name += fmt::format("_{}", WidthName(quantity.width));
  if (quantity.kinds != kAnyKind) name += fmt::format("_{}", KindNames(quantity.kinds));
  return name;
}

}  // namespace roofmark::events
