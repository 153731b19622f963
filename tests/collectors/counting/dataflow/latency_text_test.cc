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
  // All of the structure but the class of no operation.
  EXPECT_EQ(offsets.size(), sizeof(roof_latencies) / sizeof(uint16_t) - 1);
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
