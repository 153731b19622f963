// SPDX-License-Identifier: BSD-3-Clause
//
// Covering arrays have each pair of values, and no more tuples than is said.
#include "tests/support/pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

namespace roofmark::test {
namespace {

// What the environment of the tests says is there again afterwards.
class PairsTest : public testing::Test {
 protected:
  PairsTest() { unsetenv(kName); }
  ~PairsTest() override {
    if (before_) setenv(kName, before_->c_str(), 1);
    if (!before_) unsetenv(kName);
  }
  static constexpr char kName[] = "ROOFMARK_TEST_EXHAUSTIVE";

 private:
  const std::optional<std::string> before_ =
      getenv(kName) == nullptr ? std::nullopt : std::optional<std::string>(getenv(kName));
};

std::set<Pair> PairsOf(const std::vector<Row>& rows) {
  std::set<Pair> pairs;
  for (const Row& row : rows) {
    for (const Pair& pair : PairsIn(row)) pairs.insert(pair);
  }
  return pairs;
}

std::vector<int> UpTo(int n) {
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(i);
  return values;
}

TEST_F(PairsTest, EachPairOfEachShapeIsThere) {
  for (const std::vector<size_t>& sizes : {std::vector<size_t>{5},
                                           {3, 4},
                                           {2, 2, 2},
                                           {9, 2, 2},
                                           {2, 7, 2, 3},
                                           {5, 5, 6, 2},
                                           {9, 5, 10}}) {
    const std::vector<Row> rows = Covering(Product(sizes));
    size_t wanted = 0;
    for (size_t a = 0; a < sizes.size(); ++a) {
      for (size_t b = a + 1; b < sizes.size(); ++b) wanted += sizes[a] * sizes[b];
    }
    EXPECT_EQ(PairsOf(rows).size(), wanted);
    EXPECT_EQ(std::set<Row>(rows.begin(), rows.end()).size(), rows.size()) << "one is there twice";
    for (const Row& row : rows) {
      ASSERT_EQ(row.size(), sizes.size());
      for (size_t i = 0; i < row.size(); ++i) EXPECT_LT(row[i], sizes[i]);
    }
  }
}

TEST_F(PairsTest, EqualFactorsTakeHalfMoreThanTheLeast) {
  for (const size_t factors : {3u, 4u}) {
    for (size_t n = 2; n <= 7; ++n) {
      const size_t rows = Covering(Product(std::vector<size_t>(factors, n))).size();
      EXPECT_GE(rows, n * n);
      EXPECT_LE(2 * rows, 3 * n * n) << factors << " factors of " << n;
    }
  }
  EXPECT_EQ(Pairs(UpTo(2), UpTo(2), UpTo(2)).size(), 4u);
  EXPECT_EQ(Pairs(UpTo(9), UpTo(2), UpTo(2)).size(), 18u);
}

// What cannot be appears nowhere, and takes no pair along that can be.
TEST_F(PairsTest, AConstraintLeavesAllPairsThatCanBe) {
  const auto allowed = [](int a, int b, int c) { return a != b && (c != 2 || a == 0); };
  const auto tuples = PairsWhere(allowed, UpTo(4), UpTo(4), UpTo(3));
  std::vector<Row> can, chosen;
  for (const Row& row : Product({4, 4, 3})) {
    const auto at = [&](size_t i) { return static_cast<int>(row[i]); };
    if (allowed(at(0), at(1), at(2))) can.push_back(row);
  }
  for (const auto& [a, b, c] : tuples) {
    EXPECT_TRUE(allowed(a, b, c));
    chosen.push_back({static_cast<size_t>(a), static_cast<size_t>(b), static_cast<size_t>(c)});
  }
  EXPECT_EQ(PairsOf(chosen), PairsOf(can));
  EXPECT_LT(chosen.size(), can.size());
}

TEST_F(PairsTest, ValuesKeepTheirTypesAndTheOrderOfTheProduct) {
  const auto tuples = Pairs(std::vector<std::string>{"a", "b"}, UpTo(2), Factor("x"));
  ASSERT_EQ(tuples.size(), 4u) << "the end of a string is a value, too";
  EXPECT_EQ(tuples.front(), std::make_tuple(std::string("a"), 0, 'x'));
  EXPECT_TRUE(std::is_sorted(tuples.begin(), tuples.end(), [](const auto& a, const auto& b) {
    return std::get<0>(a) < std::get<0>(b);
  }));
}

TEST_F(PairsTest, TheExhaustiveFormIsTheProduct) {
  ASSERT_EQ(setenv(kName, "1", 1), 0);
  EXPECT_EQ(Pairs(UpTo(3), UpTo(4), UpTo(5)).size(), 60u);
  EXPECT_EQ(PairsWhere([](int a, int b) { return a < b; }, UpTo(3), UpTo(3)).size(), 3u);
  EXPECT_EQ(SomeOf(UpTo(1), UpTo(5)).size(), 5u);
  const auto always = +[](int, int) { return true; };
  EXPECT_EQ(KindsWhere([](int) { return 0; }, always, always, 0, UpTo(3), UpTo(4)).size(), 12u);
  ASSERT_EQ(unsetenv(kName), 0);
  EXPECT_EQ(SomeOf(UpTo(1), UpTo(5)).size(), 1u);
}

TEST_F(PairsTest, EachKindIsBesideEachValue) {
  const auto kind_of = [](int value) { return value < 2 ? 0 : value < 9 ? 1 : 2; };
  const auto allowed = +[](int a, int b) { return a != 3 || b != 1; };
  const auto wanted = +[](int a, int b) { return b == 0 || (a == 4 && b == 3); };
  const auto tuples = KindsWhere(kind_of, allowed, wanted, 2, UpTo(12), UpTo(5));
  std::set<std::pair<int, int>> kinds;
  std::vector<int> times(12);
  for (const auto& [a, b] : tuples) {
    EXPECT_TRUE(allowed(a, b));
    kinds.emplace(kind_of(a), b);
    ++times[static_cast<size_t>(a)];
  }
  EXPECT_EQ(kinds.size(), 15u);
  for (const int each : times) EXPECT_GE(each, 2);
  EXPECT_TRUE(std::find(tuples.begin(), tuples.end(), std::make_tuple(4, 3)) != tuples.end());
  EXPECT_LT(tuples.size(), 30u);
}

}  // namespace
}  // namespace roofmark::test
