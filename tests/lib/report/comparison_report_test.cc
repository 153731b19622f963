// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/comparison_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "lib/report/display_width.h"
#include "lib/report/grid.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/lib/report/several_runs.h"

namespace roofmark {
namespace {

using test::AddPass;
using test::AddPath;
using test::EmptyJob;
using test::Set;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// `seconds` of each region in five executions that differ by 1 %; once where `repeated` is not set.
ReportJob Job(const std::string& name, const std::vector<std::pair<std::string, double>>& regions,
              bool repeated = true) {
  JobProfile job = EmptyJob(1);
  AddPass(job, "timer", 10);
  if (repeated) job.run.repeats_s.assign(5, 10.0);
  for (const auto& [path, seconds] : regions) {
    const size_t row = AddPath(job, path);
    const auto ns = [s = seconds](double factor) {
      return static_cast<uint64_t>(s * factor * 1e9);
    };
    Set(job, row, metric::kTimeNs, {ns(1)}, "timer");
    for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, row, m, {0});
    Set(job, row, test::kDpScalarAdd, {1'000'000'000});
    for (const MetricId m : {metric::kFlops, metric::kFlopsDp}) Set(job, row, m, {1'000'000'000});
    for (const MetricId m : {metric::kFlopsSp, metric::kFlopsHp}) Set(job, row, m, {0});
    for (const MetricId m : {metric::kDramReadBytes, metric::kDramBytes}) {
      Set(job, row, m, {4'000'000'000});
    }
    for (const MetricId m : {metric::kDramWriteBytes, metric::kDramDirtyBytes})
      Set(job, row, m, {0});
    if (repeated) job.paths[row].repeats_ns = {ns(1), ns(1.01), ns(0.99), ns(1.005), ns(0.995)};
  }
  const Machine machine = test::SampleMachine();
  JobAnalysis analysis = Analyze(job, &machine);
  return {name, std::move(job), std::move(analysis)};
}

using Compared = test::TwoRuns;

TEST(ComparisonReport, SaysWhatChangedBeyondNoise) {
  const Compared compared(Job("old", {{"solve", 1}, {"wait", 2}}),
                          Job("new", {{"solve", 1.2}, {"wait", 2.004}}));
  const std::string text = RenderComparison(compared.jobs(), {.width = 200, .unicode = false});
  EXPECT_THAT(text, StartsWith("first:  old, 5 executions\nsecond: new, 5 executions\n"));
  EXPECT_THAT(text, HasSubstr("1 of 2 regions changed in time beyond noise\n"));
  EXPECT_THAT(text, HasSubstr("solve took 20.0 % more time (+18."));
  EXPECT_THAT(text, ::testing::ContainsRegex("solve +1.00 s -> 1.20 s +\\+20.0 %\\* "));
  EXPECT_THAT(text, ::testing::ContainsRegex("wait +2.00 s -> 2.00 s +\\+0.2 %  "));
  EXPECT_THAT(text, ::testing::ContainsRegex("1.00 -> 0.833 +-16.7 %\\*"));  // GFLOP/s
  EXPECT_THAT(text, HasSubstr("did not take turns"));
  EXPECT_THAT(text, HasSubstr("(Holm, 2 regions)"));
  EXPECT_THAT(text, Not(HasSubstr("?:")));
}

// A rank waited for a CPU for 40 % of the second run.
TEST(ComparisonReport, TimesThatDoNotHoldDecideNothing) {
  const auto busy = [](ReportJob job) {
    job.profile.run.kernel.run_queue_ns = Cell::Of(4'000'000'000, 0, Status::kMeasured);
    return job;
  };
  const Compared compared(Job("old", {{"solve", 1}}), busy(Job("new", {{"solve", 2}})));
  const std::string text = RenderComparison(compared.jobs(), {.width = 400, .unicode = false});
  EXPECT_THAT(text, HasSubstr("whether times changed cannot be decided, because times of new do "
                              "not hold: a thread was ready to run, and waited for a CPU"));
  EXPECT_THAT(text, HasSubstr("use nodes, or CPUs, that the job has for itself"));
  EXPECT_THAT(text, HasSubstr("+100.0 %?"));
  EXPECT_THAT(text, Not(HasSubstr("beyond noise")));
  EXPECT_THAT(RenderComparisonCsv(compared.jobs()),
              ::testing::ContainsRegex("time_s,s,[^,]+,[^,]+,[^,]+,,,,,doubtful,0\n"));
  const ChangeRule rule = *ChangeRule::Parse("solve: time > +5%");
  const RuleResult result = Judge(rule, compared.jobs().comparison);
  EXPECT_EQ(result.state, RuleState::kUndecided);
  EXPECT_THAT(RuleSentence(rule, result, compared.jobs()),
              HasSubstr("undecided: solve: time > +5%: solve: times of new do not hold: "));
  const ChangeRule counted = *ChangeRule::Parse("solve: intensity > +5%");
  EXPECT_EQ(Judge(counted, compared.jobs().comparison).state, RuleState::kKept);
}

// What disturbed one of the two disturbed the other as much, and is part of their noise.
TEST(ComparisonReport, ExecutionsInTurnsAreComparedWhateverTheConditions) {
  const auto in_turns = [](ReportJob job) {
    job.profile.run.kernel.run_queue_ns = Cell::Of(4'000'000'000, 0, Status::kMeasured);
    job.profile.run.passes.front().facts[kAgainstFact] = "1.2";
    return job;
  };
  const Compared compared(in_turns(Job("old", {{"solve", 1}})),
                          in_turns(Job("new", {{"solve", 2}})));
  EXPECT_TRUE(compared.jobs().comparison.regions[0].Of(Quantity::kTime).significant);
}

TEST(ComparisonReport, SaysHowManyRegionsAreTooSmallToBeTested) {
  const Compared compared(Job("old", {{"solve", 1}, {"tiny", 0.01}}),
                          Job("new", {{"solve", 1.2}, {"tiny", 0.03}}));
  const std::string text = RenderComparison(compared.jobs(), {.width = 200, .unicode = false});
  EXPECT_THAT(text,
              HasSubstr("1 of 1 region changed in time beyond noise; 1 takes less than 1 % of "
                        "both runs and was not tested\n"));
}

// A rule about each quantity, broken by one region.
TEST(ComparisonReport, BrokenRulesSayWhatHappenedToTheirQuantity) {
  const Compared compared(Job("old", {{"solve", 1}}), Job("new", {{"solve", 1}}));
  const auto sentence = [&compared](std::string_view text, double factor) {
    RegionChange region;
    region.path = region.new_path = "solve";
    const ChangeRule rule = *ChangeRule::Parse(text);
    region.changes[static_cast<size_t>(rule.quantity())].factor = factor;
    return RuleSentence(rule, {RuleState::kBroken, {&region}}, compared.jobs());
  };
  EXPECT_EQ(sentence("solve: gflops < -5%", 0.8),
            "broken: solve: gflops < -5%: solve has 20.0 % less GFLOP/s");
  EXPECT_EQ(sentence("solve: gflops < -5%", 0.25),
            "broken: solve: gflops < -5%: solve has 0.25 times the GFLOP/s");
  EXPECT_EQ(sentence("solve: intensity > +5%", 1.5),
            "broken: solve: intensity > +5%: solve has 50.0 % more FLOPs per byte");
  EXPECT_EQ(sentence("solve: intensity > +5%", 4),
            "broken: solve: intensity > +5%: solve has 4 times the FLOPs per byte");
  EXPECT_EQ(sentence("solve: efficiency < -5%", 0.9),
            "broken: solve: efficiency < -5%: solve has 10.0 % less of its efficiency");
}

TEST(ComparisonReport, NoChangeIsAnAnswer) {
  const Compared compared(Job("old", {{"solve", 1}}), Job("new", {{"solve", 1.001}}));
  const std::string text = RenderComparison(compared.jobs(), {});
  EXPECT_THAT(text, HasSubstr("no change of time beyond noise, in 1 region\n"));
  EXPECT_THAT(text, Not(HasSubstr("*:")));
}

TEST(ComparisonReport, SingleRunsSaySo) {
  const Compared compared(Job("old", {{"solve", 1}}), Job("new", {{"solve", 1.5}}, false));
  const std::string text = RenderComparison(compared.jobs(), {.width = 200});
  EXPECT_THAT(text, HasSubstr("noise between runs is not known, because new has one execution"));
  EXPECT_THAT(text, HasSubstr("+50.0 %?"));
  EXPECT_THAT(text, HasSubstr("?: noise is not known\n"));
}

TEST(ComparisonReport, NewAndVanishedRegionsAreNamed) {
  const Compared compared(Job("old", {{"a", 1}, {"b", 1}}), Job("new", {{"b", 1}, {"c", 1}}));
  const std::string text = RenderComparison(compared.jobs(), {.width = 200, .unicode = false});
  EXPECT_THAT(text, HasSubstr("new: c\nvanished: a\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("a +1.00 s -> - +vanished"));
}

TEST(ComparisonReport, FitsTheTerminal) {
  const Compared compared(Job("old", {{std::string(300, 'x'), 1}}),
                          Job("new", {{std::string(300, 'x'), 2}}));
  std::istringstream lines(RenderComparison(compared.jobs(), {.width = 80}) +
                           RenderMovement(compared.jobs(), {.width = 80}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 80u) << line;
}

TEST(ComparisonReport, MovementHasBothDots) {
  const Compared compared(Job("old", {{"solve", 1}}), Job("new", {{"solve", 20}}));
  const std::string chart = RenderMovement(compared.jobs(), {.width = 80, .unicode = false});
  EXPECT_THAT(chart, HasSubstr("a"));
  EXPECT_THAT(chart, HasSubstr("*"));  // the way
  EXPECT_THAT(chart, HasSubstr("A solve; small letters are the first run"));
  std::vector<std::pair<std::string, double>> many;
  for (int i = 0; i < 30; ++i) many.emplace_back("r" + std::to_string(10 + i), 0.3);
  const Compared large(Job("old", many), Job("new", many));
  EXPECT_THAT(RenderMovement(large.jobs(), {.width = 200}), HasSubstr("4 more changed less"));
  const Compared same(Job("old", {{"solve", 1}}), Job("new", {{"solve", 1}}));
  EXPECT_THAT(RenderMovement(same.jobs(), {.unicode = false}), Not(HasSubstr("*")));
  const Compared nothing(Job("old", {{"a", 1}}), Job("new", {{"b", 1}}));
  EXPECT_THAT(RenderMovement(nothing.jobs(), {}), IsEmpty());
}

TEST(ComparisonReport, CsvHasEveryQuantityAndNoFormula) {
  const Compared compared(Job("old", {{"=cmd()", 1}}), Job("new", {{"=cmd()", 1.2}}));
  const std::string csv = RenderComparisonCsv(compared.jobs());
  EXPECT_THAT(csv, StartsWith("old,new,'=cmd(),'=cmd(),both,time_s,s,"));
  EXPECT_THAT(csv, HasSubstr(",tested,1\n"));
  EXPECT_THAT(csv, HasSubstr("intensity_dram,FLOP/byte,0.25,0.25,1,,,,,counted_once,0\n"));
  const auto commas = [](const std::string& line) {
    return std::count(line.begin(), line.end(), ',');
  };
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(commas(line), commas(ComparisonCsvHead())) << line;
  }
}

TEST(ComparisonReport, CsvHasTheIntervalFromItsLeastToItsMost) {
  const Compared compared(Job("old", {{"solve", 1}}), Job("new", {{"solve", 1.2}}));
  const Difference& time = *compared.jobs().comparison.regions[0].Of(Quantity::kTime).difference;
  ASSERT_LT(time.change.least, time.change.most);
  EXPECT_THAT(
      RenderComparisonCsv(compared.jobs()),
      HasSubstr(fmt::format(",{},{},{},", time.change.least, time.change.most, time.probability)));
}

// --- Markdown -----------------------------------------------------------------------------------

TEST(Markdown, NamesAreText) {
  EXPECT_EQ(MarkdownCode("solve/spmv"), "`solve/spmv`");
  EXPECT_EQ(MarkdownCode("@owner <b> #1"), "`@owner <b> #1`");
  EXPECT_EQ(MarkdownCode("a|b"), "<code>a&#124;b</code>");
  EXPECT_EQ(MarkdownCode("a\\|b`"), "<code>a&#92;&#124;b&#96;</code>");
  EXPECT_EQ(MarkdownCode("</code><script>`"),
            "<code>&#60;&#47;code&#62;&#60;script&#62;&#96;</code>");
  EXPECT_EQ(MarkdownCode(""), "<code></code>");
  EXPECT_EQ(MarkdownCode("a\nb"), "<code>a&#92;x0Ab</code>");
  EXPECT_EQ(MarkdownCode("\u202eab"), "<code>&#92;u&#123;202E&#125;ab</code>");
}

TEST(Markdown, SentencesHaveNoMarkup) {
  EXPECT_EQ(MarkdownSentence("a|b *c* [d](e)"), "a\\|b \\*c\\* \\[d\\](e)");
  EXPECT_EQ(MarkdownSentence("<script>"), "\\<script\\>");
  EXPECT_EQ(MarkdownSentence("@owner"), "\\@\u200bowner");
  EXPECT_EQ(MarkdownSentence("http://x"), "http:\u200b//x");
}

// In each line of a table as many cells as in its head: no name adds one.
TEST(Markdown, HostileNamesAddNoCell) {
  for (const char* name : {"a|b", "a\\|b", "`|`", "\\\\|", "a`` | ``b"}) {
    const std::string table = GridMarkdown({{"region", "x"}, {{name, "1"}}});
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      size_t bars = 0;
      for (size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' ? 1 : 0;
      EXPECT_EQ(bars, 3u) << line;
    }
  }
}

TEST(Markdown, ReportIsATable) {
  const std::string text = RenderMarkdown({Job("run.json", {{"so|lve", 1}, {"wait", 2}})});
  EXPECT_THAT(text, StartsWith("### `run.json`\n"));
  EXPECT_THAT(text, HasSubstr("| region |"));
  EXPECT_THAT(text, HasSubstr("\n| <code>B so&#124;lve</code> |"));
}

TEST(Markdown, ComparisonIsATable) {
  const Compared compared(Job("old|", {{"so|lve", 1}}), Job("new", {{"so|lve", 1.2}}));
  const std::string text = RenderComparisonMarkdown(compared.jobs());
  EXPECT_THAT(text, StartsWith("First: <code>old&#124;</code>, executions: 5."));
  EXPECT_THAT(text, HasSubstr("- so\\|lve took 20.0 % more time"));
  EXPECT_THAT(text, HasSubstr("\n| <code>so&#124;lve</code> | 1.00 s → 1.20 s | +20.0 %\\* |"));
}

TEST(Change, TextsOfFactors) {
  EXPECT_THAT(ChangeText(1.1), Eq("+10.0 %"));
  EXPECT_THAT(ChangeText(0.9), Eq("-10.0 %"));
  EXPECT_THAT(ChangeText(4), Eq("x4"));
  EXPECT_THAT(ChangeText(0.25), Eq("x0.25"));
}

}  // namespace
}  // namespace roofmark
