// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/kept_plan.h"

#include <cmath>

#include "lib/core/bytes.h"

namespace roofmark::counts {
namespace {

constexpr uint32_t kMostEvents = 1024, kMostTerms = 64;

bool GetRule(ByteReader& reader, uint32_t events, MetricRule& rule) {
  const auto name_bytes = reader.Get<uint32_t>();
  const std::optional<MetricId> metric = FindMetric(reader.GetBytes(name_bytes));
  const auto terms = reader.Get<uint32_t>();
  if (!metric || terms > kMostTerms) return false;
  rule.metric = *metric;
  for (uint32_t i = 0; i < terms; ++i) {
    const auto event = reader.Get<uint64_t>();
    const auto weight = reader.Get<double>();
    if (event >= events || !std::isfinite(weight)) return false;
    rule.terms.push_back({static_cast<size_t>(event), weight});
  }
  return reader.ok();
}

bool GetGroups(ByteReader& reader, KeptPlan& plan) {
  const auto groups = reader.Get<uint32_t>();
  if (groups > kMostEvents) return false;
  uint32_t events = 0;
  for (uint32_t i = 0; i < groups; ++i) {
    const auto size = reader.Get<uint32_t>();
    if (size == 0 || size > kMostEvents) return false;
    plan.groups.push_back(size);
    events += size;
  }
  return reader.ok() && (groups == 0 || events == plan.events);
}

}  // namespace

std::string EncodeKeptPlan(const KeptPlan& plan) {
  ByteWriter writer;
  writer.Put(plan.covers);
  writer.Put(plan.events);
  writer.Put(static_cast<uint32_t>(plan.groups.size()));
  for (const uint32_t size : plan.groups) writer.Put(size);
  writer.Put(static_cast<uint32_t>(plan.rules.size()));
  for (const MetricRule& rule : plan.rules) {
    const std::string_view name = GetMetric(rule.metric).name;
    writer.Put(static_cast<uint32_t>(name.size()));
    writer.PutBytes(name.data(), name.size());
    writer.Put(static_cast<uint32_t>(rule.terms.size()));
    for (const WeighedEvent& term : rule.terms) {
      writer.Put(static_cast<uint64_t>(term.event));
      writer.Put(term.weight);
    }
  }
  return std::string(writer.view());
}

std::optional<KeptPlan> DecodeKeptPlan(std::string_view bytes) {
  ByteReader reader(bytes);
  KeptPlan plan;
  plan.covers = reader.GetOneOf(Covers::kUpToHandOver);
  plan.events = reader.Get<uint32_t>();
  if (plan.events == 0 || plan.events > kMostEvents) return {};
  if (!GetGroups(reader, plan)) return {};
  const auto rules = reader.Get<uint32_t>();
  if (rules > kMetrics) return {};
  for (uint32_t i = 0; i < rules; ++i) {
    if (!GetRule(reader, plan.events, plan.rules.emplace_back())) return {};
  }
  if (!reader.IsAtEnd()) return {};
  return plan;
}

void SumsOfKept(const KeptPlan& plan, const uint64_t* words, std::vector<Sum>& sums) {
  sums.assign(plan.events, {});
  const uint64_t* values = words + KeptPlan::kGroupColumns * plan.groups.size();
  for (size_t event = 0; event < plan.events; ++event) sums[event].value = values[event];
  size_t event = 0;
  for (const uint32_t size : plan.groups) {
    for (uint32_t i = 0; i < size; ++i, ++event) {
      sums[event].enabled_ns = words[0];
      sums[event].running_ns = words[1];
      sums[event].invalid = words[2] != 0;
    }
    words += KeptPlan::kGroupColumns;
  }
}

}  // namespace roofmark::counts
