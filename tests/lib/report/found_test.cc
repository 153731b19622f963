// SPDX-License-Identifier: BSD-3-Clause
//
// Reports of loops and functions that were found, without markers or below them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "lib/profile/whole.h"
#include "lib/report/display_width.h"
#include "lib/report/found_words.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/lib/report/golden.h"

namespace roofmark {
namespace {

using test::ExpectGolden;
using test::Set;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kFact[] =
    "Times of loops and functions are estimated from 12480 samples (1000 per second and thread): "
    "97.2 % of the time of the main threads is in loops that were found. The source lines of "
    "libfoo.so are not known.";

// Of two ranks together; FLOPs and bytes in millions.
void Region(JobProfile& job, const std::string& path, uint64_t milliseconds, uint64_t mflops,
            uint64_t mbytes, RegionKind kind = RegionKind::kFound) {
  const size_t row = test::AddPath(job, path, kind);
  const uint64_t flops = mflops * 500'000, bytes = mbytes * 500'000;
  Set(job, row, metric::kVisits, {10, 10});
  Set(job, row, metric::kTimeNs, {milliseconds * 1'000'000, milliseconds * 900'000}, "timer",
      Status::kScaled);
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, row, m, {0, 0});
  Set(job, row, test::kDpScalarAdd, {flops, flops});
  for (const MetricId m : {metric::kFlops, metric::kFlopsDp}) Set(job, row, m, {flops, flops});
  for (const MetricId m : {metric::kFlopsSp, metric::kFlopsHp}) Set(job, row, m, {0, 0});
  Set(job, row, metric::kDramBytes, {bytes, bytes}, "counting", Status::kModelled);
}

JobProfile Empty() {
  JobProfile job = test::EmptyJob(2, 1, 2);
  test::AddPass(job, "timer", 10);
  test::AddPass(job, "counting", 200);
  return job;
}

ReportJob Analyzed(JobProfile job) {
  const Machine machine = test::SampleMachine();
  JobAnalysis analysis = Analyze(job, &machine);
  return {"run.json", std::move(job), std::move(analysis)};
}

// As `roofmark run --auto` makes them of a program without markers.
JobProfile FoundProfile() {
  JobProfile job = Empty();
  job.run.passes[0].facts[kFoundFact] = kFact;
  const std::string hourglass = "hourglass.cc:1034 in CalcHourglassControlForElems()";
  const std::string flux = "/solver.c:231 in flux()";
  Region(job, "main()", 9000, 30000, 50000);
  Region(job, "main()/" + hourglass, 2500, 5000, 20000);
  Region(job, "main()/" + hourglass + flux, 1100, 3600, 900);
  Region(job, "main()/libfoo.so+0x12340 in libfoo.so+0x12000 behind init()", 300, 20, 600);
  Region(job, "main()/solver.c:200 in iterate()", 5000, 23000, 24000);
  Region(job, "main()/solver.c:200 in iterate()/solver.c:214 in sweep()", 3200, 17000, 20000);
  Region(job, "main()/solver.c:200 in iterate()/solver.c:214 in sweep()" + flux, 1500, 11000, 90);
  job.whole = CellTable(kWholeRows);
  for (const auto& [row, seconds] :
       {std::pair(WholeRow::kOutside, uint64_t{1}), std::pair(WholeRow::kProgram, uint64_t{10})}) {
    const auto set = [&, at = static_cast<size_t>(row)](MetricId id, uint64_t value) {
      job.whole.At(at, id) = Cell::Of(value, 0, Status::kMeasured);
    };
    set(metric::kTimeNs, seconds * 1'000'000'000);
    set(metric::kFlops, seconds * 3'100'000'000);
    set(metric::kDramBytes, seconds * 5'100'000'000);
  }
  return job;
}

ReportJob FoundJob() { return Analyzed(FoundProfile()); }

// A marker around loops that were found.
ReportJob MixedJob() {
  JobProfile job = Empty();
  Region(job, "solve", 7000, 30000, 50000, RegionKind::kTeam);
  Region(job, "solve/solver.c:214 in sweep()", 3200, 17000, 20000);
  return Analyzed(std::move(job));
}

ReportJob MarkedJob() {
  JobProfile job = Empty();
  Region(job, "solve", 7000, 30000, 50000, RegionKind::kTeam);
  return Analyzed(std::move(job));
}

TEST(Found, Table) { ExpectGolden(RenderTable({FoundJob()}, {80, true}), "found_table.txt"); }
TEST(Found, Chart) { ExpectGolden(RenderChart({FoundJob()}, {80, true}), "found_chart.txt"); }
TEST(Found, Svg) { ExpectGolden(RenderSvg({FoundJob()}), "found.svg"); }

TEST(Found, FitsTheWidthAsked) {
  for (const int width : {kMinWidth, 80, 120}) {
    for (const bool unicode : {true, false}) {
      const TextStyle style = {width, unicode};
      const std::string text = RenderTable({FoundJob()}, style) + RenderChart({FoundJob()}, style);
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(DisplayWidth(line), static_cast<size_t>(width)) << line;
      }
    }
  }
}

std::string Shortened(const std::string& around, const std::string& own, size_t width) {
  Row row;
  row.name = around + own;
  row.around_bytes = around.size();
  row.is_found = true;
  return ShortName(row, width, "…");
}

TEST(Found, ShortNamesKeepFileAndLine) {
  const std::string own = "hourglass.cc:1034 in CalcHourglassControlForElems()";
  EXPECT_EQ(Shortened("", own, 60), own);
  EXPECT_EQ(Shortened("", own, 34), "hourglass.cc:1034 in CalcHo…lems()");
  EXPECT_EQ(Shortened("", own, 27), "hourglass.cc:1034 in Cal…()");
  EXPECT_EQ(Shortened("", own, 26), "hourglass.cc:1034");
  EXPECT_EQ(Shortened("", own, 12), "hourgl…:1034");
  EXPECT_EQ(Shortened("", "a_long_function_name()", 12), "a_long…ame()");
  // A name of several words that no loop has.
  EXPECT_EQ(Shortened("", "operator new[](unsigned long)", 14), "operato… long)");
}

TEST(Found, TheRegionsAroundGiveWayFirst) {
  const std::string around = "solver.c:200 in iterate()/", own = "solver.c:214 in sweep()";
  EXPECT_EQ(Shortened(around, own, 49), around + own);
  EXPECT_EQ(Shortened(around, own, 47), "solver.c:200 in ite…e()/" + own);
  EXPECT_EQ(Shortened(around, own, 40), "solver.c:200/" + own);
  EXPECT_EQ(Shortened(around, own, 32), "solv…200/" + own);
  EXPECT_EQ(Shortened(around, own, 31), own);
  EXPECT_EQ(Shortened(around, own, 22), "solver.c:214 in swe…()");
}

TEST(Found, NamesOfMarkersAreShortenedInTheMiddle) {
  Row row;
  row.name = "all of the work in the solver of the flow";
  EXPECT_EQ(ShortName(row, 11, "…"), "all o… flow");
}

TEST(Found, DotsAreHollow) {
  const std::string chart = RenderChart({MixedJob()}, {80, false});
  EXPECT_THAT(chart, AllOf(ContainsRegex("[^(]A[^)]"), HasSubstr("(B)")));
  EXPECT_THAT(chart, HasSubstr("\n( ): found loop or function\n"));
  const std::string svg = RenderSvg({MixedJob()});
  // In the chart and in the list below it.
  for (const char* at : {"[^/\n]*><title>", "cx=\"20\""}) {
    EXPECT_THAT(svg, AllOf(ContainsRegex("<circle class=\"dot by-[a-z]*\" " + std::string(at)),
                           ContainsRegex("<circle class=\"hollow by-[a-z]*\" " + std::string(at))));
  }
  EXPECT_THAT(svg, HasSubstr(">found loop or function</text>"));
  const std::string page = RenderHtml({MixedJob()});
  EXPECT_THAT(page, AllOf(ContainsRegex("class=\"dot by-[a-z]*\" [^/]*/></svg> A<"),
                          ContainsRegex("class=\"hollow by-[a-z]*\" [^/]*/></svg> B<"),
                          HasSubstr(">found loop or function</text>")));
}

TEST(Found, NothingIsHollowWhereMarkersOpenedAll) {
  const TextStyle style = {80, false};
  const std::string all = RenderTable({MarkedJob()}, style) + RenderChart({MarkedJob()}, style) +
                          RenderSvg({MarkedJob()}) + RenderHtml({MarkedJob()});
  for (const char* word : {"(A)", "class=\"hollow", "○", "found loop"}) {
    EXPECT_THAT(all, Not(HasSubstr(word)));
  }
}

TEST(Found, LettersOfDotsThatLieOnEachOtherAreAllShown) {
  JobProfile job = Empty();
  for (int line = 1; line < 8; ++line) {
    Region(job, fmt::format("a.c:{} in f()", line), 1000, 3000, 6000);
  }
  const std::string chart = RenderChart({Analyzed(std::move(job))}, {80, false});
  for (const char* key : {"(A)", "(B)", "(C)", "(D)", "(E)", "(F)", "(G)"}) {
    EXPECT_THAT(chart, HasSubstr(key));
  }
}

TEST(Found, TheFactStandsBelowTheTable) {
  EXPECT_THAT(RenderTable({FoundJob()}, {400, false}),
              HasSubstr(fmt::format("\nfound loops and functions\n  {}\nrun\n", kFact)));
  EXPECT_THAT(RenderHtml({FoundJob()}), HasSubstr(fmt::format("</h2>\n<p>{}</p>\n", kFact)));
  EXPECT_THAT(RenderTable({MixedJob()}, {80, false}), Not(HasSubstr("found loops and functions")));
  ReportJob job = FoundJob();
  job.profile.run.passes[0].facts[kFoundFact] = "\x1b[2J<b>";
  EXPECT_THAT(RenderTable({job}, {80, false}), HasSubstr("\n  \\x1B[2J<b>\n"));
  EXPECT_THAT(RenderHtml({job}), HasSubstr("<p>\\x1B[2J&lt;b&gt;</p>"));
}

TEST(Found, WithoutAnyTheReportSaysSo) {
  JobProfile job = Empty();
  job.run.passes[0].facts[kFoundFact] = "No thread used CPU time.";
  EXPECT_THAT(RenderTable({Analyzed(std::move(job))}, {80, false}),
              AllOf(HasSubstr("No loop or function was found"), Not(HasSubstr("ROOF_REGION"))));
}

TEST(Found, WhatLiesOutsideIsElsewhere) {
  const ReportJob job = FoundJob();
  EXPECT_THAT(RenderTable({job}, {80, false}),
              AllOf(HasSubstr("\n  (elsewhere) "), Not(HasSubstr("(outside)"))));
  EXPECT_THAT(RenderHtml({job}), HasSubstr(">(elsewhere)<"));
  // For programs it has one name.
  EXPECT_THAT(RenderCsv(job), AllOf(HasSubstr("\n(outside),"), Not(HasSubstr("(elsewhere)"))));
  EXPECT_THAT(RenderJson({job}), AllOf(HasSubstr("\"(outside)\""), Not(HasSubstr("(elsewhere)"))));
  // A marker inside of what was found changes nothing.
  ReportJob inside = job;
  inside.profile.paths.back().kind = RegionKind::kTeam;
  EXPECT_THAT(RenderTable({inside}, {80, false}), HasSubstr("\n  (elsewhere) "));
  ReportJob mixed = MixedJob();
  mixed.profile.whole = job.profile.whole;
  mixed.analysis.whole = job.analysis.whole;
  EXPECT_THAT(RenderTable({mixed}, {80, false}), HasSubstr("\n  (outside) "));
}

TEST(Found, CsvHasTheKind) {
  const std::string csv = RenderCsv(MixedJob());
  EXPECT_THAT(csv, AllOf(ContainsRegex("\nsolve,time_s,[^\n]*,team\n"),
                         ContainsRegex("\nsolve,gflops,[^\n]*,team\n"),
                         ContainsRegex("\nsolve,instructions,[^\n]*,team\n"),
                         ContainsRegex("\nsolve/solver[^\n]*,time_s,[^\n]*,found\n"),
                         ContainsRegex("\nsolve/solver[^\n]*,gflops,[^\n]*,found\n")));
  EXPECT_THAT(RenderCsv(FoundJob()), ContainsRegex("\n.program.,time_s,[^\n]*,\n"));
}

TEST(Found, JsonHasTheKindAndTheFact) {
  const auto found = nlohmann::json::parse(RenderJson({FoundJob()}))["jobs"][0];
  EXPECT_EQ(found["found"], kFact);
  EXPECT_EQ(found["paths"][0]["kind"], "found");
  EXPECT_FALSE(found["whole"][0].contains("kind"));
  const auto mixed = nlohmann::json::parse(RenderJson({MixedJob()}))["jobs"][0];
  EXPECT_FALSE(mixed.contains("found"));
  EXPECT_EQ(mixed["paths"][0]["kind"], "team");
  EXPECT_EQ(mixed["paths"][1]["kind"], "found");
}

// All that a report says in sentences.
std::string Sentences(JobProfile job) {
  return RenderTable({Analyzed(std::move(job))}, {1000, false, Detail::kAll});
}

TEST(Found, NobodyIsAskedToMoveMarkers) {
  for (const RegionKind kind : {RegionKind::kTeam, RegionKind::kFound}) {
    JobProfile job = Empty();
    Region(job, "a.c:1 in f()", 5000, 30000, 50000, kind);
    Set(job, 0, metric::kMarkerNs, {1'000'000'000, 1'000'000'000}, "timer", Status::kModelled);
    job.run.cost.marker_pair_ps = Cell::Of(20'000, 0, Status::kModelled);
    const std::string text = Sentences(job);
    const bool marked = kind == RegionKind::kTeam;
    for (const char* words : {"the markers may take", "put markers around", "markers 20.0 ns"}) {
      EXPECT_EQ(text.find(words) != std::string::npos, marked) << words << text;
    }
    const char* elsewhere =
        "50 % of the run (5.00 s) lies elsewhere than in the loops and functions";
    EXPECT_EQ(text.find(elsewhere) == std::string::npos, marked) << text;
    EXPECT_EQ(RenderCsv(Analyzed(job)).find("marker_share") != std::string::npos, marked);
  }
}

TEST(Found, NothingIsSaidOfTheLongestVisit) {
  for (const RegionKind kind : {RegionKind::kTeam, RegionKind::kFound}) {
    JobProfile job = Empty();
    Region(job, "a.c:1 in f()", 9500, 30000, 50000, kind);
    Set(job, 0, metric::kLongestVisitNs, {9'000'000'000, 9'000'000'000}, "timer");
    const bool said = Sentences(job).find("one visit took much longer") != std::string::npos;
    EXPECT_EQ(said, kind == RegionKind::kTeam);
  }
}

TEST(Found, TimesThatAreTooShortMayBeOfFewSamples) {
  for (const RegionKind kind : {RegionKind::kTeam, RegionKind::kFound}) {
    JobProfile job = Empty();
    Region(job, "a.c:1 in f()", 500, 30000, 50000, kind);
    EXPECT_THAT(Sentences(job), HasSubstr("is above what was measured: A a.c:1 in f() ("));
    const bool said = Sentences(job).find("few samples") != std::string::npos;
    EXPECT_EQ(said, kind == RegionKind::kFound);
  }
}

TEST(Found, OtherWorkIsDeclaredInRegionsOfMarkers) {
  for (const RegionKind kind : {RegionKind::kTeam, RegionKind::kFound}) {
    JobProfile job = Empty();
    Region(job, "a.c:1 in f()", 9500, 0, 50, kind);
    const std::string text = Sentences(job);
    EXPECT_THAT(text, HasSubstr("declare that with ROOF_REGION_OPERATIONS"));
    const bool said = text.find("OPERATIONS, in a region of markers") != std::string::npos;
    EXPECT_EQ(said, kind == RegionKind::kFound);
  }
}

TEST(ShortPlace, KeepsFileAndLine) {
  EXPECT_EQ(ShortPlace("ComputeSYMGS_ref.cpp:93 in ComputeSYMGS_ref()", 38, "~"),
            "ComputeSYMGS_ref.cpp:93 in Compu~ref()");
}

}  // namespace
}  // namespace roofmark
