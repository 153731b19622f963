// SPDX-License-Identifier: BSD-3-Clause
//
// FLOPs of parallel constructs, as `roofmark run` counts them: those of clients/ompt.c, and none of
// what it takes to name a construct.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace roofmark::test {
namespace {

class OmptCounts : public testing::Test {
 protected:
  JobProfile Count(const std::string& client) {
    const Ended ended =
        test::Run({ROOFMARK, "run", "--no-machine", "--collector", "timer", "--work", "always",
                   "--adapters=ompt", "--no-report", "--force", "-o", output_, "--", client},
                  {}, directory_.path(), 300);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, testing::Not(testing::HasSubstr("differ"))) << "of the two executions";
    return ReadRoofline(output_).job;
  }
  static void ExpectFlops(const JobProfile& job, const std::string& path, uint64_t flops) {
    EXPECT_EQ(Value(job, path, metric::kFlops), flops) << path;
  }

  TempDir directory_;
  std::string output_ = directory_.File("run.json");
};

TEST_F(OmptCounts, EachConstruct) {
  for (const char* client : {OMPT_CLIENT, OMPT_GCC}) {
    const JobProfile job = Count(client);
    ExpectFlops(job, "ompt.c:30 parallel in Sweep()", 3 * 100);
    ExpectFlops(job, "ompt.c:35 parallel in Serialised()", 30);
    ExpectFlops(job, "ompt.c:37 parallel in Serialised()", 40);
    ExpectFlops(job, "ompt.c:43 parallel in Nested()", 2 * 10 + 4 * 20);
    // Of the threads that encounter it; those that they get are the process's.
    ExpectFlops(job, "ompt.c:43 parallel in Nested()/ompt.c:46 parallel in Nested()", 2 * 20);
  }
}

TEST_F(OmptCounts, Teams) {
  const JobProfile job = Count(OMPT_CLIENT);
  ExpectFlops(job, "ompt.c:53 teams in Teams()", 2 * (5 + 7));
  ExpectFlops(job, "ompt.c:53 teams in Teams()/ompt.c:56 parallel in Teams()", 2 * 7);
}

TEST_F(OmptCounts, BesideMarkers) {
  const JobProfile job = Count(OMPT_MARKED);
  ExpectFlops(job, "solve", 3 * 100);
  ExpectFlops(job, "solve/ompt.c:30 parallel in Sweep()", 3 * 100);
}

// Naming a construct reads debug information, which takes a million instructions and more, in the
// region around it.
TEST_F(OmptCounts, NamingIsNoWork) {
  const JobProfile job = Count(OMPT_MARKED_GCC);
  EXPECT_EQ(Value(job, "solve/ompt.c:30 parallel in Sweep()", metric::kVisits), 3u);
  EXPECT_LT(Value(job, "solve", metric::kInstructions), 100'000u);
}

}  // namespace
}  // namespace roofmark::test
