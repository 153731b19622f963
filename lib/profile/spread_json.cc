// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/spread_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/limits.h"
#include "lib/profile/roofline_cell_json.h"

namespace roofmark {
namespace {

using Named = std::array<Ranked, kOutliers>;

Json WriteNamed(const JobProfile& job, const Named& named, uint32_t count) {
  Json json = Json::array();
  for (uint32_t i = 0; i < count; ++i) {
    Json entry = {{"rank", named[i].rank}, {"value", named[i].value}};
    const auto host = job.rank_hosts.find(named[i].rank);
    if (host != job.rank_hosts.end()) entry["host"] = Utf8(host->second);
    json.push_back(std::move(entry));
  }
  return json;
}

Json WriteSpread(const JobProfile& job, const Spread& spread, Drawn measure) {
  Json json = {{"unit", InfoOf(measure).unit}, {"ranks", spread.ranks}};
  bool exact = true;
  for (const double p : kPercentiles) {
    json[fmt::format("p{}", p)] = Percentile(spread, p);
    exact = exact && PercentileIsExact(spread, p);
  }
  json["error"] = exact ? 0 : kBucketError;
  WriteStatuses(spread.status_bits, json);
  json["lowest"] = WriteNamed(job, spread.lowest, spread.Named());
  json["highest"] = WriteNamed(job, spread.highest, spread.Named());
  if (spread.sketch.empty()) return json;
  Json buckets = Json::array(), counts = Json::array();
  spread.sketch.ForEach([&](uint16_t bucket, uint32_t count) {
    buckets.push_back(bucket);
    counts.push_back(count);
  });
  json["sketch"] = {{"buckets", std::move(buckets)}, {"counts", std::move(counts)}};
  return json;
}

void ReadNamed(const JsonNode& node, uint32_t count, JobProfile& job, Named& named) {
  const std::vector<JsonNode> items = node.Items();
  if (items.size() != count) return node.Fail("must name four ranks, or all if they are fewer");
  for (uint32_t i = 0; i < count; ++i) {
    named[i] = {items[i]["value"].Required().Uint(), ReadRank(items[i]["rank"].Required())};
    const std::string host = items[i]["host"].String();
    if (!host.empty()) job.rank_hosts[named[i].rank] = host;
  }
}

// `spread` knows its ranks.
void ReadSketch(const JsonNode& node, Spread& spread) {
  if (spread.NamesAll()) return;
  const std::vector<JsonNode> buckets = node["buckets"].Required().Items(kBuckets);
  const std::vector<JsonNode> counts = node["counts"].Required().Items(kBuckets);
  for (size_t i = 0; i < std::min(buckets.size(), counts.size()); ++i) {
    const uint32_t bucket = buckets[i].Uint32();
    if (bucket >= kBuckets) return buckets[i].Fail("is no bucket");
    spread.sketch.Add(static_cast<uint16_t>(bucket), counts[i].Uint32());
  }
  if (spread.sketch.Total() != spread.ranks) node.Fail("must hold as many values as ranks");
}

Spread ReadSpread(const JsonNode& node, JobProfile& job) {
  Spread spread;
  spread.ranks = node["ranks"].Required().Within(0, limits::kRanks, 0);
  if (spread.ranks == 0) return Spread();
  spread.status_bits = ReadStatuses(node);
  ReadNamed(node["lowest"], spread.Named(), job, spread.lowest);
  ReadNamed(node["highest"], spread.Named(), job, spread.highest);
  ReadSketch(node["sketch"], spread);
  return spread;
}

}  // namespace

Json WriteSpreads(const JobProfile& job, size_t row) {
  Json json = Json::object();
  for (size_t m = 0; m < kSpreads; ++m) {
    const auto measure = static_cast<Drawn>(m);
    const Spread& spread = job.SpreadAt(row, measure);
    if (spread.ranks == 0) continue;
    json[std::string(InfoOf(measure).name)] = WriteSpread(job, spread, measure);
  }
  return json;
}

void ReadSpreads(const JsonNode& node, JobProfile& job) {
  for (size_t m = 0; m < kSpreads; ++m) {
    const JsonNode spread = node[InfoOf(static_cast<Drawn>(m)).name.data()];
    job.spreads.push_back(spread.present() ? ReadSpread(spread, job) : Spread());
  }
}

}  // namespace roofmark
