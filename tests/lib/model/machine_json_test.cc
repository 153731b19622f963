// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Machine Sample() {
  Machine machine;
  machine.cpu_vendor = "GenuineIntel";
  machine.cpu_model = "Some CPU @ 2.10GHz";
  machine.cpuset = "0-1";
  machine.cores = 2;
  machine.memory_bytes = 1ull << 34;
  machine.isa = {"scalar", "128", "256"};
  machine.caches = {{1, 49152, 12, 64, 1, 0}, {3, 1u << 25, 16, 64, 2, 1u << 24}};
  machine.ceilings = {
      {"compute.dp.fma.256",
       "256-bit FMA",
       "GFLOP/s",
       1,
       {test::MakePoint(1, 1, 47.5, 47.1, 46, 47.9), test::MakePoint(2, 1, 94.25, 93, 90, 95)},
       ""},
      {"bandwidth.DRAM.triad",
       "DRAM triad",
       "GB/s",
       4.0 / 3,
       {test::MakePoint(1, 1, 14.7, 14.5, 14, 15)},
       "noisy: 7 %"}};
  machine.ceilings[0].curve[1].noise = 0.015;
  machine.ceilings[0].curve[1].ghz = 2.75;
  machine.ceilings[1].curve[0].variant = "four streams";
  machine.package_cpus = {"0-1"};
  machine.numa_nodes = {{0, "DRAM", 1ull << 34, 2}, {3, "HBM", 1ull << 33, 0}};
  machine.measured_at = "2026-01-02T03:04:05Z";
  machine.effort = "quick";
  machine.partial = true;
  machine.seconds = 9.5;
  machine.warnings = {"L3 has no plateau"};
  return machine;
}

TEST(MachineJson, RoundTrip) {
  const std::string text = MachineToJson(Sample());
  const auto read = MachineFromJson(text, "m.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(MachineToJson(*read), text);
  EXPECT_EQ(read->caches[1].plateau_bytes, 1u << 24);
  const CeilingCurve* fma = read->Find("compute.dp.fma.256");
  ASSERT_NE(fma, nullptr);
  EXPECT_EQ(ValueAt(*fma, 2), 94.25);
  EXPECT_EQ(read->Find("bandwidth.DRAM.triad")->counted_factor, 4.0 / 3);
  EXPECT_EQ(read->Find("bandwidth.DRAM.triad")->curve[0].variant, "four streams");
  EXPECT_EQ(fma->curve[1].noise, 0.015);
  EXPECT_EQ(fma->curve[1].ghz, 2.75);
  ASSERT_EQ(read->numa_nodes.size(), 2u);
  EXPECT_EQ(read->numa_nodes[1].index, 3u);
  EXPECT_EQ(read->numa_nodes[1].kind, "HBM");
  EXPECT_EQ(read->package_cpus, std::vector<std::string>{"0-1"});
  EXPECT_TRUE(read->partial);
}

TEST(MachineJson, AscendsInPackagesThenInCores) {
  Machine machine = Sample();
  auto& curve = machine.ceilings[0].curve;
  curve.push_back(curve[0]);
  curve.back().packages = 2;
  EXPECT_TRUE(MachineFromJson(MachineToJson(machine), "m.json"));
  std::swap(curve[1], curve[2]);
  EXPECT_FALSE(MachineFromJson(MachineToJson(machine), "m.json"));
}

TEST(MachineJson, ObeysItsSchema) {
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  EXPECT_TRUE(test::MatchesSchema(MachineToJson(Sample()), "machine.schema.json"));
  EXPECT_TRUE(test::MatchesSchema(MachineToJson(Machine()), "machine.schema.json"));
  EXPECT_FALSE(test::MatchesSchema("{}", "machine.schema.json"));
}

std::string ErrorWith(const char* pointer, const nlohmann::json& value) {
  auto json = nlohmann::json::parse(MachineToJson(Sample()));
  json[nlohmann::json::json_pointer(pointer)] = value;
  const auto read = MachineFromJson(json.dump(), "m.json");
  return read ? "(no error)" : read.error();
}

TEST(MachineJson, ErrorsNameFilePlaceAndCure) {
  const std::string cure = "; give a file that `roofmark machine` wrote";
  EXPECT_EQ(
      ErrorWith("/format", "other"),
      "m.json is no machine file: it is JSON without \"format\": \"roofmark-machine\"" + cure);
  EXPECT_EQ(ErrorWith("/format", "roofmark-roofline"),
            "m.json is no machine file, but a roofline file: `roofmark report m.json` shows it");
  EXPECT_EQ(ErrorWith("/version", 7),
            "m.json is of version 7; this roofmark reads up to 1: use the roofmark that wrote it, "
            "or a newer one");
  const std::string damaged = "m.json is a damaged machine file: ";
  EXPECT_EQ(
      ErrorWith("/ceilings/0/curve", nlohmann::json::array()),
      damaged + "/ceilings/0/curve must be an array with at least one point, found array" + cure);
  EXPECT_EQ(ErrorWith("/ceilings/0/curve/1/cores", 1),
            damaged +
                "/ceilings/0/curve/1/cores must be above that of the point before, or on "
                "more packages, found "
                "number" +
                cure);
  EXPECT_EQ(ErrorWith("/ceilings/0/curve/0/value", 0),
            damaged + "/ceilings/0/curve/0/value must be above zero, found number" + cure);
  EXPECT_EQ(ErrorWith("/hardware/isa", "256"),
            damaged + "/hardware/isa must be an array, found string" + cure);
}

TEST(MachineJson, FiguresBeyondEveryMachineNameTheLimit) {
  EXPECT_THAT(ErrorWith("/ceilings/0/counted_factor", 1e308),
              HasSubstr("/ceilings/0/counted_factor is 1e+308; it can be 0 to 1000"));
  EXPECT_THAT(ErrorWith("/ceilings/0/curve/0/value", 1e300), HasSubstr("it can be 0 to 1e+15"));
  EXPECT_THAT(ErrorWith("/ceilings/0/curve/0/cores", 4294967295),
              HasSubstr("it can be 1 to 1048576"));
  EXPECT_THAT(ErrorWith("/hardware/cores", 0), HasSubstr("it can be 1 to 1048576"));
}

TEST(MachineJson, TruncatedAtEveryByteNeverCrashes) {
  std::string text = MachineToJson(Sample());
  text.pop_back();
  for (size_t n = 1; n < text.size(); ++n) {
    const auto read = MachineFromJson(std::string_view(text).substr(0, n), "m.json");
    ASSERT_FALSE(read) << n;
    ASSERT_THAT(read.error(), StartsWith("m.json is truncated"));
  }
}

}  // namespace
}  // namespace roofmark
