// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/papi/papi.h"

#include <utility>

#include "collectors/hardware/hardware.h"
#include "collectors/papi/plan.h"
#include "collectors/papi/source.h"

namespace roofmark {
namespace {

class PapiCollector final : public HardwareCollector {
 public:
  std::string_view Name() const override { return "papi"; }

 private:
  Result<HardwareSource> Plan(const Settings& settings) override {
    Result<papi::Plan> plan = papi::MakePlan(settings);
    if (!plan) return Error{plan.error()};
    return HardwareSource{std::make_unique<papi::PapiSource>(std::move(plan->sets)),
                          std::move(plan->hardware), std::move(plan->facts)};
  }
};

}  // namespace

std::unique_ptr<Collector> MakePapiCollector() { return std::make_unique<PapiCollector>(); }

}  // namespace roofmark
