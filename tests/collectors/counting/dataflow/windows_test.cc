// SPDX-License-Identifier: BSD-3-Clause
//
// What a window is: its warm-up, its end, its sums.
#include <random>

#include "tests/collectors/counting/dataflow/flow_fixture.h"

namespace roofmark {
namespace {

const Instruction kAdd = {"addsd %xmm1,%xmm0", "f2 0f 58 c1"};
const Instruction kNop = {"nop", "90"};

TEST(DataflowWindows, OfNothingTakeNoTime) {
  Simulator simulator(100);
  EXPECT_EQ(simulator.End().cycles, 0u);
  Loop({kAdd}).Iterate(simulator.flow, 0, 10);
  roof_dataflow_measure(simulator.flow);
  const roof_flow_result result = simulator.End();
  EXPECT_EQ(result.instructions, 0u);
  EXPECT_EQ(result.cycles, 0u);
}

TEST(DataflowWindows, WithoutWarmUpAreMeasuredFromTheirBegin) {
  Simulator simulator(100);
  Loop({kAdd}).Iterate(simulator.flow, 0, 10);
  EXPECT_EQ(simulator.End().cycles, 30u);
}

TEST(DataflowWindows, ForgetWhatWasBefore) {
  Simulator simulator(100);
  for (int window = 0; window < 3; ++window) {
    roof_dataflow_begin(simulator.flow);
    Loop({kAdd}).Iterate(simulator.flow, 0, 20);
    EXPECT_EQ(simulator.End().cycles, 60u);
  }
}

TEST(DataflowWindows, KeepToTheirCapacity) {
  Simulator simulator(10);
  Loop({kAdd}).Iterate(simulator.flow, 0, 1000);
  const roof_flow_result result = simulator.End();
  EXPECT_EQ(result.instructions, 10u);
  EXPECT_EQ(result.cycles, 30u);
}

TEST(DataflowWindows, NeedMemory) {
  Memory memory;
  memory.limit = 1000;
  const roof_memory hooks = memory.Hooks();
  const roof_latencies core = Core();
  EXPECT_EQ(roof_dataflow_create(&hooks, &core, 20000), nullptr);
}

// Nothing but entering in order: no place is to blame.
TEST(DataflowWindows, OfIndependentInstructionsTakeTheTimeToEnter) {
  const roof_flow_result result = Measure({kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop});
  EXPECT_EQ(result.cycles, 9 * kIterations / 6);
  EXPECT_EQ(result.cause[ROOF_FLOW_ISSUE], result.cycles);
  EXPECT_EQ(result.top[0].cycles, 0u);
}

// A long operation in every iteration that nothing waits for: the window hides all but what does
// not fit.
TEST(DataflowWindows, HideWhatNothingWaitsFor) {
  std::vector<Instruction> body = {{"xorps %xmm0,%xmm0", "0f 57 c0"},
                                   {"divsd %xmm1,%xmm0", "f2 0f 5e c1"}};
  EXPECT_LT(CyclesPerIteration(body), 1);
  roof_latencies small = Core();
  small.window = 2;
  EXPECT_GE(CyclesPerIteration(body, small), 13);
}

// Whatever is executed: the causes add up, and all takes no longer than one after the other would.
TEST(DataflowWindows, OfAnyInstructionsHaveCausesThatAddUp) {
  const std::vector<Instruction> kPool = {
      kAdd,
      kNop,
      {"divsd %xmm1,%xmm0", "f2 0f 5e c1"},
      {"mov (%rax),%rax", "48 8b 00", Load(Scattered, ROOF_FLOW_DRAM)},
      {"mov (%rbx),%rax", "48 8b 03", Load(Scattered, ROOF_FLOW_L2)},
      {"movsd (%rax),%xmm0", "f2 0f 10 00", Load(512)},
      {"movsd %xmm0,(%rax)", "f2 0f 11 00", Store(512)},
      {"movsd (%rax),%xmm0", "f2 0f 10 00", Load(Scattered, ROOF_FLOW_DRAM)},
      {"mov (%rax),%rax", "48 8b 00",
       [](uint64_t i) {
         return std::vector<roof_flow_access>{{Scattered(i), 8, ROOF_FLOW_DRAM, 0, 0},
                                              {Scattered(i) + 8, 8, ROOF_FLOW_L1, 0, 0},
                                              {Scattered(i) + 64, 8, ROOF_FLOW_DRAM, 0, 0}};
       }},
      {"push %rax", "50", Store(800)},
      {"pop %rbx", "5b", Load(800)},
      {"sqrtsd %xmm1,%xmm0", "f2 0f 51 c1"},
      {"fldl (%rax)", "dd 00", Load(4000)},
      {"faddp %st,%st(1)", "de c1"},
      {"fxch %st(1)", "d9 c9"},
      {"xorps %xmm0,%xmm0", "0f 57 c0"},
      {"cvttsd2si %xmm0,%eax", "f2 0f 2c c0"},
      {"imul %rax,%rax", "48 0f af c0"},
      {"xchg %rax,%rbx", "48 93"}};
  std::mt19937 random(14);
  for (int round = 0; round < 200; ++round) {
    roof_latencies core = Core();
    core.window = static_cast<uint16_t>(2 + random() % 300);
    core.misses = static_cast<uint16_t>(1 + random() % 30);
    core.width = static_cast<uint16_t>(1 + random() % 8);
    std::vector<Instruction> body(1 + random() % 40);
    for (Instruction& instruction : body) instruction = kPool[random() % kPool.size()];
    const double cycles = CyclesPerIteration(body, core);
    EXPECT_LE(cycles, 650.0 * static_cast<double>(body.size())) << round;
    EXPECT_GE(cycles * core.width + 1, static_cast<double>(body.size())) << round;
  }
}

}  // namespace
}  // namespace roofmark
