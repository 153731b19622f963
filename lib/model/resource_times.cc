// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/resource_times.h"

#include <algorithm>

#include "lib/model/shortfall_rule.h"

namespace roofmark {
namespace {

bool Has(const Shortfalls& shortfalls, Shortfall one) { return shortfalls[Index(one)]; }

PipeFlaws FlawsOf(const Shortfalls& shortfalls) {
  return {Has(shortfalls, Shortfall::kFmaBalance), Has(shortfalls, Shortfall::kSimd),
          Has(shortfalls, Shortfall::kDivides)};
}

// The version of a balance that these shortfalls leave; `balanced` if nothing is known.
double Left(const Balance& balance, const Shortfalls& shortfalls, double balanced) {
  const bool threads = Has(shortfalls, Shortfall::kThreadImbalance) && balance.even_ranks;
  const bool ranks = Has(shortfalls, Shortfall::kRankImbalance) && balance.even_threads;
  if (threads && ranks) return balance.as_is ? *balance.as_is : balanced;
  if (threads) return *balance.even_ranks;
  return ranks ? *balance.even_threads : balanced;
}

// Of pipes, divider and issue slots.
ResourceTimes ComputeOf(const RegionInputs& region, const JobModel& model, const Shortfalls& left,
                        Untold untold) {
  ResourceTimes times;
  const PipeFlaws flaws = FlawsOf(left);
  const PipeTimes now = LeastPipeTimes(region.flops, model.rates, {}, untold);
  const PipeTimes then = LeastPipeTimes(region.flops, model.rates, flaws, untold);
  times.pipes_s = then.pipes_s;
  times.divider_s = then.divider_s;
  if (!region.issue_slots || model.rates.issue <= 0) return times;
  // Wider registers shed the loads, stores and loop control of the narrow ones too; fusing sheds
  // floating-point instructions alone.
  PipeFlaws only_widths;
  only_widths.widths = flaws.widths;
  const double narrow = now.instructions;
  const double wide = LeastPipeTimes(region.flops, model.rates, only_widths, untold).instructions;
  const double others = std::max(0.0, *region.issue_slots - narrow);
  double slots = then.instructions;
  // At best all that performs no FLOPs was executed while waiting.
  const bool waiting = region.slots_may_wait && untold == Untold::kBest;
  if (!waiting && (region.flops.empty() || Has(left, Shortfall::kInstructionMix))) {
    slots += others * (narrow > 0 ? wide / narrow : 1);
  }
  times.issue_s = slots * 1e-9 / model.rates.issue;
  return times;
}

// Who generates traffic is cured with the balance of work, if that is out of balance.
double TrafficShare(const RegionInputs& region, const Shortfalls& left) {
  constexpr double kBalanced = 1.02;
  if (!Has(left, Shortfall::kConcurrency)) return 1;
  Shortfalls traffic = left;
  const auto even = [](const Value& over) { return !over || *over < kBalanced; };
  if (even(region.work.even_ranks)) traffic.set(Index(Shortfall::kThreadImbalance));
  if (even(region.work.even_threads)) traffic.set(Index(Shortfall::kRankImbalance));
  return std::min(1.0, Left(region.traffic, traffic, 1));
}

// The busiest worker's core delays its own units: surely by the cheapest operations that make up
// its FLOPs, and as the whole region's mix if its mix is that (kWorst).
void AddImbalance(const RegionInputs& region, const JobModel& model, const Shortfalls& left,
                  Untold untold, ResourceTimes& times) {
  const Balance& work = region.work;
  const double busiest = Left(work, left, 1);
  if (busiest <= 1 || work.workers <= 1) return;
  if (untold == Untold::kWorst) {
    const double factor = ImbalanceFactor(busiest, work.workers, model.rates);
    for (double* own :
         {&times.pipes_s, &times.divider_s, &times.issue_s, &times.level_s[0], &times.level_s[1]}) {
      *own *= factor;
    }
    return;
  }
  const double one_core = model.rates.cores * model.rates.scaling;
  const PipeTimes least = LeastPipeTimesOfPart(region.flops, model.rates, FlawsOf(left), untold,
                                               std::min(1.0, busiest / work.workers));
  times.pipes_s = std::max(times.pipes_s, least.pipes_s * one_core);
  times.divider_s = std::max(times.divider_s, least.divider_s * one_core);
  if (model.rates.issue > 0) {
    times.issue_s =
        std::max(times.issue_s, least.instructions * 1e-9 / model.rates.issue * one_core);
  }
}

Shortfalls KnownOf(const RegionInputs& region) {
  Shortfalls known;
  for (size_t s = 0; s < kShortfalls; ++s) known[s] = region.extent[s].number.has_value();
  return known;
}

// Of what the cores work on all the time, so much is left: fewer or wider operations keep units and
// issue slots busy for a shorter time.
double WorkLeft(const RegionInputs& region, const JobModel& model, const Shortfalls& left,
                Untold untold) {
  const auto busiest = [&](const Shortfalls& of) {
    const ResourceTimes times = ComputeOf(region, model, of, untold);
    return std::max({times.pipes_s, times.divider_s, times.issue_s});
  };
  const double now = busiest(KnownOf(region));
  return now > 0 ? std::min(1.0, busiest(left) / now) : 1;
}

// What the cores work belongs to all of these shortfalls, as long as one is left.
void AddDependences(const RegionInputs& region, const JobModel& model, const Shortfalls& left,
                    Untold untold, ResourceTimes& times) {
  const Dependences& dependences = region.dependences;
  const bool chain = Has(left, Shortfall::kDependences), far = Has(left, Shortfall::kLatency);
  const bool branches = Has(left, Shortfall::kBranches), atomics = Has(left, Shortfall::kAtomics);
  if (!dependences.seconds.as_is || !(chain || far || branches || atomics)) return;
  Shortfalls uneven = left;
  for (const Shortfall one : {Shortfall::kThreadImbalance, Shortfall::kRankImbalance}) {
    if (!region.extent[Index(one)]) uneven.set(Index(one));  // what is not known is not cured
  }
  const double seconds = Left(dependences.seconds, uneven, dependences.even_s);
  const bool huge_pages =
      region.extent[Index(Shortfall::kSmallPages)] && !Has(left, Shortfall::kSmallPages);
  const double far_share =
      dependences.Far() - (huge_pages ? dependences.Share(Dependence::kTlb) : 0);
  const double work = WorkLeft(region, model, left, untold);
  times.entering_s = work * seconds * dependences.Share(Dependence::kIssue);
  times.units_s = work * seconds * dependences.Share(Dependence::kUnits);
  times.far_s = far ? seconds * far_share : 0;
  times.branches_s = branches ? seconds * dependences.Share(Dependence::kBranch) : 0;
  times.atomics_s = atomics ? seconds * dependences.Share(Dependence::kAtomic) : 0;
  times.dependences_s = times.WorkingSeconds() + times.far_s + times.branches_s + times.atomics_s +
                        (chain ? seconds * dependences.Chain() : 0);
}

WallBytes Walls(const RegionInputs& region, const Shortfalls& left, Untold untold) {
  WallBytes bytes;
  bytes.all = region.bytes[kDramLevel] ? *region.bytes[kDramLevel] : 0;
  for (size_t s = 0; s < kShortfalls; ++s) {
    const ShortfallRule& rule = InfoOf(static_cast<Shortfall>(s)).rule;
    if (rule.spare != nullptr && !left[s]) rule.spare(region, untold, bytes);
  }
  bytes.kept = std::max(0.0, bytes.kept);
  return bytes;
}

double DramReads(const RegionInputs& region, const Shortfalls& left, Untold untold) {
  if (!region.dram_reads) return 0;
  const WallBytes walls = Walls(region, left, untold);
  return std::max(0.0, *region.dram_reads - walls.removed) * walls.kept;
}

// The level takes no less than these bytes at this rate, GB/s; 0: the rate is not known.
void RaiseLevel(size_t level, double bytes, double gbs, ResourceTimes& times) {
  if (gbs > 0) times.level_s[level] = std::max(times.level_s[level], bytes * 1e-9 / gbs);
}

// Reads alone: the machine's were measured. Those of L3 come from as many cores as there are.
void AddSmallPages(const RegionInputs& region, const JobModel& model, const Shortfalls& left,
                   Untold untold, double share, ResourceTimes& times) {
  constexpr auto kL3 = static_cast<size_t>(MemoryLevel::kL3);
  if (!region.small_pages) return;
  RaiseLevel(kDramLevel, DramReads(region, left, untold),
             model.SmallPagesGbs(MemoryLevel::kDram, share), times);
  if (!region.l3_reads) return;
  RaiseLevel(kL3, *region.l3_reads, model.SmallPagesGbs(MemoryLevel::kL3), times);
}

// Each number of streams draws less from pages of 4 KiB, which is a limit besides.
void AddStreams(const RegionInputs& region, const JobModel& model, const Shortfalls& left,
                Untold untold, double share, ResourceTimes& times) {
  if (!region.streams.count) return;
  const double bytes = DramReads(region, left, untold);
  const auto draw_from = [&](PageSize pages) {
    RaiseLevel(kDramLevel, bytes, model.StreamGbs(pages, *region.streams.count, share), times);
  };
  draw_from(PageSize::kHuge);
  if (region.small_pages && Has(left, Shortfall::kSmallPages)) draw_from(PageSize::kSmall);
}

void AddDram(const RegionInputs& region, const JobModel& model, const Shortfalls& left,
             Untold untold, ResourceTimes& times) {
  const auto& roof = model.roofs.bandwidth[kDramLevel];
  if (!region.bytes[kDramLevel] || !roof) return;
  const double best = DramBytes(region, left, untold) * 1e-9 / roof->value;
  const double share = TrafficShare(region, left);
  const double few_cores = best * roof->value / std::max(1e-300, model.DramBandwidth(share));
  const double reads =
      model.read_gbs > 0 ? DramReads(region, left, untold) * 1e-9 / model.read_gbs : 0;
  // Each is a limit of its own; together they need not multiply.
  times.level_s[kDramLevel] = std::max({best, reads, share < 1 ? few_cores : 0});
  if (Has(left, Shortfall::kSmallPages)) AddSmallPages(region, model, left, untold, share, times);
  if (Has(left, Shortfall::kStreams)) AddStreams(region, model, left, untold, share, times);
}

}  // namespace

double ResourceTimes::ComputeSeconds() const {
  return std::max({pipes_s, divider_s, issue_s, cycles_s - stalled_s, dependences_s - far_s});
}

double ResourceTimes::CoreSeconds() const { return std::max(ComputeSeconds(), level_s[0]); }

double ResourceTimes::MemorySeconds() const {
  return std::max({*std::max_element(level_s.begin() + 1, level_s.end()), stalled_s, far_s});
}

double ResourceTimes::ApartSeconds() const {
  return std::max(Seconds(), CoreSeconds() + MemorySeconds());
}

std::string ResourceTimes::CoreBinding() const {
  ResourceTimes core = *this;
  std::fill(core.level_s.begin() + 1, core.level_s.end(), 0);
  core.cycles_s -= stalled_s;
  core.dependences_s -= far_s;
  core.stalled_s = core.far_s = 0;
  return core.Binding();
}

std::string ResourceTimes::MemoryBinding() const {
  ResourceTimes memory;
  std::copy(level_s.begin() + 1, level_s.end(), memory.level_s.begin() + 1);
  memory.cycles_s = memory.stalled_s = std::max(stalled_s, far_s);
  return memory.Binding();
}

double ResourceTimes::Seconds() const {
  return std::max({ComputeSeconds(), cycles_s, dependences_s,
                   *std::max_element(level_s.begin(), level_s.end())});
}

std::string ResourceTimes::WaitsFor() const {
  const double chain = dependences_s - WorkingSeconds() - far_s - branches_s - atomics_s;
  if (far_s >= std::max({chain, branches_s, atomics_s})) return "latency";
  if (branches_s > std::max(chain, atomics_s)) return "branches";
  return atomics_s > chain ? "atomics" : "dependences";
}

std::string ResourceTimes::Binding() const {
  const double seconds = Seconds();
  for (size_t l = kMemoryLevels; l-- > 0;) {
    if (level_s[l] >= seconds && level_s[l] > 0) {
      return std::string(LevelName(static_cast<MemoryLevel>(l)));
    }
  }
  // Where most instructions wait for nothing but a unit, their number is what it takes.
  if (dependences_s >= seconds && 2 * WorkingSeconds() < dependences_s) return WaitsFor();
  return ComputeSeconds() >= seconds || dependences_s >= seconds ? "compute" : "latency";
}

double DramBytes(const RegionInputs& region, const Shortfalls& shortfalls, Untold untold) {
  const WallBytes walls = Walls(region, shortfalls, untold);
  const double cached = std::max(0.0, walls.all - region.nt_bytes);
  return walls.all - cached + std::max(0.0, cached - walls.removed) * walls.kept;
}

ResourceTimes LeastTimes(const RegionInputs& region, const JobModel& model,
                         const Shortfalls& shortfalls, Untold untold) {
  ResourceTimes times = ComputeOf(region, model, shortfalls, untold);
  for (size_t l = 0; l < kDramLevel; ++l) {
    const auto& roof = model.roofs.bandwidth[l];
    if (region.bytes[l] && roof) times.level_s[l] = *region.bytes[l] * 1e-9 / roof->value;
  }
  AddImbalance(region, model, shortfalls, untold, times);
  AddDram(region, model, shortfalls, untold, times);
  AddDependences(region, model, shortfalls, untold, times);
  for (size_t s = 0; s < kShortfalls; ++s) {
    const ShortfallRule& rule = InfoOf(static_cast<Shortfall>(s)).rule;
    if (rule.cost != nullptr && shortfalls[s]) {
      rule.cost({region, model, shortfalls, untold}, times);
    }
  }
  return times;
}

}  // namespace roofmark
