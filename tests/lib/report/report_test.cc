// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "lib/core/tone.h"
#include "lib/profile/whole.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"
#include "lib/report/page_assets.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/lib/report/golden.h"

namespace roofmark {
namespace {

using test::AddPass;
using test::AddPath;
using test::EmptyJob;
using test::ExpectGolden;
using test::Set;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// Flops and bytes are of both ranks together, in units of 1e6.
void Region(JobProfile& job, const std::string& path, uint64_t visits, uint64_t milliseconds,
            uint64_t flops, uint64_t bytes, MetricId kind) {
  const size_t row = AddPath(job, path);
  Set(job, row, metric::kVisits, {visits, visits}, "timer");
  Set(job, row, metric::kTimeNs, {milliseconds * 1000000, milliseconds * 900000}, "timer");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, row, m, {0, 0});
  Set(job, row, kind, {flops * 500000, flops * 500000});
  Set(job, row, metric::kDramReadBytes, {bytes * 400000, bytes * 400000}, "counting",
      Status::kModelled);
  Set(job, row, metric::kDramWriteBytes, {bytes * 100000, bytes * 100000}, "counting",
      Status::kModelled);
  Set(job, row, metric::kDramDirtyBytes, {0, 0}, "counting", Status::kModelled);
  Set(job, row, metric::kFlops, {flops * 500000, flops * 500000});
  Set(job, row, metric::kFlopsDp, {flops * 500000, flops * 500000});
  for (const MetricId none : {metric::kFlopsSp, metric::kFlopsHp}) Set(job, row, none, {0, 0});
  Set(job, row, metric::kDramBytes, {bytes * 500000, bytes * 500000}, "counting",
      Status::kModelled);
  Set(job, row, metric::kWorkers, {1, 1});
  Set(job, row, metric::kWorkerFlopsMax, {flops * 600000, flops * 500000});
}

JobProfile SampleProfile() {
  JobProfile job = EmptyJob(2, 1, 2);
  job.run.mpi = "Open MPI v4.1.4";
  job.run.warnings = {
      "region \"spmv\" was entered 20 times in the time pass and 21 in the work pass"};
  AddPass(job, "timer", 5.0);
  AddPass(job, "counting", 130.0);
  const MetricId add = test::kDpScalarAdd, fma = test::kDp256Fma;
  Region(job, "solve", 1, 4500, 17000, 40000, add);
  Region(job, "solve/exchange_of_all_the_halo_cells_with_neighbours", 10, 300, 0, 900, add);
  Region(job, "solve/spmv", 10, 1500, 1670, 10000, add);
  Region(job, "solve/stencil<7, \"pt\">", 10, 2500, 8000, 24000, add);
  Region(job, "tile\\/dgemm", 3, 100, 12000, 120, fma);
  return job;
}

ReportJob SampleJob(bool with_machine = true) {
  const Machine machine = test::SampleMachine();
  JobProfile profile = SampleProfile();
  JobAnalysis analysis = Analyze(profile, with_machine ? &machine : nullptr);
  return {"sample.json", std::move(profile), std::move(analysis)};
}

size_t WidestLine(const std::string& text) {
  std::istringstream lines(text);
  size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, DisplayWidth(line));
  return widest;
}

TEST(Report, Table) { ExpectGolden(RenderTable({SampleJob()}, {80, true}), "report_table.txt"); }
TEST(Report, TableAscii) {
  ExpectGolden(RenderTable({SampleJob(false)}, {80, false}), "report_table_ascii.txt");
}
TEST(Report, Chart) { ExpectGolden(RenderChart({SampleJob()}, {80, true}), "report_chart.txt"); }
TEST(Report, ChartAscii) {
  ExpectGolden(RenderChart({SampleJob()}, {80, false}), "report_chart_ascii.txt");
}
TEST(Report, Json) { ExpectGolden(RenderJson({SampleJob()}), "report.json"); }

TEST(Report, Csv) { ExpectGolden(RenderCsv(SampleJob()), "report.csv"); }
TEST(Report, Svg) { ExpectGolden(RenderSvg({SampleJob()}), "report.svg"); }
// Without what lib/report/page has in files of its own.
std::string PageOnly(std::string page) {
  for (const PageAsset* asset : {&kPageScript, &kPageStyle, &kChartStyle}) {
    const size_t at = page.find(asset->text);
    EXPECT_NE(at, std::string::npos);
    page.replace(at, asset->text.size(), "...");
  }
  const size_t policy = page.find("script-src"), end = page.find("img-src");
  return page.replace(policy, end - policy, "... ");
}

TEST(Report, Html) { ExpectGolden(PageOnly(RenderHtml({SampleJob()})), "report.html"); }

TEST(Report, FitsTheWidthAsked) {
  for (int width : {kMinWidth, 80, 100, 132}) {
    for (bool unicode : {true, false}) {
      const TextStyle style = {width, unicode};
      EXPECT_LE(WidestLine(RenderTable({SampleJob()}, style)), static_cast<size_t>(width));
      EXPECT_LE(WidestLine(RenderChart({SampleJob()}, style)), static_cast<size_t>(width));
    }
  }
}

// What a terminal shows of a text with colours.
std::string WithoutColors(const std::string& text) {
  static const std::regex kSequence("\033\\[[0-9;]*m");
  return std::regex_replace(WithToneSequences(text), kSequence, "");
}

TEST(Report, ColorsChangeNoCharacter) {
  TextStyle plain, color;
  color.color = true;
  for (const int width : {kMinWidth, 80, 132}) {
    plain.width = color.width = width;
    const std::string table = RenderTable({SampleJob()}, color);
    EXPECT_NE(table, RenderTable({SampleJob()}, plain));
    EXPECT_EQ(WithoutColors(table), RenderTable({SampleJob()}, plain));
    EXPECT_EQ(WithoutColors(RenderChart({SampleJob()}, color)), RenderChart({SampleJob()}, plain));
  }
}

// The limit, the bar of its share and the dot of a region have one colour.
TEST(Report, ALimitHasItsColor) {
  ReportJob job = SampleJob();
  job.analysis.paths[0].limit = {.what = LimitedBy::kResource, .resource = "DRAM"};
  TextStyle color;
  color.color = true;
  color.width = 99;  // with bars
  EXPECT_THAT(WithToneSequences(RenderTable({job}, color)),
              AllOf(HasSubstr("\033[34mDRAM"), HasSubstr("\033[34m█")));
  EXPECT_THAT(WithToneSequences(RenderChart({job}, color)), HasSubstr("\033[34mA\033[0m"));
}

// What limits a region of several phases: in short in the table, as a sentence below it.
TEST(Report, ARegionOfPhasesHasTheirShares) {
  ReportJob job = SampleJob();
  const auto by = [](const char* resource, double share) {
    return Phase{
        .what = LimitedBy::kResource, .resource = resource, .mark = resource, .share = share};
  };
  PathAnalysis& path = job.analysis.paths[2];  // no frame: it has a paragraph of its own
  path.limit = {.what = LimitedBy::kPhases,
                .mark = "compute/DRAM",
                .phases = {by("compute", 0.6),
                           by("DRAM", 0.2),
                           {.what = LimitedBy::kUnexplained, .mark = "?", .share = 0.14},
                           {.mark = "other", .share = 0.06}}};
  const std::string table = RenderTable({job}, {100, false});
  EXPECT_THAT(table, ContainsRegex("\n *C +spmv [^\n]* compute/DRAM"));
  EXPECT_THAT(table, HasSubstr("  compute/DRAM  the two largest phases"));
  EXPECT_THAT(table,
              HasSubstr("\n  60 % of its time is limited by computation, 20 % by DRAM "
                        "bandwidth, 14 % is unexplained, 6 % is\n    limited by other things"));
  EXPECT_THAT(RenderHtml({job}), HasSubstr("several limits, one after another"));
  TextStyle color;
  color.color = true;
  path.limit.phases[0].resource = "DRAM";
  EXPECT_THAT(WithToneSequences(RenderTable({job}, color)), HasSubstr("\033[34mcompute/DRAM"))
      << "the colour of the largest";
}

TEST(Report, AsciiIsAscii) {
  const std::string text =
      RenderTable({SampleJob()}, {80, false}) + RenderChart({SampleJob()}, {80, false});
  for (char c : text) ASSERT_LT(static_cast<unsigned char>(c), 0x80);
}

TEST(Report, EveryDotOfTheTableIsInTheChart) {
  const std::string chart = RenderChart({SampleJob()}, {80, false});
  for (const char* key : {"A", "C", "D"}) EXPECT_THAT(chart, HasSubstr(key));
  for (const char* roof : {"L1 720 GB/s", "L2 200 GB/s", "L3 60.0 GB/s", "DRAM 40.0 GB/s",
                           "dp peak 160 GFLOP/s", "dp no FMA 80.0 GFLOP/s"}) {
    EXPECT_THAT(chart, HasSubstr(roof));
  }
}

TEST(Report, AStrayFlopDoesNotStretchTheChart) {
  ReportJob job = SampleJob();
  const std::string before = RenderChart({job}, {80, false});
  Region(job.profile, "y_halo", 10, 100, 0, 3000, test::kDpScalarAdd);
  for (const MetricId id : {test::kDpScalarAdd, MetricId{metric::kFlops}}) {
    Set(job.profile, job.profile.paths.size() - 1, id, {240, 240});
  }
  const Machine machine = test::SampleMachine();
  job.analysis = Analyze(job.profile, &machine);
  EXPECT_EQ(RenderChart({job}, {80, false}), before);
  EXPECT_THAT(RenderTable({job}, {80, false}), HasSubstr("not drawn: y_halo"));
}

TEST(Report, NothingMeasuredIsSaid) {
  ReportJob empty = {"e.json", EmptyJob(1), {}};
  EXPECT_THAT(RenderTable({empty}, {}), HasSubstr("No region was entered"));
  EXPECT_THAT(RenderChart({empty}, {}), HasSubstr("Nothing to draw"));
  EXPECT_THAT(RenderSvg({empty}), HasSubstr("Nothing to draw"));
}

// One run of half a second, of which the regions of the sample took 0.3; 1 GFLOP in all.
void AddProgram(ReportJob& job, double outside_s) {
  job.profile.whole = CellTable(kWholeRows);
  const auto set = [&](WholeRow row, MetricId id, double value) {
    job.profile.whole.At(static_cast<size_t>(row), id) =
        Cell::Of(static_cast<uint64_t>(value), 0, Status::kMeasured);
  };
  const auto wall_s = job.profile.run.passes[0].wall_s;
  set(WholeRow::kProgram, metric::kTimeNs, wall_s * 1e9);
  set(WholeRow::kOutside, metric::kTimeNs, outside_s * 1e9);
  for (const WholeRow row : {WholeRow::kProgram, WholeRow::kOutside}) {
    set(row, metric::kFlops, 1e9);
    set(row, metric::kDramBytes, 4e9);
  }
  const Machine machine = test::SampleMachine();
  job.analysis = Analyze(job.profile, &machine);
}

TEST(Report, TheProgramAndWhatLiesOutsideAreRowsOfTheTable) {
  const ReportJob plain = SampleJob();
  ReportJob job = plain;
  const double wall_s = job.profile.run.passes[0].wall_s;
  AddProgram(job, 0.06 * wall_s);
  const std::string table = RenderTable({job}, {400, false});
  EXPECT_THAT(table, ContainsRegex("\n  \\(outside\\) [^\n]* 6 %[^\n]*\nD tile/dgemm [^\n]* 2 %"
                                   "[^\n]*\n0 \\(program\\) [^\n]* 100 %"));
  EXPECT_THAT(RenderSvg({job}), HasSubstr(">0 (program)<"));
  EXPECT_THAT(RenderCsv(job),
              AllOf(HasSubstr("\n(outside),time_s,s,"), HasSubstr("\n(program),time_s,s,")));
  EXPECT_THAT(RenderHtml({job}), AllOf(HasSubstr(">(outside)<"), HasSubstr(">(program)<")));
  EXPECT_THAT(RenderJson({job}), HasSubstr("\"path\": \"(program)\""));
  EXPECT_EQ(job.analysis.paths.size(), plain.analysis.paths.size());
  AddProgram(job, 0.04 * wall_s);
  EXPECT_THAT(RenderTable({job}, {400, false}),
              AllOf(Not(HasSubstr("(outside)")), HasSubstr("0 (program)")));
}

TEST(Report, AProgramWithoutMarkersHasItsDot) {
  ReportJob job = {"e.json", EmptyJob(1), {}};
  test::AddPass(job.profile, "timer", 0.5);
  for (const MetricId id :
       {MetricId{metric::kTimeNs}, MetricId{metric::kFlops}, MetricId{metric::kDramBytes}}) {
    job.profile.sources[id] = {"counting", Status::kMeasured, ""};
  }
  AddProgram(job, 0.5);
  EXPECT_THAT(RenderTable({job}, {80, false}),
              AllOf(HasSubstr("No region was entered"), HasSubstr("\n0 (program)")));
  EXPECT_THAT(RenderSvg({job}), HasSubstr(">0 (program)<"));
}

TEST(Report, RegionsThatWereOpenInAPauseAreNamed) {
  ReportJob job = SampleJob();
  JobProfile& profile = job.profile;
  profile.sources[metric::kPauses] = {"timer", Status::kMeasured, ""};
  profile.At(static_cast<size_t>(profile.FindPath("solve")), metric::kPauses) =
      Cell::Of(2, 0, Status::kMeasured);
  EXPECT_THAT(RenderTable({job}, {400, false}),
              HasSubstr("recording was paused while solve was open: the time of this region "
                        "includes the pauses, the counts do not"));
}

TEST(Report, HostileNamesCannotControlTerminalOrPage) {
  JobProfile profile = EmptyJob(1);
  AddPath(profile, "a\x1b[2J<script>,\"\n");
  ReportJob job = {"x", profile, Analyze(profile, nullptr)};
  EXPECT_THAT(RenderTable({job}, {120, true}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(RenderHtml({job}), Not(HasSubstr("<script>,")));
  EXPECT_THAT(RenderCsv(job), HasSubstr("\"a\x1b[2J<script>,\"\"\n\",visits,count,"));
}

TEST(Report, CsvHasTheSameFieldsInEveryLine) {
  std::istringstream lines(RenderCsv(SampleJob()));
  size_t rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    bool quoted = false;
    size_t commas = 0;
    for (char c : line) {
      if (c == '"') quoted = !quoted;
      commas += c == ',' && !quoted;
    }
    EXPECT_EQ(commas, 14u) << line;
  }
  EXPECT_GT(rows, 100u);
}

// Ten ranks, of which one is slow; markers that take a tenth of an inner region.
ReportJob JobOfRanks() {
  JobProfile job;
  for (uint32_t rank = 0; rank < 10; ++rank) {
    JobProfile part = EmptyJob(10);
    part.run.ranks_merged = 1;
    part.run.first_rank = rank;
    part.run.hosts[0].name = rank == 7 ? "slowpoke" : "node1";
    part.run.cost.startup_ns = Cell::Of(2'000'000, rank, Status::kMeasured);
    part.run.cost.finalize_ns = Cell::Of(5'000'000 + rank * 1'000'000, rank, Status::kMeasured);
    part.run.cost.marker_pair_ps = Cell::Of(20'000, rank, Status::kModelled);
    AddPass(part, "timer", 2.0);
    const size_t solve = AddPath(part, "solve"), inner = AddPath(part, "solve/inner");
    Set(part, solve, metric::kTimeNs, {rank == 7 ? 1'900'000'000u : 1'000'000'000u}, "timer");
    Set(part, inner, metric::kTimeNs, {100'000'000}, "timer");
    Set(part, solve, metric::kMarkerNs, {10'000'000}, "timer", Status::kModelled);
    Set(part, inner, metric::kMarkerNs, {10'000'000}, "timer", Status::kModelled);
    for (const size_t path : {solve, inner}) {
      part.At(path, metric::kTimeNs).min_rank = part.At(path, metric::kTimeNs).max_rank = rank;
    }
    FillSpreads(part);
    if (rank == 0) {
      job = part;
    } else {
      MergeProfiles(job, part);
    }
  }
  JobAnalysis analysis = Analyze(job, nullptr);
  return {"ranks.json", std::move(job), std::move(analysis)};
}

// Counted by perf_event in one pass, for two ranks.
ReportJob JobWithCounters(size_t user_events) {
  JobProfile job = EmptyJob(2, 1, 2);
  AddPass(job, "perf_event", 5.0);
  const size_t row = AddPath(job, "solve"), empty = AddPath(job, "solve/empty");
  const auto count = [&](MetricId id, const std::vector<uint64_t>& values) {
    Set(job, row, id, values, "perf_event");
    Set(job, empty, id, {0, 0}, "perf_event");
  };
  for (const size_t p : {row, empty}) Set(job, p, metric::kVisits, {1, 1}, "timer");
  count(metric::kCycles, {4'000'000, 6'000'000});
  count(metric::kInstructions, {2'000'000, 3'000'000});
  count(metric::kMemoryStallCycles, {1'000'000, 1'500'000});
  count(metric::kLastLevelMisses, {70'000, 80'000});
  for (size_t i = 0; i < user_events; ++i) {
    const MetricId id = UserMetric(i);
    count(id, {1000 * (i + 1), 500});
    job.sources[id].label = fmt::format("skx_unc_imc{}::UNC_M_CAS_COUNT:RD", i);
    job.sources[id].unit = "count";
  }
  JobAnalysis analysis = Analyze(job, nullptr);
  return {"counters.json", std::move(job), std::move(analysis)};
}

TEST(Report, CountersStandBesideTheTable) {
  ReportJob job = JobWithCounters(1);
  const MetricId time = UserMetric(1);
  Set(job.profile, 0, time, {2'500'000, 2'400'000}, "perf_event");
  job.profile.sources[time].label = "task-clock";
  job.profile.sources[time].unit = "ns";
  const std::string table = RenderTable({job}, {100, true});
  EXPECT_THAT(table,
              HasSubstr("  region  cycles  instr. instr./cycle memory stall LLC misses      #1 "
                        "task-clock\n"
                        "  solve    10.0M   5.00M        0.500         25 %       150k   1.50k    "
                        "4.90 ms\n"
                        "   empty       0       0            -            -          0       0     "
                        "     -\n"
                        "  #1: skx_unc_imc0::UNC_M_CAS_COUNT:RD\n"));
  const std::string page = RenderHtml({job});
  EXPECT_THAT(page, HasSubstr("title=\"skx_unc_imc0::UNC_M_CAS_COUNT:RD (ROOFMARK_EVENTS)\""));
  EXPECT_THAT(page, HasSubstr("<td>4.90 ms</td>"));
  EXPECT_THAT(RenderTable({SampleJob()}, {100, true}), Not(HasSubstr("instr./")));
}

TEST(Report, WhatAUserListedTwiceStandsOnce) {
  ReportJob job = JobWithCounters(1);
  const MetricId same = UserMetric(1);
  Set(job.profile, 0, same, {4'000'000, 6'000'000}, "perf_event");
  Set(job.profile, 1, same, {0, 0}, "perf_event");
  job.profile.sources[same].label = "PAPI_TOT_CYC";
  EXPECT_THAT(RenderTable({job}, {200, true}), Not(HasSubstr("PAPI_TOT_CYC")));
  Set(job.profile, 0, same, {4'000'000, 6'000'001}, "perf_event");
  job.profile.sources[same].label = "PAPI_TOT_CYC";
  EXPECT_THAT(RenderTable({job}, {200, true}), HasSubstr("PAPI_TOT_CYC"));
}

TEST(Report, CountersOfTwoPassesAreNotDivided) {
  ReportJob job = JobWithCounters(0);
  job.profile.sources[metric::kInstructions].origin = "counting";
  const std::string table = RenderTable({job}, {100, true});
  EXPECT_THAT(table, HasSubstr("cycles"));
  EXPECT_THAT(table, Not(HasSubstr("instr./")));
}

TEST(Report, ManyCountersFitTheWidthAsked) {
  for (const int width : {76, 80, 132}) {
    const std::string table = RenderTable({JobWithCounters(kUserMetrics)}, {width, true});
    EXPECT_LE(WidestLine(table), static_cast<size_t>(width));
    EXPECT_THAT(table, HasSubstr("16.5k"));
  }
}

TEST(Report, SaysHowTheRanksDifferAndWhatRecordingCost) {
  const std::string table = RenderTable({JobOfRanks()}, {200, true});
  EXPECT_THAT(table,
              HasSubstr("time over 10 ranks: median 1.00 s, 5th to 95th percentile 1.00 s to "
                        "1.90 s; most: rank 7 on slowpoke 1.90 s, least: rank 0 on node1 1.00 s"));
  EXPECT_THAT(table,
              HasSubstr("roofmark's own cost: start-up 2.00 ms (mean 2.00 ms), finalize 14.0 ms "
                        "(mean 9.50 ms), markers 20.0 ns a pair, at most 10"));
  EXPECT_THAT(table, HasSubstr("the markers may take up to 10 % of the time of inner, at most"));
  const std::string csv = RenderCsv(JobOfRanks());
  EXPECT_THAT(csv, HasSubstr("solve,time_s_p50,s,timer,measured,job,,1,,,,,,,team\n"));
  EXPECT_THAT(csv, HasSubstr("solve,time_s_p95,s,timer,measured,job,,1.9"));
  EXPECT_THAT(csv, HasSubstr("solve/inner,marker_share,1,timer,modelled,job,,0.1,,,,,,,team\n"));
}

// Of 10 ranks: the time of a region is that of the slowest one, under its name in all outputs.
TEST(Report, CsvHasTheTimeOfTheSlowestRankAndThatOfAllTogether) {
  const std::string csv = RenderCsv(JobOfRanks());
  EXPECT_THAT(csv, HasSubstr("\nsolve,time_s,s,timer,measured,job,,1.9"));
  EXPECT_THAT(csv, ContainsRegex("\nsolve,time_ns,ns,timer,measured,process,10,[0-9]+,"));
}

TEST(Report, CsvNamesEveryPromisedMetric) {
  const std::string csv = RenderCsv(SampleJob());
  for (const char* metric :
       {"visits", "time_s", "flops_dp", "flops_sp", "flops_hp", "fp_instructions", "instructions",
        "loads_bytes", "stores_bytes", "dram_read_bytes", "dram_write_bytes", "dram_bytes",
        "intensity_dram", "gflops", "attainable_gflops", "efficiency"}) {
    EXPECT_THAT(csv, HasSubstr(std::string("solve,") + metric + ",")) << metric;
  }
  EXPECT_THAT(
      csv, HasSubstr("solve/spmv,visits,count,timer,measured,process,2,20,10,10,0,10,0,0,team\n"));
  EXPECT_THAT(csv, HasSubstr("solve,instructions,count,,unsupported,thread,,,,,,,,,team\n"));
}

// Nothing was counted: what the program said of itself must not look like a measurement.
TEST(Declared, IsMarkedInEveryOutput) {
  JobProfile profile = EmptyJob(1);
  AddPass(profile, "timer", 2.0);
  const size_t path = AddPath(profile, "solve");
  Set(profile, path, metric::kVisits, {10}, "timer");
  Set(profile, path, metric::kTimeNs, {1'000'000'000}, "timer");
  Set(profile, path, metric::kDeclaredFlops, {3'000'000'000}, "declared", Status::kDeclared);
  const ReportJob job = {"job", profile, Analyze(profile, nullptr)};
  const std::string table = RenderTable({job}, {120, false});
  EXPECT_THAT(table, ContainsRegex(" 3\\.00\\* .* 3\\.00G\\*"));
  EXPECT_THAT(RenderHtml({job}), HasSubstr(">3.00G*</td>"));
  EXPECT_THAT(table, HasSubstr("* declared by the program, not measured: work of solve"));
  EXPECT_THAT(RenderCsv(job), HasSubstr("solve,flops,flops,declared,declared,job,,3000000000,"));
}

// One region declares less than was measured in it, and nothing was measured outside of regions.
JobProfile WithWholeThatDeclares(bool measured) {
  JobProfile profile = EmptyJob(1);
  AddPass(profile, "timer", 2.0);
  const size_t path = AddPath(profile, "solve");
  Set(profile, path, metric::kTimeNs, {1'000'000'000}, "timer");
  Set(profile, path, metric::kDeclaredBytes, {5'900'000'000}, "declared", Status::kDeclared);
  if (measured) Set(profile, path, metric::kDramBytes, {6'000'000'000}, "counting");
  profile.whole = CellTable(kWholeRows);
  profile.whole.At(static_cast<size_t>(WholeRow::kProgram), metric::kTimeNs) =
      Cell::Of(2'000'000'000, 0, Status::kMeasured);
  profile.whole.At(static_cast<size_t>(WholeRow::kProgram), metric::kDeclaredBytes) =
      Cell::Of(5'900'000'000, 0, Status::kDeclared);
  return profile;
}

TEST(Declared, StandsInForTheProgramOnlyWhereNoRegionWasMeasured) {
  const JobProfile measured = WithWholeThatDeclares(true);
  const std::string table =
      RenderTable({{"job", measured, Analyze(measured, nullptr)}}, {200, false});
  EXPECT_THAT(table, HasSubstr("6.00G"));
  EXPECT_THAT(table, Not(HasSubstr("5.90G"))) << "a whole is no less than its part";
  const JobProfile declared = WithWholeThatDeclares(false);
  const std::string other =
      RenderTable({{"job", declared, Analyze(declared, nullptr)}}, {200, false});
  EXPECT_THAT(other, testing::ContainsRegex("\\(program\\) .*5\\.90G\\*"));
  EXPECT_THAT(other, HasSubstr("* declared by the program, not measured: work of solve, (program) "
                               "(what its regions declare)"));
}

}  // namespace
}  // namespace roofmark
