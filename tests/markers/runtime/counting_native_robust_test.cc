// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that are hard to follow print and end under the native engine as they do alone. Counts
// are right, or the region says that some were lost. ROOFMARK_TEST_STORM=60 makes the storm of
// signals as many seconds long, ten at most with ROOFMARK_GATES=short.
#include <cstdlib>

#include "tests/markers/runtime/native_run.h"
#include "tests/support/gates.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;

class NativeRobust : public NativeRun {
 protected:
  JobProfile Count(const std::string& how, const Environment& more = {}) {
    return CountBeside(ROBUST, how, more);
  }
};

TEST_F(NativeRobust, AStormOfSignals) {
  const char* seconds = ShortGates() ? "10" : std::getenv("ROOFMARK_TEST_STORM");
  ExpectHandlersCounted(Count("storm", {{"STORM_SECONDS", seconds ? seconds : "2"}}));
}

TEST_F(NativeRobust, HandlersOnAStackOfTheirOwn) {
  const JobProfile job = Count("alternate");
  ExpectHandlersCounted(job);
  EXPECT_EQ(Value(job, "disturbed", kAdds), 20u * 3 * 11);
}

TEST_F(NativeRobust, TrapsOfArithmetic) { ExpectHandlersCounted(Count("divided")); }

TEST_F(NativeRobust, ExceptionsEndRegions) {
  const JobProfile job = Count("across");
  ExpectComplete(job);
  // Each level adds, and each level's g_sum.
  EXPECT_EQ(Value(job, "whole/thrown", kAdds), 20u * 4 * 11);
  EXPECT_EQ(Value(job, "whole", kAdds), 20u * (4 * 11 + 101));
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

TEST_F(NativeRobust, ProcessesOfPosixSpawnAndVfork) {
  const JobProfile job = Count("spawned");
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "whole", kAdds), 5u * 2 * 101);
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

TEST_F(NativeRobust, ThreadsThatAreBornInARegion) {
  const JobProfile job = Count("born");
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "whole", kAdds), 3u * 1000 + 3);
}

TEST_F(NativeRobust, ACrowdOfThreads) {
  const JobProfile job = Count("crowd");
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "whole", kAdds), 64u * 1000 + 63 * 64 / 2);
}

// Opening files would end the program there.
TEST_F(NativeRobust, NothingIsTranslatedInASandbox) {
  const JobProfile job = Count("sandboxed");
  EXPECT_THAT(Incomplete(job), HasSubstr("those of the engine (disturbed"));
}

TEST_F(NativeRobust, AskingForASandboxIsNone) {
  const JobProfile job = Count("probing");
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "whole", kAdds), 111u);
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

}  // namespace
}  // namespace roofmark::test
