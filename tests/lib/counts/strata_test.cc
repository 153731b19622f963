// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/strata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <vector>

namespace roofmark::counts {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

TEST(Margin, IsThatOfTheRatioPredictor) {
  // Ratios 1 and 3, together 2: squares (10-20)^2/10 + (30-20)^2/10 = 20, one degree of freedom.
  const std::vector<Stratum> strata = {{10, 10}, {30, 10}};
  EXPECT_THAT(Margin(strata, 60),
              Optional(DoubleNear(12.706 * std::sqrt(20 * 60 * 80 / 20.), 1e-9)));
}

TEST(Margin, EqualStrataLeaveNone) {
  const std::vector<Stratum> strata = {{10, 20}, {5, 10}, {20, 40}};
  EXPECT_THAT(Margin(strata, 1e6), Optional(DoubleNear(0, 1e-6)));
}

TEST(Margin, IsNotKnownOfFewerThanTwoStrata) {
  EXPECT_EQ(Margin({}, 1), std::nullopt);
  EXPECT_EQ(Margin(std::vector<Stratum>{{1, 2}, {0, 0}}, 1), std::nullopt);
}

TEST(Margin, NothingIsWrongWhereNothingIsExtrapolated) {
  EXPECT_THAT(Margin({}, 0), Optional(0.0));
}

TEST(StratumOf, EightVisitsAreInEight) {
  std::set<std::vector<size_t>> orders;
  for (uint64_t first = 0; first < 64 * kStrata; first += kStrata) {
    std::vector<size_t> order;
    for (uint64_t v = first; v < first + kStrata; ++v) order.push_back(StratumOf(v));
    orders.insert(order);
    EXPECT_THAT(order, ::testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  }
  EXPECT_GT(orders.size(), 16u);
}

// How often the interval holds the truth, of simulated jobs whose every visit is known.
class Coverage : public ::testing::TestWithParam<size_t> {
 protected:
  struct Visit {
    double traffic, bytes;
  };
  static constexpr size_t kJobs = 2000, kVisits = 200;

  double Share(size_t known, const std::function<Visit(size_t)>& draw) {
    size_t held = 0;
    for (size_t job = 0; job < kJobs; ++job) held += Holds(known, draw) ? 1 : 0;
    return static_cast<double>(held) / kJobs;
  }

  std::mt19937 random_{7};

 private:
  static bool Holds(size_t known, const std::function<Visit(size_t)>& draw) {
    std::vector<Stratum> strata(kStrata);
    Stratum all;
    double rest = 0, truth = 0;
    for (size_t v = 0; v < kVisits; ++v) {
      const Visit visit = draw(v);
      if (v < known) {
        strata[StratumOf(v)].number += visit.traffic;
        strata[StratumOf(v)].by += visit.bytes;
        all.number += visit.traffic;
        all.by += visit.bytes;
      } else {
        rest += visit.bytes;
        truth += visit.traffic;
      }
    }
    const std::optional<double> margin = Margin(strata, rest);
    return margin && std::abs(all.number / all.by * rest - truth) <= *margin;
  }
};

TEST_P(Coverage, OfVisitsOfRandomLength) {
  std::uniform_real_distribution<> bytes(1e5, 1e7);
  std::normal_distribution<> off(0, 1);
  const double share = Share(GetParam(), [&](size_t) {
    const double own = bytes(random_);
    return Visit{0.3 * own + 100 * std::sqrt(own) * off(random_), own};
  });
  EXPECT_GT(share, 0.93);
  EXPECT_LT(share, 0.975) << "wider than it says";
}

// Grids of a multigrid cycle: the large ones come from memory, the small ones from caches. The
// visits that are known begin somewhere in the cycle.
TEST_P(Coverage, OfVisitsThatAreOfSeveralKinds) {
  std::uniform_int_distribution<size_t> begin(0, 2);
  size_t shift = 0;
  const double share = Share(GetParam(), [&](size_t v) {
    if (v == 0) shift = begin(random_);
    const size_t kind = (v + shift) % 3;
    const double bytes = kind == 0 ? 8e6 : kind == 1 ? 1e6 : 1.25e5;
    return Visit{kind == 0 ? 0.9 * bytes : 0.05 * bytes, bytes};
  });
  EXPECT_GT(share, 0.93);
}

INSTANTIATE_TEST_SUITE_P(Known, Coverage, ::testing::Values(3, 9, 24));

}  // namespace
}  // namespace roofmark::counts
