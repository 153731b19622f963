// SPDX-License-Identifier: BSD-3-Clause
#include "markers/late_visits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace roofmark::markers {
namespace {

using testing::Pair;

// One table for each process, so that one test has it all.
TEST(LateVisitsTest, AreCountedByNameOnAllThreads) {
  EXPECT_TRUE(LateVisits::All().empty());
  const std::string text = "solver and more", longest(400, 'x');
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int visit = 0; visit < 100; ++visit) {
        LateVisits::Note(std::string_view(text).substr(0, 6));
        LateVisits::Note(longest);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(LateVisits::All(),
              testing::ElementsAre(Pair("solver", 400), Pair(longest.substr(0, 191), 400)));
  for (size_t i = 0; i < LateVisits::kRegions; ++i) LateVisits::Note(std::to_string(i));
  const auto all = LateVisits::All();
  EXPECT_THAT(all, testing::Contains(Pair("0", 1)));
  uint64_t visits = 0;
  for (const auto& [name, count] : all) visits += count;
  EXPECT_EQ(visits, 800 + LateVisits::kRegions) << "more names than rows: no visit is lost";
  EXPECT_TRUE(all.contains(std::string(LateVisits::kOthers)));
}

}  // namespace
}  // namespace roofmark::markers
