// SPDX-License-Identifier: BSD-3-Clause
//
// A process that dies under the counting engine: what it had handed over is recovered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/recording.h"
#include "tests/support/killable.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

class DeathUnderEngine : public Killable, public testing::WithParamInterface<const char*> {
 protected:
  Ended RunToItsEnd(const std::vector<std::string>& command) const {
    Environment environment = Variables("counting");
    environment["ROOFMARK_COUNT"] = "flops";
    return test::Run(command, environment, directory_.path());
  }
};

// More regions than there are rows at first, and what a forked child does is its own.
TEST_P(DeathUnderEngine, EveryRegionHasItsFlops) {
  RunToItsEnd({MANY_FLOPS, GetParam()});
  const JobProfile job = Recover(ROOFMARK);
  ASSERT_EQ(job.paths.size(), 300u);
  for (const char* letter : {"m", "t"}) {
    for (uint64_t i = 0; i < 150; ++i) {
      const std::string name = letter + std::to_string(i);
      ASSERT_EQ(Value(job, name, metric::kFlops), 3 * (i + 1)) << name;
      ASSERT_GT(Value(job, name, metric::kInstructions), 3 * (i + 1)) << name;
    }
  }
  EXPECT_EQ(job.sources[metric::kInstructions].origin, "counting");
  EXPECT_THAT(job.run.warnings, Contains(HasSubstr("counts end at the last time")));
}
INSTANTIATE_TEST_SUITE_P(Ends, DeathUnderEngine, testing::Values("kill", "segv", "_exit"));

// A spool that is too small for all of them says so instead of leaving some out.
TEST_F(DeathUnderEngine, WithoutRoomThereAreNoCounts) {
  const Ended ended =
      RunToItsEnd({"/bin/sh", "-c", "ulimit -f 300; trap '' XFSZ; exec " MANY_FLOPS " _exit"});
  EXPECT_THAT(ended.err, test::Says(message::kSpoolFailed, "extended", testing::_));
  const JobProfile job = Recover(ROOFMARK);
  EXPECT_EQ(job.At(0, metric::kInstructions).ranks, 0u);
  EXPECT_THAT(job.sources[metric::kInstructions].reason, HasSubstr("a part of the spool is lost"));
}

}  // namespace
}  // namespace roofmark::test
