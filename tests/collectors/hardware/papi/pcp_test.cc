// SPDX-License-Identifier: BSD-3-Clause
//
// Memory controllers of POWER through PAPI's component pcp, which a stand-in plays: which events
// are chosen, what they give, and when `auto` asks for them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "collectors/hardware/hardware.h"
#include "collectors/hardware/memory.h"
#include "collectors/hardware/package/cpus.h"
#include "collectors/hardware/papi/api.h"
#include "collectors/hardware/papi/component.h"
#include "collectors/hardware/papi/memory.h"
#include "collectors/hardware/papi/package_sets.h"
#include "collectors/hardware/perf/thread_groups.h"
#include "tests/collectors/hardware/papi/stand_in.h"
#include "tests/support/no_harvest.h"
#include "tests/support/process.h"

namespace roofmark::papi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr MetricId kRead = metric::kPackageDramReadBytes, kWrite = metric::kPackageDramWriteBytes;

std::string Nest(int controller, const char* direction, int cpu) {
  return fmt::format("pcp:::perfevent.hwcounters.nest_mba{0}_imc.PM_MBA{0}_{1}_BYTES.value:cpu{2}",
                     controller, direction, cpu);
}

// --- which events -----------------------------------------------------------------------------

// A /sys with two packages of four CPUs.
class PcpPlan : public testing::Test {
 protected:
  PcpPlan() {
    for (int cpu = 0; cpu < 8; ++cpu) {
      const std::string folder =
          fmt::format("{}/sys/devices/system/cpu/cpu{}/topology", root_.path(), cpu);
      std::filesystem::create_directories(folder);
      std::ofstream(folder + "/physical_package_id") << cpu / 4 << "\n";
    }
  }
  static std::vector<std::string> NamesOf(const package::Plan& plan, MetricId metric) {
    std::vector<std::string> names;
    for (const package::Rule& rule : plan.rules) {
      if (rule.metric != metric) continue;
      for (const auto& term : rule.terms) {
        EXPECT_EQ(term.weight, 64);
        const events::EncodedEvent& event = plan.events[term.event];
        names.push_back(event.name + std::to_string(*event.cpus.begin()));
      }
    }
    return names;
  }

  test::TempDir root_;
};

TEST_F(PcpPlan, EachControllerOfEachPackageIsTakenOnce) {
  std::vector<std::string> names = {"pcp:::kernel.all.load"};
  for (const int cpu : {7, 3, 6, 2}) {
    for (const int controller : {0, 12}) {
      names.push_back(Nest(controller, "READ", cpu));
      names.push_back(Nest(controller, "WRITE", cpu));
    }
  }
  const package::Plan plan = PlanPcp(names, root_.path());
  EXPECT_THAT(NamesOf(plan, kRead), ElementsAre(Nest(0, "READ", 2), Nest(12, "READ", 2),
                                                Nest(0, "READ", 6), Nest(12, "READ", 6)));
  EXPECT_THAT(NamesOf(plan, kWrite), ElementsAre(Nest(0, "WRITE", 2), Nest(12, "WRITE", 2),
                                                 Nest(0, "WRITE", 6), Nest(12, "WRITE", 6)));
  EXPECT_EQ(plan.opened_by_it.size(), 8u);
  EXPECT_EQ(plan.events[0].device, "nest_mba0_imc");
}

TEST_F(PcpPlan, OtherNamesAreNotTaken) {
  for (const std::string& name :
       {Nest(0, "READ", 8) /* no such CPU */, std::string("pcp:::perfevent.hwcounters.nest_mba0"),
        Nest(0, "READ", 0) + "x", "x" + Nest(0, "READ", 0), Nest(0, "SPEED", 0),
        std::string("pcp:::perfevent.hwcounters.nest_mba0_imc.PM_MBA1_READ_BYTES.value:cpu0"),
        std::string("pcp:::perfevent.hwcounters.nest_mba0_imc.PM_MBA0_READ_BYTES.value:cpu")}) {
    EXPECT_TRUE(PlanPcp({name}, root_.path()).rules.empty()) << name;
  }
}

// --- what they give ---------------------------------------------------------------------------

// Threads count nothing: only the packages of `plan`.
class OnlyPackages final : public HardwareCollector {
 public:
  explicit OnlyPackages(HardwarePlan plan) : plan_(std::move(plan)) {}
  std::string_view Name() const override { return "papi"; }

 private:
  Result<HardwareSource> Plan(const Settings&) override {
    return HardwareSource{std::make_unique<perf::ThreadGroups>(perf::EventSet{}), plan_, {}};
  }
  HardwarePlan plan_;
};

class Sums final : public test::NoHarvest {
 public:
  void AddShared(std::string_view, MetricId metric, const Distribution& value,
                 Status status) override {
    of[metric] = {value.sum, status};
  }

  std::map<MetricId, std::pair<uint64_t, Status>> of;
};

using Counted = std::pair<uint64_t, Status>;

class Pcp : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(WhyNoLibrary(), "");
    stand_in_fail(0);
    cpu_ = static_cast<int>(*package::OneCpuOfEachPackage().begin());
    if (cpu_ != 0) GTEST_SKIP() << "CPU 0 is off line";
  }
  void TearDown() override {
    stand_in_fail(0);
    EXPECT_EQ(stand_in_running(), 0);
  }
  static void Count(int controller, const char* direction, long long n) {
    stand_in_count(Nest(controller, direction, 0).c_str(), n);
  }
  // Opens, counts in one visit what `inside` does, and harvests.
  template <typename Inside>
  Sums Visit(HardwarePlan plan, Inside inside) {
    OnlyPackages collector(std::move(plan));
    offered_ = *collector.Open({});
    collector.DefinePath(1, 0, "solve");
    Count(2, "READ", 1'000'000);
    collector.EnterTeam(1, true, nullptr);
    inside();
    collector.EnterTeam(0, true, nullptr);
    Sums sums;
    collector.Harvest(sums);
    stand_in_fail(0);  // PAPI does not stop what it cannot read
    return sums;
  }
  HardwarePlan Memory() {
    Result<package::Plan> plan = PlanMemory(events::Sysfs(), {});
    EXPECT_TRUE(plan) << plan.error();
    HardwarePlan hardware;
    hardware.packages = std::move(*plan);
    return hardware;
  }

  int cpu_ = 0;
  std::vector<OfferedMetric> offered_;
};

TEST_F(Pcp, TrafficIsExactByController) {
  Sums sums = Visit(Memory(), [] {
    for (int controller = 0; controller < 4; ++controller) {
      Count(controller, "READ", 1000 << controller);
      Count(controller, "WRITE", controller + 1);
    }
  });
  EXPECT_EQ(sums.of[kRead], Counted(64 * 15'000, Status::kMeasured));
  EXPECT_EQ(sums.of[kWrite], Counted(64 * 10, Status::kMeasured));
  EXPECT_EQ(sums.of[metric::kPackageControllers], Counted(4, Status::kMeasured));
  EXPECT_EQ(sums.of[metric::kPackageControllerBytesMax],
            Counted(64 * (8000 + 4), Status::kMeasured));
  for (const OfferedMetric& offer : offered_) EXPECT_EQ(offer.origin, "papi");
}

TEST_F(Pcp, ReadingsThatFailOrBeginAnewAreNoNumbers) {
  Sums failed = Visit(Memory(), [] {
    Count(0, "READ", 7);
    stand_in_fail(1);
  });
  EXPECT_EQ(failed.of[kRead], Counted(0, Status::kInvalid));
  Sums restarted = Visit(Memory(), [] {
    stand_in_restart();
    Count(0, "READ", 7);
  });
  EXPECT_EQ(restarted.of[kRead], Counted(0, Status::kInvalid));
}

// PAPI allows a thread one running set of a component.
TEST_F(Pcp, OneProcessMayReadTheSetsOfSeveralPackages) {
  const PackageOpener opener;
  std::vector<std::unique_ptr<package::Reader>> readers;
  for (int package = 0; package < 4; ++package) {
    auto reader = opener.Open({{7, Nest(package, "READ", 0)}, {8, Nest(package, "WRITE", 0)}});
    ASSERT_TRUE(reader) << reader.error();
    readers.push_back(std::move(*reader));
  }
  for (int package = 0; package < 4; ++package) Count(package, "WRITE", 10 + package);
  for (size_t package = 0; package < 4; ++package) {
    threads::Total totals[2];
    ASSERT_TRUE(readers[package]->Read(totals));
    EXPECT_EQ(totals[0].value, 0u);
    EXPECT_EQ(totals[1].value, 10 + package);
    EXPECT_THAT(readers[package]->Events(), ElementsAre(7, 8));
  }
}

TEST_F(Pcp, AListOfTheUsersHasItsFactor) {
  Settings settings;
  settings.package_events = Nest(1, "READ", 0) + "*100:read," + Nest(3, "WRITE", 0) + ":write";
  HardwarePlan plan;
  ASSERT_EQ(TakeListedMemory(settings, plan), "");
  Sums sums = Visit(std::move(plan), [] {
    Count(1, "READ", 5);
    Count(3, "WRITE", 6);
    Count(0, "READ", 1'000'000);
  });
  EXPECT_EQ(sums.of[kRead], Counted(500, Status::kMeasured));
  EXPECT_EQ(sums.of[kWrite], Counted(64 * 6, Status::kMeasured));
}

// pcp itself prints names that it does not know to stderr: it is not asked for them.
TEST_F(Pcp, AnUnknownNameIsRefusedAndNothingIsPrinted) {
  testing::internal::CaptureStderr();
  const Result<Native> unknown = FindNative("pcp:::no.such:cpu0");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error(), HasSubstr("does not know the event; `papi_native_avail` lists all"));
}

TEST_F(Pcp, AComponentThatPapiLacksOrSwitchedOffIsNamed) {
  EXPECT_THAT(FindNative("skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0").error(),
              HasSubstr("this PAPI was built without its component perf_event_uncore"));
  EXPECT_THAT(FindNative("perf_event:::x").error(),
              HasSubstr("'s component perf_event is disabled here: no counters of threads in the "
                        "stand-in"));
}

// --- auto -------------------------------------------------------------------------------------

events::CpuFacts Power9() {
  events::CpuFacts facts;
  facts.cpu = "POWER9, altivec supported";
  return facts;
}

TEST_F(Pcp, AutoAsksPapiOnPowerWhereTheKernelsControllersCannotBeOpened) {
  HardwarePlan plan;
  AskPapiIfDenied({}, Power9(), plan);
  EXPECT_EQ(plan.packages.rules.size(), 2u);
  EXPECT_THAT(plan.packages.note, HasSubstr("PAPI reads it, perf_event does not: "));
  Sums sums = Visit(std::move(plan), [] { Count(3, "READ", 9); });
  EXPECT_EQ(sums.of[kRead], Counted(64 * 9, Status::kMeasured));
  for (const OfferedMetric& offer : offered_) {
    EXPECT_EQ(offer.origin, "papi");
    EXPECT_THAT(offer.reason, HasSubstr("perf_event does not"));
  }
}

TEST_F(Pcp, PapiIsNotAskedOtherwise) {
  const auto asked = [](const Settings& settings, const events::CpuFacts& cpu) {
    HardwarePlan plan;
    AskPapiIfDenied(settings, cpu, plan);
    return !plan.packages.rules.empty();
  };
  Settings settings;
  EXPECT_TRUE(asked(settings, Power9()));
  events::CpuFacts intel;
  intel.vendor = "GenuineIntel";
  EXPECT_FALSE(asked(settings, intel));
  settings.collector = "perf_event";
  EXPECT_FALSE(asked(settings, Power9()));
  settings.collector = "auto";
  settings.group = "dp";
  EXPECT_FALSE(asked(settings, Power9())) << "the group has no memory traffic";
  settings.group = "auto";
  settings.events = "cycles";
  EXPECT_FALSE(asked(settings, Power9())) << "the user's list has none";
}

}  // namespace
}  // namespace roofmark::papi
