// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of this test stand for the program; Called() stands for MPI.
#include "markers/samples/call_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>

#include "lib/samples/samples.h"

namespace roofmark::samples {
namespace {

#define ROOFMARK_STEP __attribute__((noinline)) void
// What follows a call keeps it from being a jump.
#define ROOFMARK_STAY asm volatile("" : : : "memory")

ROOFMARK_STEP Called(CallTimes& times, uint64_t ticks) {
  times.Add(ticks, __builtin_frame_address(0), __builtin_return_address(0));
  ROOFMARK_STAY;
}
ROOFMARK_STEP Exchange(CallTimes& times, uint64_t ticks) {
  Called(times, ticks);
  ROOFMARK_STAY;
}
ROOFMARK_STEP Smooth(CallTimes& times) {
  Exchange(times, 1000);
  ROOFMARK_STAY;
}
ROOFMARK_STEP Multiply(CallTimes& times) {
  Exchange(times, 3000);
  ROOFMARK_STAY;
}
ROOFMARK_STEP Reduce(CallTimes& times) {
  Called(times, 500);
  ROOFMARK_STAY;
}
ROOFMARK_STEP Descend(CallTimes& times, int depth) {
  depth > 0 ? Descend(times, depth - 1) : Called(times, 10);
  ROOFMARK_STAY;
}
struct InDestructor {
  CallTimes& times;
  ~InDestructor() { Reduce(times); }
};
ROOFMARK_STEP Throw(CallTimes& times) {
  [[maybe_unused]] const InDestructor last{times};
  throw std::runtime_error("of the program");
}

// The function that begins last before the place.
template <typename Function>
bool IsIn(const CodePlace& place, Function* function) {
  static const ModuleMap map = ReadModules();
  const auto begin = [](auto* of) { return reinterpret_cast<uintptr_t>(of); };
  const MappedModule* module = FindModule(map, begin(function));
  if (module == nullptr || module->file != place.file) return false;
  const uintptr_t address = module->begin + place.offset;
  uintptr_t last = 0;
  for (const uintptr_t one : {begin(&Called), begin(&Exchange), begin(&Smooth), begin(&Multiply),
                              begin(&Reduce), begin(&Descend), begin(&Throw)}) {
    if (one <= address) last = std::max(last, one);
  }
  return last == begin(function);
}

template <typename... Functions>
uint64_t CallsBy(const std::vector<TimedCalls>& ways, Functions*... functions) {
  uint64_t calls = 0;
  for (const TimedCalls& way : ways) {
    size_t i = 0;
    if (way.frames.size() < sizeof...(functions)) continue;
    if ((IsIn(way.frames[i++], functions) && ...)) calls += way.calls;
  }
  return calls;
}

uint64_t AllCalls(const std::vector<TimedCalls>& ways) {
  uint64_t calls = 0;
  for (const TimedCalls& way : ways) calls += way.calls;
  return calls;
}

class CallTimesOf : public ::testing::Test {
 protected:
  CallTimes times_;
};

TEST_F(CallTimesOf, EachWayOfCallsHasItsOwn) {
  for (int i = 0; i < 1000; ++i) {
    Smooth(times_);
    Multiply(times_);
    if (i % 4 == 0) Reduce(times_);
  }
  const auto ways = times_.Take();
  EXPECT_EQ(CallsBy(ways, &Exchange, &Smooth), 1000u);
  EXPECT_EQ(CallsBy(ways, &Exchange, &Multiply), 1000u);
  EXPECT_EQ(CallsBy(ways, &Reduce), 250u);
  EXPECT_EQ(AllCalls(ways), 2250u);
  uint64_t smooth = 0, multiply = 0;
  for (const TimedCalls& way : ways) {
    if (IsIn(way.frames[1], &Smooth)) smooth += way.wall_ns;
    if (IsIn(way.frames[1], &Multiply)) multiply += way.wall_ns;
    EXPECT_GT(way.frames.size(), 3u) << "who called the test is known, too";
  }
  EXPECT_GT(multiply, 2 * smooth);
  EXPECT_TRUE(times_.Take().empty()) << "they were taken";
}

TEST_F(CallTimesOf, TheInnermostFramesOfManyAreKept) {
  Descend(times_, 200);
  Descend(times_, 200);
  const auto ways = times_.Take();
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0].calls, 2u);
  ASSERT_EQ(ways[0].frames.size(), kMostTimedFrames);
  for (const CodePlace& frame : ways[0].frames) EXPECT_TRUE(IsIn(frame, &Descend));
}

TEST_F(CallTimesOf, WhoCalledIsKnownWhereWalkingTakesTooLong) {
  // Each depth is a stack of its own; all share the addresses in the end.
  constexpr int kDepths = 3000;
  for (int depth = 0; depth < kDepths; ++depth) Descend(times_, depth);
  const auto ways = times_.Take();
  EXPECT_EQ(AllCalls(ways), static_cast<uint64_t>(kDepths));
  EXPECT_EQ(CallsBy(ways, &Descend), static_cast<uint64_t>(kDepths)) << "none is lost";
  EXPECT_LE(ways.size(), kMostTimedFrames + 1);
}

TEST_F(CallTimesOf, OtherThreadsAreIgnored) {
  std::thread([this] { Reduce(times_); }).join();
  Reduce(times_);
  EXPECT_EQ(AllCalls(times_.Take()), 1u);
}

TEST_F(CallTimesOf, CallsWhileAnExceptionIsUnderWayAreKnown) {
  EXPECT_THROW(Throw(times_), std::runtime_error);
  EXPECT_THROW(Throw(times_), std::runtime_error);
  EXPECT_EQ(CallsBy(times_.Take(), &Reduce), 2u);
}

TEST_F(CallTimesOf, NothingIsTimedForAnotherThreadThanTheMainOne) {
  std::thread([] {
    CallTimes times;
    Reduce(times);
    EXPECT_TRUE(times.Take().empty());
  }).join();
}

}  // namespace
}  // namespace roofmark::samples
