// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/region_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lib/model/pipe_times.h"

namespace roofmark {
namespace {

constexpr size_t kDram = static_cast<size_t>(MemoryLevel::kDram);

Value Sum(const JobProfile& job, size_t path, MetricId metric) {
  return MetricSum(job, path, metric);
}
double Number(const Value& value) { return value ? *value : 0; }

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

bool AnyDivides(const std::vector<FlopClass>& classes) {
  return std::any_of(classes.begin(), classes.end(), [](const FlopClass& work) {
    return work.kind == FlopKind::kDiv || work.kind == FlopKind::kSqrt;
  });
}

// Fills one region's inputs from one place of the profile.
class Reader {
 public:
  Reader(const JobProfile& job, size_t path, const JobModel& model)
      : job_(job), path_(path), model_(model) {}

  RegionInputs Take() {
    in_.flops = FlopClasses(job_, path_);
    in_.total_flops = TotalFlops(job_, path_);
    in_.operations = Sum(job_, path_, metric::kDeclaredOperations);
    in_.time_s = SlowestTime(job_, path_);
    in_.issue_slots = IssueSlots(job_, path_);
    for (const MemoryLevel level : kAllLevels) {
      in_.bytes[static_cast<size_t>(level)] = Traffic(job_, path_, level);
    }
    in_.nt_bytes = Number(Sum(job_, path_, metric::kDramNtBytes));
    in_.dram_reads = DramReads();
    in_.work = WorkBalance(job_, path_);
    BalanceByTime();
    in_.traffic = TrafficConcurrency(job_, path_);
    Pipes();
    Cycles();
    Extent(Shortfall::kThreadImbalance) = in_.work.as_is ? in_.work.even_ranks : in_.work.as_is;
    Extent(Shortfall::kRankImbalance) = in_.work.even_threads;
    Extent(Shortfall::kConcurrency) = in_.traffic.as_is;
    Packages();
    WriteAllocate();
    Misses();
    return std::move(in_);
  }

 private:
  Value& Extent(Shortfall shortfall) { return in_.extent[Index(shortfall)]; }
  void None(Shortfall shortfall, std::string reason) {
    Extent(shortfall) = Value::None(std::move(reason));
  }

  // From where Traffic has its bytes.
  Value DramReads() const {
    const auto sum = [this](MetricId m) { return Sum(job_, path_, m); };
    if (job_.At(path_, metric::kPackageDramBytes).ranks > 0) {
      return Value::None("this CPU counts reads and writes together");
    }
    const Value packages = sum(metric::kPackageDramReadBytes);
    if (!packages) return sum(metric::kDramReadBytes);
    const MetricId hbm = metric::kPackageHbmReadBytes;
    if (!HasValue(job_.sources[hbm].status)) return packages;
    return Combine(packages, sum(hbm), std::plus<>());
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

  void Pipes() {
    if (in_.flops.empty()) {
      for (const Shortfall s : {Shortfall::kFmaBalance, Shortfall::kSimd, Shortfall::kDivides,
                                Shortfall::kInstructionMix}) {
        Extent(s) = in_.total_flops
                        ? Value::None("it does no floating-point work", in_.total_flops.status)
                        : in_.total_flops;
      }
      return;
    }
    const Value& flops = in_.total_flops;
    double fused = 0, divided = 0, all = 0, issued = 0, widest = 0;
    bool widths = true, kinds = true, rates = true;
    for (const FlopClass& work : in_.flops) {
      const auto p = static_cast<size_t>(work.precision);
      all += work.flops;
      widths &= work.width.has_value();
      kinds &= work.kind.has_value();
      if (work.kind == FlopKind::kFma) fused += work.flops;
      if (work.kind == FlopKind::kDiv || work.kind == FlopKind::kSqrt) divided += work.flops;
      const double lanes = work.width ? Lanes(work.precision, *work.width) : 1;
      issued += work.flops / lanes;
      widest += work.flops / std::max(lanes, model_.rates.widest_lanes[p]);
      rates &= work.width && model_.rates.At(work.precision, *work.width).best > 0;
    }
    Extent(Shortfall::kFmaBalance) = kinds ? Value::Of(fused / all, flops.status, flops.origin)
                                           : Value::Of(0, flops.status, flops.origin);
    Extent(Shortfall::kSimd) = Value::Of(all / issued, flops.status, flops.origin);
    in_.lanes_possible = all / widest;
    in_.kinds_told = kinds;
    if (!widths) {
      None(Shortfall::kSimd, "the counters of this CPU do not tell how wide instructions are");
    } else if (!rates) {
      None(Shortfall::kSimd,
           "the machine file has no rate for some width that runs here: measure with `roofmark "
           "machine`");
    }
    Extent(Shortfall::kDivides) = Value::Of(divided / all, flops.status, flops.origin);
    if (!kinds) {
      None(Shortfall::kDivides, "the counters of this CPU do not tell divisions apart");
    } else if (divided > 0 && !DividerIsMeasured()) {
      None(Shortfall::kDivides,
           "the machine file has no rate of divisions: measure with `roofmark machine`");
    }
    MixExtent();
  }

  bool DividerIsMeasured() const {
    return std::all_of(in_.flops.begin(), in_.flops.end(), [this](const FlopClass& work) {
      if (!AnyDivides({work})) return true;
      const auto& widest = model_.rates.widest[static_cast<size_t>(work.precision)];
      return widest.alone[static_cast<size_t>(*work.kind)] > 0;
    });
  }

  // The share of issue slots that perform FLOPs.
  void MixExtent() {
    Value& extent = Extent(Shortfall::kInstructionMix);
    extent = in_.issue_slots;
    if (!extent) return;
    if (model_.rates.issue <= 0) {
      return None(Shortfall::kInstructionMix,
                  "the machine file has no instruction mixes: measure with `roofmark machine`");
    }
    const PipeTimes times = LeastPipeTimes(in_.flops, model_.rates, {}, Untold::kBest);
    const double slots = *extent;
    extent = Value::Of(slots > 0 ? std::min(1.0, times.instructions / slots) : 1, extent.status,
                       extent.origin);
  }

  void Cycles() {
    const Value cycles = Sum(job_, path_, metric::kCycles);
    const Value stalled = Sum(job_, path_, metric::kMemoryStallCycles);
    const Value share = Combine(
        stalled, cycles, [](double s, double c) { return c > 0 ? std::min(1.0, s / c) : 0; });
    Extent(Shortfall::kIlp) = Extent(Shortfall::kPrefetch) = share;
    if (!share) return;
    const double per_second = model_.rates.clock_ghz * 1e9 * model_.rates.cores;
    if (per_second <= 0) {
      for (const Shortfall s : {Shortfall::kIlp, Shortfall::kPrefetch}) {
        None(s, "the machine file has no clock: measure with `roofmark machine`");
      }
      return;
    }
    in_.stalled_s = *cycles * *share / per_second;
    in_.busy_s = *cycles / per_second - in_.stalled_s;
  }

  // Values of package scope: one entry of a cell is a package.
  void Packages() {
    const Cell& reads = job_.At(path_, metric::kPackageDramReadBytes);
    const Cell& both = job_.At(path_, metric::kPackageDramBytes);
    const Cell& bytes = both.ranks > 0 ? both : reads;
    const MetricId used =
        both.ranks > 0 ? metric::kPackageDramBytes : metric::kPackageDramReadBytes;
    const Value total = Sum(job_, path_, used);
    Controllers();
    Value& affinity = Extent(Shortfall::kAffinity);
    affinity = total;
    if (!total) return;
    if (model_.packages < 2 || bytes.ranks < 2) {
      return None(Shortfall::kAffinity,
                  "the job runs within one package, or none of its nodes "
                  "tells its packages' traffic apart");
    }
    if (*total <= 0) return None(Shortfall::kAffinity, "no byte moved");
    const double packages = bytes.ranks;
    const double skew = static_cast<double>(bytes.max) * packages / *total;
    // At least so much is read by other packages, whose cores are as busy.
    affinity = Value::Of(std::max(0.0, (skew - 1) / packages), total.status, total.origin);
    const double roof = model_.DramBandwidth(1);
    // All pages on one node is what "read_far" measured; in between, time is in proportion.
    const double all_far = model_.far_gbs > 0 ? std::max(1.0, roof / model_.far_gbs) : packages;
    in_.affinity = 1 + (skew - 1) / (packages - 1) * (all_far - 1);
  }

  void Controllers() {
    const Value busiest = Sum(job_, path_, metric::kPackageControllerBytesMax);
    const Value count = Sum(job_, path_, metric::kPackageControllers);
    const Value total = in_.bytes[kDram];
    const Value packages = Value::Of(
        std::max(1u, job_.At(path_, metric::kPackageControllers).ranks), Status::kMeasured, "");
    Value each = Combine(count, packages, [](double n, double p) { return n / p; });
    Value factor = Combine(busiest, each, [](double most, double n) { return most * n; });
    factor = Combine(factor, total, [](double product, double bytes) {
      return bytes > 0 ? std::max(1.0, product / bytes) : 1;
    });
    Extent(Shortfall::kControllers) = factor;
    if (factor) in_.controllers = *factor;
  }

  // What a store fetched and then overwrote. Where fetches for stores are not told apart, at least
  // what no load can have wanted, and at most what was written back.
  void WriteAllocate() {
    const Value reads = Sum(job_, path_, metric::kDramReadBytes);
    const Value loads = Sum(job_, path_, metric::kLoadBytes);
    const Value stores = Sum(job_, path_, metric::kStoreBytes);
    Value extent = Combine(Combine(reads, loads, std::plus<>()), stores, std::plus<>());
    Value& result = Extent(Shortfall::kWriteAllocate);
    result = extent;
    if (!extent) return;
    const double written = Number(Sum(job_, path_, metric::kDramWriteBytes)) - in_.nt_bytes +
                           Number(Sum(job_, path_, metric::kDramDirtyBytes));
    const double most = std::max(0.0, std::min({*reads, written, *stores}));
    const Value fills = Sum(job_, path_, metric::kStoreFillBytes);
    in_.write_allocate_most = fills ? std::min(most, *fills) : most;
    in_.write_allocate_least =
        fills ? in_.write_allocate_most : std::min(most, std::max(0.0, *reads - *loads));
    const double all = Number(in_.bytes[kDram]);
    result = Value::Of(all > 0 ? in_.write_allocate_most / all : 0, extent.status, extent.origin);
  }

  void Misses() {
    const Value compulsory = Sum(job_, path_, metric::kMissesCompulsory);
    const Value capacity = Sum(job_, path_, metric::kMissesCapacity);
    const Value conflict = Sum(job_, path_, metric::kMissesConflict);
    const Value all =
        Combine(Combine(compulsory, capacity, std::plus<>()), conflict, std::plus<>());
    const auto share = [](double part, double sum) { return sum > 0 ? part / sum : 0; };
    Extent(Shortfall::kCapacity) = Combine(capacity, all, share);
    Extent(Shortfall::kConflict) = Combine(conflict, all, share);
    in_.capacity = Number(Extent(Shortfall::kCapacity));
    in_.conflict = Number(Extent(Shortfall::kConflict));
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

}  // namespace

JobModel::JobModel(const Machine& m, const RunInfo& run)
    : machine(&m), hosts(ActiveHosts(m, run)), roofs(RoofsOf(m, run)), rates(m, hosts) {
  for (const ActiveHost& host : hosts) packages += host.packages;
  if (const Ceiling* far = m.Find("bandwidth.DRAM.read_far")) far_gbs = JobValue(*far, hosts);
  for (const Ceiling& ceiling : m.ceilings) {
    if (!ceiling.id.starts_with("bandwidth.DRAM.")) continue;
    read_gbs = std::max(read_gbs, ReadShare(ceiling.id) * JobValue(ceiling, hosts));
  }
}

double JobModel::DramBandwidth(double share) const {
  double most = 0;
  for (const Ceiling& ceiling : machine->ceilings) {
    if (!ceiling.id.starts_with("bandwidth.DRAM.")) continue;
    most = std::max(most, JobValue(ceiling, hosts, share));
  }
  const auto& roof = roofs.bandwidth[kDram];
  return roof ? std::min(most, roof->value) : most;
}

RegionInputs InputsOf(const JobProfile& job, size_t path, const JobModel& model) {
  return Reader(job, path, model).Take();
}

}  // namespace roofmark
