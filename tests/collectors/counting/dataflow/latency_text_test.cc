// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/dataflow/latency_text.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace roofmark {
namespace {

TEST(LatencyText, NamesEveryLatencyOnce) {
  std::set<std::string> names;
  std::set<unsigned> offsets;
  for (const roof_latency_row* row = roof_latency_rows(); row->name; ++row) {
    EXPECT_TRUE(names.insert(row->name).second) << row->name;
    EXPECT_TRUE(offsets.insert(row->offset).second) << row->name;
  }
  // All of the structure but the class of no operation, and what units_ and busy_ are for.
  EXPECT_EQ(offsets.size(),
            sizeof(roof_latencies) / sizeof(uint16_t) - 1 - 2 * ROOF_LATENCY_CLASSES);
  EXPECT_FALSE(offsets.count(ROOF_L_NONE));
}

TEST(LatencyText, SaysWhatDiffersFromTheUsual) {
  roof_latencies usual, read;
  EXPECT_EQ(roof_latencies_parse("", &usual), nullptr);
  EXPECT_EQ(usual.operation[ROOF_L_DP_FMA], 4);
  EXPECT_GT(usual.width, 0);
  EXPECT_EQ(roof_latencies_parse("dp_add=7,load_dram=65535,misses=1", &read), nullptr);
  EXPECT_EQ(read.operation[ROOF_L_DP_ADD], 7);
  EXPECT_EQ(read.load[ROOF_FLOW_DRAM], 65535);
  EXPECT_EQ(read.misses, 1);
  EXPECT_EQ(read.operation[ROOF_L_DP_FMA], usual.operation[ROOF_L_DP_FMA]);
}

TEST(LatencyText, UnitsAreOfAClassOfOperations) {
  roof_latencies read;
  EXPECT_EQ(roof_latencies_parse("units_dp_add=12,dp_add=2,busy_dp_div=5,loads=3", &read), nullptr);
  EXPECT_EQ(read.units[ROOF_L_DP_ADD], 12);
  EXPECT_EQ(read.operation[ROOF_L_DP_ADD], 2);
  EXPECT_EQ(read.busy[ROOF_L_DP_DIV], 5);
  EXPECT_EQ(read.loads, 3);
  EXPECT_EQ(read.units[ROOF_L_DP_MUL], 0);
  EXPECT_STREQ(roof_latencies_parse("units_load_l1=1", &read), "units_load_l1=1");
  EXPECT_STREQ(roof_latencies_parse("busy_width=1", &read), "busy_width=1");
}

TEST(LatencyText, IsRefusedWhereItCannotBeRead) {
  roof_latencies read;
  for (const char* wrong : {"dp_ad=3", "dp_add", "dp_add=", "dp_add=x", "dp_add=3x", "dp_add=-1",
                            "dp_add=65536", "width=0", "window=0", "misses=0", "=3", ","}) {
    EXPECT_STREQ(roof_latencies_parse(wrong, &read), wrong);
    const std::string second = std::string("merge=2,") + wrong;
    EXPECT_STREQ(roof_latencies_parse(second.c_str(), &read), wrong);
  }
}

}  // namespace
}  // namespace roofmark
