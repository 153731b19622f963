// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "command/commands.h"
#include "command/files.h"
#include "command/machine_table_sections.h"
#include "command/output.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/imbalance.h"
#include "lib/model/machine_files.h"
#include "lib/report/format.h"

namespace roofmark::cli {
namespace {

constexpr size_t kComparedLabel = 24, kFigure = 9;

// One measured thing on both machines; null where it was not measured.
struct Pair {
  const MachinePoint *first = nullptr, *second = nullptr;
};

// A ceiling that both machines have.
struct Common {
  std::string group, name;  // of "numa.latency.0.1": "numa.latency" and "0.1"
  std::string unit;
  Pair one_core, all_cores;
};

// What another run may give; of several nodes, from the slowest to the fastest, too. What was not
// recorded is 0 and left out.
std::pair<double, double> SpreadOf(const MachinePoint& point) {
  double low = point.value * (1 - point.noise), high = point.value * (1 + point.noise);
  for (const double node : {point.node_min, point.node_max}) {
    if (!(node > 0)) continue;
    low = std::min(low, node);
    high = std::max(high, node);
  }
  return {low, high};
}

bool Differs(const Pair& pair) {
  constexpr double kAlike = 1.05;
  if (pair.first == nullptr || pair.second == nullptr) return false;
  const double a = pair.first->value, b = pair.second->value;
  if (std::max(a, b) <= kAlike * std::min(a, b)) return false;
  const auto [a_low, a_high] = SpreadOf(*pair.first);
  const auto [b_low, b_high] = SpreadOf(*pair.second);
  return a_high < b_low || b_high < a_low;
}

// A NUMA matrix is measured with all cores of a node, whose number the curve says.
const MachinePoint* AllCores(const Machine& machine, const CeilingCurve& ceiling) {
  return ceiling.id.starts_with("numa.") ? &ceiling.curve.back() : PointAt(ceiling, machine.cores);
}

Common Match(const Machine& first, const CeilingCurve& one, const Machine& second,
             const CeilingCurve& two) {
  const std::string& id = one.id;
  const bool numa = id.starts_with("numa.");
  const size_t dot = std::min(id.find('.', numa ? id.find('.') + 1 : 0), id.size());
  Common common{id.substr(0, dot), id.substr(std::min(dot + 1, id.size())), one.unit, {}, {}};
  if (!numa) common.one_core = {PointAt(one, 1), PointAt(two, 1)};
  common.all_cores = {AllCores(first, one), AllCores(second, two)};
  return common;
}

// Groups in the order of interest, peaks first in theirs.
std::vector<Common> CommonCeilings(const Machine& first, const Machine& second) {
  std::vector<Common> all;
  for (const CeilingCurve& one : first.ceilings) {
    const CeilingCurve* two = second.Find(one.id);
    if (two != nullptr) all.push_back(Match(first, one, second, *two));
  }
  const auto rank = [](const Common& common) {
    constexpr std::string_view kGroups[] = {
        "compute", "mix",        "bandwidth",      "latency",      "chain",
        "branch",  "throughput", "numa.bandwidth", "numa.latency", "clock"};
    const auto at = std::find(std::begin(kGroups), std::end(kGroups), common.group);
    return std::pair(at - std::begin(kGroups), !common.name.ends_with("peak"));
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Common& a, const Common& b) { return rank(a) < rank(b); });
  return all;
}

// Two decimals, or three digits where that says too little.
std::string Ratio(double ratio) {
  return ratio >= 0.1 && ratio < 100 ? fmt::format("x {:.2f}", ratio)
                                     : fmt::format("x {:.3g}", ratio);
}

std::string Cells(const Pair& pair) {
  std::string text;
  for (const MachinePoint* point : {pair.first, pair.second}) {
    text += PadLeft(point == nullptr ? "" : Figure(point->value), kFigure);
  }
  const bool both = pair.first != nullptr && pair.second != nullptr;
  text += PadLeft(both ? Ratio(pair.second->value / pair.first->value) : "", kFigure);
  return text + (Differs(pair) ? "*" : " ");
}

std::string GroupHead(const Common& common, const Machine& first, const Machine& second,
                      bool all_cores) {
  std::string over =
      PadRight("", kComparedLabel) + fmt::format("{:^{}}", "1 core", 3 * kFigure + 1);
  const std::string unit = fmt::format("{}, {}", common.group, common.unit);
  std::string columns;
  for (const char* column : {"first", "second", "ratio"}) columns += PadLeft(column, kFigure);
  std::string head =
      PadRight(Shorten(Printable(unit), kComparedLabel, ".."), kComparedLabel) + columns;
  if (all_cores) {
    const std::string title = fmt::format("all cores: {}, {}", first.cores, second.cores);
    over += fmt::format("{:^{}}", title, 3 * kFigure + 1);
    head += " " + columns;
  }
  return "\n" + TrimRight(std::move(over)) + "\n" + TrimRight(std::move(head)) + "\n";
}

std::string CeilingRows(const Machine& first, const Machine& second) {
  const std::vector<Common> all = CommonCeilings(first, second);
  if (all.empty()) return "\nno ceiling was measured in both\n";
  const bool all_cores = first.cores > 1 || second.cores > 1;
  std::string text;
  size_t differ = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const Common& common = all[i];
    if (i == 0 || common.group != all[i - 1].group) {
      text += GroupHead(common, first, second, all_cores);
    }
    std::string row =
        PadRight(Shorten(Printable(common.name), kComparedLabel - 1, ".."), kComparedLabel);
    row += Cells(common.one_core);
    if (all_cores) row += Cells(common.all_cores);
    text += TrimRight(std::move(row)) + "\n";
    differ += Differs(common.one_core) || Differs(common.all_cores);
  }
  return text + fmt::format(
                    "\n{} of {} ceilings differ (*): by more than 5 % and more than the noise "
                    "of both\n",
                    differ, all.size());
}

std::string OnlyIn(std::string_view which, const Machine& machine, const Machine& other) {
  std::vector<std::string> ids;
  for (const CeilingCurve& ceiling : machine.ceilings) {
    if (other.Find(ceiling.id) == nullptr) ids.push_back(ceiling.id);
  }
  if (ids.empty()) return {};
  return Wrap(Printable(fmt::format("only in the {}: {}", which, fmt::join(ids, ", "))),
              kTableWidth, 4);
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts FactsOf(const Machine& machine) {
  Facts facts = {{"CPU", machine.cpu_model},
                 {"family/model/step", fmt::format("{}/{}/{}", machine.cpu_family,
                                                   machine.cpu_model_number, machine.cpu_stepping)},
                 {"microcode", machine.microcode},
                 {"kernel", machine.kernel},
                 {"firmware", machine.firmware},
                 {"CPUs", machine.cpuset},
                 {"packages", fmt::format("{}", machine.packages)},
                 {"cores", fmt::format("{}", machine.cores)},
                 {"threads", fmt::format("{}", machine.threads)},
                 {"NUMA nodes", fmt::format("{}", machine.numa_nodes.size())},
                 {"memory", Bytes(machine.memory_bytes)},
                 {"widths", fmt::format("{}", fmt::join(machine.isa, " "))}};
  for (const uint32_t level : {1u, 2u, 3u}) {
    std::string size, plateau;
    for (const CacheLevel& cache : machine.caches) {
      if (cache.level != level) continue;
      size = fmt::format("{} for {}", Bytes(cache.size_bytes), CoresTitle(cache.shared_by_cores));
      if (cache.plateau_bytes > 0) plateau = Bytes(cache.plateau_bytes);
    }
    facts.emplace_back(fmt::format("L{}", level), size);
    facts.emplace_back(fmt::format("L{} fast up to", level), plateau);
  }
  return facts;
}

std::string FactRows(const Machine& first, const Machine& second) {
  constexpr size_t kName = 18, kFact = 30;
  const Facts one = FactsOf(first), two = FactsOf(second);
  const auto cell = [](const std::string& text) {
    return PadRight(Shorten(text.empty() ? "-" : Printable(text), kFact, ".."), kFact + 1);
  };
  std::string rows;
  for (size_t i = 0; i < one.size(); ++i) {
    if (one[i].second == two[i].second) continue;
    rows += TrimRight(PadRight(one[i].first, kName) + cell(one[i].second) + cell(two[i].second));
    rows += "\n";
  }
  if (rows.empty()) return "\nthe hardware is the same\n";
  return "\n" + PadRight("hardware", kName) + cell("first") + "second\n" + rows;
}

std::string Head(std::string_view which, const NamedMachine& named) {
  const Machine& machine = named.machine;
  const std::string text = fmt::format("{}: {}: {}, {}, {} measurement of {}{}", which, named.name,
                                       machine.cpu_model, CoresTitle(machine.cores), machine.effort,
                                       machine.measured_at, machine.partial ? ", interrupted" : "");
  return Wrap(Printable(text), kTableWidth, 4);
}

// `path` empty: this machine's kept measurement. Says what is wrong.
std::optional<NamedMachine> LoadNamed(const std::string& path) {
  if (!path.empty()) {
    std::optional<std::vector<Machine>> machines = ReadMachines({path});
    if (!machines) return std::nullopt;
    return NamedMachine{path, std::move(machines->front())};
  }
  Result<KeptMachine> kept = LoadMachineFile();
  if (!kept) {
    Say(message::kNoMachineToCompare, kept.error());
    return std::nullopt;
  }
  SayIfStale(*kept);
  return NamedMachine{"this machine", std::move(kept->machine)};
}

}  // namespace

std::string MachineComparison(const NamedMachine& first, const NamedMachine& second) {
  return Head("first", first) + Head("second", second) + FactRows(first.machine, second.machine) +
         CeilingRows(first.machine, second.machine) +
         OnlyIn("first", first.machine, second.machine) +
         OnlyIn("second", second.machine, first.machine);
}

int CompareMachines(const std::vector<std::string>& files) {
  const std::optional<NamedMachine> first = LoadNamed(files.front());
  if (!first) return kFailure;
  const std::optional<NamedMachine> second = LoadNamed(files.size() > 1 ? files[1] : "");
  if (!second) return kFailure;
  Print(MachineComparison(*first, *second));
  return 0;
}

void AddMachineCompare(const Command& command, std::vector<std::string>& files) {
  const Option compare = command.Value("--compare", files,
                                       "Compare the machine file FILE with FILE2, or with the "
                                       "measurement of this machine; measure nothing");
  compare.Shown("FILE [FILE2]").Takes(1, 2);
  for (const char* other : {"--quick", "--full", "--output", "--svg", "--force", "--quiet"}) {
    compare.Excludes(other);
  }
}

}  // namespace roofmark::cli
