// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/health_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lib/core/launcher_table.h"
#include "lib/model/repeats.h"
#include "lib/report/advice_words.h"
#include "lib/report/cpu_words.h"
#include "lib/report/doubt_words.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/health_entries.h"
#include "lib/report/launch_words.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

std::string Counted(uint32_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// For a launcher that left the job fewer CPUs than the machine has.
std::string BindingCure(const JobProfile& job, uint32_t threads) {
  const LauncherInfo* launcher = FindLauncher(LauncherOf(job.run));
  if (launcher == nullptr || launcher->binding.empty()) {
    return "start the program without taskset and numactl";
  }
  return Filled(launcher->binding, "", threads);
}

// For threads that a quota stops. A rank needs one.
std::string QuotaCure(const HealthIssue& issue) {
  constexpr auto kMore = "ask for more CPUs (docker run --cpus, limits.cpu of Kubernetes)";
  const auto fit = static_cast<uint32_t>(*issue.quota / issue.ranks);
  if (issue.threads == 1 || fit >= issue.threads) {
    return fmt::format("; start fewer ranks, or {}", kMore);
  }
  return fmt::format("; set OMP_NUM_THREADS={}, or {}", std::max(1u, fit), kMore);
}

std::string SharedCpus(const HealthIssue& issue, const JobProfile& job) {
  const std::string threads = Counted(issue.ranks * issue.threads, "thread");
  const std::string host =
      fmt::format("{} ({} x {})", Printable(issue.host), Counted(issue.ranks, "rank"),
                  Counted(issue.threads, "thread"));
  constexpr auto kDoubtful = "so times, and all verdicts that rest on times, do not hold";
  std::string text =
      issue.quota
          ? fmt::format(
                "{} have the time of {} on {}: a quota of their cgroup (of a container or a "
                "batch system) stops them again and again, {}",
                threads, CpuTime(*issue.quota), host, kDoubtful)
          : fmt::format("{} share {} on {}: they wait for each other's turns, {}", threads,
                        Counted(issue.cpus, "CPU"), host, kDoubtful);
  if (issue.cost && issue.cost->most > 0) {
    text += fmt::format("; this costs up to {}", Seconds(issue.cost->most));
  }
  if (issue.waited_s && *issue.waited_s >= 0.001) {
    text += fmt::format("; a thread waited up to {} for its turn", Seconds(*issue.waited_s));
  }
  if (issue.quota) return text + QuotaCure(issue);
  if (issue.bound) {
    return text + fmt::format("; the job was bound to fewer CPUs than the machine has: {}",
                              BindingCure(job, issue.threads));
  }
  const uint32_t fit = std::max(1u, issue.cpus / issue.ranks);
  if (issue.ranks > issue.cpus) {
    return text + fmt::format("; start at most {} on each node", Counted(issue.cpus, "rank"));
  }
  return text + fmt::format("; set OMP_NUM_THREADS={}, or start fewer ranks", fit);
}

std::string Names(const HealthIssue& issue, const ReportJob& job) {
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<std::string> names;
  for (const size_t path : issue.paths) names.push_back(NameOf(rows[path]));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string PageFaults(const HealthIssue& issue, const ReportJob& job) {
  const KernelUse& use = job.profile.run.kernel;
  const std::string text = fmt::format(
      "a rank had up to {} page faults{}, and the operating system worked for it up to {} ({} of "
      "the run): ",
      Si(static_cast<double>(use.page_faults.max)),
      issue.paths.empty() ? "" : fmt::format(", most of them in {}", Names(issue, job)),
      Seconds(issue.cost->most), Percent(issue.share));
  if (!issue.once) {
    return text +
           "arrays that are allocated anew again and again cost this in the loops that touch them "
           "first; keep them, or try MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=8000000000 with "
           "glibc";
  }
  return text + fmt::format(
                    "no more than what it takes to touch its {} of memory for the first time; "
                    "larger pages make that less, with glibc by "
                    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
                    SiUnit(static_cast<double>(use.resident_bytes.max), "B"));
}

std::string AboveAttainable(const HealthIssue& issue, const ReportJob& job) {
  const bool any_found = std::any_of(issue.paths.begin(), issue.paths.end(), [&](size_t path) {
    return job.profile.paths[path].kind == RegionKind::kFound;
  });
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<std::string> regions;
  for (const size_t path : issue.paths) {
    const double ratio = job.analysis.paths[path].above_bound;
    regions.push_back(fmt::format("{} ({:.0f} %)", NameOf(rows[path]), 100 * ratio));
  }
  return fmt::format(
      "faster than what is attainable: of {} of {} regions the model's bound is above what was "
      "measured: {}; no efficiency, gain or advice rests on it. The roofs may have been measured "
      "under load "
      "(measure the idle machine again with `roofmark machine`), the real caches may hold more "
      "than the modelled ones, or the passes did different work{}",
      regions.size(), job.profile.paths.size(), fmt::join(regions, ", "),
      any_found ? "; times of loops and functions that were found are estimates: few samples may "
                  "make them too short"
                : "");
}

std::string OutsideRegions(const HealthIssue& issue, const ReportJob& job) {
  const std::string share =
      fmt::format("{} of the run ({})", Percent(issue.share), Seconds(issue.cost->most));
  if (OutermostAreFound(job.profile)) {
    return share +
           " lies elsewhere than in the loops and functions that were found, and no advice covers "
           "it: many parts that take little time each, or waiting";
  }
  const bool in_mpi = OutsideInMpiSeconds(job.analysis) > 0.1 * issue.cost->most;
  return fmt::format(
      "{} lies outside of all regions{}, and no advice covers it: put markers around the loops "
      "that take it",
      share, in_mpi ? " and of MPI" : "");
}

std::string UnevenVisits(const HealthIssue& issue, const ReportJob& job) {
  const VisitLengths visits = *VisitLengthsOf(job.profile, issue.paths.front());
  return fmt::format(
      "one visit took much longer than the others: {} ({}{} of {}, the others {} each); if all do "
      "the same work, this is something else: other load, a wait, the first touch of memory",
      Names(issue, job), issue.paths.size() > 1 ? "the first of them: " : "",
      Seconds(visits.longest_s), Seconds(visits.all_s), Seconds(visits.other_s));
}

std::string RepeatsDiffer(const HealthIssue& issue, const ReportJob& job) {
  std::string text = fmt::format("{} executions took {} to {}", job.profile.run.repeats_s.size(),
                                 Seconds(issue.cost->least), Seconds(issue.cost->most));
  if (!issue.paths.empty()) {
    const TimeInterval times = *RepeatsOf(job.profile.paths[issue.paths.front()]);
    text += fmt::format("; more than 10 % apart: {} (the first of them: {} to {})",
                        Names(issue, job), Seconds(times.least), Seconds(times.most));
  }
  return text +
         "; gains that are smaller than such differences are not listed. Other load on the "
         "machine, clocks that change and pages that lie elsewhere do this";
}

// The kind that the host belongs to, whose machine file is held against it.
const AnalyzedKind& KindOfHost(const std::string& host, const ReportJob& job) {
  for (const AnalyzedKind& kind : job.analysis.kinds) {
    for (const size_t index : kind.hosts) {
      if (job.profile.run.hosts[index].name == host) return kind;
    }
  }
  return job.analysis.kinds.front();
}

std::string OtherMachine(const HealthIssue& issue, const ReportJob& job) {
  const std::string cpu = Printable(KindOfHost(issue.host, job).machine_cpu);
  if (!issue.text.empty()) {
    return fmt::format(
        "the roofs are those of another machine ({}; {} has {}): no comparison with them holds; "
        "measure such a node with `roofmark machine`, and give the file with --machine",
        cpu, Printable(issue.host), Printable(issue.text));
  }
  return fmt::format(
      "the roofs of {} were measured on a node with the same CPU ({}), but other memory or "
      "firmware: measure such a node with `roofmark machine`, and give the file with --machine",
      Printable(issue.host), cpu);
}

std::string LowClock(const HealthIssue& issue, const ReportJob& job) {
  const Cell& clock = job.profile.run.kernel.clock_khz;
  const AnalyzedKind& kind = KindOfHost(issue.host, job);
  const std::string who = issue.host.empty() ? fmt::format("rank {}", clock.min_rank)
                                             : "a rank of " + Printable(issue.host);
  return fmt::format(
      "at the end, {} had a clock of {:.2f} GHz, and the machine's figures rest on {:.2f} GHz: for "
      "it they are too high by as much. A limit of power or temperature, or the governor, does "
      "this; measure the machine in the same conditions",
      who, issue.share * kind.machine_ghz, kind.machine_ghz);
}

std::string UnmeasuredNodes(const HealthIssue& issue, const ReportJob& job) {
  constexpr size_t kMostShown = 3;
  const RunInfo& run = job.profile.run;
  std::vector<size_t> all;
  for (const AnalyzedKind& kind : job.analysis.kinds) {
    if (!kind.measured) all.insert(all.end(), kind.hosts.begin(), kind.hosts.end());
  }
  std::vector<std::string> commands;
  for (const size_t host : issue.hosts) commands.push_back(MeasureCommand(run, host));
  const size_t more = commands.size() - std::min(kMostShown, commands.size());
  commands.resize(commands.size() - more);
  return fmt::format(
      "{} of {} nodes have no machine file ({}): the roof of a job is the sum of those of all its "
      "nodes, so this job has none. Measure one node of each kind, {}{}; the file is found beside "
      "the roofline file and in ROOFMARK_MACHINE_DIR, or give it with one more --machine",
      all.size(), run.hosts.size(), HostNames(run, all), fmt::join(commands, ", "),
      more > 0 ? fmt::format(" and on {} more", Counted(static_cast<uint32_t>(more), "kind")) : "");
}

std::string NoisyRoofs(const HealthIssue& issue) {
  std::vector<std::string> roofs;
  for (const Roof& roof : issue.roofs) {
    roofs.push_back(fmt::format("{} by {}", Printable(roof.label), Percent(roof.noise)));
  }
  return fmt::format(
      "measurements of roofs that this report uses differ: {}; so may all that is compared with "
      "them: measure the idle machine again with `roofmark machine`",
      fmt::join(roofs, ", "));
}

std::string CausesOf(const SlowNode& node, const JobProfile& job) {
  const HostInfo& host = job.run.hosts[node.host];
  std::vector<std::string> causes;
  if (node.cause.other_kind) {
    causes.push_back("it is of another kind" +
                     (host.cpu.empty() ? "" : fmt::format(" ({})", Printable(host.cpu))));
  }
  if (const auto& ghz = node.cause.clock_ghz) {
    causes.push_back(
        fmt::format("its clock was {:.2f} GHz, theirs {:.2f} GHz: a limit of power or "
                    "temperature, or the governor, does this",
                    ghz->first, ghz->second));
  }
  if (const auto& cpus = node.cause.rank_cpus) {
    causes.push_back(fmt::format("its ranks may use {:.3g} CPUs each, theirs {:.3g}", cpus->first,
                                 cpus->second));
  }
  if (node.cause.shares_cpus) causes.push_back("its ranks share CPUs, theirs do not");
  if (!causes.empty()) return fmt::format("{}", fmt::join(causes, "; "));
  return "nothing that was recorded explains it: look there for other load, a failing fan or "
         "memory, or leave the node out";
}

std::string SlowNodesSentence(const HealthIssue& issue, const ReportJob& job) {
  const SlowNodes& slow = issue.slow;
  const auto name = [&job](const SlowNode& node) {
    return Printable(job.profile.run.hosts[node.host].name);
  };
  const SlowNode& first = slow.nodes.front();
  std::string text = fmt::format(
      "{} is slow: its ranks take {:.2f}x as long as those of other nodes{}{}{}; the others may "
      "wait for them up to {}; {}",
      name(first), first.ratio, slow.same_work_known ? " for the same work" : "",
      issue.paths.empty() ? "" : fmt::format(", most of all in {}", Names(issue, job)),
      slow.same_work_known ? "" : " (if they do the same work, which nobody counted)",
      Seconds(issue.cost->most), CausesOf(first, job.profile));
  if (!slow.mpi_left_out && job.profile.run.ranks > 1) {
    text += "; time inside MPI was not measured, and may be part of it";
  }
  std::vector<std::string> others;
  for (size_t i = 1; i < std::min(kNamedSlowNodes, slow.nodes.size()); ++i) {
    others.push_back(fmt::format("{} ({:.2f}x)", name(slow.nodes[i]), slow.nodes[i].ratio));
  }
  if (others.empty()) return text;
  const size_t more = slow.nodes.size() - 1 - others.size();
  return fmt::format("{}. Also slow: {}{}", text, fmt::join(others, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

std::string HealthSentence(const HealthIssue& issue, const ReportJob& job) {
  switch (issue.id) {
    case HealthId::kSharedCpus:
      return SharedCpus(issue, job.profile);
    case HealthId::kUnmeasuredNodes:
      return UnmeasuredNodes(issue, job);
    case HealthId::kOtherMachine:
      return OtherMachine(issue, job);
    case HealthId::kLowClock:
      return LowClock(issue, job);
    case HealthId::kSlowNodes:
      return SlowNodesSentence(issue, job);
    case HealthId::kRunQueue:
      return fmt::format(
          "a thread{} was ready to run, and waited for a CPU, for up to {} ({} of the run): {}{}; "
          "use nodes, or CPUs, that the job has for itself",
          job.profile.run.ranks > 1
              ? fmt::format(" of rank {}", job.profile.run.kernel.run_queue_ns.max_rank)
              : "",
          Seconds(issue.cost->most), Percent(issue.share),
          issue.quota ? fmt::format("other programs used the CPUs, or the quota of its cgroup ({}) "
                                    "was used up",
                                    CpuTime(*issue.quota))
                      : "other programs used the CPUs",
          TimesAreDoubtful({issue}) ? ", so times, and all verdicts that rest on times, do not hold"
                                    : "");
    case HealthId::kDebugBuild:
      return "the program (as far as it has debug information) was compiled without optimisation, "
             "and what limits it would not limit an optimised one; compile it with -O2 or -O3 (and "
             "-g)";
    case HealthId::kMissingRanks:
      return fmt::format("only {} of {} ranks are in this file", job.profile.run.ranks_merged,
                         job.profile.run.ranks);
    case HealthId::kWarning:
      return Printable(issue.text);
    case HealthId::kDoubtfulMachine:
      return fmt::format(
          "figures of the machine file contradict each other ({}), so neither roofs nor gains "
          "hold: "
          "measure the idle machine again with `roofmark machine`",
          Printable(issue.text));
    case HealthId::kNoisyRoofs:
      return NoisyRoofs(issue);
    case HealthId::kAboveAttainable:
      return AboveAttainable(issue, job);
    case HealthId::kPageFaults:
      return PageFaults(issue, job);
    case HealthId::kUnevenVisits:
      return UnevenVisits(issue, job);
    case HealthId::kDeclaredDiffers:
      return ContradictionSentence(issue.contradictions, job);
    case HealthId::kExtrapolated:
      return WideSentence(issue.paths, job);
    case HealthId::kRepeatsDiffer:
      return RepeatsDiffer(issue, job);
    case HealthId::kMarkers:
      return fmt::format(
          "the markers may take up to {} of the time of {}, at most {}: mark fewer or larger loops",
          Percent(issue.share), Names(issue, job), Seconds(issue.cost->most));
    case HealthId::kOutsideRegions:
      break;
  }
  return OutsideRegions(issue, job);
}

std::string HealthTitle(const std::vector<HealthIssue>& issues) {
  if (issues.empty()) return "Health";
  const std::string_view worst = InfoOf(issues.front().id).label;
  return issues.size() == 1 ? fmt::format("Health: {}", worst)
                            : fmt::format("Health: {} doubts, the worst: {}", issues.size(), worst);
}

std::string FirstTitle(const ReportJob& job) {
  return TimesAreDoubtful(HealthOf(job.profile, job.analysis))
             ? "What to do next (rests on times that do not hold)"
             : "What to do first";
}

std::vector<std::string> HealthThings(const ReportJob& job) {
  std::vector<std::string> lines;
  for (const HealthIssue& issue : HealthOf(job.profile, job.analysis)) {
    lines.push_back(HealthSentence(issue, job));
  }
  return lines;
}

}  // namespace roofmark
