// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "command/machine_table_sections.h"
#include "lib/model/imbalance.h"
#include "lib/model/small_pages.h"
#include "lib/report/format.h"

namespace roofmark::cli {
namespace {

constexpr std::string_view kLevels[] = {"DRAM", "L3", "L2", "L1"};
// Kinds in the order of interest; what is not named here comes last, in the file's order.
constexpr std::string_view kMemoryKinds[] = {"read",        "read_prefetch",  "copy",    "triad",
                                             "triad_nt",    "triad_prefetch", "strided", "read_far",
                                             "small_pages", "random"};

// "triad" of "bandwidth.DRAM.triad".
std::string_view LastWord(std::string_view id) { return id.substr(id.rfind('.') + 1); }

size_t RankOf(std::string_view kind) {
  return static_cast<size_t>(std::find(std::begin(kMemoryKinds), std::end(kMemoryKinds), kind) -
                             std::begin(kMemoryKinds));
}

std::vector<const CeilingCurve*> WithPrefix(const Machine& machine, std::string_view prefix) {
  std::vector<const CeilingCurve*> found;
  for (const CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id.starts_with(prefix)) found.push_back(&ceiling);
  }
  return found;
}

std::vector<const CeilingCurve*> BandwidthOf(const Machine& machine, std::string_view level) {
  auto found = WithPrefix(machine, fmt::format("bandwidth.{}.", level));
  std::stable_sort(found.begin(), found.end(), [](const CeilingCurve* a, const CeilingCurve* b) {
    return RankOf(LastWord(a->id)) < RankOf(LastWord(b->id));
  });
  return found;
}

// Packages and cores.
using CurveRow = std::pair<uint32_t, uint32_t>;

// Which points of long curves are shown: powers of two and the last of each number of packages.
std::set<CurveRow> CurveRows(const std::vector<const CeilingCurve*>& curves) {
  constexpr size_t kFew = 10;
  std::set<CurveRow> all, some;
  for (const CeilingCurve* ceiling : curves) {
    for (size_t i = 0; i < ceiling->curve.size(); ++i) {
      const MachinePoint& point = ceiling->curve[i];
      const CurveRow row(point.packages, point.cores);
      all.insert(row);
      const bool last =
          i + 1 == ceiling->curve.size() || ceiling->curve[i + 1].packages != point.packages;
      if (last || std::has_single_bit(point.cores)) some.insert(row);
    }
  }
  return all.size() <= kFew ? all : some;
}

const MachinePoint* PointIn(const CeilingCurve& ceiling, const CurveRow& row) {
  for (const MachinePoint& point : ceiling.curve) {
    if (CurveRow(point.packages, point.cores) == row) return &point;
  }
  return nullptr;
}

// The point with the most cores within so many packages, or nullptr.
const MachinePoint* LargestWithin(const CeilingCurve& ceiling, uint32_t packages) {
  const MachinePoint* largest = nullptr;
  for (const MachinePoint& point : ceiling.curve) {
    if (point.packages == packages) largest = &point;
  }
  return largest;
}

// All packages over one of them; 0 if either was not measured.
double PackagesGain(const Machine& machine, const CeilingCurve& ceiling) {
  const MachinePoint* one = LargestWithin(ceiling, 1);
  const MachinePoint* all = LargestWithin(ceiling, machine.packages);
  return machine.packages > 1 && one != nullptr && all != nullptr ? all->value / one->value : 0;
}

// A column of the curves' table.
size_t CurveWidth(const CeilingCurve& ceiling) {
  return std::max<size_t>(LastWord(ceiling.id).size() + 2, kCell + 1);
}

// As many of DRAM's curves as fit. One and all cores stand in the table of bandwidths already.
std::vector<const CeilingCurve*> DramCurves(const Machine& machine, size_t label_width) {
  std::vector<const CeilingCurve*> curves;
  size_t width = label_width;
  for (const CeilingCurve* ceiling : BandwidthOf(machine, "DRAM")) {
    if (ceiling->curve.size() <= 2 || width + CurveWidth(*ceiling) > kTableWidth) continue;
    width += CurveWidth(*ceiling);
    curves.push_back(ceiling);
  }
  return curves;
}

// "12" of numa.bandwidth.3.12; what is no number is no node.
bool ParseNodes(std::string_view id, uint32_t& from, uint32_t& to) {
  const size_t dot = id.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const size_t before = id.rfind('.', dot - 1);
  if (before == std::string_view::npos) return false;
  const auto parse = [](std::string_view word, uint32_t& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
  };
  return parse(id.substr(before + 1, dot - before - 1), from) && parse(id.substr(dot + 1), to);
}

// Rows: where the cores are; columns: where the memory is. As many blocks as fit the width.
std::string Grid(const Machine& machine, std::string_view prefix, std::string_view title) {
  constexpr int kLabel = 10;
  constexpr size_t kColumns = (kTableWidth - kLabel) / kCell;
  std::map<std::pair<uint32_t, uint32_t>, const CeilingCurve*> cells;
  std::set<uint32_t> rows, columns;
  for (const CeilingCurve* ceiling : WithPrefix(machine, prefix)) {
    uint32_t from = 0, to = 0;
    if (!ParseNodes(ceiling->id, from, to)) continue;
    cells[{from, to}] = ceiling;
    rows.insert(from);
    columns.insert(to);
  }
  const std::vector<uint32_t> all(columns.begin(), columns.end());
  std::string text;
  for (size_t begin = 0; begin < all.size(); begin += kColumns) {
    const size_t end = std::min(all.size(), begin + kColumns);
    std::string block = fmt::format("{:<{}}", "from / to", kLabel);
    for (size_t c = begin; c < end; ++c) block += fmt::format("{:>{}} ", all[c], kCell - 1);
    text += TrimRight(std::move(block)) + "\n";
    for (const uint32_t from : rows) {
      std::string row = fmt::format("{:<{}}", fmt::format("node {}", from), kLabel);
      for (size_t c = begin; c < end; ++c) {
        const auto found = cells.find({from, all[c]});
        row += CellText(found == cells.end() ? nullptr : &found->second->curve.back());
      }
      text += TrimRight(std::move(row)) + "\n";
    }
  }
  return text.empty() ? "" : fmt::format("\n{}\n", title) + text;
}

}  // namespace

std::string Bandwidth(const Machine& machine) {
  std::vector<const CeilingCurve*> all;
  for (const std::string_view level : kLevels) {
    const auto of_level = BandwidthOf(machine, level);
    all.insert(all.end(), of_level.begin(), of_level.end());
  }
  return LabelledRows(machine, all, "GB/s, useful bytes");
}

std::string Latency(const Machine& machine) {
  std::vector<std::string> ids;
  for (const std::string_view level : kLevels) ids.push_back(fmt::format("latency.{}", level));
  for (const std::string_view pages : {kSecondTlbId, kPageWalkId, kFarPageWalkId}) {
    ids.emplace_back(pages);
    ids.push_back(SmallPagesId(pages));
  }
  std::vector<const CeilingCurve*> all;
  for (const std::string& id : ids) {
    if (const CeilingCurve* found = machine.Find(id)) all.push_back(found);
  }
  return LabelledRows(machine, all, "ns per dependent load");
}

std::string DramCurve(const Machine& machine) {
  constexpr size_t kLabel = 18;
  const std::vector<const CeilingCurve*> curves = DramCurves(machine, kLabel);
  if (curves.empty()) return {};
  const auto row = [&](const std::string& label, const auto& cell_of) {
    std::string text = PadRight(label, kLabel);
    for (const CeilingCurve* ceiling : curves)
      text += PadLeft(cell_of(*ceiling), CurveWidth(*ceiling));
    return TrimRight(std::move(text)) + "\n";
  };
  std::string text = "\n" + row("DRAM GB/s against", [](const CeilingCurve& ceiling) {
                       return std::string(LastWord(ceiling.id)) + " ";
                     });
  for (const CurveRow& at : CurveRows(curves)) {
    std::string label = fmt::format("{:>5} core{}", at.second, at.second == 1 ? "" : "s");
    if (machine.packages > 1) label += fmt::format(" of {}", at.first);
    text += row(label, [&](const CeilingCurve& ceiling) { return CellText(PointIn(ceiling, at)); });
  }
  const bool several = std::any_of(curves.begin(), curves.end(), [&](const CeilingCurve* ceiling) {
    return PackagesGain(machine, *ceiling) > 0;
  });
  if (!several) return text;
  return text + row("all / one package", [&](const CeilingCurve& ceiling) {
           const double gain = PackagesGain(machine, ceiling);
           return gain > 0 ? fmt::format("x {:.2f} ", gain) : "";
         });
}

std::string NumaGrids(const Machine& machine) {
  return Grid(machine, "numa.bandwidth.", "GB/s from a NUMA node's cores to a node's memory") +
         Grid(machine, "numa.latency.", "ns per dependent load between NUMA nodes");
}

std::string Clock(const Machine& machine) {
  return LabelledRows(machine, WithPrefix(machine, "clock."), "GHz");
}

}  // namespace roofmark::cli
