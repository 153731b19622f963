// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/latencies.h"

#include <gtest/gtest.h>

#include "collectors/counting/dataflow/latency_text.h"
#include "tests/lib/model/sample_machine.h"

namespace roofmark {
namespace {

using test::MakeCeiling;

Machine WithChains() {
  Machine machine;
  const auto add = [&machine](const std::string& id, double one_core) {
    machine.ceilings.push_back(MakeCeiling(id, id, one_core));
  };
  add("clock.scalar", 2.5);
  for (const char* precision : {"dp", "sp"}) {
    const std::string chain = std::string("chain.") + precision;
    add(chain + "_add", 1.21);       // 3.0 cycles
    add(chain + "_mul", 1.6);        // 4
    add(chain + "_fma", 2);          // 5
    add(chain + "_div", 5.5);        // 13.75: whole cycles, and no more than a division takes
    add(chain + "_sqrt_add", 9.21);  // 23.0, of which 3.0 are an addition
  }
  add("chain.convert", 1.2);
  add("chain.convert_general", 2.4);
  add("chain.int_mul", 1.2);
  add("chain.int_div", 4);
  add("chain.memory_dp_add", 3.61);   // 9 of 12 are on the way
  add("chain.memory_int_add", 0.36);  // less than an addition: renamed
  for (const auto& [level, ns] :
       {std::pair{"L1", 1.6}, {"L2", 5.6}, {"L3", 20.0}, {"DRAM", 100.}}) {
    add(std::string("latency.") + level, ns);
  }
  add("bandwidth.DRAM.random", 6.5);  // 10.2 lines in 100 ns
  return machine;
}

TEST(Latencies, AreCyclesOfTheMachinesChains) {
  EXPECT_EQ(LatenciesOf(WithChains()),
            "dp_add=3,dp_mul=4,dp_fma=5,dp_div=13,dp_sqrt=20,sp_add=3,sp_mul=4,sp_fma=5,sp_div=13,"
            "sp_sqrt=20,convert=3,convert_general=6,int_mul=3,int_div_64=10,load_l1=4,load_l2=14,"
            "load_l3=50,load_dram=250,forward_vector=6,forward_general=0,misses=11");
}

// An addition takes so much longer behind other operations than behind additions, of all machines.
TEST(Latencies, TellAdditionsBehindOtherOperations) {
  const auto with = [](double mul_add) {
    Machine machine = WithChains();
    machine.ceilings.push_back(MakeCeiling("chain.dp_mul_add", "in turns", mul_add));
    return machine;
  };
  const auto behind = [](const std::vector<Machine>& machines) {
    roof_latencies latencies;
    EXPECT_EQ(roof_latencies_parse(LatenciesOf(machines).c_str(), &latencies), nullptr);
    return std::pair<int, int>{latencies.add_behind_other, latencies.operation[ROOF_L_DP_SQRT]};
  };
  EXPECT_EQ(behind({with(3.22)}), std::pair(1, 18)) << "8.05 cycles, of which 4 and 3 are known";
  EXPECT_EQ(behind({with(2.81)}), std::pair(0, 20)) << "7.03 cycles";
  EXPECT_EQ(behind({with(2.7)}), std::pair(0, 20)) << "less than each alone";
  EXPECT_EQ(behind({with(3.22), with(3.7)}), std::pair(1, 17)) << "the least";
  EXPECT_EQ(behind({with(3.22), WithChains()}), std::pair(0, 18)) << "not measured on one";
}

// Every name is one that the engine knows.
TEST(Latencies, AreReadByTheEngine) {
  const std::string text = LatenciesOf(WithChains());
  roof_latencies latencies;
  const char* wrong = roof_latencies_parse(text.c_str(), &latencies);
  EXPECT_EQ(wrong, nullptr) << wrong;
  EXPECT_EQ(latencies.load[ROOF_FLOW_DRAM], 250);
  EXPECT_EQ(latencies.operation[ROOF_L_DP_SQRT], 20);
  EXPECT_EQ(latencies.misses, 11);
}

// Of a machine whose random lines came at so many GB/s, in samples whose halves differ by `noise`.
int MissesOf(double random_gbs, double noise = 0.01) {
  Machine machine = WithChains();
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id != "bandwidth.DRAM.random") continue;
    ceiling.curve[0].value = random_gbs;
    ceiling.curve[0].noise = noise;
  }
  roof_latencies latencies;
  EXPECT_EQ(roof_latencies_parse(LatenciesOf(machine).c_str(), &latencies), nullptr);
  return latencies.misses;
}

TEST(Latencies, MissesInFlightAreNoMoreThanTheEngineFollows) {
  EXPECT_EQ(MissesOf(6.5), 11);
  EXPECT_EQ(MissesOf(1000), ROOF_FLOW_MISSES);
}

TEST(Latencies, MissesInFlightAreNoFewerThanThoseOfAnyCore) {
  EXPECT_EQ(MissesOf(4), 8);
  EXPECT_EQ(MissesOf(2), 8);
}

// Of one whose lines come from L3, too: at so many GB/s, in 30 ns.
roof_latencies WithThoseOfL3(double dram_gbs, double l3_gbs) {
  Machine machine = WithChains();
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id == "bandwidth.DRAM.random") ceiling.curve[0].value = dram_gbs;
  }
  machine.ceilings.push_back(MakeCeiling("bandwidth.L3.random", "L3", l3_gbs));
  std::erase_if(machine.ceilings, [](const CeilingCurve& it) { return it.id == "latency.L3"; });
  machine.ceilings.push_back(MakeCeiling("latency.L3", "L3", 30));
  roof_latencies latencies;
  EXPECT_EQ(roof_latencies_parse(LatenciesOf(machine).c_str(), &latencies), nullptr);
  return latencies;
}

TEST(Latencies, MissesInFlightAreTheMostToAnyLevel) {
  EXPECT_EQ(WithThoseOfL3(6.5, 10).misses, 11);
  EXPECT_EQ(WithThoseOfL3(6.5, 34).misses, 16);
  EXPECT_EQ(WithThoseOfL3(6.5, 34).misses_dram, 11);
  EXPECT_EQ(WithThoseOfL3(0.01, 34).misses, 16);
  EXPECT_GE(WithThoseOfL3(0.01, 34).misses_dram, 16) << "not known";
}

// A virtual machine had 0.01 GB/s: its host looked up each page.
TEST(Latencies, RandomLinesThatComeOneAfterTheOtherSayNothingOfMissesInFlight) {
  const int usual = MissesOf(0);
  EXPECT_GT(usual, 8);
  EXPECT_EQ(MissesOf(1.2), usual);
  EXPECT_EQ(MissesOf(0.01), usual);
}

TEST(Latencies, NoisyRandomLinesSayNothingOfMissesInFlight) {
  const int usual = MissesOf(0);
  EXPECT_EQ(MissesOf(6.5, 1), usual);
  EXPECT_EQ(MissesOf(0.01, 1), usual);
  EXPECT_NE(MissesOf(6.5, 0.4), usual);
}

// Of a machine whose loads took so long in pages of 4 KiB, and those in huge pages.
Machine WithPages(double small_ns, double huge_ns, double noise = 0.01) {
  Machine machine = WithChains();
  for (const char* id : {"latency.second_tlb", "latency.page_walk", "latency.page_walk_dram"}) {
    machine.ceilings.push_back(MakeCeiling(id, id, huge_ns));
    const std::string small = std::string(id) + ".small_pages";
    machine.ceilings.push_back(MakeCeiling(small, small, small_ns));
  }
  for (CeilingCurve& ceiling : machine.ceilings) {
    ceiling.curve[0].noise = noise;
    ceiling.curve[0].min = ceiling.curve[0].value;
  }
  return machine;
}
roof_latencies PagesOf(double small_ns, double huge_ns, double noise = 0.01) {
  roof_latencies latencies;
  const std::string text = LatenciesOf(WithPages(small_ns, huge_ns, noise));
  EXPECT_EQ(roof_latencies_parse(text.c_str(), &latencies), nullptr) << text;
  return latencies;
}

TEST(Latencies, OfPagesAreWhatSmallOnesTakeLongerThanHugeOnes) {
  const roof_latencies of = PagesOf(9, 4);
  EXPECT_EQ(of.second_tlb, 12);  // 12.5, rounded down
  EXPECT_EQ(of.walk_cache, 12);
  EXPECT_EQ(of.walk_dram, 12);
}

// Others took longer, because something disturbed them.
TEST(Latencies, OfPagesAreThoseOfTheFastestSample) {
  Machine machine = WithPages(9, 4);
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id == "latency.page_walk.small_pages") ceiling.curve[0].min = 6;
  }
  EXPECT_NE(LatenciesOf(machine).find(",walk_cache=5,"), std::string::npos) << LatenciesOf(machine);
}

TEST(Latencies, OfPagesAreTheLowestOfAllMachines) {
  const Machine machines[] = {WithPages(9, 4), WithPages(6, 4)};
  EXPECT_NE(LatenciesOf(machines).find(",walk_dram=5,"), std::string::npos);
  const Machine without[] = {WithPages(9, 4), WithChains()};
  EXPECT_EQ(LatenciesOf(without).find("walk"), std::string::npos);
}

TEST(Latencies, OfPagesAreNeverNegative) {
  const roof_latencies of = PagesOf(4, 9);
  EXPECT_EQ(of.second_tlb, 0);
  EXPECT_EQ(of.walk_cache, 0);
}

TEST(Latencies, OfPagesAreLeftOutWhereTheyAreNoisyOrWereNotMeasured) {
  EXPECT_EQ(PagesOf(9, 4, 0.2).walk_cache, 0);
  EXPECT_EQ(PagesOf(9, 4, 0.2).load[ROOF_FLOW_DRAM], 250);
  EXPECT_EQ(LatenciesOf(WithChains()).find("walk"), std::string::npos);
  Machine machine = WithPages(9, 4);
  std::erase_if(machine.ceilings, [](const auto& c) { return c.id == "latency.page_walk"; });
  EXPECT_EQ(LatenciesOf(machine).find("walk_cache"), std::string::npos);
  EXPECT_NE(LatenciesOf(machine).find("walk_dram"), std::string::npos);
}

// A branch that was mispredicted and an atomic take so long, in samples whose halves differ by
// `noise`.
Machine WithBranches(double misprediction_ns, double atomic_ns, double noise = 0.01) {
  Machine machine = WithChains();
  machine.ceilings.push_back(MakeCeiling("latency.misprediction", "branch", misprediction_ns));
  machine.ceilings.push_back(MakeCeiling("latency.atomic", "locked addition", atomic_ns));
  for (size_t i = machine.ceilings.size() - 2; i < machine.ceilings.size(); ++i) {
    machine.ceilings[i].curve[0].noise = noise;
  }
  return machine;
}
// Of mispredicted branches and of atomics.
std::pair<int, int> BranchesOf(const std::vector<Machine>& machines) {
  roof_latencies latencies;
  const std::string text = LatenciesOf(machines);
  EXPECT_EQ(roof_latencies_parse(text.c_str(), &latencies), nullptr) << text;
  return {latencies.mispredicted, latencies.atomic};
}

TEST(Latencies, OfMispredictedBranchesAreWithoutTheTestAndRoundedDown) {
  // 17.75 cycles, of which one is the test; 7.25.
  EXPECT_EQ(BranchesOf({WithBranches(7.1, 2.9)}), std::pair(16, 7));
  EXPECT_EQ(BranchesOf({WithBranches(7.2, 2.8)}), std::pair(17, 7)) << "18.0 and 7.0";
  EXPECT_EQ(BranchesOf({WithBranches(0.2, 0.2)}), std::pair(0, 0)) << "never negative";
}

TEST(Latencies, OfMispredictedBranchesAreTheLeastOfAllMachines) {
  EXPECT_EQ(BranchesOf({WithBranches(7.1, 2.9), WithBranches(6.3, 4)}), std::pair(14, 7));
  EXPECT_EQ(BranchesOf({WithBranches(7.1, 2.9), WithChains()}), std::pair(0, 0))
      << "not measured on one";
}

// Whatever disturbed the other samples is no part of it.
TEST(Latencies, OfMispredictedBranchesThatAreNoisyAreTheFastestSample) {
  Machine noisy = WithBranches(7.1, 2.9, 0.2);
  for (size_t i = noisy.ceilings.size() - 2; i < noisy.ceilings.size(); ++i) {
    MachinePoint& one = noisy.ceilings[i].curve[0];
    one.min = 0.8 * one.value;
  }
  EXPECT_EQ(BranchesOf({noisy}), std::pair(13, 5)) << "14.2 less one, and 5.8 cycles";
}

TEST(Latencies, NeedChainsAndAClock) {
  Machine machine = WithChains();
  std::erase_if(machine.ceilings, [](const CeilingCurve& c) { return c.id == "chain.dp_add"; });
  EXPECT_EQ(LatenciesOf(machine), "");
  machine = WithChains();
  std::erase_if(machine.ceilings, [](const CeilingCurve& c) { return c.id == "clock.scalar"; });
  EXPECT_EQ(LatenciesOf(machine), "");
  machine = WithChains();
  std::erase_if(machine.ceilings, [](const CeilingCurve& c) { return c.id == "latency.L3"; });
  EXPECT_EQ(LatenciesOf(machine).find("load_l3"), std::string::npos);
}

}  // namespace
}  // namespace roofmark
