// SPDX-License-Identifier: BSD-3-Clause
//
// Whole processes with ROOFMARK_SAMPLES: an unmodified program into which the library is preloaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "lib/core/file.h"
#include "lib/core/messages/recording.h"
#include "lib/samples/samples_json.h"
#include "tests/support/chance.h"
#include "tests/support/process.h"
#include "tests/support/sanitizers.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Says;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SamplerRun : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
#if ROOFMARK_TEST_SANITIZED
    GTEST_SKIP() << "an unmodified program has no sanitizer's library";
#endif
  }

  // The setting that chooses the method.
  Samples Sample(std::vector<std::string> command, const std::string& setting) {
    command.insert(command.begin(), SAMPLED);
    const test::Environment environment = {{"LD_PRELOAD", LIBRARY},
                                           {"ROOFMARK_COLLECTOR", "timer"},
                                           {"ROOFMARK_SAMPLES", setting},
                                           {"ROOFMARK_OUTPUT", directory_.File("run.json")},
                                           {"ROOFMARK_SPOOL", "off"}};
    ended_ = test::Run(command, environment, directory_.path());
    if (ended_.status == 77) return {};
    EXPECT_EQ(ended_.status, 0) << ended_.err;
    const Result<std::string> text = ReadFile(directory_.File("run.samples0.json"));
    EXPECT_TRUE(text) << text.error() << ended_.err;
    const Result<Samples> samples =
        text ? SamplesFromJson(*text, "run.samples0.json") : Error{text.error()};
    EXPECT_TRUE(samples) << samples.error();
    if (!samples || samples->processes.size() != 1) return {};
    ExpectSums(*samples);
    return *samples;
  }
  Samples Sample(std::vector<std::string> command) {
    return Sample(std::move(command), GetParam());
  }
  bool ByTimer() const { return std::string_view(GetParam()).starts_with("timer"); }

  // Every sample that arrived is at a place, or unknown.
  static void ExpectSums(const Samples& samples) {
    uint64_t arrived = 0, placed = 0;
    for (const SampledThread& thread : samples.processes[0].threads) arrived += thread.samples;
    for (const SampledModule& module : samples.modules) placed += In(module, 0, UINT64_MAX);
    EXPECT_EQ(placed + samples.processes[0].unknown, arrived);
  }
  static uint64_t In(const SampledModule& module, uint64_t begin, uint64_t end) {
    uint64_t sum = 0;
    for (const SampledPlace& place : module.places) {
      if (place.offset >= begin && place.offset < end) sum += place.samples;
    }
    return sum;
  }
  static uint64_t SamplesIn(const Samples& samples, const std::string& ending) {
    uint64_t sum = 0;
    for (const SampledModule& module : samples.modules) {
      if (module.file.ends_with(ending)) sum += In(module, 0, UINT64_MAX);
    }
    return sum;
  }

  // Three() has three quarters of the samples, but for what chance makes of as many
  // (test::kChance), and both have nearly all of them: half of them for certain. On a busy machine
  // a thread seldom meets the tick that its timer waits for: most are counted as lost.
  void ExpectThreeToOne(const Samples& samples) const {
    unsigned long long at[4] = {};
    ASSERT_EQ(std::sscanf(ended_.out.c_str(), "%llu %llu %llu %llu", at, at + 1, at + 2, at + 3),
              4);
    uint64_t three = 0, one = 0;
    for (const SampledModule& module : samples.modules) {
      if (module.file != SAMPLED) continue;
      EXPECT_THAT(module.build_id, AnyOf(IsEmpty(), testing::SizeIs(40)));
      three += In(module, at[0], at[1]);
      one += In(module, at[2], at[3]);
    }
    uint64_t arrived = 0, lost = 0;
    for (const SampledThread& thread : ProcessOf(samples).threads) {
      arrived += thread.samples;
      lost += thread.lost;
    }
    ASSERT_GE(arrived + lost, 20u) << "too few samples";
    EXPECT_TRUE(test::IsShare(three, three + one, 0.75)) << three << " and " << one;
    EXPECT_GE(test::AtMost(three + one, arrived, 0.5), test::kChance)
        << three + one << " of " << arrived;
  }
  static const SampledProcess& ProcessOf(const Samples& samples) { return samples.processes[0]; }

  test::TempDir directory_;
  test::Ended ended_;
};

INSTANTIATE_TEST_SUITE_P(Methods, SamplerRun, testing::Values("on", "timer:1000"),
                         [](const auto& method) {
                           return std::string(method.param == std::string("on") ? "on" : "timer");
                         });

#define ROOFMARK_SAMPLE_OR_RETURN(samples, ...)                                 \
  const Samples samples = Sample(__VA_ARGS__);                                  \
  if (ended_.status == 77) GTEST_SKIP() << "the kernel has no seccomp filters"; \
  if (samples.processes.empty()) return

// --- shares
// -----------------------------------------------------------------------------------------

TEST_P(SamplerRun, SharesAreThoseOfTheCpuTime) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"work"});
  ExpectThreeToOne(samples);
  const SampledProcess& process = ProcessOf(samples);
  EXPECT_GE(process.cpu_ns, 600'000'000u);
  EXPECT_GE(process.wall_ns, 500'000'000u);
  ASSERT_EQ(process.threads.size(), 1u);
  const SampledThread& main = process.threads[0];
  EXPECT_GE(main.cpu_ns, 600'000'000u);
  EXPECT_LE(main.cpu_ns, process.cpu_ns);
  // Each sample stands for a period of its CPU time.
  const uint64_t periods = main.cpu_ns / main.period_ns;
  EXPECT_LE(main.samples + main.lost, periods + periods / 10 + 2);
  // A timer counts the periods that it missed. A hypervisor that takes the CPU away takes the
  // samples of an event away with it.
  EXPECT_GE(main.samples + main.lost, ByTimer() ? periods / 2 : periods / 20);
  if (ByTimer()) {
    EXPECT_EQ(main.method, SampleMethod::kTimer);
    EXPECT_EQ(process.why_not_perf_event, "ROOFMARK_SAMPLES asks for timers");
    EXPECT_EQ(main.kernel, std::nullopt);
  }
  EXPECT_EQ(ended_.err.find("ROOFMARK_SAMPLES"), std::string::npos) << ended_.err;
}

TEST_P(SamplerRun, EachThreadIsSampledFromItsStart) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"threads"});
  ExpectThreeToOne(samples);
  const auto& threads = ProcessOf(samples).threads;
  ASSERT_EQ(threads.size(), 5u);
  for (size_t i = 1; i < threads.size(); ++i) {
    EXPECT_EQ(threads[i].number, i);
    EXPECT_GE(threads[i].cpu_ns, 300'000'000u);
    EXPECT_GT(threads[i].samples + threads[i].lost, 15u);
  }
}

TEST_P(SamplerRun, ThreadsThatBypassPthreadCreateAreFound) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"bypasses"});
  ExpectThreeToOne(samples);
  ASSERT_EQ(ProcessOf(samples).threads.size(), 2u);
  EXPECT_GT(ProcessOf(samples).threads[1].samples + ProcessOf(samples).threads[1].lost, 20u);
}

TEST_P(SamplerRun, ThousandsOfSmallThreadsComeAndGo) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"many"});
  EXPECT_EQ(ProcessOf(samples).threads.size(), 2001u);
  EXPECT_THAT(ProcessOf(samples).warnings, IsEmpty());
}

// What the sampler does grows with the time and not with the samples; sources_test shows that a
// sample costs no system call.
TEST_P(SamplerRun, TheHelperWakesUpTenTimesASecond) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"work"});
  EXPECT_LE(ProcessOf(samples).own.wake_ups, ProcessOf(samples).wall_ns / 100'000'000 + 1);
}

// --- what programs do
// ---------------------------------------------------------------------------------

TEST_P(SamplerRun, AProgramThatProfilesItselfGoesOnDoingSo) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"profiler"});
  ExpectThreeToOne(samples);
}

TEST_P(SamplerRun, AHandlerThatTheProgramInstallsLaterIsItsOwn) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"takes_signal"});
  ExpectThreeToOne(samples);
  if (!ByTimer()) return;
  EXPECT_THAT(ProcessOf(samples).warnings,
              ElementsAre(Says(message::kThreadsSampledInPart, 1,
                               "the program replaced roofmark's handler for SIGURG")));
  EXPECT_THAT(ended_.err, Says(message::kSamplesMissing,
                               InWords(message::kThreadsSampledInPart, 1, testing::_)));
}

TEST_P(SamplerRun, AProgramThatResetsAllSignalsIsNotEnded) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"resets"});
  if (!ByTimer()) return ExpectThreeToOne(samples);
  EXPECT_THAT(ProcessOf(samples).warnings,
              ElementsAre(Says(message::kThreadsSampledInPart, 1, testing::_)));
}

TEST_P(SamplerRun, EventsOfTheProgramsOwnAreNotDisturbed) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"perf"});
  ExpectThreeToOne(samples);
}

TEST_P(SamplerRun, AForkedChildIsNotSampled) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"forks"});
  ExpectThreeToOne(samples);
  EXPECT_LT(ProcessOf(samples).cpu_ns, 550'000'000u) << "the child has 0.6 s";
  EXPECT_THAT(test::ListFiles(directory_.path()),
              testing::UnorderedElementsAre("run.json", "run.samples0.json"));
}

TEST_P(SamplerRun, DescriptorsMayBeClosedAndNoneIsKept) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"closes"});
  ExpectThreeToOne(samples);
  EXPECT_THAT(ProcessOf(samples).warnings, IsEmpty());
}

TEST_P(SamplerRun, WithoutAFreeDescriptorThereAreTimers) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"few_files"});
  ExpectThreeToOne(samples);
  const SampledProcess& process = ProcessOf(samples);
  ASSERT_EQ(process.threads.size(), 3u);
  EXPECT_EQ(process.threads[1].method, SampleMethod::kTimer);
  EXPECT_THAT(process.why_not_perf_event,
              AnyOf(HasSubstr("asks for timers"), HasSubstr("no file descriptor is left"),
                    HasSubstr("the operating system")));
}

TEST_P(SamplerRun, LibrariesThatComeAndGoAreKnown) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"plugins", PLUGIN});
  const uint64_t arrived = ProcessOf(samples).threads[0].samples;
  const uint64_t in_plugin = SamplesIn(samples, PLUGIN);
  // The rest of the program takes less than a tenth of the time.
  EXPECT_GE(test::AtMost(in_plugin, arrived, 0.9), test::kChance) << in_plugin << " of " << arrived;
}

TEST_P(SamplerRun, ThreadsThatBlockAllSignals) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"blocks"});
  if (ProcessOf(samples).threads[1].method == SampleMethod::kPerfEvent) {
    return ExpectThreeToOne(samples);
  }
  EXPECT_THAT(ProcessOf(samples).warnings, ElementsAre(Says(message::kSignalBlocked, 1)));
}

// --- methods
// --------------------------------------------------------------------------------------

TEST_P(SamplerRun, WhereTheKernelDeniesTheEventThereAreTimers) {
  ROOFMARK_SAMPLE_OR_RETURN(samples, {"denied", "threads"});
  ExpectThreeToOne(samples);
  for (const SampledThread& thread : ProcessOf(samples).threads) {
    EXPECT_EQ(thread.method, SampleMethod::kTimer);
  }
  EXPECT_THAT(ProcessOf(samples).why_not_perf_event,
              AnyOf(HasSubstr("seccomp"), HasSubstr("asks for timers")));
}

TEST_F(SamplerRun, WithoutAnyMethodTheRooflineFileSaysWhy) {
  const test::Ended ended = test::Run({SAMPLED, "denied", "work"},
                                      {{"LD_PRELOAD", LIBRARY},
                                       {"ROOFMARK_COLLECTOR", "timer"},
                                       {"ROOFMARK_SAMPLES", "perf_event:1000"},
                                       {"ROOFMARK_SPOOL", "off"},
                                       {"ROOFMARK_OUTPUT", directory_.File("run.json")}},
                                      directory_.path());
  if (ended.status == 77) GTEST_SKIP() << "the kernel has no seccomp filters";
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, Says(message::kNothingSampled, testing::_));
  EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("run.json"));
  const RooflineFile file = test::ReadRoofline(directory_.File("run.json"));
  EXPECT_THAT(file.job.run.passes[0].facts.at("samples"), HasSubstr("seccomp"));
}

#ifdef WITH_COUNTING
TEST_F(SamplerRun, UnderTheCountingEngineNothingIsSampled) {
  const test::Ended ended = test::Run({SAMPLED, "none"},
                                      {{"LD_PRELOAD", LIBRARY},
                                       {"ROOFMARK_COLLECTOR", "counting"},
                                       {"ROOFMARK_COUNT", "flops"},
                                       {"ROOFMARK_SAMPLES", "on"},
                                       {"ROOFMARK_OUTPUT", directory_.File("run.json")}},
                                      directory_.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.err.find("ROOFMARK_SAMPLES"), std::string::npos) << ended.err;
  EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("run.json"));
  const RooflineFile file = test::ReadRoofline(directory_.File("run.json"));
  EXPECT_THAT(file.job.run.passes[0].facts.at("samples"), HasSubstr("counted in this way"));
}
#endif

TEST_F(SamplerRun, TheRooflineFileNamesTheFile) {
  Sample({"work"}, "on");
  const RooflineFile file = test::ReadRoofline(directory_.File("run.json"));
  EXPECT_EQ(file.job.run.passes[0].facts.at("samples"), directory_.File("run.samples0.json"));
  Sample({"work"}, "off");
  EXPECT_FALSE(test::ReadRoofline(directory_.File("run.1.json"))
                   .job.run.passes[0]
                   .facts.contains("samples"));
}

}  // namespace
}  // namespace roofmark
