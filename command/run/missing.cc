// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lib/profile/totals.h"

namespace roofmark::cli {
namespace {

// Without a value: nothing is missing.
using Lack = std::optional<std::string>;

bool AnyPathHas(const JobProfile& job, MetricId total) {
  for (size_t path = 0; path < job.paths.size(); ++path) {
    if (TotalOf(job, path, total)) return true;
  }
  return false;
}

// A path whose FLOPs are not those of all of its ranks, or are not to be believed.
Lack SpoiltFlops(const JobProfile& job) {
  for (size_t path = 0; path < job.paths.size(); ++path) {
    const Total flops = TotalOf(job, path, metric::kFlops);
    if (!HasValue(flops.status)) {
      return fmt::format("FLOPs of region \"{}\" were counted wrongly", job.paths[path].path);
    }
    const uint32_t counted = job.At(path, metric::kFlops).ranks;
    const uint32_t ranks = job.At(path, metric::kVisits).ranks;
    if (counted > 0 && counted < ranks) {
      return fmt::format("FLOPs of region \"{}\" were counted on {} of {} ranks",
                         job.paths[path].path, counted, ranks);
    }
  }
  return std::nullopt;
}

// What the user chose to count, where that was one thing.
std::string ChosenCollector(const JobProfile& job) {
  if (job.run.passes.size() != 1) return {};
  const auto& settings = job.run.passes[0].settings;
  if (settings.contains("events")) return "ROOFMARK_EVENTS";
  const auto group = settings.find("group");
  return group == settings.end() ? "" : fmt::format("ROOFMARK_GROUP={}", group->second);
}

// The reason that the collector gave; that nobody counts it is none.
std::string Because(const JobProfile& job, MetricId metric) {
  const std::vector<MetricId> nobodys = CountedByNobody(job);
  if (std::find(nobodys.begin(), nobodys.end(), metric) == nobodys.end()) {
    return job.sources[metric].reason;
  }
  const std::string chosen = ChosenCollector(job);
  if (!chosen.empty()) return fmt::format("they are not in {}", chosen);
  return "the collector has no event for them here";
}

Lack MissingFlops(const JobProfile& job) {
  const MetricSource& source = job.sources[metric::kFlops];
  if (!HasValue(source.status)) {
    return fmt::format("FLOPs were not counted: {}", Because(job, metric::kFlops));
  }
  if (const Lack spoilt = SpoiltFlops(job)) return spoilt;
  if (!AnyPathHas(job, metric::kFlops)) return "FLOPs of no region were counted";
  if (source.status == Status::kMixedPrecision) {
    return "FLOPs were counted with all precisions mixed: this CPU does not tell them apart";
  }
  return std::nullopt;
}

Lack MissingBytes(const JobProfile& job) {
  if (!HasValue(job.sources[metric::kDramBytes].status)) {
    return fmt::format("DRAM bytes were not counted: {}", Because(job, metric::kDramBytes));
  }
  if (!AnyPathHas(job, metric::kDramBytes)) {
    return "DRAM bytes were not counted: no visit was long enough to read the memory controllers";
  }
  return std::nullopt;
}

// Why nothing was counted at all.
Lack Nothing(const JobProfile& job) {
  for (const PassInfo& pass : job.run.passes) {
    const auto why = pass.facts.find(kNoCountersFact);
    if (why == pass.facts.end()) continue;
    return fmt::format("FLOPs and DRAM bytes were not counted: no hardware counters ({})",
                       why->second);
  }
  if (job.paths.empty()) return "hardware counters count in regions, and no region was recorded";
  return std::nullopt;
}

// The regions that the user chose, if the program was in none of them.
std::string ChosenInVain(const JobProfile& job) {
  if (!job.paths.empty() || job.run.passes.empty()) return {};
  const auto& settings = job.run.passes[0].settings;
  const auto regions = settings.find("regions");
  return regions == settings.end() ? std::string() : regions->second;
}

bool AsksForCaches(const RunOptions& options) {
  return !options.count.empty() && options.count != "flops";
}

}  // namespace

std::vector<MetricId> CountedByNobody(const JobProfile& job) {
  const MetricSource& engines_alone = job.sources[metric::kMissesCompulsory];
  std::vector<MetricId> nobodys;
  for (MetricId id = 0; id < kMetrics; ++id) {
    const MetricSource& source = job.sources[id];
    if (!HasValue(source.status) && source.reason == engines_alone.reason) nobodys.push_back(id);
  }
  return nobodys;
}

NextPass DecideWorkPass(const JobProfile& first, const RunOptions& options) {
  NextPass next;
  next.count = options.count;
  if (options.find) {
    next.execute = true;
    return next;
  }
  if (options.work == kWorkAlways) {
    next.execute = true;
    next.reasons = {"--work always asks for a work pass"};
    return next;
  }
  if (options.loops) {
    next.execute = true;
    next.reasons = {"--loops asks for a work pass, which counts the executed code"};
    return next;
  }
  if (options.TimeAlone() || options.one_execution) return next;
  if (options.CountsGpus()) return next;  // the engine cannot execute what uses them
  if (const Lack none = Nothing(first)) {
    next.reasons.push_back(*none);
  } else {
    const Lack flops = MissingFlops(first), bytes = MissingBytes(first);
    if (flops) next.reasons.push_back(*flops);
    if (bytes) next.reasons.push_back(*bytes);
    // The cache model costs most: it is needed where nothing else tells the bytes.
    if (!bytes && next.count.empty()) next.count = "flops";
  }
  if (AsksForCaches(options)) {
    next.reasons.push_back(
        fmt::format("--count {} asks for what the counting engine alone counts", options.count));
  }
  if (next.reasons.empty()) return next;
  const bool by_name = !options.collector.empty() && options.collector != "auto";
  if (options.work == kWorkNever) {
    next.refused = "no work pass follows, because of --work never";
  } else if (by_name) {
    next.refused = fmt::format("no work pass follows --collector {} (--work always: it does)",
                               options.collector);
  } else if (const std::string chosen = ChosenInVain(first); !chosen.empty()) {
    next.refused = fmt::format(
        "no work pass follows, because no region was recorded with ROOFMARK_REGIONS={} (--work "
        "always: it does)",
        chosen);
  }
  next.execute = next.refused.empty();
  return next;
}

}  // namespace roofmark::cli
