// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "collectors/counting/cache/geometry.h"

namespace roofmark {
namespace {

std::string ErrorOf(const std::string& text) {
  roof_geometry geometry{};
  char error[ROOF_GEOMETRY_ERROR] = "";
  EXPECT_FALSE(roof_geometry_parse(text.c_str(), &geometry, error, sizeof error)) << text;
  EXPECT_EQ(geometry.levels, 0u) << text;
  return error;
}

TEST(CacheGeometry, ReadsLevels) {
  roof_geometry geometry{};
  char error[ROOF_GEOMETRY_ERROR];
  ASSERT_TRUE(
      roof_geometry_parse("L1:48K:12,L2:2m:16,L3:266240K:20", &geometry, error, sizeof error));
  EXPECT_EQ(geometry.levels, 3u);
  EXPECT_EQ(geometry.size_bytes[0], 49152u);
  EXPECT_EQ(geometry.ways[0], 12u);
  EXPECT_EQ(geometry.size_bytes[1], 2097152u);
  EXPECT_EQ(geometry.size_bytes[2], 260u << 20);
  EXPECT_EQ(geometry.ways[2], 20u);
  ASSERT_TRUE(roof_geometry_parse("L1:64:1", &geometry, error, sizeof error));
  EXPECT_EQ(geometry.levels, 1u);
  ASSERT_TRUE(roof_geometry_parse("L1:1G:16,L2:64G:16", &geometry, error, sizeof error));
  EXPECT_EQ(geometry.size_bytes[1], uint64_t{64} << 30);
}

TEST(CacheGeometry, NamesTheWrongField) {
  EXPECT_EQ(ErrorOf(""), "L1 name: '', expected 'L1'");
  EXPECT_EQ(ErrorOf("L2:2M:16"), "L1 name: 'L2', expected 'L1'");
  EXPECT_EQ(ErrorOf("L1:48K:12,L3:2M:16"), "L2 name: 'L3', expected 'L2'");
  EXPECT_EQ(ErrorOf("L1:48K:12,"), "L2 name: '', expected 'L2'");
  EXPECT_EQ(ErrorOf("48K"), "L1 name: '48K', expected 'L1'");
  const std::string size =
      "', expected a whole number up to 64G, with K, M or G for powers of 1024";
  EXPECT_EQ(ErrorOf("L1"), "L1 size: '" + size);
  EXPECT_EQ(ErrorOf("L1:48X:12"), "L1 size: '48X" + size);
  EXPECT_EQ(ErrorOf("L1:K:12"), "L1 size: 'K" + size);
  EXPECT_EQ(ErrorOf("L1:-1K:12"), "L1 size: '-1K" + size);
  EXPECT_EQ(ErrorOf("L1:0:12"), "L1 size: '0" + size);
  EXPECT_EQ(ErrorOf("L1:1.5M:12"), "L1 size: '1.5M" + size);
  EXPECT_EQ(ErrorOf("L1:48KB:12"), "L1 size: '48KB" + size);
  EXPECT_EQ(ErrorOf("L1:48K:12,L2:65G:16"), "L2 size: '65G" + size);
  EXPECT_EQ(ErrorOf("L1:99999999999999999999999:8"), "L1 size: '99999999999999999999999" + size);
  const std::string ways = "', expected a whole number 1..1024";
  EXPECT_EQ(ErrorOf("L1:48K"), "L1 ways: '" + ways);
  EXPECT_EQ(ErrorOf("L1:48K:0"), "L1 ways: '0" + ways);
  EXPECT_EQ(ErrorOf("L1:48K:12:64"), "L1 ways: '12:64" + ways);
  EXPECT_EQ(ErrorOf("L1:48K:x"), "L1 ways: 'x" + ways);
  EXPECT_EQ(ErrorOf("L1:48K:2000"), "L1 ways: '2000" + ways);
  EXPECT_EQ(ErrorOf("L1:4K:4,L2:8K:4,L3:16K:4,L4:32K:4"),
            "text after L3: 'L4:32K:4', expected at most 3 levels");
}

TEST(CacheGeometry, NamesSizesThatDoNotFit) {
  EXPECT_EQ(ErrorOf("L1:48000:12"),
            "L1 size: 48000 is not a whole number of sets, expected a multiple of 12 ways x 64 "
            "bytes = 768");
  EXPECT_EQ(ErrorOf("L1:32K:12"),
            "L1 size: 32K is not a whole number of sets, expected a multiple of 12 ways x 64 bytes "
            "= 768");
  EXPECT_EQ(ErrorOf("L1:48K:12,L2:32K:8"), "L2 size: 32K, expected more than the 48K of L1");
  EXPECT_EQ(ErrorOf("L1:4K:4,L2:2M:16,L3:2M:16"), "L3 size: 2M, expected more than the 2M of L2");
}

TEST(CacheGeometry, LongFieldsStayWithinTheBuffer) {
  const std::string error = ErrorOf("L1:" + std::string(5000, '9') + "Q:3");
  EXPECT_EQ(error, "L1 size: '" + std::string(40, '9') +
                       "', expected a whole number up to 64G, with K, M or G for powers of 1024");
  char small[8] = "";
  roof_geometry geometry{};
  EXPECT_FALSE(roof_geometry_parse("L1:x:1", &geometry, small, sizeof small));
  EXPECT_STREQ(small, "L1 size");
}

TEST(CacheGeometry, ChecksGeometryFromElsewhere) {
  char error[ROOF_GEOMETRY_ERROR] = "";
  roof_geometry geometry{};
  EXPECT_FALSE(roof_geometry_check(&geometry, error, sizeof error));
  EXPECT_STREQ(error, "0 levels, expected 1..3");
  geometry = {1, {4096}, {0}};
  EXPECT_FALSE(roof_geometry_check(&geometry, error, sizeof error));
  EXPECT_STREQ(error, "L1 ways: 0, expected 1..1024");
  geometry = {1, {0}, {4}};
  EXPECT_FALSE(roof_geometry_check(&geometry, error, sizeof error));
  EXPECT_STREQ(error, "L1 size: 0 bytes, expected 64..64G");
  geometry = {1, {4096}, {4}};
  EXPECT_TRUE(roof_geometry_check(&geometry, error, sizeof error));
}

}  // namespace
}  // namespace roofmark
