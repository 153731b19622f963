// SPDX-License-Identifier: BSD-3-Clause
//
// PAPI looks at the machine once in a process: each body runs in a child of its own, on a virtual
// machine.
#ifndef ROOFMARK_TESTS_COLLECTORS_PAPI_ON_ITS_OWN_H_
#define ROOFMARK_TESTS_COLLECTORS_PAPI_ON_ITS_OWN_H_

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "collectors/papi/papi.h"
#include "tests/collectors/papi/flops.h"
#include "tests/collectors/perf_event/on_virtual_machine.h"
#include "tests/support/end_child.h"

namespace roofmark::papi_test {

using perf_test::k256Double;
using perf_test::kInstructions;
using perf_test::kScalarDouble;
using perf_test::Statistics;
using perf_test::Sums;

// Nothing may be open when `body` is done. No machine: this one.
inline void OnItsOwn(const std::string& machine, const std::function<void()>& body) {
  if (!machine.empty()) {
    perf_test::Use(machine);
    if (vpmu_no_cpuid() != nullptr) GTEST_SKIP() << "CPUID: " << vpmu_no_cpuid();
  }
  const pid_t child = fork();
  if (child == 0) {
    body();
    vpmu_fault(nullptr);
    EXPECT_EQ(Statistics().open_descriptors, 0u);
    EXPECT_EQ(Statistics().mappings, 0u);
    fflush(stdout);
    test::EndChild(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  vpmu_use(nullptr);
  EXPECT_EQ(status, 0) << "on " << machine << ", see above";
}

// A collector, open or not, and what it offered.
struct Counting {
  explicit Counting(const Settings& settings = {},
                    std::unique_ptr<Collector> made = MakePapiCollector())
      : collector(std::move(made)) {
    auto result = collector->Open(settings);
    if (result) {
      offered = std::move(*result);
    } else {
      error = result.error();
    }
  }
  const OfferedMetric* Offer(MetricId metric) const {
    for (const OfferedMetric& offer : offered) {
      if (offer.metric == metric) return &offer;
    }
    return nullptr;
  }
  bool Gives(MetricId metric) const {
    const OfferedMetric* offer = Offer(metric);
    return offer != nullptr && HasValue(offer->status);
  }
  std::string Why(MetricId metric) const {
    const OfferedMetric* offer = Offer(metric);
    return offer == nullptr ? "" : offer->reason;
  }
  Sums Harvest() {
    Sums sums;
    collector->Harvest(sums);
    return sums;
  }

  std::unique_ptr<Collector> collector;
  std::vector<OfferedMetric> offered;
  std::string error;
};

inline Settings Group(const std::string& group) {
  Settings settings;
  settings.group = group;
  return settings;
}
inline Settings List(const std::string& events) {
  Settings settings;
  settings.events = events;
  return settings;
}

}  // namespace roofmark::papi_test

#endif  // ROOFMARK_TESTS_COLLECTORS_PAPI_ON_ITS_OWN_H_
