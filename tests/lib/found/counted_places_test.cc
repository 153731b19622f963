// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/counted_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Code of 64 bytes each, with one block: loops and functions one behind the other.
class ChoosingPlaces : public ::testing::Test {
 protected:
  ChoosingPlaces() {
    plan_.modules = {"/app"};
    executed_.modules = {{"/app", {}, {}, {}}};
    samples_ = {{"/app", "", {}}};
  }
  uint32_t Add(uint64_t times, uint64_t samples, double with_calls,
               std::optional<uint32_t> around = std::nullopt) {
    const auto nest = static_cast<uint32_t>(plan_.nests.size());
    const uint64_t begin = Begin(nest);
    plan_.nests.push_back({"n", "", 0, around, false});
    plan_.ranges.push_back({0, nest, begin, begin + 64});
    executed_.modules[0].blocks.push_back({begin, 32, 8, times});
    samples_[0].places.push_back({begin + 4, samples, samples, samples});
    with_calls_.push_back(with_calls);
    return nest;
  }
  static uint64_t Begin(uint32_t nest) { return 64 * (uint64_t{nest} + 1); }
  std::vector<uint64_t> Choose(uint32_t ranks = 1) const {
    std::vector<uint64_t> offsets;
    for (const auto& [place, region] :
         ChoosePlaces(plan_, with_calls_, samples_, executed_, ranks)) {
      EXPECT_EQ(region, "n");
      EXPECT_EQ(place.file, "/app");
      offsets.push_back(place.offset);
    }
    return offsets;
  }

  NestPlan plan_;
  Executed executed_;
  std::vector<SampledModule> samples_;
  std::vector<double> with_calls_;
};

TEST_F(ChoosingPlaces, TheLoopAroundMostComesFirstThenWhatTakesTheTime) {
  Add(1, 0, 100);  // main()
  const uint32_t steps = Add(50, 1, 99);
  const uint32_t small = Add(50, 10, 10), large = Add(50, 80, 80), smaller = Add(60, 5, 5);
  Add(60, 3, 3);
  EXPECT_THAT(Choose(), ElementsAre(Begin(steps), Begin(large), Begin(small), Begin(smaller)));
}

TEST_F(ChoosingPlaces, WhatIsExecutedTooOftenIsCountedAroundIt) {
  const uint32_t outer = Add(100, 0, 0), other = Add(100, 10, 0);
  Add(1'000'000, 90, 0, outer);
  EXPECT_THAT(Choose(), ElementsAre(Begin(outer), Begin(other)));
}

TEST_F(ChoosingPlaces, OfALoopThatIsOneBlockTheCodeBeforeItIsCounted) {
  plan_.ranges.push_back({0, std::nullopt, 0, 64});
  executed_.modules[0].blocks.push_back({32, 8, 2, 70});
  Add(1'000'000, 90, 90);
  EXPECT_THAT(Choose(), ElementsAre(32));
}

TEST_F(ChoosingPlaces, WhatIsAlsoExecutedToWaitTellsNothing) {
  const uint32_t waits = Add(60, 90, 90), works = Add(50, 10, 10);
  executed_.paths = {""};
  executed_.modules[0].parts = {{Begin(waits) - 8, 16, 0, Layer::kMpi, true, 700},
                                {Begin(works), 32, 0, Layer::kWork, true, 50}};
  EXPECT_THAT(Choose(), ElementsAre(Begin(works)));
}

// A copy of 3 kB by `rep movsq` is one instruction of the processor, and 393 blocks of the engine.
TEST_F(ChoosingPlaces, InstructionsThatRepeatThemselvesAreCountedOtherwise) {
  const uint32_t copies = Add(394, 90, 90), works = Add(50, 10, 10);
  executed_.modules[0].blocks[copies] = {Begin(copies), 3, 1, 394};
  EXPECT_THAT(Choose(), ElementsAre(Begin(works)));
}

TEST_F(ChoosingPlaces, TheCLibraryTellsNothing) {
  Add(50, 10, 10);
  for (const char* file : {"/lib/libc.so.6", "/lib64/ld-linux-x86-64.so.2", "[vdso]"}) {
    plan_.modules[0] = executed_.modules[0].file = samples_[0].file = file;
    EXPECT_THAT(Choose(), IsEmpty()) << file;
  }
}

TEST_F(ChoosingPlaces, TheLimitHoldsForEachRank) {
  const uint32_t nest = Add(12'000, 10, 10);
  EXPECT_THAT(Choose(2), IsEmpty());
  EXPECT_THAT(Choose(4), ElementsAre(Begin(nest)));
}

TEST_F(ChoosingPlaces, BlocksThatOverlapAddUp) {
  const uint32_t nest = Add(4000, 10, 10);
  executed_.modules[0].blocks.insert(executed_.modules[0].blocks.begin(),
                                     {Begin(nest) - 16, 48, 9, 3000});
  EXPECT_THAT(Choose(), IsEmpty());
}

TEST_F(ChoosingPlaces, OfALoopThePlaceThatIsExecutedMostOften) {
  const uint32_t nest = Add(1, 10, 10);
  executed_.modules[0].blocks.push_back({Begin(nest) + 32, 8, 2, 70});
  executed_.modules[0].blocks.push_back({Begin(nest) + 48, 8, 2, 60});
  EXPECT_THAT(Choose(), ElementsAre(Begin(nest) + 32));
}

}  // namespace
}  // namespace roofmark
