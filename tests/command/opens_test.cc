// SPDX-License-Identifier: BSD-3-Clause
//
// Files that the command finds by itself, in directories where others can put some: each is opened
// so that it is no link, and so that no pipe makes the command wait. All opens are looked at, by a
// library that notes them.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <sstream>

#include "lib/core/file.h"
#include "lib/model/machine_identity.h"
#include "lib/model/machine_json.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

struct Noted {
  int flags = 0;
  std::string path;
};

bool IsCareful(const Noted& opened) {
  constexpr int kReading = O_NONBLOCK | O_NOFOLLOW, kNew = O_CREAT | O_EXCL;
  return (opened.flags & kReading) == kReading || (opened.flags & kNew) == kNew ||
         (opened.flags & (O_PATH | O_DIRECTORY)) != 0;
}

// What the user chose otherwise than by its name on the command line.
struct Exempt {
  std::string_view begin, why;
};
constexpr Exempt kExempt[] = {
    {"cache/", "the user's own folder, or one named by a variable of the user's"},
    {"sources/", "of the folder of --source, and looked at before: sources are often links"},
};

// A directory with a job's files, and a pipe or a link under each name that is looked for.
class Opens : public testing::Test {
 protected:
  Opens() {
    directory_.Write("record", std::string(4096, '\0'));
    for (const char* name : {"spools", "cache/roofmark", "sources", "parts"}) {
      fs::create_directories(directory_.File(name));
    }
    Record("once", {{"ROOFMARK_OUTPUT", "run.json"}});
    Record("once", {{"ROOFMARK_OUTPUT", "other.json"}});
    Record("quick", {{"ROOFMARK_OUTPUT", "lost.json"}, {"ROOFMARK_SPOOL", "."}});
    Machine machine;
    FillIdentity(machine);
    Plant("machine-" + KindOf(machine) + ".json");
    directory_.Write("cache/roofmark/machine-" + KindOf(machine) + ".json", MachineToJson(machine));
    for (const char* name : {"pipe.spool", "run.part0.json", "run.part1", "run.samples0.json",
                             "run.executed0.json", "roofmark-1.json", "parts/run.part0.json"}) {
      Plant(name);
    }
    for (const char* name : {"link.spool", "link.part0.json"}) {
      fs::create_symlink("/dev/zero", directory_.File(name));
    }
    fs::create_symlink("run.json", directory_.File("link.part1.json"));
    directory_.Write("sources/busy.c", "int main(void) { return 0; }\n");
  }
  void Record(const char* how, test::Environment variables) const {
    variables.insert({{"ROOFMARK_COLLECTOR", "timer"}, {"ROOFMARK_QUIET", "1"}});
    variables.insert({"ROOFMARK_SPOOL", directory_.File("spools")});
    test::Run({BUSY, how, directory_.File("record")}, variables, directory_.path());
  }
  void Plant(const std::string& name) const {
    ASSERT_EQ(mkfifo(directory_.File(name).c_str(), 0600), 0) << name;
  }

  // Those in the directory that are not named in the command line.
  std::vector<Noted> FoundBy(const std::vector<std::string>& words, Ended& ended) const {
    const std::string log = directory_.File("cache/opens");
    fs::remove(log);
    std::vector<std::string> command = {ROOFMARK};
    command.insert(command.end(), words.begin(), words.end());
    ended = test::Run(command,
                      {{"LD_PRELOAD", NOTED_OPENS},
                       {"NOTED_OPENS", log},
                       {"XDG_CACHE_HOME", directory_.File("cache")}},
                      directory_.path(), /*seconds=*/20);
    const Result<std::string> noted = ReadFile(log);
    std::istringstream lines(noted ? *noted : "");
    std::vector<Noted> found;
    for (std::string line; std::getline(lines, line);) {
      const size_t blank = line.find(' ');
      Noted opened{std::stoi(line.substr(0, blank), nullptr, 8), line.substr(blank + 1)};
      const fs::path path = fs::path(directory_.path()) / opened.path;
      const std::string name = path.lexically_normal().lexically_relative(directory_.path());
      const bool is_named = std::find(words.begin(), words.end(), name) != words.end();
      if (name.starts_with("..") || is_named || name == ".") continue;
      opened.path = name;
      found.push_back(opened);
    }
    return found;
  }
  const test::TempDir directory_;
};

bool IsExempt(const std::string& name) {
  return std::any_of(std::begin(kExempt), std::end(kExempt),
                     [&](const Exempt& row) { return name.starts_with(row.begin); });
}

TEST_F(Opens, OfFilesThatWereFoundNeitherFollowNorWait) {
  size_t seen = 0;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"report", "run.json", "--html", "a.html", "--svg", "a.svg", "--json", "a.json"},
           {"compare", "run.json", "other.json"},
           {"portability", "run.json", "other.json"},
           {"scaling", "run.json", "other.json"},
           {"merge", "run.json", "-o", "merged.json"},
           {"recover", ".", "-o", "recovered.json"},
           {"merge", "parts", "-o", "merged_too.json"},
           {"top", "--once", "."},
           {"loops", "run.json"},
           {"suggest", "run.json", "--source", "sources"},
           {"machine", "--show"},
           {"run", "--no-report", "--collector", "timer", "--", BUSY, "once", "record"}}) {
    Ended ended;
    for (const Noted& opened : FoundBy(words, ended)) {
      ++seen;
      EXPECT_TRUE(IsCareful(opened) || IsExempt(opened.path))
          << words[0] << " opened " << opened.path << " with flags " << std::oct << opened.flags;
    }
    EXPECT_LT(ended.status, 128) << words[0] << " did not end: " << ended.err;
  }
  EXPECT_GT(seen, 10u) << "the library notes what is opened";
}

TEST_F(Opens, WhatIsNotBelievedIsNamed) {
  Ended ended;
  FoundBy({"recover", ".", "-o", "recovered.json"}, ended);
  EXPECT_THAT(
      ended.err,
      AllOf(HasSubstr("pipe.spool is not a regular file"), HasSubstr("link.spool is a link"),
            HasSubstr("run.part0.json is not a regular file"),
            HasSubstr("link.part0.json is a link"), HasSubstr("link.part1.json is a link")));
  EXPECT_EQ(ended.status, 0) << "the job's own spool is recovered all the same";
}

}  // namespace
}  // namespace roofmark
