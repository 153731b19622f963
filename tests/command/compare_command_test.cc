// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark compare, scaling, portability and run --against as users call them, on files whose
// times are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/profile/roofline_json.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class CompareCommand : public ::testing::Test {
 protected:
  // One execution where `spread` is 0.
  void Write(const std::string& name, const std::string& path, double seconds, double spread = 0.01,
             uint32_t ranks = 1) {
    RooflineFile file;
    file.job = test::EmptyJob(ranks);
    test::AddPass(file.job, "timer", 10);
    const size_t row = test::AddPath(file.job, path);
    const auto ns = [&](double factor) { return static_cast<uint64_t>(seconds * factor * 1e9); };
    test::Set(file.job, row, metric::kTimeNs, std::vector<uint64_t>(ranks, ns(1)), "timer");
    for (const double off : {0.0, 1.0, -1.0, 0.5, -0.5}) {
      if (spread == 0) break;
      file.job.run.repeats_s.push_back(10 * (1 + spread * off));
      file.job.paths[row].repeats_ns.push_back(ns(1 + spread * off));
    }
    ASSERT_TRUE(WriteFile(directory_.File(name), RooflineToJson(file), IfExists::kReplace));
  }
  test::Ended Roofmark(const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {ROOFMARK};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return test::Run(command, {{"XDG_CACHE_HOME", directory_.path()}, {"LC_ALL", "C.UTF-8"}},
                     directory_.path());
  }
  test::TempDir directory_;
};

TEST_F(CompareCommand, RulesDecideTheStatus) {
  Write("old.json", "solve", 1);
  Write("new.json", "solve", 1.1);
  Write("once.json", "solve", 1.1, 0);
  const auto status = [&](const char* file, const char* rule) {
    return Roofmark({"compare", "old.json", file, "--fail-on", rule}).status;
  };
  EXPECT_EQ(Roofmark({"compare", "old.json", "new.json"}).status, 0);
  EXPECT_EQ(status("new.json", "solve: time > +5%"), 3);
  EXPECT_EQ(status("new.json", "solve: time > +15%"), 0);
  EXPECT_EQ(status("old.json", "solve: time > +5%"), 0);
  EXPECT_EQ(status("once.json", "solve: time > +5%"), 4);
  EXPECT_EQ(status("new.json", "other: time > +5%"), 2);
  EXPECT_EQ(status("new.json", "solve: time"), 2);
  EXPECT_THAT(Roofmark({"compare", "old.json", "new.json", "--fail-on", "*: time > +5%"}).err,
              HasSubstr("broken: *: time > +5%: solve took 10.0 % more time ("));
}

// Twice the time, on CPUs that another program used: no rule is broken by that.
TEST_F(CompareCommand, TimesThatDoNotHoldLeaveRulesUndecided) {
  Write("old.json", "solve", 1);
  Write("new.json", "solve", 2);
  RooflineFile file = test::ReadRoofline(directory_.File("new.json"));
  file.job.run.kernel.run_queue_ns = Cell::Of(4'000'000'000, 0, Status::kMeasured);
  ASSERT_TRUE(WriteFile(directory_.File("new.json"), RooflineToJson(file), IfExists::kReplace));
  const test::Ended ended =
      Roofmark({"compare", "old.json", "new.json", "--fail-on", "solve: time > +5%"});
  EXPECT_EQ(ended.status, 4);
  EXPECT_THAT(ended.out, HasSubstr("cannot be decided"));
  EXPECT_THAT(ended.err, HasSubstr("undecided: solve: time > +5%: solve: times of new.json do "));
}

// The worst of all files counts: the second one breaks the rule, the third does not.
TEST_F(CompareCommand, SeveralFiles) {
  Write("old.json", "solve", 1);
  Write("new.json", "solve", 1.1);
  const test::Ended ended =
      Roofmark({"compare", "old.json", "new.json", "old.json", "--fail-on", "solve: time > +5%"});
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.out, HasSubstr("1 of 1 region changed"));
  EXPECT_THAT(ended.out, HasSubstr("no change of time beyond noise"));
  EXPECT_EQ(Roofmark({"compare", "old.json"}).status, 2);
  EXPECT_EQ(Roofmark({"compare", "old.json", "missing.json"}).status, 1);
}

TEST_F(CompareCommand, Renames) {
  Write("old.json", "solve", 1);
  Write("new.json", "cg", 1.2);
  EXPECT_THAT(Roofmark({"compare", "old.json", "new.json"}).out, HasSubstr("vanished: solve"));
  EXPECT_THAT(Roofmark({"compare", "old.json", "new.json", "--rename", "solve=cg"}).out,
              HasSubstr("solve, now cg, took 20.0 % more time"));
  ASSERT_TRUE(WriteFile(directory_.File("names"), "# old=new\nsolve=cg\nx\n", IfExists::kReplace));
  const test::Ended wrong = Roofmark({"compare", "old.json", "new.json", "--rename-file", "names"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err,
              test::Says(message::kBadRenameFile, "names", "line 3 has no =; give OLD=NEW"));
  EXPECT_THAT(Roofmark({"compare", "old.json", "new.json", "--rename", "other=cg"}).err,
              test::Says(message::kNoRegionToRename, "old.json", "other"));
}

TEST_F(CompareCommand, MarkdownAndCsvAreAllOfStandardOutput) {
  Write("old.json", "so|lve", 1);
  Write("new.json", "so|lve", 1.2);
  const test::Ended markdown = Roofmark({"compare", "old.json", "new.json", "--markdown", "-"});
  EXPECT_THAT(markdown.out, StartsWith("First: `old.json`"));
  EXPECT_THAT(markdown.out, HasSubstr("| <code>so&#124;lve</code> |"));
  const test::Ended csv = Roofmark({"compare", "old.json", "new.json", "--csv", "-"});
  EXPECT_THAT(csv.out, StartsWith("before,after,path,"));
  EXPECT_THAT(Roofmark({"report", "old.json", "--markdown", "-"}).out,
              StartsWith("### `old.json`"));
  EXPECT_EQ(Roofmark({"compare", "old.json", "new.json", "--markdown", "old.json"}).status, 2);
}

TEST_F(CompareCommand, Scaling) {
  Write("n1.json", "solve", 1, 0);
  Write("n4.json", "solve", 0.5, 0, 4);
  const test::Ended ended = Roofmark({"scaling", "n4.json", "n1.json", "--ascii"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("4 x 1 +500 ms +2.00 +50.0 %"));
  EXPECT_THAT(Roofmark({"scaling", "n1.json", "n4.json", "--weak"}).out,
              HasSubstr("weak scaling: work that grows with the workers"));
  EXPECT_THAT(Roofmark({"scaling", "n1.json", "n4.json", "--csv", "-"}).out,
              HasSubstr("solve,n4.json,4,1,4,efficiency,1,0.5\n"));
  const test::Ended same = Roofmark({"scaling", "n1.json", "n1.json"});
  EXPECT_EQ(same.status, 2);
  EXPECT_THAT(same.err, test::Says(message::kSameWorkers, 1.0));
  EXPECT_EQ(Roofmark({"scaling", "n1.json"}).status, 2);
}

// One chart each, in a file that a browser or an editor opens.
TEST_F(CompareCommand, PicturesAndPages) {
  Write("old.json", "solve", 1);
  Write("new.json", "solve", 1.2);
  Write("n4.json", "solve", 0.5, 0, 4);
  struct Case {
    std::vector<std::string> command;
    const char *svg, *html;  // what they hold
  };
  for (const Case& each :
       {Case{{"compare", "old.json", "new.json"}, "old.json → new.json", "took 20.0 % more time"},
        Case{{"compare", "old.json", "new.json", "old.json"},
             "old.json → old.json",
             "no change of time beyond noise"},
        Case{{"scaling", "old.json", "n4.json"}, "speedup over 1 x 1", "50 % efficiency"},
        Case{{"portability", "old.json", "new.json"}, "2: new.json", "over 2 platforms"}}) {
    std::vector<std::string> command = each.command;
    command.insert(command.end(), {"--svg", "out.svg", "--width", "85mm", "--theme", "dark",
                                   "--html", "out.html", "--force"});
    const test::Ended ended = Roofmark(command);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out, Not(IsEmpty())) << "the terminal shows what it did";
    const std::string svg = *ReadFile(directory_.File("out.svg"));
    EXPECT_THAT(svg, HasSubstr("width=\"85mm\""));
    EXPECT_THAT(svg, HasSubstr("data-theme=\"dark\""));
    EXPECT_THAT(svg, HasSubstr(each.svg));
    const std::string html = *ReadFile(directory_.File("out.html"));
    EXPECT_THAT(html, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(html, HasSubstr(each.html));
  }
}

TEST_F(CompareCommand, PicturesAreNotReplacedAndCanBeStandardOutput) {
  Write("old.json", "solve", 1);
  Write("n4.json", "solve", 0.5, 0, 4);
  ASSERT_TRUE(WriteFile(directory_.File("old.svg"), "mine", IfExists::kRefuse));
  for (const char* command : {"compare", "scaling", "portability"}) {
    const auto run = [&](std::vector<std::string> more) {
      more.insert(more.begin(), {command, "old.json", "n4.json"});
      return Roofmark(more);
    };
    const test::Ended refused = run({"--svg", "old.svg"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr("old.svg exists already"));
    EXPECT_EQ(run({"--width", "5mm", "--svg", "x.svg"}).status, 2);
    EXPECT_THAT(run({"--svg", "-"}).out, StartsWith("<svg "));
    EXPECT_THAT(run({"--html", "-"}).out, StartsWith("<!DOCTYPE html>"));
  }
}

#ifdef WORKING  // built with the counting engine only
// Both commands are executed as often, and both files are kept.
TEST_F(CompareCommand, RunAgainstTakesTurns) {
  const std::string old = std::string(WORKING) + " nested";
  const test::Ended ended =
      Roofmark({"run", "--collector", "timer", "--no-machine", "--repeat", "3", "--against", old,
                "-o", "run.json", "--", WORKING, "nested"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("time pass 1 of 3, before"));
  EXPECT_THAT(ended.err, HasSubstr("time pass 3 of 3, after"));
  // Who begins changes.
  EXPECT_LT(ended.err.find("pass 2 of 3, after"), ended.err.find("pass 2 of 3, before"));
  EXPECT_THAT(ended.out, HasSubstr("first:  run.before.json, 3 executions\n"));
  EXPECT_THAT(ended.out, Not(HasSubstr("did not take turns")));
  for (const char* name : {"run.json", "run.before.json"}) {
    EXPECT_EQ(test::ReadRoofline(directory_.File(name)).job.run.repeats_s.size(), 3u);
  }
  size_t left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
    left += entry.path().filename().string().find(".passes.") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(left, 0u);
}

TEST_F(CompareCommand, RunAgainstSaysWhatIsWrong) {
  const auto error = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {"run", "--no-machine"};
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), {"--", WORKING, "nested"});
    const test::Ended ended = Roofmark(command);
    EXPECT_EQ(ended.status, 2);
    return ended.err;
  };
  EXPECT_THAT(error({"--against", "'./a"}), HasSubstr("has a ' without its second one"));
  EXPECT_THAT(error({"--against", " "}), HasSubstr("has no word; give a command"));
  EXPECT_THAT(error({"--against", "./a", "--auto"}), HasSubstr("leave one of them out"));
  EXPECT_THAT(error({"--against", "./a", "-o", "-"}), HasSubstr("name a file with -o"));
}

// The other command fails: its status, and no comparison.
TEST_F(CompareCommand, RunAgainstACommandThatFails) {
  const test::Ended ended = Roofmark({"run", "--collector", "timer", "--no-machine", "--against",
                                      "/bin/false", "-o", "run.json", "--", WORKING, "nested"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, IsEmpty());
}
#endif

}  // namespace
}  // namespace roofmark
