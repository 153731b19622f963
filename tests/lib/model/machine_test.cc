// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine.h"

#include <gtest/gtest.h>

#include "lib/model/roofs.h"

namespace roofmark {
namespace {

MachinePoint Point(uint32_t packages, uint32_t cores, double value) {
  MachinePoint point;
  point.packages = packages;
  point.cores = cores;
  point.value = value;
  return point;
}

// Two packages of 8 cores whose memory is busy with four cores each.
CeilingCurve TwoPackages() {
  CeilingCurve ceiling;
  ceiling.id = "bandwidth.DRAM.read";
  ceiling.unit = "GB/s";
  ceiling.curve = {Point(1, 1, 10), Point(1, 4, 40), Point(1, 8, 44),
                   Point(2, 2, 20), Point(2, 8, 80), Point(2, 16, 88)};
  return ceiling;
}

TEST(ValueAt, IsLinearBetweenPointsAndClampedAtTheEnds) {
  CeilingCurve ceiling;
  ceiling.curve = {Point(1, 1, 10), Point(1, 4, 40), Point(1, 8, 44)};
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 0.5), 10);
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 2), 20);
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 6), 42);
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 100), 44);
  EXPECT_DOUBLE_EQ(ValueAt(CeilingCurve(), 1), 0);
}

TEST(ValueAt, FillsOnePackageFirstUnlessToldOtherwise) {
  EXPECT_DOUBLE_EQ(ValueAt(TwoPackages(), 8), 44);
  EXPECT_DOUBLE_EQ(ValueAt(TwoPackages(), 8, 1), 44);
  EXPECT_DOUBLE_EQ(ValueAt(TwoPackages(), 8, 2), 80);
  EXPECT_DOUBLE_EQ(ValueAt(TwoPackages(), 12), 84);  // more than a package holds
  EXPECT_DOUBLE_EQ(ValueAt(TwoPackages(), 2, 2), 20);
}

TEST(ValueAt, LiesBetweenTheMeasuredNumbersOfPackages) {
  CeilingCurve ceiling = TwoPackages();
  for (MachinePoint& point : ceiling.curve) {
    if (point.packages == 2) point = Point(4, 2 * point.cores, 2 * point.value);
  }
  // Two cores in each of two packages: a third of the way from 2 on one to 8 on four.
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 4, 2), 20 + (80.0 - 20) / 3);
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 16, 4), 160);
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 32, 9), 176);  // more packages than were measured
}

TEST(ValueAt, UsesWhatThereIsWhereOnePackageWasNotMeasured) {
  CeilingCurve ceiling;
  ceiling.curve = {Point(2, 2, 20), Point(2, 16, 88)};
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 1), 20);
  EXPECT_DOUBLE_EQ(ValueAt(ceiling, 16), 88);
}

TEST(PackagesOf, CountsThoseThatACpusetReaches) {
  Machine machine;
  EXPECT_EQ(PackagesOf(machine, "0-3"), 0u);  // the file does not say
  machine.package_cpus = {"0-7,16-23", "8-15,24-31"};
  EXPECT_EQ(PackagesOf(machine, "0-3"), 1u);
  EXPECT_EQ(PackagesOf(machine, "7-8"), 2u);
  EXPECT_EQ(PackagesOf(machine, "24"), 1u);
  EXPECT_EQ(PackagesOf(machine, ""), 0u);
}

TEST(RoofsOf, TakesTheRoofAtTheJobsOwnCpuset) {
  Machine machine;
  machine.package_cpus = {"0-7", "8-15"};
  machine.ceilings = {TwoPackages()};
  RunInfo run;
  HostInfo host;
  host.ranks = 8;
  host.cpus = 8;
  host.cpuset = "0-7";
  run.hosts = {host};
  const auto dram = [&] {
    return RoofsOf(machine, run).bandwidth[static_cast<size_t>(MemoryLevel::kDram)]->value;
  };
  EXPECT_DOUBLE_EQ(dram(), 44);
  run.hosts[0].cpuset = "0-3,8-11";
  EXPECT_DOUBLE_EQ(dram(), 80);
  run.hosts.push_back(host);
  EXPECT_DOUBLE_EQ(dram(), 124);  // another node, with one package in use
}

}  // namespace
}  // namespace roofmark
