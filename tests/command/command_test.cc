// SPDX-License-Identifier: BSD-3-Clause
//
// The command as a user runs it: exit status, files, exact messages.
#include "lib/core/messages/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/messages/recording.h"
#include "lib/profile/whole.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class Command : public testing::Test {
 protected:
  Ended Roofmark(std::vector<std::string> arguments) {
    if (arguments.size() > 1 && arguments[0] == "run") {
      arguments.insert(arguments.begin() + 1, "--no-machine");
    }
    arguments.insert(arguments.begin(), ROOFMARK);
    // A cache of its own, so that the machine file of this account plays no part.
    return test::Run(arguments, {{"XDG_CACHE_HOME", directory_.path()}, {"LC_ALL", "C.UTF-8"}},
                     directory_.path());
  }
  void WriteProgram(const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFile(directory_.File(name), text, IfExists::kReplace));
    ASSERT_EQ(chmod(directory_.File(name).c_str(), 0755), 0);
  }
  std::string Text(const std::string& name) {
    const Result<std::string> text = ReadFile(directory_.File(name));
    return text ? *text : "";
  }
  test::TempDir directory_;
};

TEST_F(Command, HelpAndUsage) {
  EXPECT_EQ(Roofmark({"--help"}).status, 0);
  EXPECT_THAT(Roofmark({"--help"}).out, HasSubstr("roofmark run -- mpirun -n 4 ./app"));
  EXPECT_THAT(Roofmark({"--version"}).out, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(Roofmark({}).status, 2);
  EXPECT_EQ(Roofmark({"frobnicate"}).status, 2);
  EXPECT_EQ(Roofmark({"run"}).status, 2);
}

TEST_F(Command, SettingsAreListed) {
  EXPECT_THAT(Roofmark({"settings"}).out,
              HasSubstr("ROOFMARK_COLLECTOR = auto, timer, perf_event, papi"));
}

TEST_F(Command, SettingsDocumentIsUpToDate) {
  const Result<std::string> document = ReadFile(DOCS "/settings.md");
  ASSERT_TRUE(document);
  EXPECT_EQ(*document, Roofmark({"settings", "--markdown"}).out)
      << "regenerate: roofmark settings --markdown > docs/settings.md";
}

TEST_F(Command, ExplainsWordsOfReports) {
  const Ended chain = Roofmark({"explain", "chain"});
  EXPECT_EQ(chain.status, 0);
  EXPECT_THAT(chain.out, testing::StartsWith("chain (limit)\n"));
  EXPECT_THAT(Roofmark({"explain", "held", "by"}).out, HasSubstr("held by (column)"));
  const Ended misspelt = Roofmark({"explain", "chian"});
  EXPECT_EQ(misspelt.status, 2);
  EXPECT_THAT(misspelt.err, test::Says(message::kNothingToExplain, "chian", "did you mean chain?"));
  EXPECT_THAT(Roofmark({"explain"}).out, HasSubstr("compute, DRAM"));
}

TEST_F(Command, ColorsAreForTerminals) {
  const Ended run = Roofmark({"run", "-o", "run.json", "--work", "never", "--", WORKING, "nested"});
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string plain = Roofmark({"report", "run.json"}).out;
  EXPECT_EQ(plain.find('\033'), std::string::npos);
  const std::string color = Roofmark({"report", "run.json", "--color", "always"}).out;
  EXPECT_THAT(color, HasSubstr("\033[1m"));
  EXPECT_EQ(Roofmark({"report", "run.json", "--color", "never"}).out, plain);
}

TEST_F(Command, TheWidthTakesNoFile) {
  for (const char* name : {"a.json", "b.json"}) {
    const Ended run = Roofmark({"run", "-o", name, "--work", "never", "--", WORKING, "nested"});
    ASSERT_EQ(run.status, 0) << run.err;
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"report", "--width", "100", "a.json", "b.json"},
        {"report", "a.json", "--width=85mm", "--width", "100", "b.json"}}) {
    const Ended ended = Roofmark(words);
    EXPECT_EQ(ended.err.find("--width"), std::string::npos) << ended.err;
    EXPECT_NE(ended.status, 2);
  }
  // Both files are read: that they had equally many workers is known.
  EXPECT_THAT(Roofmark({"scaling", "--width", "100", "a.json", "b.json"}).err,
              test::Says(message::kSameWorkers, testing::_));
}

TEST_F(Command, RunJoinsTimeAndWork) {
  const Ended ended =
      Roofmark({"run", "-o", "run.json", "--cache", "L1:32K:8,L2:256K:8", "--", WORKING, "nested"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, testing::StartsWith("done\ndone\n")) << "both passes' output is shown";
  EXPECT_THAT(ended.out, HasSubstr("inner"));
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  ASSERT_EQ(job.run.passes.size(), 2u);
  EXPECT_EQ(job.run.passes[0].collector, "timer");
  EXPECT_EQ(job.run.passes[1].collector, "counting");
  EXPECT_EQ(Value(job, "outer/inner", metric::kVisits), 12u);
  EXPECT_EQ(Value(job, "outer/inner", metric::kWorkerFlopsMax), 24'000u);
  EXPECT_EQ(job.sources[metric::kTimeNs].origin, "timer");
  EXPECT_THAT(test::ListFiles(directory_.path()), testing::ElementsAre("run.json"))
      << "the passes' own files are left";
}

TEST_F(Command, DefaultOutputIsNamedAfterTheProgramAndNumbered) {
  ASSERT_EQ(Roofmark({"run", "--no-report", "--collector", "timer", "--", "env", WORKING, "nested"})
                .status,
            0);
  const std::string first = Text("working.roofline.json");
  const Ended again = Roofmark({"run", "--collector", "timer", "--", WORKING, "nested"});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(
      again.err,
      test::LineOf(message::kOutputExists, "working.roofline.json", "working.roofline.1.json") +
          "roofmark: time pass\n" + test::LineOf(message::kWrote, "working.roofline.1.json"));
  EXPECT_EQ(Text("working.roofline.json"), first);
  EXPECT_EQ(Value(test::ReadRoofline(directory_.File("working.roofline.1.json")).job, "outer/inner",
                  metric::kVisits),
            12u);
  EXPECT_EQ(
      Roofmark({"run", "--force", "--no-report", "--collector", "timer", "--", WORKING, "nested"})
          .status,
      0);
}

TEST_F(Command, CommandThatDoesNotExist) {
  const Ended ended = Roofmark({"run", "--", "./nothing"});
  EXPECT_EQ(ended.status, 127);
  EXPECT_THAT(ended.err, HasSubstr("roofmark: cannot run ./nothing: No such file or directory\n"));
  WriteProgram("plain", "#!/bin/sh\n");
  ASSERT_EQ(chmod(directory_.File("plain").c_str(), 0644), 0);
  const Ended forbidden = Roofmark({"run", "--", "./plain"});
  EXPECT_EQ(forbidden.status, 126);
  EXPECT_THAT(forbidden.err, HasSubstr("roofmark: cannot run ./plain: Permission denied\n"));
}

TEST_F(Command, ExitStatusIsTheProgramsAndWhatWasMeasuredIsKept) {
  WriteProgram("fails", "#!/bin/sh\n" WORKING " nested\nexit 3\n");
  const Ended ended = Roofmark({"run", "-o", "run.json", "--", "./fails"});
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.err,
              HasSubstr("roofmark: ./fails ended with status 3; the measurements until then "
                        "are kept. No work pass follows (--ignore-status: it does)\n"));
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_EQ(job.run.passes.size(), 1u) << "a failed time pass is not followed by a work pass";
  EXPECT_EQ(Value(job, "outer", metric::kVisits), 3u);
}

TEST_F(Command, ProgramWithoutMarkers) {
  const Ended ended = Roofmark({"run", "-o", "run.json", "--", WORKING});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr(test::LineOf(message::kNoRegionEntered)));
  const JobProfile whole = WholeOf(test::ReadRoofline(directory_.File("run.json")).job);
  EXPECT_GT(Value(whole, "(program)", metric::kTimeNs), 0u);
  EXPECT_EQ(Value(whole, "(program)", metric::kTimeNs), Value(whole, "(outside)", metric::kTimeNs));
}

TEST_F(Command, ProgramWithoutTheLibrary) {
  const Ended ended = Roofmark({"run", "-o", "run.json", "--", "true"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err,
              HasSubstr("roofmark: true ran, but recorded nothing: is it linked with "
                        "-lroofmark (or run with --preload), and does it reach a marker?\n"));
  EXPECT_THAT(test::ListFiles(directory_.path()), IsEmpty());
}

TEST_F(Command, ProgramThatFailsBeforeItsFirstMarker) {
  const Ended ended = Roofmark({"run", "-o", "run.json", "--", "false"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("roofmark: false ended with status 1\n"));
  EXPECT_THAT(ended.err,
              HasSubstr("roofmark: false recorded nothing (status 1): it failed before its first "
                        "marker, or it is not linked with -lroofmark (see --preload)\n"));
}

TEST_F(Command, OutputThatCannotBeWritten) {
  const Ended ended = Roofmark({"run", "-o", "/nowhere/run.json", "--", WORKING, "nested"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.out, "") << "the program ran although nothing could be kept";
  EXPECT_EQ(ended.err, test::LineOf(message::kOtherPlaceForFile,
                                    "cannot write /nowhere/run.json: No such file or directory"));
}

TEST_F(Command, PassesThatDiffer) {
  WriteProgram("differs", "#!/bin/sh\nif [ \"$ROOFMARK_COLLECTOR\" != counting ]; then " WORKING
                          " nested; else " WORKING " many; fi\n");
  const Ended ended = Roofmark({"run", "-o", "run.json", "--", "./differs"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(test::ReadRoofline(directory_.File("run.json")).job.run.warnings,
              Contains("region \"many\" was entered only in the work pass"));
}

TEST_F(Command, WorkPassThatDiesLeavesTheTimes) {
  WriteProgram("dies",
               "#!/bin/sh\n[ \"$ROOFMARK_COLLECTOR\" != counting ] || kill -9 $$\nexec " WORKING
               " nested\n");
  const Ended ended = Roofmark({"run", "-o", "run.json", "--", "./dies"});
  EXPECT_EQ(ended.status, 137);
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_EQ(Value(job, "outer", metric::kVisits), 3u);
  EXPECT_EQ(job.sources[metric::kInstructions].reason,
            "the work pass left no counts (it ended with status 137 (128 + SIGKILL))");
}

TEST_F(Command, WorkPassInItsOwnDirectory) {
  ASSERT_TRUE(WriteFile(directory_.File("pwds"), "", IfExists::kReplace));
  WriteProgram("where", "#!/bin/sh\npwd >>" + directory_.File("pwds") + "\n" WORKING " nested\n");
  const test::TempDir other;
  const Ended ended = Roofmark({"run", "-o", "run.json", "--workdir", other.path(), "--no-report",
                                "--", directory_.File("where")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Text("pwds"), directory_.path() + "\n" + other.path() + "\n");
}

TEST_F(Command, ReportNamesWhatIsWrongWithAFile) {
  ASSERT_EQ(Roofmark({"run", "-o", "run.json", "--collector", "timer", "--no-report", "--", WORKING,
                      "nested"})
                .status,
            0);
  const std::string good = Text("run.json");
  const auto message = [&](const std::string& text) {
    EXPECT_TRUE(WriteFile(directory_.File("bad.json"), text, IfExists::kReplace));
    const Ended ended = Roofmark({"report", "bad.json"});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_THAT(message(good.substr(0, good.size() / 2)),
              HasSubstr("roofmark: bad.json is truncated"));
  EXPECT_THAT(message("{\"name\": \"x\"}"), HasSubstr("roofmark: bad.json is no roofline file"));
  EXPECT_THAT(message("hello"), HasSubstr("roofmark: bad.json is no roofline file"));
  const Ended missing = Roofmark({"report", "missing.json"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.err, "roofmark: cannot read missing.json: No such file or directory\n");
}

TEST_F(Command, ReportsInEveryForm) {
  ASSERT_EQ(Roofmark({"run", "-o", "run.json", "--no-report", "--", WORKING, "nested"}).status, 0);
  const Ended ended = Roofmark(
      {"report", "run.json", "--csv", "run.csv", "--svg", "run.svg", "--html", "run.html"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("outer"));
  EXPECT_THAT(Text("run.csv"),
              testing::StartsWith("path,metric,unit,origin,status,scope,ranks,sum,mean,"
                                  "min,min_rank,max,max_rank,stddev,kind\n"));
  EXPECT_THAT(Text("run.csv"), HasSubstr("outer/inner,flops_dp,"));
  EXPECT_THAT(Text("run.svg"), HasSubstr("<svg"));
  EXPECT_THAT(Text("run.html"), HasSubstr("<svg"));
  const Ended csv = Roofmark({"report", "run.json", "--csv", "-"});
  EXPECT_EQ(csv.out, Text("run.csv")) << "CSV on standard output stands alone";
  const Ended again = Roofmark({"report", "run.json", "--svg", "run.svg"});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, HasSubstr("run.svg exists already"));
}

TEST_F(Command, MergeJoinsPartsAndRefusesWhatDoesNotFit) {
  for (const char* rank : {"0", "1"}) {
    // A launch of three processes without MPI: each writes its part.
    ASSERT_EQ(test::Run({WORKING, "nested"}, {{"ROOFMARK_COLLECTOR", "timer"},
                                              {"ROOFMARK_OUTPUT", directory_.File("run.json")},
                                              {"OMPI_COMM_WORLD_RANK", rank},
                                              {"OMPI_COMM_WORLD_SIZE", "3"}})
                  .status,
              0);
  }
  const Ended merged = Roofmark({"merge", "run.part0.json", "run.part1.json", "-o", "all.json"});
  ASSERT_EQ(merged.status, 0) << merged.err;
  EXPECT_EQ(merged.err, test::LineOf(message::kMerged, 2, 3, "all.json"));
  const JobProfile job = test::ReadRoofline(directory_.File("all.json")).job;
  EXPECT_EQ(Value(job, "outer", metric::kVisits), 6u);
  EXPECT_THAT(job.run.warnings, Contains("1 of 3 ranks are missing: 2"));
  const Ended folder = Roofmark({"merge", ".", "-o", "folder.json"});
  EXPECT_EQ(folder.err, test::LineOf(message::kMerged, 2, 3, "folder.json"));
  EXPECT_EQ(Text("folder.json"), Text("all.json"));
  std::filesystem::create_directory(directory_.File("empty"));
  EXPECT_THAT(Roofmark({"merge", "empty", "-o", "x.json"}).err,
              test::Says(message::kNoParts, "empty"));
  EXPECT_THAT(Roofmark({"merge", "run.part0.json", "run.part0.json", "-o", "x.json"}).err,
              HasSubstr("run.part0.json and run.part0.json both belong to rank 0"));
  EXPECT_THAT(Roofmark({"merge", "run.part0.json", "all.json", "-o", "x.json"}).err,
              HasSubstr("run.part0.json and all.json both belong to rank 0"))
      << "in any order";
  EXPECT_THAT(Roofmark({"merge", "all.json", "run.part1.json", "-o", "x.json"}).err,
              HasSubstr("both have ranks of node"));
}

TEST_F(Command, CompareShowsWhatChanged) {
  for (const char* name : {"a.json", "b.json"}) {
    ASSERT_EQ(Roofmark({"run", "-o", name, "--no-report", "--", WORKING,
                        name[0] == 'a' ? "nested" : "many"})
                  .status,
              0);
  }
  const Ended ended = Roofmark({"compare", "a.json", "b.json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  // Where other programs use the CPUs, times hold no verdict at all.
  EXPECT_THAT(ended.out, testing::AnyOf(HasSubstr("noise between runs is not known"),
                                        HasSubstr("cannot be decided")));
  EXPECT_THAT(ended.out, HasSubstr("vanished: outer"));
  const Ended same = Roofmark({"compare", "a.json", "a.json", "--csv", "-"});
  EXPECT_THAT(same.out,
              testing::ContainsRegex("outer,outer,both,intensity_dram,[^,]*,[^,]*,[^,]*,1,"));
}

TEST_F(Command, PortabilityIsZeroWhereAPlatformLacksARegion) {
  for (const char* name : {"a.json", "b.json"}) {
    ASSERT_EQ(Roofmark({"run", "-o", name, "--no-report", "--", WORKING,
                        name[0] == 'a' ? "nested" : "many"})
                  .status,
              0);
  }
  const Ended ended = Roofmark({"portability", "a.json", "b.json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("1: a.json\n2: b.json\n"));
  EXPECT_THAT(ended.out, HasSubstr("efficiency_no_fma_roof: achieved over attainable"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("outer +- +- +0.00 %\n"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("\nefficiency\n(.*\n)*outer +1 -\n"));
  // Without a machine file there are no efficiencies, and it says so.
  EXPECT_THAT(ended.err, test::Says(message::kNoEfficiencies, testing::_, testing::_));
  EXPECT_THAT(Roofmark({"portability", "a.json", "--csv"}).out,
              HasSubstr("outer,efficiency_no_fma_roof,a.json,\n"
                        "outer,efficiency_no_fma_roof,,0\n"));
  EXPECT_EQ(Roofmark({"portability", "missing.json"}).status, 1);
}

TEST_F(Command, ReportAsJsonIsAllThatGoesToStandardOutput) {
  ASSERT_EQ(Roofmark({"run", "-o", "a.json", "--no-report", "--", WORKING, "nested"}).status, 0);
  const Ended ended = Roofmark({"report", "a.json", "--json", "-"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, testing::StartsWith("{\n  \"format\": \"roofmark-analysis\""));
  EXPECT_EQ(Roofmark({"report", "a.json", "--chart", "pie"}).status, 2);
}

TEST_F(Command, PreloadsTheLibraryIntoForeignPrograms) {
  const Ended ended = Roofmark({"run", "--preload", "-o", "run.json", "--no-report", "--", "sh",
                                "-c", OPENS_LATE " " LIBRARY});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Value(test::ReadRoofline(directory_.File("run.json")).job, "late", metric::kVisits),
            1u);
}

}  // namespace
}  // namespace roofmark::test
