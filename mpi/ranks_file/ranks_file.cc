// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/ranks_file/ranks_file.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "lib/core/bytes.h"
#include "lib/core/file.h"
#include "lib/core/log.h"
#include "lib/core/messages/mpi.h"
#include "lib/core/write_signals.h"
#include "markers/runtime/runtime.h"
#include "mpi/library.h"
#include "mpi/ranks_file/plugin.h"
#include "mpi/tree.h"

namespace roofmark::mpi {
namespace {

constexpr uint8_t kAbsent = 8;  // after the last Status
const std::vector<std::string>& StatusNames() {
  static const auto& names = *[] {
    auto* list = new std::vector<std::string>;
    for (uint8_t code = 0; code < kAbsent; ++code) {
      list->emplace_back(StatusName(static_cast<Status>(code)));
    }
    list->emplace_back("absent");
    return list;
  }();
  return names;
}

Result<const DetailPlugin*> LoadDetailPlugin(const std::string& mpi_version) {
  const std::string family = FamilyOf(mpi_version);
  const std::string path = fmt::format("{}/libroofmark_detail_{}.so", PluginDirectory(), family);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return Error{InWords(message::kNoHdf5Plugin, dlerror(), family)};
  }
  const auto entry = reinterpret_cast<DetailPluginEntry>(dlsym(handle, kDetailPluginEntry));
  const DetailPlugin* plugin = entry == nullptr ? nullptr : entry();
  if (plugin == nullptr || plugin->version != kDetailPluginVersion) {
    return Error{InWords(message::kHdf5PluginOfOtherVersion, path)};
  }
  return plugin;
}

// What all ranks' rows have: of the merged profile, as rank 0 knows it. A rank without a profile,
// or of another program, may know other labels of a user's events.
struct Shape {
  std::vector<std::string> paths;  // sorted
  std::vector<MetricId> metrics;
  std::vector<std::string> labels, units;  // of the metrics
};

std::vector<char> PackShape(const JobProfile& merged) {
  ByteWriter writer;
  writer.Put(static_cast<uint64_t>(merged.paths.size()));
  for (const PathInfo& info : merged.paths) writer.PutString(info.path);
  for (MetricId id = 0; id < kMetrics; ++id) {
    if (!merged.cells.HasValue(id)) continue;
    writer.Put(id);
    writer.PutString(MetricLabel(merged, id));
    writer.PutString(MetricUnit(merged, id));
  }
  return writer.Take();
}

// Without paths if there is no merged profile on rank 0.
bool ShareShape(Comm& comm, const JobProfile* merged, Shape& shape) {
  std::vector<char> bytes = PackShape(merged == nullptr ? JobProfile() : *merged);
  if (!BcastBytes(comm, bytes)) return false;
  ByteReader reader(bytes);
  shape.paths.resize(reader.GetCount(sizeof(uint64_t)));
  for (std::string& path : shape.paths) path = reader.GetString();
  while (reader.ok() && !reader.IsAtEnd()) {
    shape.metrics.push_back(reader.Get<MetricId>());
    shape.labels.push_back(reader.GetString());
    shape.units.push_back(reader.GetString());
  }
  return reader.ok();
}

// One row of the table, filled from what one rank or thread has.
class RowBuffer {
 public:
  explicit RowBuffer(const Shape& shape)
      : shape_(shape),
        values_(shape.paths.size() * shape.metrics.size()),
        status_(values_.size()) {}

  void Fill(const JobProfile& profile) {
    std::fill(values_.begin(), values_.end(), 0);
    std::fill(status_.begin(), status_.end(), kAbsent);
    size_t row = 0;  // both lists are sorted
    for (size_t path = 0; path < profile.paths.size(); ++path) {
      while (row < shape_.paths.size() && shape_.paths[row] < profile.paths[path].path) ++row;
      if (row == shape_.paths.size() || shape_.paths[row] != profile.paths[path].path) continue;
      for (size_t m = 0; m < shape_.metrics.size(); ++m) {
        const Cell& cell = profile.At(path, shape_.metrics[m]);
        if (cell.ranks == 0) continue;
        const size_t at = row * shape_.metrics.size() + m;
        const Status status = Worst(cell.status_bits);
        status_[at] = static_cast<uint8_t>(status);
        if (HasValue(status)) values_[at] = static_cast<uint64_t>(cell.Sum());
      }
    }
  }
  std::span<const uint64_t> values() const { return values_; }
  std::span<const uint8_t> status() const { return status_; }

 private:
  const Shape& shape_;
  std::vector<uint64_t> values_;
  std::vector<uint8_t> status_;
};

class Writer {
 public:
  Writer(Comm& comm, DetailFile& file, const Shape& shape, const JobProfile& local)
      : comm_(comm), file_(file), shape_(shape), local_(local), buffer_(shape) {}

  // Each step is taken by all ranks, whatever became of the one before.
  bool Ranks() {
    const std::string host = local_.run.hosts.empty() ? "" : local_.run.hosts.front().name;
    bool ok = Names();
    ok &= file_.TextColumn("hosts", comm_.Size(), comm_.Rank(), {host});
    ok &= Table("values", "status", comm_.Size());
    buffer_.Fill(local_);
    return file_.Row(comm_.Rank(), buffer_.values(), buffer_.status()) && ok;
  }

  bool Threads() {
    const size_t own = runtime::ThreadCount();
    const std::optional<Place> place = PlaceOf(own);
    if (!place) return false;
    std::vector<uint32_t> ranks(own, comm_.Rank()), numbers(own), kinds(own);
    for (size_t i = 0; i < own; ++i) {
      const runtime::ThreadLabel label = runtime::LabelOf(i);
      numbers[i] = label.number;
      kinds[i] = label.counted ? 1 : 0;
    }
    bool ok = file_.Column("thread_rank", place->all, place->first, ranks);
    ok &= file_.Column("thread_number", place->all, place->first, numbers);
    ok &= file_.Column("thread_kind", place->all, place->first, kinds);
    ok &= file_.Attribute("thread_kind", "names", {"marked", "counted"});
    ok &= Table("thread_values", "thread_status", place->all);
    for (size_t turn = 0; turn < place->turns; ++turn) {
      std::optional<uint64_t> row;
      if (turn < own) {
        row = place->first + turn;
        buffer_.Fill(runtime::ProfileOfThread(turn));
      }
      ok &= file_.Row(row, buffer_.values(), buffer_.status());
    }
    return ok;
  }

 private:
  struct Place {
    uint64_t first = 0, all = 0, turns = 0;
  };

  bool Names() {
    std::vector<std::string> docs;
    for (const MetricId id : shape_.metrics) docs.emplace_back(GetMetric(id).doc);
    bool ok = file_.Texts("paths", shape_.paths);
    ok &= file_.Texts("metrics", shape_.labels);
    ok &= file_.Attribute("metrics", "units", shape_.units);
    return file_.Attribute("metrics", "doc", docs) && ok;
  }

  bool Table(const char* values, const char* status, uint64_t rows) {
    bool ok = file_.Table(values, status, rows, shape_.paths.size(), shape_.metrics.size());
    ok &= file_.Attribute(values, "units", shape_.units);
    return file_.Attribute(status, "names", StatusNames()) && ok;
  }

  // Rows of lower ranks come first. One number travels from rank to rank along the tree: sums of
  // powers of two of ranks, as in a prefix sum.
  std::optional<Place> PlaceOf(uint64_t own) {
    Place place;
    uint64_t most[1] = {own}, all[1] = {own};
    if (!comm_.AllreduceU64(most, ReduceOp::kMax)) return std::nullopt;
    if (!comm_.AllreduceU64(all, ReduceOp::kSum)) return std::nullopt;
    place.turns = most[0];
    place.all = all[0];
    uint64_t through = own;  // rows of this rank and those that it has heard of
    for (uint64_t step = 1; step < comm_.Size(); step *= 2) {
      const uint64_t up = comm_.Rank() + step;
      if (up < comm_.Size() && !comm_.Send(static_cast<uint32_t>(up), &through, sizeof through)) {
        return std::nullopt;
      }
      if (comm_.Rank() < step) continue;
      uint64_t below = 0;
      if (!comm_.Recv(static_cast<uint32_t>(comm_.Rank() - step), &below, sizeof below)) {
        return std::nullopt;
      }
      through += below;
      place.first += below;
    }
    return place;
  }

  Comm& comm_;
  DetailFile& file_;
  const Shape& shape_;
  const JobProfile& local_;
  RowBuffer buffer_;
};

bool AllSay(Comm& comm, bool yes) {
  uint64_t all[1] = {yes ? uint64_t{1} : uint64_t{0}};
  return comm.AllreduceU64(all, ReduceOp::kMin) && all[0] == 1;
}

// The name under which all ranks write, chosen by rank 0.
bool AgreeOnName(Comm& comm, std::string& name) {
  std::vector<char> bytes(name.begin(), name.end());
  if (!BcastBytes(comm, bytes)) return false;
  name.assign(bytes.begin(), bytes.end());
  return true;
}

// Empty, or why the file `name` was not written. It is `temporary` until it is whole.
std::string Write(Comm& comm, const Plugin& plugin, const std::string& mpi_version,
                  const JobProfile& local, const JobProfile* merged, bool threads,
                  const std::string& temporary, const std::string& name) {
  const Result<const DetailPlugin*> detail = LoadDetailPlugin(mpi_version);
  if (!AllSay(comm, static_cast<bool>(detail))) {
    return detail ? InWords(message::kHdf5PluginMissesOnRank) : detail.error();
  }
  Shape shape;
  if (!AllSay(comm, ShareShape(comm, merged, shape))) return InWords(message::kMpiFailed);
  if (shape.paths.empty()) return InWords(message::kNothingForDetail);
  DetailFile* file = (*detail)->create(plugin.handle(&comm), temporary.c_str());
  if (!AllSay(comm, file != nullptr)) {
    if (file != nullptr) (*detail)->destroy(file);
    return InWords(message::kHdf5CannotCreate, name);
  }
  Writer writer(comm, *file, shape, local);
  bool ok = writer.Ranks();
  if (threads) ok = writer.Threads() && ok;
  ok = file->Close() && ok;
  (*detail)->destroy(file);
  return AllSay(comm, ok) ? "" : InWords(message::kHdf5CannotWrite, name);
}

}  // namespace

std::string WriteDetail(Comm& comm, const Plugin& plugin, const std::string& mpi_version,
                        const JobProfile& local, const JobProfile* merged) {
  // The environment may differ between programs of one job: the least that all want is written.
  uint64_t level[2] = {static_cast<uint64_t>(runtime::WantedDetail()), 0};
  level[1] = UINT64_MAX - level[0];
  if (!comm.AllreduceU64(level, ReduceOp::kMin)) return "";
  const uint64_t least = level[0], most = UINT64_MAX - level[1];
  if (most == 0) return "";
  const WriteSignalsOff off;
  const std::string name = runtime::DetailName(local.run.first_rank);
  std::string temporary = TemporaryBeside(name).shown;
  std::string why;
  if (least == 0) {
    why = InWords(message::kDetailNotSetEverywhere);
  } else if (!AgreeOnName(comm, temporary)) {
    why = InWords(message::kMpiFailed);
  } else {
    why = Write(comm, plugin, mpi_version, local, merged, least == 2, temporary, name);
  }
  if (comm.Rank() != 0) return "";
  if (why.empty()) {
    const Result<std::string> there = Publish(temporary, name, IfExists::kRename);
    if (there) return *there;
    why = there.error();
  }
  unlink(temporary.c_str());
  Complain(message::kDetailNotWritten, why);
  return "";
}

}  // namespace roofmark::mpi
