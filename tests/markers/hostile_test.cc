// SPDX-License-Identifier: BSD-3-Clause
//
// Applications that leave the library little room: it takes none, and they go on undisturbed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cinttypes>
#include <filesystem>

#include "lib/core/messages/recording.h"
#include "tests/support/process.h"
#include "tests/support/sanitizers.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Says;
using test::Value;
using testing::_;
using testing::Contains;
using testing::HasSubstr;

constexpr int kSeconds = 300;  // of a program that takes a second, or ten: else it hangs

class Hostile : public testing::Test {
 protected:
#if ROOFMARK_TEST_SANITIZED
  void SetUp() override { GTEST_SKIP() << "the sanitizer is hostile itself"; }
#endif
  Ended Off(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), HOSTILE);
    return test::Run(arguments, {}, directory_.path(), kSeconds);
  }
  // With recording on.
  Ended On(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), HOSTILE);
    return Record(arguments);
  }
  Ended Record(const std::vector<std::string>& command) {
    return test::Run(command,
                     {{"ROOFMARK_COLLECTOR", "timer"},
                      {"ROOFMARK_OUTPUT", output_},
                      {"ROOFMARK_SPOOL", directory_.File("spool")}},
                     directory_.path(), kSeconds);
  }
  JobProfile Job() { return test::ReadRoofline(output_).job; }

  test::TempDir directory_;
  std::string output_ = directory_.File("run.json");
};

MATCHER(IsDone, "is done") {
  *result_listener << "status " << arg.status << ", " << arg.out << arg.err;
  return arg.status == 0 && arg.out == "done\n";
}

TEST_F(Hostile, ThreadsMayHaveTheSmallestStack) {
  EXPECT_THAT(Off({"small_stacks"}), IsDone());
  EXPECT_THAT(On({"small_stacks"}), IsDone());
  EXPECT_EQ(Value(Job(), "outer", metric::kVisits), 20u);
  EXPECT_EQ(Value(Job(), "left open", metric::kVisits), 20u);
}

// Of a thread's stack, in bytes.
struct StackUse {
  int idle = -1, visiting = -1;
};

StackUse UseOf(const Ended& ended) {
  StackUse use;
  EXPECT_EQ(sscanf(ended.out.c_str(), "idle %d, visiting %d", &use.idle, &use.visiting), 2)
      << ended.out << ended.err;
  return use;
}

TEST_F(Hostile, MarkersNeedLittleStack) {
  const StackUse off = UseOf(Off({"stack"})), on = UseOf(On({"stack"}));
  EXPECT_LE(off.visiting - off.idle, 512);
  EXPECT_LE(on.visiting - on.idle, 4096);
}

#ifdef HOSTILE_PMU
// Markers, and the beginning and the end of a thread, which open and close counters.
class SmallStackOfHardware : public Hostile, public testing::WithParamInterface<const char*> {};

TEST_P(SmallStackOfHardware, IsEnough) {
  const std::vector<std::string> program = {HOSTILE_PMU, "stack"};
  // Reads in user space trap, which takes a frame of a signal on the stack. Real ones do not.
  const test::Environment machine = {{"VPMU_MACHINE", VPMU_MACHINE_FOLDER},
                                     {"VPMU_USER_READ", "0"}};
  test::Environment recorded = machine;
  recorded["ROOFMARK_COLLECTOR"] = GetParam();
  recorded["ROOFMARK_OUTPUT"] = output_;
  const StackUse without = UseOf(test::Run(program, machine, directory_.path(), kSeconds));
  const StackUse with = UseOf(test::Run(program, recorded, directory_.path(), kSeconds));
  EXPECT_LE(with.visiting - without.idle, 4096);
  EXPECT_LE(with.idle - without.idle, 4096);
  const JobProfile job = Job();
  ASSERT_EQ(job.run.passes.size(), 1u);
  EXPECT_EQ(job.run.passes[0].collector, GetParam());
}

constexpr const char* kHardware[] = {
    "perf_event",
#ifdef HAVE_PAPI
    "papi",
#endif
};
INSTANTIATE_TEST_SUITE_P(Collectors, SmallStackOfHardware, testing::ValuesIn(kHardware),
                         [](const auto& one) { return std::string(one.param); });
#endif

TEST_F(Hostile, AThreadMayBeCancelled) {
  EXPECT_THAT(Off({"cancellation"}), IsDone());
  EXPECT_THAT(On({"cancellation"}), IsDone());
  EXPECT_EQ(Value(Job(), "outer", metric::kVisits), 2u);
  EXPECT_EQ(Value(Job(), "not cancelled", metric::kVisits), 1u);
}

TEST_F(Hostile, APauseMayComeWhileAnotherThreadVisitsARegion) {
  EXPECT_THAT(On({"pauses"}), IsDone());
  EXPECT_GT(Value(Job(), "region number     1", metric::kVisits), 0u);
}

TEST_F(Hostile, AHandlerMayInterruptAMarkerAnywhere) {
  EXPECT_THAT(On({"signals"}), IsDone());
  EXPECT_THAT(Job().run.warnings, Contains(Says(message::kCallsHadNoEffect, _)));
}

TEST_F(Hostile, AHandlerMayInterruptTheFastPathAnywhere) {
  const Ended ended = On({"timed_signals"});
  uint64_t visits = 0, handled = 0, declined = 0;
  ASSERT_EQ(sscanf(ended.out.c_str(), "visits %" SCNu64 " handled %" SCNu64, &visits, &handled), 2)
      << ended.out << ended.err;
  const JobProfile job = Job();
  for (const std::string& warning : job.run.warnings) {
    const auto values = test::ValuesIn(warning, InWords(message::kCallsHadNoEffect, _));
    ASSERT_TRUE(values) << warning;
    declined = std::stoull(values->at(0));
  }
  EXPECT_EQ(Value(job, "around", metric::kVisits), visits);
  constexpr uint64_t kCalls = 5;  // of a handler
  uint64_t recorded = 0;
  for (const PathInfo& info : job.paths) {
    if (info.path.ends_with("in the same handler")) {
      recorded += Value(job, info.path, metric::kVisits);
      EXPECT_EQ(Value(job, info.path, metric::kDeclaredFlops),
                Value(job, info.path, metric::kVisits));
    }
  }
  EXPECT_EQ(recorded + declined / kCalls, handled);
}

// With the spool, or with the heap.
TEST_F(Hostile, AHandlerMayVisitAKnownRegionForLongInMalloc) {
  for (const std::string& spool : {directory_.File("spool"), std::string("off")}) {
    const Ended ended = test::Run(
        {HOSTILE, "long_signals"},
        {{"ROOFMARK_COLLECTOR", "timer"}, {"ROOFMARK_OUTPUT", output_}, {"ROOFMARK_SPOOL", spool}},
        directory_.path(), kSeconds);
    EXPECT_THAT(ended, IsDone()) << spool;
    EXPECT_EQ(Value(Job(), "long in a handler", metric::kVisits), 4u);
    EXPECT_GE(Value(Job(), "long in a handler", metric::kLongestVisitNs), 2'000'000u);
    unlink(output_.c_str());
  }
}

TEST_F(Hostile, AHandlerMayExitInsideAMarker) {
  const Ended ended = On({"exit_in_handler"});
  EXPECT_EQ(ended.status, 3) << ended.out << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("roofmark recover"));
}

TEST_F(Hostile, TheStateOfTheThreadIsKept) {
  EXPECT_THAT(Off({"state"}), IsDone());
  EXPECT_THAT(On({"state"}), IsDone());
}

TEST_F(Hostile, AProgramThatUsesUpItsMemoryIsRecorded) {
  ASSERT_THAT(On({"exhausts"}), IsDone());
  EXPECT_EQ(Value(Job(), "eats", metric::kVisits), 1u);
}

TEST_F(Hostile, AllKeysMayBeTaken) {
  EXPECT_THAT(Record({TAKES_ALL_KEYS, LIBRARY}), IsDone());
  const JobProfile job = Job();
  EXPECT_EQ(Value(job, "ended", metric::kVisits), 50u);
  EXPECT_EQ(Value(job, "left open", metric::kVisits), 50u);
  EXPECT_THAT(job.run.warnings, Contains(Says(message::kNoThreadKey)));
}

TEST_F(Hostile, NestingOfManyNamesIsBounded) {
  EXPECT_THAT(On({"deep", "10000"}), IsDone());
  EXPECT_LE(std::filesystem::file_size(output_), 4u << 20);
  const JobProfile job = Job();
  EXPECT_EQ(job.paths.size(), 257u);
  EXPECT_EQ(Value(job, "after", metric::kVisits), 1u);
  EXPECT_THAT(job.run.warnings, Contains(Says(message::kNestedTooDeep, 9744, _, _, _)));
  EXPECT_EQ(job.run.warnings.size(), 1u);
}

TEST_F(Hostile, ManyNamesSideBySide) {
  EXPECT_THAT(On({"wide", "70000"}), IsDone());
  const JobProfile job = Job();
  EXPECT_EQ(job.paths.size(), 65534u);
  EXPECT_THAT(job.run.warnings, Contains(Says(message::kTooManyRegions, 4466, _)));
}

}  // namespace
}  // namespace roofmark
