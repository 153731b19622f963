// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/balance.h"

#include <algorithm>
#include <vector>

#include "lib/model/work.h"

namespace roofmark {
namespace {

// Workers of all ranks; ranks that never entered have as many as the largest.
Value Workers(const JobProfile& job, size_t path) {
  const Value workers = MetricSum(job, path, metric::kWorkers);
  if (!workers) return workers;
  const Cell& entered = job.At(path, metric::kWorkers);
  const double absent = job.run.ranks_merged - entered.ranks;
  return Value::Of(*workers + absent * static_cast<double>(entered.max), workers.status,
                   workers.origin);
}

Value AtLeastOne(const Value& value) {
  return value ? Value::Of(std::max(1.0, *value), value.status, value.origin) : value;
}

Value Bytes(const JobProfile& job, size_t path) { return Traffic(job, path, MemoryLevel::kL1); }

// Largest rank's share of a sum, over the mean. Missing where different ranks lead in its parts.
Value RankBytesImbalance(const JobProfile& job, size_t path) {
  const Value total = Bytes(job, path);
  if (!total || *total <= 0) return total ? Value::None(Reason::kNoBytes) : total;
  const Cell& loads = job.At(path, metric::kLoadBytes);
  const Cell& stores = job.At(path, metric::kStoreBytes);
  if (loads.max_rank != stores.max_rank && stores.max != stores.min) {
    return Value::None(Reason::kRanksLeadInTraffic, total.status);
  }
  const double most = static_cast<double>(loads.max) + static_cast<double>(stores.max);
  return Value::Of(most * job.run.ranks_merged / *total, total.status, total.origin);
}

// `busiest` is a metric of each rank's busiest worker, `total` what all did.
Balance FromBusiest(const JobProfile& job, size_t path, MetricId busiest_metric, const Value& total,
                    const Value& between_ranks) {
  Balance balance;
  const Value workers = Workers(job, path);
  const Value busiest = MetricSum(job, path, busiest_metric);
  if (workers) balance.workers = *workers;
  const auto over_mean = [&](double most) {
    const Value mean = Combine(total, workers, [](double t, double n) { return t / n; });
    if (mean && *mean <= 0) return Value::None(Reason::kZeroEverywhere, mean.status);
    return AtLeastOne(Combine(busiest, mean, [most](double, double m) { return most / m; }));
  };
  const Cell& cell = job.At(path, busiest_metric);
  balance.as_is = over_mean(static_cast<double>(cell.max));
  balance.even_ranks = over_mean(cell.SumAsDouble() / std::max(1u, job.run.ranks_merged));
  balance.even_threads = AtLeastOne(between_ranks);
  // With one thread a rank there is nothing within ranks.
  if (balance.as_is && balance.workers <= job.run.ranks_merged) {
    balance.even_threads = balance.as_is;
    balance.even_ranks = Value::Of(1, balance.as_is.status, balance.as_is.origin);
  }
  if (balance.as_is && balance.even_threads && *balance.even_threads > *balance.as_is) {
    balance.even_threads = balance.as_is;
  }
  return balance;
}

double SumOfSquares(const Cell& cell) { return cell.m2 + cell.ranks * cell.mean * cell.mean; }

// The highest n_eff / n over ranks that a sum of metrics allows of which each rank has its own
// part. Absent ranks are idle. How parts pair up on a rank is known only where the same rank leads
// in both: elsewhere reads of one may well go beside writes of another.
double RankConcurrency(const std::vector<const Cell*>& parts, uint32_t ranks) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    sum += parts[i]->SumAsDouble();
    squares += SumOfSquares(*parts[i]);
    for (size_t k = 0; k < i; ++k) {
      if (parts[i]->max_rank != parts[k]->max_rank) continue;
      squares += 2 * static_cast<double>(parts[i]->max) * static_cast<double>(parts[k]->max);
    }
  }
  return squares > 0 ? std::min(1.0, sum * sum / squares / std::max(1u, ranks)) : 1;
}

// The highest n_eff / n of `threads` of which the busiest has `busiest` times the mean: all others
// have the same.
double ThreadConcurrency(double busiest, double threads) {
  if (threads <= 1) return 1;
  const double over = std::clamp(busiest, 1.0, threads);
  const double rest = threads - over;
  return threads / (over * over + rest * rest / (threads - 1));
}

// What tells each rank's DRAM traffic: its parts, or its misses where none is counted.
std::vector<MetricId> TrafficMetrics(const JobProfile& job, size_t path) {
  std::vector<MetricId> parts;
  for (const MetricId m :
       {metric::kDramReadBytes, metric::kDramWriteBytes, metric::kDramDirtyBytes}) {
    if (job.At(path, m).SumAsDouble() > 0) parts.push_back(m);
  }
  if (parts.empty()) parts.push_back(metric::kLastLevelMisses);
  return parts;
}

}  // namespace

namespace {

// Threads may differ in time where they do the same, and do the same where they differ in FLOPs.
Balance InTime(Balance counted, const Value& within_ranks) {
  if (!within_ranks) return counted;
  counted.even_ranks = AtLeastOne(within_ranks);
  counted.as_is = counted.even_threads ? Combine(counted.even_threads, counted.even_ranks,
                                                 [](double a, double b) { return a * b; })
                                       : counted.even_ranks;
  return counted;
}

Balance CountedBalance(const JobProfile& job, size_t path) {
  const Value flops = TotalFlops(job, path);
  if (flops && *flops > 0) {
    return FromBusiest(job, path, metric::kWorkerFlopsMax, flops, FlopImbalance(job, path));
  }
  return FromBusiest(job, path, metric::kWorkerBytesMax, Bytes(job, path),
                     RankBytesImbalance(job, path));
}

}  // namespace

Balance WorkBalance(const JobProfile& job, size_t path) {
  const Balance counted = CountedBalance(job, path);
  // With one thread a rank there is nothing within ranks.
  if (counted.workers <= job.run.ranks_merged) return counted;
  return InTime(counted, ThreadTimeImbalance(job, path));
}

Balance TrafficConcurrency(const JobProfile& job, size_t path) {
  const Balance bytes = FromBusiest(job, path, metric::kWorkerBytesMax, Bytes(job, path),
                                    RankBytesImbalance(job, path));
  Balance balance;
  balance.workers = bytes.workers;
  const std::vector<MetricId> parts = TrafficMetrics(job, path);
  const Value traffic = MetricSum(job, path, parts[0]);
  const uint32_t ranks = job.run.ranks_merged;
  std::vector<const Cell*> cells;
  for (const MetricId part : parts) cells.push_back(&job.At(path, part));
  const double between = RankConcurrency(cells, ranks);
  const double threads = bytes.workers / std::max(1u, ranks);
  const Value within = Combine(traffic, bytes.even_ranks, [threads](double, double over) {
    return ThreadConcurrency(over, threads);
  });
  balance.even_threads =
      traffic ? Value::Of(between, traffic.status, traffic.origin) : Value::None(traffic.reason);
  balance.even_ranks = within;
  balance.as_is = Combine(balance.even_threads, within, [](double a, double b) { return a * b; });
  return balance;
}

double ImbalanceFactor(double busiest, double workers, const UnitRates& rates) {
  if (workers <= 1 || rates.cores <= 0) return 1;
  const double over = std::clamp(busiest, 1.0, workers);
  // More workers than cores: others share the cores that the busiest does not need.
  if (workers > rates.cores * 1.01) {
    return std::max(1.0, over * rates.scaling * rates.cores / workers);
  }
  const double others = (workers - over) / (workers - 1);
  return std::max(1.0, others + (over - others) * rates.scaling * rates.cores / workers);
}

}  // namespace roofmark
