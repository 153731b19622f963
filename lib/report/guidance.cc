// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/guidance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/model/advice.h"
#include "lib/report/advice_words.h"
#include "lib/report/deed_words.h"
#include "lib/report/doubt_words.h"
#include "lib/report/format.h"
#include "lib/report/over_ranks.h"
#include "lib/report/rows.h"
#include "lib/report/words.h"

namespace roofmark {
namespace {

constexpr size_t kMostRegions = 3;
constexpr size_t kMostCeilings = 4;  // of one region

std::string CeilingText(const Ceiling& ceiling) {
  const std::string proof =
      ceiling.fit == CeilingFit::kPassed ? fmt::format(": {}", ProofText(ceiling.proof)) : "";
  return fmt::format("{} ({}{})", CeilingName(ceiling),
                     SiUnit(ceiling.height.most * 1e9, ceiling.IsMemory() ? "B/s" : "FLOP/s"),
                     proof);
}

// What threads in parallel can do, where each rank has one.
bool IsMeaningless(const Ceiling& ceiling, const RunInfo& run) {
  const bool is_of_threads = ceiling.id == CeilingId::kThreadParallelism ||
                             ceiling.id == CeilingId::kCoresThreadParallelism;
  return is_of_threads && run.threads_max <= 1;
}

// The columns of the 2008 report's Table 4. Where the time is not explained, or is spent waiting,
// no ceiling holds the region.
std::string Sandwich(const JobProfile& job, const PathAnalysis& path) {
  const Verdict& verdict = path.verdict;
  if (path.limit.what != LimitedBy::kResource || path.limit.IsOfPhases()) return {};
  std::vector<std::string> parts;
  const auto add = [&](const char* where, const std::optional<Neighbour>& neighbour) {
    if (!neighbour || IsMeaningless(neighbour->ceiling, job.run)) return;
    parts.push_back(fmt::format("{} {}", where, CeilingText(neighbour->ceiling)));
  };
  add("under", verdict.above);
  if (!verdict.above && verdict.below) parts.emplace_back("above every ceiling");
  add("above", verdict.below);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string Efficiencies(const PathAnalysis& path) {
  if (!path.efficiency) return {};
  std::string text =
      fmt::format("{} of the attainable {} under the {} roof", Percent(*path.efficiency),
                  SiUnit(*path.bound.attainable_gflops * 1e9, "FLOP/s"),
                  path.bound.binding == "compute" ? CeilingName(path.ceiling) : path.bound.binding);
  if (path.verdict.top_efficiency && path.ceiling.height.least &&
      *path.verdict.top_efficiency < 0.99 * *path.efficiency) {
    text += fmt::format(", {} of the top roof", Percent(*path.verdict.top_efficiency));
  }
  // A second figure where it says something else.
  const auto differ = [](double a, double b) { return std::abs(a - b) > 0.01 * std::max(a, b); };
  if (path.runtime.attainable && path.gflops && *path.runtime.attainable > 0 &&
      differ(*path.runtime.attainable, *path.bound.attainable_gflops)) {
    text += fmt::format(", {} of what its own mix can attain ({})",
                        Percent(*path.gflops / *path.runtime.attainable),
                        SiUnit(*path.runtime.attainable * 1e9, "FLOP/s"));
  }
  return text;
}

// Canonical FLOPs beside measured ones, and what divisions really cost.
std::string Counts(const PathAnalysis& path) {
  const Verdict& verdict = path.verdict;
  std::vector<std::string> parts;
  constexpr double kEqual = 0.01;
  if (verdict.measured_over_canonical && std::abs(*verdict.measured_over_canonical - 1) > kEqual) {
    parts.push_back(fmt::format("{} measured, {} declared (x{})", SiUnit(*path.total_flops, "FLOP"),
                                SiUnit(*verdict.canonical_flops, "FLOP"),
                                Plain(*verdict.measured_over_canonical)));
  }
  if (verdict.flops_at_cost && path.total_flops &&
      *verdict.flops_at_cost > 1.01 * *path.total_flops) {
    parts.push_back(fmt::format("{} if divisions and roots count as what they cost",
                                SiUnit(*verdict.flops_at_cost, "FLOP")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string Operations(const JobProfile& job, size_t index, const PathAnalysis& path) {
  if (!path.operations || *path.operations <= 0) return {};
  const std::string name =
      job.paths[index].operation.empty() ? "operations" : Printable(job.paths[index].operation);
  std::string text = fmt::format("{} {}", Si(*path.operations), name);
  if (path.operation_rate) {
    text += fmt::format(", {}", SiUnit(*path.operation_rate * 1e9, name + "/s"));
  }
  if (path.runtime.unit == "operation" && path.runtime.attainable) {
    text += fmt::format("; attainable {}", SiUnit(*path.runtime.attainable * 1e9, name + "/s"));
  }
  return text;
}

// Where the controllers could not be read.
std::string MissEstimate(const PathAnalysis& path) {
  if (path.traffic_bytes[static_cast<size_t>(MemoryLevel::kDram)] || !path.miss_bytes) return {};
  return fmt::format(
      "DRAM traffic was not counted; last-level misses make {} (an estimate: without prefetches "
      "and "
      "write-backs)",
      SiUnit(*path.miss_bytes, "B"));
}

// Who waits for whom.
std::string InsideMpi(const JobProfile& job, size_t index, const PathAnalysis& path) {
  const Value& share = path.mpi_share;
  if (!share || *share < 0.005) return {};
  // The limit has said the share.
  const bool said = path.waiting.what == WaitingFor::kMpi && !path.limit.IsOfPhases();
  std::string text =
      said ? "inside MPI" : fmt::format("{} of its ranks' time inside MPI", Percent(*share));
  const Cell& inside = job.At(index, metric::kMpiNs);
  if (said && inside.ranks < 2) return {};
  if (inside.ranks > 1) {
    text += fmt::format(": {} on rank {} to {} on rank {}",
                        Seconds(static_cast<double>(inside.min) * 1e-9), inside.min_rank,
                        Seconds(static_cast<double>(inside.max) * 1e-9), inside.max_rank);
  }
  if (const Value& busy = path.time_imbalance; busy && *busy > 1.05) {
    text += fmt::format("; outside MPI the busiest rank ({}) works {}x the mean",
                        job.At(index, metric::kOutsideMpiNs).max_rank, Plain(*busy));
  }
  return text;
}

std::string Serial(const JobProfile& job, size_t index) {
  const uint32_t threads = ThreadsBesideSerial(job, index);
  return threads > 0 ? fmt::format("serial: 1 of {} threads", threads) : std::string();
}

// Which threads wait for others, and how long.
std::string InParallelRegions(const PathAnalysis& path) {
  constexpr double kLarge = 0.05;
  if (!path.openmp_waits || *path.openmp_waits < kLarge) return {};
  std::string text = fmt::format("its threads wait {} of their time in parallel regions in OpenMP",
                                 Percent(*path.openmp_waits));
  if (const Value& over = path.thread_imbalance; over && *over > 1.05) {
    text += fmt::format("; the busiest works {}x the mean time", Plain(*over));
  }
  return text;
}

// Where it is not the limit, which has said so.
std::string InKernel(const PathAnalysis& path) {
  constexpr double kLarge = 0.05;
  const TimeSplit& split = path.split;
  const bool said = path.limit.what == LimitedBy::kKernel && !path.limit.IsOfPhases();
  return said || split.in_kernel_s < kLarge * split.time_s || split.time_s <= 0
             ? std::string()
             : KernelSentence(path);
}

// Executed, but not by the region's own code.
std::string CountedApart(const JobProfile& job, size_t index) {
  constexpr double kLarge = 0.05;
  const auto part = [](const Value& share, const char* where) {
    return share && *share >= kLarge ? fmt::format("{} {}", Percent(*share), where) : std::string();
  };
  const std::string mpi = part(InMpiInstructions(job, index), "inside MPI");
  const std::string runtime = part(InRuntimeInstructions(job, index), "in the OpenMP runtime");
  if (MayCountWaiting(job, index)) {
    return "its instructions may contain some that were executed while it waited in MPI or in the "
           "OpenMP runtime: what rests on them is an interval; libroofmark_mpi_wait.so and "
           "libroofmark_openmp_wait.so, preloaded, tell them apart, and so does `roofmark run`";
  }
  if (mpi.empty() && runtime.empty()) return {};
  return fmt::format("of the instructions executed in it {}{}{}: in none of the counts", mpi,
                     mpi.empty() || runtime.empty() ? "" : ", ", runtime);
}

std::vector<std::string> Lines(const JobProfile& job, size_t index, const PathAnalysis& path) {
  std::vector<std::string> lines;
  const auto add = [&lines](std::initializer_list<std::string> more) {
    for (const std::string& line : more) {
      if (!line.empty()) lines.push_back(line);
    }
  };
  add({LimitSentence(path), CriticalSentence(path, job.paths[index].critical)});
  if (path.waiting.waits()) {
    // In MPI most of what is executed is MPI's: that says nothing more.
    const bool said =
        path.waiting.what == WaitingFor::kMpiUntimed || path.waiting.what == WaitingFor::kMpi;
    add({InsideMpi(job, index, path), InParallelRegions(path), InKernel(path),
         said ? std::string() : CountedApart(job, index)});
    return lines;
  }
  add({Sandwich(job, path), Efficiencies(path), Counts(path), Operations(job, index, path),
       InsideMpi(job, index, path), Serial(job, index), InParallelRegions(path), InKernel(path),
       CountedApart(job, index), ExtrapolatedSentence(job, path), ScaledTimeSentence(path),
       ScaledFlopsSentence(path), MissEstimate(path), SpreadSentence(job, index, Drawn::kTime),
       SpreadSentence(job, index, Drawn::kFlops)});
  // What would help its work helps little where something else takes the time.
  const LimitedBy what = path.limit.what;
  if (what == LimitedBy::kUnexplained || what == LimitedBy::kKernel ||
      what == LimitedBy::kMpiWork || path.limit.IsOfPhases()) {
    return lines;
  }
  add({MovesSentence(path.runtime)});
  const auto worth = WorthCuring(path.runtime);
  for (size_t i = 0; i < std::min(worth.size(), kMostCeilings); ++i) {
    lines.push_back(AdviceSentence(*worth[i], path.runtime));
  }
  if (path.runtime.note != RuntimeNote::kNone && !worth.empty()) {
    lines.push_back(NoteText(path.runtime.note));
  }
  return lines;
}

}  // namespace

std::vector<std::string> StandingLines(const ReportJob& job, size_t path) {
  return Lines(job.profile, path, job.analysis.paths[path]);
}

std::vector<std::string> FirstThings(const ReportJob& job, size_t most) {
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<std::string> lines;
  for (const Advice& advice : AdviceFor(job.profile, job.analysis)) {
    if (lines.size() >= most) break;
    const Value& share = job.analysis.paths[advice.path].time_share;
    lines.push_back(fmt::format("{}{}: {}", NameOf(rows[advice.path]),
                                share ? fmt::format(" ({} of the run)", Percent(*share)) : "",
                                AdviceSentence(advice, job)));
  }
  return lines;
}

std::string FirstOrder(size_t things) {
  if (things < 2) return {};
  return "Ordered by what they may save for their effort; savings in one region do not add up.";
}

std::vector<Standing> Standings(const ReportJob& job, Detail detail) {
  const auto& paths = job.analysis.paths;
  std::vector<size_t> order(paths.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto time = [&](size_t p) { return paths[p].time_s ? *paths[p].time_s : 0; };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return time(a) > time(b); });
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<Standing> standings;
  const bool all = detail == Detail::kAll;
  for (const size_t p : order) {
    if (!all && standings.size() == kMostRegions) break;
    if (!all && (!TakesTime(paths[p]) || IsFrame(job.profile, job.analysis, p))) continue;
    Standing standing = {NameOf(rows[p]), Lines(job.profile, p, paths[p])};
    if (standing.lines.empty()) continue;
    standings.push_back(std::move(standing));
  }
  return standings;
}

}  // namespace roofmark
