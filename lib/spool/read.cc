// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "lib/core/file.h"
#include "lib/core/limits.h"
#include "lib/profile/roofline_json.h"
#include "lib/spool/accumulator.h"
#include "lib/spool/layout.h"
#include "lib/spool/read_counts.h"
#include "lib/spool/straighten.h"

namespace roofmark::spool {
namespace {

constexpr size_t kMostProblems = 100;  // that are told

// Bytes of a file lie anywhere; what stands in them does not.
template <typename Record>
void Load(std::string_view bytes, size_t at, Record& record) {
  std::memcpy(static_cast<void*>(&record), bytes.data() + at, sizeof record);
}

class Parser {
 public:
  Parser(std::string_view bytes, const std::string& name) : bytes_(bytes) { spool_.file = name; }

  Result<Spool> Run() {
    const std::string error = TakeHeader();
    if (!error.empty()) return Error{error};
    TakeBlocks();
    if (too_many_rows_ || spool_.input.threads.size() * named_.size() > limits::kSpoolRows) {
      return Error{fmt::format("{}: {} threads times {} regions are beyond the limit of {}",
                               spool_.file, spool_.input.threads.size(), named_.size() - 1,
                               limits::kSpoolRows)};
    }
    if (!described_) {
      return Error{fmt::format(
          "{}: the process died before it wrote its description; the spool is empty", spool_.file)};
    }
    Finish();
    return std::move(spool_);
  }

 private:
  template <typename... Args>
  void Problem(fmt::format_string<Args...> text, Args&&... args) {
    if (++problems_ > kMostProblems) return;
    spool_.problems.push_back(
        fmt::format("{}: {}", spool_.file, fmt::format(text, std::forward<Args>(args)...)));
  }

  std::string TakeHeader() {
    Header header{};
    if (bytes_.size() < sizeof kMagic || std::memcmp(bytes_.data(), kMagic, sizeof kMagic) != 0) {
      return fmt::format("{} is not a spool of roofmark", spool_.file);
    }
    if (bytes_.size() < sizeof header) {
      return fmt::format("{} is truncated within its header; all data of this process is lost",
                         spool_.file);
    }
    Load(bytes_, 0, header);
    if (header.byte_order != kByteOrder) {
      return fmt::format("{} was written on a machine of another byte order: recover it there",
                         spool_.file);
    }
    if (header.version != kVersion || header.header_bytes != sizeof(Header) ||
        header.accumulator_bytes != sizeof(Accumulator)) {
      return fmt::format(
          "{} is of version {}; this roofmark reads {}: recover it with the roofmark that recorded "
          "it",
          spool_.file, header.version, kVersion);
    }
    if (header.checksum != header.Checksum()) {
      return fmt::format("{}: its header is damaged; all data of this process is lost",
                         spool_.file);
    }
    spool_.identity = header.identity;
    spool_.identity.boot[sizeof header.identity.boot - 1] = '\0';
    spool_.identity.host[sizeof header.identity.host - 1] = '\0';
    spool_.born = header.born;
    spool_.ticks_are_ns = header.ticks_are_ns != 0;
    spool_.latest = header.latest[header.latest_sequence.load() & 1];
    spool_.frozen_unix_s = header.frozen_unix_s;
    end_ = header.end.load();
    if (header.private_from.load() != 0) {
      Problem(
          "the spool became full while the process was running: later regions and threads are "
          "lost");
      counts_.PartIsLost();
    }
    CheckEnd(header);
    return {};
  }

  void CheckEnd(const Header& header) {
    if (end_ > bytes_.size()) {
      Problem("the file is truncated at byte {} of {}: the data after it is lost", bytes_.size(),
              end_);
      counts_.PartIsLost();
      end_ = bytes_.size();
    } else if (header.frozen_unix_s != 0 &&
               HashOf(bytes_.substr(offsetof(Header, end))) != header.frozen_sum) {
      Problem("the copy differs from what was written; data without a valid checksum is left out");
      distrusted_ = true;
      counts_.PartIsLost();
    }
  }

  void TakeBlocks() {
    uint64_t lost_from = 0;
    for (uint64_t at = sizeof(Header); at + sizeof(BlockHeader) <= end_;) {
      BlockHeader block;
      Load(bytes_, at, block);
      const uint64_t begin = at + sizeof block;
      const bool whole = block.magic == kBlockMagic && block.checksum == block.Checksum();
      if (!whole || block.bytes > end_ - begin) {
        // Goes on at the next place that holds a block.
        if (lost_from == 0) lost_from = at;
        at += kAlign;
        continue;
      }
      if (lost_from != 0) LostBytes(lost_from, at);
      lost_from = 0;
      Take(block, bytes_.substr(begin, block.bytes));
      at = begin + Padded(block.bytes);
    }
    if (lost_from != 0) LostBytes(lost_from, end_);
  }

  void LostBytes(uint64_t from, uint64_t to) {
    Problem("bytes {} to {} are damaged and left out", from, to);
    counts_.PartIsLost();
  }

  void Take(const BlockHeader& block, std::string_view content) {
    const bool changes = block.kind == Kind::kAccumulators || block.kind == Kind::kWorks ||
                         block.kind == Kind::kCounts;
    if (!changes && HashOf(content) != block.content_sum) {
      Problem("a record of {} bytes is damaged and left out", content.size());
      counts_.PartIsLost();
      return;
    }
    switch (block.kind) {
      case Kind::kRun:
        TakeJson(content, spool_.described, described_);
        break;
      case Kind::kProfile: {
        bool taken = false;
        TakeJson(content, spool_.handed_in.emplace(), taken);
        if (!taken) spool_.handed_in.reset();
        break;
      }
      case Kind::kPath:
        TakePath(block.a, content);
        break;
      case Kind::kName:
        spool_.input.operations[block.a] = RegionName(content);
        break;
      case Kind::kAccumulators:
        TakeAccumulators(block, content);
        break;
      case Kind::kWorks:
        TakeWorks(block, content);
        break;
      case Kind::kCountPlan:
        CountsAre(counts_.TakePlan(content));
        break;
      case Kind::kCounts:
        CountsAre(counts_.TakeRows(block.a, block.b, content));
        break;
      case Kind::kCountsLack:
        CountsAre(counts_.TakeLack(block.a));
        break;
    }
  }

  void TakeJson(std::string_view content, JobProfile& into, bool& taken) {
    Result<RooflineFile> parsed = RooflineFromJson(content, spool_.file);
    if (!parsed) {
      spool_.problems.push_back(parsed.error());
      return;
    }
    into = std::move(parsed->job);
    taken = true;
  }

  void TakePath(uint32_t id, std::string_view content) {
    PathRecord record;
    if (content.size() < sizeof record || !IsPossible(id)) return BadRecord();
    Load(content, 0, record);
    content.remove_prefix(sizeof record);
    // Id 0 stands for no region; a parent has a record before.
    if (content.size() != uint64_t{record.name_bytes} + record.file_bytes || record.parent >= id) {
      return BadRecord();
    }
    GrowTo(id);
    spool_.input.nodes[id] = {record.parent,
                              record.name,
                              record.kind == 0 ? RegionKind::kTeam : RegionKind::kThread,
                              std::string(content.substr(record.name_bytes)),
                              record.line,
                              record.openmp_threads};
    spool_.input.names[id] = RegionName(content.substr(0, record.name_bytes));
    named_[id] = true;
  }

  void CountsAre(bool possible) {
    if (possible) return;
    counts_.PartIsLost();
    BadRecord();
  }

  void BadRecord() { Problem("a record has impossible content and is left out"); }

  // Each path has a record in the file, but those that share their accumulators with one that has.
  bool IsPossible(uint32_t path) const {
    constexpr size_t kLeastRecord = sizeof(BlockHeader) + Padded(sizeof(PathRecord));
    return path < limits::kPaths && path < bytes_.size() / kLeastRecord + kPathsPerBlock;
  }

  void GrowTo(uint32_t path) {
    if (spool_.input.nodes.size() > path) return;
    spool_.input.nodes.resize(path + 1);
    spool_.input.names.resize(path + 1);
    spool_.open.resize(path + 1);
    named_.resize(path + 1);
  }

  // nullptr: there would be too many. Threads are numbered anew, in the order of their blocks.
  ThreadPathTotals* TotalsOf(uint32_t thread, uint32_t path) {
    auto& threads = spool_.input.threads;
    const size_t number = thread_numbers_.try_emplace(thread, threads.size()).first->second;
    if (number == threads.size()) threads.emplace_back();
    std::vector<ThreadPathTotals>& rows = threads[number];
    if (rows.size() <= path) {
      rows_ += path + 1 - rows.size();
      too_many_rows_ = too_many_rows_ || rows_ > limits::kSpoolRows;
      if (too_many_rows_) return nullptr;
      rows.resize(path + 1);
    }
    GrowTo(path);
    return &rows[path];
  }

  // False for a path that cannot be: its record is in the file, and it is not.
  bool Fits(uint32_t path) {
    if (IsPossible(path)) return true;
    BadRecord();
    return false;
  }

  bool HasSize(size_t content, size_t expected) {
    if (content != expected) BadRecord();
    return content == expected;
  }

  void TakeAccumulators(const BlockHeader& block, std::string_view content) {
    if (!HasSize(content.size(), kPathsPerBlock * sizeof(Accumulator)) || !Fits(block.b)) return;
    for (uint32_t i = 0; i < kPathsPerBlock; ++i) {
      Accumulator accumulator;
      Load(content, i * sizeof accumulator, accumulator);
      const AccumulatorReading reading = ReadAccumulator(accumulator);
      const uint32_t path = block.b + i;
      if (reading.state == AccumulatorState::kDamaged) {
        damaged_[path] += 1;
        continue;
      }
      if (reading.state == AccumulatorState::kTorn) torn_[path] += 1;
      if (reading.totals.visits == 0 && reading.active == 0) continue;
      if (!Fits(path)) continue;
      ThreadPathTotals* totals = TotalsOf(block.a, path);
      if (totals == nullptr) return;
      totals->visits = reading.totals.visits;
      totals->measured = reading.totals.measured;
      totals->ticks = reading.totals.ticks;
      spool_.open[path] += reading.active;
    }
  }

  void TakeWorks(const BlockHeader& block, std::string_view content) {
    if (!HasSize(content.size(), kPathsPerBlock * sizeof(DeclaredWork)) || !Fits(block.b)) return;
    for (uint32_t i = 0; i < kPathsPerBlock; ++i) {
      DeclaredWork work;
      Load(content, i * sizeof work, work);
      spool_.input.dropped_operations += work.dropped.load();
      const bool any = work.flops.load() != 0 || work.bytes.load() != 0 ||
                       work.operations.load() != 0 || work.mpi_ticks.load() != 0 ||
                       work.team_ticks.load() != 0 || work.pauses.load() != 0 ||
                       work.page_faults.load() != 0 || work.system_ns.load() != 0 ||
                       work.preemptions.load() != 0 || work.longest_ticks.load() != 0;
      if (!any || !Fits(block.b + i)) continue;
      ThreadPathTotals* totals = TotalsOf(block.a, block.b + i);
      if (totals == nullptr) return;
      totals->declared_flops = work.flops.load();
      totals->declared_bytes = work.bytes.load();
      totals->operations = work.operations.load();
      totals->operation = work.kind.load();
      totals->mpi_ticks = work.mpi_ticks.load();
      totals->parallel_ticks = work.parallel_ticks.load();
      totals->team_ticks = work.team_ticks.load();
      totals->busy_ticks = work.busy_ticks.load();
      totals->busiest_ticks = work.busiest_ticks.load();
      totals->pauses = work.pauses.load();
      totals->kernel = {work.page_faults.load(), work.system_ns.load(), work.preemptions.load()};
      totals->longest_ticks = work.longest_ticks.load();
    }
  }

  // Regions whose names are lost keep what was measured in them.
  void Finish() {
    GrowTo(0);
    size_t unnamed = 0;
    for (uint32_t path = 1; path < named_.size(); ++path) {
      if (named_[path]) continue;
      spool_.input.names[path] = LostName(path);
      ++unnamed;
    }
    if (unnamed != 0) Problem("the names of {} regions are lost", unnamed);
    for (const uint32_t path : StraightenPaths(spool_.input)) {
      Problem("region {} has a place or a name that cannot be: it stands apart", path);
    }
    TakeCounts();
    for (const auto& [path, times] : damaged_) {
      Problem("the data of {} thread{} in region \"{}\" is damaged and left out", times,
              times == 1 ? "" : "s", Name(path));
    }
    for (const auto& [path, times] : torn_) {
      Problem("region \"{}\" was being written ({}); its previous state is used", Name(path),
              times);
    }
    if (distrusted_ && damaged_.empty() && torn_.empty()) {
      Problem("its visits and times may be wrong");
    }
    if (problems_ <= kMostProblems) return;
    spool_.problems.push_back(
        fmt::format("{}: {} more problems", spool_.file, problems_ - kMostProblems));
  }

  void TakeCounts() {
    if (!damaged_.empty()) counts_.PartIsLost();
    counts_.Finish(
        [this](uint64_t record, uint32_t path) -> uint64_t {
          const auto number = thread_numbers_.find(static_cast<uint32_t>(record));
          if (number == thread_numbers_.end()) return 0;
          const std::vector<ThreadPathTotals>& rows = spool_.input.threads[number->second];
          return path < rows.size() ? rows[path].visits : 0;
        },
        spool_.input);
    for (const std::string& problem : counts_.TakeProblems()) Problem("{}", problem);
    if (counts_.ahead()) {
      spool_.notes.push_back(
          fmt::format("{}: counts were copied while the process went on: they may be of some more "
                      "visits than the visits and times",
                      spool_.file));
    }
    spool_.counts = counts_.plan();
    spool_.why_no_counts = counts_.why_not();
  }

  std::string Name(uint32_t path) const {
    return path < spool_.input.names.size() ? spool_.input.names[path] : LostName(path);
  }

  std::string_view bytes_;
  uint64_t end_ = 0;
  Spool spool_;
  bool described_ = false, distrusted_ = false;
  std::vector<bool> named_{true};
  std::map<uint32_t, int> damaged_, torn_;
  std::map<uint32_t, size_t> thread_numbers_;  // as the process had them: as here
  size_t rows_ = 0;                            // of all threads
  bool too_many_rows_ = false;
  size_t problems_ = 0;
  CountsReader counts_;
};

}  // namespace

Result<Spool> ParseSpool(std::string_view bytes, const std::string& name) {
  return Parser(bytes, name).Run();
}

Result<Spool> ReadSpool(const std::string& file) {
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    const Result<std::string> bytes = ReadFound(file, limits::kSpoolBytes);
    if (!bytes) return Error{bytes.error()};
    Result<Spool> spool = ParseSpool(*bytes, file);
    // A copy of a living process's memory may catch an accumulator in the middle.
    const bool settled = !spool || spool->problems.empty() || attempt == kAttempts ||
                         LifeOf(spool->identity, file) != Life::kAlive;
    if (settled) return spool;
  }
}

}  // namespace roofmark::spool
