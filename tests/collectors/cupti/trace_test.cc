// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_GROUP=time: kernels and copies with the time that they took.
#include <gmock/gmock.h>

#include "collectors/cupti/covered.h"
#include "tests/collectors/cupti/fixture.h"

namespace roofmark {
namespace {

using stand_in::kAdd;
using stand_in::kKernelNs;
using stand_in::Script;
using test::Value;
using testing::HasSubstr;

class CuptiTrace : public test::Cupti {
 protected:
  void Open(const Script &script = {}) { Cupti::Open(script, "time"); }
};

TEST_F(CuptiTrace, KernelsAndCopiesBelongToThePathInWhichTheyWereLaunched) {
  Open();
  const auto context = stand_in::CreateContext(0);
  stand_in::Launch(context, kAdd, 1);  // in no region
  Enter(1);
  stand_in::Launch(context, kAdd, 1);
  stand_in::Copy(context, cupti::kCopyHostToDevice, 4096);
  Enter(2);
  stand_in::Launch(context, kAdd, 1);
  stand_in::Launch(context, kAdd, 1);
  stand_in::Copy(context, cupti::kCopyDeviceToHost, 100);
  stand_in::Copy(context, 8, 12345);  // within the device
  Enter(1);
  stand_in::Launch(context, kAdd, 1);
  Enter(0);
  stand_in::Launch(context, kAdd, 1);
  auto devices = Harvest();
  ASSERT_EQ(devices.size(), 1u);
  ASSERT_EQ(devices[0].paths.size(), 2u);
  const counts::DeviceSums &first = devices[0].paths[1], &second = devices[0].paths[2];
  EXPECT_EQ(Value(first, DeviceMetric::kKernels), 2u);
  EXPECT_EQ(Value(first, DeviceMetric::kKernelNs), 2 * kKernelNs);
  EXPECT_EQ(Value(first, DeviceMetric::kToDeviceBytes), 4096u);
  EXPECT_EQ(Value(first, DeviceMetric::kToDeviceNs), 4096u);
  EXPECT_EQ(Value(first, DeviceMetric::kToHostBytes), 0u);
  EXPECT_EQ(first.ranges, 2u);
  EXPECT_EQ(Value(second, DeviceMetric::kKernels), 2u);
  EXPECT_EQ(Value(second, DeviceMetric::kToHostBytes), 100u);
  EXPECT_EQ(Value(second, DeviceMetric::kToHostNs), 100u);
  EXPECT_EQ(second.lost, 0u);
  EXPECT_EQ(Value(second, DeviceMetric::kKernelBusyNs), 2 * kKernelNs);
  EXPECT_EQ(Value(second, DeviceMetric::kBusyNs), 2 * kKernelNs + 100 + 12345) << "all copies";
  EXPECT_EQ(devices[0].missing[static_cast<size_t>(DeviceMetric::kKernels)], "");
  EXPECT_THAT(devices[0].missing[static_cast<size_t>(DeviceMetric::kDpAdd)],
              HasSubstr("ROOFMARK_GROUP=auto"));
  EXPECT_THAT(devices[0].missing[static_cast<size_t>(DeviceMetric::kDramReadBytes)],
              HasSubstr("ROOFMARK_GROUP=mem"));
}

TEST_F(CuptiTrace, WhatRunsSideBySideKeepsTheDeviceBusyOnce) {
  Script script;
  script.side_by_side = true;
  Open(script);
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  for (int i = 0; i < 3; ++i) stand_in::Launch(context, kAdd, 1);
  stand_in::Copy(context, cupti::kCopyHostToDevice, kKernelNs / 2);
  stand_in::Copy(context, cupti::kCopyHostToHost, 1000000);  // the device has no part in it
  Enter(2);
  stand_in::Launch(context, kAdd, 1);
  stand_in::Copy(context, cupti::kCopyDeviceToHost, 3 * kKernelNs);
  auto devices = Harvest();
  const counts::DeviceSums &first = devices[0].paths[1], &second = devices[0].paths[2];
  EXPECT_EQ(Value(first, DeviceMetric::kKernelNs), 3 * kKernelNs) << "they add up";
  EXPECT_EQ(Value(first, DeviceMetric::kKernelBusyNs), kKernelNs);
  EXPECT_EQ(Value(first, DeviceMetric::kBusyNs), kKernelNs);
  EXPECT_EQ(Value(second, DeviceMetric::kKernelBusyNs), kKernelNs);
  EXPECT_EQ(Value(second, DeviceMetric::kBusyNs), 3 * kKernelNs);
}

TEST(CuptiCovered, IsTheUnionOfIntervals) {
  using cupti::Covered;
  EXPECT_EQ(Covered({}), 0u);
  EXPECT_EQ(Covered({{5, 9}}), 4u);
  EXPECT_EQ(Covered({{5, 9}, {9, 10}}), 5u);
  EXPECT_EQ(Covered({{7, 12}, {5, 9}}), 7u) << "in whatever order";
  EXPECT_EQ(Covered({{5, 20}, {6, 7}, {30, 31}}), 16u) << "one within another";
  EXPECT_EQ(Covered({{5, 20}, {6, 7}, {15, 22}}), 17u)
      << "then one that goes on with the outer one";
  EXPECT_EQ(Covered({{5, 5}}), 0u);
}

TEST_F(CuptiTrace, DevicesAreToldApartAndContextsOfOneAddUp) {
  Script script;
  script.devices = {"GH100", "GA100"};
  Open(script);
  const auto first = stand_in::CreateContext(0), other = stand_in::CreateContext(1);
  Enter(1);
  stand_in::Launch(first, kAdd, 1);
  stand_in::Launch(other, kAdd, 1);
  stand_in::Launch(other, kAdd, 1);
  stand_in::DestroyContext(first);
  const auto again = stand_in::CreateContext(0);
  stand_in::Launch(again, kAdd, 1);
  auto devices = Harvest();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kKernels), 2u);
  EXPECT_EQ(Value(devices[1].paths[1], DeviceMetric::kKernels), 2u);
  EXPECT_EQ(devices[0].paths[1].ranges, 2u) << "one for each context, as where it is counted";
}

TEST_F(CuptiTrace, RecordsOfManyBuffersAreTaken) {
  Open();
  const auto context = stand_in::CreateContext(0);
  constexpr uint64_t kMany = 5000;
  Enter(1);
  for (uint64_t i = 0; i < kMany; ++i) stand_in::Launch(context, kAdd, 1);
  auto devices = Harvest();
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kKernels), kMany);
}

TEST_F(CuptiTrace, DroppedRecordsAreLostToTheRegion) {
  Script script;
  script.dropped_records = 1;
  Open(script);
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, kAdd, 1);
  auto devices = Harvest();
  EXPECT_EQ(devices[0].paths[1].lost, 1u);
}

TEST_F(CuptiTrace, KernelsWithoutTimesAreLostToTheRegion) {
  Script script;
  script.no_times = true;
  Open(script);
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, kAdd, 1);
  auto devices = Harvest();
  EXPECT_EQ(devices[0].paths[1].lost, 1u);
}

TEST_F(CuptiTrace, AContextThatComesAtABoundaryIsLostToTheRegion) {
  cupti::Context second = nullptr;
  Script script;
  script.meanwhile = [&] { second = stand_in::CreateContext(0); };
  Open(script);
  stand_in::Launch(stand_in::CreateContext(0), kAdd, 1);
  Enter(1);
  Enter(2);
  ASSERT_NE(second, nullptr);
  stand_in::Launch(second, kAdd, 1);
  Enter(0);
  auto devices = Harvest();
  EXPECT_EQ(devices[0].paths[1].lost, 1u);
  EXPECT_EQ(Value(devices[0].paths[2], DeviceMetric::kKernels), 1u);
}

TEST_F(CuptiTrace, AContextThatGoesAtABoundaryTakesItsTimesAlong) {
  LoseContextAtABoundary("time");
  Enter(0);
  EXPECT_THAT(Harvest()[0].missing[static_cast<size_t>(DeviceMetric::kKernels)],
              HasSubstr("was destroyed by a thread at a boundary"));
}

// They would be charged to a region that did not launch them.
TEST_F(CuptiTrace, RecordsThatComeTooLateAreNoNumbers) {
  Script script;
  script.late = true;
  Open(script);
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, kAdd, 1);
  Enter(2);
  stand_in::Copy(context, cupti::kCopyHostToDevice, 1000000);  // takes a millisecond
  Enter(3);
  Enter(4);
  auto devices = Harvest();
  EXPECT_THAT(devices[0].missing[static_cast<size_t>(DeviceMetric::kKernels)],
              HasSubstr("later than it promises"));
}

class CuptiTraceFailures : public CuptiTrace {
 protected:
  void CountTwoPaths(const char *function, int from);
};

void CuptiTraceFailures::CountTwoPaths(const char *function, int from) {
  if (!OpenFailing(function, from, "time")) return;
  const auto context = stand_in::CreateContext(0);
  for (int i = 0; i < 3; ++i) {
    Enter(1);
    stand_in::Launch(context, kAdd, 1);
    Enter(2);
    stand_in::Copy(context, cupti::kCopyDeviceToHost, 7);
    Enter(0);
  }
  auto devices = Harvest();
  if (stand_in::Calls(function) < from || devices.empty()) return;
  const std::string &why = devices[0].missing[static_cast<size_t>(DeviceMetric::kKernels)];
  counts::DeviceSums &first = devices[0].paths[1], &second = devices[0].paths[2];
  EXPECT_TRUE(!why.empty() || first.lost > 0 || Value(first, DeviceMetric::kKernels) == 3);
  EXPECT_TRUE(!why.empty() || second.lost > 0 || Value(second, DeviceMetric::kToHostBytes) == 21);
}

TEST_F(CuptiTraceFailures, GiveNoWrongNumber) {
  for (const auto &[function, from] : Failures(
           {"cuptiActivityRegisterCallbacks", "cuptiActivityEnable", "cuptiActivityFlushAll",
            "cuptiActivityGetNextRecord", "cuptiActivityGetNumDroppedRecords", "cuptiGetTimestamp",
            "cuptiGetContextId", "cuCtxPushCurrent", "cuCtxSynchronize"})) {
    SCOPED_TRACE(std::string(function) + " from time " + std::to_string(from));
    CountTwoPaths(function, from);
    ExpectNothingLeft();
  }
}

}  // namespace
}  // namespace roofmark
