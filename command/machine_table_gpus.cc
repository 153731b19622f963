// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "command/machine_table_sections.h"
#include "lib/report/format.h"

namespace roofmark::cli {
namespace {

constexpr int kGpuLabel = 42;

std::string GpuHead(const GpuMachine& gpu) {
  std::string text = fmt::format("GPU {}, {}: {} multiprocessors, {}", gpu.name, gpu.uuid,
                                 gpu.properties.multiprocessors, Bytes(gpu.memory_bytes));
  if (!gpu.driver.empty()) text += ", driver " + gpu.driver;
  if (gpu.power_limit_watts > 0) text += fmt::format(", at most {:.0f} W", gpu.power_limit_watts);
  return Wrap(Printable(text), kTableWidth, 4);
}

// The point whose value is the ceiling's.
const GpuPoint& BestPoint(const GpuCeiling& ceiling) {
  return *std::find_if(ceiling.curve.begin(), ceiling.curve.end(),
                       [&](const GpuPoint& point) { return point.value == ceiling.Best(); });
}

std::string GpuRow(const GpuCeiling& ceiling) {
  const GpuPoint& best = BestPoint(ceiling);
  const auto known = [](double value) { return value > 0 ? Figure(value) : std::string(); };
  std::string row =
      fmt::format("{:<{}}{:>8} {:<7}{:>8}", Printable(ceiling.label), kGpuLabel, Figure(best.value),
                  Printable(ceiling.unit), known(ceiling.data_sheet));
  if (best.ghz > 0) row += fmt::format("{:>7.2f}", best.ghz);
  if (best.watts > 0) row += fmt::format("{:>6.0f}", best.watts);
  return TrimRight(std::move(row)) + "\n";
}

std::string OneGpu(const GpuMachine& gpu) {
  std::string text = "\n" + GpuHead(gpu);
  if (!gpu.ceilings.empty()) {
    text += fmt::format("{:<{}}{:>8} {:<7}{:>8}{:>7}{:>6}\n", "", kGpuLabel, "measured", "",
                        "by lanes", "GHz", "W");
  }
  for (const GpuCeiling& ceiling : gpu.ceilings) text += GpuRow(ceiling);
  for (const std::string& warning : gpu.warnings) text += Wrap(Printable(warning), kTableWidth, 4);
  return text;
}

}  // namespace

std::string Gpus(const Machine& machine) {
  std::string text;
  for (const GpuMachine& gpu : machine.gpus) text += OneGpu(gpu);
  return text;
}

}  // namespace roofmark::cli
