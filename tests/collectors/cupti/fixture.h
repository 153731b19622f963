// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_COLLECTORS_CUPTI_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_CUPTI_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "collectors/cupti/cupti.h"
#include "tests/collectors/cupti/stand_in.h"
#include "tests/support/no_harvest.h"

namespace roofmark::test {

inline uint64_t Value(const counts::DeviceSums& sums, DeviceMetric metric) {
  return sums.values[static_cast<size_t>(metric)];
}

// The collector on the stand-in's devices.
class Cupti : public testing::Test {
 protected:
  void Open(const stand_in::Script& script = {}, const char* group = "auto") {
    collector_.reset();
    stand_in::Reset(script);
    collector_ = MakeCuptiCollector();
    Settings settings;
    settings.group = group;
    const auto offered = collector_->Open(settings);
    if (!offered) error_ = offered.error();
  }
  // With a call that fails from its n-th time on. False if nothing opens then.
  bool OpenFailing(const char* function, int from, const char* group) {
    stand_in::Script script;
    script.failures = {{function, cupti::kUnknown}};
    script.failures_from = {{function, from}};
    Open(script, group);
    if (!error_.empty()) {
      EXPECT_NE(error_.find(function), std::string::npos) << error_;
    }
    return error_.empty();
  }
  void TearDown() override {
    collector_.reset();
    EXPECT_EQ(stand_in::Open(), 0);
    EXPECT_EQ(stand_in::Misuse(), "");
  }
  std::vector<counts::DeviceCounts> Harvest() {
    NoHarvest sink;
    collector_->Harvest(sink);
    return collector_->Devices();
  }
  // A context that another thread destroys while the boundary from path 1 to path 2 drains it.
  void LoseContextAtABoundary(const char* group) {
    cupti::Context context = nullptr;
    stand_in::Script script;
    script.meanwhile = [&] { stand_in::DestroyContext(context); };
    Open(script, group);
    context = stand_in::CreateContext(0);
    Enter(1);
    Enter(2);
  }
  void Enter(uint32_t path) { collector_->EnterTeam(path, true, nullptr); }

  std::unique_ptr<Collector> collector_;
  std::string error_;
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_COLLECTORS_CUPTI_FIXTURE_H_
