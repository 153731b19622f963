// SPDX-License-Identifier: BSD-3-Clause
//
// What the units of a core, its ports to memory, atomics and mispredicted branches cost.
#include "tests/collectors/counting/dataflow/flow_fixture.h"

namespace roofmark {
namespace {

const Instruction kAdd = {"vaddsd %xmm9,%xmm9,%xmm0", "c4 c1 33 58 c1"};
const Instruction kMul = {"vmulsd %xmm9,%xmm9,%xmm1", "c4 c1 33 59 c9"};
const Instruction kRoot = {"vsqrtpd %xmm9,%xmm2", "c4 c1 79 51 d1"};

double Share(const roof_flow_result& result, unsigned cause) {
  return static_cast<double>(result.cause[cause]) / static_cast<double>(result.cycles);
}

roof_latencies WithUnits() {
  roof_latencies core = Core();
  core.units[ROOF_L_DP_ADD] = 0b1100;
  core.units[ROOF_L_DP_MUL] = 0b0011;
  core.units[ROOF_L_DP_SQRT] = 0b0010;
  core.busy[ROOF_L_DP_SQRT] = 5;
  return core;
}

TEST(Units, LimitHowManyOperationsOfAClassBeginInACycle) {
  const roof_flow_result result = Measure({kAdd, kAdd, kAdd, kAdd}, WithUnits());
  EXPECT_NEAR(CyclesPerIteration(result), 2, 0.02);
  EXPECT_GT(Share(result, ROOF_FLOW_UNITS), 0.9);
  EXPECT_EQ(SumOfCauses(result), result.cycles);
  // Without units only entering costs: six a cycle.
  EXPECT_NEAR(CyclesPerIteration(Measure({kAdd, kAdd, kAdd, kAdd})), 4 / 6.0, 0.02);
}

TEST(Units, OfDifferentClassesWorkBesideEachOther) {
  EXPECT_NEAR(CyclesPerIteration(Measure({kAdd, kAdd, kMul, kMul}, WithUnits())), 1, 0.02);
}

TEST(Units, AreBusyAsLongAsAnOperationTakesThem) {
  EXPECT_NEAR(CyclesPerIteration(Measure({kRoot}, WithUnits())), 5, 0.02);
}

// Where an operation has a choice it leaves the units that others need to them.
TEST(Units, ThatOthersNeedAreLeftToThem) {
  roof_latencies core = WithUnits();
  core.units[ROOF_L_DP_ADD] = 0b0011;
  core.units[ROOF_L_DP_MUL] = 0b0001;
  EXPECT_NEAR(CyclesPerIteration(Measure({kAdd, kMul}, core)), 1, 0.05);
}

// The chain is as long as without units, and is what the time is spent on.
TEST(Units, ThatAreEnoughCostAChainNothing) {
  const std::vector<Instruction> chain = {{"addsd %xmm3,%xmm4", "f2 0f 58 e3"}, kAdd};
  const roof_flow_result result = Measure(chain, WithUnits());
  EXPECT_EQ(result.cycles, 3 * kIterations);
  EXPECT_GT(Share(result, ROOF_FLOW_FP), 0.95);
}

TEST(Ports, LimitLoadsAndStoresOfACycle) {
  roof_latencies core = Core();
  core.loads = 2;
  core.vector_loads = 1;
  core.stores = 1;
  const Instruction general = {"mov (%rbx),%rax", "48 8b 03", Load(4096)};
  const Instruction vector = {"movsd (%rbx),%xmm0", "f2 0f 10 03", Load(4096)};
  const Instruction store = {"mov %rax,(%rcx)", "48 89 01", Store(8192)};
  EXPECT_NEAR(CyclesPerIteration(Measure({general, general, general, general}, core)), 2, 0.05);
  EXPECT_NEAR(CyclesPerIteration(Measure({vector, vector}, core)), 2, 0.05);
  const roof_flow_result stores = Measure({store, store, store}, core);
  EXPECT_NEAR(CyclesPerIteration(stores), 3, 0.3);
  EXPECT_GT(Share(stores, ROOF_FLOW_UNITS), 0.9);
}

TEST(Ports, TakeAnAccessOfTwoLinesTwice) {
  roof_latencies core = Core();
  core.loads = core.vector_loads = 1;
  const Instruction split = {"mov (%rbx),%rax", "48 8b 03", Load(4096 + 60)};
  EXPECT_NEAR(CyclesPerIteration(Measure({split, split}, core)), 4, 0.05);
}

const Instruction kLocked = {
    "lock add %rax,(%rbx)", "f0 48 01 03", [](uint64_t) {
      return std::vector<roof_flow_access>{{4096, 8, 0, 0, 0}, {4096, 8, 0, 1, 0}};
    }};

TEST(Atomics, FollowEachOtherAtTheirDistance) {
  roof_latencies core = Core();
  core.atomic = 18;
  const roof_flow_result result = Measure({kLocked}, core);
  EXPECT_NEAR(CyclesPerIteration(result), 18, 0.1);
  EXPECT_GT(Share(result, ROOF_FLOW_ATOMIC), 0.95);
}

// Loads behind one may pass it.
TEST(Atomics, LetLoadsPass) {
  roof_latencies core = Core();
  core.atomic = 18;
  const Instruction load = {"mov (%rcx),%rdx", "48 8b 11", Load(8192)};
  EXPECT_NEAR(CyclesPerIteration(Measure({kLocked, load}, core)), 18, 0.1);
}

const Instruction kCompare = {"cmp %rax,%rbx", "48 39 c3"};
Instruction Jump(std::function<bool(uint64_t)> mispredicted) {
  return {"jne", "75 00", nullptr, std::move(mispredicted)};
}

TEST(Branches, ThatAreMispredictedLetNothingEnterBehindThem) {
  roof_latencies core = Core();
  core.mispredicted = 15;
  const auto every = [](uint64_t) { return true; };
  const roof_flow_result result = Measure({kCompare, Jump(every)}, core);
  EXPECT_NEAR(CyclesPerIteration(result), 16, 0.1);  // the compare, and the refill
  EXPECT_GT(Share(result, ROOF_FLOW_BRANCH), 0.95);
  EXPECT_EQ(result.top[0].place, 2u);
  core.mispredicted = 0;
  EXPECT_LT(CyclesPerIteration(Measure({kCompare, Jump(every)}, core)), 1);
}

TEST(Branches, CostByHowOftenTheyAreMispredicted) {
  roof_latencies core = Core();
  core.mispredicted = 15;
  const auto one_in_four = [](uint64_t i) { return i % 4 == 0; };
  EXPECT_NEAR(CyclesPerIteration(Measure({kCompare, Jump(one_in_four)}, core)), 4.3, 0.3);
}

// What a branch waits for in the first level is its own; memory stays memory.
TEST(Branches, ThatWaitForLoadsCostThemToo) {
  roof_latencies core = Core();
  core.mispredicted = 15;
  const auto every = [](uint64_t) { return true; };
  const auto with = [&](roof_flow_level level) {
    return Measure({{"cmp (%rdx),%rax", "48 3b 02", Load(Scattered, level)}, Jump(every)}, core);
  };
  const roof_flow_result near = with(ROOF_FLOW_L1), far = with(ROOF_FLOW_DRAM);
  EXPECT_NEAR(CyclesPerIteration(near), 4 + 1 + 15, 0.1);
  EXPECT_GT(Share(near, ROOF_FLOW_BRANCH), 0.95);
  EXPECT_NEAR(CyclesPerIteration(far), 300 + 1 + 15, 0.5);
  EXPECT_GT(Share(far, unsigned{ROOF_FLOW_LOAD} + unsigned{ROOF_FLOW_DRAM}), 0.9);
}

}  // namespace
}  // namespace roofmark
