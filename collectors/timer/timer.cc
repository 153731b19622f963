// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/timer/timer.h"

namespace roofmark {
namespace {

class TimerCollector final : public Collector {
 public:
  std::string_view Name() const override { return "timer"; }
  Result<std::vector<OfferedMetric>> Open(const Settings& settings) override {
    const bool all = settings.visits.AreAll();
    return std::vector<OfferedMetric>{
        {metric::kVisits, Status::kMeasured, ""},
        {metric::kTimedVisits, Status::kMeasured, ""},
        {metric::kPauses, Status::kMeasured, ""},
        {metric::kTimeNs, all ? Status::kMeasured : Status::kScaled, ""},
    };
  }
};

}  // namespace

std::unique_ptr<Collector> MakeTimerCollector() { return std::make_unique<TimerCollector>(); }

}  // namespace roofmark
