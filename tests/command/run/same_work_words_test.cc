// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/same_work_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

SameWork Same(size_t places, size_t calls) {
  SameWork work;
  work.answer = SameWork::Answer::kSame;
  work.places = places;
  work.calls = calls;
  return work;
}

TEST(SameWorkWords, OnePlaceIsOne) {
  EXPECT_THAT(DescribeWork(Same(0, 1)), HasSubstr("One place of its code called MPI"));
  EXPECT_THAT(DescribeWork(Same(0, 2)), HasSubstr("2 places of its code called MPI"));
  EXPECT_THAT(DescribeWork(Same(1, 0)), HasSubstr("One place of its code was executed"));
  EXPECT_THAT(DescribeWork(Same(3, 0)), HasSubstr("3 places of its code were executed"));
}

// 10 bytes of code in the region, of which nobody knows how often they were timed.
std::string Warning(size_t places, bool differs_little) {
  SameWork work;
  work.answer = SameWork::Answer::kDiffers;
  work.places = places;
  work.differs_little = differs_little;
  work.executed["loop"] = work.unknown["loop"] = 10;
  EXPECT_THAT(DescribeWork(work), IsEmpty());
  JobProfile job;
  job.paths.emplace_back().path = "loop";
  job.paths.back().kind = RegionKind::kFound;
  WarnOf(work, job);
  return job.run.warnings.empty() ? "" : job.run.warnings.front();
}

TEST(SameWorkWords, AWarningNamesTheRegionsAndWhatMayBeTheCause) {
  EXPECT_THAT(Warning(2, false), HasSubstr("\"loop\""));
  EXPECT_THAT(Warning(2, false), HasSubstr("as one that runs until a time is over; how much"));
  EXPECT_THAT(Warning(2, true), HasSubstr("as one whose tables depend on addresses"));
  EXPECT_THAT(Warning(0, false), HasSubstr("is over, polls, or whose tables depend on addresses"));
}

}  // namespace
}  // namespace roofmark::cli
