// SPDX-License-Identifier: BSD-3-Clause
#include "command/loops/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/loops/mca.h"
#include "tests/lib/incore/made_up_loops.h"

namespace roofmark::cli {
namespace {

using ::testing::HasSubstr;

JobProfile JobWith(const std::vector<std::string>& paths) {
  JobProfile job;
  for (const std::string& path : paths) job.paths.push_back({path, "", 0, RegionKind::kFound});
  return job;
}

TEST(FindRegion, ByPathNameOrUniquePart) {
  const JobProfile job = JobWith({"main", "main/a.c:3 in f()", "main/a.c:3 in f()/b.c:9 in g()",
                                  "main/c.c:7 in h()", "main/c.c:7 in h()/c.c:8 in h()"});
  EXPECT_EQ(*FindRegion(job, "main"), "main") << "not those inside it";
  EXPECT_EQ(*FindRegion(job, "b.c:9 in g()"), "main/a.c:3 in f()/b.c:9 in g()");
  EXPECT_EQ(*FindRegion(job, "a.c"), "main/a.c:3 in f()") << "names before paths";
  EXPECT_EQ(*FindRegion(job, "in h()"), "main/c.c:7 in h()") << "the other one is inside it";
  EXPECT_THAT(FindRegion(job, ".c:").error(), HasSubstr("several"));
  EXPECT_THAT(FindRegion(job, "x").error(), HasSubstr("no region; there are:\n  main"));
}

TEST(FindRegion, ANameThatBeginsAlikeIsNotInside) {
  const JobProfile job = JobWith({"solve_a", "solve_b"});
  EXPECT_THAT(FindRegion(job, "solve").error(), HasSubstr("several regions")) << "side by side";
  const JobProfile alike = JobWith({"a solve", "a solve again"});
  EXPECT_THAT(FindRegion(alike, "a s").error(), HasSubstr("several regions"))
      << "the second one begins as the first, and is not inside it";
}

TEST(AskLlvmMca, AnUnknownCpuHasAReason) {
  incore::LoopsView views = incore::ViewLoops(test::MadeUpLoops());
  if (!views.why_no_text.empty()) GTEST_SKIP() << views.why_no_text;
  AskLlvmMca({"", 0, 0}, views);
  EXPECT_THAT(views.why_no_model, HasSubstr("does not say which CPU"));
  AskLlvmMca({"GenuineIntel", 5, 2}, views);
  EXPECT_THAT(views.why_no_model, HasSubstr("family 5 model 2"));
}

// No version has ports of Ivy Bridge.
TEST(AskLlvmMca, ABorrowedModelOrNoneGivesNoCycles) {
  incore::LoopsView views = incore::ViewLoops(test::MadeUpLoops());
  if (!views.why_no_text.empty()) GTEST_SKIP() << views.why_no_text;
  AskLlvmMca({"GenuineIntel", 6, 0x3a}, views);
  EXPECT_TRUE(views.model.empty());
  EXPECT_THAT(views.why_no_model,
              ::testing::AnyOf(HasSubstr("is not installed"), HasSubstr("Sandy Bridge's ports")));
  for (const incore::LoopView& view : views.loops) EXPECT_FALSE(view.bound);
}

TEST(AskLlvmMca, AnInstalledOneGivesCycles) {
  incore::LoopsView views = incore::ViewLoops(test::MadeUpLoops());
  if (!views.why_no_text.empty()) GTEST_SKIP() << views.why_no_text;
  AskLlvmMca({"AuthenticAMD", 25, 1}, views);  // Zen 3: since LLVM 13
  if (views.model.empty()) GTEST_SKIP() << views.why_no_model;
  ASSERT_TRUE(views.loops[0].bound) << views.loops[0].why_no_bound;
  EXPECT_GE(views.loops[0].bound->cycles, 1);
  EXPECT_LE(views.loops[0].bound->cycles, 4);
  EXPECT_EQ(views.loops[1].why_no_bound, "it is in no loop");
}

}  // namespace
}  // namespace roofmark::cli
