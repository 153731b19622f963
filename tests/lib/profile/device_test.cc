// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/device.h"

#include <gmock/gmock.h>

#include "lib/profile/roofline_json.h"

namespace roofmark {
namespace {

using testing::HasSubstr;
using Metric = DeviceMetric;

constexpr size_t At(Metric metric) { return static_cast<size_t>(metric); }

// Counted by one process: these metrics.
DeviceInfo Device(const std::string& uuid, std::initializer_list<Metric> metrics) {
  DeviceInfo device;
  device.host = "n1";
  device.uuid = uuid;
  device.name = "a GPU";
  device.chip = "GH100";
  for (DeviceSource& source : device.sources) source.reason = "of another group";
  for (const Metric metric : metrics) device.sources[At(metric)] = {1, ""};
  return device;
}

void Add(DeviceInfo& device, const std::string& path, Metric metric, uint64_t value,
         uint64_t ranges = 1) {
  for (DeviceRow& row : device.rows) {
    if (row.path == path) {
      row.values[At(metric)] += value;
      return;
    }
  }
  DeviceRow row;
  row.path = path;
  row.ranges = ranges;
  row.values[At(metric)] = value;
  device.rows.push_back(row);
}

TEST(Device, KernelsOfSeveralProcessesAddUpAndCountersOfTheDeviceDoNot) {
  DeviceInfo first = Device("u", {Metric::kDpFma, Metric::kDramReadBytes});
  Add(first, "a", Metric::kDpFma, 10);
  Add(first, "a", Metric::kDramReadBytes, 100);
  DeviceInfo second = first;
  Add(second, "b", Metric::kDpFma, 5);
  std::vector<DeviceInfo> job = {first};
  EXPECT_EQ(ValueOf(job[0], job[0].rows[0], Metric::kDramReadBytes), 100u);
  MergeDevices(job, {second});
  ASSERT_EQ(job.size(), 1u);
  EXPECT_EQ(job[0].processes, 2u);
  ASSERT_EQ(job[0].rows.size(), 2u);
  EXPECT_EQ(ValueOf(job[0], job[0].rows[0], Metric::kDpFma), 20u);
  EXPECT_EQ(ValueOf(job[0], job[0].rows[1], Metric::kDpFma), 5u);
  EXPECT_EQ(ValueOf(job[0], job[0].rows[0], Metric::kDramReadBytes), std::nullopt);
  EXPECT_THAT(WhyNot(job[0], Metric::kDramReadBytes), HasSubstr("does not tell them apart"));
}

TEST(Device, WhatOneProcessDidNotCountHasNoValue) {
  DeviceInfo counted = Device("u", {Metric::kSpAdd});
  Add(counted, "a", Metric::kSpAdd, 7);
  DeviceInfo failed = Device("u", {});
  for (DeviceSource& source : failed.sources) source.reason = "no permission";
  std::vector<DeviceInfo> job = {counted};
  MergeDevices(job, {failed});
  EXPECT_EQ(ValueOf(job[0], job[0].rows[0], Metric::kSpAdd), std::nullopt);
  EXPECT_EQ(StatusOf(job[0], Metric::kSpAdd), Status::kInvalid);
  EXPECT_EQ(WhyNot(job[0], Metric::kSpAdd),
            "1 of 2 processes that used the device did not count it: no permission");
}

TEST(Device, DevicesAreToldApartByTheirUuid) {
  std::vector<DeviceInfo> job = {Device("u2", {Metric::kSpAdd})};
  MergeDevices(job, {Device("u1", {Metric::kSpAdd}), Device("u2", {Metric::kSpAdd})});
  ASSERT_EQ(job.size(), 2u);
  EXPECT_EQ(job[0].uuid, "u1");
  EXPECT_EQ(job[0].processes, 1u);
  EXPECT_EQ(job[1].processes, 2u);
}

TEST(Device, OtherExecutionsBringOtherMetrics) {
  DeviceInfo flops = Device("u", {Metric::kDpAdd});
  Add(flops, "a", Metric::kDpAdd, 10);
  DeviceInfo bytes = Device("u", {Metric::kDramReadBytes});
  Add(bytes, "a", Metric::kDramReadBytes, 80);
  std::vector<DeviceInfo> job = {flops};
  JoinDevices(job, {bytes});
  ASSERT_EQ(job.size(), 1u);
  EXPECT_EQ(job[0].processes, 1u);
  EXPECT_EQ(ValueOf(job[0], job[0].rows[0], Metric::kDpAdd), 10u);
  EXPECT_EQ(ValueOf(job[0], job[0].rows[0], Metric::kDramReadBytes), 80u);
}

TEST(Device, ExecutionsThatEnteredARegionAnotherNumberOfTimesGiveItNoValue) {
  DeviceInfo flops = Device("u", {Metric::kDpAdd});
  Add(flops, "a", Metric::kDpAdd, 10);
  Add(flops, "b", Metric::kDpAdd, 10);
  DeviceInfo bytes = Device("u", {Metric::kDramReadBytes});
  Add(bytes, "a", Metric::kDramReadBytes, 80, 2);
  Add(bytes, "c", Metric::kDramReadBytes, 80);
  std::vector<DeviceInfo> job = {flops};
  JoinDevices(job, {bytes});
  ASSERT_EQ(job[0].rows.size(), 3u);
  for (const DeviceRow& row : job[0].rows) {
    EXPECT_EQ(ValueOf(job[0], row, Metric::kDpAdd), std::nullopt) << row.path;
    EXPECT_EQ(ValueOf(job[0], row, Metric::kDramReadBytes), std::nullopt) << row.path;
  }
}

RooflineFile FileWith(const std::vector<DeviceInfo>& devices) {
  RooflineFile file;
  for (const char* path : {"a", "a/b"}) {
    PathInfo info;
    info.path = path;
    file.job.paths.push_back(info);
  }
  file.job.cells = CellTable(2);
  file.job.run.devices = devices;
  return file;
}

TEST(Device, FilesKeepThem) {
  DeviceInfo device = Device("u", {Metric::kDpAdd, Metric::kL2Bytes});
  Add(device, "a", Metric::kDpAdd, uint64_t{1} << 60);
  Add(device, "a/b", Metric::kL2Bytes, 3);
  const std::string text = RooflineToJson(FileWith({device, Device("v", {})}));
  const auto read = RooflineFromJson(text, "f");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->job.run.devices, FileWith({device, Device("v", {})}).job.run.devices);
}

TEST(Device, FilesKeepItsProperties) {
  DeviceInfo device = Device("u", {});
  EXPECT_THAT(RooflineToJson(FileWith({device})), testing::Not(HasSubstr("properties")));
  device.properties = {9, 1, 132, 1980000, 2619000, 5120};
  const auto read = RooflineFromJson(RooflineToJson(FileWith({device})), "f");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->job.run.devices[0].properties, device.properties);
}

// One rank could not ask for all.
TEST(Device, PropertiesOfSeveralProcessesCompleteEachOther) {
  DeviceInfo first = Device("u", {}), second = first;
  first.properties = {9, 0, 132, 0, 0, 0};
  second.properties = {0, 0, 0, 1980000, 2619000, 5120};
  const DeviceProperties whole = {9, 0, 132, 1980000, 2619000, 5120};
  for (const auto unite : {MergeDevices, JoinDevices}) {
    std::vector<DeviceInfo> job = {first};
    unite(job, {second});
    EXPECT_EQ(job[0].properties, whole);
  }
}

TEST(Device, RowsAreFoundByTheirPath) {
  DeviceInfo device = Device("u", {Metric::kDpAdd});
  for (const char* path : {"a", "a/b", "c"}) Add(device, path, Metric::kDpAdd, 1);
  EXPECT_EQ(FindRow(device, "a/b"), &device.rows[1]);
  for (const char* path : {"", "a/", "b", "d"}) EXPECT_EQ(FindRow(device, path), nullptr) << path;
}

// Nothing that could be taken for a value.
TEST(Device, FilesHaveNullForWhatWasLost) {
  DeviceInfo device = Device("u", {Metric::kDpAdd});
  Add(device, "a", Metric::kDpAdd, 12345678);
  device.rows[0].lost = 1;
  const std::string text = RooflineToJson(FileWith({device}));
  EXPECT_THAT(text, testing::Not(HasSubstr("12345678")));
  EXPECT_THAT(text, HasSubstr("\"flops_dp_add\": null"));
}

TEST(Device, FilesWithoutDevicesHaveNoWordOfThem) {
  EXPECT_THAT(RooflineToJson(FileWith({})), testing::Not(HasSubstr("devices")));
}

TEST(Device, DamagedFilesAreRefused) {
  const std::string text = RooflineToJson(FileWith({Device("u", {}), Device("v", {})}));
  std::string twice = text;
  twice.replace(twice.find("\"uuid\": \"v\""), 11, "\"uuid\": \"u\"");
  const auto read = RooflineFromJson(twice, "f");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), HasSubstr("already in the file"));
}

}  // namespace
}  // namespace roofmark
