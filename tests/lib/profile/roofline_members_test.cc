// SPDX-License-Identifier: BSD-3-Clause
//
// Each member of a roofline file, or of a part, that is missing, of another kind or out of range is
// named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/limits.h"
#include "lib/profile/roofline_json.h"
#include "lib/profile/totals.h"
#include "lib/profile/whole.h"
#include "tests/lib/profile/json_kinds.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/support/pairs.h"

namespace roofmark {
namespace {

using test::Set;
using ::testing::HasSubstr;

// The file of a job of so many ranks that all members are there, of few metrics.
nlohmann::json Document(uint32_t ranks) {
  JobProfile job;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    JobProfile part = test::EmptyJob(ranks);
    part.run.ranks_merged = 1;
    part.run.first_rank = rank;
    part.run.recovered_ranks = rank == 0;
    part.run.background = {{"node1", 1, 4096, 0.5}};
    part.run.warnings = {"a warning"};
    for (Cell* cost : CellsOf(part.run.cost)) {
      *cost = Cell::Of(1000 + rank, rank, Status::kMeasured);
    }
    for (Cell* use : CellsOf(part.run.kernel)) {
      *use = Cell::Of(1000 + rank, rank, Status::kMeasured);
    }
    test::AddPass(part, "timer", 2.5);
    part.run.passes[0].settings["events"] = part.run.passes[0].facts["cache"] = "x";
    const size_t path = test::AddPath(part, "solve");
    part.paths[path].operation = "LUP";
    part.paths[path].unfinished = 3;
    part.paths[path].critical = {"sweep.c", 7, 100, 300};
    part.run.repeats_s = {2.5, 2.75};
    part.paths[path].repeats_ns = {1'000'000, 1'100'000};
    Set(part, path, metric::kVisits, {1}, "timer", rank % 2 ? Status::kScaled : Status::kMeasured);
    Set(part, path, metric::kTimeNs, {1'000'000 + 7'001 * rank}, "timer");
    Set(part, path, metric::kDramReadBytes, {UINT64_MAX - rank});
    for (MetricId m = 0; m < kFlopClasses; ++m) Set(part, path, m, {0});
    Set(part, path, UserMetric(2), {4}, "perf_event");
    part.sources[UserMetric(2)].label = "LLC-load-misses";
    part.sources[UserMetric(2)].unit = "events";
    part.sources[metric::kVisits].reason = "a reason";
    FillTotals(part);
    FillSpreads(part);
    part.whole = CellTable(kWholeRows);
    for (size_t row = 0; row < kWholeRows; ++row) {
      part.whole.At(row, metric::kTimeNs) = Cell::Of(7, rank, Status::kMeasured);
    }
    if (rank == 0) {
      job = part;
    } else {
      MergeProfiles(job, part);
    }
  }
  // Of joined executions, whose ranks are merged already.
  job.paths[0].cross_checks = {{metric::kFlops,
                                {"perf_event", Status::kMeasured, 100},
                                {"counting", Status::kScaled, 90.5}}};
  auto json = nlohmann::json::parse(RooflineToJson({job, {R"({"format": "roofmark-machine"})"}}));
  // One metric of each sort stands for all others.
  const std::vector<std::string> kept = {
      "visits",      "time_ns", "dram_read_bytes", "flops", GetMetric(UserMetric(2)).name,
      "flops_others"};
  for (nlohmann::json* metrics : {&json["metrics"], &json["paths"][0]["metrics"],
                                  &json["program"]["metrics"], &json["outside"]["metrics"]}) {
    for (auto at = metrics->begin(); at != metrics->end();) {
      const bool keep = std::find(kept.begin(), kept.end(), at.key()) != kept.end();
      at = keep ? std::next(at) : metrics->erase(at);
    }
  }
  return json;
}

std::string ErrorOf(const nlohmann::json& json) {
  const auto read = RooflineFromJson(json.dump(), "F");
  return read ? "" : read.error();
}

// For people, or they follow from others; and what another reader reads.
const std::vector<std::string> kNotRead = {"/format",
                                           "/version",
                                           "/machine/.*",
                                           "/metrics/(visits|time_ns|dram_read_bytes)/(unit|scope)",
                                           "/metrics/flops/unit",
                                           "/paths/0/name",
                                           ".*/mean",
                                           "/paths/0/spread/[a-z_]*/(unit|p[0-9]*|error)"};

// Without them nothing is read.
const std::vector<std::string> kRequired = {
    "/run",
    "/run/ranks",
    "/run/passes/0/times_are_real",
    "/run/hosts/0/[a-z_]*/(least|most|sum)",
    "/metrics",
    "/metrics/[^/]*/status",
    "/paths",
    "/paths/0/(path|kind|metrics)",
    "/paths/0/critical/[a-z_]*",
    "/paths/0/cross_check/flops/.*",
    "/(program|outside)(/metrics)?",
    "(/run/cost|/run/kernel|/paths/0/metrics|/program/metrics|/outside/metrics)/[^/]*/"
    "(ranks|min|max|status)",
    "(/run/cost|/run/kernel|/paths/0/metrics|/program/metrics|/outside/metrics)/"
    "(?!dram_read_bytes)[^/]*/sum",
    "/paths/0/spread/[^/]*/(ranks|status)",
    "/paths/0/spread/[^/]*/(lowest|highest)/[0-9]/(rank|value)",
    "/paths/0/spread/[^/]*/sketch/(buckets|counts)"};

TEST(RooflineMembers, OfAnotherKindAreNamed) {
  for (const uint32_t ranks : {1u, 12u}) {
    const nlohmann::json good = Document(ranks);
    ASSERT_EQ(ErrorOf(good), "");
    size_t read = 0, turn = 0;
    for (const std::string& pointer : test::PointersIn(good)) {
      if (test::IsOneOf(pointer, {"/format", "/version"})) continue;
      // A sum beside its exact text is rounded.
      const bool is_rounded = good.contains(nlohmann::json::json_pointer(pointer + "_exact"));
      const bool is_read = !is_rounded && !test::IsOneOf(pointer, kNotRead);
      read += is_read;
      const auto others = test::OtherKinds(good.at(nlohmann::json::json_pointer(pointer)));
      for (const auto& other : test::InTurn(others, turn++)) {
        const std::string error = ErrorOf(test::With(good, pointer, other));
        if (is_read) {
          EXPECT_THAT(error, HasSubstr(": " + pointer + " must be")) << other;
        } else {
          EXPECT_EQ(error, "") << pointer << " " << other;
        }
      }
    }
    EXPECT_GT(read, 80u);
  }
}

TEST(RooflineMembers, ThatAreMissingAreNamed) {
  const nlohmann::json good = Document(12);
  for (const std::string& pointer : test::PointersIn(good)) {
    if (test::IsItem(pointer) || test::IsOneOf(pointer, {"/format", "/version"})) continue;
    const std::string error = ErrorOf(test::Without(good, pointer));
    if (test::IsOneOf(pointer, kRequired)) {
      EXPECT_THAT(error, HasSubstr(": " + pointer + " is missing"));
    } else if (test::IsOneOf(pointer, {"/paths/0/spread/[^/]*/(lowest|highest)"})) {
      EXPECT_THAT(error, HasSubstr(": " + pointer + " must name four ranks"));
    } else if (test::IsOneOf(pointer, {"/paths/0/spread/[^/]*/sketch"})) {
      EXPECT_THAT(error, HasSubstr(": " + pointer + "/buckets is missing"));
    } else if (pointer == "/paths/0/metrics/dram_read_bytes/sum_exact") {
      EXPECT_THAT(error, HasSubstr("/sum must be a non-negative integer")) << "a rounded number";
    } else if (pointer == "/run/repeats_s") {
      EXPECT_THAT(error, HasSubstr(": /paths/0/repeats_ns must have 0 values"));
    } else {
      EXPECT_EQ(error, "") << pointer;
    }
  }
}

TEST(RooflineMembers, OutOfRangeNameTheRange) {
  const nlohmann::json good = Document(12);
  const uint64_t ranks = limits::kRanks, words = uint64_t{1} << 32;
  const auto within = [](uint64_t value, uint64_t least, uint64_t most) {
    return " is " + std::to_string(value) + "; it can be " + std::to_string(least) + " to " +
           std::to_string(most);
  };
  const auto word = within(words, 0, words - 1), rank = within(ranks, 0, ranks - 1);
  const std::string spread = "/paths/0/spread/time_ns", cell = "/paths/0/metrics/visits";
  struct Case {
    std::string pointer;
    nlohmann::json value;
    std::string message, at = "";  // where, if not there
  };
  for (const Case& bad : std::vector<Case>{
           {"/run/ranks", 0, within(0, 1, ranks)},
           {"/run/ranks", ranks + 1, within(ranks + 1, 1, ranks)},
           {"/run/ranks_merged", 0, within(0, 1, ranks)},
           {"/run/ranks_merged", ranks + 1, within(ranks + 1, 1, ranks)},
           {"/run/first_rank", ranks, rank},
           {"/run/recovered_ranks", ranks + 1, within(ranks + 1, 0, ranks)},
           {"/run/repeats_s/1", -1, " is -1; it can be 0 to 1e+15"},
           {"/paths/0/repeats_ns", {1}, " must have 2 values, as /run/repeats_s has"},
           {"/run/threads_max", words, word},
           {"/run/hosts/0/ranks", words, word},
           {"/run/hosts/0/cpus", words, word},
           {"/run/hosts/0/busy_ns/ranks", ranks + 1, within(ranks + 1, 1, ranks)},
           {"/run/hosts/0/busy_ns/least", uint64_t{1} << 60, " is above `most` beside it"},
           {"/run/hosts/0/busy_ns/sum", 0, " is above `sum` beside it",
            "/run/hosts/0/busy_ns/most"},
           {"/run/background/0/package", words, word},
           {"/run/cost/startup_ns/ranks", ranks + 1, within(ranks + 1, 0, ranks)},
           {"/paths/0/line", words, word},
           {cell + "/ranks", ranks + 1, within(ranks + 1, 0, ranks)},
           {cell + "/min_rank", ranks, rank},
           {cell + "/max_rank", ranks, rank},
           {cell + "/min", 2, " is above the maximum beside it"},
           {cell + "/stddev", -0.5, " is -0.5; it can be 0 to 1.84467e+19"},
           {cell + "/stddev", 1e20, " is 1e+20; it can be 0 to 1.84467e+19"},
           {cell + "/status", "guessed", " is not a status that this roofmark knows"},
           {cell + "/statuses/0", "guessed", " is not a status that this roofmark knows"},
           {"/metrics/visits/status", "guessed", " is not a status that this roofmark knows"},
           {"/paths/0/metrics/dram_read_bytes/sum_exact", "340282366920938463463374607431768211456",
            " must be a decimal number below 2^128"},
           {"/paths/0/metrics/dram_read_bytes/sum_exact", "",
            " must be a decimal number below 2^128"},
           {"/paths/0/metrics/flops_others/max", 1, " is not all zero",
            "/paths/0/metrics/flops_others"},
           {"/paths/0/kind", "rank", " must be \"team\", \"thread\" or \"found\""},
           {"/paths/0/path", "a//b", " "},
           {spread + "/ranks", ranks + 1, within(ranks + 1, 0, ranks)},
           {spread + "/lowest/0/rank", ranks, rank},
           {spread + "/highest/3/rank", ranks, rank},
           {spread + "/sketch/buckets/0", 976, " is no bucket"},
           {spread + "/sketch/buckets", std::vector<int>(977), " has 977 items; at most 976"},
           {spread + "/sketch/counts", std::vector<int>(977), " has 977 items; at most 976"},
           {spread + "/sketch/counts/0", words, word},
           {spread + "/sketch/counts/0", 700, " must hold as many values as ranks",
            spread + "/sketch"},
           {"/paths", std::vector<int>(65537), " has 65537 items; at most 65536 are possible"}}) {
    const std::string error = ErrorOf(test::With(good, bad.pointer, bad.value));
    EXPECT_THAT(error, HasSubstr(bad.message)) << bad.pointer << " " << error;
    EXPECT_THAT(error, HasSubstr(bad.at.empty() ? bad.pointer : bad.at));
  }
}

}  // namespace
}  // namespace roofmark
