// SPDX-License-Identifier: BSD-3-Clause
//
// The drawing of a machine alone: its roofs and the ladder below them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "lib/report/chart.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"
#include "lib/report/label_box.h"
#include "tests/lib/model/large_machine.h"

namespace roofmark {
namespace {

using test::LargeMachine;
using test::SampleMachine;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Names(const std::vector<Rung>& ladder) {
  std::vector<std::string> names;
  for (const Rung& rung : ladder) names.push_back(rung.name);
  return names;
}

TEST(MachineLadder, OfArithmeticAndOfMemory) {
  const std::vector<Rung> ladder = MachineLadder(LargeMachine());
  EXPECT_THAT(Names(ladder), ElementsAre("dp dependent adds", "dp +ILP", "dp +SIMD, adds",
                                         "dp FMA alone", "DRAM random lines", "DRAM strided",
                                         "DRAM no affinity", "DRAM read", "DRAM triad"))
      << "non-temporal stores move the most: they are the roof";
  EXPECT_DOUBLE_EQ(ladder[0].value, 1.5 * 128 * 0.8);
  EXPECT_DOUBLE_EQ(ladder.back().value, 14 * 16 * 4.0 / 3) << "as traffic";
}

TEST(MachineLadder, LeavesOutWhatCannotBeToldApart) {
  Machine machine = SampleMachine();  // adds are half of the peak and the roof without FMA
  machine.ceilings.push_back(test::MakeCeiling("bandwidth.DRAM.random", "x", 16.5));
  machine.ceilings.push_back(test::MakeCeiling("bandwidth.DRAM.strided", "x", 3));
  EXPECT_THAT(Names(MachineLadder(machine)),
              ElementsAre("dp dependent adds", "DRAM random lines", "DRAM strided"))
      << "reads lie within 5 % of random lines";
}

TEST(MachineChart, RungsLieWithinTheChartBelowTheRoofs) {
  const Chart chart = MakeChart(LargeMachine());
  size_t rungs = 0;
  for (const ChartLine& line : chart.lines) {
    EXPECT_GE(line.x0, chart.x_min) << line.label;
    EXPECT_LE(line.x1, chart.x_max) << line.label;
    EXPECT_GE(line.y0, chart.y_min * (1 - 1e-9)) << line.label;
    EXPECT_LE(line.y1, chart.y_max) << line.label;
    rungs += line.rung;
  }
  EXPECT_EQ(rungs, 9u);
  EXPECT_EQ(chart.lines.size(), 4 + 2 + rungs);
}

TEST(MachineChart, InTheTerminal) {
  for (const bool unicode : {true, false}) {
    const std::string text = RenderMachine(LargeMachine(), {80, unicode});
    for (const char* name : {"dp peak 12.3 TFLOP/s", " dp dependent adds 154 GFLOP/s",
                             " DRAM random lines 48.0 GB/s"}) {
      EXPECT_THAT(text, HasSubstr(name));
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 80u);
  }
}

TEST(MachineChart, FiguresOfAnySizeAreDrawnInFiniteTime) {
  for (const double factor : {1e-300, 1e-40, 1e40, 1e290, HUGE_VAL}) {
    Machine machine = LargeMachine();
    for (CeilingCurve& ceiling : machine.ceilings) {
      if (ceiling.unit != "GB/s") continue;
      for (MachinePoint& point : ceiling.curve) point.value *= factor;
    }
    const Chart chart = MakeChart(machine);
    for (const double end : {chart.x_min, chart.x_max, chart.y_min, chart.y_max}) {
      EXPECT_TRUE(end > 1e-31 && end < 1e32) << end << " with " << factor;
    }
    EXPECT_LT(RenderMachine(machine, {}).size(), 10'000u) << factor;
    EXPECT_LT(RenderMachineSvg(machine).size(), 1'000'000u) << factor;
  }
}

TEST(MachineChart, AsAPicture) {
  const std::string svg = RenderMachineSvg(LargeMachine());
  EXPECT_THAT(svg,
              HasSubstr(">Large CPU, 128 cores, default measurement of 2026-01-02T03:04:05Z<"));
  EXPECT_THAT(svg, HasSubstr(".rung{"));
  EXPECT_THAT(svg, HasSubstr(">DRAM random lines 48.0 GB/s<"));
  EXPECT_THAT(svg, HasSubstr(">dp +ILP 614 GFLOP/s<"));
  EXPECT_THAT(RenderMachineSvg({}), HasSubstr("Nothing to draw"));
}

size_t Count(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(MachineChart, NamesThatDoNotFitAreDroppedAndLinesStay) {
  Machine machine = LargeMachine();
  // Five slopes within a few pixels of each other.
  double one = 20;
  for (const char* kind : {"read", "triad", "read_far", "strided", "random"}) {
    for (CeilingCurve& ceiling : machine.ceilings) {
      if (ceiling.id != std::string("bandwidth.DRAM.") + kind) continue;
      ceiling.counted_factor = 1;
      one *= 0.94;
      for (MachinePoint& point : ceiling.curve) point.value = one * point.cores;
    }
  }
  const std::string svg = RenderMachineSvg(machine);
  EXPECT_EQ(Count(svg, "class=\"rung memory\""), MachineLadder(machine).size() - 4);
  EXPECT_LT(Count(svg, "rung-name\""), MachineLadder(machine).size());
}

TEST(LabelBox, TurnedBoxesOverlapOnlyWhereTheyMeet) {
  const LabelBox flat = {0, 0, 10, 2, 0};
  EXPECT_TRUE(Overlap(flat, {15, 0, 6, 2, 0}));
  EXPECT_FALSE(Overlap(flat, {17, 0, 6, 2, 0}));
  EXPECT_FALSE(Overlap(flat, {0, 5, 10, 2, 0}));
  EXPECT_TRUE(Overlap(flat, {0, 5, 10, 2, 45})) << "its end reaches down";
  EXPECT_TRUE(Overlap(flat, {0, 8, 10, 0, 90})) << "a line";
  // Their bounding boxes meet, they do not.
  EXPECT_FALSE(Overlap({0, 0, 20, 1, 45}, {6, -6, 20, 1, 45}));
  EXPECT_FALSE(Overlap({0, 0, 20, 1, 45}, {9, 0, 3, 3, 0}));
}

}  // namespace
}  // namespace roofmark
