// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "command/machine_table_sections.h"
#include "lib/model/arithmetic.h"
#include "lib/model/imbalance.h"

namespace roofmark::cli {
namespace {

using ImbalanceFamily = std::vector<ImbalanceCeiling>;

constexpr size_t kImbalanceLabel = 20, kColumn = 11, kMemoryColumn = 15;

struct Column {
  size_t width;
  std::string head;
  std::vector<std::string> cells;  // one per share
};

// Columns under one title.
struct Group {
  std::string title;
  std::vector<Column> columns;
};

size_t Width(const Group& group) {
  size_t width = 0;
  for (const Column& column : group.columns) width += column.width;
  return width;
}

Group ComputeGroup(std::string title, const ImbalanceFamily& family) {
  Group group{std::move(title), {{kColumn, "F/2^k", {}}, {kColumn, "measured", {}}}};
  for (const ImbalanceCeiling& member : family) {
    group.columns[0].cells.push_back(Figure(member.value));
    group.columns[1].cells.push_back(member.measured ? Figure(*member.measured) : "");
  }
  return group;
}

// What lies between two measured points stands in parentheses.
Group MemoryGroup(const CeilingCurve& dram, const ImbalanceFamily& family) {
  const std::string kind = dram.id.substr(dram.id.rfind('.') + 1);
  const size_t width = std::max<size_t>(kMemoryColumn, kind.size() + 2);  // a blank on both sides
  Group group{dram.counted_factor > 1 ? "DRAM traffic" : "DRAM", {{width, kind, {}}}};
  for (const ImbalanceCeiling& member : family) {
    group.columns[0].cells.push_back(member.measured ? Figure(member.value) + " "
                                                     : fmt::format("({})", Figure(member.value)));
  }
  group.columns[0].head += " ";
  return group;
}

// Of the first precision that was measured: the shares of the others are the same.
std::vector<Group> Groups(const Machine& machine, ImbalanceFamily& any) {
  std::vector<Group> groups;
  for (const ArithmeticInfo& arithmetic : kArithmetics) {
    const ImbalanceFamily roof =
        LoadImbalance(machine, arithmetic.name, machine.cores, ImbalanceBase::kRoof);
    const ImbalanceFamily chain =
        LoadImbalance(machine, arithmetic.name, machine.cores, ImbalanceBase::kThreadParallelism);
    if (roof.empty() && chain.empty()) continue;
    any = roof.empty() ? chain : roof;
    if (!roof.empty())
      groups.push_back(ComputeGroup(fmt::format("{} peak", arithmetic.title), roof));
    if (!chain.empty()) groups.push_back(ComputeGroup("dependent adds", chain));
    break;
  }
  if (const CeilingCurve* dram = DramRoof(machine, machine.cores)) {
    const ImbalanceFamily memory = MemoryImbalance(*dram, machine.cores);
    if (any.empty()) any = memory;
    groups.push_back(MemoryGroup(*dram, memory));
  }
  return groups;
}

// "1/4, 32 cores"; fractions of cores where all of them are no power of two.
std::string RowLabel(const ImbalanceCeiling& member) {
  const std::string share = member.share == 1 ? "all" : fmt::format("1/{:.0f}", 1 / member.share);
  const bool whole = member.cores == static_cast<uint32_t>(member.cores);
  return fmt::format("{}, {:.{}f} core{}", share, member.cores, whole ? 0 : 1,
                     member.cores == 1 ? "" : "s");
}

}  // namespace

std::string Imbalance(const Machine& machine) {
  ImbalanceFamily shares;
  const std::vector<Group> groups = Groups(machine, shares);
  if (machine.cores <= 1 || groups.empty()) return {};
  std::string text = fmt::format("\n{:<{}}", "GFLOP/s and GB/s", kImbalanceLabel);
  std::string head = fmt::format("{:<{}}", "of cores that work", kImbalanceLabel);
  for (const Group& group : groups) {
    text += fmt::format("{:>{}}", group.title, Width(group));
    for (const Column& column : group.columns)
      head += fmt::format("{:>{}}", column.head, column.width);
  }
  text = TrimRight(std::move(text)) + "\n" + TrimRight(std::move(head)) + "\n";
  for (size_t i = 0; i < shares.size(); ++i) {
    std::string row = fmt::format("{:<{}}", RowLabel(shares[i]), kImbalanceLabel);
    for (const Group& group : groups) {
      for (const Column& column : group.columns) {
        row += fmt::format("{:>{}}", column.cells[i], column.width);
      }
    }
    text += TrimRight(std::move(row)) + "\n";
  }
  if (text.find('(') != std::string::npos) text += "( ): read between measured points\n";
  return text;
}

}  // namespace roofmark::cli
