// SPDX-License-Identifier: BSD-3-Clause
//
// Each member of a machine file that is missing, of another kind or out of range is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/limits.h"
#include "lib/model/machine_json.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/json_kinds.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;

// With every member that a machine file can have.
nlohmann::json Document() {
  Machine machine;
  machine.cpuset = "0-1";
  machine.cores = machine.threads = 2;
  machine.isa = {"scalar"};
  machine.package_cpus = {"0-1"};
  machine.nodes = {"node1", "node2"};
  machine.caches = {{1, 49152, 12, 64, 1, 0}};
  machine.numa_nodes = {{0, "DRAM", 1ull << 34, 2}};
  machine.warnings = {"L3 has no plateau"};
  machine.contradictions = {"DRAM read: 2 GB/s on 2 cores, 20 GB/s on 1 core"};
  machine.seconds = 9.5;
  MachinePoint point = test::MakePoint(1, 1, 47.5);
  point.noise = 0.015;
  point.ghz = 2.75;
  point.variant = "four streams";
  point.nodes = 2;
  point.node_min = 47.25;
  point.node_max = 47.75;
  machine.ceilings = {{"compute.dp.fma.256", "256-bit FMA", "GFLOP/s", 1.5, {point}, "a note"}};
  return nlohmann::json::parse(MachineToJson(machine));
}

std::string ErrorOf(const nlohmann::json& json) {
  const auto read = MachineFromJson(json.dump(), "F");
  return read ? "" : read.error();
}

bool IsKind(const std::string& pointer) { return test::IsOneOf(pointer, {"/format", "/version"}); }

const std::vector<std::string> kRequired = {
    "/hardware", "/hardware/caches/0/level",    "/hardware/numa_nodes/0/index",
    "/ceilings", "/ceilings/0/(id|unit|curve)", "/ceilings/0/curve/0/(cores|value)"};

TEST(MachineMembers, OfAnotherKindAreNamed) {
  const nlohmann::json good = Document();
  ASSERT_EQ(ErrorOf(good), "");
  size_t read = 0;
  for (const std::string& pointer : test::PointersIn(good)) {
    if (IsKind(pointer)) continue;
    ++read;
    for (const auto& other : test::OtherKinds(good.at(nlohmann::json::json_pointer(pointer)))) {
      EXPECT_THAT(ErrorOf(test::With(good, pointer, other)), HasSubstr(": " + pointer + " must be"))
          << other;
    }
  }
  EXPECT_GT(read, 60u);
}

TEST(MachineMembers, ThatAreMissingAreNamed) {
  const nlohmann::json good = Document();
  for (const std::string& pointer : test::PointersIn(good)) {
    if (test::IsItem(pointer) || IsKind(pointer)) continue;
    const std::string error = ErrorOf(test::Without(good, pointer));
    if (test::IsOneOf(pointer, kRequired)) {
      EXPECT_THAT(error, HasSubstr(": " + pointer + " is missing"));
    } else {
      EXPECT_EQ(error, "") << pointer;
    }
  }
}

TEST(MachineMembers, OutOfRangeNameTheRange) {
  const nlohmann::json good = Document();
  const std::string point = "/ceilings/0/curve/0", cache = "/hardware/caches/0";
  const auto expect = [&](const std::string& pointer, const nlohmann::json& value,
                          const std::string& range) {
    EXPECT_THAT(ErrorOf(test::With(good, pointer, value)),
                HasSubstr(": " + pointer + " is " + value.dump() + "; it can be " + range));
  };
  for (const std::string& cpus : {point + "/cores", point + "/packages",
                                  std::string("/hardware/packages"), std::string("/hardware/cores"),
                                  std::string("/hardware/threads"), cache + "/shared_by_cores"}) {
    expect(cpus, 0, "1 to 1048576");
    expect(cpus, limits::kCpus + 1, "1 to 1048576");
  }
  for (const char* figure :
       {"value", "median", "min", "max", "noise", "ghz", "node_min", "node_max"}) {
    EXPECT_THAT(ErrorOf(test::With(good, point + "/" + figure, -0.5)),
                HasSubstr(std::string(figure) + " is -0.5; it can be 0 to 1e+15"));
    EXPECT_THAT(ErrorOf(test::With(good, point + "/" + figure, 1e16)),
                HasSubstr(std::string(figure) + " is 1e+16; it can be 0 to 1e+15"));
  }
  expect(point + "/nodes", 0, "1 to 16777216");
  expect(point + "/nodes", limits::kRanks + 1, "1 to 16777216");
  expect(point + "/samples", uint64_t{1} << 32, "0 to 4294967295");
  expect("/seconds", -1.5, "0 to 1e+15");
  expect("/ceilings/0/counted_factor", -0.5, "0 to 1000");
  expect("/ceilings/0/counted_factor", 1000.5, "0 to 1000");
  expect(cache + "/level", 0, "1 to 16");
  expect(cache + "/level", 17, "1 to 16");
  expect(cache + "/line_bytes", 0, "1 to 1048576");
  expect(cache + "/line_bytes", 1048577, "1 to 1048576");
  for (const char* word : {"caches/0/ways", "numa_nodes/0/index", "numa_nodes/0/cores",
                           "cpu_family", "cpu_model_number", "cpu_stepping"}) {
    expect(std::string("/hardware/") + word, uint64_t{1} << 32, "0 to 4294967295");
  }
  for (const std::string& above_zero :
       {point + "/value", std::string("/ceilings/0/counted_factor")}) {
    EXPECT_THAT(ErrorOf(test::With(good, above_zero, 0)),
                HasSubstr(": " + above_zero + " must be above zero"));
  }
}

}  // namespace
}  // namespace roofmark
