// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/machine_json.h"
#include "tests/lib/model/large_machine.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::cli {
namespace {

using test::LargeMachine;
using test::MakeCeiling;
using test::SampleMachine;
using ::testing::HasSubstr;
using ::testing::Not;

MachinePoint& PointOf(Machine& machine, std::string_view id, size_t i) {
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id == id) return ceiling.curve.at(i);
  }
  throw std::out_of_range(std::string(id));
}

std::string Compared(const Machine& first, const Machine& second) {
  return MachineComparison({"a.json", first}, {"b.json", second});
}

TEST(MachineComparison, SameMachine) {
  const std::string text = Compared(SampleMachine(), SampleMachine());
  EXPECT_THAT(text,
              ::testing::StartsWith("first: a.json: Sample CPU, 2 cores, quick measurement of "
                                    "2026-01-02T03:04:05Z\n"));
  EXPECT_THAT(text, HasSubstr("the hardware is the same\n"));
  EXPECT_THAT(text, HasSubstr("\ndp.peak                     80.00    80.00   x 1.00"
                              "     160.0    160.0   x 1.00\n"));
  EXPECT_THAT(text, HasSubstr("\n0 of 10 ceilings differ"));
  EXPECT_THAT(text, Not(HasSubstr("only in")));
}

TEST(MachineComparison, MarksWhatExceedsFivePercentAndBothSpreads) {
  Machine second = SampleMachine();
  PointOf(second, "compute.dp.add.512", 0).value = 41.9;  // less than 5 %
  PointOf(second, "bandwidth.L1.read", 0) = test::MakePoint(1, 1, 400, 390, 200, 405);
  PointOf(second, "bandwidth.L2.read", 0).value = 110;
  PointOf(second, "bandwidth.L2.read", 0).noise = 0.1;  // another run may give the first's
  PointOf(second, "bandwidth.L3.read", 1) = test::MakePoint(2, 1, 45, 44, 40, 46);
  const std::string text = Compared(SampleMachine(), second);
  EXPECT_THAT(text, HasSubstr("40.00    41.90   x 1.05 "));
  EXPECT_THAT(text, HasSubstr("360.0    400.0   x 1.11* "));
  EXPECT_THAT(text, HasSubstr("100.0    110.0   x 1.10  "));
  EXPECT_THAT(text, HasSubstr("60.00    45.00   x 0.75*\n"));
  EXPECT_THAT(text, HasSubstr("\n2 of 10 ceilings differ (*): by more than 5 % and "
                              "more than the noise of both"));
}

TEST(MachineComparison, SpreadOfSeveralNodesCountsToo) {
  Machine first = SampleMachine(), second = SampleMachine();
  PointOf(second, "bandwidth.DRAM.read", 0).value = 20;
  EXPECT_THAT(Compared(first, second), HasSubstr("x 1.18*"));
  PointOf(second, "bandwidth.DRAM.read", 0).node_min = 16.5;
  PointOf(second, "bandwidth.DRAM.read", 0).node_max = 22;
  EXPECT_THAT(Compared(first, second), Not(HasSubstr("x 1.18*")));
}

TEST(MachineComparison, ShowsHardwareThatDiffersAndNothingElseOfIt) {
  Machine second = SampleMachine();
  second.cpu_model = "Another CPU with a name that is longer than any column has room for";
  second.microcode = "0x2b";
  second.caches = {{1, 48 << 10, 12, 64, 1, 40 << 10}};
  const std::string text = Compared(SampleMachine(), second);
  EXPECT_THAT(text, HasSubstr("\nCPU               Sample CPU                     Another CPU wi"));
  EXPECT_THAT(text, HasSubstr("\nmicrocode         -                              0x2b\n"));
  EXPECT_THAT(text,
              HasSubstr("\nL1                -                              48 KiB for 1 core\n"));
  EXPECT_THAT(text, HasSubstr("\nL1 fast up to     -                              40 KiB\n"));
  EXPECT_THAT(text, Not(HasSubstr("\nkernel")));
}

TEST(MachineComparison, ListsWhatOnlyOneHas) {
  const std::string text = Compared(SampleMachine(), LargeMachine());
  EXPECT_THAT(text, HasSubstr("only in the second: compute.dp.ilp.scalar, compute.dp.add.scalar,"));
  EXPECT_THAT(text, Not(HasSubstr("only in the first")));
  EXPECT_THAT(text, HasSubstr("all cores: 2, 128"));
  EXPECT_THAT(Compared({}, LargeMachine()), HasSubstr("no ceiling was measured in both\n"));
}

TEST(MachineComparison, ComparesTheNodesOfAMatrixAndPeaksFirst) {
  const std::string text = Compared(LargeMachine(), LargeMachine());
  EXPECT_THAT(text, HasSubstr("numa.latency, ns"));
  EXPECT_THAT(text, ::testing::ContainsRegex("\n0\\.3 +210\\.0 +210\\.0 +x 1\\.00\n"));
  EXPECT_LT(text.find("\nsp.peak"), text.find("\ndp.chain"));
}

// Beside latencies and chains, of which they are the other half, and before the clock.
TEST(MachineComparison, ComparesInstructionsOfACore) {
  Machine machine = SampleMachine();
  for (const char* id : {"clock.scalar", "throughput.int", "branch.random", "latency.atomic"}) {
    machine.ceilings.push_back(MakeCeiling(id, id, 3));
  }
  const std::string text = Compared(machine, machine);
  EXPECT_LT(text.find("\nlatency,"), text.find("\nbranch,"));
  EXPECT_LT(text.find("\nbranch,"), text.find("\nthroughput,"));
  EXPECT_LT(text.find("\nthroughput,"), text.find("\nclock,"));
}

TEST(MachineComparison, FitsEightyColumns) {
  Machine second = LargeMachine();
  for (CeilingCurve& ceiling : second.ceilings) {
    for (MachinePoint& point : ceiling.curve) point.value *= 0.123;
  }
  std::istringstream lines(Compared(LargeMachine(), second) + Compared(SampleMachine(), second));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

// The command itself, as a user runs it.
class Compare : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [name, machine] :
         {std::pair{"a.json", SampleMachine()}, {"b.json", LargeMachine()}}) {
      ASSERT_TRUE(WriteFile(directory_.File(name), MachineToJson(machine), IfExists::kReplace));
    }
  }
  test::Ended Machine(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {ROOFMARK, "machine"});
    return test::Run(arguments, {{"XDG_CACHE_HOME", directory_.path()}}, directory_.path());
  }
  test::TempDir directory_;
};

TEST_F(Compare, TwoFiles) {
  const test::Ended ended = Machine({"--compare", "a.json", "b.json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.out, MachineComparison({"a.json", SampleMachine()}, {"b.json", LargeMachine()}));
}

TEST_F(Compare, WithThisMachineWhichWasNotMeasured) {
  const test::Ended ended = Machine({"--compare", "a.json"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(
      ended.err,
      test::LineOf(message::kNoMachineToCompare,
                   "this machine has not been measured; run `roofmark machine --quick` once"));
}

TEST_F(Compare, FilesThatCannotBeRead) {
  EXPECT_EQ(Machine({"--compare", "a.json", "missing.json"}).err,
            "roofmark: cannot read missing.json: No such file or directory\n");
  ASSERT_TRUE(WriteFile(directory_.File("bad.json"), "{}", IfExists::kReplace));
  const test::Ended ended = Machine({"--compare", "bad.json", "a.json"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("bad.json"));
}

TEST_F(Compare, RefusesToMeasureAtTheSameTime) {
  for (const std::vector<std::string>& measuring :
       {std::vector<std::string>{"--quick"}, {"--full"}, {"-o", "m.json"}}) {
    std::vector<std::string> arguments = {"--compare", "a.json", "b.json"};
    arguments.insert(arguments.end(), measuring.begin(), measuring.end());
    const test::Ended ended = Machine(arguments);
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr(" excludes --compare\n")) << measuring[0];
    EXPECT_EQ(ended.out, "");
  }
}

}  // namespace
}  // namespace roofmark::cli
