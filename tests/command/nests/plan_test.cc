// SPDX-License-Identifier: BSD-3-Clause
#include "command/nests/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// f at 0 to 100, with a nest at 20 to 60 that has one at 30 to 40; its cold part at 200 to 220, of
// which 200 to 210 is in the first nest; its construct's body at 300 to 400, which is a loop; g at
// 500 to 600, whose loop begins with it.
FoundCode Sample() {
  loops::ModuleNests module;
  const auto add = [&](uint64_t begin, uint64_t end, const char* name, binary::Part part,
                       std::optional<uint32_t> parent) {
    binary::Function function;
    function.begin = begin;
    function.end = end;
    function.name = name;
    function.part = part;
    function.parent = parent;
    module.functions.push_back(function);
  };
  add(0, 100, "f", binary::Part::kWhole, {});
  add(200, 220, "f", binary::Part::kCold, 0);
  add(300, 400, "f", binary::Part::kOutlined, 0);
  add(500, 600, "g", binary::Part::kWhole, {});
  const auto nest = [&](const char* name, uint32_t line, uint32_t function, uint32_t part_function,
                        std::optional<uint32_t> parent) {
    loops::Nest made;
    made.name = name;
    made.place = {{"f", "a.c", line}};
    made.function = function;
    made.parts = {{part_function, 0, false, 1, 1}};
    made.parent = parent;
    module.nests.nests.push_back(made);
  };
  nest("outer", 3, 0, 0, {});
  nest("inner", 4, 0, 0, 0);
  nest("body", 9, 0, 2, 0);  // below the outer one, in another function
  nest("of g", 20, 3, 3, {});
  module.nests.places = {{20, 30, 0},   {30, 40, 1},   {40, 60, 0},
                         {200, 210, 0}, {300, 350, 2}, {500, 550, 3}};
  FoundCode code;
  code.files = {"/bin/app"};
  code.places = {{{"f", "a.c", 1}, {}, {}, {"g", "a.c", 18}}};
  code.begun = {{true, false, true, true}};
  code.modules = {module};
  return code;
}

loops::Choice Choose(const std::vector<std::pair<uint32_t, std::optional<uint32_t>>>& wanted) {
  loops::Choice choice;
  for (const auto& [function, nest] : wanted) choice.chosen.push_back({0, function, nest, 1, 1, 1});
  return choice;
}

// Four places of a function that MPI executes three times of four, and one of a function of work.
TEST(SamplesIn, WhatMpiSpendsInCodeThatWorksTooIsElsewhere) {
  Executed executed;
  executed.modules = {{"/bin/app", {{0, 100, 9, 10}, {200, 20, 3, 10}}, {}}};
  executed.modules[0].parts = {{0, 100, 0, Layer::kWork, true, 10},
                               {0, 100, 0, Layer::kMpi, true, 30},
                               {200, 20, 0, Layer::kWork, true, 10}};
  FoundCode code;
  code.files = {"/bin/app"};
  code.works = {true};
  roofmark::Samples samples;
  samples.modules.resize(1);
  samples.modules[0].file = "/bin/app";
  for (const uint64_t offset : {10, 20, 30, 40, 204}) {
    samples.modules[0].places.push_back({offset, 1, 1, 1});
  }
  const auto count = [&] {
    uint64_t f = 0, work = 0, elsewhere = 0;
    for (const loops::Sample& sample : SamplesIn(samples, executed, code)) {
      (sample.module != 0 ? elsewhere : sample.offset < 100 ? f : work) += sample.times;
    }
    return std::vector<uint64_t>{f, work, elsewhere};
  };
  EXPECT_THAT(count(), ElementsAre(1, 1, 3));
  executed.modules[0].parts.clear();
  EXPECT_THAT(count(), ElementsAre(4, 1, 0)) << "it is not known who executed it";
  code.works = {false};
  EXPECT_THAT(count(), ElementsAre(0, 0, 5));
}

TEST(NestPlanOf, NestsInsideEachOtherWithTheCodeBetweenThem) {
  const NestPlan plan = PlanOf(Sample(), Choose({{0, 1}, {0, 0}}));
  EXPECT_THAT(plan.modules, ElementsAre("/bin/app"));
  EXPECT_THAT(plan.nests, ElementsAre(PlannedNest{"outer", "a.c", 3, {}, false},
                                      PlannedNest{"inner", "a.c", 4, 0, false}));
  // Code of the function that is in no nest is watched, in its cold part as well.
  EXPECT_THAT(plan.ranges, ElementsAre(PlannedRange{0, {}, 0, 20}, PlannedRange{0, 0, 20, 30},
                                       PlannedRange{0, 1, 30, 40}, PlannedRange{0, 0, 40, 60},
                                       PlannedRange{0, {}, 60, 100}, PlannedRange{0, 0, 200, 210},
                                       PlannedRange{0, {}, 210, 220}, PlannedRange{0, 0, 300, 350},
                                       PlannedRange{0, {}, 350, 400}));
  EXPECT_THAT(plan.entries, ElementsAre(PlannedEntry{0, 0, 300, true}));
}

TEST(NestPlanOf, TheBodyOfAConstructIsAVisitWhereNoOtherIsKnown) {
  FoundCode code = Sample();
  const auto entries = [&code] { return PlanOf(code, Choose({{0, {}}})).entries; };
  EXPECT_THAT(entries(), ElementsAre(PlannedEntry{0, 0, 0}, PlannedEntry{0, 0, 300, true}));
  code.begun[0][0] = false;
  EXPECT_THAT(entries(), ElementsAre(PlannedEntry{0, 0, 0}, PlannedEntry{0, 0, 300}));
  code.modules[0].inlined.functions = {{"f", "a.c", 1, {0}}};
  code.modules[0].inlined.of_root[0] = 0;
  code.modules[0].inlined.bodies = {{0, 3, {}, {}, 0, {}, 5}};
  EXPECT_THAT(entries(), ElementsAre(PlannedEntry{0, 0, 0}, PlannedEntry{0, 0, 300, true}));
}

// g at 500 to 600 has helper inlined at 510 to 550, which begins at 520 with small, to 530, and
// once more at 560 to 570; helper is left at 300, as the body of a construct.
TEST(NestPlanOf, InlinedCodeIsOfItsFunction) {
  FoundCode code = Sample();
  loops::ModuleNests& module = code.modules[0];
  module.functions[2].parent = {};
  module.functions[2].name = "helper";
  module.inlined.functions = {{"helper", "b.h", 7, {2}}, {"small", "b.h", 2, {}}};
  module.inlined.of_root = {{2, 0}};
  module.inlined.bodies = {{0, 3, {}, 520, 1, {{520, true}}},
                           {1, 3, 0, 520, 1, {{520, false}}},
                           {0, 3, {}, 560, 1, {{560, false}}},
                           {0, 3, 2, 565, 1, {{565, false}}}};
  module.inlined.places = {
      {510, 520, 0}, {520, 530, 1}, {530, 550, 0}, {560, 565, 2}, {565, 570, 3}};
  loops::Choice choice = Choose({{3, {}}, {2, {}}, {4 + 1, {}}});
  choice.chosen[1].inlined = 0;
  choice.chosen[2].inlined = 1;
  std::vector<double> with_calls;
  const NestPlan plan = PlanOf(code, choice, &with_calls);
  enum : uint32_t {
    kHelper,
    kG,
    kSmall,
    kBegin,
    kRest,
    kSmallBegin,
    kSmallRest,
    kAgain,
    kAgainRest
  };
  const auto inlined = [](uint32_t same, uint32_t around, std::optional<uint32_t> rest_of = {}) {
    return same == kHelper ? PlannedNest{"helper()", "b.h", 7, around, false, same, rest_of}
                           : PlannedNest{"small()", "b.h", 2, around, false, same, rest_of};
  };
  EXPECT_THAT(plan.nests, ElementsAre(PlannedNest{"helper()", "b.h", 7, {}, true},
                                      PlannedNest{"g()", "a.c", 18, {}, true},
                                      PlannedNest{"small()", "b.h", 2, {}, true},
                                      inlined(kHelper, kG), inlined(kHelper, kG, kBegin),
                                      inlined(kSmall, kBegin), inlined(kSmall, kRest, kSmall),
                                      inlined(kHelper, kG), inlined(kHelper, kG, kHelper)));
  EXPECT_THAT(plan.ranges,
              ElementsAre(PlannedRange{0, kHelper, 300, 400}, PlannedRange{0, kG, 500, 510},
                          PlannedRange{0, kRest, 510, 520}, PlannedRange{0, kSmallBegin, 520, 521},
                          PlannedRange{0, kSmallRest, 521, 530}, PlannedRange{0, kRest, 530, 550},
                          PlannedRange{0, kG, 550, 560}, PlannedRange{0, kAgain, 560, 561},
                          PlannedRange{0, kAgainRest, 561, 570}, PlannedRange{0, kG, 570, 600}));
  EXPECT_THAT(plan.entries, ElementsAre(PlannedEntry{0, kHelper, 300}, PlannedEntry{0, kG, 500}));
  EXPECT_EQ(with_calls.size(), plan.nests.size());
}

TEST(NestPlanOf, WhatWasNotChosenBelongsToWhatIsAround) {
  const NestPlan plan = PlanOf(Sample(), Choose({{0, 1}}));
  EXPECT_THAT(plan.nests, ElementsAre(PlannedNest{"inner", "a.c", 4, {}, false}));
  EXPECT_THAT(plan.ranges, ElementsAre(PlannedRange{0, {}, 0, 30}, PlannedRange{0, 0, 30, 40},
                                       PlannedRange{0, {}, 40, 100}));
  EXPECT_THAT(plan.entries, IsEmpty());
}

TEST(NestPlanOf, FunctionsWithAllTheirPartsAndTheNestsInThem) {
  const NestPlan plan = PlanOf(Sample(), Choose({{0, 2}, {0, {}}}));
  EXPECT_THAT(plan.nests, ElementsAre(PlannedNest{"f()", "a.c", 1, {}, true},
                                      PlannedNest{"body", "a.c", 9, 0, false}));
  EXPECT_THAT(plan.ranges, ElementsAre(PlannedRange{0, 0, 0, 100}, PlannedRange{0, 0, 200, 220},
                                       PlannedRange{0, 1, 300, 350}, PlannedRange{0, 0, 350, 400}));
  // A cold part is not called.
  EXPECT_THAT(plan.entries, ElementsAre(PlannedEntry{0, 0, 0}, PlannedEntry{0, 1, 300, true}));
}

TEST(NestPlanOf, ANestOfAnotherFunctionIsNotAround) {
  const NestPlan plan = PlanOf(Sample(), Choose({{0, 0}, {0, 2}}));
  EXPECT_THAT(plan.nests, ElementsAre(PlannedNest{"outer", "a.c", 3, {}, false},
                                      PlannedNest{"body", "a.c", 9, {}, false}));
}

TEST(NestPlanOf, ALoopThatBeginsWithItsFunctionIsEnteredThere) {
  const NestPlan plan = PlanOf(Sample(), Choose({{3, 3}}));
  EXPECT_THAT(plan.entries, ElementsAre(PlannedEntry{0, 0, 500}));
}

TEST(NestPlanOf, NamesThatWouldBeAlikeAreToldApart) {
  FoundCode code = Sample();
  code.modules[0].nests.nests[1].name = "outer";
  code.files.push_back("/lib/libx.so");
  code.modules.push_back(code.modules[0]);
  code.places.push_back(code.places[0]);
  code.begun.push_back(code.begun[0]);
  loops::Choice choice = Choose({{0, 0}, {0, 1}, {3, 3}});
  choice.chosen.push_back({1, 0, 0, 1, 1, 1});
  const NestPlan plan = PlanOf(code, choice);
  std::vector<std::string> names;
  for (const PlannedNest& nest : plan.nests) names.push_back(nest.name);
  EXPECT_THAT(names, ElementsAre("outer [app]", "outer [app] (2)", "of g", "outer [libx.so]"));
}

TEST(NestPlanOf, NothingChosenIsAnEmptyPlan) { EXPECT_EQ(PlanOf(Sample(), {}), NestPlan{}); }

// Of modules that have a hundredth of the samples.
TEST(NotesTest, WhatIsToBeSaidOfSeveralFilesAlikeIsSaidOnce) {
  FoundCode code;
  code.files = {"/a", "/b", "/c", "/d", "/e"};
  code.notes = {"lines of /a are not known", "lines of /b are not known", "/c cannot be read",
                "lines of /d are not known", "nothing is known"};
  const auto notes = [&code](std::vector<uint64_t> of_module) {
    std::vector<loops::Sample> samples;
    for (uint32_t m = 0; m < of_module.size(); ++m) samples.push_back({m, 0, of_module[m]});
    return NotesOf(code, samples);
  };
  EXPECT_THAT(notes({5, 5, 5, 5, 80}), ElementsAre("lines of /a, /b and /d are not known",
                                                   "/c cannot be read", "nothing is known"));
  EXPECT_THAT(notes({5, 0, 0, 95, 0}), ElementsAre("lines of /a and /d are not known"));
  EXPECT_THAT(notes({1, 100, 0, 0, 0}), ElementsAre("lines of /b are not known"));
}

}  // namespace
}  // namespace roofmark::cli
