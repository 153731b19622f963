// SPDX-License-Identifier: BSD-3-Clause
//
// Memory controllers of a virtual machine with two packages, and what the collector would count of
// them.
#ifndef ROOFMARK_TESTS_COLLECTORS_HARDWARE_PACKAGE_ON_PACKAGES_H_
#define ROOFMARK_TESTS_COLLECTORS_HARDWARE_PACKAGE_ON_PACKAGES_H_

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/events/table.h"
#include "collectors/hardware/package/controllers.h"
#include "collectors/hardware/placing.h"
#include "virtual_pmu.h"

namespace roofmark::package {

inline constexpr uint64_t kReads = 0x304, kWrites = 0xc04;  // of skx
inline constexpr size_t kControllers = 6;

class OnPackages : public testing::Test {
 protected:
  void SetUp() override { Use("skx"); }
  void TearDown() override {
    vpmu_fault(nullptr);
    vpmu_statistics statistics;
    vpmu_get_statistics(&statistics);
    EXPECT_EQ(statistics.open_descriptors, 0u);
    EXPECT_EQ(statistics.events, 0u);
    vpmu_use(nullptr);
  }

  void Use(const std::string& machine) {
    ASSERT_EQ(vpmu_use((std::string(VPMU_MACHINES) + "/" + machine).c_str()), 0);
    vpmu_set_privileged(1);
    plan_ = {};
    const auto cpu = events::IdentifyCpu(*events::ReadCpuFacts(""));
    ASSERT_TRUE(cpu) << cpu.error();
    const events::EventTable table = events::TableOf(*cpu);
    const events::Sysfs sysfs("");
    for (const events::Formula& formula : table.formulas) {
      const auto metric = perf::MetricOf(formula);
      // HBM is refused where there is none.
      if (metric && perf::IsOfPackage(formula)) perf::AddToPackage(sysfs, formula, *metric, plan_);
    }
    ASSERT_FALSE(plan_.rules.empty());
  }
  Result<Controllers> Open(uint32_t package, size_t budget = 1000) {
    return Controllers::Open(plan_, package, budget);
  }

  // A number of plan_.events.
  uint32_t EventOf(const std::string& device, uint64_t config) const {
    for (uint32_t i = 0; i < plan_.events.size(); ++i) {
      if (plan_.events[i].device == device && plan_.events[i].config[0] == config) return i;
    }
    ADD_FAILURE() << device;
    return 0;
  }
  static std::string Controller(size_t number) { return fmt::format("uncore_imc_{}", number); }

  // Another number of lines for each controller of each package, so that none can be taken for
  // another, nor any two for a third.
  static uint64_t LinesOf(uint32_t package, size_t controller) {
    return (package == 0 ? 1000u : 7'000'000u) << controller;
  }
  static void Move(uint32_t package, uint64_t times = 1) {
    for (size_t i = 0; i < kControllers; ++i) {
      vpmu_device(static_cast<int>(package), Controller(i).c_str(), kReads,
                  times * LinesOf(package, i));
      vpmu_device(static_cast<int>(package), Controller(i).c_str(), kWrites, times * (i + 1));
    }
  }
  static uint64_t AllReads(uint32_t package) {
    uint64_t lines = 0;
    for (size_t i = 0; i < kControllers; ++i) lines += LinesOf(package, i);
    return 64 * lines;
  }

  static constexpr uint64_t kAllWrites = 64u * (1 + 2 + 3 + 4 + 5 + 6);

  Plan plan_;
};

}  // namespace roofmark::package

#endif  // ROOFMARK_TESTS_COLLECTORS_HARDWARE_PACKAGE_ON_PACKAGES_H_
