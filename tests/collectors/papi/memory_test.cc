// SPDX-License-Identifier: BSD-3-Clause
//
// Memory controllers through PAPI on virtual machines with two packages: exact for each of them, by
// whom they are read, and no wrong number whatever call fails. The process runs on both packages if
// VPMU_CPUS says so, as the test's environment does.
#include <sys/resource.h>

#include "collectors/hardware/package/cpus.h"
#include "tests/collectors/papi/on_its_own.h"
#include "tests/collectors/perf_event/machine_facts.h"

namespace roofmark::papi_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Values;

constexpr MetricId kRead = metric::kPackageDramReadBytes, kWrite = metric::kPackageDramWriteBytes;

void Allow() {
  vpmu_set_paranoid(0);
  vpmu_set_privileged(1);
}

Settings Papi(const std::string& group = "mem") {
  Settings settings = Group(group);
  settings.collector = "papi";
  return settings;
}

// What the packages moved in a region, each once.
std::vector<uint64_t> Shared(Sums& sums, const std::string& path, MetricId metric) {
  std::vector<uint64_t> values;
  for (const auto& [value, status] : sums.shared[{path, metric}]) {
    EXPECT_EQ(status, Status::kMeasured) << path;
    values.push_back(value.sum);
  }
  std::sort(values.begin(), values.end());
  return values;
}

// Of the packages that this process runs on: both, but in the emulated kernel.
void ExpectExact(Sums& sums, const facts::Machine& machine, uint64_t times) {
  const auto expected = [&](uint64_t facts::Traffic::*part, uint64_t factor) {
    std::vector<uint64_t> values;
    for (const uint32_t package : package::PackagesOfThisProcess()) {
      values.push_back(factor * (facts::TrafficOf(machine, package).*part));
    }
    std::sort(values.begin(), values.end());
    return values;
  };
  EXPECT_EQ(Shared(sums, "solve", kRead), expected(&facts::Traffic::reads, times));
  EXPECT_EQ(Shared(sums, "solve", kWrite), expected(&facts::Traffic::writes, times));
  EXPECT_EQ(Shared(sums, "solve", metric::kPackageControllerBytesMax),
            expected(&facts::Traffic::busiest, times));
  EXPECT_EQ(Shared(sums, "solve", metric::kPackageControllers),
            expected(&facts::Traffic::controllers, 1));
}

// One visit of "solve", path 1, in which the packages move once.
void Visit(Counting& counting, const facts::Machine& machine) {
  counting.collector->EnterTeam(1);
  facts::Move(machine, 1);
  counting.collector->EnterTeam(0);
}

class Memory : public testing::TestWithParam<const char*> {};

TEST_P(Memory, EachControllerOfEachPackageIsExact) {
  OnItsOwn(GetParam(), [] {
    Allow();
    const facts::Machine machine = facts::Of(GetParam());
    Counting counting(Papi("auto"));
    ASSERT_EQ(counting.error, "");
    for (const MetricId metric : {kRead, kWrite, MetricId{metric::kPackageTimeNs}}) {
      ASSERT_TRUE(counting.Gives(metric)) << counting.Why(metric);
      EXPECT_EQ(counting.Offer(metric)->origin, "papi");
    }
    counting.collector->DefinePath(1, 0, "solve");
    facts::Move(machine, 1000);
    counting.collector->EnterTeam(1);
    vpmu_retire(0, kScalarDouble, 77);
    facts::Move(machine, 3);
    counting.collector->EnterTeam(0);
    Sums sums = counting.Harvest();
    ExpectExact(sums, machine, 3);
    EXPECT_EQ(sums.Total(1, kDouble), 77u) << "threads are counted beside";
    ASSERT_EQ(counting.collector->BackgroundTraffic().size(),
              package::PackagesOfThisProcess().size());
    for (const Background& background : counting.collector->BackgroundTraffic()) {
      const facts::Traffic once = facts::TrafficOf(machine, background.package);
      EXPECT_EQ(background.bytes, 1000 * (once.reads + once.writes));
    }
  });
}
INSTANTIATE_TEST_SUITE_P(Machines, Memory, Values("skx", "clx"));

// PAPI opens all events of a set anew for each that it adds, so a set is one package's.
TEST(PapiMemory, OpeningStaysCheap) {
  OnItsOwn("skx", [] {
    Allow();
    ASSERT_EQ(Counting(Papi("dp")).error, "");  // PAPI is up
    vpmu_fault(nullptr);
    const uint64_t before = Statistics().opens;
    Counting counting(Papi("mem"));
    ASSERT_TRUE(counting.Gives(kRead));
    // 12 events: 78 opens, and as many again in vain where a thread has a running set already.
    EXPECT_LE(Statistics().opens - before, 3 * 78 + 30);
  });
}

TEST(PapiMemory, OtherGroupsOpenNoController) {
  OnItsOwn("skx", [] {
    Allow();
    Counting counting(Papi("dp"));
    EXPECT_EQ(counting.Offer(kRead), nullptr);
  });
}

// PAPI 7.0 has no names of this CPU's controllers, nor of AMD's: the kernel's are counted, and the
// file says why.
TEST(PapiMemory, WhatPapiCannotNamePerfEventReadsAndBothAreSaid) {
  for (const char* name : {"icx", "zen4"}) {
    OnItsOwn(name, [name] {
      Allow();
      const facts::Machine machine = facts::Of(name);
      Counting counting(Papi("auto"));
      ASSERT_EQ(counting.error, "");
      ASSERT_TRUE(counting.Gives(kRead)) << counting.Why(kRead);
      EXPECT_EQ(counting.Offer(kRead)->origin, "perf_event");
      EXPECT_THAT(counting.Why(kRead),
                  AllOf(HasSubstr("perf_event reads it, PAPI does not: PAPI 7."),
                        HasSubstr("has no events of this CPU's memory controllers")));
      counting.collector->DefinePath(1, 0, "solve");
      Visit(counting, machine);
      Sums sums = counting.Harvest();
      ExpectExact(sums, machine, 1);
    });
  }
}

// PAPI's component is off then; so is perf_event.
TEST(PapiMemory, WithoutPermissionThereAreNoBytesButTheReason) {
  OnItsOwn("skx", [] {
    vpmu_set_paranoid(2);
    if (geteuid() == 0) setenv("VPMU_UID", "1000", 1);
    Counting counting(Papi("auto"));
    ASSERT_EQ(counting.error, "");
    EXPECT_FALSE(counting.Gives(kRead));
    EXPECT_EQ(counting.Offer(kRead)->status, Status::kDenied);
    EXPECT_THAT(counting.Why(kRead), HasSubstr("perf_event_paranoid"));
    EXPECT_TRUE(counting.Gives(kDouble));
  });
}

TEST(PapiMemory, CountersHeldByOthersAreNamed) {
  OnItsOwn("skx", [] {
    Allow();
    ASSERT_EQ(vpmu_reserve("uncore_imc_3", 4), 0);
    Counting counting(Papi("auto"));
    EXPECT_FALSE(counting.Gives(kRead));
    EXPECT_THAT(counting.Why(kRead), AllOf(HasSubstr("skx_unc_imc3::UNC_M_CAS_COUNT"),
                                           HasSubstr("other programs hold the counters")));
  });
}

TEST(PapiMemory, NoMoreDescriptorsThanTheBudget) {
  OnItsOwn("skx", [] {
    Allow();
    ASSERT_EQ(Counting(Papi("dp")).error, "");
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = 40;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    Counting counting(Papi("auto"));
    EXPECT_FALSE(counting.Gives(kRead));
    EXPECT_THAT(counting.error + counting.Why(kRead), HasSubstr("ulimit -n"));
  });
}

TEST(PapiMemory, AForkedChildLeavesTheParentsCountersAlone) {
  OnItsOwn("skx", [] {
    Allow();
    const facts::Machine machine = facts::Of("skx");
    Counting counting(Papi());
    counting.collector->DefinePath(1, 0, "solve");
    counting.collector->EnterTeam(1);
    const pid_t child = fork();
    if (child == 0) {
      counting.collector.reset();
      test::EndChild(0);
    }
    waitpid(child, nullptr, 0);
    facts::Move(machine, 1);
    counting.collector->EnterTeam(0);
    Sums sums = counting.Harvest();
    ExpectExact(sums, machine, 1);
  });
}

// --- a list of the user's ---------------------------------------------------------------------

std::string ListOfAll() {
  std::string list;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "skx_unc_imc" + std::to_string(i) + "::UNC_M_CAS_COUNT:";
    list += name + "RD:read," + name + "WR:cpu=0*64:write," + name + "WR:cpu=4:write,";
  }
  return list;
}

TEST(PapiMemory, AListIsReadThroughPapiAndTheThreadsByWhoeverWasAsked) {
  for (const char* collector : {"papi", "auto"}) {
    OnItsOwn("skx", [collector] {
      Allow();
      const facts::Machine machine = facts::Of("skx");
      Settings settings = Group("auto");
      settings.collector = collector;
      settings.package_events = ListOfAll();
      Counting counting(settings, collector == std::string("papi") ? MakePapiCollector()
                                                                   : MakePerfEventCollector());
      ASSERT_EQ(counting.error, "");
      ASSERT_TRUE(counting.Gives(kRead)) << counting.Why(kRead);
      EXPECT_EQ(counting.Offer(kRead)->origin, "papi");
      counting.collector->DefinePath(1, 0, "solve");
      Visit(counting, machine);
      Sums sums = counting.Harvest();
      ExpectExact(sums, machine, 1);
    });
  }
}

TEST(PapiMemory, AListOfOnePackageSaysNothingOfTheOther) {
  OnItsOwn("skx", [] {
    Allow();
    const facts::Machine machine = facts::Of("skx");
    Settings settings = Papi();
    settings.package_events = "skx_unc_imc2::UNC_M_CAS_COUNT:RD:cpu=5*10:read";
    Counting counting(settings);
    counting.collector->DefinePath(1, 0, "solve");
    Visit(counting, machine);
    Sums sums = counting.Harvest();
    EXPECT_EQ(Shared(sums, "solve", kRead), std::vector<uint64_t>{10 * facts::ReadLines(1, 2)});
    EXPECT_EQ(counting.Offer(kWrite), nullptr);
  });
}

TEST(PapiMemory, WhatOfAListCannotBeCountedIsNamedWithTheReason) {
  const auto why = [](const std::string& list, const std::string& reason,
                      const std::string& collector = "papi") {
    SCOPED_TRACE(list);
    OnItsOwn("skx", [&] {
      Allow();
      Settings settings = Papi();
      settings.collector = collector;
      settings.package_events = list;
      Counting counting(settings);
      EXPECT_FALSE(counting.Gives(kRead));
      EXPECT_THAT(counting.Why(kRead), HasSubstr(reason));
    });
  };
  why("skx_unc_imc9::UNC_M_CAS_COUNT:RD:cpu=0:read",
      "skx_unc_imc9::UNC_M_CAS_COUNT:RD:cpu=0: PAPI 7.0.0 does not know the event");
  why("skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=8:read", "this node has no CPU 8 that is on line");
  why("pcp:::some.event.value:cpu0:read", "this PAPI was built without its component pcp");
  why("skx::INST_RETIRED:ANY_P:cpu=0:read", "it counts for threads, not for a package");
  why("skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0:read,skx_unc_imc9::UNC_M_CAS_COUNT:RD:cpu=0:read",
      "skx_unc_imc9");
  why("skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0:read",
      "ROOFMARK_PACKAGE_EVENTS is counted through PAPI: set ROOFMARK_COLLECTOR to papi or auto",
      "perf_event");
}

TEST(PapiMemory, AComponentThatIsOffIsNamedWithPapisReason) {
  OnItsOwn("icx", [] {
    Allow();
    Settings settings = Papi("auto");
    settings.package_events = "icx_unc_imc0::UNC_M_CAS_COUNT:RD:read";
    Counting counting(settings);
    EXPECT_THAT(counting.Why(kRead), HasSubstr("icx_unc_imc0::UNC_M_CAS_COUNT:RD: PAPI 7."));
    EXPECT_TRUE(counting.Gives(kDouble));
  });
}

// --- wrong readings ---------------------------------------------------------------------------

class MemoryFault : public testing::TestWithParam<const char*> {};

// Every value that has one is exact. Counts run backwards only where there are some.
TEST_P(MemoryFault, NoWrongNumberAndNoLeakWhicheverCallFails) {
  OnItsOwn("skx", [] {
    Allow();
    const facts::Machine machine = facts::Of("skx");
    const std::string text = GetParam();
    const std::string call = text.substr(0, text.find(':')), kind = text.substr(text.find(':') + 1);
    const bool warm = kind == "backwards" || kind == "wrap48";
    ASSERT_EQ(Counting(Papi()).error, "");  // PAPI is up
    int exact = 0, invalid = 0;
    for (int k = 1; k <= (warm ? 120 : 400); k += 1 + k / 8) {
      const std::string rule = call + ":" + std::to_string(k) + ":" + kind;
      SCOPED_TRACE(rule);
      if (!warm) {
        ASSERT_EQ(vpmu_fault(rule.c_str()), 0);
      }
      Counting counting(Papi());
      if (counting.error.empty() && counting.Gives(kRead)) {
        counting.collector->DefinePath(1, 0, "solve");
        facts::Move(machine, 1);
        Visit(counting, machine);
        if (warm) {
          ASSERT_EQ(vpmu_fault(rule.c_str()), 0);
        }
        for (int visit = 0; visit < 3; ++visit) Visit(counting, machine);
        Sums sums = counting.Harvest();
        for (const auto& [value, status] : sums.shared[{"solve", kRead}]) {
          if (!HasValue(status)) {
            ++invalid;
            continue;
          }
          EXPECT_EQ(status, Status::kMeasured);
          ++exact;
          EXPECT_TRUE(value.sum == 4 * facts::TrafficOf(machine, 0).reads ||
                      value.sum == 4 * facts::TrafficOf(machine, 1).reads)
              << value.sum;
        }
      }
      vpmu_fault(nullptr);
      counting.collector.reset();
      ASSERT_EQ(Statistics().open_descriptors, 0u);
    }
    EXPECT_GT(exact, 0) << "calls later than the run's do not fail";
    if (call == "read") {
      EXPECT_GT(invalid, 0) << "nothing failed";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Sweep, MemoryFault,
                         Values("open:EACCES", "open:EMFILE", "open:EBUSY", "open:EINVAL",
                                "open:ENODEV", "read:EIO", "read:short", "read:eof",
                                "read:backwards", "read:wrap48", "ioctl:EINVAL", "ioctl:EIO"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

TEST(PapiMemory, ReadsThatFailFromSomeCallOnAreNoNumbers) {
  for (const char* kind : {"EIO", "eof", "short"}) {
    OnItsOwn("skx", [kind] {
      Allow();
      const facts::Machine machine = facts::Of("skx");
      Counting counting(Papi());
      counting.collector->DefinePath(1, 0, "solve");
      Visit(counting, machine);
      vpmu_fault((std::string("read:*:") + kind).c_str());
      Visit(counting, machine);
      Sums sums = counting.Harvest();
      EXPECT_EQ((sums.shared[{"solve", kRead}].size()), 2u);
      for (const auto& [value, status] : sums.shared[{"solve", kRead}]) {
        EXPECT_EQ(status, Status::kInvalid);
        EXPECT_EQ(value.sum, 0u);
      }
      EXPECT_TRUE(counting.collector->BackgroundTraffic().empty());
      vpmu_fault(nullptr);
    });
  }
}

}  // namespace
}  // namespace roofmark::papi_test
