// SPDX-License-Identifier: BSD-3-Clause
//
// Every derived value of the table is in every output and in the documents. The list in
// docs/model.md and the definition in docs/analysis.schema.json are written from the table, and so
// is the list of shortfalls:
//   ROOFMARK_TEST_WRITE_DOCS=1 build/dev/tests/lib_tests && git diff docs
#include "lib/model/derived.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lib/report/format.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"
#include "lib/report/words.h"
#include "tests/lib/model/analyzed.h"
#include "tests/lib/report/documents.h"

namespace roofmark {
namespace {

using test::ExpectBetween;
using test::kGiga;
using test::Set;
using test::Spread;
using ::testing::HasSubstr;

// A region of which everything in the table is known.
ReportJob Job() {
  JobProfile job = test::JobOf(Width::k256, FlopKind::kFma, 3 * kGiga, 25 * kGiga);
  Set(job, 0, metric::kMpiNs, {kGiga / 4, kGiga / 2}, "timer");
  Set(job, 0, metric::kParallelNs, {kGiga / 4, kGiga / 4}, "timer");
  Set(job, 0, metric::kOpenMpBusyNs, {kGiga / 4, kGiga / 4}, "timer");
  Set(job, 0, metric::kOpenMpBusiestNs, {kGiga / 5, kGiga / 5}, "timer");
  Set(job, 0, metric::kOpenMpWaitNs, {kGiga / 4, kGiga / 4}, "timer");
  Set(job, 0, metric::kSystemNs, {kGiga / 4, kGiga / 8}, "kernel");
  Set(job, 0, metric::kMarkerNs, {1000, 1000}, "timer");
  Set(job, 0, InMpi(metric::kInstructionsApart), {1000, 2000}, "counting");
  Set(job, 0, InRuntime(metric::kInstructionsApart), {100, 100}, "counting");
  Spread(job, metric::kLastLevelMisses, 1000);
  for (MetricId id = metric::kFirstDependence; id <= metric::kLastDependence; ++id) {
    Set(job, 0, id, {70, 140}, "counting", Status::kModelled);
  }
  Set(job, 0, metric::kWorkerDependenceCyclesMax, {70, 140}, "counting", Status::kModelled);
  Spread(job, metric::kDeclaredFlops, kGiga);
  Spread(job, metric::kDeclaredOperations, 2 * kGiga);
  job.paths[0].operation = "updates";
  for (const MetricId metric : kCrossChecked) {
    job.paths[0].cross_checks.push_back(
        {metric, {"perf_event", Status::kMeasured, 8}, {"counting", Status::kMeasured, 9}});
  }
  JobAnalysis analysis = test::AnalyzedJob(job);
  return {"job", std::move(job), std::move(analysis)};
}

std::string ListOfValues() {
  std::string list;
  for (const DerivedInfo& info : DerivedValues()) {
    std::string what(info.unit.empty() ? "text" : info.unit);
    if (!info.unit_of_operations.empty()) what += fmt::format(", or {}", info.unit_of_operations);
    if (!info.source.empty()) what += fmt::format("; {}", info.source);
    list += Wrap(fmt::format("- `{}` ({}): {}.", info.name, what, info.doc), 120, 2);
  }
  return list;
}

std::string SchemaOfValues() {
  std::string required, properties;
  for (const DerivedInfo& info : DerivedValues()) {
    if (!info.is_optional) {
      required += fmt::format("{}\"{}\"", required.empty() ? "" : ",\n        ", info.name);
    }
    properties += fmt::format(
        "{}\"{}\": {{\n          {},\n          \"description\": {}\n        }}",
        properties.empty() ? "" : ",\n        ", info.name,
        info.text != nullptr ? "\"type\": \"string\"" : "\"$ref\": \"#/definitions/number\"",
        nlohmann::json(info.doc).dump());
  }
  return fmt::format(
      "      \"type\": \"object\",\n      \"required\": [\n        {}\n      "
      "],\n"
      "      \"properties\": {{\n        {}\n      }}\n    }},\n",
      required, properties);
}

std::string ListOfShortfalls() {
  std::string list;
  for (size_t s = 0; s < kShortfalls; ++s) {
    const ShortfallInfo& info = InfoOf(static_cast<Shortfall>(s));
    list += Wrap(fmt::format("- `{}` ({}): {}.", info.name, info.source, info.doc), 120, 2);
  }
  return list;
}

std::string SchemaOfShortfalls() {
  std::string names;
  for (size_t s = 0; s < kShortfalls; ++s) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ",\n        ",
                         InfoOf(static_cast<Shortfall>(s)).name);
  }
  return fmt::format("      \"enum\": [\n        {}\n      ]\n    }},\n", names);
}

TEST(Derived, TheDocumentsAreTheTable) {
  ExpectBetween("model.md", "<!-- derived values: begin -->\n", "<!-- derived values: end -->\n",
                ListOfValues());
  ExpectBetween(
      "analysis.schema.json",
      "      \"$comment\": \"Written by derived_test from the table of derived values.\",\n",
      "    \"advice\": {\n", SchemaOfValues());
}

TEST(Derived, TheDocumentsListTheShortfalls) {
  ExpectBetween("analysis.schema.json", "    \"shortfall\": {\n", "    \"derived\": {\n",
                SchemaOfShortfalls());
  ExpectBetween("model.md", "<!-- shortfalls: begin -->\n", "<!-- shortfalls: end -->\n",
                ListOfShortfalls());
}

TEST(Derived, EachIsInCsvUnderItsName) {
  const std::string csv = RenderCsv(Job());
  for (const DerivedInfo& info : DerivedValues()) {
    if (info.text != nullptr) continue;
    EXPECT_THAT(csv, HasSubstr(fmt::format("\nr,{},{},", info.name, info.unit)));
  }
}

TEST(Derived, EachIsInTheAnalysisWithItsUnit) {
  const ReportJob job = Job();
  const auto json = nlohmann::json::parse(RenderJson({job}))["jobs"][0]["paths"][0];
  const Derivation of = {job.profile, 0, job.analysis.paths[0]};
  for (const DerivedInfo& info : DerivedValues()) {
    const std::string name(info.name);
    ASSERT_TRUE(json.contains(name)) << name;
    if (info.text != nullptr) {
      EXPECT_EQ(json[name], info.text(of));
      continue;
    }
    EXPECT_EQ(json[name]["unit"], info.unit) << name;
    if (const Value value = info.value(of)) {
      EXPECT_DOUBLE_EQ(json[name]["value"].get<double>(), *value);
    } else {
      EXPECT_EQ(json[name]["reason"], ReasonText(value.reason)) << name;
    }
  }
}

// An unexplained "-" would be one that no line under "missing" names as the table's head does.
TEST(Derived, WhatIsMissingIsNamedAsItsColumnIs) {
  JobProfile job = test::EmptyJob(1);
  test::AddPath(job, "r");
  const JobAnalysis analysis = Analyze(job, nullptr);
  std::string missing;
  for (const std::string& line : MissingReasons(job, analysis)) {
    missing += ", " + line.substr(0, line.find(':'));
  }
  missing += ",";
  for (size_t c = 0; c < TableValues().size(); ++c) {
    if (TableValues()[c].text != nullptr) continue;
    EXPECT_THAT(missing, HasSubstr(fmt::format(", {},", ReportColumns()[c].head)));
  }
}

TEST(Derived, ARegionOfOperationsHasUnitsOfThem) {
  JobProfile job = test::JobOf(Width::kScalar, FlopKind::kAdd, 0, 15 * kGiga);
  Spread(job, metric::kDeclaredOperations, 2 * kGiga);
  const PathAnalysis path = test::Analyzed(job);
  EXPECT_EQ(UnitOf(*FindDerived("attainable_by_mix"), path), "1e9 operations/s");
  EXPECT_EQ(UnitOf(*FindDerived("gflops"), path), "GFLOP/s");
  EXPECT_EQ(FindDerived("speed"), nullptr);
}

}  // namespace
}  // namespace roofmark
