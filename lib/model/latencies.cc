// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/latencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "lib/model/core_units.h"
#include "lib/model/small_pages.h"

namespace roofmark {
namespace {

// A latency is a measured chain without what else is in one of its links.
struct Row {
  std::string_view name;          // in the text
  std::string_view ceiling;       // in the machine file
  std::string_view without = {};  // another ceiling
  double cycles_less = 0;
  bool rounds_down = false;  // it varies: with the operands, or with what is around it
  bool is_behind = false;    // `without` are additions behind another operation
  // Where it is noisy, its fastest sample counts: what disturbed the others is none of it.
  bool takes_least = false;
};
constexpr Row kRows[] = {
    {"dp_add", "chain.dp_add"},
    {"dp_mul", "chain.dp_mul"},
    {"dp_fma", "chain.dp_fma"},
    {.name = "dp_div", .ceiling = "chain.dp_div", .rounds_down = true},
    {"dp_sqrt", "chain.dp_sqrt_add", "chain.dp_add", 0, true, true},
    {"sp_add", "chain.sp_add"},
    {"sp_mul", "chain.sp_mul"},
    {"sp_fma", "chain.sp_fma"},
    {.name = "sp_div", .ceiling = "chain.sp_div", .rounds_down = true},
    {"sp_sqrt", "chain.sp_sqrt_add", "chain.sp_add", 0, true, true},
    {"convert", "chain.convert"},
    {"convert_general", "chain.convert_general"},
    {"int_mul", "chain.int_mul"},
    {.name = "int_div_64", .ceiling = "chain.int_div", .rounds_down = true},
    {"load_l1", "latency.L1"},
    {"load_l2", "latency.L2"},
    {"load_l3", "latency.L3"},
    {"load_dram", "latency.DRAM"},
    {"forward_vector", "chain.memory_dp_add", "chain.dp_add"},
    {"forward_general", "chain.memory_int_add", "", 1},  // an integer addition
    // Without the test of an integer that each branch waited for.
    {.name = "mispredicted",
     .ceiling = "latency.misprediction",
     .cycles_less = 1,
     .rounds_down = true,
     .takes_least = true},
    {.name = "atomic", .ceiling = "latency.atomic", .rounds_down = true, .takes_least = true},
};

// On one core; 0: not measured.
double One(const Machine& machine, std::string_view id) {
  const CeilingCurve* curve = id.empty() ? nullptr : machine.Find(id);
  return curve == nullptr ? 0 : ValueAt(*curve, 1);
}

// How much longer an addition takes behind a multiplication than behind another addition, in ns. 0:
// it was not measured. `add`: "chain.dp_add".
double BehindOther(const Machine& machine, std::string_view add) {
  const std::string chain(add.substr(0, add.size() - std::string_view("add").size()));
  const double both = One(machine, chain + "mul_add"), mul = One(machine, chain + "mul");
  return both <= 0 || mul <= 0 ? 0 : std::max(0.0, both - mul - One(machine, add));
}

// ",add_behind_other=1": where it costs something on all machines, in whole cycles.
std::string AddBehindOther(std::span<const Machine> machines) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const Machine& machine : machines) {
    const double cycles = BehindOther(machine, "chain.dp_add") * One(machine, "clock.scalar");
    least = std::min<int64_t>(least, std::lround(cycles));
  }
  return least > 0 ? fmt::format(",add_behind_other={}", least) : "";
}

// Halves of its samples differ by more than `most`, or there were too few: it says nothing of a
// core's depth.
bool IsNoisy(const Machine& machine, std::string_view id, double most = 0.5) {
  const CeilingCurve* curve = machine.Find(id);
  return curve != nullptr && !curve->curve.empty() && curve->curve.front().noise > most;
}

// What a load takes longer in small pages, in ns: its fastest sample, so that whatever disturbed
// the others is no walk. 0: it was not measured, or others disturbed it too much.
double PageNs(const Machine& machine, std::string_view huge) {
  constexpr double kMostNoise = 0.1;
  const std::string small = SmallPagesId(huge);
  const CeilingCurve* curve = machine.Find(small);
  if (curve == nullptr || curve->curve.empty() || One(machine, huge) <= 0) return 0;
  if (IsNoisy(machine, small, kMostNoise) || IsNoisy(machine, huge, kMostNoise)) return 0;
  return std::max(0.0, curve->curve.front().min - One(machine, huge));
}

// Little's law (2008 A.2.2): lines that one core has on their way when it reads them in random
// order from there, which no prefetcher helps, rounded up. 0: not known.
double LinesUnderWay(const Machine& machine, std::string_view level) {
  constexpr double kLineBytes = 64;
  const std::string random = fmt::format("bandwidth.{}.random", level);
  const std::string latency = fmt::format("latency.{}", level);
  if (IsNoisy(machine, random) || IsNoisy(machine, latency)) return 0;
  return std::ceil(One(machine, random) * One(machine, latency) / kLineBytes);
}

// Not below what any core of today has. Where lines are not even half of that, something else than
// the core limited them. 0: not known.
double Plausible(double lines) {
  constexpr double kLeast = 8, kMost = 64;  // kMost: as the engine follows
  return lines < kLeast / 2 ? 0 : std::clamp(lines, kLeast, kMost);
}

struct InFlight {
  double all = 0;   // to any level
  double dram = 0;  // of those, from DRAM
};

// The most of each machine, so that a time made of it stays a lower bound. 0: not known of all.
InFlight MissesInFlight(std::span<const Machine> machines) {
  InFlight most;
  bool all_known = true, dram_known = true;
  for (const Machine& machine : machines) {
    const double dram = Plausible(LinesUnderWay(machine, "DRAM"));
    const double all = std::max(Plausible(LinesUnderWay(machine, "L3")), dram);
    all_known = all_known && all > 0;
    dram_known = dram_known && dram > 0;
    most.all = std::max(most.all, all);
    most.dram = std::max(most.dram, dram);
  }
  return {all_known ? most.all : 0, dram_known ? most.dram : 0};
}

// Loads whose page the first TLB does not have.
struct PageRow {
  std::string_view name, huge;
};
constexpr PageRow kPageRows[] = {
    {"second_tlb", kSecondTlbId}, {"walk_cache", kPageWalkId}, {"walk_dram", kFarPageWalkId}};

// ",walk_dram=80": those that cost something on all machines, in whole cycles, rounded down.
std::string Pages(std::span<const Machine> machines) {
  constexpr double kMost = 65535;
  std::string text;
  for (const PageRow& row : kPageRows) {
    double least = kMost;
    for (const Machine& machine : machines) {
      least = std::min(least, PageNs(machine, row.huge) * One(machine, "clock.scalar"));
    }
    if (least >= 1) text += fmt::format(",{}={:.0f}", row.name, std::floor(least));
  }
  return text;
}

bool HasChains(const Machine& machine) {
  return One(machine, "clock.scalar") > 0 && One(machine, "chain.dp_add") > 0;
}

// Nothing if it was not measured.
std::optional<int64_t> CyclesOf(const Machine& machine, const Row& row) {
  constexpr double kMost = 65535;
  constexpr double kMostNoise = 0.1;
  const bool least = row.takes_least && IsNoisy(machine, row.ceiling, kMostNoise);
  const double whole =
      least ? machine.Find(row.ceiling)->curve.front().min : One(machine, row.ceiling);
  const double rest =
      One(machine, row.without) + (row.is_behind ? BehindOther(machine, row.without) : 0);
  if (whole <= 0 || (!row.without.empty() && rest <= 0)) return std::nullopt;
  const double exact = (whole - rest) * One(machine, "clock.scalar") - row.cycles_less;
  // A hundredth is noise. A time made of it is to stay a lower bound.
  const double cycles = row.rounds_down ? std::floor(exact + 0.01) : exact;
  return std::lround(std::clamp(cycles, 0.0, kMost));
}

}  // namespace

std::string LatenciesOf(std::span<const Machine> machines) {
  if (machines.empty() || !std::all_of(machines.begin(), machines.end(), HasChains)) return {};
  std::string text;
  for (const Row& row : kRows) {
    std::optional<int64_t> least;
    bool on_all = true;
    for (const Machine& machine : machines) {
      const std::optional<int64_t> cycles = CyclesOf(machine, row);
      on_all = on_all && cycles;
      if (cycles) least = std::min(least.value_or(*cycles), *cycles);
    }
    if (!on_all) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", row.name, *least);
  }
  text += AddBehindOther(machines);
  text += Pages(machines);
  const std::string units = UnitsOf(machines);
  if (!units.empty()) text += "," + units;
  const InFlight misses = MissesInFlight(machines);
  if (misses.all > 0) text += fmt::format(",misses={}", misses.all);
  if (misses.dram > 0 && misses.dram < misses.all) {
    text += fmt::format(",misses_dram={}", misses.dram);
  }
  return text;
}

}  // namespace roofmark
