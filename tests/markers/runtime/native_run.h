// SPDX-License-Identifier: BSD-3-Clause
//
// The fixture of tests that execute programs under the native engine, beside the same ones alone.
#ifndef ROOFMARK_TESTS_MARKERS_RUNTIME_NATIVE_RUN_H_
#define ROOFMARK_TESTS_MARKERS_RUNTIME_NATIVE_RUN_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "tests/support/recording.h"

namespace roofmark::test {

class NativeRun : public Recording {
 protected:
  // Counts `program how`, and checks that it prints and ends as it does alone, with and without
  // caches.
  JobProfile CountBeside(const std::string& program, const std::string& how,
                         const Environment& more = {}) {
    Environment given = more;
    given["ROOFMARK"] = "0";
    const Ended alone = test::Run({program, how}, given);
    given.erase("ROOFMARK");
    given.insert({{"ROOFMARK_COLLECTOR", "counting"},
                  {"ROOFMARK_ENGINE", "native"},
                  {"ROOFMARK_SPOOL", "off"},  // some end by signals, and would leave it
                  {"ROOFMARK_OUTPUT", output_}});
    for (const char* count : {"cache", "flops"}) {
      std::remove(output_.c_str());
      given["ROOFMARK_COUNT"] = count;
      const Ended counted = test::Run({program, how}, given);
      EXPECT_EQ(counted.out, alone.out) << count << counted.err;
      EXPECT_EQ(counted.status, alone.status) << count << counted.err;
    }
    return alone.status == 0 ? ReadRoofline(output_).job : JobProfile();
  }
  static std::string Incomplete(const JobProfile& job) {
    const auto& facts = job.run.passes.at(0).facts;
    const auto found = facts.find("incomplete");
    return found == facts.end() ? "" : found->second;
  }
  static void ExpectComplete(const JobProfile& job) { EXPECT_EQ(Incomplete(job), ""); }
  static void ExpectIncomplete(const JobProfile& job, const char* reason) {
    EXPECT_THAT(Incomplete(job), testing::HasSubstr(reason));
    EXPECT_THAT(Incomplete(job), testing::HasSubstr("(disturbed"));
    EXPECT_THAT(Incomplete(job), testing::Not(testing::HasSubstr("behind")));
  }
  // Handlers are counted as the code that they interrupt, and so is what follows.
  static void ExpectHandlersCounted(const JobProfile& job) {
    ExpectComplete(job);
    EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
  }
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MARKERS_RUNTIME_NATIVE_RUN_H_
