// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/samples/samples.h"
#include "tests/lib/samples/some_samples.h"

namespace roofmark {
namespace {

using test::SomeSamples;
using ::testing::ElementsAre;

Samples With(std::vector<SampledModule> modules) { return {{}, std::move(modules)}; }

TEST(MergeSamples, NothingAndOneStayWhatTheyAre) {
  EXPECT_EQ(MergeSamples({}), Samples());
  EXPECT_EQ(MergeSamples({SomeSamples()}), SomeSamples());
}

TEST(MergeSamples, PlacesOfAModuleAreSummedUp) {
  const Samples merged = MergeSamples({With({{"/a", "11", {{4, 1, 10}, {8, 2, 20}}}}),
                                       With({{"/a", "11", {{2, 5, 50}, {8, 3, 30}}}})});
  EXPECT_THAT(merged.modules,
              ElementsAre(SampledModule{"/a", "11", {{2, 5, 50}, {4, 1, 10}, {8, 5, 50}}}));
}

TEST(MergeSamples, TheBuildIdTellsModulesApartAndNotTheName) {
  const Samples merged = MergeSamples({With({{"/b", "11", {{4, 1, 1}}}, {"/c", "", {{4, 1, 1}}}}),
                                       With({{"/a", "11", {{4, 1, 1}}}, {"/b", "22", {{4, 1, 1}}}}),
                                       With({{"/c", "", {{4, 1, 1}}}, {"/c", "33", {{4, 1, 1}}}})});
  EXPECT_THAT(
      merged.modules,
      ElementsAre(SampledModule{"/a", "11", {{4, 2, 2}}}, SampledModule{"/b", "22", {{4, 1, 1}}},
                  SampledModule{"/c", "", {{4, 2, 2}}}, SampledModule{"/c", "33", {{4, 1, 1}}}));
}

TEST(MergeSamples, TheOrderOfThePartsDoesNotMatter) {
  const std::vector<Samples> parts = {SomeSamples(0, 3), SomeSamples(1, 3), SomeSamples(2, 3)};
  const Samples merged = MergeSamples(parts);
  EXPECT_EQ(MergeSamples({parts[2], parts[0], parts[1]}), merged);
  EXPECT_EQ(MergeSamples({MergeSamples({parts[2], parts[1]}), parts[0]}), merged);
  ASSERT_EQ(merged.processes.size(), 3u);
  EXPECT_EQ(merged.processes[2].rank, 2u);
  EXPECT_EQ(merged.modules[0].places[0].samples, 60u);
}

TEST(MergeSamples, SumsDoNotRunOver) {
  const Samples merged = MergeSamples(
      {With({{"/a", "", {{4, UINT64_MAX, UINT64_MAX - 1}}}}), With({{"/a", "", {{4, 1, 1}}}})});
  EXPECT_THAT(merged.modules[0].places, ElementsAre(SampledPlace{4, UINT64_MAX, UINT64_MAX}));
}

}  // namespace
}  // namespace roofmark
