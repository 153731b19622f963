// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/table.h"

#include <fmt/format.h>

#include "collectors/hardware/events/cpus/cpus.h"
#include "lib/core/table.h"

namespace roofmark::events {

namespace {

constexpr Named<Measure> kMeasures[] = {
    {Measure::kFlops, "flops"},
    {Measure::kCycles, "cycles"},
    {Measure::kInstructions, "instructions"},
    {Measure::kMemoryStallCycles, "memory_stall_cycles"},
    {Measure::kLastLevelMisses, "last_level_misses"},
    {Measure::kL1ReadBytes, "l1_read_bytes"},
    {Measure::kL1WriteBytes, "l1_write_bytes"},
    {Measure::kL2ReadBytes, "l2_read_bytes"},
    {Measure::kL2WriteBytes, "l2_write_bytes"},
    {Measure::kL3ReadBytes, "l3_read_bytes"},
    {Measure::kDramReadBytes, "dram_read_bytes"},
    {Measure::kDramWriteBytes, "dram_write_bytes"},
    {Measure::kDramBytes, "dram_bytes"},
    {Measure::kHbmReadBytes, "hbm_read_bytes"},
    {Measure::kHbmWriteBytes, "hbm_write_bytes"},
};
static_assert(InOrder(kMeasures, Measure::kHbmWriteBytes));

constexpr Named<FpPrecision> kPrecisions[] = {{FpPrecision::kDouble, "dp"},
                                              {FpPrecision::kSingle, "sp"},
                                              {FpPrecision::kHalf, "hp"},
                                              {FpPrecision::kBfloat16, "bf16"},
                                              {FpPrecision::kMixed, "mixed"}};
static_assert(InOrder(kPrecisions, FpPrecision::kMixed));

constexpr Named<FpWidth> kWidths[] = {{FpWidth::kScalar, "scalar"}, {FpWidth::k128, "128"},
                                      {FpWidth::k256, "256"},       {FpWidth::k512, "512"},
                                      {FpWidth::kVector, "vector"}, {FpWidth::kAny, "any"}};
static_assert(InOrder(kWidths, FpWidth::kAny));

constexpr Named<FlopKind> kKinds[] = {{FlopKind::kAdd, "add"},
                                      {FlopKind::kMul, "mul"},
                                      {FlopKind::kFma, "fma"},
                                      {FlopKind::kDiv, "div"},
                                      {FlopKind::kSqrt, "sqrt"}};
static_assert(InOrder(kKinds, FlopKind::kSqrt));

}  // namespace

EventTable TableOf(const CpuModel& cpu) {
  EventTable table{cpu, {}, {}, 64, {}};
  RowOf(cpu.microarch).fill(table);
  return table;
}

std::string_view MeasureName(Measure measure) { return roofmark::RowOf(kMeasures, measure).name; }

std::string_view PrecisionName(FpPrecision precision) {
  return roofmark::RowOf(kPrecisions, precision).name;
}

std::string_view WidthName(FpWidth width) { return roofmark::RowOf(kWidths, width).name; }

std::string KindNames(KindSet kinds) {
  if (kinds == kAnyKind) return "any";
  std::string names;
  for (const auto& [kind, name] : kKinds) {
    if ((kinds & KindBit(kind)) == 0) continue;
    if (!names.empty()) names += '+';
    names += name;
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
