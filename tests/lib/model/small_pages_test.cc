// SPDX-License-Identifier: BSD-3-Clause
//
// Pages of 4 KiB as one more limit of DRAM and L3: known answers on the machine of model_machine.h.
#include "lib/model/small_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "lib/report/advice_words.h"
#include "lib/report/deed_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::First;
using test::JobOf;
using test::kGiga;
using test::MakeCeiling;
using test::ModelMachine;
using test::Of;
using test::Set;
using ::testing::HasSubstr;

// From pages of 4 KiB a core reads so many GB/s, two cores twice as many.
Machine With(double gbs, double noise = 0) {
  Machine machine = ModelMachine();
  const std::string id = SmallPagesCeilingId("DRAM");
  machine.ceilings.push_back(MakeCeiling(id, id, gbs));
  for (MachinePoint& point : machine.ceilings.back().curve) {
    point.value = gbs * point.cores;
    point.noise = noise;
  }
  return machine;
}

// 24 GB of reads on two ranks, in ten seconds.
JobProfile Reading(uint64_t faults) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, kGiga, 24 * kGiga);
  Set(job, 0, metric::kTimeNs, {10 * kGiga, 10 * kGiga}, "timer");
  test::TouchSmallPages(job, faults);
  return job;
}

PathAnalysis Analyzed(uint64_t faults, const Machine& machine) {
  return Analyze(Reading(faults), &machine).paths[0];
}

TEST(SmallPages, AreToldByTheNumberOfPageFaults) {
  EXPECT_NEAR(*SmallPagesShare(Reading(100'000).run), 1, 1e-9);
  EXPECT_NEAR(*SmallPagesShare(Reading(25'000).run), 0.25, 1e-9);
  EXPECT_NEAR(*SmallPagesShare(Reading(500'000).run), 1, 1e-9) << "given back and touched again";
  EXPECT_EQ(SmallPagesShare(RunInfo()).reason.id, Reason::kNoPageFaults);
}

TEST(SmallPages, TakeAsLongAsTheyWereMeasuredToTake) {
  const PathAnalysis path = Analyzed(100'000, With(5));
  EXPECT_EQ(path.runtime.binding, "DRAM");
  EXPECT_EQ(First(path), "small_pages");
  // 24 GB through 10 GB/s, in place of 30.
  EXPECT_NEAR(*path.runtime.attainable, 1 / 2.4, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kSmallPages).gain.least, 3, 1e-9);
  EXPECT_EQ(
      AdviceSentence(Of(path, Shortfall::kSmallPages), path.runtime),
      "Try huge pages (100 % of the memory lies in pages of 4 KiB; with glibc: "
      "GLIBC_TUNABLES=glibc.malloc.hugetlb=1; whether the operating system makes them here was not "
      "recorded): this region's work up to 3.0x faster");
}

// The 24 GB of 2.4 s in 2.5.
std::vector<Advice> AdviceWith(const std::map<std::string, std::string>& facts,
                               const Machine& machine, std::string* sentence = nullptr) {
  JobProfile job = Reading(100'000);
  const auto ns = uint64_t{2'500'000'000};
  Set(job, 0, metric::kTimeNs, {ns, ns}, "timer");
  job.run.passes[0].facts = facts;
  const JobAnalysis analysis = Analyze(job, &machine);
  std::vector<Advice> advice = AdviceFor(job, analysis);
  if (sentence != nullptr) *sentence = AdviceSentence(advice.at(0), {"", job, analysis});
  return advice;
}

TEST(SmallPages, SaveForSureWhereTheKernelMakesHugeOnesOnDemand) {
  std::string sentence;
  const std::vector<Advice> advice = AdviceWith({{kHugePagesFact, "madvise"}}, With(5), &sentence);
  ASSERT_EQ(advice.at(0).shortfall, Shortfall::kSmallPages);
  EXPECT_NEAR(advice[0].saves.least, 2.4 * 2 / 3 * 0.95, 1e-6);
  EXPECT_NEAR(advice[0].saves.most, 2.5 * 2 / 3 * 1.05, 1e-6);
  EXPECT_THAT(sentence, HasSubstr("Use huge pages"));
}

TEST(SmallPages, AreAQuestionWhereHugeOnesMayNotComeOrNotPay) {
  const std::string much = "700000000";  // bytes of the 800 MB of two ranks: of one, all
  const std::map<std::string, std::string> unclear[] = {
      {},
      {{kHugePagesFact, "always"}},
      {{kHugePagesFact, "never"}},
      {{kHugePagesFact, "madvise"}, {kStaticBytesFact, much}}};
  const char* why[] = {"was not recorded", "wherever it can", "transparent_hugepage/enabled",
                       "static arrays"};
  for (size_t i = 0; i < std::size(unclear); ++i) {
    std::string sentence;
    const std::vector<Advice> advice = AdviceWith(unclear[i], With(5), &sentence);
    EXPECT_EQ(advice.at(0).saves.least, 0) << why[i];
    EXPECT_THAT(sentence, HasSubstr(why[i]));
    EXPECT_THAT(sentence, HasSubstr("GLIBC_TUNABLES=glibc.malloc.hugetlb=1; "));
  }
}

TEST(SmallPages, AreAQuestionWhereTheKernelWorksMuch) {
  JobProfile job = Reading(100'000);
  job.run.passes[0].facts[kHugePagesFact] = "madvise";
  Set(job, 0, metric::kWorkers, {1, 1}, "timer");
  Set(job, 0, metric::kSystemNs, {kGiga, kGiga}, "kernel");
  EXPECT_EQ(HugePagesOf(job, 0), HugePages::kInFaults);
  Set(job, 0, metric::kSystemNs, {kGiga / 100, kGiga / 100}, "kernel");
  EXPECT_EQ(HugePagesOf(job, 0), HugePages::kOnDemand);
}

// A roof of DRAM that another measurement may find twice as high: three times as fast may be 1.5.
TEST(SmallPages, SaveLessForSureUnderANoisyRoof) {
  Machine machine = With(5);
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id != "bandwidth.DRAM.read") continue;
    for (MachinePoint& point : ceiling.curve) point.noise = 1;
  }
  const std::vector<Advice> advice = AdviceWith({{kHugePagesFact, "madvise"}}, machine);
  ASSERT_EQ(advice.at(0).shortfall, Shortfall::kSmallPages);
  EXPECT_NEAR(advice[0].saves.least, 2.4 * (1 - 1 / 1.5) / 2 * 0.95, 1e-6);
  EXPECT_NEAR(advice[0].saves.most, 2.5 * (1 - 1 / 6.0) * 1.05, 1e-6);
}

TEST(SmallPages, SayWhyDramLimits) {
  JobProfile job = Reading(100'000);
  const auto ns = uint64_t{2'500'000'000};
  Set(job, 0, metric::kTimeNs, {ns, ns}, "timer");
  const Machine machine = With(5);
  EXPECT_THAT(LimitSentence(Analyze(job, &machine).paths[0]),
              HasSubstr("DRAM bandwidth from pages of 4 KiB limits it"));
}

TEST(SmallPages, AreNoTighterThanTheirNoise) {
  EXPECT_NEAR(*Analyzed(100'000, With(5, 0.5)).runtime.attainable, 1 / 1.6, 1e-9);
}

TEST(SmallPages, LimitNothingWhereOthersMayBeReadOrTheyDrawAsMuchOrNothingIsKnown) {
  // A fifth of the memory may be all that is read.
  EXPECT_NEAR(*Analyzed(80'000, With(5)).runtime.attainable, 1 / 0.8, 1e-9);
  EXPECT_NEAR(*Of(Analyzed(80'000, With(5)), Shortfall::kSmallPages).extent, 0.8, 1e-9);
  EXPECT_NEAR(*Analyzed(100'000, With(15)).runtime.attainable, 1 / 0.8, 1e-9);
  const PathAnalysis before = Analyzed(100'000, ModelMachine());
  EXPECT_NEAR(*before.runtime.attainable, 1 / 0.8, 1e-9);
  EXPECT_EQ(Of(before, Shortfall::kSmallPages).extent.reason.id, Reason::kNoSmallPages);
}

TEST(SmallPages, LimitWhatComesFromL3Too) {
  JobProfile job = Reading(100'000);
  Set(job, 0, metric::kL3ReadBytes, {0, 0}, "counting", Status::kModelled);
  Set(job, 0, metric::kL2ReadBytes, {12 * kGiga, 12 * kGiga}, "counting", Status::kModelled);
  Set(job, 0, metric::kL2WriteBytes, {0, 0}, "counting", Status::kModelled);
  Machine machine = With(15);
  const std::string id = SmallPagesCeilingId("L3");
  machine.ceilings.push_back(MakeCeiling(id, id, 4));
  for (MachinePoint& point : machine.ceilings.back().curve) {
    point.value = 4;
    point.noise = 0;
  }
  const PathAnalysis path = Analyze(job, &machine).paths[0];
  EXPECT_EQ(path.runtime.binding, "L3");
  EXPECT_NEAR(*path.runtime.attainable, 1 / 6.0, 1e-9);
}

}  // namespace
}  // namespace roofmark
