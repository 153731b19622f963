// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark run --children: forked processes are recorded, and those of one parent that run side by
// side are one program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/command_run.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Value;

constexpr uint64_t kFlops = 100'000;

struct Row {
  std::string engine;
  std::vector<std::string> arguments;
};

class RunChildren : public testing::TestWithParam<Row> {};

TEST_P(RunChildren, AreAProgramWithARankForEach) {
  const test::TempDir directory;
  std::vector<std::string> command = {
      ROOFMARK,          "run",       "--no-machine", "--no-report", "--children", "--engine",
      GetParam().engine, "--work",    "always",       "--count",     "flops",      "-o",
      "run.json",        "--program", FORKS,          "--",          FORKS};
  command.insert(command.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const Ended ended = test::Run(command, {{"ROOFMARK_SPOOL", directory.path()}}, directory.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, test::Says(message::kProgramsOfCommand, 2u, testing::_, testing::_));
  const JobProfile parent = test::ReadRoofline(directory.File("run.json")).job;
  const bool is_daemon = GetParam().arguments == std::vector<std::string>{"daemon"};
  EXPECT_EQ(Value(parent, "parent", metric::kFlops), (is_daemon ? 1 : 2) * kFlops);
  EXPECT_EQ(parent.FindPath("child"), -1);
  const JobProfile children = test::ReadRoofline(directory.File("run.2.json")).job;
  EXPECT_EQ(children.run.ranks, 4u);
  ASSERT_GE(children.FindPath("child"), 0);
  EXPECT_EQ(children.FindPath("parent"), -1);
  const auto child = static_cast<size_t>(children.FindPath("child"));
  EXPECT_EQ(children.At(child, metric::kTimeNs).ranks, 4u);
  EXPECT_EQ(Value(children, "child", metric::kVisits), 4u);
  EXPECT_EQ(Value(children, "child", metric::kFlops), 10 * kFlops);
  EXPECT_EQ(children.At(child, metric::kFlops).max, 4 * kFlops);
  EXPECT_EQ(children.At(child, metric::kFlops).max_rank, 3u);
}

INSTANTIATE_TEST_SUITE_P(Engines, RunChildren,
                         testing::Values(Row{"valgrind", {}}, Row{"native", {}},
                                         Row{"valgrind", {"killed"}}, Row{"native", {"daemon"}}),
                         [](const auto& info) {
                           const std::vector<std::string>& words = info.param.arguments;
                           return info.param.engine + (words.empty() ? "" : words[0]);
                         });

}  // namespace
}  // namespace roofmark
