// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <string>

#include "lib/core/messages/collectors.h"
#include "tests/support/says.h"

namespace roofmark::counting {
namespace {

using testing::HasSubstr;

template <typename Part>
void ExpectReason(const Capability<Part>& part) {
  EXPECT_FALSE(part);
  EXPECT_THAT(part.error(), HasSubstr("the Valgrind tool"));
}

TEST(Engines, EachRowMakesTheEngineThatItNames) {
  std::set<std::string_view> names;
  for (const EngineRow& row : Engines()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.make()->Name(), row.name);
  }
  EXPECT_EQ(ChosenEngine().name, "valgrind");
  EXPECT_EQ(ChooseEngine({}, "").name, "valgrind");
  EXPECT_EQ(WhyChosen(), "") << "it was not left open";
}

TEST(Engines, ValgrindSaysWhyItDoesNotCountInAProcessOfItsOwn) {
  const std::unique_ptr<Engine> engine = Engines()[0].make();
  EXPECT_EQ(engine->HowItExecutes(), Execution::kReExecuting);
  EXPECT_EQ(engine->Open({}).error(), "the program does not run under the counting engine");
}

TEST(Engines, ValgrindSaysYesOrWhyNotToEachCapability) {
  const std::unique_ptr<Engine> engine = Engines()[0].make();
  EXPECT_TRUE(engine->GetLayers());
  EXPECT_TRUE(engine->GetPeriodicHarvest());
  EXPECT_TRUE(engine->GetBlocks());
  EXPECT_TRUE(engine->GetNests());
  ExpectReason(engine->GetWindows());
  ExpectReason(engine->GetAddressTrace());
  ExpectReason(engine->GetEvents());
}

// A program that was started natively and names a tool that is not there.
TEST(Engines, ValgrindSaysHowToGetItsTool) {
  Settings settings;
  settings.tool_dir = "/nonexistent";
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  ASSERT_GT(length, 0);
  const std::string why =
      ChosenEngine().start(settings, std::string(self, static_cast<size_t>(length)));
  EXPECT_THAT(why, test::Says(message::kNoTool, "/nonexistent/roofmark-amd64-linux", testing::_));
}

}  // namespace
}  // namespace roofmark::counting
