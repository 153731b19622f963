// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/same_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/whole.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using Answer = SameWork::Answer;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Pair;

enum : uint32_t { kNowhere, kMain, kSetup, kSolve, kStep };  // indices of the paths below
constexpr auto kProgram = static_cast<size_t>(WholeRow::kProgram);

class ComparingWork : public ::testing::Test {
 protected:
  ComparingWork() {
    samples_.processes.resize(1);
    executed_.modules = {{"/app", {}, {}, {}}};
    executed_.paths = {"", "main()", "main()/setup()", "main()/solve()", "main()/solve()/step()"};
    Executes(16, kMain, 1);
    Executes(32, kSetup, 100);
    Executes(48, kSolve, 10);
    Executes(64, kStep, 1000);
  }
  void Executes(uint64_t begin, uint32_t path, uint64_t times) {
    executed_.modules[0].parts.push_back({begin, 8, path, Layer::kWork, true, times});
    executed_.modules[0].blocks.push_back({begin, 8, 2, times});
  }
  void Counted(uint64_t offset, std::optional<uint64_t> times) {
    samples_.processes[0].counted.push_back({{"/app", offset}, times});
  }
  SameWork Compare() const {
    const RankWork rank = {&samples_, &executed_};
    return CompareWork({&rank, 1}, chosen_, before_ ? *before_ : executed_);
  }

  Samples samples_;
  Executed executed_;
  std::vector<ChosenPlace> chosen_;
  std::optional<Executed> before_;
};

TEST_F(ComparingWork, EquallyOftenEverywhereIsTheSame) {
  Counted(48, 10);
  Counted(64, 1000);
  const SameWork work = Compare();
  EXPECT_EQ(work.answer, Answer::kSame);
  EXPECT_EQ(work.places, 2u);
  EXPECT_FALSE(work.IsDoubtful(""));
  EXPECT_FALSE(work.IsDoubtful("main()/setup()")) << "nothing was compared there";
}

// A rank that waits longer in MPI polls more often.
TEST_F(ComparingWork, WhatIsExecutedToWaitIsNotCompared) {
  executed_.modules[0].parts.push_back({80, 8, kSolve, Layer::kMpi, true, 700});
  Counted(48, 10);
  Counted(80, 2);
  const SameWork work = Compare();
  EXPECT_EQ(work.answer, Answer::kSame);
  EXPECT_EQ(work.places, 1u);
}

TEST_F(ComparingWork, OneMoreIsADifference) {
  Counted(48, 10);
  Counted(64, 1001);
  EXPECT_EQ(Compare().answer, Answer::kDiffers);
}

TEST_F(ComparingWork, WhatIsInsideOfWhatDiffersIsScaledWithIt) {
  Counted(32, 100);
  Counted(48, 200);
  const SameWork work = Compare();
  EXPECT_THAT(work.ratios, ElementsAre(Pair("main()/setup()", Field(&FoundRatio::ratio, 1)),
                                       Pair("main()/solve()", Field(&FoundRatio::ratio, 20))));
  EXPECT_FALSE(work.IsDoubtful("main()/solve()/step()"));
  EXPECT_FALSE(work.IsDoubtful("main()/setup()"));
  EXPECT_FALSE(work.IsDoubtful("main()")) << "hardly any of its code lies outside of these";
  EXPECT_FALSE(work.IsDoubtful(""));
}

TEST_F(ComparingWork, WhatWasNotComparedIsDoubtful) {
  Counted(64, 20'000);
  const SameWork work = Compare();
  EXPECT_FALSE(work.IsDoubtful("main()/solve()/step()"));
  EXPECT_FALSE(work.IsDoubtful("main()/solve()")) << "a hundredth of it lies outside of step()";
  EXPECT_TRUE(work.IsDoubtful("main()/setup()"));
  EXPECT_TRUE(work.IsDoubtful("main()")) << "a tenth";
  EXPECT_TRUE(work.IsDoubtful(""));
}

// A solver that is called once runs until its time is over.
TEST_F(ComparingWork, OneEntryDoesNotTellWhatHappensInside) {
  Counted(16, 1);
  Counted(32, 150);
  const SameWork work = Compare();
  EXPECT_FALSE(work.differs_little);
  EXPECT_TRUE(work.IsDoubtful("main()/solve()/step()"));
  EXPECT_TRUE(work.IsDoubtful("main()"));
}

// Python's tables of objects: each execution looks a little longer or shorter.
TEST_F(ComparingWork, WhatIsAlwaysTheSameStaysKnownBesideALittleDifference) {
  Counted(16, 1);
  Counted(32, 149);
  EXPECT_EQ(Compare().answer, Answer::kDiffers);
  EXPECT_TRUE(Compare().differs_little);
  EXPECT_FALSE(Compare().IsDoubtful("main()/solve()/step()"));
  before_ = executed_;
  before_->modules[0].blocks[3].times = 900;
  EXPECT_TRUE(Compare().IsDoubtful("main()/solve()/step()")) << "no two executions are alike";
  EXPECT_FALSE(Compare().IsDoubtful("main()/setup()")) << "compared";
}

// A phase that is always the same and one that lasts until a time is over call the same function.
TEST_F(ComparingWork, OfCodeInSeveralPathsOnlyTheMeanWouldBeKnown) {
  Executes(64, kSetup, 1000);
  Counted(64, 3000);
  const SameWork work = Compare();
  EXPECT_EQ(work.answer, Answer::kDiffers);
  EXPECT_TRUE(work.ratios.empty());
  EXPECT_TRUE(work.IsDoubtful("main()/setup()"));
  EXPECT_TRUE(work.IsDoubtful("main()/solve()/step()"));
}

// The code before a loop is in no region.
TEST_F(ComparingWork, APlaceMayStandForARegion) {
  Executes(80, kNowhere, 7);
  Counted(80, 7);
  Counted(48, 110);
  EXPECT_TRUE(Compare().IsDoubtful("main()/setup()"));
  chosen_ = {{{"/app", 80}, "setup()"}};
  EXPECT_FALSE(Compare().IsDoubtful("main()/setup()"));
  EXPECT_EQ(Compare().ratios.at("main()/setup()").counted, 7);
}

TEST_F(ComparingWork, PlacesThatAreNotKnownInARankAreLeftOut) {
  Counted(64, std::nullopt);
  samples_.processes[0].why_not_counted = "a debugger is at work";
  const SameWork work = Compare();
  EXPECT_EQ(work.answer, Answer::kUnknown);
  EXPECT_EQ(work.why_unknown, "a debugger is at work");
  EXPECT_FALSE(work.IsDoubtful("main()"));
}

TEST_F(ComparingWork, WithoutPlacesTwoExecutionsUnderTheEngineTell) {
  EXPECT_THAT(Compare().why_unknown, HasSubstr("rarely enough"));
  before_ = executed_;
  before_->modules[0].blocks[3].times = 900;
  const SameWork work = Compare();
  EXPECT_EQ(work.answer, Answer::kDiffers);
  EXPECT_TRUE(work.IsDoubtful("main()/solve()/step()"));
}

TEST_F(ComparingWork, WithoutPlacesCallsOfMpiTell) {
  samples_.processes[0].mpi_calls = {{{{"/app", 68}}, 1000, 1}};
  EXPECT_EQ(Compare().answer, Answer::kSame);
  EXPECT_EQ(Compare().calls, 1u);
  samples_.processes[0].mpi_calls[0].calls = 1001;
  EXPECT_EQ(Compare().answer, Answer::kUnknown);
  samples_.processes[0].mpi_calls[0].calls = 1000;
  before_ = executed_;
  before_->modules[0].blocks[1].times = 50;
  EXPECT_EQ(Compare().answer, Answer::kDiffers) << "other code was not executed as often";
}

TEST_F(ComparingWork, OnlyWhatTheEngineExecutedMoreOftenIsDoubtful) {
  before_ = executed_;
  before_->modules[0].blocks[1].times = 94;
  const SameWork work = Compare();
  EXPECT_TRUE(work.IsDoubtful("main()/setup()"));
  EXPECT_FALSE(work.IsDoubtful("main()/solve()"));
  EXPECT_FALSE(work.IsDoubtful("main()")) << "6 of 1111 executions";
  EXPECT_FALSE(work.IsDoubtful(""));
  EXPECT_FALSE(work.IsOutsideDoubtful());
}

// Objects of Python lie at other addresses in each execution, so that some are looked for longer.
TEST_F(ComparingWork, AFewMoreOrLessUnderTheEngineAreNoOtherWork) {
  before_ = executed_;
  before_->modules[0].blocks[3].times = 1040;
  EXPECT_EQ(Compare().answer, Answer::kUnknown);
}

// A region that begins in a block cuts it.
TEST_F(ComparingWork, OtherBlocksOfTheSameCodeAreNoDifference) {
  before_ = executed_;
  auto& blocks = before_->modules[0].blocks;
  blocks[3] = {64, 3, 1, 1000};
  blocks.push_back({67, 5, 1, 1000});
  EXPECT_EQ(Compare().answer, Answer::kUnknown);
  blocks.back().times = 10;
  EXPECT_TRUE(Compare().IsDoubtful("main()/solve()/step()"));
}

TEST_F(ComparingWork, CodeThatIsInNoPathCanBeDoubtfulAlone) {
  Executes(80, kNowhere, 7);
  before_ = executed_;
  before_->modules[0].blocks[4].times = 2;
  EXPECT_EQ(Compare().answer, Answer::kDiffers);
  EXPECT_TRUE(Compare().IsOutsideDoubtful());
  EXPECT_FALSE(Compare().IsDoubtful(""));
}

TEST_F(ComparingWork, RanksAreAddedUp) {
  Counted(64, 1100);
  Samples other = samples_;
  other.processes[0].counted[0].times = 900;
  const RankWork ranks[] = {{&samples_, &executed_}, {&other, &executed_}};
  EXPECT_EQ(CompareWork(ranks, {}, executed_).answer, Answer::kSame);
  other.processes[0].counted[0].times = 3100;
  EXPECT_DOUBLE_EQ(CompareWork(ranks, {}, executed_).ratios.at("main()/solve()/step()").ratio, 2.1);
}

TEST_F(ComparingWork, DoubtfulCountsAreNotValidAndTimesStay) {
  JobProfile job = roofmark::test::EmptyJob(1);
  for (const std::string& path : executed_.paths) {
    if (!path.empty()) roofmark::test::AddPath(job, path, RegionKind::kFound);
  }
  job.whole = CellTable(kWholeRows);
  for (const MetricId id : {metric::kTimeNs, metric::kFlops, metric::kWorkers}) {
    for (size_t row = 0; row < job.paths.size(); ++row) roofmark::test::Set(job, row, id, {4});
    job.whole.Set(kProgram, id, Cell::Of(4, 0, Status::kMeasured));
  }
  Counted(64, 20'000);
  DropDoubtfulCounts(Compare(), job);
  const auto is_valid = [&job](const char* path, MetricId id) {
    const auto row = static_cast<size_t>(job.FindPath(path));
    return HasValue(Worst(job.At(row, id).status_bits));
  };
  EXPECT_TRUE(is_valid("main()/solve()/step()", metric::kFlops));
  EXPECT_FALSE(is_valid("main()/setup()", metric::kFlops));
  EXPECT_TRUE(is_valid("main()/setup()", metric::kTimeNs));
  EXPECT_TRUE(is_valid("main()/setup()", metric::kWorkers));
  EXPECT_FALSE(HasValue(Worst(job.whole.At(kProgram, metric::kFlops).status_bits)));
  EXPECT_TRUE(HasValue(Worst(job.whole.At(kProgram, metric::kTimeNs).status_bits)));
}

}  // namespace
}  // namespace roofmark
