// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/perf_event/perf_event.h"

#include <utility>

#include "collectors/hardware/hardware.h"
#include "collectors/perf_event/plan.h"

namespace roofmark {
namespace {

class PerfEventCollector final : public HardwareCollector {
 public:
  std::string_view Name() const override { return "perf_event"; }

 private:
  Result<HardwareSource> Plan(const Settings& settings) override {
    Result<perf::Plan> plan = perf::MakePlan(settings);
    if (!plan) return Error{plan.error()};
    return HardwareSource{std::make_unique<perf::ThreadGroups>(std::move(plan->set)),
                          std::move(plan->hardware), std::move(plan->facts)};
  }
};

}  // namespace

std::unique_ptr<Collector> MakePerfEventCollector() {
  return std::make_unique<PerfEventCollector>();
}

}  // namespace roofmark
