// SPDX-License-Identifier: BSD-3-Clause
//
// What the collector hands over of the engine's stream: accesses, windows, events, executed code.
#include <gmock/gmock.h>

#include "lib/core/messages/collectors.h"
#include "tests/collectors/counting/counting_fixture.h"
#include "tests/support/says.h"

namespace roofmark::counting {
namespace {

using testing::ElementsAre;

// Writes down, in words, what an engine tells it.
struct Listener final : AccessSink, WindowSink, EventSink {
  std::vector<std::string> heard;
  std::vector<uint64_t> addresses;
  size_t instructions = 0;

  static std::string Name(const Context& c) {
    return std::to_string(c.thread) + "/" + std::to_string(c.path) + "/" +
           std::to_string(static_cast<int>(c.layer));
  }
  void Take(const Context& context, std::span<const uint64_t> records) override {
    heard.push_back("accesses of " + Name(context));
    for (uint64_t record : records) addresses.push_back(ROOF_RECORD_ADDRESS(record));
  }
  void Take(const Context& context, std::span<const ExecutedInstruction> window) override {
    heard.push_back("window of " + Name(context));
    instructions += window.size();
    for (const ExecutedInstruction& one : window) {
      for (const ExecutedAccess& access : one.accesses) {
        addresses.push_back(ROOF_RECORD_ADDRESS(access.record));
      }
    }
  }
  void ThreadBegan(uint32_t thread) override { heard.push_back("+" + std::to_string(thread)); }
  void ThreadEnded(uint32_t thread) override { heard.push_back("-" + std::to_string(thread)); }
  void Forked() override { heard.push_back("fork"); }
  void ModuleLoaded(const Module& module) override { heard.push_back("load " + module.file); }
  void ModuleUnloaded(uint32_t id) override { heard.push_back("unload " + std::to_string(id)); }
};
TEST_F(Counting, AccessesAreHandedOverByContext) {
  Listener listener;
  Start({.accesses = &listener});
  collector_->EnterTeam(4, true);
  engine_->Execute({{1, 0}, 1, 0, {0x1000, 0x2000}});
  engine_->GetLayers().operator*()->Enter(Layer::kMpi);
  engine_->Execute({{1, 0}, 1, 0, {0x3000}});
  Harvest();
  EXPECT_THAT(listener.heard, ElementsAre("accesses of 1/4/0", "accesses of 1/4/1"));
  EXPECT_THAT(listener.addresses, ElementsAre(0x1000, 0x2000, 0x3000));
}

TEST_F(Counting, AccessesCanBeSampledByLines) {
  Listener listener;
  Start({.accesses = &listener, .line_sampling = 4});
  for (uint64_t line = 0; line < 400; ++line) engine_->Execute({{1, 0}, 1, 0, {line * 64}});
  Harvest();
  EXPECT_EQ(listener.addresses.size(), 100u);
}

TEST_F(Counting, WindowsHoldInstructionsInTheirOrderWithTheirAccesses) {
  Listener listener;
  Start({.windows = &listener, .window_plan = {.instructions = 6, .warm_up = 1, .one_in = 1}});
  collector_->EnterTeam(2, true);
  for (uint64_t i = 0; i < 4; ++i) engine_->Execute({{1, 0x10}, 3, 1, {i * 8}});
  EXPECT_THAT(listener.heard, ElementsAre("window of 1/2/0", "window of 1/2/0"));
  EXPECT_EQ(listener.instructions, 12u);
  EXPECT_THAT(listener.addresses, ElementsAre(0, 8, 16, 24));
}

TEST_F(Counting, ExecutedCodeIsHandedOverAtTheEnd) {
  settings_.executed = true;
  Start();
  for (int i = 0; i < 3; ++i) {
    engine_->Execute({{1, 10}});
    engine_->Execute({{1, 20}});
  }
  Harvest();
  const std::optional<Executed> executed = collector_->TakeExecuted();
  ASSERT_TRUE(executed && executed->modules.size() == 1u);
  EXPECT_THAT(executed->modules[0].blocks,
              ElementsAre(ExecutedBlock{10, 4, 1, 3}, ExecutedBlock{20, 4, 1, 3}));
  EXPECT_THAT(executed->modules[0].ways,
              ElementsAre(ExecutedWay{10, 20, 3, false}, ExecutedWay{20, 10, 2, false}));
}

TEST_F(Counting, WhereNoExecutedCodeCanBeKeptTheReasonIsAFact) {
  settings_.executed = true;
  Start({}, {"room for blocks"});
  Add(1);
  Harvest();
  EXPECT_FALSE(collector_->TakeExecuted());
  EXPECT_EQ(collector_->Facts().at("executed"), "not available: this fake has no room for blocks");
}

TEST_F(Counting, LostWaysOfExecutedCodeAreSaid) {
  settings_.executed = true;
  Start({}, {"room for ways"});
  engine_->Execute({{1, 10}});
  Harvest();
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(collector_->TakeExecuted());
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), test::Says(message::kExecutedCodeLost, 1));
}

TEST_F(Counting, WithoutTheSettingNoExecutedCodeIsKept) {
  Start();
  Add(1);
  Harvest();
  EXPECT_FALSE(collector_->TakeExecuted());
}

TEST_F(Counting, EventsOfThreadsForksAndModules) {
  Listener listener;
  auto engine = std::make_unique<FakeEngine>();
  engine_ = engine.get();
  engine_->Load({1, "program", "ab12", 0x1000, 0x2000});
  collector_ = MakeCollector(std::move(engine), {.events = &listener});
  ASSERT_TRUE(collector_->Open(settings_));
  engine_->BeginThread(2);
  engine_->Load({2, "plugin.so", "", 0x3000, 0x4000});
  engine_->EndThread(2);
  engine_->Unload(2);
  collector_->EnterTeam(1, true);
  Add(5);
  engine_->Fork();
  Add(3);
  EXPECT_THAT(listener.heard,
              ElementsAre("load program", "+2", "load plugin.so", "-2", "unload 2", "fork"));
  EXPECT_EQ(Harvest().Adds(1, 1), 3u) << "a child starts from zero";
}

TEST_F(Counting, WhatAnEngineLacksIsAFactWithItsReason) {
  Listener listener;
  settings_.executed = true;
  Start({.accesses = &listener, .windows = &listener, .events = &listener},
        {"trace", "windows", "blocks", "events"});
  Add(5);
  EXPECT_EQ(Harvest().Adds(1, 0), 5u);
  EXPECT_TRUE(listener.heard.empty());
  const auto facts = collector_->Facts();
  EXPECT_EQ(facts.at("address_trace"), "not available: this fake has no trace");
  EXPECT_EQ(facts.at("windows"), "not available: this fake has no windows");
  EXPECT_EQ(facts.at("executed"), "not available: this fake has no blocks");
  EXPECT_EQ(facts.at("events"), "not available: this fake has no events");
}

}  // namespace
}  // namespace roofmark::counting
