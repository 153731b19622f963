// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/roofs.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofmark {
namespace {

// Below this share of fused operations code is measured against the roof without them: the odd
// FMA of a library call must not halve a loop's efficiency.
constexpr double kFmaShareOfNoFmaCode = 0.01;

void Raise(std::optional<Roof>& best, const Roof& roof) {
  if (roof.value > 0 && (!best || roof.value > best->value)) best = roof;
}

// Noise of one kind of node is at most so much of the sum's.
void Add(const std::optional<Roof>& more, std::optional<Roof>& sum) {
  if (!more) sum.reset();
  if (!sum) return;
  if (sum->id != more->id) sum->id += "+" + more->id;
  if (sum->label != more->label) sum->label += " + " + more->label;
  sum->value += more->value;
  sum->noise = std::max(sum->noise, more->noise);
}

// The n-th word of an id, counted from 0; empty if there are fewer.
std::string_view Word(std::string_view id, size_t n) {
  for (; n > 0; --n) {
    const size_t dot = id.find('.');
    if (dot == std::string_view::npos) return {};
    id.remove_prefix(dot + 1);
  }
  return id.substr(0, id.find('.'));
}

void AddCompute(const Roof& roof, JobRoofs& roofs) {
  for (size_t p = 0; p < kPrecisions; ++p) {
    if (Word(roof.id, 1) != PrecisionName(static_cast<Precision>(p))) continue;
    const std::string_view kind = Word(roof.id, 2);
    if (kind == "add" || kind == "mul" || kind == "muladd" || kind == "ilp") {
      Raise(roofs.compute[p].no_fma, roof);
    }
    Raise(roofs.compute[p].peak, roof);
  }
}

void AddBandwidth(const Roof& roof, JobRoofs& roofs) {
  for (MemoryLevel level : kAllLevels) {
    if (Word(roof.id, 1) == LevelName(level)) {
      Raise(roofs.bandwidth[static_cast<size_t>(level)], roof);
    }
  }
}

// The work of one precision; `roof` is null if the machine file has none for it.
struct PrecisionWork {
  double flops = 0;
  const Roof* roof = nullptr;
  bool no_fma_missing = false;
};

PrecisionWork WorkOf(const JobRoofs& roofs, const JobProfile& job, size_t path,
                     Precision precision) {
  const Value work = FlopsOf(job, path, precision);
  if (!work || *work == 0) return {};
  PrecisionWork share = {*work, nullptr, false};
  const ComputeRoofs& compute = roofs.compute[static_cast<size_t>(precision)];
  if (!compute.peak) return share;
  // Where the counters cannot tell, it is held against the peak: an upper bound either way.
  const bool fuses = FmaShare(job, path, precision).most >= kFmaShareOfNoFmaCode;
  share.roof = !fuses && compute.no_fma ? &*compute.no_fma : &*compute.peak;
  share.no_fma_missing = !fuses && !compute.no_fma;
  return share;
}

// Nothing told the precision of declared work: it is held against the double precision peak.
Ceiling CeilingOfDeclaredWork(const JobRoofs& roofs) {
  const auto& peak = roofs.compute[static_cast<size_t>(Precision::kDouble)].peak;
  Ceiling fit = {.origin = CeilingOrigin::kMix, .id = CeilingId::kMix};
  fit.parts = {{Precision::kDouble, true}};
  fit.height =
      Interval::Exactly(peak ? Value::Of(peak->value, Status::kMeasured, "machine")
                             : Value::None({Reason::kNoPrecisionCeiling,
                                            std::string(PrecisionName(Precision::kDouble))}));
  return fit;
}

}  // namespace

JobRoofs RoofsOf(const Machine& machine, const RunInfo& run) {
  return RoofsOf(machine, ActiveHosts(machine, run));
}

JobRoofs RoofsOf(const Machine& machine, const std::vector<ActiveHost>& hosts) {
  JobRoofs roofs;
  roofs.machine = TitleOf(machine);
  for (const ActiveHost& host : hosts) roofs.cores += host.cores;
  for (const CeilingCurve& ceiling : machine.ceilings) {
    const Roof roof = {ceiling.id, ceiling.label, JobValue(ceiling, hosts),
                       JobNoise(ceiling, hosts)};
    if (Word(ceiling.id, 0) == "compute") AddCompute(roof, roofs);
    if (Word(ceiling.id, 0) == "bandwidth") AddBandwidth(roof, roofs);
  }
  return roofs;
}

JobRoofs SumOf(const std::vector<JobRoofs>& roofs) {
  JobRoofs sum = roofs.front();
  for (size_t i = 1; i < roofs.size(); ++i) {
    sum.machine += " + " + roofs[i].machine;
    sum.cores += roofs[i].cores;
    for (size_t p = 0; p < kPrecisions; ++p) {
      Add(roofs[i].compute[p].peak, sum.compute[p].peak);
      Add(roofs[i].compute[p].no_fma, sum.compute[p].no_fma);
    }
    for (size_t l = 0; l < kMemoryLevels; ++l) Add(roofs[i].bandwidth[l], sum.bandwidth[l]);
  }
  return sum;
}

Ceiling FitCeiling(const JobRoofs& roofs, const JobProfile& job, size_t path) {
  Ceiling fit = {.origin = CeilingOrigin::kMix, .id = CeilingId::kMix};
  double flops = 0, least_time = 0;
  for (size_t p = 0; p < kPrecisions; ++p) {
    const auto precision = static_cast<Precision>(p);
    const PrecisionWork share = WorkOf(roofs, job, path, precision);
    if (share.flops == 0) continue;
    if (share.roof == nullptr) {
      fit.height = Interval::Exactly(
          Value::None({Reason::kNoPrecisionCeiling, std::string(PrecisionName(precision))}));
      return fit;
    }
    flops += share.flops;
    least_time += share.flops / share.roof->value;
    fit.parts.push_back({precision, share.roof == &*roofs.compute[p].peak});
    if (share.no_fma_missing) fit.note = MixNote::kNoRoofWithoutFma;
  }
  if (flops == 0) {
    fit = CeilingOfDeclaredWork(roofs);
    if (MixedFlopsOf(job, path)) fit.note = MixNote::kPrecisionsMixed;
    return fit;
  }
  fit.height = Interval::Exactly(Value::Of(flops / least_time, Status::kMeasured, "machine"));
  return fit;
}

}  // namespace roofmark
