// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduce.h"

#include <algorithm>
#include <utility>

#include "mpi/agree.h"
#include "mpi/bytes.h"
#include "mpi/tree.h"

namespace roofmark::mpi {
namespace {

// What travels of a rank's RunInfo and sources. Of passes only the wall time does: the rest is
// rank 0's. A rank's own paths travel as cells.
std::vector<char> PackRun(const JobProfile& part) {
  ByteWriter writer;
  const RunInfo& run = part.run;
  for (uint32_t value : {run.ranks, run.ranks_merged, run.first_rank, run.threads_max}) {
    writer.Put(value);
  }
  writer.PutString(run.mpi);
  writer.Put(static_cast<uint64_t>(run.hosts.size()));
  for (const HostInfo& host : run.hosts) {
    writer.PutString(host.name);
    writer.Put(host.ranks);
    writer.PutString(host.cpuset);
    writer.Put(host.cpus);
  }
  writer.Put(static_cast<uint64_t>(run.background.size()));
  for (const BackgroundTraffic& traffic : run.background) {
    writer.PutString(traffic.host);
    writer.Put(traffic.package);
    writer.Put(traffic.bytes);
    writer.Put(traffic.seconds);
  }
  writer.Put(static_cast<uint64_t>(run.passes.size()));
  for (const PassInfo& pass : run.passes) writer.Put(pass.wall_s);
  writer.Put(static_cast<uint64_t>(run.warnings.size()));
  for (const std::string& warning : run.warnings) writer.PutString(warning);
  for (const MetricSource& source : part.sources) {
    writer.PutString(source.origin);
    writer.Put(source.status);
    writer.PutString(source.reason);
    writer.PutString(source.label);
    writer.PutString(source.unit);
    writer.Put(source.scope);
  }
  return writer.Take();
}

bool UnpackRun(const std::vector<char>& bytes, JobProfile& part) {
  ByteReader reader(bytes);
  RunInfo& run = part.run;
  for (uint32_t* value : {&run.ranks, &run.ranks_merged, &run.first_rank, &run.threads_max}) {
    *value = reader.Get<uint32_t>();
  }
  run.mpi = reader.GetString();
  run.hosts.resize(reader.GetCount());
  for (HostInfo& host : run.hosts) {
    host.name = reader.GetString();
    host.ranks = reader.Get<uint32_t>();
    host.cpuset = reader.GetString();
    host.cpus = reader.Get<uint32_t>();
  }
  run.background.resize(reader.GetCount());
  for (BackgroundTraffic& traffic : run.background) {
    traffic.host = reader.GetString();
    traffic.package = reader.Get<uint32_t>();
    traffic.bytes = reader.Get<uint64_t>();
    traffic.seconds = reader.Get<double>();
  }
  run.passes.resize(reader.GetCount());
  for (PassInfo& pass : run.passes) pass.wall_s = reader.Get<double>();
  run.warnings.resize(reader.GetCount());
  for (std::string& warning : run.warnings) warning = reader.GetString();
  for (MetricSource& source : part.sources) {
    source.origin = reader.GetString();
    source.status = reader.Get<Status>();
    source.reason = reader.GetString();
    source.label = reader.GetString();
    source.unit = reader.GetString();
    source.scope = reader.Get<Scope>();
  }
  return reader.ok();
}

void CapWarnings(std::vector<std::string>& warnings) {
  if (warnings.size() <= kMaxWarnings) return;
  warnings.resize(kMaxWarnings);
  warnings.push_back("more warnings of other ranks were left out");
}

// Run and sources of all ranks, on rank 0. MergeProfiles() decides what a union is.
bool MergeRuns(Comm& comm, JobProfile& part) {
  const auto merge = [&part](const std::vector<char>& bytes) {
    JobProfile other;
    if (!UnpackRun(bytes, other)) return false;
    MergeProfiles(part, other);
    CapWarnings(part.run.warnings);
    return true;
  };
  return MergeUpTree(comm, merge, [&part] { return PackRun(part); });
}

// The rows and columns all agreed on, filled with what this rank has.
std::vector<Cell> DenseCells(const JobProfile& local, const std::vector<PathInfo>& paths,
                             const std::vector<MetricId>& metrics) {
  std::vector<Cell> cells(paths.size() * metrics.size());
  size_t row = 0;  // both lists are sorted, so one walk finds all
  for (size_t path = 0; path < local.paths.size(); ++path) {
    while (paths[row].path != local.paths[path].path) ++row;
    for (size_t m = 0; m < metrics.size(); ++m) {
      cells[row * metrics.size() + m] = local.At(path, metrics[m]);
    }
  }
  return cells;
}

}  // namespace

Result<std::optional<JobProfile>> ReduceProfiles(Comm& comm, const JobProfile& local) {
  const Error failed{"MPI failed while the ranks' profiles were merged"};
  auto paths = AgreeOnPaths(comm, local.paths);
  if (!paths) return failed;
  const auto metrics = AgreeOnMetrics(comm, local);
  if (!metrics) return failed;
  std::vector<Cell> cells = DenseCells(local, *paths, *metrics);
  if (!cells.empty() && !comm.ReduceCells(cells)) return failed;

  JobProfile merged;
  merged.run = local.run;
  merged.sources = local.sources;
  if (!MergeRuns(comm, merged)) return failed;
  if (comm.Rank() != 0) return std::optional<JobProfile>();
  merged.paths = *std::move(paths);
  merged.cells.resize(merged.paths.size() * kMetrics);
  for (size_t path = 0; path < merged.paths.size(); ++path) {
    for (size_t m = 0; m < metrics->size(); ++m) {
      merged.At(path, (*metrics)[m]) = cells[path * metrics->size() + m];
    }
  }
  return std::optional<JobProfile>(std::move(merged));
}

}  // namespace roofmark::mpi
