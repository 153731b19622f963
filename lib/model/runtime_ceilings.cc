// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/runtime_ceilings.h"

#include <algorithm>
#include <cmath>

#include "lib/model/resource_times.h"
#include "lib/model/uncertainty.h"

namespace roofmark {
namespace {

struct Work {
  Value amount;
  std::string unit;
};

Work WorkOf(const RegionInputs& region) {
  if (region.operations && *region.operations > 0 &&
      !(region.total_flops && *region.total_flops > 0)) {
    return {region.operations, "operation"};
  }
  if (region.total_flops && *region.total_flops == 0) {
    return {Value::None(Reason::kNoFlops, region.total_flops.status), "FLOP"};
  }
  return {region.total_flops, "FLOP"};
}

class Stack {
 public:
  Stack(const RegionInputs& region, const JobModel& model, const Work& work)
      : region_(region), model_(model), work_(work) {
    for (size_t s = 0; s < kShortfalls; ++s) known_[s] = region.extent[s].number.has_value();
  }

  const Shortfalls& known() const { return known_; }

  double Seconds(const Shortfalls& shortfalls, Untold untold) const {
    return LeastTimes(region_, model_, shortfalls, untold).Seconds();
  }

  Ceiling Make(Shortfall shortfall) const {
    Ceiling ceiling = {.origin = CeilingOrigin::kShortfall, .id = CeilingId::kShortfall};
    ceiling.shortfall = shortfall;
    ceiling.axis = AxisOf(shortfall);
    ceiling.extent = region_.extent[Index(shortfall)];
    if (!ceiling.extent || !work_.amount) {
      const Value& missing = ceiling.extent ? work_.amount : ceiling.extent;
      ceiling.height.least = ceiling.gain.least = missing;
      return ceiling;
    }
    ceiling.height = Both([&](Untold untold) { return Height(shortfall, untold); },
                          Reason::kNothingBounds, ceiling.extent);
    Shortfalls others = known_;
    others.reset(Index(shortfall));
    ceiling.gain =
        Both([&](Untold untold) { return Seconds(known_, untold) / Seconds(others, untold); },
             Reason::kTakesNoTime, ceiling.extent);
    for (const Untold untold : {Untold::kBest, Untold::kWorst}) {
      const double apart = LeastTimes(region_, model_, others, untold).ApartSeconds();
      ceiling.apart_s = std::max(ceiling.apart_s, apart);
    }
    ceiling.may_give_nothing = region_.unproven[Index(shortfall)];
    ceiling.noise = GainNoise(ceiling.axis, others);
    return ceiling;
  }

 private:
  // Fewer bytes through the same roof: its noise is in both times alike.
  double GainNoise(CeilingAxis axis, const Shortfalls& others) const {
    const auto binding = [this](const Shortfalls& left) {
      return LeastTimes(region_, model_, left, Untold::kBest).Binding();
    };
    const std::string now = binding(known_), then = binding(others);
    if (now == then && axis == CeilingAxis::kWall) return 0;
    const double noise = RoofBehind(then, region_, model_.roofs).noise;
    return now == then ? noise : noise + RoofBehind(now, region_, model_.roofs).noise;
  }

  // `number` of both readings of what the counters leave open.
  template <typename Number>
  Interval Both(Number number, Reason if_infinite, const Value& like) const {
    const double a = number(Untold::kBest), b = number(Untold::kWorst);
    if (!std::isfinite(a) || !std::isfinite(b)) return {Value::None(if_infinite, like.status), 0};
    const Status status = std::max(like.status, work_.amount.status);
    return {Value::Of(std::min(a, b), status, JoinOrigins(like.origin, work_.amount.origin)),
            std::max(a, b)};
  }

  // All shortfalls of its axis are applied, up to and including this one.
  double Height(Shortfall shortfall, Untold untold) const {
    const CeilingAxis axis = AxisOf(shortfall);
    Shortfalls applied;
    for (size_t s = 0; s <= Index(shortfall); ++s) {
      applied[s] = known_[s] && AxisOf(static_cast<Shortfall>(s)) == axis;
    }
    return HeightWith(applied, axis, untold);
  }

 public:
  double HeightWith(Shortfalls applied, CeilingAxis axis, Untold untold) const {
    if (axis == CeilingAxis::kWall) {
      // The walls stack from the right: what is not applied yet is cured.
      return *work_.amount / DramBytes(region_, applied, untold);
    }
    if (axis == CeilingAxis::kCompute) {
      return *work_.amount * 1e-9 / LeastTimes(region_, model_, applied, untold).ComputeSeconds();
    }
    // Who generates traffic is a matter of balance.
    applied[Index(Shortfall::kThreadImbalance)] = known_[Index(Shortfall::kThreadImbalance)];
    applied[Index(Shortfall::kRankImbalance)] = known_[Index(Shortfall::kRankImbalance)];
    for (size_t s = 0; s < kShortfalls; ++s) {
      if (AxisOf(static_cast<Shortfall>(s)) == CeilingAxis::kWall) applied[s] = true;
    }
    const ResourceTimes times = LeastTimes(region_, model_, applied, untold);
    const double bytes = DramBytes(region_, applied, untold);
    return bytes * 1e-9 / std::max({times.level_s[kDramLevel], times.stalled_s, times.far_s});
  }

 private:
  const RegionInputs& region_;
  const JobModel& model_;
  const Work& work_;
  Shortfalls known_;
};

// Time saved over effort: what a quick change saves comes before what a hard one might. In
// millionths, so that equals are equal on every machine.
int64_t Score(const Ceiling& ceiling) {
  return std::llround((1 - 1 / ceiling.gain.Middle()) * 1e6 / static_cast<double>(EaseOf(ceiling)));
}

const Ceiling& At(const std::vector<Ceiling>& ceilings, Shortfall shortfall) {
  return ceilings[Index(shortfall)];
}

// Balanced work balances traffic: few cores at memory are named on their own only where balance
// is not the cause.
bool ExplainedByImbalance(const std::vector<Ceiling>& ceilings) {
  const double own = At(ceilings, Shortfall::kConcurrency).gain.Middle();
  for (const Shortfall cause : {Shortfall::kThreadImbalance, Shortfall::kRankImbalance}) {
    if (At(ceilings, cause).gain.least && At(ceilings, cause).gain.Middle() >= 0.98 * own) {
      return true;
    }
  }
  return false;
}

void Rank(std::vector<Ceiling>& ceilings) {
  std::vector<Ceiling*> worthwhile;
  for (Ceiling& ceiling : ceilings) {
    if (!ceiling.gain.least || ceiling.gain.Middle() < kLeastGain) continue;
    if (ceiling.shortfall == Shortfall::kConcurrency && ExplainedByImbalance(ceilings)) continue;
    worthwhile.push_back(&ceiling);
  }
  std::stable_sort(worthwhile.begin(), worthwhile.end(),
                   [](const Ceiling* a, const Ceiling* b) { return Score(*a) > Score(*b); });
  for (size_t i = 0; i < worthwhile.size(); ++i) worthwhile[i]->rank = static_cast<int>(i) + 1;
}

Sides SidesOf(const ResourceTimes& times) {
  Sides sides = {times.CoreSeconds(), times.MemorySeconds(), {}, {}};
  if (sides.core_s > 0) sides.core = times.CoreBinding();
  if (sides.memory_s > 0) sides.memory = times.MemoryBinding();
  return sides;
}

void AddMoves(const RegionInputs& region, const JobModel& model, const Shortfalls& known,
              const ResourceTimes& times, RuntimeModel& result) {
  Shortfalls walls = known;
  for (size_t s = 0; s < kShortfalls; ++s) {
    if (AxisOf(static_cast<Shortfall>(s)) != CeilingAxis::kWall) walls.reset(s);
  }
  const double up = LeastTimes(region, model, walls, Untold::kBest).Seconds();
  ResourceTimes no_dram = times;
  no_dram.level_s[kDramLevel] = 0;
  const double right = no_dram.Seconds();
  const auto gain = [&](double seconds) {
    return seconds > 0 ? Value::Of(times.Seconds() / seconds, result.attainable.status,
                                   result.attainable.origin)
                       : Value::None(Reason::kNothingElseBounds);
  };
  result.gain_up = result.attainable ? gain(up) : result.attainable;
  result.gain_right = result.attainable ? gain(right) : result.attainable;
}

}  // namespace

bool IsFusedAlready(const Ceiling& ceiling) {
  constexpr double kMostly = 0.8;  // share of the FLOPs
  return ceiling.shortfall == Shortfall::kFmaBalance && ceiling.extent && *ceiling.extent > kMostly;
}

Ease EaseOf(const Ceiling& ceiling) {
  return IsFusedAlready(ceiling) ? Ease::kAlgorithm : InfoOf(ceiling.shortfall).ease;
}

std::string_view AxisUnit(CeilingAxis axis, const RuntimeModel& runtime) {
  const bool flops = runtime.unit == "FLOP";
  switch (axis) {
    case CeilingAxis::kCompute:
      return flops ? "GFLOP/s" : "1e9 operations/s";
    case CeilingAxis::kMemory:
      return "GB/s";
    case CeilingAxis::kWall:
      break;
  }
  return flops ? "FLOP/byte" : "operations/byte";
}

void WithoutBound(const Why& why, RuntimeModel& runtime) {
  runtime.attainable = runtime.gain_up = runtime.gain_right = Value::None(why);
  for (Ceiling& ceiling : runtime.ceilings) {
    ceiling.height = ceiling.gain = {Value::None(why), 0};
    ceiling.rank = 0;
  }
}

RuntimeModel RuntimeCeilingsOf(const RegionInputs& region, const JobModel& model) {
  RuntimeModel result;
  const Work work = WorkOf(region);
  result.unit = work.unit;
  result.lanes_possible = region.lanes_possible;
  result.kinds_told = region.kinds_told;
  result.attainable = result.gain_up = result.gain_right = work.amount;
  result.dependences = region.dependences;
  result.streams = region.streams;
  result.huge_pages = region.huge_pages;
  const Stack stack(region, model, work);
  for (size_t s = 0; s < kShortfalls; ++s) {
    result.ceilings.push_back(stack.Make(static_cast<Shortfall>(s)));
  }
  const ResourceTimes times = LeastTimes(region, model, stack.known(), Untold::kBest);
  const Value& chain = region.dependences.seconds.as_is;
  if (chain) {
    result.needed_s = Value::Of(times.Seconds(), chain.status, chain.origin);
    result.binding = times.Binding();
  }
  result.sides = SidesOf(times);
  result.roof = RoofBehind(times.Binding(), region, model.roofs);
  if (!work.amount) return result;
  if (times.Seconds() <= 0) {
    result.attainable = result.gain_up = result.gain_right = Value::None(Reason::kNoKnownResource);
    return result;
  }
  const Value& bytes = region.bytes[kDramLevel];
  const bool bounded = bytes && (*bytes == 0 || model.roofs.bandwidth[kDramLevel]);
  result.binding = times.Binding();
  const auto ideal = [&stack](CeilingAxis axis) {
    const double height = stack.HeightWith({}, axis, Untold::kBest);
    return std::isfinite(height) ? height : 0;
  };
  result.ideal_gflops = ideal(CeilingAxis::kCompute);
  result.ideal_gbs = ideal(CeilingAxis::kMemory);
  result.ideal_intensity = bytes ? ideal(CeilingAxis::kWall) : 0;
  if (bounded) {
    result.attainable =
        Value::Of(*work.amount * 1e-9 / times.Seconds(), std::max(work.amount.status, bytes.status),
                  JoinOrigins(work.amount.origin, bytes.origin));
  } else {
    result.attainable = Value::None(bytes ? Why(Reason::kNoDramBandwidth) : bytes.reason);
    result.note = RuntimeNote::kDramUnknown;
  }
  AddMoves(region, model, stack.known(), times, result);
  Rank(result.ceilings);
  return result;
}

}  // namespace roofmark
