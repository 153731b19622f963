// SPDX-License-Identifier: BSD-3-Clause
//
// Chains through registers and through memory.
#include "tests/collectors/counting/dataflow/flow_fixture.h"

namespace roofmark {
namespace {

const Instruction kAdd = {"addsd %xmm1,%xmm0", "f2 0f 58 c1"};
const Instruction kNextElement = {"add $8,%rax", "48 83 c0 08"};
const Instruction kCompare = {"cmp %rcx,%rax", "48 39 c8"};
const Instruction kJump = {"jne .", "75 fe"};

uint64_t Element(uint64_t i) { return 0x10000 + 8 * i % 4096; }

TEST(Chains, OfOneOperationTakeItsLatency) {
  const roof_flow_result add = Measure({kAdd});
  EXPECT_EQ(add.cycles, 3 * kIterations);
  EXPECT_EQ(add.cause[ROOF_FLOW_FP], add.cycles);
  EXPECT_EQ(add.top[0].place, 1u);
  EXPECT_EQ(add.top[0].cycles, add.cycles);
  EXPECT_EQ(CyclesPerIteration({{"mulsd %xmm1,%xmm0", "f2 0f 59 c1"}}), 5);
  EXPECT_EQ(CyclesPerIteration({{"vfmadd231sd %xmm1,%xmm1,%xmm0", "c4 e2 f1 b9 c1"}}), 4);
  EXPECT_EQ(CyclesPerIteration({{"divsd %xmm1,%xmm0", "f2 0f 5e c1"}}), 13);
  EXPECT_EQ(CyclesPerIteration({{"sqrtsd %xmm0,%xmm0", "f2 0f 51 c0"}}), 20);
  const roof_flow_result multiply = Measure({{"imul %rax,%rax", "48 0f af c0"}});
  EXPECT_EQ(multiply.cycles, 3 * kIterations);
  EXPECT_EQ(multiply.cause[ROOF_FLOW_INTEGER], multiply.cycles);
}

// As on Zen 5 and Golden Cove.
TEST(Chains, OfAdditionsBehindOtherOperationsTakeLonger) {
  const Instruction multiply = {"mulsd %xmm1,%xmm0", "f2 0f 59 c1"};
  const Instruction copy = {"movapd %xmm0,%xmm0", "66 0f 28 c0"};
  roof_latencies core = Core();
  core.add_behind_other = 2;
  EXPECT_EQ(CyclesPerIteration({multiply, kAdd}, core), 5 + 2 + 3);
  EXPECT_EQ(CyclesPerIteration({multiply, kAdd, kAdd}, core), 5 + 2 + 3 + 3);
  EXPECT_EQ(CyclesPerIteration({kAdd}, core), 3);
  EXPECT_EQ(CyclesPerIteration({multiply}, core), 5);
  EXPECT_EQ(CyclesPerIteration({multiply, copy, kAdd}, core), 5 + 3) << "not known of copies";
  const roof_flow_result result = Measure({multiply, kAdd}, core);
  EXPECT_EQ(result.cause[ROOF_FLOW_FP], result.cycles);
}

TEST(Chains, OfSeveralInstructionsNameThemByTheirCycles) {
  const roof_flow_result result =
      Measure({kAdd, {"divsd %xmm1,%xmm0", "f2 0f 5e c1"}, {"mulsd %xmm1,%xmm0", "f2 0f 59 c1"}});
  const uint64_t expected[][2] = {{2, 13}, {3, 5}, {1, 3}};
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(result.top[i].place, expected[i][0]);
    EXPECT_EQ(result.top[i].cycles, expected[i][1] * kIterations);
  }
  EXPECT_EQ(result.top[3].cycles, 0u);
}

// vfmadd231sd %xmm15,%xmm15,%xmmK. Sixteen of them enter in 2.67 cycles.
TEST(Chains, NextToEachOtherTakeAsLongAsOne) {
  std::vector<Instruction> body;
  for (unsigned k = 0; k < 16; ++k) {
    static const char kDigits[] = "0123456789abcdef";
    const unsigned modrm = 0xC7 + 8 * (k % 8);
    const std::string bytes = std::string(k < 8 ? "c4 c2" : "c4 42") + " 81 b9 ";
    body.push_back({"vfmadd231sd", bytes + kDigits[modrm >> 4] + kDigits[modrm & 15]});
    const roof_flow_result result = Measure(body);
    // The last one changes what all others multiply: each iteration then waits for it.
    EXPECT_EQ(result.cycles, 4 * kIterations) << k;
    EXPECT_EQ(result.cause[ROOF_FLOW_FP], result.cycles) << k;
    EXPECT_EQ(result.instructions, (k + 1) * kIterations);
  }
}

TEST(Chains, OfAReductionAreWhatItTakes) {
  const Instruction add = {"addsd (%rax),%xmm0", "f2 0f 58 00", Load(Element, ROOF_FLOW_L1)};
  const roof_flow_result sum = Measure({add, kNextElement, kCompare, kJump});
  EXPECT_EQ(sum.cycles, 3 * kIterations);
  EXPECT_EQ(sum.cause[ROOF_FLOW_FP], sum.cycles);
  EXPECT_EQ(sum.top[0].place, 1u);
}

// Into four sums, reassociated: eleven instructions for four elements.
TEST(Chains, OfAReassociatedReductionAreShorter) {
  std::vector<Instruction> body;
  for (const char* bytes : {"f2 0f 58 00", "f2 0f 58 08", "f2 0f 58 10", "f2 0f 58 18"})
    body.push_back({"addsd (%rax),%xmm0 to 3", bytes, Load(Element, ROOF_FLOW_L1)});
  body.insert(body.end(), {kNextElement, kCompare, kJump});
  EXPECT_EQ(CyclesPerIteration(body), 3);  // for four elements
}

// x[i] = (x[i-1] + x[i+1]) * c.
TEST(Chains, OfGaussSeidelGoThroughRegistersOrMemory) {
  const Instruction multiply = {"mulsd %xmm1,%xmm0", "f2 0f 59 c1"};
  const Instruction load_next = {"addsd 8(%rax),%xmm0", "f2 0f 58 40 08",
                                 Load([](uint64_t i) { return Element(i + 1); }, ROOF_FLOW_L1)};
  const Instruction store = {"movsd %xmm0,(%rax)", "f2 0f 11 00", Store(Element)};
  const roof_flow_result in_register = Measure({load_next, multiply, store, kNextElement});
  EXPECT_EQ(in_register.cycles, (3 + 5) * kIterations);
  EXPECT_EQ(in_register.cause[ROOF_FLOW_FP], in_register.cycles);
  EXPECT_EQ(in_register.top[0].place, 2u);

  const Instruction reload = {"movsd (%rax),%xmm0", "f2 0f 10 00",
                              Load([](uint64_t i) { return Element(i - 1); }, ROOF_FLOW_L1)};
  const roof_flow_result through = Measure({reload, load_next, multiply, store, kNextElement});
  EXPECT_EQ(through.cycles, (9 + 3 + 5) * kIterations);
  EXPECT_EQ(through.cause[ROOF_FLOW_FP], 8 * kIterations);
  EXPECT_EQ(through.cause[ROOF_FLOW_FORWARD], 9 * kIterations);
  EXPECT_EQ(through.top[0].place, 1u);
}

TEST(Chains, OfACounterInMemoryAreForwarded) {
  const auto both = [](uint64_t i) {
    auto accesses = Load(64, 4)(i);
    accesses.push_back(Store(64, 4)(i)[0]);
    return accesses;
  };
  const roof_flow_result result = Measure({{"addl $1,(%rax)", "83 00 01", both}});
  EXPECT_EQ(result.cycles, (2 + 1) * kIterations);
  EXPECT_EQ(result.cause[ROOF_FLOW_FORWARD], 2 * kIterations);
  EXPECT_EQ(result.cause[ROOF_FLOW_INTEGER], kIterations);
}

// Neighbouring floats are no chain; halves of one double are.
TEST(Chains, ThroughMemoryNeedTheSameWord) {
  const Instruction store = {"movss %xmm0,(%rax)", "f3 0f 11 00", Store(4096, 4)};
  const Instruction next = {"addss 4(%rax),%xmm0", "f3 0f 58 40 04", Load(4100, 4)};
  const Instruction same = {"movss (%rax),%xmm0", "f3 0f 10 00", Load(4096, 4)};
  const Instruction add = {"addss %xmm1,%xmm0", "f3 0f 58 c1"};
  EXPECT_EQ(CyclesPerIteration({store, next}), 3);
  EXPECT_EQ(CyclesPerIteration({store, same, add}), 9 + 3);
  const Instruction wide = {"movsd (%rax),%xmm0", "f2 0f 10 00", Load(4092, 8)};
  EXPECT_EQ(CyclesPerIteration({store, wide, add}), 9 + 3);
}

TEST(Chains, BreakAtZeroIdiomsAndGoThroughMovesAtNoCost) {
  EXPECT_LT(CyclesPerIteration({{"xorps %xmm0,%xmm0", "0f 57 c0"}, kAdd}), 1);
  EXPECT_EQ(CyclesPerIteration(
                {{"movaps %xmm0,%xmm1", "0f 28 c8"}, {"movaps %xmm1,%xmm0", "0f 28 c1"}, kAdd}),
            3);
  EXPECT_EQ(CyclesPerIteration({{"fxch %st(1)", "d9 c9"}, {"fadd %st(1),%st", "d8 c1"}}), 7);
}

// The merge input costs less than the operation.
TEST(Chains, OfWhatIsOnlyKeptTakeTheTimeOfAMerge) {
  const roof_flow_result result = Measure({{"sqrtsd %xmm1,%xmm0", "f2 0f 51 c1"}});
  EXPECT_EQ(result.cycles, kIterations);
  EXPECT_EQ(CyclesPerIteration({{"cvtsi2sd %eax,%xmm0", "f2 0f 2a c0"}}), 1);
  EXPECT_EQ(CyclesPerIteration(
                {{"cvtsi2sd %eax,%xmm0", "f2 0f 2a c0"}, {"cvttsd2si %xmm0,%eax", "f2 0f 2c c0"}}),
            12);
}

TEST(Chains, OfTheStackPointerCostNothing) {
  const std::vector<Instruction> body = {{"push %rax", "50", Store(8000)},
                                         {"pop %rbx", "5b", Load(8000)}};
  EXPECT_LT(CyclesPerIteration(body), 0.5);
  EXPECT_LT(CyclesPerIteration({{"pop %rbx", "5b", Load(Element, ROOF_FLOW_L1)}}), 0.5);
  // But what is pushed and popped is a value on its way.
  EXPECT_EQ(CyclesPerIteration({{"push %rax", "50", Store(8000)}, {"pop %rax", "58", Load(8000)}}),
            2);
}

// inc leaves the carry alone: an addition of many words is a chain of one cycle each.
TEST(Chains, OfTheCarryPassByIncrements) {
  const roof_flow_result result =
      Measure({{"adc %rbx,%rdx", "48 11 da"}, {"inc %rcx", "48 ff c1"}});
  EXPECT_EQ(result.cycles, kIterations);
  EXPECT_EQ(result.cause[ROOF_FLOW_INTEGER], result.cycles);
}

// fldl pushes, faddp adds to what is below and pops: one register from iteration to iteration.
TEST(Chains, OfX87FollowTheTopOfTheStack) {
  const roof_flow_result result = Measure(
      {{"fldl (%rax)", "dd 00", Load(Element, ROOF_FLOW_L1)}, {"faddp %st,%st(1)", "de c1"}});
  EXPECT_EQ(result.cycles, 7 * kIterations);
  EXPECT_EQ(result.cause[ROOF_FLOW_FP], result.cycles);
  // A new value on the top in every iteration is no chain.
  EXPECT_LT(CyclesPerIteration({{"fldz", "d9 ee"},
                                {"faddl (%rax)", "dc 00", Load(Element, ROOF_FLOW_L1)},
                                {"fstp %st(0)", "dd d8"}}),
            1);
}

// All that is loaded must be in the store buffer to come from there.
TEST(Chains, OfLoadsAreShorterWhereAllOfItWasStoredLately) {
  const Instruction chase = {"mov (%rax),%rax", "48 8b 00", Load(4096, 8)};
  const Instruction all = {"mov %rbx,(%rcx)", "48 89 19", Store(4096, 8)};
  const Instruction half = {"mov %ebx,4(%rcx)", "89 59 04", Store(4100, 4)};
  EXPECT_EQ(CyclesPerIteration({all, chase}), 2);
  EXPECT_EQ(CyclesPerIteration({half, chase}), 4);
}

}  // namespace
}  // namespace roofmark
