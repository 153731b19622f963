// SPDX-License-Identifier: BSD-3-Clause
//
// The whole way with the native engine: programs print and end as without it, regions have the
// counts that are known, or those of the Valgrind engine; where counts are lost the region says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "lib/core/messages/collectors.h"
#include "lib/core/messages/recording.h"
#include "tests/markers/runtime/native_run.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;

class NativeEngine : public NativeRun {
 protected:
  JobProfile Count(const std::vector<std::string>& command, const char* engine = "native") {
    std::remove(output_.c_str());
    return RunAndRead(command, {{"ROOFMARK_COLLECTOR", "counting"},
                                {"ROOFMARK_ENGINE", engine},
                                {"ROOFMARK_COUNT", "flops"},
                                {"LD_BIND_NOW", "1"}});
  }
  JobProfile CountInterrupted(const std::string& how) { return CountBeside(INTERRUPTED, how); }
};

TEST_F(NativeEngine, NestedRegions) {
  const JobProfile job = Count({WORKING, "nested"});
  EXPECT_EQ(job.run.passes.at(0).facts.at("engine"), "native");
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "outer", kAdds), 3u * (1000 + 4 * 2000));
  EXPECT_EQ(Value(job, "outer/inner", kAdds), 3u * 4 * 2000);
}

TEST_F(NativeEngine, CountsAsValgrindDoes) {
  const JobProfile native = Count({WORKING, "nested"});
  const JobProfile other = Count({WORKING, "nested"}, "valgrind");
  for (const MetricId id : std::initializer_list<MetricId>{
           kAdds, metric::kInstructions, metric::kFpInstructions, metric::kFpOtherInstructions,
           metric::kLoadInstructions, metric::kStoreInstructions, metric::kBranchInstructions,
           metric::kLoadBytes, metric::kStoreBytes}) {
    EXPECT_EQ(Value(native, "outer/inner", id), Value(other, "outer/inner", id))
        << GetMetric(id).name;
  }
}

TEST_F(NativeEngine, EveryThreadOfATeamIsCounted) {
  const JobProfile job = Count({WORKING, "team", "4"});
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "team", kAdds), 2u * 10'000);
  EXPECT_EQ(Value(job, "team/own", kAdds), 10'000u);
}

// How long threads wait depends on the machine; what they work does not.
TEST_F(NativeEngine, WaitingInARuntimeIsNoWork) {
  uint64_t instructions[2] = {};
  for (const bool spins : {false, true}) {
    std::remove(output_.c_str());
    const JobProfile job =
        RunAndRead({WORKING, "team", "4"}, {{"ROOFMARK_COLLECTOR", "counting"},
                                            {"ROOFMARK_ENGINE", "native"},
                                            {"ROOFMARK_COUNT", "flops"},
                                            {"OMP_WAIT_POLICY", spins ? "active" : "passive"},
                                            {"LD_BIND_NOW", "1"}});
    ExpectComplete(job);
    instructions[spins] = Value(job, "team", metric::kInstructions);
    EXPECT_GT(Value(job, "team", InRuntime(metric::kInstructionsApart)), 100u);
  }
  EXPECT_EQ(instructions[0], instructions[1]);
}

#ifdef WORKING_LIBOMP
TEST_F(NativeEngine, TheRuntimeMayBeLlvms) {
  const JobProfile job = Count({WORKING_LIBOMP, "team", "4"});
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "team", kAdds), 2u * 10'000);
  EXPECT_EQ(Value(job, "team/own", kAdds), 10'000u);
}
#endif

TEST_F(NativeEngine, ExceptionsJumpsMemoryAndChildrenAreFollowed) {
  const std::map<std::string, uint64_t> kAdditions = {
      {"exceptions", 66u * 11}, {"longjmp", 100u * 11}, {"children", 5u * 201}};
  for (const char* how : {"exceptions", "longjmp", "memory", "children", "refused"}) {
    const JobProfile job = CountInterrupted(how);
    ExpectComplete(job);
    EXPECT_EQ(Value(job, "behind", kAdds), 1000u) << how;
    const auto known = kAdditions.find(how);
    if (known == kAdditions.end()) continue;
    EXPECT_EQ(Value(job, "whole", kAdds), known->second) << how;
  }
}

TEST_F(NativeEngine, HandlersSeeTheProgramAndAreCounted) {
  ExpectHandlersCounted(CountInterrupted("timer"));
}

TEST_F(NativeEngine, WhatAJumpOutOfAHandlerLeadsToIsCounted) {
  ExpectHandlersCounted(CountInterrupted("siglongjmp"));
}

TEST_F(NativeEngine, HandlersOfHandlersAndTheirRegionsAreCountedOnEachThread) {
  const JobProfile job = CountInterrupted("handlers");
  ExpectHandlersCounted(job);
  EXPECT_EQ(Value(job, "disturbed/in handler", kAdds), 3u * 100 * 11);
  EXPECT_EQ(Value(job, "disturbed", kAdds), 3u * 100 * (11 + 11 + 21));
}

TEST_F(NativeEngine, AFaultIsShownAtItsPlace) {
  const JobProfile job = CountInterrupted("fault");
  ExpectIncomplete(job, "interrupt");
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

// The code of roofmark that was interrupted belongs to no region, and what follows natively to the
// one around it.
TEST_F(NativeEngine, AHandlerThatLeadsAwayFromCodeOfRoofmarkIsSaid) {
  const JobProfile job = CountInterrupted("led_away");
  ExpectIncomplete(job, "changed where");
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

TEST_F(NativeEngine, CodeThatIsMadeAtRunTimeIsSaid) {
  const JobProfile job = CountInterrupted("made");
  ExpectIncomplete(job, "made at run time");
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

TEST_F(NativeEngine, CancelledThreadsTidyUp) {
  const JobProfile job = CountInterrupted("cancelled");
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

TEST_F(NativeEngine, AThreadOfWhichNobodyToldIsSaid) {
  const JobProfile job = CountInterrupted("stranger");
  ExpectIncomplete(job, "by other means than pthread_create");
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

TEST_F(NativeEngine, HandlersThatAChildOfVforkSetsAreItsOwn) {
  ExpectHandlersCounted(CountInterrupted("vfork"));
}

TEST_F(NativeEngine, CodeThatIsPatchedIsTranslatedAnew) {
  ExpectComplete(CountInterrupted("patched"));
  ExpectComplete(CountInterrupted("patched_in_regions"));
}

TEST_F(NativeEngine, CodeThatIsPatchedInSecretIsSaid) {
  const JobProfile job = CountInterrupted("patched_in_secret");
  EXPECT_THAT(job.run.passes.at(0).facts.at("incomplete"),
              HasSubstr("code was changed in memory after it was translated, by other means than "
                        "mprotect (disturbed"));
}

TEST_F(NativeEngine, ALossIsAWarningOfTheFile) {
  const JobProfile job = CountInterrupted("patched_in_secret");
  EXPECT_THAT(job.run.warnings,
              testing::Contains(InWords(message::kCountsAreIncomplete,
                                        job.run.passes.at(0).facts.at("incomplete"))));
}

TEST_F(NativeEngine, ALibraryInThePlaceOfAnother) {
  const JobProfile job = CountInterrupted("reloaded");
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "whole", kAdds), 400u);
}

TEST_F(NativeEngine, CodeOfOtherFilesComesToItsPlaceOutsideOfRegions) {
  const JobProfile job = CountInterrupted("mapped");
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "behind", kAdds), 1000u);
}

// The program's own dlclose is not that of the library there.
TEST_F(NativeEngine, LibrariesThatAProgramUnloadsWhichOpenedRoofmarkLocally) {
  const JobProfile job = CountBeside(OPENS_LOCAL, LIBRARY);
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "whole", kAdds), 400u);
}

// More of them than modules are known at one time.
TEST_F(NativeEngine, LibrariesThatAreLoadedAtEverNewPlacesAreCounted) {
  const JobProfile job = CountInterrupted("elsewhere");
  ExpectComplete(job);
  EXPECT_EQ(Value(job, "whole", kAdds), 300u * 10);
}

TEST_F(NativeEngine, AutoSaysWhatItTook) {
  const Environment given = {{"ROOFMARK_COLLECTOR", "counting"}, {"ROOFMARK_ENGINE", "auto"}};
  Environment flops = given;
  flops["ROOFMARK_COUNT"] = "flops";
  const JobProfile alone = RunAndRead({WORKING, "nested"}, flops);
  EXPECT_EQ(alone.run.passes.at(0).facts.at("engine"), "native");
  EXPECT_THAT(ended_.err, HasSubstr("under the counting engine native (FLOPs and instructions"));
  std::remove(output_.c_str());
  const JobProfile caches = RunAndRead({WORKING, "nested"}, given);
  EXPECT_EQ(caches.run.passes.at(0).facts.at("engine"), "native");
  EXPECT_EQ(caches.run.passes.at(0).facts.at("line_sampling"), "16");
  EXPECT_THAT(ended_.err, HasSubstr("under the counting engine native (it models one cache line"));
  std::remove(output_.c_str());
  Environment causes = given;
  causes["ROOFMARK_COUNT"] = "threec";
  const JobProfile three = RunAndRead({WORKING, "nested"}, causes);
  const auto& facts = three.run.passes.at(0).facts;
  EXPECT_EQ(facts.at("engine"), "valgrind");
  EXPECT_THAT(facts.at("engine_choice"), HasSubstr("does not tell why misses happen"));
  EXPECT_THAT(ended_.err, HasSubstr("under the counting engine valgrind (the native engine"));
  std::remove(output_.c_str());
  Environment chains = given;
  chains["ROOFMARK_SAMPLE"] = "1";
  chains["ROOFMARK_LATENCIES"] = "dp_add=4";
  EXPECT_EQ(RunAndRead({WORKING, "nested"}, chains).run.passes.at(0).facts.at("engine"), "native");
}

TEST_F(NativeEngine, AutoLeavesExecutedCodeToValgrind) {
  const JobProfile job = RunAndRead({WORKING, "nested"}, {{"ROOFMARK_ENGINE", "auto"},
                                                          {"ROOFMARK_COLLECTOR", "counting"},
                                                          {"ROOFMARK_COUNT", "flops"},
                                                          {"ROOFMARK_EXECUTED", "on"}});
  EXPECT_EQ(job.run.passes.at(0).facts.at("engine"), "valgrind");
  EXPECT_THAT(ended_.err, HasSubstr("records executed code in regions alone"));
}

TEST_F(NativeEngine, RunTakesItForTheWorkPass) {
  const auto run = [this](const std::vector<std::string>& options) {
    std::vector<std::string> command = {ROOFMARK, "run", "--no-machine", "-o", output_, "--force"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", WORKING, "nested"});
    return test::Run(command, {}, directory_.path());
  };
  const Ended ended = run({"--engine", "native", "--work", "always"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const JobProfile job = ReadRoofline(output_).job;
  EXPECT_EQ(job.run.passes.at(1).facts.at("engine"), "native");
  EXPECT_EQ(Value(job, "outer/inner", kAdds), 3u * 4 * 2000);
  EXPECT_GT(Value(job, "outer/inner", metric::kLoadBytes), 0u);
  EXPECT_TRUE(HasValue(job.sources[metric::kDramReadBytes].status));
  const Ended report = test::Run({ROOFMARK, "report", output_}, {}, directory_.path());
  EXPECT_THAT(report.out, testing::ContainsRegex("FLOP/B +GB/s"));
  const Ended wrong = run({"--engine", "native", "--count", "threec"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("leave out --count threec"));
}

TEST_F(NativeEngine, AProgramIsKilledAsItIsAlone) { CountInterrupted("killed"); }

TEST_F(NativeEngine, SaysWhatItDoesNotCount) {
  const Ended ended = test::Run({WORKING, "nested"}, {{"ROOFMARK_COLLECTOR", "counting"},
                                                      {"ROOFMARK_ENGINE", "native"},
                                                      {"ROOFMARK_COUNT", "threec"},
                                                      {"ROOFMARK_OUTPUT", output_}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, test::Says(message::kNativeTellsNoMisses));
}

}  // namespace
}  // namespace roofmark::test
