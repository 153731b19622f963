// SPDX-License-Identifier: BSD-3-Clause
#include "lib/cli/machine_table.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace roofmark::cli {
namespace {

constexpr int kLabel = 22, kCell = 7;
constexpr std::array<std::string_view, 4> kWidths = {"scalar", "128", "256", "512"};
constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
    {"chain", "dependent adds"},   {"add", "adds"},
    {"mul", "multiplications"},    {"muladd", "mul beside add"},
    {"fma", "fused multiply-add"}, {"fmaadd", "FMA beside add"},
    {"div", "divisions"},          {"sqrt", "square roots"},
};

// Four significant digits at most, no exponent; blank where there is no point for `cores`.
std::string Cell(const Ceiling* ceiling, uint32_t cores) {
  if (ceiling != nullptr) {
    for (const MachinePoint& point : ceiling->curve) {
      if (point.cores != cores) continue;
      const int digits = point.value < 100 ? 2 : point.value < 1000 ? 1 : 0;
      return fmt::format("{:>{}.{}f}", point.value, kCell, digits);
    }
  }
  return std::string(kCell, ' ');
}

std::string Bytes(uint64_t bytes) {
  if (bytes >= uint64_t{1} << 30)
    return fmt::format("{:.4g} GiB", static_cast<double>(bytes) / (1u << 30));
  if (bytes >= uint64_t{1} << 20)
    return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / (1u << 20));
  return fmt::format("{:.4g} KiB", static_cast<double>(bytes) / 1024);
}

std::vector<uint32_t> Columns(const Machine& machine) {
  if (machine.cores <= 1) return {1};
  return {1, machine.cores};
}

std::string CoresTitle(uint32_t cores) {
  return fmt::format("{} core{}", cores, cores == 1 ? "" : "s");
}

std::string Head(const Machine& machine) {
  std::string text =
      fmt::format("{}\n{} core{} (CPUs {}) of {} package{}, {}, {} measurement{}\n",
                  machine.cpu_model, machine.cores, machine.cores == 1 ? "" : "s", machine.cpuset,
                  machine.packages, machine.packages == 1 ? "" : "s", Bytes(machine.memory_bytes),
                  machine.effort, machine.partial ? ", interrupted" : "");
  for (const CacheLevel& cache : machine.caches) {
    text += fmt::format("L{} {} shared by {}, ", cache.level, Bytes(cache.size_bytes),
                        CoresTitle(cache.shared_by_cores));
    text += cache.plateau_bytes == 0 ? "not found by the sweep\n"
                                     : fmt::format("fast up to {}\n", Bytes(cache.plateau_bytes));
  }
  return text;
}

std::string Compute(const Machine& machine, std::string_view precision, std::string_view name) {
  const auto columns = Columns(machine);
  std::string rows;
  for (const auto& [kind, label] : kKinds) {
    std::string row = fmt::format("{:<{}}", label, kLabel);
    bool any = false;
    for (const uint32_t cores : columns) {
      for (const std::string_view width : kWidths) {
        const auto* ceiling = machine.Find(fmt::format("compute.{}.{}.{}", precision, kind, width));
        any = any || ceiling != nullptr;
        row += Cell(ceiling, cores);
      }
    }
    if (any) rows += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  if (rows.empty()) return {};
  std::string text = fmt::format("\n{:<{}}", fmt::format("GFLOP/s, {}", name), kLabel);
  std::string widths = std::string(kLabel, ' ');
  for (const uint32_t cores : columns) {
    text += fmt::format("{:^{}}", CoresTitle(cores), 4 * kCell);
    for (const std::string_view width : kWidths) widths += fmt::format("{:>{}}", width, kCell);
  }
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n" + widths + "\n" + rows;
}

// Ceilings whose id begins with `prefix`, one per row.
std::string Plain(const Machine& machine, std::string_view prefix, std::string_view title) {
  constexpr int kWide = 34;
  const auto columns = Columns(machine);
  std::string rows;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (!ceiling.id.starts_with(prefix)) continue;
    rows += fmt::format("{:<{}}", ceiling.label.substr(0, kWide - 1), kWide);
    for (const uint32_t cores : columns) rows += "   " + Cell(&ceiling, cores);
    if (ceiling.counted_factor > 1) {
      rows += fmt::format("  x {:.2f} write-allocate", ceiling.counted_factor);
    }
    rows += "\n";
  }
  if (rows.empty()) return {};
  std::string text = fmt::format("\n{:<{}}", title, kWide);
  for (const uint32_t cores : columns) text += fmt::format("   {:>{}}", CoresTitle(cores), kCell);
  return text + "\n" + rows;
}

std::string Peaks(const Machine& machine) {
  std::string text;
  for (const std::string_view precision : {"dp", "sp"}) {
    const Ceiling* peak = machine.Find(fmt::format("compute.{}.peak", precision));
    if (peak == nullptr) continue;
    text += fmt::format("{}: {:.4g} {} on {}\n", peak->label, peak->curve.back().value, peak->unit,
                        CoresTitle(peak->curve.back().cores));
  }
  return text.empty() ? text : "\n" + text;
}

std::string Remarks(const Machine& machine) {
  size_t noted = 0;
  for (const Ceiling& ceiling : machine.ceilings) {
    noted += !ceiling.note.empty() && !ceiling.id.ends_with(".peak");
  }
  std::string text;
  if (noted > 0) {
    text +=
        fmt::format("{} of {} ceilings are noisy or were disturbed: see their notes in the file\n",
                    noted, machine.ceilings.size());
  }
  for (const std::string& warning : machine.warnings) text += warning + "\n";
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string MachineTable(const Machine& machine) {
  return Head(machine) + Compute(machine, "dp", "double") + Compute(machine, "sp", "single") +
         Peaks(machine) + Plain(machine, "bandwidth.", "GB/s, useful bytes") +
         Plain(machine, "clock.", "GHz") + Remarks(machine);
}

}  // namespace roofmark::cli
