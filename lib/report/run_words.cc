// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/run_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "lib/model/node_kinds.h"
#include "lib/model/repeats.h"
#include "lib/model/work.h"
#include "lib/report/cpu_words.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"
#include "lib/report/over_ranks.h"

namespace roofmark {
namespace {

std::string Cores(double cores) {
  const std::string number = cores < 1000 ? fmt::format("{:.3g}", cores) : Si(cores);
  return fmt::format("{} core{}", number, cores == 1 ? "" : "s");
}

// Whose machine file is of which nodes; one line where all nodes are of one kind.
std::vector<std::string> RoofLines(const RunInfo& run, const JobAnalysis& analysis) {
  std::vector<std::string> lines;
  if (analysis.kinds.size() < 2) {
    if (!analysis.roofs) return lines;
    return {fmt::format("roofs: {}, at {}", Printable(analysis.roofs->machine),
                        Cores(analysis.roofs->cores))};
  }
  lines.push_back(analysis.roofs
                      ? fmt::format("roofs: the sum of {} kinds of nodes, at {}",
                                    analysis.kinds.size(), Cores(analysis.roofs->cores))
                      : fmt::format("roofs: none, because not all of {} kinds of nodes are known",
                                    analysis.kinds.size()));
  for (const AnalyzedKind& kind : analysis.kinds) {
    const std::string nodes = HostNames(run, kind.hosts);
    if (!kind.measured) {
      lines.push_back(fmt::format("  {}: no machine file{}", nodes,
                                  kind.cpu.empty() ? "" : " (" + Printable(kind.cpu) + ")"));
      continue;
    }
    lines.push_back(
        fmt::format("  {}: {}, at {}", nodes, Printable(kind.machine), Cores(kind.cores)));
  }
  return lines;
}

// Passes of one run have the same choice. Files of several runs may be joined.
std::string ChosenRegions(const RunInfo& run) {
  std::vector<std::string> choices;
  for (const PassInfo& pass : run.passes) {
    const auto given = pass.settings.find("regions");
    const std::string choice = given == pass.settings.end() ? "all" : Printable(given->second);
    if (std::find(choices.begin(), choices.end(), choice) == choices.end()) {
      choices.push_back(choice);
    }
  }
  if (choices.empty() || (choices.size() == 1 && choices[0] == "all")) return {};
  return fmt::format("regions chosen: {}", fmt::join(choices, "; in another pass: "));
}

std::string CommandOf(const RunInfo& run) {
  if (run.passes.empty()) return {};
  return Printable(fmt::format("{}", fmt::join(run.passes[0].command, " ")));
}

// As vendors write it, without what tells nothing apart: "Intel Xeon Platinum 8480+".
std::string ShortCpu(std::string cpu) {
  cpu.resize(std::min(cpu.size(), cpu.find(" CPU @")));
  for (const std::string_view mark : {"(R)", "(TM)", "(tm)", " Processor"}) {
    for (size_t at; (at = cpu.find(mark)) != std::string::npos;) cpu.erase(at, mark.size());
  }
  return Printable(cpu);
}

std::string CpusOf(const RunInfo& run) {
  if (run.hosts.empty() || run.hosts[0].cpu.empty()) return {};
  const std::string& first = run.hosts[0].cpu;
  const bool same = std::all_of(run.hosts.begin(), run.hosts.end(),
                                [&](const HostInfo& host) { return host.cpu == first; });
  return same ? ", " + ShortCpu(first) : ", CPUs of several kinds";
}

// "2 ranks x 1 thread on node1, AMD EPYC".
std::string RanksOnNodes(const RunInfo& run) {
  const std::string nodes = run.hosts.size() == 1 ? Printable(run.hosts[0].name)
                                                  : fmt::format("{} nodes", run.hosts.size());
  return fmt::format("{} rank{} x {} thread{}{}{}", run.ranks, run.ranks == 1 ? "" : "s",
                     run.threads_max, run.threads_max == 1 ? "" : "s",
                     run.hosts.empty() ? "" : " on " + nodes, CpusOf(run));
}

std::string TimeOfRun(const JobProfile& job) {
  const Value time = WallTime(job);
  return time ? Seconds(*time) : "time not measured";
}

// The end gives way, and before it the folder of the program.
std::string ShortCommand(const RunInfo& run, size_t width, std::string_view mark) {
  std::string command = CommandOf(run);
  if (DisplayWidth(command) <= width) return command;
  const size_t end = std::min(command.find(' '), command.size());
  const size_t slash = command.rfind('/', end);
  if (slash != std::string::npos) command.erase(0, slash + 1);
  if (DisplayWidth(command) <= width) return command;
  const size_t keep = width - std::min(width, DisplayWidth(mark));
  return command.substr(0, BytesOfBeginning(command, keep)).append(mark);
}

// What is in the file's head besides.
std::vector<std::string> HeadFacts(const JobProfile& job, const JobAnalysis& analysis) {
  const RunInfo& run = job.run;
  std::vector<std::string> lines, passes;
  if (run.hosts.size() > 1) {
    constexpr size_t kMostHosts = 3;
    std::vector<std::string> hosts;
    for (const HostInfo& host : run.hosts) hosts.push_back(Printable(host.name));
    const size_t more = hosts.size() - std::min(kMostHosts, hosts.size());
    hosts.resize(hosts.size() - more);
    lines.push_back(fmt::format("nodes: {}{}", fmt::join(hosts, ", "),
                                more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  if (!run.mpi.empty()) {
    lines.push_back("MPI: " + Printable(run.mpi.substr(0, run.mpi.find(", "))));
  } else if (run.ranks > 1) {
    lines.emplace_back("without MPI");
  }
  if (std::string cpus = UsableCpus(run); !cpus.empty()) lines.push_back(std::move(cpus));
  for (const PassInfo& pass : run.passes) {
    passes.push_back(
        fmt::format("{} {}{}", Printable(pass.collector), Seconds(pass.wall_s),
                    pass.times_are_real ? "" : " (instrumented; its times are not valid)"));
  }
  if (!passes.empty()) lines.push_back(fmt::format("passes: {}", fmt::join(passes, ", ")));
  if (std::string regions = ChosenRegions(run); !regions.empty()) {
    lines.push_back(std::move(regions));
  }
  if (const std::optional<TimeInterval> repeats = RunRepeats(job)) {
    lines.push_back(fmt::format("{} executions for time: {} to {}; shown is the one in the middle",
                                run.repeats_s.size(), Seconds(repeats->least),
                                Seconds(repeats->most)));
  }
  if (std::string cost = CostSentence(job); !cost.empty()) lines.push_back(std::move(cost));
  for (std::string& line : RoofLines(run, analysis)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

RunHeader HeaderOf(const ReportJob& job, size_t width, std::string_view mark) {
  constexpr size_t kBetweenParts = 3, kLeastCommand = 24;
  const RunInfo& run = job.profile.run;
  const std::string where = RanksOnNodes(run), time = TimeOfRun(job.profile);
  const size_t full = DisplayWidth(CommandOf(run));
  const size_t beside = DisplayWidth(where) + DisplayWidth(time) + 2 * kBetweenParts;
  const bool fits = beside + std::min(full, kLeastCommand) <= width;
  const size_t taken = fits ? beside : DisplayWidth(time) + kBetweenParts;
  RunHeader header;
  const std::string command = ShortCommand(run, width - taken, mark);
  header.is_short = DisplayWidth(command) < full;
  const std::string right = (fits ? where + std::string(kBetweenParts, ' ') : std::string()) + time;
  header.text = command + PadLeft(right, width - DisplayWidth(command)) + "\n";
  if (!fits) header.text += Wrap(where, width, 2);
  return header;
}

std::vector<std::string> FactsBelowHeader(const ReportJob& job, const RunHeader& header) {
  std::vector<std::string> lines = HeadFacts(job.profile, job.analysis);
  if (header.is_short) lines.insert(lines.begin(), CommandOf(job.profile.run));
  return lines;
}

std::vector<std::string> Provenance(const JobProfile& job, const JobAnalysis& analysis) {
  std::vector<std::string> lines = HeadFacts(job, analysis);
  lines.insert(lines.begin(), fmt::format("{}, {}", RanksOnNodes(job.run), TimeOfRun(job)));
  if (!job.run.passes.empty()) lines.insert(lines.begin(), CommandOf(job.run));
  return lines;
}

}  // namespace roofmark
