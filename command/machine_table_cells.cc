// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "command/machine_table_sections.h"
#include "lib/model/imbalance.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"

namespace roofmark::cli {

bool IsNoisy(const MachinePoint& point) {
  constexpr double kNoisy = 0.05;
  const bool nodes_differ = point.nodes > 1 && point.node_max > (1 + kNoisy) * point.node_min;
  return nodes_differ || point.noise > kNoisy;
}

std::string Figure(double value) {
  if (value >= 99999.5) return fmt::format("{:.0f}k", value / 1000);
  return fmt::format("{:.{}f}", value, value < 99.995 ? 2 : value < 999.95 ? 1 : 0);
}

std::string CellText(const MachinePoint* point) {
  if (point == nullptr) return std::string(kCell, ' ');
  return fmt::format("{:>{}}{}", Figure(point->value), kCell - 1, IsNoisy(*point) ? '~' : ' ');
}

std::string CellText(const CeilingCurve* ceiling, uint32_t cores) {
  return CellText(ceiling == nullptr ? nullptr : PointAt(*ceiling, cores));
}

std::vector<uint32_t> Columns(const Machine& machine) {
  if (machine.cores <= 1) return {1};
  return {1, machine.cores};
}

std::string CoresTitle(uint32_t cores) {
  return fmt::format("{} core{}", cores, cores == 1 ? "" : "s");
}

std::string TrimRight(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string Bytes(uint64_t bytes) {
  if (bytes >= uint64_t{1} << 30)
    return fmt::format("{:.4g} GiB", static_cast<double>(bytes) / (1u << 30));
  if (bytes >= uint64_t{1} << 20)
    return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / (1u << 20));
  return fmt::format("{:.4g} KiB", static_cast<double>(bytes) / 1024);
}

namespace {

// "x 1.33 write-allocate", or beside the kernel's variant on most cores "x 1.33, 512 bytes ahead".
std::string FactorAndVariant(const CeilingCurve& ceiling) {
  const std::string& variant = ceiling.curve.back().variant;
  std::string text;
  if (ceiling.counted_factor > 1) text = fmt::format(" x {:.2f}", ceiling.counted_factor);
  if (variant.empty()) return text.empty() ? "" : text + " write-allocate";
  return text + (text.empty() ? " " : ", ") + Printable(variant);
}

}  // namespace

std::string LabelledRows(const Machine& machine, const std::vector<const CeilingCurve*>& ceilings,
                         std::string_view title) {
  constexpr size_t kLabel = 34;
  const auto columns = Columns(machine);
  std::string rows;
  for (const CeilingCurve* ceiling : ceilings) {
    // What makes a long name another one may be its end: it has a line of its own.
    const std::string label = Printable(ceiling->label);
    const bool is_long = DisplayWidth(label) >= kLabel;
    std::string row = PadRight(is_long ? "" : label, kLabel);
    bool any = false;
    for (const uint32_t cores : columns) {
      any = any || PointAt(*ceiling, cores) != nullptr;
      row += "   " + CellText(ceiling, cores);
    }
    row += FactorAndVariant(*ceiling);
    if (any && is_long) rows += Wrap(label, kTableWidth, 2);
    if (any) rows += TrimRight(row.substr(0, kTableWidth)) + "\n";
  }
  if (rows.empty()) return {};
  std::string text = fmt::format("\n{:<{}}", title, kLabel);
  for (const uint32_t cores : columns)
    text += fmt::format(" {:>{}} ", CoresTitle(cores), kCell + 1);
  return TrimRight(text) + "\n" + rows;
}

}  // namespace roofmark::cli
