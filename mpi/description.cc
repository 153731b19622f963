// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/description.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "lib/profile/whole.h"
#include "mpi/device_message.h"
#include "mpi/reduce.h"

namespace roofmark::mpi {
namespace {

// Of one in a message, if its texts are empty.
constexpr size_t kHostBytes = 4 * sizeof(uint64_t) + 2 * sizeof(uint32_t) + 6;
constexpr size_t kTrafficBytes = 3 * sizeof(uint64_t) + sizeof(uint32_t);
constexpr size_t kWarningBytes = sizeof(uint64_t) + 2 * sizeof(uint32_t);

void PutCell(ByteWriter& writer, const Cell& cell) { writer.PutBytes(&cell, sizeof cell); }
Cell GetCell(ByteReader& reader) {
  Cell cell;
  const std::string_view bytes = reader.GetBytes(sizeof cell);
  if (!bytes.empty()) std::memcpy(static_cast<void*>(&cell), bytes.data(), sizeof cell);
  return cell;
}

// Most metrics are those of collectors that did not count here.
void PutWhole(ByteWriter& writer, const CellTable& whole) {
  writer.Put(static_cast<uint64_t>(whole.rows()));
  for (MetricId m = 0; m < kMetrics && !whole.empty(); ++m) {
    writer.Put(whole.Has(m));
    for (const Cell& cell : whole.Column(m)) PutCell(writer, cell);
  }
}

void GetWhole(ByteReader& reader, CellTable& whole) {
  const auto rows = reader.Get<uint64_t>();
  if (rows != 0 && rows != kWholeRows) return reader.Fail();
  whole = CellTable(rows);
  for (MetricId m = 0; m < kMetrics && rows > 0; ++m) {
    if (!reader.GetBool()) continue;
    for (Cell& cell : whole.Column(m)) cell = GetCell(reader);
  }
}

void PutSource(ByteWriter& writer, const MetricSource& source) {
  writer.PutString(source.origin);
  writer.Put(source.status);
  writer.PutString(source.reason);
  writer.PutString(source.label);
  writer.PutString(source.unit);
  writer.Put(source.scope);
}

MetricSource GetSource(ByteReader& reader) {
  MetricSource source;
  source.origin = reader.GetString();
  source.status = reader.GetOneOf(Status::kInvalid);
  source.reason = reader.GetString();
  source.label = reader.GetString();
  source.unit = reader.GetString();
  source.scope = reader.GetOneOf(Scope::kPackage);
  return source;
}

void PutHost(ByteWriter& writer, const HostInfo& host) {
  writer.PutString(host.name);
  writer.Put(host.ranks);
  writer.PutString(host.cpuset);
  writer.Put(host.cpus);
  writer.PutString(host.cpu);
  writer.PutString(host.kind);
  writer.PutString(host.cores);
  writer.Put(host.machine_cpus);
  writer.PutString(host.bound_by);
  for (const OverHost* figure : FiguresOf(host)) {
    writer.PutVarint(figure->ranks);
    if (figure->ranks == 0) continue;
    for (const uint64_t value : {figure->least, figure->most, figure->sum}) {
      writer.PutVarint(value);
    }
  }
}

void GetHost(ByteReader& reader, HostInfo& host) {
  host.name = reader.GetString();
  host.ranks = reader.Get<uint32_t>();
  host.cpuset = reader.GetString();
  host.cpus = reader.Get<uint32_t>();
  host.cpu = reader.GetString();
  host.kind = reader.GetString();
  host.cores = reader.GetString();
  host.machine_cpus = reader.Get<uint32_t>();
  host.bound_by = reader.GetString();
  for (OverHost* figure : FiguresOf(host)) {
    figure->ranks = static_cast<uint32_t>(reader.GetVarint());
    if (figure->ranks == 0) continue;
    for (uint64_t* value : {&figure->least, &figure->most, &figure->sum}) {
      *value = reader.GetVarint();
    }
  }
}

// Of passes only the wall time travels: the rest is rank 0's.
void PutRun(ByteWriter& writer, const RunInfo& run) {
  for (uint32_t value : {run.ranks, run.ranks_merged, run.first_rank, run.threads_max}) {
    writer.Put(value);
  }
  writer.PutString(run.mpi);
  writer.Put(static_cast<uint64_t>(run.hosts.size()));
  for (const HostInfo& host : run.hosts) PutHost(writer, host);
  writer.Put(static_cast<uint64_t>(run.background.size()));
  for (const BackgroundTraffic& traffic : run.background) {
    writer.PutString(traffic.host);
    writer.Put(traffic.package);
    writer.Put(traffic.bytes);
    writer.Put(traffic.seconds);
  }
  PutDevices(writer, run.devices);
  writer.Put(static_cast<uint64_t>(run.passes.size()));
  for (const PassInfo& pass : run.passes) writer.Put(pass.wall_s);
}

RunInfo GetRun(ByteReader& reader) {
  RunInfo run;
  for (uint32_t* value : {&run.ranks, &run.ranks_merged, &run.first_rank, &run.threads_max}) {
    *value = reader.Get<uint32_t>();
  }
  run.mpi = reader.GetString();
  run.hosts.resize(reader.GetCount(kHostBytes));
  for (HostInfo& host : run.hosts) GetHost(reader, host);
  run.background.resize(reader.GetCount(kTrafficBytes));
  for (BackgroundTraffic& traffic : run.background) {
    traffic.host = reader.GetString();
    traffic.package = reader.Get<uint32_t>();
    traffic.bytes = reader.Get<uint64_t>();
    traffic.seconds = reader.Get<double>();
  }
  run.devices = GetDevices(reader);
  run.passes.resize(reader.GetCount(sizeof(double)));
  for (PassInfo& pass : run.passes) pass.wall_s = reader.Get<double>();
  return run;
}

}  // namespace

Description::Description(const RunInfo& run, const std::array<MetricSource, kMetrics>& sources,
                         uint32_t rank)
    : cost(run.cost), kernel(run.kernel), run_(run), sources_(sources) {
  run_.cost = {};
  run_.kernel = {};
  run_.warnings.clear();
  source_ranks_.fill(rank);
  std::vector<Warning> warnings;
  for (const std::string& text : run.warnings) {
    warnings.push_back({rank, static_cast<uint32_t>(warnings.size()), text});
  }
  AddWarnings(warnings);
}

void Description::AddWarnings(const std::vector<Warning>& more) {
  const auto order = [](const Warning& warning) { return std::pair(warning.rank, warning.index); };
  warnings_.insert(warnings_.end(), more.begin(), more.end());
  std::sort(warnings_.begin(), warnings_.end(), [&](const Warning& a, const Warning& b) {
    return std::tie(a.text, a.rank, a.index) < std::tie(b.text, b.rank, b.index);
  });
  warnings_.erase(std::unique(warnings_.begin(), warnings_.end(),
                              [](const Warning& a, const Warning& b) { return a.text == b.text; }),
                  warnings_.end());
  std::sort(warnings_.begin(), warnings_.end(),
            [&](const Warning& a, const Warning& b) { return order(a) < order(b); });
  if (warnings_.size() <= kMaxWarnings) return;
  warnings_.resize(kMaxWarnings);
  more_warnings_ = true;
}

void Description::Add(const Description& other) {
  MergeRuns(run_, other.run_);
  MergeCells(cost, other.cost);
  MergeCells(kernel, other.kernel);
  MergeWhole(whole, other.whole);
  AddWarnings(other.warnings_);
  more_warnings_ = more_warnings_ || other.more_warnings_;
  for (size_t m = 0; m < kMetrics; ++m) {
    const auto turn = [&](const Description& of) {
      return std::pair(!HasValue(of.sources_[m].status), of.source_ranks_[m]);
    };
    if (turn(other) < turn(*this)) {
      MetricSource first = other.sources_[m];
      MergeSource(first, sources_[m]);
      sources_[m] = std::move(first);
      source_ranks_[m] = other.source_ranks_[m];
    } else {
      MergeSource(sources_[m], other.sources_[m]);
    }
  }
}

void Description::Put(ByteWriter& writer) const {
  PutRun(writer, run_);
  for (const Cell* cell : CellsOf(cost)) PutCell(writer, *cell);
  for (const Cell* cell : CellsOf(kernel)) PutCell(writer, *cell);
  PutWhole(writer, whole);
  writer.Put(static_cast<uint64_t>(warnings_.size()));
  for (const Warning& warning : warnings_) {
    writer.Put(warning.rank);
    writer.Put(warning.index);
    writer.PutString(warning.text);
  }
  writer.Put(more_warnings_);
  for (size_t m = 0; m < kMetrics; ++m) {
    PutSource(writer, sources_[m]);
    writer.Put(source_ranks_[m]);
  }
}

void Description::Get(ByteReader& reader) {
  run_ = GetRun(reader);
  for (Cell* cell : CellsOf(cost)) *cell = GetCell(reader);
  for (Cell* cell : CellsOf(kernel)) *cell = GetCell(reader);
  GetWhole(reader, whole);
  warnings_.resize(reader.GetCount(kWarningBytes));
  for (Warning& warning : warnings_) {
    warning.rank = reader.Get<uint32_t>();
    warning.index = reader.Get<uint32_t>();
    warning.text = reader.GetString();
  }
  more_warnings_ = reader.GetBool();
  for (size_t m = 0; m < kMetrics; ++m) {
    sources_[m] = GetSource(reader);
    source_ranks_[m] = reader.Get<uint32_t>();
  }
}

void Description::Store(JobProfile& job) && {
  std::vector<PassInfo> passes = std::move(job.run.passes);
  RunInfo run = std::move(run_);
  for (size_t i = 0; i < std::min(passes.size(), run.passes.size()); ++i) {
    passes[i].wall_s = run.passes[i].wall_s;
  }
  run.roofmark_version = job.run.roofmark_version;
  run.job_id = job.run.job_id;
  run.passes = std::move(passes);
  run.cost = cost;
  run.kernel = kernel;
  for (Warning& warning : warnings_) run.warnings.push_back(std::move(warning.text));
  if (more_warnings_) run.warnings.push_back("more warnings of other ranks were left out");
  job.run = std::move(run);
  job.sources = std::move(sources_);
  job.whole = std::move(whole);
}

}  // namespace roofmark::mpi
