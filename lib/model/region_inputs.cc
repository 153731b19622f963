// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/region_inputs.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "lib/model/shortfall_rule.h"
#include "lib/model/small_pages.h"

namespace roofmark {
namespace {

Value Sum(const JobProfile& job, size_t path, MetricId metric) {
  return MetricSum(job, path, metric);
}
double NumberOrZero(const Value& value) { return value ? *value : 0; }

// A jump may be one with the comparison before it; where jumps are not counted, at most every
// second instruction is one.
Value IssueSlots(const JobProfile& job, size_t path) {
  const Value instructions = Sum(job, path, metric::kInstructions);
  const Value branches = Sum(job, path, metric::kBranchInstructions);
  if (!branches) {
    return instructions ? Value::Of(*instructions / 2, instructions.status, instructions.origin)
                        : instructions;
  }
  return Combine(instructions, branches, [](double n, double b) { return std::max(0.0, n - b); });
}

// Fills one region's inputs from one place of the profile.
class InputReader {
 public:
  InputReader(const JobProfile& job, size_t path, const JobModel& model)
      : job_(job), path_(path), model_(model) {}

  RegionInputs Take() {
    in_.flops = FlopClasses(job_, path_);
    in_.total_flops = TotalFlops(job_, path_);
    in_.operations = Sum(job_, path_, metric::kDeclaredOperations);
    in_.time_s = SlowestTime(job_, path_);
    in_.issue_slots = IssueSlots(job_, path_);
    in_.slots_may_wait = MayCountWaiting(job_, path_);
    for (const MemoryLevel level : kAllLevels) {
      in_.bytes[static_cast<size_t>(level)] = Traffic(job_, path_, level);
    }
    in_.dram_over_model = DramOverModel();
    in_.nt_bytes = NumberOrZero(Sum(job_, path_, metric::kDramNtBytes)) * in_.dram_over_model;
    in_.dram_reads = DramReads();
    in_.work = WorkBalance(job_, path_);
    BalanceByTime();
    in_.traffic = TrafficConcurrency(job_, path_);
    in_.dependences = DependencesOf(job_, path_, model_.rates.clock_ghz);
    if (in_.time_s) KeepBranchesWithin(*in_.time_s * ShareOfWork(), in_.dependences);
    for (size_t s = 0; s < kShortfalls; ++s) {
      in_.unproven[s] = InfoOf(static_cast<Shortfall>(s)).promise == Promise::kMayGiveNothing;
      const ShortfallRule& rule = InfoOf(static_cast<Shortfall>(s)).rule;
      in_.extent[s] = rule.extent({job_, path_, model_}, in_);
    }
    return std::move(in_);
  }

 private:
  // From where Traffic has its bytes.
  Value DramReads() const {
    const auto sum = [this](MetricId m) { return Sum(job_, path_, m); };
    if (job_.At(path_, metric::kPackageDramBytes).ranks > 0) {
      return Value::None(Reason::kReadsWithWrites);
    }
    const Value packages = sum(metric::kPackageDramReadBytes);
    if (!packages) return sum(metric::kDramReadBytes);
    const MetricId hbm = metric::kPackageHbmReadBytes;
    if (!HasValue(job_.sources[hbm].status)) return packages;
    return Combine(packages, sum(hbm), std::plus<>());
  }

  // Of its time, what it does not wait in MPI or OpenMP.
  double ShareOfWork() const {
    const double waits =
        NumberOrZero(WaitingMpiShare(job_, path_)) + NumberOrZero(OpenMpShare(job_, path_));
    return std::max(0.0, 1 - waits);
  }

  double DramOverModel() const {
    double modelled = 0;
    for (const MetricId part :
         {metric::kDramReadBytes, metric::kDramWriteBytes, metric::kDramDirtyBytes}) {
      modelled += NumberOrZero(Sum(job_, path_, part));
    }
    const Value& all = in_.bytes[static_cast<size_t>(MemoryLevel::kDram)];
    return all && modelled > 0 ? *all / modelled : 1;
  }

  // Where waiting is known, ranks' own time tells what their work does not: slower data, more
  // branches. The region lasts as long as its busiest rank.
  void BalanceByTime() {
    const Value busy = BusyImbalance(job_, path_);
    if (!busy) return;
    Balance& work = in_.work;
    work.even_threads = Value::Of(std::max(1.0, *busy), busy.status, busy.origin);
    if (work.as_is && *work.as_is < *work.even_threads) work.as_is = work.even_threads;
  }

  const JobProfile& job_;
  const size_t path_;
  const JobModel& model_;
  RegionInputs in_;
};

// What each benchmark reads of its traffic: copy and triad fetch what they overwrite.
double ReadShare(const std::string& id) {
  if (id.ends_with(".copy") || id.ends_with(".triad_nt")) return 2.0 / 3;
  return id.ends_with(".triad") || id.ends_with(".triad_prefetch") ? 3.0 / 4 : 1;
}

// The most that is read from DRAM, GB/s; 0: not measured.
double MostRead(const KindModel& kind) {
  double most = 0;
  for (const CeilingCurve& ceiling : kind.machine->ceilings) {
    if (!ceiling.id.starts_with("bandwidth.DRAM.")) continue;
    most = std::max(most, ReadShare(ceiling.id) * JobValue(ceiling, kind.hosts));
  }
  return most;
}

std::vector<KindModel> ModelsOf(const std::vector<NodeKind>& nodes, const RunInfo& run) {
  std::vector<KindModel> kinds;
  for (const NodeKind& kind : nodes) {
    kinds.emplace_back(*kind.machine, ActiveHosts(*kind.machine, run, kind.hosts));
  }
  return kinds;
}

// Over all kinds of nodes; 0 if it is not known of one.
template <class Most>
double SumIfAllHave(const std::vector<KindModel>& kinds, const Most& most_of) {
  double sum = 0;
  for (const KindModel& kind : kinds) {
    const double most = most_of(kind);
    if (most <= 0) return 0;
    sum += most;
  }
  return sum;
}

std::vector<JobRoofs> RoofsOfAll(const std::vector<KindModel>& kinds) {
  std::vector<JobRoofs> roofs;
  for (const KindModel& kind : kinds) roofs.push_back(kind.roofs);
  return roofs;
}

UnitRates RatesOf(const std::vector<KindModel>& kinds) {
  UnitRates rates(*kinds[0].machine, kinds[0].hosts);
  for (size_t i = 1; i < kinds.size(); ++i) rates.Add({*kinds[i].machine, kinds[i].hosts});
  return rates;
}

}  // namespace

KindModel::KindModel(const Machine& m, std::vector<ActiveHost> active)
    : machine(&m),
      hosts(std::move(active)),
      roofs(RoofsOf(m, hosts)),
      streams(m, PageSize::kHuge),
      small_page_streams(m, PageSize::kSmall) {}

double KindModel::StreamGbs(PageSize pages, double count, double share) const {
  double cores = 0;
  for (const ActiveHost& host : hosts) cores += host.cores * share;
  return cores * (pages == PageSize::kSmall ? small_page_streams : streams).Limit(count);
}

double KindModel::DramBandwidth(double share) const {
  double most = 0;
  for (const CeilingCurve& ceiling : machine->ceilings) {
    if (!ceiling.id.starts_with("bandwidth.DRAM.")) continue;
    most = std::max(most, JobValue(ceiling, hosts, share));
  }
  const auto& roof = roofs.bandwidth[kDramLevel];
  return roof ? std::min(most, roof->value) : most;
}

JobModel::JobModel(const std::vector<NodeKind>& nodes, const RunInfo& run)
    : kinds(ModelsOf(nodes, run)), roofs(SumOf(RoofsOfAll(kinds))), rates(RatesOf(kinds)) {
  for (const KindModel& kind : kinds) {
    for (const ActiveHost& host : kind.hosts) packages += host.packages;
  }
  read_gbs = SumIfAllHave(kinds, MostRead);
  far_gbs = ValueOf("bandwidth.DRAM.read_far");
}

double JobModel::ValueOf(std::string_view id, double share) const {
  double sum = 0;
  for (const KindModel& kind : kinds) {
    const CeilingCurve* ceiling = kind.machine->Find(id);
    if (ceiling == nullptr) return 0;
    sum += JobValue(*ceiling, kind.hosts, share);
  }
  return sum;
}

double JobModel::DramBandwidth(double share) const {
  return SumIfAllHave(kinds, [&](const KindModel& kind) { return kind.DramBandwidth(share); });
}

double KindModel::SmallPagesGbs(MemoryLevel level, double share) const {
  const CeilingCurve* curve = machine->Find(SmallPagesCeilingId(LevelName(level)));
  if (curve == nullptr) return 0;
  return JobValue(*curve, hosts, share) * (1 + JobNoise(*curve, hosts));
}

double JobModel::SmallPagesGbs(MemoryLevel level, double share) const {
  return SumIfAllHave(kinds,
                      [&](const KindModel& kind) { return kind.SmallPagesGbs(level, share); });
}

double JobModel::StreamGbs(PageSize pages, double count, double share) const {
  return SumIfAllHave(kinds,
                      [&](const KindModel& kind) { return kind.StreamGbs(pages, count, share); });
}

RegionInputs InputsOf(const JobProfile& job, size_t path, const JobModel& model) {
  return InputReader(job, path, model).Take();
}

}  // namespace roofmark
