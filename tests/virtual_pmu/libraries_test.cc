// SPDX-License-Identifier: BSD-3-Clause
//
// The real libpfm4 and PAPI above the virtual PMU: what they find, and exact counts through them.
#include <linux/perf_event.h>  // before libpfm4's copy of it, which then stays out of the way
#include <papi.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <sys/wait.h>

#include <functional>
#include <set>

#include "counters.h"

namespace vpmu_test {
namespace {

// Both libraries look at the machine once in a process: each body runs in a child of its own.
void OnItsOwn(const char* machine, const std::function<void()>& body) {
  if (vpmu_no_cpuid() != nullptr) GTEST_SKIP() << "CPUID: " << vpmu_no_cpuid();
  const pid_t child = fork();
  if (child == 0) {
    EXPECT_EQ(vpmu_use(MachinePath(machine).c_str()), 0);
    vpmu_set_paranoid(0);
    body();
    const vpmu_statistics left = Statistics();
    EXPECT_EQ(left.open_descriptors, 0u);
    EXPECT_EQ(left.mappings, 0u);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "on " << machine << ", see above";
}

void WithPfm(const char* machine, const std::function<void()>& body) {
  OnItsOwn(machine, [&] {
    ASSERT_EQ(pfm_initialize(), PFM_SUCCESS);
    body();
    pfm_terminate();
  });
}

void WithPapi(const char* machine, const std::function<void()>& body) {
  OnItsOwn(machine, [&] {
    ASSERT_EQ(PAPI_library_init(PAPI_VER_CURRENT), PAPI_VER_CURRENT);
    body();
    PAPI_shutdown();
  });
}

class LibrariesTest : public OnMachine {};

// The PMUs that libpfm4 finds.
std::set<std::string> Present() {
  std::set<std::string> names;
  for (int i = 0; i < PFM_PMU_MAX; ++i) {
    pfm_pmu_info_t info{};
    info.size = sizeof(info);
    if (pfm_get_pmu_info(static_cast<pfm_pmu_t>(i), &info) == PFM_SUCCESS && info.is_present) {
      names.insert(info.name);
    }
  }
  return names;
}

// 0 if the name is unknown.
uint64_t Encode(const char* name, perf_event_attr& attr) {
  pfm_perf_encode_arg_t argument{};
  attr = {};
  argument.attr = &attr;
  argument.size = sizeof(argument);
  const int result = pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &argument);
  return result == PFM_SUCCESS ? attr.config : 0;
}

using PfmTest = LibrariesTest;
using PapiTest = LibrariesTest;

TEST_F(PfmTest, FindsTheDescribedCpu) {
  const std::pair<const char*, const char*> known[] = {{"skx", "skx"},
                                                       {"clx", "clx"},
                                                       {"icx", "icx"},
                                                       {"spr", "spr"},
                                                       {"spr61", "spr"},
                                                       {"zen3", "amd64_fam19h_zen3"},
                                                       {"zen4", "amd64_fam19h_zen4"}};
  for (const auto& [machine, pmu] : known) {
    WithPfm(machine, [name = pmu] { EXPECT_TRUE(Present().count(name)) << name; });
  }
}

TEST_F(PfmTest, DoesNotKnowNewerCpus) {
  for (const char* machine : {"emr", "zen5"}) {
    WithPfm(machine, [] {
      for (const std::string& name : Present()) {
        EXPECT_TRUE(name.rfind("perf", 0) == 0 || name == "ix86arch") << name;
      }
    });
  }
}

TEST_F(PfmTest, EncodesWhatTheMachineThenCounts) {
  WithPfm("skx", [] {
    perf_event_attr attr;
    EXPECT_EQ(Encode("skx::FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE:u", attr), 0x40c7u);
    attr.size = sizeof(attr);
    const Counter counter(attr);
    vpmu_retire(0, 0x40c7, 31);
    EXPECT_EQ(counter.Value(), 31u);
    EXPECT_EQ(Encode("skx_unc_imc5::UNC_M_CAS_COUNT:WR", attr), 0xc04u);
    EXPECT_EQ(attr.type, DeviceType("uncore_imc_5"));
    EXPECT_EQ(Encode("spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", attr), 0u);
  });
}

// An event set that cleans up behind itself.
class EventSet {
 public:
  explicit EventSet(std::initializer_list<const char*> names) {
    EXPECT_EQ(PAPI_create_eventset(&set_), PAPI_OK);
    for (const char* name : names) {
      EXPECT_EQ(PAPI_add_named_event(set_, name), PAPI_OK) << name;
    }
  }
  ~EventSet() {
    PAPI_cleanup_eventset(set_);
    PAPI_destroy_eventset(&set_);
  }
  int id() const { return set_; }
  void Start() const { EXPECT_EQ(PAPI_start(set_), PAPI_OK); }
  std::vector<long long> Read() const {
    std::vector<long long> values(PAPI_num_events(set_), -1);
    EXPECT_EQ(PAPI_read(set_, values.data()), PAPI_OK);
    return values;
  }
  void Stop() const {
    std::vector<long long> values(PAPI_num_events(set_));
    EXPECT_EQ(PAPI_stop(set_, values.data()), PAPI_OK);
  }

 private:
  int set_ = PAPI_NULL;
};

using Values = std::vector<long long>;

TEST_F(PapiTest, CoreEventsAndPresetsAreExact) {
  WithPapi("skx", [] {
    const EventSet set({"skx::FP_ARITH:SCALAR_DOUBLE", "PAPI_TOT_INS", "PAPI_DP_OPS"});
    set.Start();
    vpmu_retire(0, kScalarDouble, 123);
    vpmu_retire(0, kPackedDouble, 1000);
    vpmu_retire(0, kInstructions, 5000);
    EXPECT_EQ(set.Read(), (Values{123, 5000, 4123}));
    set.Stop();
  });
}

TEST_F(PapiTest, EachPackagesControllersAreExact) {
  WithPapi("skx", [] {
    const EventSet set(
        {"skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0", "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=4",
         "skx_unc_imc5::UNC_M_CAS_COUNT:WR:cpu=0", "skx_unc_imc5::UNC_M_CAS_COUNT:WR:cpu=4"});
    set.Start();
    for (int package = 0; package < 2; ++package) {
      vpmu_device(package, "uncore_imc_0", 0x304, 10 + package);
      vpmu_device(package, "uncore_imc_5", 0xc04, 500 + package);
    }
    EXPECT_EQ(set.Read(), (Values{10, 11, 500, 501}));
    set.Stop();
  });
}

TEST_F(PapiTest, WhatPapiCannotNameIsNotThere) {
  WithPapi("spr", [] {
    EXPECT_EQ(PAPI_query_named_event("PAPI_DP_OPS"), PAPI_ENOEVNT);
    const EventSet set({"spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"});
    set.Start();
    vpmu_retire(0, kScalarDouble, 77);
    EXPECT_EQ(set.Read(), (Values{77}));
    set.Stop();
  });
}

TEST_F(PapiTest, AnUnknownCpuDisablesTheComponent) {
  WithPapi("emr", [] {
    const int core = PAPI_get_component_index("perf_event");
    EXPECT_NE(PAPI_get_component_info(core)->disabled, 0);
  });
}

TEST_F(PapiTest, AmdFlopsAreExact) {
  WithPapi("zen3", [] {
    const EventSet set({"RETIRED_SSE_AVX_FLOPS:ANY"});
    set.Start();
    vpmu_retire(0, 0xf03, 64);
    EXPECT_EQ(set.Read(), (Values{64}));
    set.Stop();
  });
}

// PAPI before 7.1 reads attached events by rdpmc too, which gives the counter of the wrong thread.
TEST_F(PapiTest, ThreadsAttachedByTheirIdsAreExactWithoutRdpmc) {
  WithPapi("skx", [] {
    vpmu_set_user_read(0);
    pid_t other = 0;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    pthread_t thread;
    struct Argument {
      pid_t* tid;
      int wait;
    } argument{&other, ends[0]};
    const auto park = [](void* data) -> void* {
      auto* given = static_cast<Argument*>(data);
      __atomic_store_n(given->tid, gettid(), __ATOMIC_RELEASE);
      char byte;
      return read(given->wait, &byte, 1) == 1 ? data : nullptr;
    };
    pthread_create(&thread, nullptr, park, &argument);
    while (__atomic_load_n(&other, __ATOMIC_ACQUIRE) == 0) usleep(100);
    {
      const EventSet set({});
      ASSERT_EQ(PAPI_assign_eventset_component(set.id(), 0), PAPI_OK);
      ASSERT_EQ(PAPI_attach(set.id(), static_cast<unsigned long>(other)), PAPI_OK);
      ASSERT_EQ(PAPI_add_named_event(set.id(), "skx::FP_ARITH:SCALAR_DOUBLE"), PAPI_OK);
      set.Start();
      vpmu_retire(other, kScalarDouble, 88);
      vpmu_retire(0, kScalarDouble, 1);
      EXPECT_EQ(set.Read(), (Values{88}));
      set.Stop();
    }
    EXPECT_EQ(write(ends[1], "x", 1), 1);
    pthread_join(thread, nullptr);
    close(ends[0]);
    close(ends[1]);
  });
}

// A fact to live with: a failed read of a multiplexed set is not reported.
TEST_F(PapiTest, FailedReadsOfMultiplexedSetsAreSwallowed) {
  WithPapi("skx", [] {
    vpmu_set_user_read(0);
    ASSERT_EQ(PAPI_multiplex_init(), PAPI_OK);
    int set = PAPI_NULL;
    ASSERT_EQ(PAPI_create_eventset(&set), PAPI_OK);
    ASSERT_EQ(PAPI_assign_eventset_component(set, 0), PAPI_OK);
    ASSERT_EQ(PAPI_set_multiplex(set), PAPI_OK);
    ASSERT_EQ(PAPI_add_named_event(set, "skx::FP_ARITH:SCALAR_DOUBLE"), PAPI_OK);
    ASSERT_EQ(PAPI_start(set), PAPI_OK);
    vpmu_retire(0, kScalarDouble, 100);
    usleep(2000);
    long long value = -1;
    ASSERT_EQ(PAPI_read(set, &value), PAPI_OK);
    vpmu_retire(0, kScalarDouble, 900);
    vpmu_fault("read:*:EIO");
    value = -1;
    EXPECT_EQ(PAPI_read(set, &value), PAPI_OK);
    EXPECT_NE(value, 1000);
    vpmu_fault(nullptr);
    PAPI_stop(set, &value);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
  });
}

}  // namespace
}  // namespace vpmu_test
