// SPDX-License-Identifier: BSD-3-Clause
//
// What reports say of accelerators. The list in docs/model.md and the definition in
// docs/analysis.schema.json are written from the table, as derived_test.cc says.
#include "lib/report/devices.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "lib/model/device_peaks.h"
#include "lib/model/device_shares.h"
#include "lib/model/device_shortfall.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"
#include "tests/lib/profile/schema_check.h"
#include "tests/lib/report/device_job.h"
#include "tests/lib/report/documents.h"
#include "tests/lib/report/golden.h"

namespace roofmark {
namespace {

using test::DeviceJob;
using ::testing::HasSubstr;
using ::testing::Not;

const DeviceValueInfo& Row(std::string_view name) {
  for (const DeviceValueInfo& info : DeviceValues()) {
    if (info.name == name) return info;
  }
  throw std::out_of_range(std::string(name));
}

DeviceDerivation Region(const ReportJob& job, size_t row) {
  const DeviceInfo& device = job.profile.run.devices[0];
  const DeviceRow& of = device.rows[row];
  return {job.profile, device, of, static_cast<size_t>(job.profile.FindPath(of.path)),
          job.analysis.devices[0]};
}

// Of region `row` of the first device.
Value Of(const ReportJob& job, size_t row, std::string_view name) {
  return Row(name).value(Region(job, row));
}

TEST(Devices, ValuesFollowFromCounts) {
  const ReportJob job = DeviceJob();
  EXPECT_DOUBLE_EQ(*Of(job, 2, "kernel_time_s"), 1);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "gflops"), 10);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "dram_bytes"), 120e9);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "intensity_dram"), 1.0 / 12);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "intensity_l2"), 1.0 / 24);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "bound_dram_gflops"), 128.0 / 12);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "attainable_gflops"), 128.0 / 12);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "efficiency"), 10 / (128.0 / 12));
  EXPECT_DOUBLE_EQ(*Of(job, 2, "dram_gbytes_per_s"), 120);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "copied_bytes"), 4e9);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "copy_gbytes_per_s"), 20);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "kernel_share"), 0.5) << "of the slowest rank's 2 s";
}

TEST(Devices, LinksAreComparedWithCopiesThatWereMeasured) {
  const ReportJob job = DeviceJob({test::MachineWithDevice("GPU-1")});
  EXPECT_DOUBLE_EQ(*Of(job, 2, "pcie_bytes"), 4.7e9);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "nvlink_bytes"), 0);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "link_use"), 3.5 / 40 / 2) << "the busier way, in 2 s";
  EXPECT_DOUBLE_EQ(*Of(job, 2, "copy_efficiency"), (3.0 / 40 + 1.0 / 50) / 0.2);
  EXPECT_EQ(Of(job, 2, "nvlink_use").reason, Why(Reason::kNotMeasuredOnDevice));
  EXPECT_EQ(Of(job, 0, "copy_efficiency").reason, Why(Reason::kNoBytes)) << "it copies nothing";
  EXPECT_EQ(Of(DeviceJob(), 2, "link_use").reason, Why(Reason::kNotMeasuredOnDevice));
}

// 640 GFLOPs at 1280 GFLOP/s and 320 at 2560 take 0.625 s together.
TEST(Devices, PrecisionsHaveTheirOwnPeaks) {
  const ReportJob job = DeviceJob();
  EXPECT_DOUBLE_EQ(*Of(job, 0, "compute_peak_gflops"), 960 / 0.625);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "attainable_gflops"), 960 / 0.625);
  EXPECT_EQ(Of(job, 0, "attainable_gflops").status, Status::kModelled);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "efficiency"), 0.5);
  const auto binding = [&](size_t row) { return Row("binding").text(Region(job, row)); };
  EXPECT_EQ(binding(0), "compute");
  EXPECT_EQ(binding(2), "DRAM");
}

// "gemm" does so many FLOPs on tensor cores, too, in double precision, by so many of their 5
// instructions.
ReportJob OnTensorCores(uint64_t flops, uint64_t instructions) {
  JobProfile profile = test::DeviceProfile();
  auto& values = profile.run.devices[0].rows[0].values;
  values[static_cast<size_t>(DeviceMetric::kTensorDpFlops)] = flops;
  values[static_cast<size_t>(DeviceMetric::kTensorDp)] = instructions;
  JobAnalysis analysis = Analyze(profile, nullptr);
  return {"gpu.json", std::move(profile), std::move(analysis)};
}

// 640 more GFLOPs take 0.25 s at 256 in a cycle of each of the 10 multiprocessors.
TEST(Devices, TensorCoresHaveTheirOwnPeak) {
  const ReportJob job = OnTensorCores(640000000000, 5);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "flops_dp"), 640e9);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "flops_tensor_dp"), 640e9);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "flops"), 1600e9);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "gflops"), 1600 / 1.25);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "intensity_dram"), 1600);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "compute_peak_gflops"), 1600 / (0.625 + 0.25));
  EXPECT_DOUBLE_EQ(*AttainableOnDevice(Region(job, 0), false), 1600 / (2 * 0.625 + 0.25))
      << "without FMAs threads do half of theirs, and tensor cores all";
  EXPECT_DOUBLE_EQ(*FusedOnDevice(Region(job, 0)), 1280.0 / 1600);
  EXPECT_DOUBLE_EQ(*DoubleOnDevice(Region(job, 0)), 1280.0 / 1600);
}

TEST(Devices, FlopsOfTensorCoresAreCountedInDoublePrecisionAlone) {
  EXPECT_FALSE(HasUncountedFlops(Region(OnTensorCores(640000000000, 5), 0)));
  EXPECT_TRUE(HasUncountedFlops(Region(OnTensorCores(640000000000, 4), 0))) << "one of another";
  ReportJob lost = OnTensorCores(640000000000, 5);
  lost.profile.run.devices[0].sources[static_cast<size_t>(DeviceMetric::kTensorDpFlops)] = {};
  EXPECT_TRUE(HasUncountedFlops(Region(lost, 0)));
  EXPECT_DOUBLE_EQ(*Of(lost, 0, "flops"), 960e9) << "those of threads remain";
}

// Against what NVIDIA's data sheets say.
TEST(Devices, PeaksAreThoseOfDataSheets) {
  const auto near = [](const Value& value, double wanted) {
    return value && *value > 0.99 * wanted && *value < 1.01 * wanted;
  };
  struct Sheet {
    DeviceProperties properties;
    double dp, sp, dram;
  };
  for (const Sheet& sheet : {Sheet{{7, 0, 80, 1530000, 877000, 4096}, 7800, 15700, 900},
                             Sheet{{8, 0, 108, 1410000, 1215000, 5120}, 9700, 19500, 1555},
                             Sheet{{9, 0, 132, 1980000, 2619000, 5120}, 33500, 67000, 3350}}) {
    EXPECT_TRUE(near(PeakOf("compute.dp.fma", sheet.properties), sheet.dp)) << sheet.dp;
    EXPECT_TRUE(near(PeakOf("compute.sp.fma", sheet.properties), sheet.sp)) << sheet.sp;
    EXPECT_TRUE(near(PeakOf("bandwidth.DRAM.", sheet.properties), sheet.dram)) << sheet.dram;
  }
}

TEST(Devices, WhatIsNotKnownHasAReason) {
  const DeviceProperties unknown = {99, 1, 10, 1000000, 0, 0};
  EXPECT_EQ(PeakOf("compute.dp.fma", unknown).reason, (Why{Reason::kNoDeviceLanes, "99.1"}));
  EXPECT_EQ(PeakOf("bandwidth.DRAM.", unknown).reason, Why(Reason::kNoDeviceProperties));
  EXPECT_EQ(PeakOf("compute.dp.fma", {}).reason, Why(Reason::kNoDeviceProperties));
  EXPECT_EQ(PeakOf("bandwidth.L2.read", unknown).reason, Why(Reason::kNotMeasuredOnDevice));
  EXPECT_EQ(PeakOf("tensor.fp8", {8, 0, 108, 1410000, 0, 0}).reason,
            Why(Reason::kNotMeasuredOnDevice));
  ReportJob job = DeviceJob();
  job.profile.run.devices[0].rows[0].lost = 1;
  EXPECT_EQ(Of(job, 0, "gflops").reason, Why(Reason::kLostOnDevice));
  EXPECT_FALSE(Of(job, 0, "efficiency"));
  job.profile.run.devices[0].rows[2].values = {};
  EXPECT_EQ(Of(job, 2, "gflops").reason, Why(Reason::kNoTime));
  EXPECT_EQ(Of(job, 2, "intensity_dram").reason, Why(Reason::kNoBytes));
}

// Of 150 GB/s of L2, 24 bytes for each FLOP; DRAM alone would allow 100 / 12.
TEST(Devices, MeasuredCeilingsComeBeforeProperties) {
  const ReportJob job = DeviceJob({test::MachineWithDevice("GPU-1")});
  EXPECT_DOUBLE_EQ(*Of(job, 2, "bound_dram_gflops"), 100.0 / 12);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "bound_l2_gflops"), 150.0 / 24);
  EXPECT_EQ(Of(job, 2, "bound_l1_gflops").reason, Why(Reason::kNotMeasuredOnDevice));
  EXPECT_DOUBLE_EQ(*Of(job, 2, "attainable_gflops"), 150.0 / 24);
  EXPECT_EQ(Row("binding").text(Region(job, 2)), "L2");
  // 640 GFLOPs at the measured 1000, 320 at 2560 by properties.
  EXPECT_DOUBLE_EQ(*Of(job, 0, "compute_peak_gflops"), 960 / 0.765);
  EXPECT_EQ(Of(job, 0, "compute_peak_gflops").status, Status::kModelled);
  EXPECT_EQ(Of(job, 2, "bound_dram_gflops").status, Status::kMeasured);
  const std::string table = RenderTable({job}, {200, true});
  EXPECT_THAT(table, HasSubstr("attain GF/s: measured on this device: double, L2, DRAM; by the "
                               "device's properties, which nothing reaches: single"));
}

TEST(Devices, ReportsSayWhichOtherDeviceWasMeasured) {
  const ReportJob job = DeviceJob({test::MachineWithDevice("GPU-9")});
  EXPECT_THAT(RenderTable({job}, {200, true}),
              HasSubstr("measured on GPU-9, of the same kind: double, L2, DRAM"));
  const auto device = nlohmann::json::parse(RenderJson({job}))["jobs"][0]["devices"][0];
  EXPECT_EQ(device["measured_on"], "GPU-9");
  EXPECT_EQ(device["ceilings"]["double"]["value"], 1000);
  EXPECT_EQ(device["ceilings"]["double"]["origin"], "machine");
  EXPECT_EQ(device["ceilings"]["single"]["origin"], "properties");
  EXPECT_EQ(device["ceilings"]["half on tensor cores"]["value"], 20000);
  EXPECT_EQ(device["ceilings"]["L1"]["value"], nullptr);
}

TEST(Devices, SharesFollowFromCounts) {
  const ReportJob job = DeviceJob();
  EXPECT_DOUBLE_EQ(*Of(job, 0, "occupancy"), 0.5);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "active_lanes"), 0.8);
  EXPECT_DOUBLE_EQ(*Of(job, 0, "sm_imbalance"), 1.25);
  EXPECT_FALSE(Of(job, 0, "bank_conflicts"));
  EXPECT_DOUBLE_EQ(*Of(job, 2, "sector_use"), 0.75);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "l2_miss_share"), 0.5);
  EXPECT_DOUBLE_EQ(*Of(job, 2, "kernel_part_s"), 1);
  EXPECT_NEAR(*Of(job, 2, "copy_part_s"), 0.2, 1e-9);
  EXPECT_NEAR(*Of(job, 2, "idle_part_s"), 0.8, 1e-9);
  EXPECT_EQ(Row("limited_by").text(Region(job, 0)), "compute");
  EXPECT_EQ(Row("limited_by").text(Region(job, 2)), "DRAM");
  ReportJob unknown = DeviceJob();
  unknown.profile.run.devices[0].properties = {};
  EXPECT_EQ(Of(unknown, 0, "occupancy").reason, Why(Reason::kNoDeviceProperties));
}

// With what the link was measured to carry beside them: 0.095 s of 0.2 s.
TEST(Devices, CopiesThatLimitAreHeldAgainstTheLink) {
  const auto limit = [](ReportJob job) {
    for (DeviceRow& row : job.profile.run.devices[0].rows) {
      row.values[static_cast<size_t>(DeviceMetric::kKernelBusyNs)] = 100000000;
      row.values[static_cast<size_t>(DeviceMetric::kBusyNs)] = 2000000000;
    }
    return RenderTable({std::move(job)}, {200, true});
  };
  const std::string table = limit(DeviceJob({test::MachineWithDevice("GPU-1")}));
  EXPECT_THAT(table,
              HasSubstr("triad: copies limit it: of 2.00 s kernels take 5 %, copies beside them "
                        "95 %; nothing runs in 0 %; its copies run at 48 % of what pinned "
                        "memory was measured to reach"));
  EXPECT_THAT(limit(DeviceJob()), Not(HasSubstr("pinned memory")));
}

// What limits a region beside its kernels is said before any roof.
TEST(Devices, AnIdleDeviceIsSaidFirst) {
  ReportJob job = DeviceJob();
  for (DeviceRow& row : job.profile.run.devices[0].rows) {
    row.values[static_cast<size_t>(DeviceMetric::kKernelBusyNs)] = 100000000;
    row.values[static_cast<size_t>(DeviceMetric::kBusyNs)] = 300000000;
  }
  const std::string table = RenderTable({job}, {200, true});
  const size_t said = table.find(
      "g1 gemm: an idle device limits it: of 2.00 s kernels take 5 %, "
      "copies beside them 10 %; nothing runs in 85 %");
  ASSERT_NE(said, std::string::npos) << table;
  EXPECT_LT(said, table.find("attain GF/s: by the device's properties"));
  EXPECT_EQ(Row("limited_by").text(Region(job, 0)), "idle");
}

// Of 5 s of the run. "solve" is a frame of "solve/triad".
TEST(Devices, WhatToDoFirstOnThem) {
  const ReportJob job = DeviceJob();
  const std::string table = RenderTable({job}, {400, true});
  EXPECT_THAT(table, HasSubstr("What to do first on the GPUs\n1. "));
  EXPECT_THAT(table,
              HasSubstr("g3 triad on GPU-1 (40 % of the run): Give the device work meanwhile: 40 % "
                        "of its time nothing runs on the device; saves up to 800 ms"));
  EXPECT_THAT(
      table,
      HasSubstr("g1 gemm on GPU-1 (40 % of the run): Share the work evenly over the SMs: the "
                "busiest SM works 1.25x the mean; saves"));
  EXPECT_THAT(table, Not(HasSubstr("g2 solve on GPU-1")));
  EXPECT_THAT(RenderHtml({job}), HasSubstr("What to do first on the GPUs"));
  EXPECT_THAT(RenderMarkdown({job}), HasSubstr("What to do first on the GPUs"));
  const std::string csv = RenderCsv(job);
  EXPECT_THAT(csv, HasSubstr("\nsolve/triad,saves_idle,s,cupti,modelled,device GPU-1,,0,"));
  EXPECT_THAT(csv,
              HasSubstr("\nsolve/triad,saves_idle_most,s,cupti,modelled,device GPU-1,,0.79999"));
  const auto advice = nlohmann::json::parse(RenderJson({job}))["jobs"][0]["device_advice"];
  ASSERT_FALSE(advice.empty());
  for (const auto& each : advice) {
    EXPECT_LE(each["saves_s"]["least"], each["saves_s"]["most"]);
    EXPECT_GE(each["expected_s"], 0.05);
    EXPECT_EQ(each["device"], "GPU-1");
  }
}

TEST(Devices, Table) {
  test::ExpectGolden(RenderTable({DeviceJob()}, {80, true}), "devices_table.txt");
}

TEST(Devices, TablesFitTheWidth) {
  for (const int width : {kMinWidth, 100, 200}) {
    std::istringstream lines(RenderTable({DeviceJob()}, {width, true}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(DisplayWidth(line), static_cast<size_t>(width)) << line;
    }
  }
}

TEST(Devices, ManyAreShownOnlyWhenAskedFor) {
  ReportJob job = DeviceJob();
  for (const char* uuid : {"GPU-3", "GPU-4", "GPU-5"}) {
    job.profile.run.devices.push_back(test::SampleDevice(uuid, test::kSampleProperties));
  }
  job.analysis = Analyze(job.profile, nullptr);
  const std::string few = RenderTable({job}, {80, true});
  EXPECT_THAT(few, Not(HasSubstr("GPU-5")));
  EXPECT_THAT(few, HasSubstr("4 of 5 devices are shown"));
  EXPECT_THAT(RenderTable({job}, {80, true, Detail::kAll}), HasSubstr("GPU-5"));
}

// A third rank left nothing, or what it left when it died: it may have used the devices.
TEST(Devices, RanksThatAreMissingMayHaveUsedThem) {
  ReportJob job = DeviceJob();
  EXPECT_THAT(RenderTable({job}, {200, true}), Not(HasSubstr("are missing here")));
  const auto missing = [](JobProfile& profile) { profile.run.ranks = 3; };
  const auto dead = [](JobProfile& profile) {
    profile.run.ranks = profile.run.ranks_merged = 3;
    profile.run.recovered_ranks = 1;
  };
  for (const bool died : {false, true}) {
    job.profile = test::DeviceProfile();
    died ? dead(job.profile) : missing(job.profile);
    EXPECT_FALSE(Of(job, 1, "dram_bytes"));
    EXPECT_EQ(Of(job, 1, "dram_bytes").reason.id, Reason::kRanksOnDevice);
    EXPECT_DOUBLE_EQ(*Of(job, 1, "flops_dp"), 1e10) << "of the kernels of those that are there";
    EXPECT_THAT(RenderTable({job}, {200, true}),
                HasSubstr("1 of 3 ranks are missing here, or died: what they did on devices"));
    const std::string csv = RenderCsv(job);
    EXPECT_THAT(csv,
                HasSubstr("\nsolve,dram_read_bytes,bytes,,invalid,device GPU-1,,,,,,,,,team\n"));
  }
}

TEST(Devices, PageAndMarkdownHaveTheirTables) {
  for (const std::string& text : {RenderHtml({DeviceJob()}), RenderMarkdown({DeviceJob()})}) {
    EXPECT_THAT(text, HasSubstr("NVIDIA Sample (GH100) of node1, GPU-1"));
    EXPECT_THAT(text, HasSubstr("kernel time"));
    EXPECT_THAT(text, HasSubstr("another profiler is active"));
  }
}

TEST(Devices, CsvHasWhatIsStoredAndWhatIsDerived) {
  ReportJob job = DeviceJob();
  const uint64_t large = (uint64_t{1} << 60) + 1;  // more digits than a double has
  job.profile.run.devices[0].rows[0].values[0] = large;
  const std::string csv = RenderCsv(job);
  EXPECT_THAT(
      csv, HasSubstr(fmt::format(
               "\ngemm,flops_dp_add,flops,cupti,measured,device GPU-1,,{},,,,,,,team\n", large)));
  EXPECT_THAT(csv, HasSubstr("\nsolve/triad,gflops,GFLOP/s,cupti,measured,device GPU-1,,10,"));
  EXPECT_THAT(csv, HasSubstr("\nsolve,gflops,GFLOP/s,,invalid,device GPU-2,,,,,,,,,team\n"));
  for (const DeviceValueInfo& info : DeviceValues()) {
    if (info.text != nullptr) continue;
    EXPECT_THAT(csv, HasSubstr(fmt::format("\ngemm,{},{},", info.name, info.unit)));
  }
  size_t kernels = 0;
  for (size_t at = 0; (at = csv.find("\ngemm,kernels,", at + 1)) != std::string::npos;) ++kernels;
  EXPECT_EQ(kernels, 1u) << "it is stored, and a column of the table";
}

TEST(Devices, AnalysisHasThem) {
  const std::string text = RenderJson({DeviceJob()});
  const auto devices = nlohmann::json::parse(text)["jobs"][0]["devices"];
  ASSERT_EQ(devices.size(), 2u);
  const auto& gemm = devices[0]["regions"][0];
  EXPECT_EQ(gemm["path"], "gemm");
  EXPECT_EQ(gemm["has_uncounted_flops"], true);
  EXPECT_EQ(gemm["gflops"]["value"], 960 / 1.25);
  EXPECT_EQ(gemm["binding"], "compute");
  EXPECT_THAT(devices[1]["regions"][0]["gflops"]["reason"], HasSubstr("1 of 2 processes"));
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  EXPECT_TRUE(test::MatchesSchema(text, "analysis.schema.json"));
  std::string bad = text;
  bad.replace(bad.find("\"has_uncounted_flops\": true"), 27, "\"has_uncounted_flops\": 1   ");
  EXPECT_FALSE(test::MatchesSchema(bad, "analysis.schema.json"));
}

std::string ListOfDeviceValues() {
  std::string list;
  for (const DeviceValueInfo& info : DeviceValues()) {
    list += Wrap(fmt::format("- `{}` ({}): {}.", info.name, info.unit.empty() ? "text" : info.unit,
                             info.doc),
                 120, 2);
  }
  return list;
}

std::string ListOfDeviceShortfalls() {
  std::string list;
  for (const DeviceShortfallInfo& info : DeviceShortfallTable()) {
    list += Wrap(fmt::format("- `{}` ({}, {}): {} [{}].", info.name, info.label,
                             static_cast<int>(info.ease), info.doc, info.source),
                 120, 2);
  }
  return list;
}

std::string SchemaOfDeviceValues() {
  std::string required, properties;
  for (const DeviceValueInfo& info : DeviceValues()) {
    required += fmt::format("{}\"{}\"", required.empty() ? "" : ",\n        ", info.name);
    properties += fmt::format(
        "{}\"{}\": {{\n          {},\n          \"description\": {}\n        }}",
        properties.empty() ? "" : ",\n        ", info.name,
        info.text != nullptr ? "\"type\": \"string\"" : "\"$ref\": \"#/definitions/number\"",
        nlohmann::json(info.doc).dump());
  }
  return fmt::format(
      "      \"type\": \"object\",\n      \"required\": [\n        {}\n      ],\n"
      "      \"properties\": {{\n        {}\n      }}\n    }},\n",
      required, properties);
}

TEST(Devices, TheDocumentsAreTheTable) {
  test::ExpectBetween("model.md", "<!-- device values: begin -->\n",
                      "<!-- device values: end -->\n", ListOfDeviceValues());
  test::ExpectBetween("model.md", "<!-- device shortfalls: begin -->\n",
                      "<!-- device shortfalls: end -->\n", ListOfDeviceShortfalls());
  test::ExpectBetween(
      "analysis.schema.json",
      "      \"$comment\": \"Written by derived_test from the table of values of devices.\",\n",
      "    \"shortfall\": {\n", SchemaOfDeviceValues());
}

}  // namespace
}  // namespace roofmark
