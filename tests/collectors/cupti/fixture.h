// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_COLLECTORS_CUPTI_FIXTURE_H_
#define ROOFMARK_TESTS_COLLECTORS_CUPTI_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "collectors/cupti/cupti.h"
#include "tests/collectors/cupti/stand_in.h"
#include "tests/support/no_harvest.h"
#include "tests/support/pairs.h"

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
    error_ = offered ? "" : offered.error();
  }
  // Which call fails, and from which time on. No device ever executed the code that is tested so:
  // one test tries each call once, in turn at its first time and at later ones; the exhaustive
  // group all of them.
  using Failure = std::tuple<const char*, int>;
  static std::vector<Failure> Failures(const std::vector<const char*>& functions) {
    const std::vector times = {1, 2, 4};
    if (test::Exhaustive()) return test::Pairs(functions, times);
    std::vector<Failure> failures;
    for (size_t i = 0; i < functions.size(); ++i) {
      failures.emplace_back(functions[i], times[i % times.size()]);
    }
    return failures;
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
  void TearDown() override { ExpectNothingLeft(); }
  void ExpectNothingLeft() {
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
