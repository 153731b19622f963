// SPDX-License-Identifier: BSD-3-Clause
//
// From found loops to a program with markers: the patch applies, the program compiles, prints what
// it printed, and has the regions.
#include "lib/core/messages/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lib/core/file.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/support/process.h"
#include "tests/support/sanitizers.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using roofmark::test::AddPass;
using roofmark::test::AddPath;
using roofmark::test::EmptyJob;
using roofmark::test::Set;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct FoundLoop {
  std::string name;  // of the comment behind it
  std::string path;
};

class SuggestCommand : public ::testing::Test {
 protected:
  // The sample in a folder of its own, and the profile of its loops: each took half of the time of
  // the one before.
  void Prepare(const std::string& name, const std::vector<FoundLoop>& loops) {
    const Result<std::string> text = ReadFile(std::string(SAMPLES) + "/" + name);
    ASSERT_TRUE(text) << text.error();
    directory_.Write("src/" + name, *text);
    RooflineFile file{EmptyJob(1), {}};
    AddPass(file.job, "timer", 1.0);
    std::vector<FoundLoop> sorted = loops;
    std::sort(sorted.begin(), sorted.end(),
              [](const FoundLoop& a, const FoundLoop& b) { return a.path < b.path; });
    for (const FoundLoop& loop : sorted) {
      const size_t at = AddPath(file.job, loop.path, RegionKind::kFound);
      file.job.paths[at].file = "/build/of/somebody/src/" + name;
      const size_t here = text->find(" " + loop.name + (name == "sample.c" ? " */" : "\n"));
      ASSERT_NE(here, std::string::npos) << loop.name;
      file.job.paths[at].line = static_cast<uint32_t>(
          1 + std::count(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(here), '\n'));
      uint64_t time_ns = 400'000'000;
      for (const FoundLoop& each : loops) {
        if (each.path == loop.path) break;
        time_ns /= 2;
      }
      Set(file.job, at, metric::kTimeNs, {time_ns}, "timer");
      Set(file.job, at, metric::kVisits, {10}, "timer");
    }
    directory_.Write("found.json", RooflineToJson(file));
  }
  Ended Suggest(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {ROOFMARK, "suggest", "found.json"});
    return test::Run(arguments, {{"XDG_CACHE_HOME", directory_.path()}}, directory_.path());
  }
  // What the program prints; the compiler's messages if it does not compile.
  std::string Build(const std::string& compiler, const std::string& source,
                    const std::string& program) {
    std::vector<std::string> command = {compiler, "-O1", "-Wall", "-Werror",
                                        "-Wno-unknown-pragmas"};
    // As the library, which could not be loaded otherwise.
    if (ROOFMARK_TEST_ASAN) command.emplace_back("-fsanitize=address,undefined");
    if (ROOFMARK_TEST_TSAN) command.emplace_back("-fsanitize=thread");
    for (const std::string& each :
         {std::string("-I"), std::string(INCLUDE), source, std::string("-o"), program,
          std::string(LIBRARY), std::string("-Wl,-rpath,") + LIBRARY_DIR}) {
      command.push_back(each);
    }
    const Ended built = test::Run(command, {}, directory_.File("src"));
    if (built.status != 0) return built.err;
    return test::Run({directory_.File("src/" + program)}, {}, directory_.path()).out;
  }
  // The regions of the program that was patched.
  std::set<std::string> Regions(const std::string& program) {
    const Ended ended = test::Run({directory_.File("src/" + program)},
                                  {{"ROOFMARK", "on"},
                                   {"ROOFMARK_QUIET", "1"},
                                   {"ROOFMARK_OUTPUT", directory_.File("run.json")}},
                                  directory_.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    std::set<std::string> regions;
    for (const PathInfo& path : ReadRoofline(directory_.File("run.json")).job.paths) {
      regions.insert(path.path);
    }
    return regions;
  }
  // Applies the patch, and compares what the program prints before and after.
  void Patch(const std::string& compiler, const std::string& source) {
    const std::string before = Build(compiler, source, "before");
    ASSERT_THAT(before, HasSubstr("."));
    const Ended suggested = Suggest({"--diff", "--source", "src", "-o", "marks.patch"});
    ASSERT_EQ(suggested.status, 0) << suggested.err;
    said_ = suggested.err;
    const Ended patched =
        test::Run({"patch", "-p1", "-i", "../marks.patch"}, {}, directory_.File("src"));
    ASSERT_EQ(patched.status, 0) << patched.out << patched.err;
    if (test::Run({"git", "--version"}).status == 0) {
      const Ended back = test::Run({"git", "apply", "--check", "--reverse", "../marks.patch"}, {},
                                   directory_.File("src"));
      EXPECT_EQ(back.status, 0) << back.err;
    }
    EXPECT_EQ(Build(compiler, source, "after"), before);
  }

  const TempDir directory_;
  std::string said_;
};

TEST_F(SuggestCommand, APatchForC) {
  Prepare("sample.c", {{"loop sweep", "sample.c:12 in sweep()"},
                       {"loop relax", "sample.c:29 in relax()"},
                       {"loop find", "sample.c:21 in find()"}});
  if (test::Run({"patch", "--version"}).status != 0) GTEST_SKIP() << "there is no program `patch`";
  Patch(CC, "sample.c");
  EXPECT_THAT(said_,
              AllOf(HasSubstr("roofmark: sample.c:21 in find() is not marked: line 22 leaves it by "
                              "`return`"),
                    test::Says(message::kPatchWritten, "marks.patch", "marks.patch", "src")));
  EXPECT_EQ(Regions("after"), (std::set<std::string>{"sweep", "relax"}));
}

TEST_F(SuggestCommand, APatchForCxx) {
  Prepare("sample.cpp",
          {{"loop scale", "sample.cpp:16 in sample::Field<double>::Scale(double)()"},
           {"loop find", "sample.cpp:19 in sample::Field<double>::Find(double) const()"},
           {"function Sum", "sample::Field<double>::Sum() const()"},
           {"loop lambda", "sample.cpp:39 in main::{lambda(int)#1}::operator()(int) const()"}});
  if (test::Run({"patch", "--version"}).status != 0) GTEST_SKIP() << "there is no program `patch`";
  Patch(CXX, "sample.cpp");
  EXPECT_EQ(Regions("after"), (std::set<std::string>{"main", "main/Scale", "Sum", "Find"}));
}

TEST_F(SuggestCommand, TheTableRanks) {
  Prepare("sample.c",
          {{"loop sweep", "sample.c:12 in sweep()"}, {"loop find", "sample.c:21 in find()"}});
  const Ended shown = Suggest({"--source", "src"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("   1    67 %   40.0 ms        -  sweep   sample.c:12\n"));
  EXPECT_THAT(shown.out,
              HasSubstr("not proposed:\n    33 %  sample.c:21 in find(): line 22 leaves it by"));
  EXPECT_THAT(shown.out, HasSubstr("Ranked by time alone: "));
  EXPECT_THAT(Suggest({"--source", "src", "--least", "50000"}).out,
              AllOf(HasSubstr("it takes less than 50000 us per entry"), Not(HasSubstr("rank"))));
}

TEST_F(SuggestCommand, SourcesThatAreNotThere) {
  Prepare("sample.c", {{"loop sweep", "sample.c:12 in sweep()"}});
  const Ended shown = Suggest({});
  EXPECT_EQ(shown.status, 0);
  EXPECT_THAT(shown.out,
              HasSubstr("src/sample.c:12"));  // from the folder above, by the file's tail
  const Ended none = Suggest({"--source", "/", "--diff"});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out, IsEmpty());
  EXPECT_THAT(none.err,
              AllOf(HasSubstr("/build/of/somebody/src/sample.c is not in /; --source names"),
                    test::Says(message::kNothingToPatch)));
  directory_.Write("src/sample.c", "int main(void) { return 0; }\n");
  EXPECT_THAT(Suggest({}).out, HasSubstr("the file has no line 12: it is not the one that was"));
}

TEST_F(SuggestCommand, NothingIsWrittenIntoSourcesOrOverFiles) {
  Prepare("sample.c", {{"loop sweep", "sample.c:12 in sweep()"}});
  const Ended printed = Suggest({"--diff"});
  EXPECT_THAT(printed.out, StartsWith("--- a/src/sample.c\n+++ b/src/sample.c\n"));
  EXPECT_EQ(*ReadFile(directory_.File("src/sample.c")),
            *ReadFile(std::string(SAMPLES) + "/sample.c"));
  directory_.Write("marks.patch", "mine");
  EXPECT_EQ(Suggest({"--diff", "-o", "marks.patch"}).status, 1);
  EXPECT_EQ(*ReadFile(directory_.File("marks.patch")), "mine");
  EXPECT_EQ(Suggest({"-o", "marks.patch"}).status, 2);
}

TEST_F(SuggestCommand, FortranIsToldWhatToWrite) {
  RooflineFile file{EmptyJob(1), {}};
  const size_t at = AddPath(file.job, "solve.f90:2 in solve()", RegionKind::kFound);
  file.job.paths[at].file = "solve.f90";
  file.job.paths[at].line = 2;
  Set(file.job, at, metric::kTimeNs, {400'000'000}, "timer");
  Set(file.job, at, metric::kVisits, {10}, "timer");
  directory_.Write("found.json", RooflineToJson(file));
  directory_.Write("solve.f90", "subroutine solve\ndo i = 1, 2\nend do\nend\n");
  const Ended shown = Suggest({"--diff"});
  EXPECT_EQ(shown.status, 1);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("use roofmark"),
                               HasSubstr("call roofmark_begin(\"solve\")"), HasSubstr("line 2")));
}

TEST_F(SuggestCommand, FilesWithoutFoundLoops) {
  directory_.Write("found.json", RooflineToJson({EmptyJob(1), {}}));
  const Ended shown = Suggest({});
  EXPECT_EQ(shown.status, 1);
  EXPECT_THAT(shown.err, HasSubstr("found.json: it has no loops or functions that were found"));
}

}  // namespace
}  // namespace roofmark::test
