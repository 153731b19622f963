// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "command/machine_table_sections.h"
#include "lib/model/arithmetic.h"
#include "lib/model/imbalance.h"

namespace roofmark::cli {
namespace {

constexpr int kRoofLabel = 34;

// The most traffic of any kind; 0 if nothing was measured on exactly `cores` cores.
double Traffic(const Machine& machine, std::string_view level, uint32_t cores) {
  const std::string prefix = fmt::format("bandwidth.{}.", level);
  double most = 0;
  for (const CeilingCurve& ceiling : machine.ceilings) {
    const MachinePoint* point = PointAt(ceiling, cores);
    if (!ceiling.id.starts_with(prefix) || point == nullptr) continue;
    most = std::max(most, point->value * ceiling.counted_factor);
  }
  return most;
}

double Peak(const Machine& machine, std::string_view precision, uint32_t cores) {
  const CeilingCurve* peak = machine.Find(fmt::format("compute.{}.peak", precision));
  const MachinePoint* point = peak == nullptr ? nullptr : PointAt(*peak, cores);
  return point == nullptr ? 0 : point->value;
}

// `value` of a number of cores; blank where it is 0, nothing where it always is.
template <typename Cell>
std::string RoofRow(const Machine& machine, const std::string& label, const Cell& value) {
  std::string cells;
  for (const uint32_t cores : Columns(machine)) {
    const double figure = value(cores);
    cells += "   " + fmt::format("{:>{}} ", figure > 0 ? Figure(figure) : "", kCell - 1);
  }
  cells = TrimRight(std::move(cells));
  return cells.empty() ? "" : fmt::format("{:<{}}{}\n", label, kRoofLabel, cells);
}

}  // namespace

std::string Roofs(const Machine& machine) {
  std::string rows;
  for (const ArithmeticInfo& arithmetic : kArithmetics) {
    rows += RoofRow(machine, fmt::format("{} peak, GFLOP/s", arithmetic.title),
                    [&](uint32_t cores) { return Peak(machine, arithmetic.name, cores); });
  }
  for (const std::string_view level : {"DRAM", "L3", "L2", "L1"}) {
    rows += RoofRow(machine, fmt::format("{}, GB/s of traffic", level),
                    [&](uint32_t cores) { return Traffic(machine, level, cores); });
  }
  rows += RoofRow(machine, "ridge point (double), FLOP/byte", [&](uint32_t cores) {
    const double traffic = Traffic(machine, "DRAM", cores);
    return traffic > 0 ? Peak(machine, "dp", cores) / traffic : 0;
  });
  if (rows.empty()) return {};
  std::string head = fmt::format("\n{:<{}}", "the roofs", kRoofLabel);
  for (const uint32_t cores : Columns(machine)) head += fmt::format(" {:>8} ", CoresTitle(cores));
  return TrimRight(std::move(head)) + "\n" + rows;
}

}  // namespace roofmark::cli
