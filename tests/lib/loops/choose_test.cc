// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/choose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace roofmark::loops {
namespace {

using Strings = std::vector<std::string>;

// [0x100, 0x200) is sweep with the nest 0 at 0x110 to 0x150 and the nest 1 inside, from 0x120 to
// 0x130; [0x200, 0x300) is the body of a construct in it with the nest 2 at 0x210 to 0x220;
// [0x300, 0x400) is other, which has none.
ModuleNests Module() {
  ModuleNests module;
  module.functions = {{0x100, 0x200, "sweep", "sweep", "", binary::Part::kWhole, std::nullopt},
                      {0x200, 0x300, "sweep._omp_fn.0", "sweep", "", binary::Part::kOutlined, 0},
                      {0x300, 0x400, "other", "other", "", binary::Part::kWhole, std::nullopt}};
  module.nests.nests.resize(3);
  module.nests.nests[0].children = {1};
  module.nests.nests[1].parent = 0;
  module.nests.nests[1].depth = 2;
  module.nests.places = {
      {0x110, 0x120, 0}, {0x120, 0x130, 1}, {0x130, 0x150, 0}, {0x210, 0x220, 2}};
  return module;
}

// The same as functions: helper was inlined into other at 0x310 to 0x330 and 0x340 to 0x350, with
// small in it at 0x320 to 0x330; it is left as the body of a construct at [0x400, 0x500), as it is
// called from the first.
ModuleNests ModuleWithInlined() {
  ModuleNests module = Module();
  module.functions.push_back(
      {0x400, 0x500, "helper._omp_fn.0", "helper", "", binary::Part::kOutlined, std::nullopt});
  Inlined& inlined = module.inlined;
  inlined.functions = {{"helper", "a.c", 3, {3}}, {"small", "a.c", 9, {}}};
  inlined.of_root = {{3, 0}};
  inlined.bodies = {{0, 2, {}, 0x310, 20}, {1, 2, 0, 0x320, 1000}};
  inlined.places = {{0x310, 0x320, 0}, {0x320, 0x330, 1}, {0x340, 0x350, 0}};
  module.calls = {{0x312, 0x400, 10}};
  return module;
}

// "nest or function samples own" of each, then those elsewhere.
Strings Texts(const Choice& choice) {
  Strings texts;
  for (const Chosen& chosen : choice.chosen) {
    texts.push_back(
        (chosen.nest ? "n" + std::to_string(*chosen.nest) : "f" + std::to_string(chosen.function)) +
        " " + std::to_string(chosen.samples) + " " + std::to_string(chosen.own_samples));
  }
  texts.push_back("elsewhere " + std::to_string(choice.elsewhere));
  return texts;
}

Choice ChooseOf(const std::vector<Sample>& samples, const ChooseOptions& options = {}) {
  const std::vector<ModuleNests> modules{Module()};
  return Choose(samples, modules, options);
}

TEST(ChooseTest, NestsHaveTheSamplesOfThoseInside) {
  const Choice choice = ChooseOf({{0, 0x112, 20}, {0, 0x122, 70}, {0, 0x132, 10}});
  EXPECT_EQ(Texts(choice), (Strings{"n0 100 30", "n1 70 70", "elsewhere 0"}));
  EXPECT_EQ(choice.samples, 100u);
  EXPECT_EQ(choice.in_nests, 100u);
}

TEST(ChooseTest, AFewSamplesInAShortRunSayNothing) {
  EXPECT_EQ(Texts(ChooseOf({{0, 0x122, 70}, {0, 0x212, 2}, {0, 0x302, 2}})),
            (Strings{"n0 70 0", "n1 70 70", "elsewhere 4"}));
  EXPECT_EQ(Texts(ChooseOf({{0, 0x122, 70}, {0, 0x212, 3}, {0, 0x302, 2}})),
            (Strings{"n0 70 0", "n1 70 70", "n2 3 3", "elsewhere 2"}));
}

// As Texts(), with what is called in place of the samples.
Strings WithCalls(const Choice& choice) {
  Strings texts;
  for (const Chosen& chosen : choice.chosen) {
    texts.push_back(
        (chosen.nest ? "n" + std::to_string(*chosen.nest) : "f" + std::to_string(chosen.function)) +
        " " + std::to_string(std::lround(chosen.with_calls)));
  }
  return texts;
}

Choice ChooseWithCalls(const std::vector<Sample>& samples, const std::vector<Call>& calls,
                       const ChooseOptions& options = {}) {
  std::vector<ModuleNests> modules{Module()};
  modules[0].calls = calls;
  return Choose(samples, modules, options);
}

// other, which is called from the nest 1 and from sweep outside of nests, three times to one.
TEST(ChooseTest, ANestHasItsShareOfWhatItCalls) {
  const Choice choice =
      ChooseWithCalls({{0, 0x302, 100}}, {{0x124, 0x300, 30}, {0x104, 0x300, 10}});
  EXPECT_EQ(WithCalls(choice), (Strings{"f2 100", "n1 75"}));
  EXPECT_EQ(Texts(choice), (Strings{"f2 100 100", "n1 0 0", "elsewhere 0"}));
  EXPECT_EQ(WithCalls(ChooseWithCalls({{0, 0x302, 100}}, {{0x124, 0x300, 30}, {0x114, 0x300, 10}})),
            (Strings{"f2 100", "n0 100", "n1 75"}))
      << "the outer one calls, too";
  EXPECT_EQ(WithCalls(ChooseWithCalls({{0, 0x302, 96}, {0, 0x114, 4}}, {{0x124, 0x300, 7}})),
            (Strings{"n0 100", "f2 96", "n1 96"}))
      << "the outer one has code of its own";
  EXPECT_EQ(WithCalls(ChooseWithCalls({{0, 0x302, 100}}, {{0x124, 0x300, 1}, {0x104, 0x300, 199}})),
            (Strings{"f2 100"}))
      << "half a percent is too little";
}

// Instructions of an interpreter that jump to each other.
TEST(ChooseTest, NestsOfUnknownLinesThatHardlyIterateAreOne) {
  std::vector<ModuleNests> modules{Module()};
  auto& nests = modules[0].nests.nests;
  nests[0].entries = {{0x104, 0x110, 60}, {0x106, 0x110, 40}};
  nests[1].entries = {{0x114, 0x120, 199}};
  const std::vector<Sample> samples{{0, 0x122, 1000}};
  EXPECT_EQ(Texts(Choose(samples, modules, {})), (Strings{"n1 1000 1000", "elsewhere 0"}));
  EXPECT_EQ(Texts(Choose({{{0, 0x122, 980}, {0, 0x112, 20}}}, modules, {})),
            (Strings{"n0 1000 20", "n1 980 980", "elsewhere 0"}))
      << "it has code of its own";
  nests[1].entries[0].times = 200;
  const Strings both{"n0 1000 0", "n1 1000 1000", "elsewhere 0"};
  EXPECT_EQ(Texts(Choose(samples, modules, {})), both);
  nests[1].entries[0].times = 199;
  nests[0].place = {{}};
  EXPECT_EQ(Texts(Choose(samples, modules, {})), both) << "a loop that somebody wrote";
}

// A function of another module, which calls one more by a pointer.
TEST(ChooseTest, CallsOfOtherModulesHaveTheirShare) {
  std::vector<ModuleNests> modules{Module(), {}};
  modules[1].functions = {{0x100, 0x200, "solve", "solve", "", binary::Part::kWhole, std::nullopt},
                          {0x300, 0x400, "step", "step", "", binary::Part::kWhole, std::nullopt}};
  modules[0].calls = {{0x114, 0x100, 3, 1}, {0x304, 0x100, 1, 1}};
  modules[1].calls = {{0x104, 0x300, 8}};
  const std::vector<Sample> samples{{1, 0x302, 60}, {1, 0x102, 40}};
  EXPECT_EQ(WithCalls(Choose(samples, modules, {})), (Strings{"f0 100", "n0 75", "f1 60"}));
  ChooseOptions options;
  options.functions_only = true;
  EXPECT_EQ(WithCalls(Choose(samples, modules, options)),
            (Strings{"f0 100", "f0 75", "f1 60", "f2 25"}));
  modules[1].calls.push_back({0x108, 0x300, 8, 0});
  EXPECT_EQ(WithCalls(Choose(samples, modules, options)),
            (Strings{"f0 100", "f0 75", "f1 60", "f2 25"}))
      << "it calls back, and so has itself";
}

TEST(ChooseTest, FunctionsHaveWhatTheyCallWhereTheyAloneAreWanted) {
  ChooseOptions options;
  options.functions_only = true;
  EXPECT_EQ(
      WithCalls(ChooseWithCalls({{0, 0x302, 60}, {0, 0x102, 40}}, {{0x124, 0x300, 7}}, options)),
      (Strings{"f0 100", "f2 60"}));
}

// Calls of the body of a construct are the function's; a function that calls itself is one.
TEST(ChooseTest, RecursionEndsAndCountsOnce) {
  const std::vector<Call> calls = {{0x124, 0x300, 5},    // sweep calls other,
                                   {0x304, 0x100, 5},    // which calls sweep,
                                   {0x308, 0x300, 100},  // and itself
                                   {0x214, 0x300, 5}};
  EXPECT_EQ(WithCalls(ChooseWithCalls({{0, 0x302, 100}}, calls)),
            (Strings{"f2 100", "n2 50", "n1 50"}));
}

TEST(ChooseTest, WhatTakesLessThanTheLeastShareIsElsewhere) {
  EXPECT_EQ(Texts(ChooseOf({{0, 0x112, 991}, {0, 0x212, 9}})),
            (Strings{"n0 991 991", "elsewhere 9"}));
  EXPECT_EQ(Texts(ChooseOf({{0, 0x112, 990}, {0, 0x212, 10}})),
            (Strings{"n0 990 990", "n2 10 10", "elsewhere 0"}));
}

// An inner nest that is not chosen belongs to the one around it.
TEST(ChooseTest, SamplesBelongToTheInnermostChosenNest) {
  EXPECT_EQ(Texts(ChooseOf({{0, 0x112, 995}, {0, 0x122, 5}})),
            (Strings{"n0 1000 1000", "elsewhere 0"}));
}

TEST(ChooseTest, FunctionsAreChosenForTheirCodeOutsideOfNests) {
  EXPECT_EQ(Texts(ChooseOf({{0, 0x302, 500}, {0, 0x112, 490}, {0, 0x102, 10}})),
            (Strings{"f0 500 10", "f2 500 500", "n0 490 490", "elsewhere 0"}));
}

TEST(ChooseTest, OtherModulesAreElsewhere) {
  const Choice choice = ChooseOf({{7, 0x112, 50}, {0, 0x112, 40}, {0, 0x900, 10}});
  EXPECT_EQ(Texts(choice), (Strings{"n0 40 40", "elsewhere 60"}));
  EXPECT_EQ(choice.in_nests, 40u);
}

TEST(ChooseTest, OnlyFunctions) {
  ChooseOptions options;
  options.functions_only = true;
  EXPECT_EQ(Texts(ChooseOf({{0, 0x122, 60}, {0, 0x212, 30}, {0, 0x302, 10}}, options)),
            (Strings{"f0 90 90", "f2 10 10", "elsewhere 0"}));
}

TEST(ChooseTest, OnlyOuterNests) {
  ChooseOptions options;
  options.depth = 1;
  EXPECT_EQ(Texts(ChooseOf({{0, 0x122, 60}, {0, 0x112, 40}}, options)),
            (Strings{"n0 100 100", "elsewhere 0"}));
}

TEST(ChooseTest, NestsThatAreEnteredTooOftenBelongToThoseAround) {
  std::vector<ModuleNests> modules{Module()};
  modules[0].nests.nests[0].place = {{}};  // a loop of the source
  modules[0].nests.nests[0].entries = {{0x10c, 0x110, 10'000}};
  modules[0].nests.nests[1].entries = {{0x11c, 0x120, 600}, {0x11e, 0x120, 400}};
  ChooseOptions options;
  const std::vector<Sample> samples{{0, 0x122, 100}};
  options.least_each_entry = 0.1;
  EXPECT_EQ(Texts(Choose(samples, modules, options)),
            (Strings{"n0 100 0", "n1 100 100", "elsewhere 0"}));
  options.least_each_entry = 0.101;
  EXPECT_EQ(Texts(Choose(samples, modules, options)), (Strings{"n0 100 100", "elsewhere 0"}))
      << "what has none around stays, however often it is entered";
}

TEST(ChooseTest, AFunctionThatComputesBesideANestIsChosenWithIt) {
  ChooseOptions options;
  std::vector<uint32_t> asked;
  options.computes_beside = [&asked](uint32_t /*module*/, uint32_t function) {
    asked.push_back(function);
    return true;
  };
  // The nest in the body of a construct is in its function.
  EXPECT_EQ(Texts(ChooseOf({{0, 0x212, 100}, {0, 0x302, 50}}, options)),
            (Strings{"f0 100 0", "n2 100 100", "f2 50 50", "elsewhere 0"}));
  EXPECT_EQ(asked, std::vector<uint32_t>{0}) << "others have no nest, or are chosen already";
  options.computes_beside = [](uint32_t /*module*/, uint32_t /*function*/) { return false; };
  EXPECT_EQ(Texts(ChooseOf({{0, 0x212, 100}}, options)), (Strings{"n2 100 100", "elsewhere 0"}));
}

TEST(ChooseTest, AFunctionThatIsEnteredTooOftenIsNotChosenForANest) {
  ChooseOptions options;
  options.least_each_entry = 0.1;
  options.computes_beside = [](uint32_t /*module*/, uint32_t /*function*/) { return true; };
  const std::vector<Sample> samples{{0, 0x122, 100}};
  EXPECT_EQ(WithCalls(ChooseWithCalls(samples, {{0x304, 0x100, 1000}, {0x104, 0x100, 9}}, options)),
            (Strings{"f0 100", "n0 100", "n1 100"}))
      << "its calls of itself are none";
  EXPECT_EQ(WithCalls(ChooseWithCalls(samples, {{0x304, 0x100, 1001}}, options)),
            (Strings{"n0 100", "n1 100"}));
}

TEST(ChooseTest, MainIsTheProgramAndNotChosenForANest) {
  std::vector<ModuleNests> modules{Module()};
  modules[0].functions[0].symbol = "main";
  ChooseOptions options;
  options.computes_beside = [](uint32_t /*module*/, uint32_t /*function*/) { return true; };
  EXPECT_EQ(WithCalls(Choose(std::vector<Sample>{{0, 0x122, 100}}, modules, options)),
            (Strings{"n0 100", "n1 100"}));
}

TEST(ChooseTest, NoMoreThanAllowed) {
  ChooseOptions options;
  options.most = 1;
  EXPECT_EQ(Texts(ChooseOf({{0, 0x122, 60}, {0, 0x212, 40}}, options)),
            (Strings{"n0 60 60", "elsewhere 40"}));
}

// The samples are the same, so the one around comes first.
TEST(ChooseTest, NoneIsChosenWithoutTheNestsAroundIt) {
  ChooseOptions options;
  options.most = 2;
  const std::vector<Sample> samples{{0, 0x122, 60}, {0, 0x302, 60}};
  EXPECT_EQ(Texts(ChooseOf(samples, options)), (Strings{"f2 60 60", "n0 60 60", "elsewhere 0"}));
}

TEST(ChooseTest, NoSamplesChooseNothing) {
  EXPECT_EQ(Texts(ChooseOf({})), Strings{"elsewhere 0"});
  EXPECT_EQ(Texts(ChooseOf({{0, 0x122, 0}})), Strings{"elsewhere 0"});
}

TEST(ChooseTest, AllSamplesAreShared) {
  const Choice choice =
      ChooseOf({{0, 0x102, 3}, {0, 0x115, 5}, {0, 0x125, 7}, {0, 0x215, 11}, {0, 0x399, 13}});
  uint64_t own = choice.elsewhere;
  for (const Chosen& chosen : choice.chosen) own += chosen.own_samples;
  EXPECT_EQ(own, choice.samples);
}

TEST(ChooseTest, AnInlinedFunctionHasTheSamplesOfItsCodeAndOfTheBodiesOfItsConstructs) {
  const std::vector<ModuleNests> modules{ModuleWithInlined()};
  const std::vector<Sample> samples = {
      {0, 0x302, 10}, {0, 0x314, 20}, {0, 0x324, 30}, {0, 0x342, 5}, {0, 0x404, 35}};
  ChooseOptions options;
  options.functions_only = true;
  Choice choice = Choose(samples, modules, options);
  EXPECT_EQ(Texts(choice), (Strings{"f2 65 10", "f3 90 60", "f5 30 30", "elsewhere 0"}));
  EXPECT_EQ(WithCalls(choice), (Strings{"f2 100", "f3 90", "f5 30"}));
  EXPECT_EQ(choice.chosen[1].inlined, 0u);
  EXPECT_EQ(choice.chosen[2].inlined, 1u) << "it has no function in the machine code";
  // small is entered a thousand times; its time stays in helper.
  options.least_each_entry = 0.1;
  choice = Choose(samples, modules, options);
  EXPECT_EQ(Texts(choice), (Strings{"f2 65 10", "f3 90 90", "elsewhere 0"}));
}

TEST(ChooseTest, WhereLoopsAreWantedFunctionsAreThoseOfTheMachineCode) {
  const std::vector<ModuleNests> modules{ModuleWithInlined()};
  const Choice choice = Choose(std::vector<Sample>{{0, 0x314, 20}}, modules, {});
  EXPECT_EQ(Texts(choice), (Strings{"f2 20 20", "elsewhere 0"}));
}

}  // namespace
}  // namespace roofmark::loops
