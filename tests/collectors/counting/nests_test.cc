// SPDX-License-Identifier: BSD-3-Clause
//
// Loops and functions that a plan makes regions of.
#include <gmock/gmock.h>

#include "lib/core/file.h"
#include "lib/found/found_json.h"
#include "tests/collectors/counting/counting_fixture.h"
#include "tests/support/process.h"

namespace roofmark::counting {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class CountingNests : public Counting {
 protected:
  // A loop at 20 to 40, with one inside at 30.
  static NestPlan Loops() {
    NestPlan plan;
    plan.modules = {"none", "program"};
    plan.nests = {{"outer", "a.c", 3, {}, false}, {"inner", "a.c", 5, 0, false}};
    plan.ranges = {{1, 0, 20, 30}, {1, 1, 30, 32}, {1, 0, 32, 40}};
    return plan;
  }
  void Plan(const std::string& text) {
    settings_.nests = directory_.File("nests.json");
    ASSERT_TRUE(WriteFile(settings_.nests, text, IfExists::kReplace));
  }
  // 10, twice (20, three times 30), 40, on the running thread.
  void RunLoops() {
    engine_->Execute({{1, 10}, 1, 1});
    for (int i = 0; i < 2; ++i) {
      engine_->Execute({{1, 20}, 1, 10});
      for (int k = 0; k < 3; ++k) engine_->Execute({{1, 30}, 1, 100});
    }
    engine_->Execute({{1, 40}, 1, 1});
  }
  test::TempDir directory_;
};

TEST_F(CountingNests, AreDefinedBelowThePathsInWhichTheyWereEntered) {
  Plan(NestPlanToJson(Loops()));
  Start();
  RunLoops();
  collector_->EnterTeam(3, true);
  RunLoops();
  const Harvested harvested = Harvest();
  EXPECT_THAT(harvested.defined,
              ElementsAre("0 outer a.c:3", "100 inner a.c:5", "3 outer a.c:3", "102 inner a.c:5"));
  EXPECT_EQ(harvested.Adds(1, 0), 2u);
  EXPECT_EQ(harvested.Adds(1, 100), 20u);
  EXPECT_EQ(harvested.Adds(1, 101), 600u);
  EXPECT_EQ(harvested.Adds(1, 3), 2u);
  EXPECT_EQ(harvested.Adds(1, 103), 600u);
  EXPECT_EQ(harvested.visits.at({1, 100}), 1u);
  EXPECT_EQ(harvested.visits.at({1, 101}), 2u);
}

TEST_F(CountingNests, WhoWorksForTheMainThreadIsInItsNests) {
  Plan(NestPlanToJson(Loops()));
  Start();
  engine_->BeginThread(2);
  engine_->Execute({{1, 20}, 1, 10});
  engine_->Lead();
  engine_->RunAs(2);
  engine_->Execute({{1, 50}, 1, 1000});
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.Adds(2, 100), 1000u);
  EXPECT_EQ(harvested.Adds(2, 0), 0u);
}

TEST_F(CountingNests, APlanThatCannotBeFollowedIsAnErrorThatNamesTheVariable) {
  const auto error = [this](std::set<std::string> without) {
    collector_ = MakeCollector(std::make_unique<FakeEngine>(std::move(without)), {});
    return collector_->Open(settings_).error();
  };
  settings_.nests = directory_.File("missing.json");
  EXPECT_THAT(error({}), AllOf(HasSubstr("ROOFMARK_NESTS: "), HasSubstr("missing.json")));
  Plan("{}");
  EXPECT_THAT(error({}), HasSubstr("nests.json"));
  Plan(NestPlanToJson(Loops()));
  EXPECT_THAT(error({"nests"}), HasSubstr("this fake has no nests"));
}

TEST_F(CountingNests, APlanOfNothingLeavesAllElseToBeCounted) {
  Plan(NestPlanToJson({}));
  Start();
  collector_->EnterTeam(3, true);
  RunLoops();
  const Harvested harvested = Harvest();
  EXPECT_TRUE(harvested.defined.empty());
  EXPECT_EQ(harvested.Adds(1, 3), 622u);
  EXPECT_THAT(collector_->Facts().at("nests"), HasSubstr("names no loop and no function"));
}

TEST_F(CountingNests, FunctionsByNameAreAPlanToo) {
  settings_.functions = "app:no_such_function";
  Start({}, {"nests"});
  EXPECT_THAT(collector_->Facts().at("functions"),
              HasSubstr("`app:no_such_function` matches no function"));
  const auto error = [this] {
    collector_ = MakeCollector(std::make_unique<FakeEngine>(std::set<std::string>{"nests"}), {});
    return collector_->Open(settings_).error();
  };
  settings_.functions = "app:main";
  EXPECT_THAT(error(),
              AllOf(HasSubstr("ROOFMARK_FUNCTIONS: "), HasSubstr("this fake has no nests")));
  settings_.nests = directory_.File("nests.json");
  EXPECT_THAT(error(), AllOf(HasSubstr("ROOFMARK_FUNCTIONS"), HasSubstr("ROOFMARK_NESTS"),
                             HasSubstr("leave one of them out")));
}

}  // namespace
}  // namespace roofmark::counting
