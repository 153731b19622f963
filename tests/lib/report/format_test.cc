// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/format.h"

#include <gtest/gtest.h>

#include "lib/report/display_width.h"

namespace roofmark {
namespace {

TEST(Format, Numbers) {
  EXPECT_EQ(Si(0), "0");
  EXPECT_EQ(Si(7), "7");
  EXPECT_EQ(Si(999), "999");
  EXPECT_EQ(Si(1234), "1.23k");
  EXPECT_EQ(Si(999950), "1.00M");
  EXPECT_EQ(Si(45.6e9), "45.6G");
  EXPECT_EQ(Si(0.0456), "45.6m");
  EXPECT_EQ(SiUnit(36.2e9, "B/s"), "36.2 GB/s");
  EXPECT_EQ(SiUnit(7, "B/s"), "7 B/s");
  EXPECT_EQ(Plain(0.33333), "0.333");
  EXPECT_EQ(Plain(12.345), "12.3");
  EXPECT_EQ(Plain(1234.5), "1234");
  EXPECT_EQ(Percent(0.305), "30 %");
  EXPECT_EQ(Percent(0.002), "0.2 %");
  EXPECT_EQ(Percent(0.0002), "<0.1 %");
  EXPECT_EQ(Percent(0), "0 %");
  EXPECT_EQ(Seconds(1.5e-3), "1.50 ms");
  EXPECT_EQ(Seconds(5), "5.00 s");
  EXPECT_EQ(Seconds(20), "20.0 s");
  EXPECT_EQ(Seconds(0), "0 s");
}

TEST(Format, NamesAreShortenedInTheMiddle) {
  EXPECT_EQ(Shorten("exchange_halo", 20, "…"), "exchange_halo");
  EXPECT_EQ(Shorten("exchange_halo", 8, ".."), "exc..alo");
  EXPECT_EQ(DisplayWidth(Shorten("ääääääääää", 5, "…")), 5u);
  EXPECT_EQ(Wrap("aa bb cc", 5, 2), "aa bb\n  cc\n");
}

}  // namespace
}  // namespace roofmark
