// SPDX-License-Identifier: BSD-3-Clause
//
// The analysis as JSON obeys its schema, and says what the model says.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lib/model/phases.h"
#include "lib/report/report.h"
#include "tests/lib/model/analyzed.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

using nlohmann::json;
using test::CountedJob;
using test::JobOf;
using test::kGiga;
using test::Set;
using test::Spread;

constexpr const char* kSchema = "analysis.schema.json";

ReportJob Job(JobProfile job, bool with_machine = true) {
  const Machine machine = test::ModelMachine();
  JobAnalysis analysis = Analyze(job, with_machine ? &machine : nullptr);
  return {"job", std::move(job), std::move(analysis)};
}

std::string Rendered(JobProfile job) { return RenderJson({Job(std::move(job))}); }

json FirstPath(const std::string& text) { return json::parse(text)["jobs"][0]["paths"][0]; }

// What Intel counts: widths without kinds, so that some ceilings are intervals.
JobProfile WithoutKinds() {
  JobProfile job = CountedJob();
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    job.sources[m] = {"", Status::kUnsupported, "not on this CPU"};
    job.At(0, m) = Cell();
  }
  for (const Width width : {Width::kScalar, Width::k128, Width::k256, Width::k512}) {
    const uint64_t flops = width == Width::k128 ? kGiga : 0;
    Set(job, 0, AnyKindFlops(Precision::kDouble, width), {flops, flops}, "perf_event");
  }
  return job;
}

JobProfile WithOperations() {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kAdd, 0, 15 * kGiga);
  Spread(job, metric::kDeclaredOperations, 2 * kGiga);
  job.paths[0].operation = "updates";
  job.paths[0].critical = {"sweep.c", 7, 100, 400};
  return job;
}

JobProfile TimesAlone() {
  JobProfile job = test::EmptyJob(2);
  test::AddPass(job, "timer", 1.0);
  Set(job, test::AddPath(job, "r"), metric::kTimeNs, {kGiga, kGiga}, "timer");
  return job;
}

TEST(AnalysisJson, HasTheSourceLineOfTheCriticalPath) {
  const json path = FirstPath(Rendered(WithOperations()));
  EXPECT_EQ(path["critical"], json::parse(R"({"file": "sweep.c", "line": 7, "share": 0.25})"));
  EXPECT_FALSE(FirstPath(Rendered(CountedJob())).contains("critical"));
}

// Two halves of a region, one of which memory limits.
ReportJob WithPhases() {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, 6 * kGiga, kGiga);
  Set(job, test::AddPath(job, "r/copy"), metric::kTimeNs, {kGiga / 2, kGiga / 2}, "timer");
  ReportJob report = Job(std::move(job));
  Limit& limit = report.analysis.paths[0].limit;
  limit = LimitOfPhases(
      {}, {{.what = LimitedBy::kResource, .resource = "compute", .mark = "compute", .share = 0.38},
           {.what = LimitedBy::kResource,
            .resource = "dependences",
            .beside = "DRAM",
            .mark = "chain+DRAM",
            .share = 0.58},
           {.what = LimitedBy::kWaiting, .mark = "wait", .share = 0.04}});
  return report;
}

TEST(AnalysisJson, PhasesHaveTheirShares) {
  const json path = FirstPath(RenderJson({WithPhases()}));
  EXPECT_EQ(path["limit"], "chain+DRAM/compute");
  EXPECT_EQ(path["verdict"]["limiter"], "both");
  const json& split = path["time_split"];
  EXPECT_EQ(split["limited_by"], "phases");
  EXPECT_EQ(split["phases"], json::parse(R"([{"limit": "chain+DRAM", "share": 0.58},
                                             {"limit": "compute", "share": 0.38},
                                             {"limit": "other", "share": 0.04}])"));
  EXPECT_EQ(split["sentence"],
            "58 % of its time is limited by a chain of dependent operations and DRAM bandwidth "
            "together, 38 % by computation, 4 % by other things");
  EXPECT_EQ(FirstPath(Rendered(CountedJob()))["time_split"]["phases"], json::array());
}

TEST(AnalysisJson, ObeysItsSchema) {
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  const JobProfile counted = JobOf(Width::kScalar, FlopKind::kMul, kGiga, kGiga);
  const JobProfile waits = JobOf(Width::kScalar, FlopKind::kMul, 100, kGiga);
  JobProfile inside_mpi = counted;
  Set(inside_mpi, 0, metric::kMpiNs, {kGiga / 2, kGiga / 2}, "timer");
  std::vector<ReportJob> jobs;
  JobProfile found = counted;
  found.paths[0].kind = RegionKind::kFound;
  found.run.passes[0].facts[kFoundFact] = "Times are estimated from 12 samples.";
  for (const JobProfile& job : {counted, waits, inside_mpi, found, WithoutKinds(), WithOperations(),
                                TimesAlone(), test::EmptyJob(1)}) {
    jobs.push_back(Job(job));
    jobs.push_back(Job(job, false));
  }
  jobs.push_back(WithPhases());
  EXPECT_TRUE(test::MatchesSchema(RenderJson(jobs), kSchema)) << RenderJson(jobs);
  EXPECT_TRUE(test::MatchesSchema(RenderJson({}), kSchema));
}

TEST(AnalysisJson, TheSchemaSeesWhatIsWrong) {
  ROOFMARK_SKIP_WITHOUT_JSONSCHEMA();
  const json good = json::parse(Rendered(JobOf(Width::kScalar, FlopKind::kMul, kGiga, kGiga)));
  const auto broken = [&good](auto change) {
    json bad = good;
    change(bad["jobs"][0]);
    return !test::MatchesSchema(bad.dump(), kSchema);
  };
  ASSERT_FALSE(broken([](json&) {}));
  // A null without its reason, a gain below 1, an unknown shortfall, a bandwidth without unit.
  EXPECT_TRUE(broken([](json& job) {
    job["paths"][0]["gflops"] = {{"value", nullptr}, {"status", "denied"}};
  }));
  EXPECT_TRUE(broken([](json& job) { job["advice"][0]["gain"] = 0.9; }));
  EXPECT_TRUE(broken([](json& job) { job["advice"][0]["id"] = "luck"; }));
  EXPECT_TRUE(broken([](json& job) { job["paths"][0]["verdict"]["above"].erase("gflops"); }));
  EXPECT_TRUE(broken([](json& job) { job["paths"][0].erase("mix"); }));
  EXPECT_TRUE(broken([](json& job) { job["paths"][0].erase("kind"); }));
  EXPECT_TRUE(broken([](json& job) { job["paths"][0]["kind"] = "lost"; }));
  EXPECT_TRUE(broken([](json& job) { job["found"] = ""; }));
}

TEST(AnalysisJson, CeilingsSayWhetherTheyHoldTheRegionDown) {
  const json verdict =
      FirstPath(Rendered(JobOf(Width::k256, FlopKind::kAdd, kGiga, 24 * kGiga)))["verdict"];
  EXPECT_EQ(verdict["above"]["name"], "DRAM read");
  EXPECT_EQ(verdict["above"]["fit"], "open");
  EXPECT_EQ(verdict["above"]["level"], "DRAM");
  EXPECT_EQ(verdict["below"]["fit"], "passed");
  EXPECT_EQ(verdict["below"]["proof"], "traffic from 100 % of the cores");
  bool foreign = false;
  for (const json& ceiling : verdict["ceilings"]) {
    if (ceiling["name"] == "divisions alone") foreign = ceiling["fit"] == "foreign";
  }
  EXPECT_TRUE(foreign);
}

TEST(AnalysisJson, RegionsThatWaitSaySo) {
  const json path = FirstPath(Rendered(JobOf(Width::kScalar, FlopKind::kMul, 100, 3 * kGiga)));
  EXPECT_EQ(path["waiting"]["waits"], true);
  EXPECT_NEAR(path["busy_share"]["value"].get<double>(), 0.1, 1e-9);
  EXPECT_FALSE(path.contains("mpi_share"));
}

TEST(AnalysisJson, AdviceHasItsDeedAndPlace) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, kGiga, kGiga);
  const auto first = [&job] { return json::parse(Rendered(job))["jobs"][0]["advice"][0]; };
  job.paths[0].file = "sweep.c";
  job.paths[0].line = 7;
  EXPECT_EQ(first()["place"], "sweep.c:7");
  const auto deed = first()["deed"].get<std::string>();
  EXPECT_TRUE(first()["sentence"].get<std::string>().starts_with(deed + " ("));
  job.paths[0].file.clear();
  EXPECT_FALSE(first().contains("place"));
}

TEST(AnalysisJson, IntervalsHaveBothEnds) {
  const json ceilings = FirstPath(Rendered(WithoutKinds()))["mix"]["ceilings"];
  EXPECT_EQ(ceilings[0]["id"], "fma_balance");
  EXPECT_EQ(ceilings[0]["height"]["value"], 32);
  EXPECT_EQ(ceilings[0]["height"]["most"], 64);
}

}  // namespace
}  // namespace roofmark
