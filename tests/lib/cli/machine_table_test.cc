// SPDX-License-Identifier: BSD-3-Clause
#include "lib/cli/machine_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "lib/cli/machine_progress.h"

namespace roofmark::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

Ceiling MakeCeiling(const std::string& id, const std::string& label, double one, double all) {
  Ceiling ceiling;
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
  machine.warnings = {"only 10 % of the memory came in huge pages"};
  return machine;
}

TEST(MachineTable, ShowsOneCoreBesideAll) {
  const std::string table = MachineTable(Example());
  EXPECT_THAT(table, HasSubstr("Some CPU\n64 cores (CPUs 0-63) of 1 package, 256 GiB, quick"));
  EXPECT_THAT(table, HasSubstr("L3 260 MiB shared by 64 cores, fast up to 64 MiB\n"));
  EXPECT_THAT(table, HasSubstr("fused multiply-add                           88.46"
                               "                        5432\n"));
  EXPECT_THAT(table, HasSubstr("double peak: 5432 GFLOP/s on 64 cores\n"));
  EXPECT_THAT(table, HasSubstr("x 1.33 write-allocate"));
  EXPECT_THAT(table, HasSubstr("1 of 3 ceilings are noisy or were disturbed"));
  EXPECT_THAT(table, HasSubstr("only 10 % of the memory came in huge pages\n"));
  EXPECT_THAT(table, Not(HasSubstr("single")));  // nothing measured there
}

TEST(MachineTable, FitsEightyColumns) {
  std::istringstream lines(MachineTable(Example()));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
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
  EXPECT_THAT(text, testing::EndsWith("\r\033[K"));
}

}  // namespace
}  // namespace roofmark::cli
