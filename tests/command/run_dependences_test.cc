// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark run takes latencies from the machine file, and its file tells what dependences need.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/file.h"
#include "lib/model/analysis.h"
#include "lib/model/machine_json.h"
#include "tests/lib/model/model_machine.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Ended;
using ::testing::HasSubstr;

// Additions take five nanoseconds, ten cycles.
Machine SlowMachine() {
  Machine machine = test::ModelMachine();
  machine.ceilings.push_back(test::MakeCeiling("clock.scalar", "clock", 2));
  machine.ceilings.back().curve[1].value = 2;
  machine.ceilings.push_back(test::MakeCeiling("chain.dp_add", "additions", 5));
  return machine;
}

class RunDependences : public ::testing::Test {
 protected:
  RunDependences() {
    EXPECT_TRUE(WriteFile(directory_.File("machine.json"), MachineToJson(SlowMachine()),
                          IfExists::kRefuse));
  }
  // A million additions, each of which waits for the one before it.
  JobProfile Run(const std::vector<std::string>& options,
                 std::map<std::string, std::string> environment = {}) {
    std::vector<std::string> command = {ROOFMARK,  "run",         "-o",        "run.json",
                                        "--force", "--no-report", "--machine", "machine.json"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", WORKING, "chain"});
    environment["LC_ALL"] = "C.UTF-8";
    const Ended ended = test::Run(command, environment, directory_.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    return test::ReadRoofline(directory_.File("run.json")).job;
  }

  test::TempDir directory_;
};

TEST_F(RunDependences, TakesLatenciesFromTheMachineFile) {
  const JobProfile job = Run({});
  const auto value = [&job](MetricId id) {
    return static_cast<double>(test::Value(job, "chain", id));
  };
  EXPECT_EQ(job.run.passes.at(1).facts.at("latencies"), "dp_add=10");
  EXPECT_EQ(job.sources[metric::kDependenceCycles].status, Status::kModelled);
  EXPECT_NEAR(value(metric::kDependenceCycles), 1e7, 2e5);
  EXPECT_NEAR(value(metric::kDependenceFpCycles), 1e7, 2e5);
  EXPECT_EQ(value(metric::kWorkerDependenceCyclesMax), value(metric::kDependenceCycles));
  const Machine machine = SlowMachine();
  const PathAnalysis path = Analyze(job, &machine).paths.at(0);
  EXPECT_EQ(path.runtime.binding, "dependences");
  EXPECT_NEAR(*path.runtime.needed_s, 5e-3, 1e-4);
}

// Where the machine file found less than half of a level fast, no more of it is modelled.
TEST_F(RunDependences, TakesTheCachesFromTheMachineFile) {
  const std::string all = Run({}).run.passes.at(1).facts.at("cache");
  Machine machine = SlowMachine();
  machine.caches = {{1, 32 << 10, 8, 64, 1, 4 << 10}};
  ASSERT_TRUE(
      WriteFile(directory_.File("machine.json"), MachineToJson(machine), IfExists::kReplace));
  const std::string less = Run({}).run.passes.at(1).facts.at("cache");
  EXPECT_NE(less, all);
  EXPECT_EQ(all.substr(all.find("L2:")), less.substr(less.find("L2:")));
  EXPECT_EQ(Run({"--cache", "L1:32K:8"}).run.passes.at(1).facts.at("cache"), "L1:32K:8")
      << "who set it knows better";
}

TEST_F(RunDependences, AreFollowedOnlyWhereTheyCanBe) {
  const auto reason = [](const JobProfile& job) {
    return job.sources[metric::kDependenceCycles].reason;
  };
  const char* how = "ROOFMARK_LATENCIES with ROOFMARK_COUNT=cache and ROOFMARK_SAMPLE=1 follows";
  EXPECT_THAT(reason(Run({"--count", "flops"})), HasSubstr(how));
  EXPECT_THAT(reason(Run({"--sample", "16"})), HasSubstr(how));
  EXPECT_THAT(reason(Run({}, {{"ROOFMARK_LATENCIES", "off"}})), HasSubstr(how))
      << "the user's own setting holds";
}

}  // namespace
}  // namespace roofmark
