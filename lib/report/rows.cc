// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lib/report/format.h"
#include "lib/report/over_ranks.h"

namespace roofmark {
namespace {

constexpr size_t kDram = static_cast<size_t>(MemoryLevel::kDram);

// FLOP/byte. What does less is copying or communication with a stray operation: its dot would
// stretch the chart by decades and say nothing.
constexpr double kLeastIntensity = 1e-3;

std::string Key(size_t index) {
  if (index < 26) return std::string(1, static_cast<char>('A' + index));
  if (index < 52) return std::string(1, static_cast<char>('a' + index - 26));
  return std::to_string(index - 51);
}

// The finest imbalance that is known: of threads' FLOPs, of ranks' FLOPs, of ranks' times.
const Value& BestImbalance(const PathAnalysis& path) {
  if (path.worker_imbalance) return path.worker_imbalance;
  return path.flop_imbalance ? path.flop_imbalance : path.time_imbalance;
}

std::string BoundCell(const Bound& bound) {
  if (bound.binding.empty()) return "-";
  return bound.binding == "compute" ? "comp" : bound.binding;
}

std::vector<std::string> Cells(const PathAnalysis& path) {
  return {OrDash(path.visits, Si),
          OrDash(path.time_s, Seconds),
          OrDash(path.time_share, Percent),
          OrDash(path.gflops, Plain),
          OrDash(path.total_flops, Si),
          OrDash(path.traffic_bytes[kDram], Si),
          OrDash(path.roof_intensity, Plain),
          OrDash(path.bound.attainable_gflops, Plain),
          OrDash(path.efficiency, Percent),
          BoundCell(path.bound),
          OrDash(BestImbalance(path), Plain)};
}

}  // namespace

const std::vector<Column>& ReportColumns() {
  static const auto& columns = *new std::vector<Column>{
      {"calls", "", 5, "times the region was entered, summed over ranks"},
      {"time", "", 6, "of the rank that spent most, nested regions included"},
      {"of", "run", 4, "share of the run's wall time; nested regions are within their parents'"},
      {"GF/s", "", 5, "FLOPs of all ranks over the time of the slowest"},
      {"FLOPs", "", 5, "floating-point operations of all ranks; an FMA is two"},
      {"DRAM", "bytes", 5, "bytes to and from DRAM, write-allocate and write-back included"},
      {"FLOP/", "byte", 5, "operational intensity: FLOPs over DRAM bytes"},
      {"attain", "GF/s", 6,
       "attainable: the lower of the compute ceiling and bandwidth x intensity"},
      {"eff.", "", 4, "achieved over attainable"},
      {"bound", "", 5, "what limits it: compute, or the memory level"},
      {"imba-", "lance", 5, "busiest over mean: of threads' FLOPs, else of ranks' FLOPs or times"},
  };
  return columns;
}

bool HasDot(const PathAnalysis& path) {
  return path.roof_intensity && path.gflops && *path.roof_intensity >= kLeastIntensity &&
         *path.gflops > 0;
}

std::vector<Row> ReportRows(const JobProfile& job, const JobAnalysis& analysis) {
  std::vector<Row> rows;
  size_t dots = 0;
  for (size_t p = 0; p < job.paths.size(); ++p) {
    Row row;
    if (HasDot(analysis.paths[p])) row.key = Key(dots++);
    row.name = Printable(LeafName(job.paths[p].path));
    row.depth = PathDepth(job.paths[p].path);
    row.cells = Cells(analysis.paths[p]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> MissingReasons(const JobAnalysis& analysis) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;  // in order of sight
  const auto note = [&](const Value& value, const char* column) {
    if (value || value.reason.empty()) return;
    auto it = std::find_if(by_reason.begin(), by_reason.end(),
                           [&](const auto& entry) { return entry.first == value.reason; });
    if (it == by_reason.end()) it = by_reason.insert(it, {value.reason, {}});
    auto& columns = it->second;
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
      columns.emplace_back(column);
    }
  };
  for (const PathAnalysis& path : analysis.paths) {
    note(path.time_s, "time");
    note(path.time_share, "time %");
    note(path.total_flops, "FLOPs");
    note(path.gflops, "GFLOP/s");
    note(path.traffic_bytes[kDram], "DRAM bytes");
    note(path.roof_intensity, "FLOP/byte");
    note(path.bound.attainable_gflops, "attainable");
    note(path.efficiency, "efficiency");
    note(BestImbalance(path), "imbalance");
  }
  std::vector<std::string> lines;
  for (const auto& [reason, columns] : by_reason) {
    lines.push_back(fmt::format("{}: {}", fmt::join(columns, ", "), reason));
  }
  return lines;
}

std::vector<std::string> Provenance(const JobProfile& job, const JobAnalysis& analysis) {
  const RunInfo& run = job.run;
  std::vector<std::string> lines, hosts, passes;
  if (!run.passes.empty()) {
    lines.push_back(Printable(fmt::format("{}", fmt::join(run.passes[0].command, " "))));
  }
  for (const HostInfo& host : run.hosts) hosts.push_back(Printable(host.name));
  const size_t host_count = hosts.size();
  if (hosts.size() > 3) hosts.resize(3);
  lines.push_back(fmt::format(
      "{} rank{} x {} thread{} on {}{}{}", run.ranks, run.ranks == 1 ? "" : "s", run.threads_max,
      run.threads_max == 1 ? "" : "s", fmt::join(hosts, ", "),
      host_count > 3 ? fmt::format(" and {} more hosts", host_count - 3) : "",
      run.mpi.empty() ? ", without MPI" : ", " + Printable(run.mpi.substr(0, run.mpi.find(", ")))));
  for (const PassInfo& pass : run.passes) {
    passes.push_back(fmt::format("{} {}{}", pass.collector, Seconds(pass.wall_s),
                                 pass.times_are_real ? "" : " (not a time)"));
  }
  if (!passes.empty()) lines.push_back(fmt::format("passes: {}", fmt::join(passes, ", ")));
  if (std::string cost = CostSentence(job); !cost.empty()) lines.push_back(std::move(cost));
  if (analysis.roofs) {
    lines.push_back(fmt::format("roofs: {}, at {} core{}", Printable(analysis.roofs->machine),
                                Si(analysis.roofs->cores), analysis.roofs->cores == 1 ? "" : "s"));
  }
  return lines;
}

std::vector<std::string> Remarks(const JobProfile& job, const JobAnalysis& analysis) {
  std::vector<std::string> remarks;
  for (const std::string& warning : job.run.warnings) remarks.push_back(Printable(warning));
  if (job.run.ranks_merged < job.run.ranks) {
    remarks.push_back(
        fmt::format("only {} of {} ranks are in this file", job.run.ranks_merged, job.run.ranks));
  }
  if (std::string marking = MarkingRemark(job); !marking.empty()) {
    remarks.push_back(std::move(marking));
  }
  std::vector<std::string> declared, above, undrawn;
  std::map<std::string, bool> notes;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p];
    const std::string name = Printable(job.paths[p].path);
    if (path.roof_intensity && path.roof_intensity.status == Status::kDeclared) {
      declared.push_back(name);
    }
    if (path.efficiency && *path.efficiency > 1.05) above.push_back(name);
    if (path.gflops && path.roof_intensity && *path.gflops > 0 && !HasDot(path)) {
      undrawn.push_back(name);
    }
    if (!path.ceiling.note.empty()) notes[path.ceiling.note] = true;
  }
  if (!declared.empty()) {
    remarks.push_back(fmt::format("declared by the program, not measured: work of {}",
                                  fmt::join(declared, ", ")));
  }
  if (!above.empty()) {
    remarks.push_back(fmt::format(
        "above 100 %: {}. The real caches may hold more than the model's, the roofs may have been "
        "measured under load, or the passes did different work",
        fmt::join(above, ", ")));
  }
  if (!undrawn.empty()) {
    remarks.push_back(fmt::format("below {} FLOP/byte and not drawn: {}", kLeastIntensity,
                                  fmt::join(undrawn, ", ")));
  }
  for (const auto& entry : notes) remarks.push_back(entry.first);
  return remarks;
}

}  // namespace roofmark
