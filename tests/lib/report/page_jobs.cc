// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/report/page_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/lib/incore/made_up_loops.h"
#include "tests/lib/model/model_machine.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/lib/report/recorded_job.h"

namespace roofmark::test {
namespace {

// 0 to 1, from any two numbers; the same everywhere.
double Chance(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15u + b * 0xBF58476D1CE4E5B9u + 0x94D049BB133111EBu;
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBu;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) / 9007199254740992.0;
}

class Maker {
 public:
  Maker(size_t regions, uint32_t ranks) : ranks_(ranks), job_(EmptyJob(ranks, 1, 2)) {
    job_.run.hosts.clear();
    for (uint32_t first = 0; first < ranks; first += 2) {
      job_.run.hosts.push_back({fmt::format("node{:03}", first / 2), 2, "0-1", 2});
    }
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      job_.rank_hosts[rank] = fmt::format("node{:03}", rank / 2);
    }
    AddPass(job_, "timer", 100);
    AddPass(job_, "counting", 1000);
    for (const std::string& path : Paths(regions)) Add(path, regions);
    PruneRankHosts(job_);
  }

  JobProfile Take() { return std::move(job_); }

 private:
  static std::vector<std::string> Paths(size_t regions) {
    constexpr const char* kNames[] = {
        "CalcForce", "stencil<7, double>", "spmv",    "halo exchange", "dot",
        "axpy",      "gradient",           "limiter", "update",        "reduce"};
    std::vector<std::string> paths;
    for (size_t i = 0; i < regions; ++i) {
      const std::string phase = fmt::format("phase {:02}", i / 10);
      const bool is_phase = i % 10 == 0 && regions > 1;
      paths.push_back(is_phase ? phase
                               : JoinPath(regions > 1 ? phase : "",
                                          EscapeRegionName(fmt::format(
                                              "{}{}", kNames[i % 10],
                                              regions > 10 ? fmt::format(" {}", i) : ""))));
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  // One value for each rank, about `mean`, that differs by up to `spread`.
  void Set(size_t row, MetricId metric, double mean, double spread, const char* origin = "counting",
           Status status = Status::kMeasured) {
    job_.sources[metric] = {origin, status, ""};
    Cell cell;
    for (uint32_t rank = 0; rank < ranks_; ++rank) {
      cell = Combine(cell, Cell::Of(Value(row, metric, rank, mean, spread), rank, status));
    }
    job_.At(row, metric) = cell;
  }

  uint64_t Value(size_t row, MetricId metric, uint32_t rank, double mean, double spread) const {
    const double slow = rank == 7 && row % 3 == 0 ? 0.3 : 0;
    const double chance = (Chance(row * 64 + metric, rank) + Chance(rank, row + 1)) / 2 - 0.5;
    return static_cast<uint64_t>(mean * (1 + spread * (chance + slow)));
  }

  void Spreads(size_t row, double time_ns, double flops, double bytes, double spread) {
    const double means[] = {time_ns, flops, bytes};
    const MetricId metrics[] = {metric::kTimeNs, metric::kFlops, metric::kDramBytes};
    for (size_t m = 0; m < kSpreads; ++m) {
      roofmark::Spread all;
      for (uint32_t rank = 0; rank < ranks_; ++rank) {
        const Ranked own = {Value(row, metrics[m], rank, means[m], spread), rank};
        roofmark::Add(all, own, Bit(Status::kMeasured));
      }
      job_.spreads.push_back(all);
    }
  }

  void Add(const std::string& path, size_t regions) {
    const bool is_phase = PathDepth(path) == 0 && regions > 1;
    const bool found = !is_phase && Chance(job_.paths.size(), 5) < 0.25;
    const size_t row = AddPath(job_, path, found ? RegionKind::kFound : RegionKind::kTeam);
    const double share = is_phase ? 9.0 / static_cast<double>(regions)
                                  : std::pow(Chance(row, 1), 3) * 3 / static_cast<double>(regions);
    const double time = 100e9 * std::min(0.9, std::max(share, 1e-5));
    const double rate = std::pow(10, -1.3 + 2 * Chance(row, 2));  // GFLOP/s of one rank
    const double intensity = std::min(std::pow(10, -1.5 + 2.5 * Chance(row, 3)), rate / 0.05);
    const double flops = rate * time;
    const double bytes = std::max(flops / intensity, 1.0), spread = 0.4 * Chance(row, 4);
    Set(row, metric::kVisits, 10, 0, "timer");
    Set(row, metric::kTimeNs, time, spread, "timer");
    for (MetricId m = 0; m < kFlopClasses; ++m) job_.At(row, m) = Cell::Of(0, 0, Status::kMeasured);
    for (MetricId m = 0; m < kFlopClasses; ++m)
      job_.sources[m] = {"counting", Status::kMeasured, ""};
    const bool wide = Chance(row, 6) < 0.4;
    Set(row, wide ? kDp256Fma : kDpScalarAdd, flops, spread);
    Set(row, metric::kFlops, flops, spread);
    Set(row, metric::kFlopsDp, flops, spread);
    Set(row, metric::kInstructions, flops * 2, spread);
    Set(row, metric::kLoadBytes, bytes * 6, spread);
    Set(row, metric::kStoreBytes, bytes, spread);
    Set(row, metric::kL1ReadBytes, bytes * 3, spread, "counting", Status::kModelled);
    Set(row, metric::kDramReadBytes, bytes * 0.8, spread, "counting", Status::kModelled);
    Set(row, metric::kDramWriteBytes, bytes * 0.2, spread, "counting", Status::kModelled);
    Set(row, metric::kDramBytes, bytes, spread, "counting", Status::kModelled);
    Set(row, metric::kMissesCompulsory, bytes * 0.4 / 64, spread, "counting", Status::kModelled);
    Set(row, metric::kMissesCapacity, bytes * 0.4 / 64, spread, "counting", Status::kModelled);
    Set(row, metric::kWorkers, 1, 0);
    Set(row, metric::kWorkerFlopsMax, flops * 1.2, 0);
    Set(row, metric::kWorkerBytesMax, bytes * 1.2, 0);
    if (!is_phase && Chance(row, 7) < 0.15) Set(row, metric::kMpiNs, time * 0.8, 0.1, "timer");
    Spreads(row, time, flops, bytes, spread);
  }

  uint32_t ranks_;
  JobProfile job_;
};

// Loops of the regions, in turns; all take equally much.
HotLoops LoopsOf(const JobProfile& job) {
  HotLoops hot = MadeUpLoops();
  const std::vector<HotLoop> models = hot.loops;
  hot.loops.clear();
  for (size_t p = 0; p < std::min(job.paths.size(), limits::kHotLoops); ++p) {
    HotLoop loop = models[p % models.size()];
    loop.uses = {{job.paths[p].path, loop.cpu_ns, loop.instructions}};
    hot.loops.push_back(std::move(loop));
  }
  hot.cpu_ns = 100'000'000 * (hot.loops.size() + 1);
  return hot;
}

}  // namespace

ReportJob PageJob(size_t regions, uint32_t ranks) {
  const Machine machine = ModelMachine();
  JobProfile profile = Maker(regions, ranks).Take();
  JobAnalysis analysis = Analyze(profile, &machine);
  incore::LoopsView loops = incore::ViewLoops(LoopsOf(profile));
  return {fmt::format("{}-regions.json", regions), std::move(profile), std::move(analysis),
          std::move(loops)};
}

ReportJob PageJob(const PageSize& size) {
  return size.regions == 0 ? RecordedJob(size.name) : PageJob(size.regions, size.ranks);
}

}  // namespace roofmark::test
