// SPDX-License-Identifier: BSD-3-Clause
//
// Answers of three versions of llvm-mca, recorded for a chain of fused pairs:
//   llvm-mca-N -mtriple=x86_64 -mcpu=CPU -iterations=1000 -json -
#include "lib/incore/llvm_mca.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/file.h"
#include "tests/lib/incore/made_up_loops.h"

namespace roofmark::incore {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Recorded(const std::string& name) {
  const Result<std::string> text = ReadFile(std::string(DATA) + "/" + name, 1 << 20);
  EXPECT_TRUE(text) << name;
  return text ? *text : "";
}

TEST(LlvmMca, AnswersOfThreeVersions) {
  for (const auto& [name, cpu, port] :
       {std::tuple("mca-14.json", "znver3", "Zn3"), std::tuple("mca-16.json", "znver4", "Zn4"),
        std::tuple("mca-19.json", "znver4", "Zn4")}) {
    const Result<McaAnswer> answer = ReadMcaAnswer(Recorded(name));
    ASSERT_TRUE(answer) << name << answer.error();
    EXPECT_EQ(answer->cpu, cpu);
    EXPECT_NEAR(answer->bound.cycles, 4.011, 1e-9) << "a fused pair waits 4 cycles for the last";
    EXPECT_DOUBLE_EQ(answer->bound.ports_cycles, 1);
    EXPECT_TRUE(answer->bound.WaitsForChain());
    EXPECT_THAT(answer->bound.busiest, StartsWith(port));
    EXPECT_DOUBLE_EQ(answer->bound.busiest_cycles, 1);
    EXPECT_THAT(answer->ports, ::testing::Contains(StartsWith(port)));
  }
}

TEST(LlvmMca, TheModelOfAnotherCpuIsSeenByItsPorts) {
  const Result<McaAnswer> answer = ReadMcaAnswer(Recorded("mca-16-borrowed.json"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->cpu, "sapphirerapids");
  EXPECT_THAT(answer->ports, ::testing::Each(StartsWith("SKX")));
}

TEST(LlvmMca, OtherAnswersAreErrorsThatSayWhy) {
  EXPECT_THAT(ReadMcaAnswer("").error(), HasSubstr("no JSON"));
  EXPECT_THAT(ReadMcaAnswer("error: found an unsupported instruction").error(),
              HasSubstr("no JSON"));
  EXPECT_THAT(ReadMcaAnswer("{}").error(), HasSubstr("code regions"));
  EXPECT_THAT(ReadMcaAnswer(R"({"CodeRegions": [{}]})").error(), HasSubstr("summary"));
  EXPECT_THAT(
      ReadMcaAnswer(R"({"CodeRegions": [{"SummaryView": {"Iterations": "many"}}]})").error(),
      HasSubstr("types"));
  EXPECT_THAT(ReadMcaAnswer(R"({"CodeRegions": [{"SummaryView": {"Iterations": 0}}]})").error(),
              HasSubstr("cycles"));
}

// Whatever is missing in an answer: an error or a bound, no crash.
TEST(LlvmMca, CutAndChangedAnswers) {
  const std::string whole = Recorded("mca-16.json");
  for (size_t i = 0; i < whole.size(); i += 7) {
    EXPECT_FALSE(ReadMcaAnswer(whole.substr(0, i)));
    std::string changed = whole;
    changed[i] = changed[i] == '1' ? '"' : '1';
    const Result<McaAnswer> answer = ReadMcaAnswer(changed);
    if (answer) {
      EXPECT_GT(answer->bound.cycles, 0);
    }
  }
}

TEST(LlvmMca, Versions) {
  EXPECT_EQ(ReadMcaVersion("Debian LLVM version 14.0.6\n  Optimized build."), "14.0.6");
  EXPECT_EQ(ReadMcaVersion("LLVM (http://llvm.org/):\n  LLVM version 19.1.7\n"), "19.1.7");
  EXPECT_EQ(ReadMcaVersion("no such program"), "");
}

TEST(LlvmMca, TheBodyAsAssemblerText) {
  if (!assembly::CanRead()) GTEST_SKIP() << assembly::WhyNot();
  const LoopsView views = ViewLoops(test::MadeUpLoops());
  EXPECT_EQ(AssemblerText(views.loops[0]),
            ".intel_syntax noprefix\n"
            "vmovupd ymm0, ymmword ptr [rsi+rax*1]\n"
            "vfmadd213pd ymm0, ymm1, ymmword ptr [rdx+rax*1]\n"
            "add rax, 0x20\n"
            "cmp rax, rcx\n"
            "jnz target\n");
  EXPECT_EQ(AssemblerText(views.loops[1]), "") << "no loop";
  EXPECT_EQ(IterationsFor(views.loops[0]), 2000u);
}

}  // namespace
}  // namespace roofmark::incore
