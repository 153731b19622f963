// SPDX-License-Identifier: BSD-3-Clause
//
// Loads: chains of them, and what limits those that are independent.
#include <algorithm>

#include "tests/collectors/counting/dataflow/flow_fixture.h"

namespace roofmark {
namespace {

const Instruction kNop = {"nop", "90"};

Instruction Chase(roof_flow_level level) {
  return {"mov (%rax),%rax", "48 8b 00", Load(Scattered, level)};
}
Instruction Gather(roof_flow_level level) {
  return {"movsd (%rdx,%rcx,8),%xmm2", "f2 0f 10 14 ca", Load(Scattered, level)};
}

TEST(Loads, ThatGiveTheNextAddressTakeTheLatencyOfTheirLevel) {
  const unsigned kLatency[] = {4, 14, 50, 300};
  for (unsigned level = ROOF_FLOW_L1; level < ROOF_FLOW_LEVELS; ++level) {
    const roof_flow_result result =
        Measure({Chase(static_cast<roof_flow_level>(level)), kNop, kNop});
    EXPECT_EQ(result.cycles, kLatency[level] * kIterations);
    EXPECT_EQ(result.cause[ROOF_FLOW_LOAD + level], result.cycles);
    EXPECT_EQ(result.top[0].place, 1u);
  }
}

// The index is loaded, too: a chain through both, integer arithmetic between.
TEST(Loads, ThatAreIndirectShareTheChainWithTheirIndex) {
  const roof_flow_result result =
      Measure({{"mov (%rbx),%rax", "48 8b 03", Load(4096)}, {"add %rax,%rbx", "48 01 c3"}});
  EXPECT_EQ(result.cycles, 5 * kIterations);
  EXPECT_EQ(result.cause[ROOF_FLOW_LOAD], 4 * kIterations);
  EXPECT_EQ(result.cause[ROOF_FLOW_INTEGER], kIterations);
}

// 24 lines in 303 cycles, whatever the window; and it is not called a chain.
TEST(Loads, ThatAreIndependentAreLimitedByLinesInFlight) {
  const roof_flow_result result = Measure({Gather(ROOF_FLOW_DRAM)});
  EXPECT_EQ(result.cycles, 303 * kIterations / 24);
  EXPECT_GT(result.cause[ROOF_FLOW_IN_FLIGHT], 0.95 * static_cast<double>(result.cycles));
  EXPECT_EQ(result.top[0].place, 1u);
}

// A core has more of them under way from a cache than from DRAM.
TEST(Loads, FromDramAreLimitedByFewerLinesInFlight) {
  roof_latencies core = Core();
  core.misses_dram = 10;
  EXPECT_NEAR(CyclesPerIteration(Measure({Gather(ROOF_FLOW_DRAM)}, core)), 303.0 / 10, 0.1);
  EXPECT_NEAR(CyclesPerIteration(Measure({Gather(ROOF_FLOW_L3)}, core)), 53.0 / 24, 0.1);
  core.misses_dram = 100;
  EXPECT_NEAR(CyclesPerIteration(Measure({Gather(ROOF_FLOW_DRAM)}, core)), 303.0 / 24, 0.1);
}

// A chain of misses keeps one line in flight, so that other loads do not notice it.
TEST(Loads, ThatAreIndependentPassByAChain) {
  const roof_flow_result result =
      Measure({Chase(ROOF_FLOW_DRAM),
               {"movsd (%rdx,%rcx,8),%xmm2", "f2 0f 10 14 ca",
                Load([](uint64_t i) { return Scattered(i) + 2048; }, ROOF_FLOW_DRAM)}});
  EXPECT_NEAR(static_cast<double>(result.cycles), 300.0 * kIterations, 303);
  EXPECT_GT(result.cause[int{ROOF_FLOW_LOAD} + int{ROOF_FLOW_DRAM}],
            0.95 * static_cast<double>(result.cycles));
}

// A load that comes late keeps no line's place from those that come before it in time, though after
// it in the program: three rounds of two fit before it.
TEST(Loads, ThatAreIndependentFillTheTimeBeforeALateOne) {
  roof_latencies core = Core();
  core.misses = 2;
  Simulator simulator(100, core);
  const Instruction root = {"sqrtsd %xmm0,%xmm0", "f2 0f 51 c0"};
  const Instruction convert = {"cvttsd2si %xmm0,%eax", "f2 0f 2c c0"};
  const Instruction load = {"mov (%rax),%rax", "48 8b 00",
                            Load([](uint64_t) { return 1u << 30; }, ROOF_FLOW_DRAM)};
  Loop({root}).Iterate(simulator.flow, 0, 50);  // 1000 cycles
  Loop({convert, load}).Iterate(simulator.flow, 0, 1);
  Loop({Gather(ROOF_FLOW_DRAM)}).Iterate(simulator.flow, 1, 6);
  EXPECT_EQ(simulator.End().cycles, 1000u + 6 + 300);
}

// 32 instructions at once are eight loads: four rounds for 32 of them.
TEST(Loads, ThatAreIndependentAreLimitedByTheWindow) {
  roof_latencies core = Core();
  core.window = 32;
  core.misses = 64;
  const roof_flow_result result = Measure({Gather(ROOF_FLOW_DRAM), kNop, kNop, kNop}, core);
  EXPECT_NEAR(CyclesPerIteration(result), 303.0 / 8, 1);
  EXPECT_GT(result.cause[ROOF_FLOW_WINDOW], 0.9 * static_cast<double>(result.cycles));
}

// Streams and strides are prefetched; they cost what hits do.
TEST(Loads, AtAStrideArePrefetched) {
  for (uint64_t stride : {8u, 64u, 256u, 4096u}) {
    const roof_flow_result result =
        Measure({{"movsd (%rdx,%rcx,8),%xmm2", "f2 0f 10 14 ca",
                  Load([=](uint64_t i) { return stride * i; }, ROOF_FLOW_DRAM)}});
    EXPECT_LT(CyclesPerIteration(result), 1) << stride;
  }
  // Of a page and more, no one knows what follows.
  EXPECT_GT(CyclesPerIteration({{"movsd (%rdx,%rcx,8),%xmm2", "f2 0f 10 14 ca",
                                 Load([](uint64_t i) { return 8192 * i; }, ROOF_FLOW_DRAM)}}),
            12);
}

// Turns of a loop read rows of 336 bytes upwards, and each turn the row below that of the turn
// before: what the second level's prefetchers bring is there after that level's latency. Where more
// lies between the rows, nobody brings the first line of one.
TEST(Loads, OfRowsInDescendingOrderArePrefetchedIntoTheSecondLevel) {
  const auto rows = [](uint64_t bytes_apart) {
    std::vector<Instruction> row;
    for (uint64_t k = 0; k < 336; k += 48) {
      row.push_back(
          {"mov (%rax),%rdx", "48 8b 10",
           Load([=](uint64_t i) { return (100000 - i) * bytes_apart + k; }, ROOF_FLOW_DRAM)});
    }
    return CyclesPerIteration(Measure(row));
  };
  EXPECT_LT(rows(336), 2);
  EXPECT_GT(rows(8016), 300.0 / 24);
}

// As many streams as loops have, in arrays whose addresses end alike.
TEST(Loads, OfManyStreamsArePrefetched) {
  std::vector<Instruction> body;
  for (uint64_t array = 0; array < 30; ++array) {
    body.push_back({"movsd (%rdx,%rcx,8),%xmm2", "f2 0f 10 14 ca",
                    Load([=](uint64_t i) { return (array << 30) + 32 * (i / 3) + 16 * (i % 3); },
                         ROOF_FLOW_DRAM)});
  }
  EXPECT_LT(CyclesPerIteration(Measure(body)), 6);
}

// The second one finds the line in the cache, says the model, but it is still on its way.
TEST(Loads, OfALineOnItsWayWaitForIt) {
  const Instruction second = {"add 8(%rax),%rbx", "48 03 58 08",
                              Load([](uint64_t i) { return Scattered(i) + 8; }, ROOF_FLOW_L1)};
  const Instruction to_address = {"mov %rbx,%rax", "48 89 d8"};
  const Instruction clear = {"xor %ebx,%ebx", "31 db"};
  const Instruction first = {"mov (%rax),%rdx", "48 8b 10", Load(Scattered, ROOF_FLOW_DRAM)};
  EXPECT_EQ(CyclesPerIteration({first, clear, second, to_address}), 301);
}

TEST(Loads, OfSeveralPartsTakeTheLatest) {
  const Instruction gather = {"mov (%rax),%rax", "48 8b 00", [](uint64_t i) {
                                return std::vector<roof_flow_access>{
                                    {Scattered(i), 8, ROOF_FLOW_L1, 0, 0},
                                    {Scattered(i) + 1024, 8, ROOF_FLOW_L3, 0, 0},
                                    {Scattered(i) + 2048, 8, ROOF_FLOW_L2, 0, 0}};
                              }};
  EXPECT_EQ(CyclesPerIteration({gather}), 50);
}

// The first part brings the line in, and the second finds it on its way.
TEST(Loads, OfOneLineInTwoPartsWaitForWhatTheFirstWaitsFor) {
  const Instruction twice = {"mov (%rax),%rax", "48 8b 00", [](uint64_t i) {
                               return std::vector<roof_flow_access>{
                                   {Scattered(i), 8, ROOF_FLOW_DRAM, 0, 0},
                                   {Scattered(i) + 8, 8, ROOF_FLOW_L1, 0, 0}};
                             }};
  const roof_flow_result result = Measure({twice});
  EXPECT_NEAR(static_cast<double>(result.cycles), 300.0 * kIterations, 303);
  EXPECT_GT(result.cause[int{ROOF_FLOW_LOAD} + int{ROOF_FLOW_DRAM}] +
                result.cause[int{ROOF_FLOW_LOAD} + int{ROOF_FLOW_L1}],
            0.95 * static_cast<double>(result.cycles));
}

// Where one line at a time is on its way, that of the second part waits for that of the first.
TEST(Loads, OfTwoLinesByOneInstructionMayTakeTurns) {
  const Instruction split = {"mov (%rax),%rax", "48 8b 00", [](uint64_t i) {
                               return std::vector<roof_flow_access>{
                                   {Scattered(i), 4, ROOF_FLOW_DRAM, 0, 0},
                                   {Scattered(i + 7919 * kIterations), 4, ROOF_FLOW_DRAM, 0, 0}};
                             }};
  roof_latencies core = Core();
  core.misses = 1;
  EXPECT_NEAR(CyclesPerIteration({split}, core), 600, 1);
}

// A core that knows few pages.
roof_latencies WithPages() {
  roof_latencies core = Core();
  core.second_tlb = 7;
  core.walk_cache = 40;
  core.walk_dram = 200;
  return core;
}

TEST(Loads, TakeLongerWhereTheirPageIsNotKnown) {
  const unsigned kLatency[] = {4, 14, 50, 300};
  for (unsigned level = ROOF_FLOW_L1; level < ROOF_FLOW_LEVELS; ++level) {
    const unsigned kPage[] = {0, 7, level == ROOF_FLOW_DRAM ? 200u : 40u};
    for (const auto page : {ROOF_FLOW_PAGE_FIRST, ROOF_FLOW_PAGE_SECOND, ROOF_FLOW_PAGE_WALK}) {
      const Instruction chase = {"mov (%rax),%rax", "48 8b 00",
                                 Load(Scattered, static_cast<roof_flow_level>(level), 8, page)};
      const roof_flow_result result = Measure({chase, kNop}, WithPages());
      EXPECT_EQ(result.cycles, (kLatency[level] + kPage[page]) * kIterations) << level << page;
      EXPECT_EQ(Measure({chase, kNop}).cycles, kLatency[level] * kIterations)
          << "they cost nothing";
      EXPECT_EQ(result.cause[ROOF_FLOW_LOAD + level], kLatency[level] * kIterations);
      EXPECT_EQ(result.cause[ROOF_FLOW_TLB], kPage[page] * kIterations);
    }
  }
}

// The walk is a part of the time that a line is on its way.
TEST(Loads, ThatAreIndependentWalkSideBySide) {
  const Instruction gather = {"movsd (%rdx,%rcx,8),%xmm2", "f2 0f 10 14 ca",
                              Load(Scattered, ROOF_FLOW_DRAM, 8, ROOF_FLOW_PAGE_WALK)};
  const roof_flow_result result = Measure({gather}, WithPages());
  EXPECT_EQ(result.cycles, 503 * kIterations / 24);
  EXPECT_NEAR(static_cast<double>(result.cause[ROOF_FLOW_TLB]),
              200. / 503 * static_cast<double>(result.cycles), 300)
      << "the path goes through one after the other of those that share a place";
}

TEST(Loads, DoNotWalkForAPageThatANeighbourBroughtIn) {
  for (const auto level : {ROOF_FLOW_L1, ROOF_FLOW_DRAM}) {
    const Instruction stream = {
        "mov (%rax),%rax", "48 8b 00",
        Load([](uint64_t i) { return (1 << 20) + 64 * i; }, level, 8, ROOF_FLOW_PAGE_WALK)};
    EXPECT_EQ(CyclesPerIteration({stream}, WithPages()), 4);
  }
}

}  // namespace
}  // namespace roofmark
