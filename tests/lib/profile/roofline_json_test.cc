// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/roofline_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lib/core/limits.h"
#include "lib/profile/totals.h"
#include "lib/profile/whole.h"
#include "tests/lib/profile/sample_file.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

using test::AddPath;
using test::EmptyJob;
using test::SampleFile;
using test::Set;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void ExpectSame(const Cell& a, const Cell& b, const std::string& what) {
  EXPECT_EQ(a.ranks, b.ranks) << what;
  EXPECT_EQ(a.status_bits, b.status_bits) << what;
  EXPECT_EQ(a.min, b.min) << what;
  EXPECT_EQ(a.max, b.max) << what;
  EXPECT_EQ(a.min_rank, b.min_rank) << what;
  EXPECT_EQ(a.max_rank, b.max_rank) << what;
  EXPECT_TRUE(a.Sum() == b.Sum()) << what;
  EXPECT_DOUBLE_EQ(a.mean, b.mean) << what;
  EXPECT_NEAR(a.StdDev(), b.StdDev(), 1e-12 * (1 + a.StdDev())) << what;
}

// A job of `ranks` ranks on two hosts, merged from parts.
JobProfile Spreading(uint32_t ranks) {
  JobProfile job;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    JobProfile part = EmptyJob(ranks);
    part.run.ranks_merged = 1;
    part.run.first_rank = rank;
    part.run.hosts[0].name = rank % 2 ? "odd" : "even";
    part.run.cost.startup_ns = Cell::Of(1000 + rank, rank, Status::kMeasured);
    const size_t path = AddPath(part, "solve");
    Set(part, path, metric::kTimeNs, {1'000'000 + 7'001 * rank}, "timer");
    for (MetricId m = 0; m < kFlopClasses; ++m) Set(part, path, m, {0});
    Set(part, path, test::kDp256Fma, {rank == 5 ? 0 : uint64_t{1} << 40});
    FillTotals(part);
    FillSpreads(part);
    if (rank == 0) {
      job = part;
    } else {
      MergeProfiles(job, part);
    }
  }
  return job;
}

void ExpectSameSpreads(const JobProfile& a, const JobProfile& b) {
  for (size_t m = 0; m < kSpreads; ++m) {
    const Spread& x = a.SpreadAt(0, static_cast<Drawn>(m));
    const Spread& y = b.SpreadAt(0, static_cast<Drawn>(m));
    ASSERT_EQ(x.ranks, y.ranks);
    EXPECT_EQ(x.status_bits, y.status_bits);
    EXPECT_TRUE(x.sketch == y.sketch);
    for (uint32_t i = 0; i < x.Named(); ++i) {
      EXPECT_EQ(x.lowest[i].value, y.lowest[i].value);
      EXPECT_EQ(x.lowest[i].rank, y.lowest[i].rank);
      EXPECT_EQ(x.highest[i].value, y.highest[i].value);
      EXPECT_EQ(x.highest[i].rank, y.highest[i].rank);
    }
  }
  EXPECT_EQ(a.rank_hosts, b.rank_hosts);
}

TEST(RooflineJson, SpreadsAndCostsAreKept) {
  for (const uint32_t ranks : {1u, 3u, 8u, 30u}) {
    JobProfile job = Spreading(ranks);
    PruneRankHosts(job);
    const std::string text = RooflineToJson({job, {}});
    const auto read = RooflineFromJson(text, "f.json");
    ASSERT_TRUE(read) << read.error();
    ExpectSameSpreads(read->job, job);
    EXPECT_EQ(read->job.run.cost.startup_ns.max, 1000 + ranks - 1);
    EXPECT_EQ(read->job.run.cost.finalize_ns.ranks, 0u);
  }
}

// What `roofmark merge` does with files of several ranks each is what it does with single ones.
TEST(RooflineJson, SpreadsOfPartsAreMergedAsThoseOfRanks) {
  JobProfile whole = Spreading(30);
  const auto read = RooflineFromJson(RooflineToJson({whole, {}}), "f.json");
  ASSERT_TRUE(read) << read.error();
  JobProfile merged = read->job;
  MergeProfiles(merged, Spreading(3));
  MergeProfiles(whole, Spreading(3));
  PruneRankHosts(merged);
  PruneRankHosts(whole);
  ExpectSameSpreads(merged, whole);
}

TEST(RooflineJson, SpreadsInTheFile) {
  const auto json = nlohmann::json::parse(RooflineToJson({Spreading(30), {}}));
  const auto& flops = json["paths"][0]["spread"]["flops"];
  EXPECT_EQ(flops["lowest"][0], (nlohmann::json{{"rank", 5}, {"value", 0}, {"host", "odd"}}));
  EXPECT_EQ(flops["p50"], uint64_t{1} << 40);
  const auto& time = json["paths"][0]["spread"]["time_ns"];
  EXPECT_EQ(time["highest"][0]["rank"], 29);
  EXPECT_NEAR(time["p50"].get<double>(), 1'000'000 + 7'001 * 14, 0.03 * 1.1e6);
  EXPECT_EQ(time["error"], 1.0 / 32);
}

TEST(RooflineJson, ADamagedSketchIsNamed) {
  const std::string text = RooflineToJson({Spreading(30), {}});
  auto json = nlohmann::json::parse(text);
  json["paths"][0]["spread"]["time_ns"]["sketch"]["counts"][0] = 700;
  const auto read = RooflineFromJson(json.dump(), "f.json");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), HasSubstr("spread/time_ns/sketch must hold as many values as ranks"));
}

TEST(RooflineJson, RoundTripKeepsEveryCell) {
  const RooflineFile file = SampleFile();
  const auto read = RooflineFromJson(RooflineToJson(file), "f.json");
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->job.paths.size(), 2u);
  for (size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(read->job.paths[p].path, file.job.paths[p].path);
    EXPECT_EQ(read->job.paths[p].line, file.job.paths[p].line);
    EXPECT_EQ(read->job.paths[p].kind, file.job.paths[p].kind);
    for (MetricId m = 0; m < kMetrics; ++m) {
      ExpectSame(read->job.At(p, m), file.job.At(p, m), GetMetric(m).name);
    }
  }
  for (MetricId m = 0; m < kMetrics; ++m) {
    // An event that nobody chose is not in the file.
    if (IsUser(m) && file.job.sources[m].label.empty()) continue;
    EXPECT_EQ(read->job.sources[m].label, file.job.sources[m].label);
    EXPECT_EQ(MetricUnit(read->job, m), MetricUnit(file.job, m));
    EXPECT_EQ(MetricScope(read->job, m), MetricScope(file.job, m));
    EXPECT_EQ(read->job.sources[m].origin, file.job.sources[m].origin);
    EXPECT_EQ(read->job.sources[m].status, file.job.sources[m].status);
    EXPECT_EQ(read->job.sources[m].reason, file.job.sources[m].reason);
  }
}

TEST(RooflineJson, RoundTripKeepsTheRun) {
  const RooflineFile file = SampleFile();
  const auto read = RooflineFromJson(RooflineToJson(file), "f.json");
  ASSERT_TRUE(read) << read.error();
  const RunInfo& run = read->job.run;
  EXPECT_EQ(run.ranks, 3u);
  EXPECT_EQ(run.threads_max, 2u);
  ASSERT_EQ(run.background.size(), 1u);
  EXPECT_EQ(run.background[0].package, 1u);
  EXPECT_EQ(run.background[0].bytes, 4096u);
  EXPECT_EQ(run.background[0].seconds, 0.5);
  ASSERT_EQ(run.hosts.size(), 1u);
  EXPECT_EQ(run.hosts[0].cpuset, "0-3");
  EXPECT_EQ(run.hosts[0].cpus, 4u);
  ASSERT_EQ(run.passes.size(), 1u);
  EXPECT_EQ(run.passes[0].command, file.job.run.passes[0].command);
  EXPECT_EQ(run.passes[0].wall_s, 2.5);
  EXPECT_EQ(run.passes[0].facts.at("cache"), "L1:48K:12");
  EXPECT_EQ(run.warnings, std::vector<std::string>{"rank 2 wrote \"quotes\" and \\xE9"});
  EXPECT_THAT(read->machines, ElementsAre(HasSubstr("roofmark-machine")));
  EXPECT_EQ(RooflineToJson(*read), RooflineToJson(*RooflineFromJson(RooflineToJson(*read), "g")));
}

TEST(RooflineJson, WhatDeadProcessesLeftIsMarked) {
  RooflineFile file = SampleFile();
  EXPECT_FALSE(nlohmann::json::parse(RooflineToJson(file))["run"].contains("recovered_ranks"));
  EXPECT_FALSE(nlohmann::json::parse(RooflineToJson(file))["paths"][0].contains("unfinished"));
  file.job.run.recovered_ranks = 2;
  file.job.paths[1].unfinished = 3;
  const auto read = RooflineFromJson(RooflineToJson(file), "f.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->job.run.recovered_ranks, 2u);
  EXPECT_EQ(read->job.paths[0].unfinished, 0u);
  EXPECT_EQ(read->job.paths[1].unfinished, 3u);
}

TEST(RooflineJson, WideSumsStandAsNumberAndAsExactText) {
  const auto json = nlohmann::json::parse(RooflineToJson(SampleFile()));
  const auto& cell = json["paths"][0]["metrics"]["flops_dp_256_fma"];
  EXPECT_TRUE(cell["sum"].is_number_float());
  EXPECT_EQ(cell["sum_exact"], "36893488147419103235");  // 2 * (2^64 - 1) + 5
}

TEST(RooflineJson, ZeroFlopClassesStandOnceAndMissingOnesAreNull) {
  const auto json = nlohmann::json::parse(RooflineToJson(SampleFile()));
  const auto& metrics = json["paths"][0]["metrics"];
  EXPECT_EQ(metrics.count("flops_sp_128_mul"), 0u);
  EXPECT_EQ(metrics["flops_others"]["sum"], 0);
  EXPECT_TRUE(metrics["flops_dp_scalar_add"].is_null());
  EXPECT_EQ(json["paths"][1]["metrics"].count("flops_others"), 0u);
  EXPECT_EQ(json["metrics"]["dram_read_bytes"]["reason"], "no collector of this run counts it");
}

TEST(RooflineJson, NotANumberIsNull) {
  RooflineFile file = SampleFile();
  file.job.run.passes[0].wall_s = 0.0 / 0.0;
  const std::string text = RooflineToJson(file);
  EXPECT_TRUE(nlohmann::json::parse(text)["run"]["passes"][0]["wall_s"].is_null());
  EXPECT_TRUE(RooflineFromJson(text, "f"));
}

TEST(RooflineJson, BadMachineIsLeftOut) {
  RooflineFile file = SampleFile();
  file.machines = {"{ not json"};
  const auto read = RooflineFromJson(RooflineToJson(file), "f");
  ASSERT_TRUE(read) << read.error();
  EXPECT_TRUE(read->machines.empty());
}

TEST(RooflineJson, PathsAreSortedOnReading) {
  auto json = nlohmann::json::parse(RooflineToJson(SampleFile()));
  std::swap(json["paths"][0], json["paths"][1]);
  const auto read = RooflineFromJson(json.dump(), "f");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->job.FindPath("solve"), 0);
  EXPECT_EQ(read->job.At(0, metric::kTimeNs).max, 301u);
}

TEST(RooflineJson, NewerFieldsAreIgnored) {
  auto json = nlohmann::json::parse(RooflineToJson(SampleFile()));
  json["future"] = {1, 2};
  json["metrics"]["quarks"] = {{"status", "excited"}};
  json["paths"][0]["metrics"]["quarks"] = 3;
  EXPECT_TRUE(RooflineFromJson(json.dump(), "f"));
}

TEST(RooflineJson, HostsKeepTheirKindAndFigures) {
  JobProfile job = Spreading(6);
  ASSERT_EQ(job.run.hosts.size(), 2u);
  job.run.hosts[0].kind = "0123456789abcdef";
  job.run.hosts[0].rank_cpus = {3, 1, 4, 6};
  job.run.hosts[0].clock_khz = {2, 2'000'000, 3'000'000, 5'000'000};
  job.run.hosts[0].cores = "0-3";
  job.run.hosts[0].machine_cpus = 64;
  job.run.hosts[0].bound_by = kBoundByCgroup;
  job.run.hosts[0].quota_mcpus = {3, 1500, 2000, 5000};
  const auto read = RooflineFromJson(RooflineToJson({job, {}}), "f.json");
  ASSERT_TRUE(read) << read.error();
  for (size_t h = 0; h < 2; ++h) {
    const HostInfo &a = read->job.run.hosts[h], &b = job.run.hosts[h];
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.cores, b.cores);
    EXPECT_EQ(a.machine_cpus, b.machine_cpus);
    EXPECT_EQ(a.bound_by, b.bound_by);
    EXPECT_GT(b.busy_ns.ranks, 0u);
    const auto figures = FiguresOf(a), wanted = FiguresOf(b);
    for (size_t f = 0; f < figures.size(); ++f) EXPECT_EQ(*figures[f], *wanted[f]) << f;
  }
}

// A reader that knows of one machine alone must not take the first of several for that of all.
TEST(RooflineJson, MachinesOfSeveralKindsStandApart) {
  RooflineFile file = SampleFile();
  const std::string one = file.machines[0];
  file.machines = {one, R"({"format": "roofmark-machine", "version": 1, "effort": "quick"})"};
  const std::string text = RooflineToJson(file);
  const auto json = nlohmann::json::parse(text);
  EXPECT_TRUE(json["machine"].is_null());
  EXPECT_EQ(json["machines"].size(), 2u);
  const auto read = RooflineFromJson(text, "f");
  ASSERT_TRUE(read) << read.error();
  EXPECT_THAT(read->machines, ElementsAre(HasSubstr("version"), HasSubstr("quick")));
  file.machines = {one};
  const auto single = nlohmann::json::parse(RooflineToJson(file));
  EXPECT_FALSE(single["machine"].is_null());
  EXPECT_FALSE(single.contains("machines"));
}

TEST(RooflineJson, ObeysItsSchema) {
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  RooflineFile file = SampleFile();
  file.job.whole = CellTable(kWholeRows);
  file.job.whole.At(0, metric::kTimeNs) = Cell::Of(7, 0, Status::kMeasured);
  const std::string text = RooflineToJson(file);
  EXPECT_TRUE(test::MatchesSchema(text, "roofline.schema.json"));
  EXPECT_TRUE(test::MatchesSchema(RooflineToJson({}), "roofline.schema.json"));
  file.machines.push_back(file.machines[0]);
  file.job.run.hosts[0].kind = "0123456789abcdef";
  EXPECT_TRUE(test::MatchesSchema(RooflineToJson(file), "roofline.schema.json"));
  EXPECT_TRUE(test::MatchesSchema(RooflineToJson({Spreading(30), {}}), "roofline.schema.json"));
  EXPECT_TRUE(test::MatchesSchema(RooflineToJson({Spreading(3), {}}), "roofline.schema.json"));
  auto bad = nlohmann::json::parse(text);
  bad["paths"][0]["metrics"]["visits"]["ranks"] = -1;
  EXPECT_FALSE(test::MatchesSchema(bad.dump(), "roofline.schema.json"));
}

std::string ErrorOf(const std::string& text) {
  const auto read = RooflineFromJson(text, "f.json");
  return read ? "(no error)" : read.error();
}

constexpr const char* kCure = "; give a file that `roofmark run` or ROOFMARK_OUTPUT wrote";

TEST(RooflineJsonErrors, WholeFile) {
  EXPECT_EQ(ErrorOf(""), std::string("f.json is empty") + kCure);
  EXPECT_EQ(ErrorOf(" \n"), std::string("f.json is empty") + kCure);
  EXPECT_EQ(ErrorOf("{\n \"format\": oops }"),
            std::string("f.json is no roofline file: not JSON at byte 14 (line 2)") + kCure);
  EXPECT_EQ(ErrorOf("\x7f"
                    "ELF"),
            std::string("f.json is no roofline file: not JSON at byte 1 (line 1)") + kCure);
  for (const char* foreign : {"{}", "[]", "3", "null", "{\"format\": \"other\"}"}) {
    EXPECT_EQ(ErrorOf(foreign), std::string("f.json is no roofline file: it is JSON without "
                                            "\"format\": \"roofmark-roofline\"") +
                                    kCure);
  }
  EXPECT_EQ(ErrorOf("{\"format\": \"roofmark-roofline\", \"version\": 2}"),
            "f.json is of version 2; this roofmark reads up to 1: use the roofmark that wrote it, "
            "or a newer one");
  EXPECT_EQ(
      ErrorOf("{\"format\": \"roofmark-roofline\", \"version\": \"1\"}"),
      std::string("f.json is no roofline file: its \"version\" is not a positive integer") + kCure);
  EXPECT_EQ(ErrorOf(std::string(100000, '[')),
            std::string("f.json is no roofline file: it is nested deeper than 64 levels") + kCure);
  EXPECT_EQ(ErrorOf("{\"a\": 1e999}"),
            std::string("f.json is no roofline file: it has a number outside the range of double") +
                kCure);
}

// The sample with one value exchanged.
std::string ErrorWith(const char* pointer, const nlohmann::json& value) {
  auto bad = nlohmann::json::parse(RooflineToJson(SampleFile()));
  bad[nlohmann::json::json_pointer(pointer)] = value;
  return ErrorOf(bad.dump());
}

TEST(RooflineJsonErrors, WrongTypesNameTheirPlace) {
  const std::string damaged = "f.json is a damaged roofline file: ";
  EXPECT_EQ(ErrorWith("/run/ranks", "three"),
            damaged + "/run/ranks must be a non-negative integer, found string" + kCure);
  EXPECT_EQ(ErrorWith("/paths", 3), damaged + "/paths must be an array, found number" + kCure);
  EXPECT_EQ(ErrorWith("/paths/1/path", "solve"),
            damaged + "/paths/1/path names a path that is already in the file" + kCure);
  EXPECT_EQ(ErrorWith("/paths/0/metrics/visits/ranks", -1),
            damaged +
                "/paths/0/metrics/visits/ranks must be a non-negative integer below 2^64, "
                "found number" +
                kCure);
  EXPECT_EQ(
      ErrorWith("/paths/0/metrics/visits/status", "guessed"),
      damaged + "/paths/0/metrics/visits/status is not a status that this roofmark knows" + kCure);
  EXPECT_EQ(ErrorWith("/paths/0/metrics/visits/max", 0),
            damaged + "/paths/0/metrics/visits/min is above the maximum beside it" + kCure);
  EXPECT_EQ(ErrorWith("/paths/0/metrics/flops_dp_256_fma/sum_exact", "12x"),
            damaged +
                "/paths/0/metrics/flops_dp_256_fma/sum_exact must be a decimal number below "
                "2^128, found string" +
                kCure);
  EXPECT_EQ(ErrorWith("/run", nullptr), damaged + "/run is missing" + kCure);
}

TEST(RooflineJsonErrors, NumbersBeyondALimitNameBoth) {
  const std::string damaged = "f.json is a damaged roofline file: ";
  EXPECT_EQ(ErrorWith("/run/ranks", 4294967295),
            damaged + "/run/ranks is 4294967295; it can be 1 to 16777216" + kCure);
  EXPECT_EQ(ErrorWith("/run/ranks", 0),
            damaged + "/run/ranks is 0; it can be 1 to 16777216" + kCure);
  EXPECT_EQ(ErrorWith("/run/first_rank", 16777216),
            damaged + "/run/first_rank is 16777216; it can be 0 to 16777215" + kCure);
  EXPECT_EQ(
      ErrorWith("/paths/0/metrics/visits/min_rank", 4294967295),
      damaged + "/paths/0/metrics/visits/min_rank is 4294967295; it can be 0 to 16777215" + kCure);
  EXPECT_EQ(ErrorWith("/paths/0/path", std::string(16385, 'a')),
            damaged + "/paths/0/path has 16385 bytes; at most 16384 are possible" + kCure);
  const std::vector<int> many(65537);
  EXPECT_EQ(ErrorWith("/paths", many),
            damaged + "/paths has 65537 items; at most 65536 are possible" + kCure);
}

TEST(RooflineJsonErrors, JsonBeyondALimit) {
  const std::string foreign = "f.json is no roofline file: ";
  std::string members = "{", values = "[";
  for (int i = 0; i < 100'000; ++i) members += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(ErrorOf(members + "\"\":0}"),
            foreign + "an object in it has more than 512 members" + kCure);
  for (size_t i = 0; i < limits::kJsonValues; ++i) values += "0,";
  EXPECT_EQ(ErrorOf(values + "0]"), foreign + "it has more than 16777216 values" + kCure);
}

// Each kind of file that roofmark writes, where a roofline file is wanted.
TEST(RooflineJson, AnotherKindOfFileIsNamedWithTheCommandThatTakesIt) {
  const auto error = [](std::string_view text) { return RooflineFromJson(text, "f").error(); };
  EXPECT_EQ(error(R"({"format": "roofmark-machine", "version": 1})"),
            "f is no roofline file, but a machine file: `roofmark machine --show f` shows it, "
            "`roofmark report --machine f` holds a run against it");
  for (const auto& [format, use] :
       {std::pair("samples", "roofmark nests EXECUTED --samples f"),
        std::pair("executed", "roofmark nests f"), std::pair("nests", "ROOFMARK_NESTS=f"),
        std::pair("analysis", "roofmark report"), std::pair("doctor", "roofmark doctor --json"),
        std::pair("events", "roofmark events --json"), std::pair("bundle", "roofmark doctor")}) {
    const std::string said =
        error(R"({"format": "roofmark-)" + std::string(format) + R"(", "version": 1})");
    EXPECT_THAT(said, testing::StartsWith("f is no roofline file, but "));
    EXPECT_THAT(said, testing::HasSubstr(use));
  }
  EXPECT_THAT(error(std::string("\x89HDF\r\n\x1a\n\0", 9)), testing::HasSubstr("HDF5"));
  EXPECT_THAT(error("roofmark-spool\n"), testing::HasSubstr("`roofmark recover`"));
  EXPECT_THAT(error(R"({"format": "other"})"), testing::HasSubstr("it is JSON without"));
}

}  // namespace
}  // namespace roofmark
