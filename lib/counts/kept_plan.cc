// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/kept_plan.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace roofmark::counts {
namespace {

constexpr uint32_t kMostEvents = 1024, kMostTerms = 64;

template <typename Plain>
void Append(std::string& bytes, const Plain& value) {
  static_assert(std::is_trivially_copyable_v<Plain>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Takes values off the front of bytes; false where there are too few.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : rest_(bytes) {}

  template <typename Plain>
  bool Take(Plain& value) {
    if (rest_.size() < sizeof value) return false;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  bool TakeText(size_t bytes, std::string_view& text) {
    if (rest_.size() < bytes) return false;
    text = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return true;
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool TakeRule(Taker& taker, uint32_t events, MetricRule& rule) {
  uint32_t name_bytes = 0, terms = 0;
  std::string_view name;
  if (!taker.Take(name_bytes) || !taker.TakeText(name_bytes, name) || !taker.Take(terms)) {
    return false;
  }
  const std::optional<MetricId> metric = FindMetric(name);
  if (!metric || terms > kMostTerms) return false;
  rule.metric = *metric;
  for (uint32_t i = 0; i < terms; ++i) {
    uint64_t event = 0;
    double weight = 0;
    if (!taker.Take(event) || !taker.Take(weight)) return false;
    if (event >= events || !std::isfinite(weight)) return false;
    rule.terms.push_back({static_cast<size_t>(event), weight});
  }
  return true;
}

bool TakeGroups(Taker& taker, KeptPlan& plan) {
  uint32_t groups = 0, events = 0;
  if (!taker.Take(groups) || groups > kMostEvents) return false;
  for (uint32_t i = 0; i < groups; ++i) {
    uint32_t size = 0;
    if (!taker.Take(size) || size == 0 || size > kMostEvents) return false;
    plan.groups.push_back(size);
    events += size;
  }
  return groups == 0 || events == plan.events;
}

}  // namespace

std::string EncodeKeptPlan(const KeptPlan& plan) {
  std::string bytes;
  Append(bytes, plan.covers);
  Append(bytes, plan.events);
  Append(bytes, static_cast<uint32_t>(plan.groups.size()));
  for (const uint32_t size : plan.groups) Append(bytes, size);
  Append(bytes, static_cast<uint32_t>(plan.rules.size()));
  for (const MetricRule& rule : plan.rules) {
    const std::string_view name = GetMetric(rule.metric).name;
    Append(bytes, static_cast<uint32_t>(name.size()));
    bytes.append(name);
    Append(bytes, static_cast<uint32_t>(rule.terms.size()));
    for (const WeighedEvent& term : rule.terms) {
      Append(bytes, static_cast<uint64_t>(term.event));
      Append(bytes, term.weight);
    }
  }
  return bytes;
}

std::optional<KeptPlan> DecodeKeptPlan(std::string_view bytes) {
  Taker taker(bytes);
  KeptPlan plan;
  uint32_t covers = 0, rules = 0;
  if (!taker.Take(covers) || covers > static_cast<uint32_t>(Covers::kUpToHandOver)) return {};
  plan.covers = static_cast<Covers>(covers);
  if (!taker.Take(plan.events) || plan.events == 0 || plan.events > kMostEvents) return {};
  if (!TakeGroups(taker, plan) || !taker.Take(rules) || rules > kMetrics) return {};
  for (uint32_t i = 0; i < rules; ++i) {
    if (!TakeRule(taker, plan.events, plan.rules.emplace_back())) return {};
  }
  if (!taker.empty()) return {};
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
