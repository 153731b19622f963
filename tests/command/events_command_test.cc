// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/lib/profile/schema_check.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using nlohmann::json;
using test::Ended;
using test::Environment;
using ::testing::HasSubstr;

Environment On(const std::string& machine, Environment more = {}) {
  more["LD_PRELOAD"] = VIRTUAL_PMU;
  more["VPMU_MACHINE"] = std::string(VPMU_MACHINES) + "/" + machine;
  return more;
}

Ended Events(std::vector<std::string> arguments, const Environment& environment) {
  arguments.insert(arguments.begin(), {ROOFMARK, "events"});
  return test::Run(arguments, environment);
}

json Json(std::vector<std::string> arguments, const Environment& environment) {
  arguments.push_back("--json");
  const Ended ended = Events(std::move(arguments), environment);
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(!test::HavePythonJsonschema() || test::MatchesSchema(ended.out, "events.schema.json"))
      << ended.out;
  return json::parse(ended.out, nullptr, /*allow_exceptions=*/false);
}

json Formula(const json& cpu, const std::string& metric) {
  for (const json& formula : cpu["formulas"]) {
    if (formula["metric"] == metric) return formula;
  }
  ADD_FAILURE() << "no " << metric;
  return {};
}

TEST(EventsCommand, EncodingsAsTheKernelTakesThem) {
  const json list = Json({}, On("skx", {{"VPMU_PRIVILEGED", "1"}}));
  EXPECT_EQ(list["this_cpu"], "skx");
  ASSERT_EQ(list["cpus"].size(), 1u);
  const json scalar = Formula(list["cpus"][0], "flops_dp_scalar");
  ASSERT_EQ(scalar["opened"].size(), 1u);
  EXPECT_EQ(scalar["status"], "ok");
  EXPECT_EQ(scalar["opened"][0]["type"], 4);
  EXPECT_EQ(scalar["opened"][0]["config"], json::parse("[455, 0, 0]"));  // 0x1c7
  const json reads = Formula(list["cpus"][0], "dram_read_bytes");
  EXPECT_EQ(reads["terms"][0]["weight"], 64);
  EXPECT_EQ(reads["opened"].size(), 6u) << "one for each controller";
  EXPECT_EQ(reads["opened"][5]["cpus"], json::parse("[0, 4]")) << "one CPU for each package";
  EXPECT_EQ(reads["opened"][5]["config"][0], 0x304);
}

TEST(EventsCommand, WhatDoesNotOpenSaysWhy) {
  const json list = Json({}, On("zen3"));
  EXPECT_EQ(Formula(list["cpus"][0], "cycles")["status"], "ok");
  const json dram = Formula(list["cpus"][0], "dram_bytes");
  EXPECT_EQ(dram["status"], "denied");
  EXPECT_EQ(dram["errno"], "EACCES");
  const Ended text = Events({}, On("zen3"));
  EXPECT_THAT(text.out, HasSubstr("AMD Zen 3 (zen3): this machine, each event opened"));
  EXPECT_THAT(text.out, HasSubstr("denied EACCES"));
  EXPECT_THAT(text.out, HasSubstr("fix: sudo sysctl kernel.perf_event_paranoid=0"));
  EXPECT_THAT(text.out, HasSubstr("\nROOFMARK_GROUP\n  dp "));
  EXPECT_THAT(text.out, HasSubstr("  task-clock                 ok\n"));
}

TEST(EventsCommand, OtherCpusAreShownAndNotOpened) {
  const json one = Json({"--cpu", "a64fx"}, {});
  ASSERT_EQ(one["cpus"].size(), 1u);
  EXPECT_EQ(one["cpus"][0]["here"], false);
  EXPECT_FALSE(one["cpus"][0]["formulas"][0].contains("opened"));
  std::set<std::string> keys;
  const json all = Json({"--cpu", "all"}, {});
  for (const json& cpu : all["cpus"]) keys.insert(cpu["cpu"]);
  for (const char* key : {"snb", "skx", "spr", "zen1", "zen5", "v2", "power9"}) {
    EXPECT_TRUE(keys.count(key)) << key;
  }
  const Ended refused = Events({"--cpu", "hsw"}, {});
  EXPECT_THAT(refused.out, HasSubstr("Not counted\n  flops: "));
}

TEST(EventsCommand, UnknownCpuNamesThoseThereAre) {
  const Ended ended = Events({"--cpu", "pentium"}, {});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("--cpu pentium: no such CPU in the event table; there are: all, "
                                   "snb"));
}

TEST(EventsCommand, PmusOfTheKernel) {
  const json list = Json({"--pmus"}, On("skx"));
  bool found = false;
  for (const json& pmu : list["pmus"]) {
    if (pmu["name"] != "uncore_imc_3") continue;
    found = true;
    EXPECT_EQ(pmu["type"], 13);
    EXPECT_EQ(pmu["cpus"], json::parse("[0, 4]"));
  }
  EXPECT_TRUE(found) << list.dump(1);
  EXPECT_THAT(Events({"--pmus"}, On("skx")).out, HasSubstr("uncore_imc_3/cas_count_read/"));
}

}  // namespace
}  // namespace roofmark
