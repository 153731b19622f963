// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/health.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "lib/model/job_scope.h"
#include "lib/model/repeats.h"
#include "lib/model/work.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

constexpr double kMatters = 0.01;  // of the run's time

bool TakesPart(const PathAnalysis& path) {
  return !path.time_share || *path.time_share >= kMatters;
}

// At most what nothing else explains of the outermost regions, where that is known of any: threads
// that wait for their turn cost time, and do no work.
std::optional<TimeInterval> Unexplained(const JobProfile& job, const JobAnalysis& analysis) {
  std::optional<TimeInterval> cost;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const TimeSplit& split = analysis.paths[p].split;
    if (PathDepth(job.paths[p].path) > 0 || !split.unexplained_s) continue;
    if (!cost) cost.emplace();
    cost->most += *split.unexplained_s + split.inside_mpi_s + split.in_openmp_s;
  }
  return cost;
}

// Of the thread of a rank that waited longest: at most the whole run.
std::optional<double> WaitedForCpu(const JobProfile& job) {
  const Cell& waits = job.run.kernel.run_queue_ns;
  const Value wall = WallTime(job);
  if (waits.ranks == 0 || !wall) return std::nullopt;
  return std::min(*wall, static_cast<double>(waits.max) * 1e-9);
}

std::optional<HealthIssue> SharedCpus(const JobProfile& job, const JobAnalysis& analysis) {
  HealthIssue issue = {.id = HealthId::kSharedCpus};
  double most = 1;  // threads of a CPU
  size_t shared = 0;
  for (size_t h = 0; h < job.run.hosts.size(); ++h) {
    const HostInfo& host = job.run.hosts[h];
    const std::optional<double> quota = QuotaOf(host);
    const double cpus = quota.value_or(host.cpus);
    const double threads = static_cast<double>(host.ranks) * job.run.threads_max;
    if (cpus <= 0 || threads <= most * cpus) continue;
    most = threads / cpus;
    issue.quota = quota;
    issue.host = host.name;
    issue.ranks = host.ranks;
    issue.threads = job.run.threads_max;
    issue.cpus = host.cpus;
    shared = h;
  }
  if (issue.threads == 0) return std::nullopt;
  const AnalyzedKind* kind = KindOfHost(analysis, shared);
  issue.bound = !issue.quota && kind != nullptr && issue.cpus < kind->machine_cpus;
  issue.cost = Unexplained(job, analysis);
  issue.waited_s = WaitedForCpu(job);
  return issue;
}

std::optional<HealthIssue> RunQueue(const JobProfile& job) {
  constexpr double kMuch = 0.02;  // of the run
  const Value wall = WallTime(job);
  const std::optional<double> waited = WaitedForCpu(job);
  if (!wall || *wall <= 0 || !waited || *waited < kMuch * *wall) return std::nullopt;
  HealthIssue issue = {.id = HealthId::kRunQueue,
                       .cost = TimeInterval{0, *waited},
                       .share = *waited / *wall,
                       .waited_s = waited};
  for (const HostInfo& host : job.run.hosts) {
    if (!issue.quota) issue.quota = QuotaOf(host);
  }
  return issue;
}

std::optional<HealthIssue> DebugBuild(const RunInfo& run) {
  for (const PassInfo& pass : run.passes) {
    const auto fact = pass.facts.find(kCompiledFact);
    if (fact != pass.facts.end() && fact->second == kWithoutOptimisation) {
      return HealthIssue{.id = HealthId::kDebugBuild};
    }
  }
  return std::nullopt;
}

// If no node has a machine file, all figures that need one say so.
std::optional<HealthIssue> UnmeasuredNodes(const JobAnalysis& analysis) {
  HealthIssue issue = {.id = HealthId::kUnmeasuredNodes};
  bool some_measured = false;
  for (const AnalyzedKind& kind : analysis.kinds) {
    some_measured = some_measured || kind.measured;
    if (!kind.measured && !kind.hosts.empty()) issue.hosts.push_back(kind.hosts.front());
  }
  return some_measured && !issue.hosts.empty() ? std::optional(issue) : std::nullopt;
}

std::optional<HealthIssue> OtherMachine(const RunInfo& run, const JobAnalysis& analysis) {
  for (const AnalyzedKind& kind : analysis.kinds) {
    for (const size_t index : kind.hosts) {
      const HostInfo& host = run.hosts[index];
      const bool other_cpu =
          !kind.machine_cpu.empty() && !host.cpu.empty() && host.cpu != kind.machine_cpu;
      const bool other_kind = !host.kind.empty() && host.kind != kind.machine_key;
      if (!kind.measured || (!other_cpu && !other_kind)) continue;
      return HealthIssue{
          .id = HealthId::kOtherMachine, .host = host.name, .text = other_cpu ? host.cpu : ""};
    }
  }
  return std::nullopt;
}

// Of a rank's clock, that of the machine file.
struct ClockShare {
  double share = 1;
  std::string host = {};
};

ClockShare LowestClock(const JobProfile& job, const JobAnalysis& analysis) {
  ClockShare lowest;
  const auto take = [&lowest](uint64_t khz, double machine_ghz, const std::string& host) {
    const double share = machine_ghz > 0 ? static_cast<double>(khz) * 1e-6 / machine_ghz : 1;
    if (share < lowest.share) lowest = {share, host};
  };
  if (analysis.kinds.size() == 1) {
    const Cell& clock = job.run.kernel.clock_khz;
    if (clock.ranks > 0) take(clock.min, analysis.kinds[0].machine_ghz, "");
    return lowest;
  }
  for (const AnalyzedKind& kind : analysis.kinds) {
    for (const size_t host : kind.hosts) {
      const HostInfo& info = job.run.hosts[host];
      if (info.clock_khz.ranks > 0) take(info.clock_khz.least, kind.machine_ghz, info.name);
    }
  }
  return lowest;
}

// All that rests on the machine's figures is too high for a rank by so much.
std::optional<HealthIssue> LowClock(const JobProfile& job, const JobAnalysis& analysis) {
  constexpr double kLow = 0.9;
  const ClockShare lowest = LowestClock(job, analysis);
  if (lowest.share >= kLow) return std::nullopt;
  HealthIssue issue = {.id = HealthId::kLowClock, .share = lowest.share, .host = lowest.host};
  if (const Value wall = WallTime(job)) issue.cost = TimeInterval{0, *wall * (1 - lowest.share)};
  return issue;
}

// Who waits for the slowest node waits at most as long as it takes longer.
std::optional<HealthIssue> SlowHosts(const JobProfile& job) {
  const Value wall = WallTime(job);
  if (!wall) return std::nullopt;
  HealthIssue issue = {.id = HealthId::kSlowNodes, .slow = SlowNodesOf(job)};
  std::erase_if(issue.slow.nodes,
                [&](const SlowNode& node) { return node.seconds < kMatters * *wall; });
  if (issue.slow.nodes.empty()) return std::nullopt;
  const SlowNode& slowest = issue.slow.nodes.front();
  issue.cost = TimeInterval{0, std::min(*wall, slowest.seconds)};
  issue.share = slowest.ratio - 1;
  if (slowest.path) issue.paths = {*slowest.path};
  return issue;
}

// What the longest visit took beyond the mean of the others, seconds; 0 if that is not much.
double Excess(const JobProfile& job, size_t path) {
  constexpr double kMuch = 10, kLeastShare = 0.1, kLeastVisits = 4;
  const std::optional<VisitLengths> visits = VisitLengthsOf(job, path);
  if (!visits || visits->count < kLeastVisits) return 0;
  const bool much = visits->longest_s > kMuch * visits->other_s &&
                    visits->longest_s > kLeastShare * visits->all_s;
  return much ? visits->longest_s - visits->other_s : 0;
}

// Of regions inside each other, the innermost ones. Who waits for others has visits of any length.
std::optional<HealthIssue> UnevenVisits(const JobProfile& job, const JobAnalysis& analysis) {
  HealthIssue issue = {.id = HealthId::kUnevenVisits, .cost = TimeInterval{}};
  for (size_t p = analysis.paths.size(); p-- > 0;) {
    const PathAnalysis& path = analysis.paths[p];
    const double excess = TakesPart(path) && !path.waiting.waits() ? Excess(job, p) : 0;
    const std::string prefix = JoinPath(job.paths[p].path, "");
    const bool below =
        !issue.paths.empty() && job.paths[issue.paths.back()].path.starts_with(prefix);
    if (excess <= 0 || below) continue;
    issue.paths.push_back(p);
    issue.cost->most += excess;
  }
  std::reverse(issue.paths.begin(), issue.paths.end());
  return issue.paths.empty() ? std::nullopt : std::optional(issue);
}

std::optional<HealthIssue> DeclaredDiffers(const JobProfile& job, const JobAnalysis& analysis) {
  HealthIssue issue = {.id = HealthId::kDeclaredDiffers,
                       .contradictions = Contradictions(job, analysis)};
  if (issue.contradictions.empty()) return std::nullopt;
  for (const Contradiction& one : issue.contradictions) issue.paths.push_back(one.path);
  issue.share = issue.contradictions[0].counted / issue.contradictions[0].declared;
  return issue;
}

std::optional<HealthIssue> Extrapolated(const JobAnalysis& analysis) {
  HealthIssue issue = {.id = HealthId::kExtrapolated, .paths = WidelyExtrapolated(analysis)};
  return issue.paths.empty() ? std::nullopt : std::optional(issue);
}

std::optional<HealthIssue> MissingRanks(const RunInfo& run) {
  if (run.ranks_merged >= run.ranks) return std::nullopt;
  return HealthIssue{.id = HealthId::kMissingRanks,
                     .share = 1 - static_cast<double>(run.ranks_merged) / run.ranks};
}

std::optional<HealthIssue> DoubtfulMachine(const JobAnalysis& analysis) {
  for (const AnalyzedKind& kind : analysis.kinds) {
    if (kind.contradictions.empty()) continue;
    return HealthIssue{.id = HealthId::kDoubtfulMachine, .text = kind.contradictions.front()};
  }
  return std::nullopt;
}

// Of the roofs that bound a region which takes part, by the roofline or by its own mix.
std::optional<HealthIssue> NoisyRoofs(const JobAnalysis& analysis) {
  constexpr double kMuch = 0.1;
  HealthIssue issue = {.id = HealthId::kNoisyRoofs};
  const auto take = [&issue](const Roof& roof) {
    const auto is_same = [&roof](const Roof& other) { return other.id == roof.id; };
    if (roof.noise <= kMuch || std::any_of(issue.roofs.begin(), issue.roofs.end(), is_same)) return;
    issue.roofs.push_back(roof);
  };
  for (const PathAnalysis& path : analysis.paths) {
    if (!TakesPart(path)) continue;
    take(path.bound.roof);
    take(path.runtime.roof);
  }
  std::stable_sort(issue.roofs.begin(), issue.roofs.end(),
                   [](const Roof& a, const Roof& b) { return a.noise > b.noise; });
  return issue.roofs.empty() ? std::nullopt : std::optional(issue);
}

std::optional<HealthIssue> AboveAttainable(const JobAnalysis& analysis) {
  HealthIssue issue = {.id = HealthId::kAboveAttainable};
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p];
    if (path.above_bound > 0 && TakesPart(path)) issue.paths.push_back(p);
  }
  const auto above = [&analysis](size_t p) { return analysis.paths[p].above_bound; };
  std::stable_sort(issue.paths.begin(), issue.paths.end(),
                   [&](size_t a, size_t b) { return above(a) > above(b); });
  return issue.paths.empty() ? std::nullopt : std::optional(issue);
}

// The regions with most page faults that have more of them than the regions inside them together,
// until these are most of the program's.
std::vector<size_t> WithMostFaults(const JobProfile& job) {
  constexpr double kMost = 0.8, kLeast = 0.1;
  const auto faults = [&job](size_t p) { return job.At(p, metric::kPageFaults).SumAsDouble(); };
  std::map<std::string_view, double> below;
  for (size_t p = 0; p < job.paths.size(); ++p) below[ParentPath(job.paths[p].path)] += faults(p);
  std::vector<size_t> regions;
  for (size_t p = 0; p < job.paths.size(); ++p) {
    if (faults(p) > 2 * below[job.paths[p].path]) regions.push_back(p);
  }
  std::stable_sort(regions.begin(), regions.end(),
                   [&](size_t a, size_t b) { return faults(a) > faults(b); });
  const double all = job.run.kernel.page_faults.SumAsDouble();
  double named = 0;
  size_t count = 0;
  while (count < regions.size() && named < kMost * all && faults(regions[count]) >= kLeast * all) {
    named += faults(regions[count++]);
  }
  regions.resize(count);
  return regions;
}

// The kernel's time is also that of other system calls: a rank must have had so many faults that
// they can be the reason.
std::optional<HealthIssue> PageFaults(const JobProfile& job) {
  constexpr double kMuch = 0.05, kLeastRate = 10'000;  // of the run; faults a second
  const KernelUse& use = job.run.kernel;
  const Value wall = WallTime(job);
  if (!wall || *wall <= 0 || use.system_ns.ranks == 0 || use.page_faults.ranks == 0) {
    return std::nullopt;
  }
  const double most = std::min(*wall, static_cast<double>(use.system_ns.max) * 1e-9);
  if (most < kMuch * *wall || static_cast<double>(use.page_faults.max) < kLeastRate * *wall) {
    return std::nullopt;
  }
  constexpr double kPageBytes = 4096, kOnce = 1.5;
  const bool once =
      use.resident_bytes.ranks > 0 && static_cast<double>(use.page_faults.max) * kPageBytes <=
                                          kOnce * static_cast<double>(use.resident_bytes.max);
  return HealthIssue{.id = HealthId::kPageFaults,
                     .cost = TimeInterval{0, most},
                     .share = most / *wall,
                     .paths = WithMostFaults(job),
                     .once = once};
}

double Apart(const TimeInterval& times) {
  return times.least > 0 ? times.most / times.least - 1 : 0;
}

std::optional<HealthIssue> RepeatsDiffer(const JobProfile& job, const JobAnalysis& analysis) {
  constexpr double kMuch = 0.1;
  const std::optional<TimeInterval> runs = RunRepeats(job);
  if (!runs) return std::nullopt;
  HealthIssue issue = {.id = HealthId::kRepeatsDiffer, .cost = runs, .share = Apart(*runs)};
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const std::optional<TimeInterval> times = RepeatsOf(job.paths[p]);
    if (times && Apart(*times) > kMuch && TakesPart(analysis.paths[p])) issue.paths.push_back(p);
  }
  const auto apart = [&](size_t p) { return Apart(*RepeatsOf(job.paths[p])); };
  std::stable_sort(issue.paths.begin(), issue.paths.end(),
                   [&](size_t a, size_t b) { return apart(a) > apart(b); });
  return issue.share > kMuch || !issue.paths.empty() ? std::optional(issue) : std::nullopt;
}

std::optional<HealthIssue> Markers(const JobProfile& job, const JobAnalysis& analysis) {
  constexpr double kMuch = 0.05;
  HealthIssue issue = {.id = HealthId::kMarkers, .cost = TimeInterval{}};
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const Value share = MarkerShare(job, p);
    const PathAnalysis& path = analysis.paths[p];
    if (!share || *share <= kMuch || !path.time_s || !TakesPart(path)) continue;
    issue.paths.push_back(p);
    issue.share = std::max(issue.share, std::min(1.0, *share));
    issue.cost->most = std::max(issue.cost->most, std::min(1.0, *share) * *path.time_s);
  }
  return issue.paths.empty() ? std::nullopt : std::optional(issue);
}

std::optional<HealthIssue> OutsideRegions(const JobProfile& job, const JobAnalysis& analysis) {
  constexpr double kMuch = 0.2;
  const Value wall = WallTime(job);
  if (!wall) return std::nullopt;
  double inside = 0;
  for (size_t p = 0; p < job.paths.size(); ++p) {
    const Value& time = analysis.paths[p].time_s;
    if (time && PathDepth(job.paths[p].path) == 0) inside += *time;
  }
  // No marker makes MPI_Init, and other calls of MPI out there, faster.
  const double outside = *wall - inside - OutsideInMpiSeconds(analysis);
  if (outside < kMuch * *wall) return std::nullopt;
  return HealthIssue{.id = HealthId::kOutsideRegions,
                     .cost = TimeInterval{outside, outside},
                     .share = outside / *wall};
}

}  // namespace

std::optional<VisitLengths> VisitLengthsOf(const JobProfile& job, size_t path) {
  if (job.paths[path].kind == RegionKind::kFound) return std::nullopt;
  const Cell& longest = job.At(path, metric::kLongestVisitNs);
  const Cell& time = job.At(path, metric::kTimeNs);
  const Cell& visits = job.At(path, metric::kVisits);
  if (longest.ranks == 0 || time.ranks == 0 || visits.ranks == 0) return std::nullopt;
  VisitLengths lengths{.count = visits.SumAsDouble() / visits.ranks,
                       .all_s = static_cast<double>(time.max) * 1e-9,
                       .longest_s = static_cast<double>(longest.max) * 1e-9};
  if (lengths.count <= 1 || lengths.longest_s > lengths.all_s) return std::nullopt;
  lengths.other_s = (lengths.all_s - lengths.longest_s) / (lengths.count - 1);
  return lengths;
}

double OutsideInMpiSeconds(const JobAnalysis& analysis) {
  constexpr auto kOutside = static_cast<size_t>(WholeRow::kOutside);
  return analysis.whole.size() == kWholeRows ? analysis.whole[kOutside].split.inside_mpi_s : 0;
}

std::vector<HealthIssue> HealthOf(const JobProfile& job, const JobAnalysis& analysis) {
  std::vector<HealthIssue> issues;
  const auto add = [&issues](std::optional<HealthIssue> issue) {
    if (issue) issues.push_back(std::move(*issue));
  };
  add(SharedCpus(job, analysis));
  const bool shared = !issues.empty();
  add(UnmeasuredNodes(analysis));
  add(OtherMachine(job.run, analysis));
  add(LowClock(job, analysis));
  add(SlowHosts(job));
  if (!shared) add(RunQueue(job));  // else they are the reason
  add(DebugBuild(job.run));
  add(MissingRanks(job.run));
  for (const std::string& warning : job.run.warnings) {
    add(HealthIssue{.id = HealthId::kWarning, .text = warning});
  }
  add(DoubtfulMachine(analysis));
  add(NoisyRoofs(analysis));
  add(AboveAttainable(analysis));
  add(PageFaults(job));
  add(UnevenVisits(job, analysis));
  add(DeclaredDiffers(job, analysis));
  add(Extrapolated(analysis));
  add(RepeatsDiffer(job, analysis));
  add(Markers(job, analysis));
  add(OutsideRegions(job, analysis));
  return issues;
}

bool MakesTimesDoubtful(const HealthIssue& issue) {
  constexpr double kMuch = 0.1;
  return issue.id == HealthId::kSharedCpus ||
         (issue.id == HealthId::kRunQueue && issue.share >= kMuch);
}

bool TimesAreDoubtful(const std::vector<HealthIssue>& issues) {
  return std::any_of(issues.begin(), issues.end(), MakesTimesDoubtful);
}

}  // namespace roofmark
