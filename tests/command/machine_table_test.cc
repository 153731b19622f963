// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "command/machine_progress.h"
#include "tests/lib/model/large_machine.h"

namespace roofmark::cli {
namespace {

using test::LargeMachine;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

CeilingCurve MakeCeiling(const std::string& id, const std::string& label, double one, double all) {
  CeilingCurve ceiling;
  ceiling.id = id;
  ceiling.label = label;
  ceiling.unit = "GFLOP/s";
  MachinePoint point;
  point.value = one;
  ceiling.curve.push_back(point);
  point.cores = 64;
  point.value = all;
  ceiling.curve.push_back(point);
  return ceiling;
}

Machine Example() {
  Machine machine;
  machine.cpu_model = "Some CPU";
  machine.cores = 64;
  machine.cpuset = "0-63";
  machine.effort = "quick";
  machine.memory_bytes = uint64_t{256} << 30;
  CacheLevel l3;
  l3.level = 3;
  l3.size_bytes = 260 << 20;
  l3.plateau_bytes = 64 << 20;
  l3.shared_by_cores = 64;
  machine.caches.push_back(l3);
  machine.ceilings = {
      MakeCeiling("compute.dp.fma.512", "double 512-bit fused multiply-adds", 88.456, 5432.1),
      MakeCeiling("compute.dp.peak", "double peak", 88.456, 5432.1),
      MakeCeiling("bandwidth.DRAM.triad", "DRAM triad", 14.7, 300.2)};
  machine.ceilings[2].counted_factor = 4.0 / 3;
  machine.ceilings[2].note = "1 core: noisy: median 9 % below";
  machine.warnings = {"only 10 % of the memory are huge pages"};
  machine.contradictions = {"DRAM read: 2 GB/s on 2 cores, 20 GB/s on 1 core"};
  return machine;
}

TEST(MachineTable, ShowsOneCoreBesideAll) {
  const std::string table = MachineTable(Example());
  EXPECT_THAT(table, HasSubstr("Some CPU\n64 cores (CPUs 0-63) of 1 package, 256 GiB, quick"));
  EXPECT_THAT(table, HasSubstr("L3 260 MiB shared by 64 cores, fast up to 64 MiB\n"));
  EXPECT_THAT(table, HasSubstr("fused multiply-add                          88.46"
                               "                        5432\n"));
  EXPECT_THAT(table, HasSubstr("double peak, GFLOP/s                  88.46      5432\n"));
  EXPECT_THAT(table, HasSubstr("x 1.33 write-allocate"));
  EXPECT_THAT(table, HasSubstr("bandwidth.DRAM.triad: 1 core: noisy: median 9 % below\n"));
  EXPECT_THAT(table, HasSubstr("only 10 % of the memory are huge pages\n"));
  EXPECT_THAT(table, HasSubstr("not to be trusted: DRAM read: 2 GB/s on 2 cores, 20 GB/s on 1 "));
  EXPECT_THAT(table, Not(HasSubstr("single")));  // nothing measured there
}

TEST(MachineTable, FitsEightyColumns) {
  std::istringstream lines(MachineTable(Example()) + MachineTable(test::LargeMachine()));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What tells long names apart may be their end.
TEST(MachineTable, DoesNotCutNames) {
  Machine machine = Example();
  machine.ceilings.push_back(
      MakeCeiling("latency.second_tlb", "latency, a line in 4 KiB of 1 MiB of large pages", 1, 2));
  machine.ceilings.push_back(
      MakeCeiling("latency.page_walk", "latency, a line in 4 KiB of 1 MiB of small pages", 3, 4));
  const std::string table = MachineTable(machine);
  EXPECT_THAT(table, HasSubstr("of 1 MiB of large pages\n"));
  EXPECT_THAT(table, HasSubstr("of 1 MiB of small pages\n"));
}

TEST(MachineTable, KeepsLongKindsApartFromTheColumnBefore) {
  Machine machine = LargeMachine();
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id == "bandwidth.DRAM.triad_nt") ceiling.id = "bandwidth.DRAM.triad_prefetch";
  }
  const std::string table = MachineTable(machine);
  EXPECT_THAT(table, HasSubstr("measured triad_prefetch"));
  for (const std::string& line : Lines(table)) EXPECT_LE(line.size(), 80u) << line;
}

// The line that begins with `label`, the n-th such; empty if there are fewer.
std::string LineOf(const std::string& table, const std::string& label, int n = 0) {
  for (const std::string& line : Lines(table)) {
    if (line.starts_with(label) && n-- == 0) return line;
  }
  return {};
}

TEST(MachineTable, BeginsWithTheRoofs) {
  const std::string table = MachineTable(LargeMachine());
  EXPECT_EQ(LineOf(table, "half peak"), "half peak, GFLOP/s                    480.0     49152");
  EXPECT_EQ(LineOf(table, "bfloat16 peak"),
            "bfloat16 peak, GFLOP/s                384.0     39322");
  // Non-temporal stores move the most: 21 GB/s, against 15 * 4/3.
  EXPECT_EQ(LineOf(table, "DRAM, GB/s of"),
            "DRAM, GB/s of traffic                 21.00     336.0");
  EXPECT_EQ(LineOf(table, "ridge point"), "ridge point (double), FLOP/byte        5.71     36.57");
  EXPECT_LT(table.find("the roofs"), table.find("GFLOP/s, double"));
}

TEST(MachineTable, DividesAndRootsAreComparedWithAnFmaOfTheSameWidth) {
  const std::string table = MachineTable(LargeMachine());
  EXPECT_EQ(LineOf(table, "  one costs, in FMAs"),
            "  one costs, in FMAs   x 8.0  x 8.0   x 16   x 32  x 8.0  x 8.0   x 16   x 32");
  EXPECT_EQ(LineOf(table, "  one costs, in FMAs", 1).substr(20, 9), "    x 12 ");
}

TEST(MachineTable, ShowsTheInstructionMixUnderTheWidestFma) {
  const std::string table = MachineTable(LargeMachine());
  EXPECT_THAT(table, HasSubstr("GFLOP/s, if FMAs are        1 core          128 cores\n"));
  EXPECT_EQ(LineOf(table, "1/16  "), "1/16                     12.00    24.00     1229     2458");
  EXPECT_EQ(LineOf(table, "all   "), "all                      96.00    192.0     9830    19661");
  EXPECT_THAT(MachineTable(Example()), Not(HasSubstr("if FMAs are")));
}

TEST(MachineTable, OrdersTheDramLadderAndLatencies) {
  const std::string table = MachineTable(LargeMachine());
  size_t at = 0;
  for (const char* label : {"DRAM read  ", "DRAM read_prefetch", "DRAM copy", "DRAM triad  ",
                            "DRAM triad, non-temporal", "DRAM triad, software", "DRAM strided",
                            "DRAM read_far", "DRAM random", "L3 read", "L1 read",
                            "ns per dependent load", "DRAM latency", "L1 latency"}) {
    const size_t found = table.find(label);
    ASSERT_NE(found, std::string::npos) << label;
    EXPECT_GT(found, at) << label;
    at = found;
  }
}

TEST(MachineTable, ShowsDramAgainstCoresAndPackages) {
  const std::string table = MachineTable(LargeMachine());
  EXPECT_EQ(LineOf(table, "   16 cores of 1").substr(0, 25), "   16 cores of 1    136.0");
  EXPECT_EQ(LineOf(table, "  128 cores of 2").substr(0, 25), "  128 cores of 2    272.0");
  EXPECT_EQ(LineOf(table, "   64 cores of 1").substr(0, 25), "   64 cores of 1    136.0");
  EXPECT_EQ(LineOf(table, "   64 cores of 2").substr(0, 25), "   64 cores of 2    272.0");
  EXPECT_EQ(LineOf(table, "all / one package").substr(0, 25), "all / one package  x 2.00");
  EXPECT_THAT(MachineTable(Example()), Not(HasSubstr("DRAM GB/s against")))
      << "one and all cores stand in the table above";
}

TEST(MachineTable, LongCurvesAreShownAtPowersOfTwoAndPackagesEnds) {
  Machine machine = LargeMachine();
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id != "bandwidth.DRAM.read") continue;
    ceiling.curve.clear();
    for (uint32_t cores = 1; cores <= 96; ++cores) {
      const double value = 3.0 * cores;
      ceiling.curve.push_back(test::MakePoint(cores, cores > 48 ? 2 : 1, value));
    }
  }
  const std::string table = MachineTable(machine);
  for (const char* shown : {"    1 core of 1", "   32 cores of 1", "   48 cores of 1",
                            "   64 cores of 2", "   96 cores of 2"}) {
    EXPECT_NE(LineOf(table, shown), "") << shown;
  }
  EXPECT_EQ(LineOf(table, "   33 cores"), "");
}

TEST(MachineTable, ShowsImbalanceInBothPlacementsAndOfMemory) {
  Machine machine = LargeMachine();
  const std::string table = MachineTable(machine);
  EXPECT_EQ(LineOf(table, "1/2, 64 cores"),
            "1/2, 64 cores              6144       6363      76.80      79.54         168.0");
  EXPECT_EQ(LineOf(table, "1/4, 32 cores"),
            "1/4, 32 cores              3072                 38.40                    168.0");
  EXPECT_EQ(LineOf(table, "1/128, 1 core"),
            "1/128, 1 core             96.00      120.0       1.20       1.50         21.00");
  EXPECT_THAT(table, Not(HasSubstr("between measured points")));
  machine.cores = 96;  // not measured: between the points of 64 and 128
  EXPECT_THAT(MachineTable(machine), HasSubstr("1/64, 1.5 cores"));
  EXPECT_THAT(MachineTable(machine), HasSubstr("1/96, 1 core"));
  machine.cores = 1;
  EXPECT_EQ(MachineTable(machine).find("of cores that work"), std::string::npos);
}

TEST(MachineTable, InterpolatedBandwidthStandsInParentheses) {
  const std::string table = MachineTable(Example());
  EXPECT_THAT(LineOf(table, "1/2, 32 cores"), EndsWith(" (206.9)"));
  EXPECT_THAT(LineOf(table, "all, 64 cores"), EndsWith(" 400.3"));
  EXPECT_THAT(table, HasSubstr("( ): read between measured points\n"));
}

TEST(MachineTable, ShowsNumaNodesAsGrids) {
  const std::string table = MachineTable(LargeMachine());
  EXPECT_THAT(table, HasSubstr("NUMA nodes 0-3: each DRAM 128 GiB, 32 cores\n"));
  EXPECT_THAT(table, HasSubstr("\nfrom / to      0      1      2      3\n"
                               "node 0     70.00  60.00  25.00  25.00\n"));
  EXPECT_THAT(table, HasSubstr("node 3     210.0  210.0  125.0  110.0\n"));
}

TEST(MachineTable, WideNumaGridsAreBroken) {
  Machine machine = Example();
  for (int to = 0; to < 12; ++to) {
    machine.ceilings.push_back(MakeCeiling("numa.latency.0." + std::to_string(to), "x", 100, 100));
  }
  const std::string table = MachineTable(machine);
  EXPECT_THAT(table, HasSubstr("from / to     10     11\nnode 0     100.0  100.0\n"));
}

TEST(MachineTable, MarksNoisyFiguresAndSaysWhatTheMarkMeans) {
  Machine machine = Example();
  EXPECT_THAT(MachineTable(machine), Not(HasSubstr("~")));
  machine.ceilings[0].curve[1].noise = 0.06;
  EXPECT_THAT(MachineTable(machine), HasSubstr(" 5432~\n"));
  EXPECT_THAT(
      MachineTable(machine),
      HasSubstr("~ noisy: halves of the samples, or several nodes, differ by more than 5 %\n"));
}

TEST(MachineTable, SeveralNodesAreNamedAndMarkedWhereTheyDiffer) {
  Machine machine = Example();
  machine.nodes = {"node1", "node2"};
  MachinePoint& point = machine.ceilings[0].curve[1];
  point.nodes = 2;
  point.node_min = 5400;
  point.node_max = 5500;
  EXPECT_THAT(MachineTable(machine), HasSubstr("\nmedian of 2 nodes: node1, node2\n"));
  EXPECT_THAT(MachineTable(machine), Not(HasSubstr("~")));
  point.node_min = 5100;
  EXPECT_THAT(MachineTable(machine), HasSubstr(" 5432~\n"));
}

TEST(MachineTable, SaysWhichVariantOfAKernelWasBest) {
  Machine machine = Example();
  machine.ceilings[2].curve.back().variant = "2048 bytes ahead";
  EXPECT_THAT(MachineTable(machine), HasSubstr("300.2  x 1.33, 2048 bytes ahead\n"));
}

TEST(MachineTable, ManyNotesAreCounted) {
  Machine machine = LargeMachine();
  for (CeilingCurve& ceiling : machine.ceilings) ceiling.note = "1 core: noisy";
  const std::string table = MachineTable(machine);
  EXPECT_THAT(table, HasSubstr(" ceilings have notes: see them in the machine file\n"));
  EXPECT_THAT(table, Not(HasSubstr("1 core: noisy")));
}

TEST(MachineTable, SaysWhenItWasInterruptedOrALevelIsMissing) {
  Machine machine = Example();
  machine.partial = true;
  machine.ceilings.clear();
  machine.caches[0].plateau_bytes = 0;
  const std::string table = MachineTable(machine);
  EXPECT_THAT(table, HasSubstr("quick measurement, interrupted\n"));
  EXPECT_THAT(table, HasSubstr("not found by the sweep\n"));
  EXPECT_THAT(table, Not(HasSubstr("GFLOP/s")));
}

std::string Printed(bool terminal, const std::vector<double>& shares) {
  std::FILE* file = std::tmpfile();
  StreamProgress progress(file, terminal);
  for (const double share : shares) progress.Update(share, 9 * (1 - share), "L2 read");
  progress.Finish();
  std::rewind(file);
  char text[4096];
  const size_t length = std::fread(text, 1, sizeof text, file);
  std::fclose(file);
  return {text, length};
}

TEST(StreamProgress, WritesPlainLinesToAFile) {
  EXPECT_EQ(Printed(false, {0.1, 0.3, 0.35, 0.8, 1.0}),
            "roofmark: measuring: 25 %, at most 6 s left\n"
            "roofmark: measuring: 75 %, at most 2 s left\n");
}

TEST(StreamProgress, RenewsOneLineOnATerminal) {
  const std::string text = Printed(true, {0.5, 0.51});
  EXPECT_THAT(text, HasSubstr("\r[############            ]  50 %, at most   4 s left  L2 read"));
  EXPECT_THAT(text, Not(HasSubstr("\n")));
  EXPECT_THAT(text, Not(HasSubstr("51 %")));  // too soon after the first
  EXPECT_THAT(text, EndsWith("\r\033[K"));
}

}  // namespace
}  // namespace roofmark::cli
