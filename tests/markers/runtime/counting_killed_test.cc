// SPDX-License-Identifier: BSD-3-Clause
//
// A process that dies under the counting engine: what it had handed over is recovered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Environment;
using test::Value;
using testing::Contains;
using testing::HasSubstr;

class DeathUnderEngine : public testing::TestWithParam<const char*> {
 protected:
  JobProfile Recover(const char* end, const Environment& extra = {}) {
    Environment environment = {{"ROOFMARK_COLLECTOR", "counting"},
                               {"ROOFMARK_COUNT", "flops"},
                               {"ROOFMARK_OUTPUT", directory_.File("run.json")},
                               {"ROOFMARK_SPOOL", directory_.File("spool")}};
    for (const auto& [name, value] : extra) environment[name] = value;
    test::Run({MANY_FLOPS, end}, environment, directory_.path());
    const Ended ended = test::Run(
        {ROOFMARK, "recover", directory_.File("spool"), "-o", directory_.File("rec.json")});
    EXPECT_EQ(ended.status, 0) << ended.err;
    return test::ReadRoofline(directory_.File("rec.json")).job;
  }

  test::TempDir directory_;
};

// More regions than there are rows at first, and what a forked child does is its own.
TEST_P(DeathUnderEngine, EveryRegionHasItsFlops) {
  const JobProfile job = Recover(GetParam());
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
      test::Run({"/bin/sh", "-c", "ulimit -f 300; trap '' XFSZ; exec " MANY_FLOPS " _exit"},
                {{"ROOFMARK_COLLECTOR", "counting"},
                 {"ROOFMARK_COUNT", "flops"},
                 {"ROOFMARK_OUTPUT", directory_.File("run.json")},
                 {"ROOFMARK_SPOOL", directory_.File("spool")}},
                directory_.path());
  EXPECT_THAT(ended.err, HasSubstr("the spool cannot be extended"));
  const Ended recovered =
      test::Run({ROOFMARK, "recover", directory_.File("spool"), "-o", directory_.File("rec.json")});
  ASSERT_EQ(recovered.status, 0) << recovered.err;
  const JobProfile job = test::ReadRoofline(directory_.File("rec.json")).job;
  EXPECT_EQ(job.At(0, metric::kInstructions).ranks, 0u);
  EXPECT_THAT(job.sources[metric::kInstructions].reason, HasSubstr("a part of the spool is lost"));
}

}  // namespace
}  // namespace roofmark
