// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/table.h"

#include <gtest/gtest.h>

#include <array>

namespace roofmark {
namespace {

enum class Colour { kRed, kGreen, kBlue };

constexpr Named<Colour> kColours[] = {
    {Colour::kRed, "red"}, {Colour::kGreen, "green"}, {Colour::kBlue, "blue"}};
static_assert(InOrder(kColours));
static_assert(InOrder(kColours, Colour::kBlue));

TEST(Table, RowsAreFoundByIdAndByName) {
  EXPECT_EQ(RowOf(kColours, Colour::kGreen).name, "green");
  EXPECT_EQ(FindByName(kColours, "blue"), Colour::kBlue);
  EXPECT_EQ(FindByName(kColours, "purple"), std::nullopt);
}

TEST(Table, ExchangedRowsAreOutOfOrder) {
  constexpr std::array<Named<Colour>, 3> kExchanged = {
      {{Colour::kGreen, "green"}, {Colour::kRed, "red"}, {Colour::kBlue, "blue"}}};
  EXPECT_FALSE(InOrder(kExchanged));
}

TEST(Table, ForgottenRowIsSeenInEitherKindOfTable) {
  constexpr Named<Colour> kDeduced[] = {{Colour::kRed, "red"}, {Colour::kGreen, "green"}};
  EXPECT_FALSE(InOrder(kDeduced, Colour::kBlue));
  constexpr std::array<Named<Colour>, 3> kCounted = {
      {{Colour::kRed, "red"}, {Colour::kGreen, "green"}}};
  EXPECT_FALSE(InOrder(kCounted));
}

TEST(Table, ATableMayBeginInTheMiddleOfItsIds) {
  constexpr Named<int> kRows[] = {{7, "seven"}, {8, "eight"}};
  EXPECT_TRUE(InOrder(kRows, size_t{7}));
  EXPECT_FALSE(InOrder(kRows, size_t{6}));
}

}  // namespace
}  // namespace roofmark
