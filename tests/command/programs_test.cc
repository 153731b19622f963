// SPDX-License-Identifier: BSD-3-Clause
#include "command/programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/command_run.h"
#include "tests/support/says.h"

namespace roofmark::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// One that began at that second and has regions or not.
RooflineFile File(const std::vector<std::string>& command, int second, double cpu_s = 1,
                  bool regions = true) {
  RooflineFile file;
  PassInfo pass;
  pass.command = command;
  pass.start_time = "2026-01-01T00:00:0" + std::to_string(second) + "Z";
  pass.wall_s = 5;
  file.job.run.passes = {pass};
  file.job.run.kernel.cpu_ns = Cell::Of(static_cast<uint64_t>(cpu_s * 1e9), 0, Status::kMeasured);
  if (regions) file.job.paths.resize(1);
  return file;
}

std::vector<Program> Programs(std::vector<RooflineFile> files) {
  return ProgramsOf(std::move(files));
}

// Which of the second execution is the program that the first chose.
std::optional<size_t> Second(const std::vector<Program>& first, const std::vector<Program>& second,
                             const std::string& name = "") {
  ProgramChoice choice(name);
  std::vector<std::string> notes;
  EXPECT_TRUE(choice.In(first, notes));
  EXPECT_THAT(notes, IsEmpty());
  const std::optional<size_t> same = choice.In(second, notes);
  EXPECT_EQ(notes.empty(), same.has_value());
  return same;
}

TEST(Programs, AreNumberedInTheOrderOfTheirStart) {
  const auto programs = Programs(
      {File({"./b"}, 2), File({"./a", "1"}, 1), File({"./a", "2"}, 3), File({"./a", "1"}, 4)});
  std::vector<std::string> names;
  for (const Program& program : programs) names.push_back(Shown(program.key));
  EXPECT_THAT(names, ElementsAre("./a 1", "./b", "./a 2", "./a 1 (number 2)"));
  EXPECT_EQ(programs[3].key.nth_of_executable, 2u);
  EXPECT_EQ(programs[3].key.of_executable, 3u);
}

TEST(Programs, RegionsComeBeforeCpuTime) {
  std::vector<std::string> notes;
  const auto driver = File({"python3", "drive.py"}, 0, 9, /*regions=*/false);
  const auto programs = Programs({driver, File({"./small"}, 1, 1), File({"./large"}, 2, 3)});
  EXPECT_EQ(ProgramChoice("").In(programs, notes), 2u);
  const auto without = Programs({driver, File({"mpirun"}, 1, 1, /*regions=*/false)});
  EXPECT_EQ(ProgramChoice("").In(without, notes), 0u);
  EXPECT_THAT(notes, IsEmpty());
}

// One that was killed does not know its CPU time.
TEST(Programs, OneThatDiedDeservesAFileByItsTime) {
  RooflineFile died = File({"./died"}, 1, 0, /*regions=*/false);
  died.job.run.recovered_ranks = 1;
  const RooflineFile chosen = File({"./app"}, 0, 20);
  EXPECT_TRUE(DeservesAFile(Programs({died})[0], chosen));
  EXPECT_FALSE(IsOnTheWay(Programs({died})[0], {"sh", "job.sh"}));
  died.job.run.passes[0].wall_s = 0.01;
  EXPECT_FALSE(DeservesAFile(Programs({died})[0], chosen));
  EXPECT_TRUE(IsOnTheWay(Programs({died})[0], {"sh", "job.sh"}));
}

// A driver and its workers, which take turns.
TEST(Programs, OfSeveralAlikeTheOneThatRanLongest) {
  std::vector<std::string> notes;
  RooflineFile driver = File({"./driver"}, 0, 2);
  driver.job.run.passes[0].wall_s = 60;
  const auto chosen = [&](const RooflineFile& other) {
    return ProgramChoice("").In(Programs({driver, other, other}), notes);
  };
  const RooflineFile worker = File({"./worker"}, 1, 3);
  EXPECT_EQ(chosen(worker), 0u);
  driver.job.run.kernel.cpu_ns = Cell::Of(1'000'000'000, 0, Status::kMeasured);
  EXPECT_EQ(chosen(worker), 1u) << "it does little itself";
  driver.job.run.kernel.cpu_ns = Cell::Of(1'000'000, 0, Status::kMeasured);
  EXPECT_EQ(chosen(File({"./small"}, 1, 0.03)), 0u) << "a few ms are chance";
}

// Under the engine another program takes the most time.
TEST(Programs, AreTheSameInAllExecutions) {
  const auto first = Programs({File({"./step", "1"}, 0, 1), File({"./step", "2"}, 1, 9)});
  const auto second = Programs({File({"./step", "1"}, 0, 9), File({"./step", "2"}, 5, 1)});
  EXPECT_EQ(Second(first, second), 1u);
  EXPECT_EQ(Second(first, second, "step"), 0u);
}

TEST(Programs, AreKnownByTheirOrderWhereTheirArgumentsChange) {
  const auto first = Programs({File({"./a", "/tmp/x1"}, 0, 1), File({"./a", "/tmp/x2"}, 1, 3)});
  const auto second = Programs({File({"./a", "/tmp/y1"}, 0, 5), File({"./a", "/tmp/y2"}, 1, 4)});
  EXPECT_EQ(Second(first, second), 1u);
  const auto fewer = Programs({File({"./a", "/tmp/y2"}, 1, 4), File({"./b"}, 2)});
  EXPECT_FALSE(Second(first, fewer)) << "which of the two it is nobody can say";
}

TEST(Programs, OneAloneIsTheSameWhateverItsArguments) {
  EXPECT_EQ(Second(Programs({File({"./a", "1"}, 0)}), Programs({File({"./b"}, 0)})), 0u);
  EXPECT_FALSE(
      Second(Programs({File({"./a"}, 0), File({"./c"}, 0)}), Programs({File({"./b"}, 0)})));
}

TEST(Programs, AreChosenByName) {
  const auto programs =
      Programs({File({"/opt/bin/solve", "1"}, 0, 1), File({"python3", "post/draw.py"}, 1, 9),
                File({"/opt/bin/solve", "2"}, 2, 1)});
  std::vector<std::string> notes;
  EXPECT_EQ(ProgramChoice("solve").In(programs, notes), 0u);
  EXPECT_EQ(ProgramChoice("/opt/bin/solve").In(programs, notes), 0u);
  EXPECT_EQ(ProgramChoice("solve:2").In(programs, notes), 2u);
  EXPECT_EQ(ProgramChoice("draw.py").In(programs, notes), 1u);
  EXPECT_EQ(ProgramChoice("python3").In(programs, notes), 1u);
  EXPECT_THAT(notes, IsEmpty());
  EXPECT_EQ(ProgramChoice("solve:3").In(programs, notes), 1u);
  EXPECT_THAT(notes, ElementsAre(testing::HasSubstr("solve:3")));
}

// `mkdir /no/place; ./app`, with every program recorded.
TEST(Programs, ThatAFailedCommandStartedOnItsWayAreNone) {
  const std::vector<std::string> command = {"sh", "-c", "./job.sh"};
  const auto on_the_way = [&command](const RooflineFile& file) {
    return IsOnTheWay(Programs({file})[0], command);
  };
  EXPECT_TRUE(on_the_way(File({"mkdir", "x"}, 0, 0.001, /*regions=*/false)));
  EXPECT_FALSE(on_the_way(File({"mkdir", "x"}, 0, 0.001)));
  EXPECT_FALSE(on_the_way(File({"./solver"}, 0, 3, /*regions=*/false)));
  EXPECT_FALSE(on_the_way(File({"/home/me/job.sh"}, 0, 0.001, /*regions=*/false)));
}

// What a sentence tells users to give is what chooses the program.
TEST(Programs, HaveNamesThatChooseThem) {
  const auto programs =
      Programs({File({"./solve", "1"}, 0), File({"/bin/solve"}, 1), File({"./solve", "2"}, 2),
                File({"python3", "a.py"}, 3), File({"python3", "b.py"}, 4)});
  for (size_t i = 0; i < programs.size(); ++i) {
    std::vector<std::string> notes;
    EXPECT_EQ(ProgramChoice(NameOf(programs[i].key)).In(programs, notes), i);
    EXPECT_THAT(notes, IsEmpty());
  }
}

TEST(Programs, ThatDoLittleHaveNoFile) {
  const RooflineFile chosen = File({"./a"}, 0, 10);
  const auto deserves = [&chosen](double cpu_s, bool regions) {
    return DeservesAFile({{}, File({"mkdir"}, 0, cpu_s, regions)}, chosen);
  };
  EXPECT_TRUE(deserves(0.001, true));
  EXPECT_TRUE(deserves(1, false));
  EXPECT_FALSE(deserves(0.9, false));
  EXPECT_FALSE(DeservesAFile({{}, File({"mkdir"}, 0, 0, false)}, File({"cp"}, 0, 0, false)));
}

TEST(Programs, WithoutACommandAreProgramsToo) {
  const auto programs = Programs({File({}, 0), File({}, 0)});
  EXPECT_EQ(Second(programs, programs), 0u);
  EXPECT_EQ(Shown(programs[0].key), "(unnamed)");
}

}  // namespace
}  // namespace roofmark::cli
