// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/package_list.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::events {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string Wrong(std::string_view list) {
  const auto parsed = ParsePackageList(list);
  EXPECT_FALSE(parsed) << list;
  return parsed ? "" : parsed.error();
}

TEST(PackageList, NamesKeepTheirColonsAndGiveTheirCpu) {
  const auto list = ParsePackageList(
      "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=4*64:read, "
      "pcp:::perfevent.hwcounters.nest_mba0_imc.PM_MBA0_WRITE_BYTES.value:cpu87:write");
  ASSERT_TRUE(list) << list.error();
  ASSERT_EQ(list->size(), 2u);
  const ListedTraffic &read = list->at(0), &write = list->at(1);
  EXPECT_EQ(read.text, "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=4");
  EXPECT_EQ(read.name, "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=");
  EXPECT_EQ(read.cpu, 4u);
  EXPECT_EQ(read.bytes, 64);
  EXPECT_FALSE(read.write);
  EXPECT_EQ(write.name, "pcp:::perfevent.hwcounters.nest_mba0_imc.PM_MBA0_WRITE_BYTES.value:cpu");
  EXPECT_EQ(write.cpu, 87u);
  EXPECT_TRUE(write.write);
}

TEST(PackageList, TheFactorIsALineUnlessItIsGiven) {
  const auto list = ParsePackageList("a::X:read,a::Y*1:write,a::Z*61.5:read,b:::e1:cpus3:read");
  ASSERT_TRUE(list) << list.error();
  EXPECT_EQ(list->at(0).bytes, 64);
  EXPECT_EQ(list->at(1).bytes, 1);
  EXPECT_EQ(list->at(2).bytes, 61.5);
  for (const ListedTraffic& each : *list) {
    EXPECT_EQ(each.cpu, std::nullopt);
    EXPECT_EQ(each.name, each.text);
  }
}

TEST(PackageList, WhatIsWrongIsNamedWithTheCure) {
  EXPECT_THAT(Wrong(""),
              HasSubstr("ROOFMARK_PACKAGE_EVENTS=\"\" names no event: write NAME*FACTOR"));
  EXPECT_THAT(Wrong(" , "), HasSubstr("names no event"));
  EXPECT_THAT(Wrong("a::X"), HasSubstr("ROOFMARK_PACKAGE_EVENTS: \"a::X\" does not say what it "
                                       "counts: end it with :read or :write"));
  EXPECT_THAT(Wrong("a::X:cpu=0"), HasSubstr("end it with :read or :write"));
  EXPECT_THAT(Wrong("a::X:read,a::Y:both"), HasSubstr("\"a::Y:both\" does not say"));
  EXPECT_THAT(Wrong("X"), HasSubstr("end it with :read"));
  for (const char* factor : {"", "x", "0", "-64", "64x", "inf", "nan", "1e10", "6 4"}) {
    EXPECT_THAT(Wrong(fmt::format("a::X*{}:write", factor)),
                AllOf(HasSubstr("has a factor that is no number of bytes above 0 and up to 1e+09"),
                      HasSubstr("as in NAME*64:write")))
        << factor;
  }
  EXPECT_THAT(Wrong(":read"), HasSubstr("has no name: write NAME*64:read"));
  EXPECT_THAT(Wrong("*64:read"), HasSubstr("has no name"));
  EXPECT_THAT(Wrong("a::X×64:read"), HasSubstr("has a character that no name of an event has"));
  EXPECT_THAT(Wrong("a X:read"), HasSubstr("without blanks"));
  EXPECT_THAT(Wrong("a::X*2*3:read"), HasSubstr("has a character"));
  EXPECT_THAT(Wrong("a::X:cpu=:read"), HasSubstr("has no number of a CPU behind cpu"));
  EXPECT_THAT(Wrong("a::X:cpu:read"), HasSubstr("has no number of a CPU"));
  EXPECT_THAT(Wrong("a::X:cpu=99999999999:read"), HasSubstr("has no number of a CPU"));
  EXPECT_THAT(Wrong("a::X:read,a::X*2:write"), HasSubstr("names a::X twice: remove one"));
}

TEST(PackageList, ThereIsALimit) {
  std::string list;
  for (size_t i = 0; i < kMostListedTraffic; ++i) list += fmt::format("a::X{}:read,", i);
  EXPECT_TRUE(ParsePackageList(list));
  EXPECT_THAT(Wrong(list + "a::Y:read"), HasSubstr("names 251 events, but at most 250"));
}

}  // namespace
}  // namespace roofmark::events
