// SPDX-License-Identifier: BSD-3-Clause
#include "command/self_test/laboratory.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "lib/core/clock.h"

namespace roofmark::cli {
namespace {

using MetricRow = std::map<MetricId, double>;

constexpr std::string_view kPathPrefix = "self-test-";

std::string NameOf(uint32_t path) { return fmt::format("{}{}", kPathPrefix, path); }

std::optional<uint32_t> NumberOf(std::string_view name) {
  if (!name.starts_with(kPathPrefix)) return std::nullopt;
  name.remove_prefix(kPathPrefix.size());
  uint32_t path = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), path);
  if (error != std::errc()) return std::nullopt;
  return path;
}

class Sums final : public HarvestSink {
 public:
  void Add(uint32_t worker, uint32_t path, MetricId metric, uint64_t value) override {
    rows_[path][worker][metric] += static_cast<double>(value);
  }
  void AddInclusive(uint32_t path, MetricId metric, uint64_t value) override {
    Add(kNoWorker, path, metric, value);
  }
  void AddShared(std::string_view path, MetricId metric, const Distribution& value,
                 Status status) override {
    const std::optional<uint32_t> number = NumberOf(path);
    if (!number) return;
    Add(kNoWorker, *number, metric, value.sum);
    if (status != Status::kMeasured) Doubt(*number, metric, status);
  }
  void Doubt(uint32_t path, MetricId metric, Status status) override {
    Status& known = doubts_[{path, metric}];
    known = std::max(known, status);
  }

  double Total(uint32_t path, MetricId metric) {
    double total = 0;
    for (const auto& [worker, row] : rows_[path]) {
      const auto found = row.find(metric);
      if (found != row.end()) total += found->second;
    }
    return total;
  }
  // The `count` workers with most FLOPs, or with most instructions where no thread has FLOPs,
  // ascending. (The main thread creates the others: many instructions, and no work.)
  std::vector<MetricRow> Busiest(uint32_t path, size_t count) {
    std::vector<std::pair<std::pair<double, double>, MetricRow>> rows;
    for (const auto& [worker, row] : rows_[path]) {
      if (worker == kNoWorker) continue;
      double flops = 0;
      for (const auto& [metric, value] : row) flops += IsFlops(metric) ? value : 0;
      const auto instructions = row.find(metric::kInstructions);
      rows.push_back({{flops, instructions == row.end() ? 0 : instructions->second}, row});
    }
    rows.resize(std::max(rows.size(), count));
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<MetricRow> busiest;
    for (size_t i = count; i > 0; --i) busiest.push_back(std::move(rows[i - 1].second));
    return busiest;
  }
  Status DoubtOf(uint32_t path, MetricId metric) const {
    const auto found = doubts_.find({path, metric});
    return found == doubts_.end() ? Status::kMeasured : found->second;
  }

 private:
  static constexpr uint32_t kNoWorker = UINT32_MAX;  // the process, or a package

  std::map<uint32_t, std::map<uint32_t, MetricRow>> rows_;  // by path, by worker
  std::map<std::pair<uint32_t, MetricId>, Status> doubts_;
};

double Get(const MetricRow& row, MetricId metric) {
  const auto found = row.find(metric);
  return found == row.end() ? 0 : found->second;
}

// The largest known value of the same kind of metric.
double ScaleOf(const Known& known) {
  double scale = 0;
  for (const auto& [name, range] : known) scale = std::max(scale, range.most);
  return scale;
}

}  // namespace

bool Laboratory::Offers(std::string_view metric) const {
  const std::optional<MetricId> id = FindMetric(metric);
  return id && HasValue(sources_[*id].status);
}

bool Laboratory::OffersFlops() const {
  for (MetricId id = 0; IsFlops(id); ++id) {
    if (HasValue(sources_[id].status)) return true;
  }
  return false;
}

bool Laboratory::Wants(const Known& known) const {
  return std::any_of(known.begin(), known.end(), [&](const auto& entry) {
    return entry.second.most > 0 && Offers(entry.first);
  });
}

void Laboratory::InRegion(uint32_t path, const Work& work, uint64_t repeats) {
  collector_.DefinePath(path, 0, NameOf(path));
  for (uint32_t round = 0; round < rounds_; ++round) {
    collector_.EnterTeam(path);
    work(repeats);
    collector_.EnterTeam(0);
  }
}

void Laboratory::Run(const Exercise& exercise, const Work& work) {
  RunOnThreads(exercise, {}, work);
}

void Laboratory::RunOnThreads(const Exercise& exercise, const std::vector<Known>& known,
                              const Work& work) {
  if (!Wants(known.empty() ? exercise.known : known[0])) return;
  const uint32_t path = next_path_;
  next_path_ += 2;
  ran_.push_back({exercise, known, path, path + 1});
  InRegion(path, work, exercise.short_repeats);
  InRegion(path + 1, work, exercise.long_repeats);
}

uint64_t Laboratory::Calibrate(const Work& work, uint64_t least) const {
  if (region_ns_ == 0) return least;
  for (uint64_t repeats = least;; repeats *= 4) {
    const uint64_t start = NowNs();
    work(repeats);
    const uint64_t took = std::max<uint64_t>(NowNs() - start, 1);
    if (took >= region_ns_ / 4 || repeats > uint64_t{1} << 36) {
      return std::max<uint64_t>(
          static_cast<uint64_t>(static_cast<double>(repeats) * static_cast<double>(region_ns_) /
                                static_cast<double>(took)),
          least);
    }
  }
}

std::vector<Check> Laboratory::Judge() {
  Sums sums;
  collector_.Harvest(sums);
  std::vector<Check> checks;
  for (const Ran& ran : ran_) {
    const auto more = static_cast<double>(ran.Repeats());
    const auto judge = [&](const std::string& exercise, const Known& known, auto counted) {
      const double scale = ScaleOf(known) * more;
      for (const auto& [name, range] : known) {
        const std::optional<MetricId> id = FindMetric(name);
        if (!id || !HasValue(sources_[*id].status)) continue;
        const Status status = std::max({sources_[*id].status, sums.DoubtOf(ran.short_path, *id),
                                        sums.DoubtOf(ran.long_path, *id)});
        checks.push_back(cli::Judge(ran.exercise.family, exercise, name,
                                    {range.least * more, range.most * more}, counted(*id), status,
                                    engine(), scale));
        if (!HasValue(status)) checks.back().verdict = Verdict::kOff;
      }
    };
    if (ran.of_threads.empty()) {
      judge(ran.exercise.name, ran.exercise.known, [&](MetricId id) {
        return sums.Total(ran.long_path, id) - sums.Total(ran.short_path, id);
      });
      continue;
    }
    const size_t count = ran.of_threads.size();
    const std::vector<MetricRow> shorter = sums.Busiest(ran.short_path, count),
                                 longer = sums.Busiest(ran.long_path, count);
    for (size_t i = 0; i < count; ++i) {
      judge(ran.exercise.name + " " + std::to_string(i + 1) + " of " + std::to_string(count),
            ran.of_threads[i],
            [&](MetricId id) { return Get(longer[i], id) - Get(shorter[i], id); });
    }
  }
  return checks;
}

}  // namespace roofmark::cli
