// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <iterator>

#include "command/machine_table_sections.h"
#include "lib/core/metric.h"
#include "lib/model/arithmetic.h"
#include "lib/model/imbalance.h"

namespace roofmark::cli {
namespace {

constexpr int kComputeLabel = 22;
constexpr int kWidthCount = static_cast<int>(std::size(kWidthNames));

struct ComputeRowKind {
  std::string_view word, label;
  bool against_fma = false;  // its cost is worth a row of its own
};
// The ladder upwards, then what is slower than all of it. "ilp" is the scalar "add" once more.
constexpr ComputeRowKind kComputeRows[] = {
    {"chain", "dependent adds"},   {"add", "adds"},
    {"mul", "multiplications"},    {"muladd", "mul beside add"},
    {"fma", "fused multiply-add"}, {"fmaadd", "FMA beside add"},
    {"div", "divisions", true},    {"sqrt", "square roots", true},
};

const CeilingCurve* Find(const Machine& machine, std::string_view precision, std::string_view kind,
                         std::string_view width) {
  return machine.Find(fmt::format("compute.{}.{}.{}", precision, kind, width));
}

// One row of figures over the core counts and widths; empty if none of them is there.
template <typename CellOf>
std::string ComputeRow(const Machine& machine, std::string_view label, const CellOf& cell_of) {
  std::string cells;
  for (const uint32_t cores : Columns(machine)) {
    for (const auto& width : kWidthNames) cells += cell_of(width.name, cores);
  }
  cells = TrimRight(std::move(cells));
  return cells.empty() ? "" : fmt::format("{:<{}}{}\n", label, kComputeLabel, cells);
}

// How many FMAs of the same width take as long: a fused operation counts as two.
std::string CostInFmas(const CeilingCurve* slow, const CeilingCurve* fma, uint32_t cores) {
  const MachinePoint* of_slow = slow == nullptr ? nullptr : PointAt(*slow, cores);
  const MachinePoint* of_fma = fma == nullptr ? nullptr : PointAt(*fma, cores);
  if (of_slow == nullptr || of_fma == nullptr) return std::string(kCell, ' ');
  const double cost = of_fma->value / 2 / of_slow->value;
  return fmt::format("{:>{}} ", fmt::format("x {:.{}f}", cost, cost < 9.95 ? 1 : 0), kCell - 1);
}

std::string Table(const Machine& machine, const ArithmeticInfo& arithmetic) {
  std::string rows;
  for (const ComputeRowKind& kind : kComputeRows) {
    const auto find = [&](std::string_view of, std::string_view width) {
      return Find(machine, arithmetic.name, of, width);
    };
    rows += ComputeRow(machine, kind.label, [&](std::string_view width, uint32_t cores) {
      return CellText(find(kind.word, width), cores);
    });
    if (!kind.against_fma) continue;
    rows +=
        ComputeRow(machine, "  one costs, in FMAs", [&](std::string_view width, uint32_t cores) {
          return CostInFmas(find(kind.word, width), find("fma", width), cores);
        });
  }
  if (rows.empty()) return {};
  std::string title =
      fmt::format("\n{:<{}}", fmt::format("GFLOP/s, {}", arithmetic.title), kComputeLabel);
  for (const uint32_t cores : Columns(machine)) {
    title += fmt::format("{:^{}}", CoresTitle(cores), kWidthCount * kCell);
  }
  return TrimRight(title) + "\n" +
         ComputeRow(machine, "",
                    [](std::string_view width, uint32_t) {
                      return fmt::format("{:>{}} ", width, kCell - 1);
                    }) +
         rows;
}

// The ceiling for FMAs that are every `share`-th instruction; every one: the widest FMA as it is.
const CeilingCurve* MixedFma(const Machine& machine, std::string_view precision, uint32_t share) {
  if (share > 1) return machine.Find(fmt::format("mix.{}.{}", precision, share));
  const CeilingCurve* widest = nullptr;
  for (const auto& width : kWidthNames) {
    if (const CeilingCurve* fma = Find(machine, precision, "fma", width.name)) widest = fma;
  }
  return widest;
}

std::string MixRow(const Machine& machine, uint32_t share) {
  std::string row =
      fmt::format("{:<{}}", share == 1 ? "all" : fmt::format("1/{}", share), kComputeLabel);
  bool any = false;
  for (const uint32_t cores : Columns(machine)) {
    for (const std::string_view precision : {"dp", "sp"}) {
      const CeilingCurve* mixed = MixedFma(machine, precision, share);
      any = any || mixed != nullptr;
      row += "  " + CellText(mixed, cores);
    }
  }
  return any ? TrimRight(std::move(row)) + "\n" : "";
}

}  // namespace

std::string Compute(const Machine& machine) {
  std::string text;
  for (const ArithmeticInfo& arithmetic : kArithmetics) text += Table(machine, arithmetic);
  return text;
}

std::string Mix(const Machine& machine) {
  std::string rows;
  for (const uint32_t share : {2u, 4u, 8u, 16u}) rows += MixRow(machine, share);
  if (rows.empty()) return {};
  std::string title = fmt::format("\n{:<{}}", "GFLOP/s, if FMAs are", kComputeLabel);
  std::string head = fmt::format("{:<{}}", "... of instructions", kComputeLabel);
  for (const uint32_t cores : Columns(machine)) {
    title += fmt::format("{:^{}}", CoresTitle(cores), 2 * (kCell + 2));
    for (const std::string_view name : {"double", "single"}) {
      head += fmt::format("  {:>{}} ", name, kCell - 1);
    }
  }
  return TrimRight(title) + "\n" + TrimRight(head) + "\n" + MixRow(machine, 1) + rows;
}

}  // namespace roofmark::cli
