// SPDX-License-Identifier: BSD-3-Clause
//
// The table against libpfm4: every event that it knows by name has the same encoding.
#include "collectors/hardware/events/libpfm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "collectors/hardware/events/encode.h"
#include "tests/collectors/hardware/events/fixture.h"

#ifdef ROOFMARK_HAVE_LIBPFM
#include <perfmon/pfmlib.h>

#include <cstring>
#endif

namespace roofmark::events {
namespace {

// When the program starts, before libpfm4 is initialised: names of PMUs that this machine does not
// have encode too.
const int inactive = setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);

class LibpfmTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = WhyNoLibpfm(); !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_F(LibpfmTest, SameEncodingOfCoreEvents) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const Machine machine(MachineOf(cpu));
    const Sysfs sysfs = machine.sysfs();
    size_t compared = 0;
    for (const Formula& formula : TableOf(cpu).formulas) {
      for (const Term& term : formula.terms) {
        if (term.event.pfm_name.empty() || !term.event.OnCore()) continue;
        const Result<PfmEncoding> theirs = EncodePfmName(term.event.pfm_name);
        ASSERT_TRUE(theirs) << theirs.error();
        const auto ours = EncodeTableEvent(sysfs, term.event);
        ASSERT_TRUE(ours) << ours.error();
        EXPECT_EQ(ours->events[0].config, theirs->config) << term.event.pfm_name;
        EXPECT_EQ(ours->events[0].type, theirs->type) << term.event.pfm_name;
        ++compared;
      }
    }
    const bool known = cpu.microarch <= Microarch::kEmeraldRapids ||
                       (cpu.microarch >= Microarch::kZen1 && cpu.microarch <= Microarch::kZen4);
    EXPECT_GE(compared, known ? 5u : 0u);
  }
}

#ifdef ROOFMARK_HAVE_LIBPFM
// Uncore names encode for perf on their own machine only: the raw code is compared.
TEST_F(LibpfmTest, SameCodeOfMemoryControllerEvents) {
  for (const CpuModel& cpu : KnownCpus()) {
    SCOPED_TRACE(CpuKey(cpu));
    const Machine machine(MachineOf(cpu));
    const Sysfs sysfs = machine.sysfs();
    for (const Formula& formula : TableOf(cpu).formulas) {
      for (const Term& term : formula.terms) {
        if (term.event.pfm_name.empty() || term.event.OnCore()) continue;
        const auto ours = EncodeTableEvent(sysfs, term.event);
        ASSERT_TRUE(ours) << ours.error();
        std::string name = term.event.pfm_name;
        name.replace(name.find("{}"), 2, "0");
        pfm_pmu_encode_arg_t request;
        std::memset(&request, 0, sizeof request);
        request.size = sizeof request;
        const int result =
            pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &request);
        ASSERT_EQ(result, PFM_SUCCESS) << name << ": " << pfm_strerror(result);
        ASSERT_GE(request.count, 1);
        // Bits above the unit mask enable the counter, which is the kernel's business.
        EXPECT_EQ(request.codes[0] & 0xffff, ours->events[0].config[0]) << name;
        std::free(request.codes);
      }
    }
  }
}
#endif

TEST_F(LibpfmTest, EncodesWhatUsersName) {
  const auto encoding =
      EncodeUserEvent(Machine("spr").sysfs(), "spr::FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE");
  ASSERT_TRUE(encoding) << encoding.error();
  EXPECT_EQ(encoding->events[0].config[0], 0x40c7u);
  EXPECT_EQ(encoding->events[0].scope, Scope::kThread);
  const auto software = EncodeUserEvent(Sysfs(), "perf::PERF_COUNT_SW_PAGE_FAULTS");
  ASSERT_TRUE(software) << software.error();
  EXPECT_EQ(software->events[0].type, 1u);
  EXPECT_EQ(software->events[0].config[0], 2u);
}

TEST_F(LibpfmTest, UnknownNamesAreErrorsWithTheName) {
  EXPECT_THAT(EncodePfmName("spr::FP_ARITH:SCALAR_DOUBLE").error(),
              testing::HasSubstr("spr::FP_ARITH:SCALAR_DOUBLE"));
}

}  // namespace
}  // namespace roofmark::events
