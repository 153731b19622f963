// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/host_caches.h"

#include <gtest/gtest.h>

#include "collectors/counting/cache/geometry.h"
#include "lib/core/messages/collectors.h"

namespace roofmark {
namespace {

// The last level of this machine, as the collector models it.
roof_geometry Geometry(uint32_t processes, const CacheLimits& limits) {
  roof_geometry geometry = {};
  const Result<std::string> text = HostCaches(processes, limits);
  if (!text) return geometry;
  char error[ROOF_GEOMETRY_ERROR];
  EXPECT_EQ(roof_geometry_parse(text->c_str(), &geometry, error, sizeof error), 1) << *text;
  return geometry;
}

TEST(HostCaches, TakeNoMoreOfALevelThanIsFast) {
  const roof_geometry whole = Geometry(1, {});
  if (whole.levels < 2) GTEST_SKIP() << "hwloc reports no two levels of caches here";
  const size_t last = whole.levels - 1;
  CacheLimits limits = {};
  limits[last] = whole.size_bytes[last] / 4 + whole.size_bytes[last - 1];
  const roof_geometry limited = Geometry(1, limits);
  ASSERT_EQ(limited.levels, whole.levels);
  EXPECT_EQ(limited.size_bytes[0], whole.size_bytes[0]);
  EXPECT_LE(limited.size_bytes[last], limits[last]);
  EXPECT_GT(limited.size_bytes[last] + 64 * limited.ways[last], limits[last]) << "whole sets";
  limits[last] = 2 * whole.size_bytes[last];
  EXPECT_EQ(Geometry(1, limits).size_bytes[last], whole.size_bytes[last])
      << "no more than there is";
}

TEST(HostCaches, LimitsAreRead) {
  const Result<CacheLimits> limits = ParseCacheLimits("most:L3:11585K,L2:512K");
  ASSERT_TRUE(limits) << limits.error();
  EXPECT_EQ(*limits, (CacheLimits{0, 512 << 10, 11585 << 10}));
  EXPECT_EQ(*ParseCacheLimits(""), CacheLimits{});
  for (const char* wrong : {"most:L4:1K", "most:L3:K", "most:L3:0K", "most:L3:12", "most:x",
                            "most:L3:1K;", "most:L3:99999999999999999999K"}) {
    const Result<CacheLimits> none = ParseCacheLimits(wrong);
    ASSERT_FALSE(none) << wrong;
    EXPECT_NE(none.error().find("as in most:L3:11585K"), std::string::npos)
        << wrong << ": " << none.error();
  }
}

TEST(LatenciesToModel, AreThoseOfTheSetting) {
  Settings settings;
  settings.latencies = "dp_add=4,load_dram=320";
  EXPECT_EQ(*LatenciesToModel(settings), settings.latencies);
  settings.latencies = "off";
  EXPECT_EQ(*LatenciesToModel(settings), "");
  settings.latencies = "dp_add=4,nothing=4";
  const Result<std::string> none = LatenciesToModel(settings);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), InWords(message::kBadLatency, "\"nothing=4\" is no latency in cycles"));
}

}  // namespace
}  // namespace roofmark
