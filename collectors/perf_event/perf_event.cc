// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/perf_event/perf_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "collectors/perf_event/plan.h"
#include "collectors/perf_event/threads.h"
#include "lib/core/log.h"

namespace roofmark {
namespace {

using perf::Estimate;
using perf::Sum;

struct Weighed {
  uint64_t value;
  Status status;
};

class PerfEventCollector final : public Collector {
 public:
  std::string_view Name() const override { return "perf_event"; }
  bool WantsContexts() const override { return true; }

  Result<std::vector<OfferedMetric>> Open(const Settings& settings) override {
    Result<perf::Plan> plan = perf::MakePlan(settings);
    if (!plan) return Error{plan.error()};
    plan_ = std::move(*plan);
    const size_t budget = perf::DescriptorBudget();
    if (budget < plan_.set.events()) {
      return Error{fmt::format(
          "{} file descriptors are needed per thread, and half of those that are free are {}: "
          "raise the limit with `ulimit -n`",
          plan_.set.events(), budget)};
    }
    threads_.emplace(plan_.set, budget);
    return plan_.offered;
  }

  void EnterTeam(uint32_t path) noexcept override { threads_->EnterTeam(path); }
  void EnterOwn(uint32_t path) noexcept override { threads_->EnterOwn(path); }

  void Harvest(HarvestSink& sink) override {
    const std::string incomplete = threads_->WhyIncomplete();
    if (!incomplete.empty()) {
      Complain(
          fmt::format("counts of the perf_event collector are left out: some of the "
                      "program's work is not in them: {}",
                      incomplete));
    }
    threads_->Harvest([&](uint32_t worker, uint32_t path, const Sum* sums) {
      if (!perf::IsMeasured(path)) return;
      for (const perf::MetricRule& rule : plan_.rules) {
        const Weighed weighed = Weigh(rule, sums);
        const Status status = incomplete.empty() ? weighed.status : Status::kDenied;
        if (weighed.value != 0) sink.Add(worker, path, rule.metric, weighed.value);
        if (status != Status::kMeasured) sink.Doubt(path, rule.metric, status);
      }
    });
  }

  std::map<std::string, std::string> Facts() const override {
    std::map<std::string, std::string> facts = plan_.facts;
    if (least_share_ < 1) facts["least_running_share"] = fmt::format("{:.3f}", least_share_);
    return facts;
  }

 private:
  // Sums of counts first, weights after: rounding happens once.
  Weighed Weigh(const perf::MetricRule& rule, const Sum* sums) {
    long double value = 0;
    Status status = Status::kMeasured;
    for (const perf::WeighedEvent& term : rule.terms) {
      const Estimate estimate = perf::Scale(sums[term.event]);
      status = std::max(status, estimate.status);
      value += static_cast<long double>(estimate.value) * term.weight;
      if (HasValue(estimate.status)) least_share_ = std::min(least_share_, estimate.share);
    }
    // Differences of speculative events may come out below nothing.
    if (!HasValue(status) || value < 0) return {0, Status::kInvalid};
    return {static_cast<uint64_t>(std::llround(value)), status};
  }

  perf::Plan plan_;
  std::optional<perf::Threads> threads_;
  double least_share_ = 1;
};

}  // namespace

std::unique_ptr<Collector> MakePerfEventCollector() {
  return std::make_unique<PerfEventCollector>();
}

}  // namespace roofmark
