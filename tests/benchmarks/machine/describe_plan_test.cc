// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/describe_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace roofmark {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string PlanOfTwoSockets(uint64_t memory_bytes) {
  const auto topology = ReadTopologyFile(ROOFMARK_TEST_DATA "/two_sockets.xml");
  EXPECT_TRUE(topology) << topology.error();
  return DescribePlan(*topology, Effort::kQuick, memory_bytes);
}

TEST(DescribePlan, TellsTheMachineAndItsCurves) {
  const std::string text = PlanOfTwoSockets(uint64_t{128} << 30);
  EXPECT_THAT(text, HasSubstr("8 cores (16 hardware threads) of 2 packages, 3 NUMA nodes"));
  EXPECT_THAT(text, HasSubstr("NUMA node 2 (HBM)"));
  EXPECT_THAT(text, HasSubstr("bandwidth.DRAM.triad           1 2 3 4 on 1 package; "
                              "2 4 6 8 on 2 packages\n"));
  EXPECT_THAT(text, HasSubstr("numa.bandwidth.0.2 "));
  EXPECT_THAT(text, HasSubstr("latency.L2 "));
  EXPECT_THAT(text, ContainsRegex("arithmetic, [0-9]+ ceilings +1 4 on 1 package; 8 on 2"));
#if defined(__x86_64__)
  EXPECT_THAT(text, ContainsRegex("instructions, 1[23] ceilings +1 on 1 package\n"));
  EXPECT_THAT(text, HasSubstr("branch.random "));
#endif
  EXPECT_THAT(text, Not(HasSubstr("throughput.")));
  EXPECT_THAT(text, Not(HasSubstr("left out")));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(DescribePlan, SaysWhatALittleMemoryLeavesOut) {
  EXPECT_THAT(PlanOfTwoSockets(uint64_t{2} << 30),
              HasSubstr("left out: bandwidth and latency between NUMA nodes"));
}

TEST(DescribePlan, NeedsNoCaches) {
  const auto topology = ReadSyntheticTopology("core:2 pu:1");
  EXPECT_THAT(DescribePlan(*topology, Effort::kFull, uint64_t{1} << 30),
              HasSubstr("plan of a full measurement"));
}

}  // namespace
}  // namespace roofmark
