// SPDX-License-Identifier: BSD-3-Clause
//
// Reports of codes that nobody of this project wrote, recorded with both MPIs on one machine, idle
// and busy (tests/recorded): nothing in them contradicts anything else.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "lib/model/advice.h"
#include "lib/model/machine_json.h"
#include "lib/profile/roofline_json.h"
#include "lib/profile/whole.h"
#include "lib/report/chart_layout.h"
#include "lib/report/place_labels.h"
#include "lib/report/terminal_chart.h"
#include "tests/lib/model/agreement.h"
#include "tests/lib/report/contradictions.h"
#include "tests/lib/report/svg_texts.h"

namespace roofmark {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string ReadFile(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// tests/recorded/strip made lists of cells.
void MakeCells(json& metrics) {
  for (json& cell : metrics) {
    if (cell.size() == 2) {
      const json value = cell[0];
      cell = {1, value, value, value, 0, value, 0, 0.0, cell[1]};
    }
    cell = {{"ranks", cell[0]},    {"sum", cell[1]},      {"mean", cell[2]},
            {"min", cell[3]},      {"min_rank", cell[4]}, {"max", cell[5]},
            {"max_rank", cell[6]}, {"stddev", cell[7]},   {"status", cell[8]}};
  }
}

JobProfile ReadJob(const std::string& name) {
  json file = json::parse(ReadFile(ROOFMARK_RECORDED_CODES "/" + name + ".json"));
  for (json& one : file["paths"]) MakeCells(one["metrics"]);
  for (const char* row : {"program", "outside"}) {
    if (file.contains(row)) MakeCells(file[row]["metrics"]);
  }
  Result<RooflineFile> read = RooflineFromJson(file.dump(), name);
  EXPECT_TRUE(read) << (read ? "" : read.error());
  return read ? read->job : JobProfile();
}

// Names of the files.
std::vector<std::string> Recorded() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(ROOFMARK_RECORDED_CODES)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() == ".json" && path.stem() != "machine")
      files.push_back(path.stem().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class RecordedRegions : public ::testing::TestWithParam<std::string> {
 protected:
  static ReportJob Job() {
    static const Machine machine =
        *MachineFromJson(ReadFile(ROOFMARK_RECORDED_CODES "/machine.json"), "machine.json");
    JobProfile job = ReadJob(GetParam());
    JobAnalysis analysis = Analyze(job, &machine);
    return {GetParam(), std::move(job), std::move(analysis)};
  }
};

TEST_P(RecordedRegions, AllThatIsSaidAgrees) {
  const ReportJob job = Job();
  ASSERT_FALSE(job.profile.paths.empty());
  for (size_t p = 0; p < job.profile.paths.size(); ++p) {
    SCOPED_TRACE(job.profile.paths[p].path);
    test::ExpectRegionAgrees(job.analysis.paths[p]);
  }
  for (const Advice& advice : AdviceFor(job.profile, job.analysis)) {
    SCOPED_TRACE(job.profile.paths[advice.path].path);
    test::ExpectAdviceAgrees(job.analysis.paths[advice.path], advice);
  }
}

TEST_P(RecordedRegions, NoSentenceContradictsAnother) {
  EXPECT_THAT(test::ContradictionsIn(Job()), IsEmpty());
}

TEST_P(RecordedRegions, TheProgramHasNoLessThanItsParts) {
  const ReportJob job = Job();
  if (job.analysis.whole.size() != kWholeRows) GTEST_SKIP() << "nothing is known of the whole";
  const PathAnalysis& whole = job.analysis.whole[static_cast<size_t>(WholeRow::kProgram)];
  constexpr auto kDram = static_cast<size_t>(MemoryLevel::kDram);
  for (const PathAnalysis& part : job.analysis.paths) {
    if (whole.total_flops && part.total_flops) {
      EXPECT_GE(*whole.total_flops, *part.total_flops);
    }
    if (whole.traffic_bytes[kDram] && part.traffic_bytes[kDram]) {
      EXPECT_GE(*whole.traffic_bytes[kDram], *part.traffic_bytes[kDram]);
    }
  }
}

// In which row of the drawing a name stands; none where it is left out, or a part of another name.
std::optional<size_t> RowOfName(const std::string& drawing, const std::string& name,
                                const Chart& chart) {
  for (const ChartLine& line : chart.lines) {
    if (line.label != name && line.label.find(name) != std::string::npos) return std::nullopt;
  }
  const size_t at = drawing.find(name);
  if (at == std::string::npos) return std::nullopt;
  return static_cast<size_t>(
      std::count(drawing.begin(), drawing.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST_P(RecordedRegions, InTheTerminalNoCeilingIsNamedAboveAHigherOne) {
  const ReportJob job = Job();
  for (const int width : {80, 120}) {
    const Chart chart = MakeChart(job);
    const std::string drawing = DrawInTerminal(chart, {width, false});
    for (const ChartLine& low : chart.lines) {
      for (const ChartLine& high : chart.lines) {
        if (low.memory || high.memory || high.y0 <= low.y0) continue;
        const auto below = RowOfName(drawing, low.label, chart),
                   above = RowOfName(drawing, high.label, chart);
        if (below && above) {
          EXPECT_LE(*above, *below) << high.label << " over " << low.label;
        }
      }
    }
  }
}

TEST_P(RecordedRegions, InThePictureNoRoofStandsBetweenItsOwnAndANameFartherOff) {
  const Chart chart = MakeChart(Job());
  const LogPlot plot(PlotFrame(), chart.Range());
  const ChartLayout layout = LayOut(chart, plot);
  for (size_t i = 0; i < chart.lines.size(); ++i) {
    if (!layout.lines[i] || chart.lines[i].memory || layout.lines[i]->place.has_leader) continue;
    const double own = plot.Y(chart.lines[i].y0), name = layout.lines[i]->box.y;
    if (std::abs(own - name) < LetterSize(plot.frame())) continue;  // right at its line
    for (const ChartLine& other : chart.lines) {
      const double y = plot.Y(other.y0);
      const bool between = !other.memory && y > std::min(own, name) && y < std::max(own, name);
      EXPECT_FALSE(between) << other.label << " is between " << chart.lines[i].label
                            << " and its name";
    }
  }
}

// A name on a line or a dot is read as another one's, or not at all.
TEST_P(RecordedRegions, InPicturesNoTextLiesOnAnythingElse) {
  const ReportJob job = Job();
  for (const ChartKind kind :
       {ChartKind::kRoofline, ChartKind::kHierarchical, ChartKind::kCacheAware}) {
    for (const PictureStyle& style : {PictureStyle(), PictureStyle{.width_mm = 85},
                                      PictureStyle{85, SvgTheme::kLight, 4.0 / 3, true, true}}) {
      test::ExpectTextsApart(RenderSvg({job}, kind, style),
                             fmt::format("kind {}, {} mm, {:.2f}", static_cast<int>(kind),
                                         style.width_mm, style.aspect));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Codes, RecordedRegions, ::testing::ValuesIn(Recorded()),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Recorded, HaveRegionsOfMostLimits) {
  std::set<std::string> marks;
  const Machine machine =
      *MachineFromJson(ReadFile(ROOFMARK_RECORDED_CODES "/machine.json"), "machine.json");
  for (const std::string& name : Recorded()) {
    JobProfile profile = ReadJob(name);
    JobAnalysis analysis = Analyze(profile, &machine);
    for (const auto& said : test::AllThatIsSaid({"", std::move(profile), std::move(analysis)})) {
      marks.insert(said.mark);
    }
  }
  for (const char* mark : {"wait", "?", "compute", "chain", "OS"})
    EXPECT_TRUE(marks.count(mark)) << mark;
}

// What reports had said once, each in words.
TEST(Contradictions, AreFoundInWhatReportsOnceSaid) {
  const auto found = [](const char* mark, const char* line, const char* advice = "") {
    return test::ContradictionsIn(test::Said{"r", mark, {line}, {advice}});
  };
  EXPECT_THAT(found("DRAM", "computation limits it: its work needs at least 1s of 2s"),
              Contains(HasSubstr("the table says otherwise")));
  EXPECT_THAT(found("compute", "computation limits it: 1s of 2s; DRAM binds"),
              Contains(HasSubstr("something binds")));
  EXPECT_THAT(
      found("DRAM", "DRAM bandwidth limits it: 1s of 2s", "Vectorise (1 lane of 4): saves 1 s"),
      Contains(HasSubstr("memory limits, and advised is Vectorise")));
  EXPECT_THAT(found("compute", "moving right gains nothing, moving up gains nothing"),
              Contains(HasSubstr("no move")));
  EXPECT_THAT(found("compute", "above 1/2 of the cores: busiest worker 1.00x"),
              Contains(HasSubstr("imbalance of nothing")));
  EXPECT_THAT(found("?",
                    "its work needs 1 s of 9 s, the other 8 s is not explained; computation "
                    "limits it"),
              Contains(HasSubstr("explained and not")));
  EXPECT_THAT(found("wait", "97 % of its time is spent inside MPI", "Vectorise: saves 1 s"),
              Contains(HasSubstr("it waits")));
}

TEST(Contradictions, AreNotFoundInWhatAgrees) {
  EXPECT_THAT(test::ContradictionsIn(
                  test::Said{"r",
                             "DRAM",
                             {"DRAM bandwidth limits it: its work needs at least 1s of 1.2s (83%)"},
                             {"Read several streams at once (one stream): saves 1 s"}}),
              IsEmpty());
}

}  // namespace
}  // namespace roofmark
