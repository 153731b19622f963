// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark loops: hot loops of a program without markers, and of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "lib/core/file.h"
#include "lib/profile/roofline_json.h"
#include "tests/lib/incore/made_up_loops.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Ended;
using ::testing::HasSubstr;
using ::testing::Not;

class Loops : public ::testing::Test {
 protected:
  Ended Roofmark(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ROOFMARK);
    return test::Run(arguments, {{"LC_ALL", "C.UTF-8"}}, directory_.path());
  }
  // A file with the loops of no program.
  std::string MadeUp() {
    RooflineFile file;
    file.job.run.ranks_merged = file.job.run.ranks = 1;
    for (const char* path : {"solve", "solve/pick", "solve/triad"}) {
      file.job.paths.push_back({path, "", 0, RegionKind::kTeam});
    }
    file.job.cells = CellTable(file.job.paths.size());
    file.hot = test::MadeUpLoops();
    const std::string name = directory_.File("made_up.json");
    EXPECT_TRUE(WriteWhole(name, RooflineToJson(file)));
    return name;
  }
  static bool WriteWhole(const std::string& name, const std::string& text) {
    FILE* file = std::fopen(name.c_str(), "w");
    if (file == nullptr) return false;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && written;
  }

  test::TempDir directory_;
};

TEST_F(Loops, TheListAndTheCode) {
  const std::string file = MadeUp();
  const Ended list = Roofmark({"loops", file, "--no-llvm-mca"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("triad.c:12 in triad()"));
  const Ended triad = Roofmark({"loops", file, "triad", "--no-llvm-mca"});
  EXPECT_EQ(triad.status, 0) << triad.err;
  EXPECT_THAT(triad.out, HasSubstr("Entered 1.00k times, with 5.00 iterations each"));
  EXPECT_THAT(triad.out, Not(HasSubstr("pick.c:5")));
}

TEST_F(Loops, AnUnclearRegionIsAnErrorWithTheCandidates) {
  const std::string file = MadeUp();
  const Ended several = Roofmark({"loops", file, "i"});
  EXPECT_EQ(several.status, 2);
  EXPECT_THAT(several.err, HasSubstr("fits several regions"));
  EXPECT_THAT(several.err, HasSubstr("solve/pick"));
  EXPECT_THAT(several.err, HasSubstr("solve/triad"));
  const Ended none = Roofmark({"loops", file, "halo"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("fits no region; there are"));
}

TEST_F(Loops, AFileWithoutLoopsSaysHowToGetThem) {
  RooflineFile file;
  file.job.run.ranks_merged = file.job.run.ranks = 1;
  const std::string name = directory_.File("none.json");
  ASSERT_TRUE(WriteWhole(name, RooflineToJson(file)));
  const Ended ended = Roofmark({"loops", name});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("roofmark run --auto"));
  EXPECT_THAT(ended.err, HasSubstr("--loops"));
}

TEST_F(Loops, TheAnalysisHasThemToo) {
  const Ended ended = Roofmark({"report", MadeUp(), "--json", "-"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\"flops_per_iteration\""));
  EXPECT_THAT(ended.out, HasSubstr("\"gather\""));
}

#ifdef HOT_LOOPS

const HotLoop* Find(const HotLoops& hot, const std::string& function, bool is_loop = true) {
  const auto found = std::find_if(hot.loops.begin(), hot.loops.end(), [&](const HotLoop& code) {
    return code.function == function && code.header.has_value() == is_loop;
  });
  return found == hot.loops.end() ? nullptr : &*found;
}

// Of the path that ends so; 0 where there is none.
uint64_t FlopsOf(const JobProfile& job, std::string_view end) {
  for (size_t row = 0; row < job.paths.size(); ++row) {
    if (!("/" + job.paths[row].path).ends_with(end)) continue;
    Sum128 flops = 0;
    for (MetricId id = 0; id < kFlopClasses; ++id) flops += job.At(row, id).Sum();
    return static_cast<uint64_t>(flops);
  }
  return 0;
}

TEST_F(Loops, OfAProgramWithoutMarkers) {
  const Ended run = Roofmark({"run", "--auto", "--count", "flops", "--no-machine", "-o", "run.json",
                              "--", HOT_LOOPS, "60"});
  if (run.status == 77) GTEST_SKIP() << "this CPU has no AVX2";
  if (run.err.find("left no samples") != std::string::npos) {
    GTEST_SKIP() << "this machine takes no samples of time";
  }
  ASSERT_EQ(run.status, 0) << run.err;
  const Result<std::string> text = ReadFile(directory_.File("run.json"), 1 << 28);
  ASSERT_TRUE(text);
  const Result<RooflineFile> file = RooflineFromJson(*text, "run.json");
  ASSERT_TRUE(file) << file.error();
  const HotLoops& hot = file->hot;
  EXPECT_TRUE(hot.timed);

  const HotLoop* chain = Find(hot, "chain");
  ASSERT_NE(chain, nullptr);
  EXPECT_EQ(chain->entries, 60000u);
  EXPECT_EQ(chain->iterations, 60000u * 1024);
  EXPECT_THAT(chain->name, HasSubstr("hot_loops.c:34 in chain()"));
  ASSERT_FALSE(chain->blocks.empty());
  EXPECT_EQ(chain->blocks[0].times, chain->iterations);

  const HotLoop* triad = Find(hot, "triad");
  ASSERT_NE(triad, nullptr);
  EXPECT_EQ(triad->entries, 12'000'000u);
  EXPECT_EQ(triad->iterations, 60'000'000u) << "five vectors of four of 23 elements";
  EXPECT_NE(Find(hot, "triad", false), nullptr) << "the three elements that are left over";

  const Ended shown = Roofmark({"loops", "run.json", "in chain()", "--no-llvm-mca"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("1024 iterations each"));
  const Ended gather = Roofmark({"loops", "run.json", "in gather()", "--no-llvm-mca"});
  ASSERT_EQ(gather.status, 0) << gather.err;
  if (shown.out.find("without Zydis") == std::string::npos) {
    // The three additions behind the loop take next to no time.
    constexpr uint64_t kLoop = 60000 * 1024 * 4, kTail = 60000 * 3;
    EXPECT_EQ(FlopsOf(file->job, "/gather()"), kLoop + kTail);
    EXPECT_EQ(FlopsOf(file->job, "/gather()/hot_loops.c:26 in gather()"), kLoop);
    EXPECT_THAT(shown.out, HasSubstr("Floating-point arithmetic: scalar."));
    EXPECT_THAT(gather.out, HasSubstr("hot_loops.c:28: gathers 4 lanes at once"));
  }
}

TEST_F(Loops, OfMarkedRegions) {
  const Ended run = Roofmark({"run", "--loops", "--count", "flops", "--no-machine", "--no-report",
                              "-o", "run.json", "--", WORKING});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("--loops asks for a work pass"));
  const Ended shown = Roofmark({"loops", "run.json", "--no-llvm-mca"});
  EXPECT_EQ(shown.status, 0) << shown.err;
}

#endif

}  // namespace
}  // namespace roofmark
