// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/windows/branches.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/windows/windows.h"
#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

roof_code_instruction Read(uint64_t place, const std::vector<uint8_t>& bytes) {
  roof_code_instruction instruction;
  EXPECT_TRUE(
      roof_code_read(bytes.data(), static_cast<unsigned>(bytes.size()), place, &instruction));
  return instruction;
}

TEST(Code, KnowsWhereBranchesLead) {
  const auto distance = [](const std::vector<uint8_t>& bytes) { return Read(1, bytes).distance; };
  EXPECT_EQ(distance({0x75, 0xfe}), -2);                           // jne .
  EXPECT_EQ(distance({0x3e, 0x74, 0x7f}), 127);                    // je,pt
  EXPECT_EQ(distance({0xe2, 0x80}), -128);                         // loop
  EXPECT_EQ(distance({0x0f, 0x84, 0x10, 0x20, 0, 0}), 0x2010);     // je
  EXPECT_EQ(distance({0x0f, 0x8f, 0xf0, 0xff, 0xff, 0xff}), -16);  // jg
  EXPECT_EQ(distance({0xeb, 0x10}), 0) << "no other way";
  EXPECT_EQ(Read(1, {0x0f, 0x84, 0, 0, 0, 0}).length, 6);
  EXPECT_EQ(Read(1, {0x90}).length, 1);
}

TEST(Code, IsAnotherOneIfItLeadsElsewhere) {
  Memory memory;
  roof_codes codes = {};
  codes.memory = memory.Hooks();
  const auto intern = [&](const std::vector<uint8_t>& bytes) {
    const roof_code_instruction instruction = Read(1, bytes);
    return roof_codes_intern(&codes, &instruction, 1, 1);
  };
  EXPECT_EQ(intern({0x75, 0xfe}), intern({0x75, 0xfe}));
  EXPECT_NE(intern({0x75, 0xfe}), intern({0x75, 0xfd}));
  EXPECT_NE(intern({0xff, 0x20}), intern({0x3e, 0xff, 0x20}));  // jmp *(%rax), notrack
}

// Code: 0x1000 nop; 0x1001 jne 0x1000; 0x1003 nop; 0x1004 jmp 0x1000.
constexpr uint64_t kTop = 0x1000, kBehind = 0x1003, kElsewhere = 0x2000;
// 0x3000 jmp *(%rax); 0x3100 call *(%rax)
constexpr uint64_t kJump = 0x3000, kCall = 0x3100, kBehindCall = 0x3102;

// Plays an engine that hands over segments of this code.
class WindowBranches : public testing::Test {
 protected:
  using Segments = std::vector<const roof_descriptor*>;
  void SetUp() override { Start(20); }
  void Start(uint16_t mispredicted) {
    hooks_ = memory_.Hooks();
    codes_ = {};
    codes_.memory = hooks_;
    contexts_ = std::make_unique<roof_context[]>(2);
    contexts_[1].number = 1;
    roof_latencies core = {};
    core.load[ROOF_FLOW_L1] = 4;
    core.forward_general = 5;
    core.width = 4;
    core.window = 100;
    core.misses = 8;
    core.mispredicted = mispredicted;
    ASSERT_TRUE(roof_windows_start(&windows_, &hooks_, &plan_, &core, nullptr, 0, nullptr));
    windows_.simulate = [](void*, uint32_t, const roof_context*, uint64_t) { return 0; };
    loop_ = Segment({Read(kTop, {0x90}), Read(kTop + 1, {0x75, 0xfd})});
    behind_ = Segment({Read(kBehind, {0x90}), Read(kBehind + 1, {0xeb, 0xfa})});
    elsewhere_ = Segment({Read(kElsewhere, {0x90})});
    // The first window is due after as many words.
    Batch(0, Segments(plan_.instructions, elsewhere_));
  }
  const roof_descriptor* Segment(std::vector<roof_code_instruction> code) {
    descriptors_.emplace_back();
    roof_descriptor& segment = descriptors_.back();
    tags_.emplace_back();
    for (auto& instruction : code) {
      const unsigned flags = instruction.operands.flags;
      for (const unsigned one : {ROOF_LOADS, ROOF_STORES})
        if (flags & one) {
          ++instruction.accesses;
          tags_.back().push_back(ROOF_RECORD_TAG(one == ROOF_LOADS ? ROOF_LOAD : ROOF_STORE, 8));
        }
    }
    segment.accesses = static_cast<uint16_t>(tags_.back().size());
    segment.tag = tags_.back().data();
    segment.code = roof_codes_intern(&codes_, code.data(), static_cast<uint32_t>(code.size()),
                                     static_cast<int32_t>(code.size()));
    return &segment;
  }
  const roof_descriptor* At(uint64_t place) { return Segment({Read(place, {0x90})}); }
  // What the thread in the slot executes in a row.
  void Batch(uint32_t context, const Segments& segments, uint32_t slot = 1) {
    std::vector<uint64_t> words;
    for (const roof_descriptor* segment : segments) {
      words.push_back(reinterpret_cast<uint64_t>(segment));
      words.insert(words.end(), segment->accesses, uint64_t{0x10000});
    }
    roof_windows_take(&windows_, slot, &contexts_[context], words.data(),
                      words.data() + words.size());
  }
  void ExpectWays(uint64_t known, uint64_t mispredicted) {
    EXPECT_EQ(windows_.branches.known, known);
    EXPECT_EQ(windows_.branches.mispredicted, mispredicted);
  }
  Memory memory_;
  roof_memory hooks_{};
  roof_codes codes_{};
  std::unique_ptr<roof_context[]> contexts_;
  std::deque<roof_descriptor> descriptors_;
  std::deque<std::vector<uint64_t>> tags_;
  roof_window_plan plan_ = {1000, 100, 1, 0};
  roof_windows windows_{};
  const roof_descriptor *loop_ = nullptr, *behind_ = nullptr, *elsewhere_ = nullptr;
};

// The branch at the end of the warm-up is left out.
TEST_F(WindowBranches, AreTakenWhereTheTargetFollows) {
  Segments segments(101, loop_);
  Batch(0, segments);
  ExpectWays(99, 0);
  segments.push_back(behind_);
  Start(20);
  Batch(0, segments);
  ExpectWays(100, 1);  // the way out
}

TEST_F(WindowBranches, AreNotTakenWhereTheNextInstructionFollows) {
  Segments segments;
  for (int i = 0; i < 100; ++i) segments.insert(segments.end(), {loop_, behind_});
  Batch(0, segments);
  ExpectWays(100, 0);
  segments.insert(segments.end(), {loop_, loop_, behind_});
  Start(20);
  Batch(0, segments);
  ExpectWays(102, 1);  // the only way back
}

TEST_F(WindowBranches, MayLieInTheMiddleOfASegment) {
  const roof_descriptor* both = Segment({Read(kTop, {0x90}), Read(kTop + 1, {0x75, 0xfd}),
                                         Read(kBehind, {0x90}), Read(kBehind + 1, {0xeb, 0xfa})});
  Segments segments(50, both);
  segments.insert(segments.end(), {loop_, both});
  Batch(0, segments);
  ExpectWays(52, 1);
}

// The predictor of all windows is one.
TEST_F(WindowBranches, GoOnLearningInTheNextWindow) {
  for (int window = 0; window < 10; ++window) {
    Segments segments;
    for (int visit = 0; visit < 60; ++visit) {
      segments.insert(segments.end(), 9, loop_);
      segments.push_back(behind_);
    }
    const uint64_t before = windows_.branches.mispredicted;
    Batch(0, segments);
    if (window > 3) {
      EXPECT_LE(windows_.branches.mispredicted, before + 1) << window;
    }
  }
  EXPECT_GT(windows_.branches.mispredicted, 0u);
}

TEST_F(WindowBranches, CountAsPredictedWhereSomethingElseFollows) {
  Segments segments(20, loop_);
  segments.push_back(elsewhere_);  // a handler of a signal
  segments.insert(segments.end(), {loop_, behind_});
  Batch(0, segments);
  ExpectWays(20, 1);
}

// Between the visits of a context its thread executed something else.
TEST_F(WindowBranches, AreKnownAcrossAGapIfTheyLeadWhereTheThreadWentOn) {
  Batch(0, Segments(10, loop_));
  ExpectWays(9, 0);
  Batch(0, {elsewhere_, loop_});
  ExpectWays(9, 0);
  Batch(1, {behind_});  // of another context, which has no window now
  ExpectWays(10, 1);
  Batch(0, {loop_});
  Batch(1, {behind_}, 2);  // another thread
  ExpectWays(10, 1);
  Batch(0, {loop_});
  ExpectWays(11, 1);
}

TEST_F(WindowBranches, CountAsPredictedAtTheEndOfAWindow) {
  Batch(0, Segments(plan_.instructions / 2, loop_));
  EXPECT_EQ(windows_.owner, nullptr);
  // One at the end of the warm-up, too.
  ExpectWays(plan_.instructions / 2 - 2, 0);
  EXPECT_EQ(windows_.branches.held, nullptr);
  Batch(0, {behind_});
  ExpectWays(plan_.instructions / 2 - 2, 0);
}

TEST_F(WindowBranches, KnowWhereJumpsLead) {
  const roof_descriptor* jump = Segment({Read(kJump, {0xff, 0x20})});
  const roof_descriptor *one = At(kElsewhere + 16), *other = At(kElsewhere + 32);
  Segments segments;
  for (int i = 0; i < 20; ++i) segments.insert(segments.end(), {jump, one});
  segments.insert(segments.end(), {jump, other, jump, one});
  segments.push_back(jump);
  Batch(0, segments);
  ExpectWays(22, 1);
  Batch(0, {elsewhere_});  // where it led is not known across a gap
  ExpectWays(22, 1);
}

// Code that is not followed was called.
TEST_F(WindowBranches, DoNotKnowWhereCallsLedThatCameBackAtOnce) {
  const roof_descriptor* call = Segment({Read(kCall, {0xff, 0x10})});
  const roof_descriptor *back = At(kBehindCall), *there = At(kElsewhere + 16);
  Segments segments;
  for (int i = 0; i < 10; ++i) segments.insert(segments.end(), {call, there, call, back});
  Batch(0, segments);
  ExpectWays(10, 0);
}

TEST_F(WindowBranches, OfOneWayChangeNoResult) {
  std::vector<uint64_t> expected;
  for (const uint16_t mispredicted : {uint16_t{0}, uint16_t{20}}) {
    Start(mispredicted);
    EXPECT_EQ(windows_.branches.predictor != nullptr, mispredicted != 0);
    // Loads that wait for each other, and words that a call stores and the next one loads.
    const roof_descriptor* chain =
        Segment({Read(kElsewhere, {0x48, 0x8b, 0x00}), Read(kCall, {0xff, 0x10})});
    Batch(0, Segments(plan_.instructions, chain));
    roof_windows_finish(&windows_);
    const std::vector<uint64_t> counters(contexts_[0].counters,
                                         contexts_[0].counters + ROOF_COUNTERS);
    EXPECT_GT(counters[ROOF_C_WINDOW_CYCLES], plan_.instructions);
    if (!mispredicted) expected = counters;
    EXPECT_EQ(counters, expected);
    EXPECT_EQ(windows_.branches.known > 0, mispredicted != 0);
  }
}

TEST_F(WindowBranches, NeedMemory) {
  memory_.limit = memory_.bytes + 1000;
  roof_latencies core = {};
  core.mispredicted = 20;
  EXPECT_FALSE(roof_windows_start(&windows_, &hooks_, &plan_, &core, nullptr, 0, nullptr));
}

}  // namespace
}  // namespace roofmark
