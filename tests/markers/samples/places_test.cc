// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/limits.h"

namespace roofmark::samples {
namespace {

using testing::ElementsAre;

const MappedModule kApp{0x1000, 0x3000, "/app", "aa"};
const MappedModule kLibrary{0x5000, 0x6000, "/lib.so", "bb"};
const MappedModule kOther{0x5000, 0x5800, "/other.so", "cc"};

void Add(Places& places, std::vector<uint64_t> addresses, const ModuleMap* now = nullptr,
         uint64_t period_ns = 10) {
  const Batch batch{std::move(addresses), period_ns};
  places.Add({&batch, 1}, now);
}

TEST(Places, AreOffsetsInModules) {
  Places places({kApp, kLibrary});
  Add(places, {0x1000, 0x2fff, 0x2fff, 0x5001});
  Add(places, {0x2fff}, nullptr, 40);
  EXPECT_THAT(places.Take(), ElementsAre(SampledModule{"/app", "aa", {{0, 1, 10}, {0x1fff, 3, 60}}},
                                         SampledModule{"/lib.so", "bb", {{1, 1, 10}}}));
  EXPECT_EQ(places.unknown(), 0u);
}

TEST(Places, TheMainThreadsTimeIsToldApart) {
  Places places({kApp});
  const Batch batches[] = {{{0x1000, 0x1001}, 10, true}, {{0x1000}, 40, false}};
  places.Add(batches, nullptr);
  EXPECT_THAT(places.Take(),
              ElementsAre(SampledModule{"/app", "aa", {{0, 2, 50, 10}, {1, 1, 10, 10}}}));
}

TEST(Places, TimeInTheKernelIsToldApart) {
  Places places({kApp});
  const Batch batches[] = {{{0x1000}, 10, true}, {{0x1000}, 10, true, true}};
  places.Add(batches, nullptr);
  EXPECT_THAT(places.Take(), ElementsAre(SampledModule{"/app", "aa", {{0, 2, 20, 20, 10}}}));
}

TEST(Places, CodeInNoModuleIsOnePlace) {
  Places places({kApp});
  Add(places, {0xfff, 0x3000, 0x999999, 0});
  EXPECT_THAT(places.Take(), ElementsAre(SampledModule{"[anonymous]", "", {{0, 4, 40}}}));
}

TEST(Places, AModuleThatComesOrGoesCountsForWhatWasSampledMeanwhile) {
  Places places({kApp});
  const ModuleMap with = {kApp, kLibrary}, without = {kApp};
  Add(places, {0x5001}, &with);
  Add(places, {0x5001}, &without);
  Add(places, {0x5001});
  EXPECT_THAT(places.Take(), ElementsAre(SampledModule{"/lib.so", "bb", {{1, 2, 20}}},
                                         SampledModule{"[anonymous]", "", {{0, 1, 10}}}));
}

TEST(Places, AnAddressOfTwoModulesIsUnknown) {
  Places places({kApp, kLibrary});
  const ModuleMap now = {kApp, kOther};
  Add(places, {0x1000, 0x5001, 0x5900}, &now);
  EXPECT_EQ(places.unknown(), 1u);
  EXPECT_THAT(places.Take(), ElementsAre(SampledModule{"/app", "aa", {{0, 1, 10}}},
                                         SampledModule{"/lib.so", "bb", {{0x900, 1, 10}}}));
}

TEST(Places, TheSameModuleElsewhereIsTheSamePlace) {
  Places places({kLibrary});
  const ModuleMap moved = {{0x9000, 0xa000, "/lib.so", "bb"}};
  Add(places, {0x5001});
  Add(places, {}, &moved);
  Add(places, {0x9001});
  EXPECT_THAT(places.Take(), ElementsAre(SampledModule{"/lib.so", "bb", {{1, 2, 20}}}));
}

TEST(Places, BeyondTheLimitTheyAreUnknown) {
  Places places({{0, uint64_t{1} << 40, "/app", ""}});
  std::vector<uint64_t> addresses;
  for (uint64_t i = 0; i < limits::kSampledPlaces + 2; ++i) addresses.push_back(i);
  EXPECT_FALSE(places.is_full());
  Add(places, addresses);
  EXPECT_TRUE(places.is_full());
  EXPECT_EQ(places.unknown(), 2u);
  Add(places, {0});
  EXPECT_EQ(places.unknown(), 2u);
}

}  // namespace
}  // namespace roofmark::samples
