// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/function_name.h"

#include <gtest/gtest.h>

namespace roofmark::suggest {
namespace {

TEST(FunctionNameTest, OfALoop) {
  EXPECT_EQ(FunctionOf("solver.c:7 in sweep()"), "sweep");
  EXPECT_EQ(FunctionOf("solver.c:7 in ns::sweep<a()>(int)(), at main.c:3"), "ns::sweep<a()>(int)");
  EXPECT_EQ(FunctionOf("app+0x10 in app+0x8"), "");
  EXPECT_FALSE(NamesAFunction("solver.c:7 in sweep()"));
}

TEST(FunctionNameTest, OfAFunction) {
  EXPECT_EQ(FunctionOf("sweep()"), "sweep");
  EXPECT_TRUE(NamesAFunction("sweep()"));
  EXPECT_EQ(FunctionOf("solve"), "");
}

TEST(FunctionNameTest, TheShortName) {
  EXPECT_EQ(ShortName("sweep"), "sweep");
  EXPECT_EQ(ShortName("ns::Grid<ns::Row>::sweep<double>"), "sweep");
  EXPECT_EQ(ShortName("sweep(ns::Row, int)"), "sweep");
  EXPECT_EQ(ShortName("sweep._omp_fn.0"), "sweep");
  EXPECT_EQ(ShortName("main::{lambda(ns::Row)#1}::operator()(ns::Row) const"), "main");
  EXPECT_EQ(ShortName("sweep(int)::<lambda(int)>"), "sweep");
  EXPECT_EQ(ShortName("(anonymous namespace)::sweep(int)"), "sweep");
  EXPECT_EQ(ShortName("Less::operator()"), "operator");
  EXPECT_EQ(ShortName("operator<<"), "operator");
  EXPECT_EQ(ShortName(".omp_outlined."), ".omp_outlined");
  EXPECT_EQ(ShortName(""), "");
}

TEST(FunctionNameTest, ForARegion) {
  EXPECT_EQ(RegionNameOf("ns::Mul<int, ns::Row>::operator()"), "Mul");
  EXPECT_EQ(RegionNameOf("operator+"), "operator+");
  EXPECT_EQ(RegionNameOf("ns::sweep"), "sweep");
}

}  // namespace
}  // namespace roofmark::suggest
