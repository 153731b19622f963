// SPDX-License-Identifier: BSD-3-Clause
#include "command/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/output.h"

namespace roofmark::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

enum class Kind { kOne, kTwo };

// A command line with one subcommand that takes everything that can be declared.
struct Line {
  Line() {
    const Command command = line.Add("draw", "Draws.");
    command.Flag("--force", force, "Replace");
    command.Choice<Kind>("--kind", kind, {{"one", Kind::kOne}, {"two", Kind::kTwo}}, "Which");
    command.Value("--word", word, "A word").OneOf({"red", "green"});
    command.Value("--seconds", seconds, "How long").Within(1, 10).Shown("S").Needs("--word");
    command.Value("--sample", sample, "One of").Within(1, 256).Excludes("--force");
    command.Value("--job", jobs, "Jobs").OneEachTime();
    command.Flag("--secret", secret).Hidden();
    command.Value("FILE", files, "Files").Required();
    command.Runs([this] {
      runs += 1;
      return 7;
    });
  }

  int Parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "draw");
    return ParseAll(arguments);
  }

  int ParseAll(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "roofmark");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = line.Parse(static_cast<int>(arguments.size()), arguments.data());
    FlushOutput();
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return status;
  }

  CommandLine line{"About.", "1.2"};
  bool force = false, secret = false;
  Kind kind = Kind::kOne;
  std::string word, out, err;
  double seconds = 0;
  uint32_t sample = 0;
  std::vector<std::string> jobs, files;
  int runs = 0;
};

TEST(Options, TargetsGetWhatIsGivenAndTheStatusIsTheCommands) {
  Line line;
  EXPECT_EQ(line.Parse({"--kind", "two", "--word", "red", "--seconds", "2.5", "--job", "1", "--job",
                        "2", "--force", "a", "b"}),
            7);
  EXPECT_EQ(line.runs, 1);
  EXPECT_EQ(line.kind, Kind::kTwo);
  EXPECT_EQ(line.word, "red");
  EXPECT_EQ(line.seconds, 2.5);
  EXPECT_TRUE(line.force);
  EXPECT_FALSE(line.secret);
  EXPECT_THAT(line.jobs, ElementsAre("1", "2"));
  EXPECT_THAT(line.files, ElementsAre("a", "b"));
}

TEST(Options, WrongUseIsRefusedWithTheOptionNamed) {
  struct Wrong {
    std::vector<const char*> arguments;
    const char* says;
  };
  for (const Wrong& wrong :
       std::vector<Wrong>{{{}, "FILE is required"},
                          {{"a", "--kind", "three"}, "--kind: three is not one of one, two"},
                          {{"a", "--word", "blue"}, "--word: blue is not one of red, green"},
                          {{"a", "--word", "red", "--seconds", "11"},
                           "--seconds: 11 is not a number from 1 to 10"},
                          {{"a", "--seconds", "2"}, "--seconds requires --word"},
                          {{"a", "--sample", "2", "--force"}, "--force excludes --sample"},
                          {{"a", "--sample", "few"}, "--sample: few is not a whole number"},
                          {{"a", "--unknown"}, "--unknown"}}) {
    Line line;
    EXPECT_EQ(line.Parse(wrong.arguments), kUsage) << wrong.says;
    EXPECT_THAT(line.err, HasSubstr(wrong.says));
    EXPECT_EQ(line.runs, 0);
  }
}

TEST(Options, AMisspeltOptionIsAnsweredWithTheOneThatIsMeant) {
  Line line;
  EXPECT_EQ(line.Parse({"a", "--wrod", "red"}), kUsage);
  EXPECT_EQ(line.err, "roofmark: `roofmark draw` has no option --wrod: did you mean --word?\n");
  // Even where what is required is missing for it.
  EXPECT_EQ(line.Parse({"--sampel=2"}), kUsage);
  EXPECT_EQ(line.err, "roofmark: `roofmark draw` has no option --sampel: did you mean --sample?\n");
  EXPECT_EQ(line.Parse({"a", "--frobnicate"}), kUsage);
  EXPECT_EQ(line.err,
            "roofmark: `roofmark draw` has no option --frobnicate: `roofmark draw --help` lists "
            "them\n");
  EXPECT_EQ(line.Parse({"a", "--secrte"}), kUsage);
  EXPECT_THAT(line.err, Not(HasSubstr("--secret"))) << "it is hidden";
  EXPECT_EQ(line.runs, 0);
}

TEST(Options, AMisspeltCommandIsAnsweredWithTheOneThatIsMeant) {
  Line line;
  EXPECT_EQ(line.ParseAll({"darw", "a"}), kUsage);
  EXPECT_EQ(line.err, "roofmark: there is no command darw: did you mean draw?\n");
  EXPECT_EQ(line.ParseAll({"frobnicate"}), kUsage);
  EXPECT_EQ(line.err, "roofmark: there is no command frobnicate: `roofmark --help` lists them\n");
  EXPECT_EQ(line.ParseAll({}), kUsage);
  EXPECT_THAT(line.err, HasSubstr("`roofmark --help` lists them"));
}

TEST(Options, HelpIsACommandToo) {
  Line asked, named;
  EXPECT_EQ(asked.ParseAll({"help"}), 0);
  EXPECT_EQ(named.ParseAll({"--help"}), 0);
  EXPECT_EQ(asked.out, named.out);
  EXPECT_THAT(asked.out, HasSubstr("draw"));
  EXPECT_EQ(asked.ParseAll({"help", "draw"}), 0);
  EXPECT_EQ(named.ParseAll({"draw", "--help"}), 0);
  EXPECT_EQ(asked.out, named.out);
  EXPECT_THAT(asked.out, HasSubstr("--seconds S"));
  EXPECT_EQ(asked.ParseAll({"help", "darw"}), kUsage);
  EXPECT_THAT(asked.err, HasSubstr("did you mean draw?"));
}

TEST(Options, AnEmptyValueIsNoValue) {
  Line line;
  EXPECT_EQ(line.Parse({"a", "--job", ""}), kUsage);
  EXPECT_THAT(line.err, HasSubstr("--job: its value is empty"));
}

TEST(Options, HelpListsChoicesAndNamesValues) {
  Line line;
  EXPECT_EQ(line.Parse({"--help"}), 0);
  EXPECT_EQ(line.runs, 0);
  EXPECT_THAT(line.out, HasSubstr("--kind one|two "));
  EXPECT_THAT(line.out, HasSubstr("--word red|green "));
  EXPECT_THAT(line.out, HasSubstr("--seconds S "));
  EXPECT_THAT(line.out, HasSubstr("FILE ... REQUIRED"));
  EXPECT_THAT(line.out, Not(HasSubstr("--secret")));
}

}  // namespace
}  // namespace roofmark::cli
