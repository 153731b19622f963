// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/latencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace roofmark {
namespace {

// A latency is a measured chain without what else is in one of its links.
struct Row {
  std::string_view name;          // in the text
  std::string_view ceiling;       // in the machine file
  std::string_view without = {};  // another ceiling
  double cycles_less = 0;
  bool varies = false;  // with the operands or the place: the machine's chain may have been slower
};
constexpr Row kRows[] = {
    {"dp_add", "chain.dp_add"},
    {"dp_mul", "chain.dp_mul"},
    {"dp_fma", "chain.dp_fma"},
    {"dp_div", "chain.dp_div", "", 0, true},
    {"dp_sqrt", "chain.dp_sqrt_add", "chain.dp_add", 0, true},
    {"sp_add", "chain.sp_add"},
    {"sp_mul", "chain.sp_mul"},
    {"sp_fma", "chain.sp_fma"},
    {"sp_div", "chain.sp_div", "", 0, true},
    {"sp_sqrt", "chain.sp_sqrt_add", "chain.sp_add", 0, true},
    {"convert", "chain.convert"},
    {"convert_general", "chain.convert_general"},
    {"int_mul", "chain.int_mul"},
    {"int_div_64", "chain.int_div", "", 0, true},
    {"load_l1", "latency.L1"},
    {"load_l2", "latency.L2"},
    {"load_l3", "latency.L3"},
    {"load_dram", "latency.DRAM"},
    {"forward_vector", "chain.memory_dp_add", "chain.dp_add"},
    {"forward_general", "chain.memory_int_add", "", 1},  // an integer addition
    // What a load takes longer in pages of 4 KiB than in huge ones.
    {"second_tlb", "latency.second_tlb.small_pages", "latency.second_tlb", 0, true},
    {"walk_cache", "latency.page_walk.small_pages", "latency.page_walk", 0, true},
    {"walk_dram", "latency.page_walk_dram.small_pages", "latency.page_walk_dram", 0, true},
};

// On one core; 0: not measured.
double One(const Machine& machine, std::string_view id) {
  const CeilingCurve* curve = id.empty() ? nullptr : machine.Find(id);
  return curve == nullptr ? 0 : ValueAt(*curve, 1);
}

// Halves of its samples differ too much, or there were too few: it says nothing of a core's depth.
bool IsNoisy(const Machine& machine, std::string_view id) {
  constexpr double kMost = 0.5;
  const CeilingCurve* curve = machine.Find(id);
  return curve != nullptr && !curve->curve.empty() && curve->curve.front().noise > kMost;
}

// Little's law (2008 A.2.2): lines that one core has on their way when it reads them in random
// order, which no prefetcher helps. Rounded up, so that a time made of it stays a lower bound, and
// not below what any core of today has. 0: not measured.
double MissesInFlight(const Machine& machine) {
  constexpr double kLineBytes = 64, kLeast = 8, kMost = 64;  // kMost: as the engine follows
  constexpr std::string_view kRandom = "bandwidth.DRAM.random", kLatency = "latency.DRAM";
  if (IsNoisy(machine, kRandom) || IsNoisy(machine, kLatency)) return 0;
  const double bytes_per_ns = One(machine, kRandom);
  const double lines = std::ceil(bytes_per_ns * One(machine, kLatency) / kLineBytes);
  return lines > 0 ? std::clamp(lines, kLeast, kMost) : 0;
}

bool HasChains(const Machine& machine) {
  return One(machine, "clock.scalar") > 0 && One(machine, "chain.dp_add") > 0;
}

// Nothing if it was not measured.
std::optional<int64_t> CyclesOf(const Machine& machine, const Row& row) {
  constexpr double kMost = 65535;
  const bool pages = row.ceiling.ends_with(".small_pages");
  if (pages && (IsNoisy(machine, row.ceiling) || IsNoisy(machine, row.without)))
    return std::nullopt;
  const double whole = One(machine, row.ceiling), rest = One(machine, row.without);
  if (whole <= 0 || (!row.without.empty() && rest <= 0)) return std::nullopt;
  const double exact = (whole - rest) * One(machine, "clock.scalar") - row.cycles_less;
  // A hundredth is noise. A time made of it is to stay a lower bound.
  const double cycles = row.varies ? std::floor(exact + 0.01) : exact;
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
  double misses = 0;
  for (const Machine& machine : machines) {
    const double own = MissesInFlight(machine);
    if (own <= 0) return text;
    misses = std::max(misses, own);
  }
  return fmt::format("{},misses={}", text, misses);
}

}  // namespace roofmark
