// SPDX-License-Identifier: BSD-3-Clause
//
// Files that are none of ours, or claim what cannot be: each command ends with a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <regex>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::HasSubstr;

class HostileFiles : public testing::Test {
 protected:
  Ended Roofmark(std::vector<std::string> arguments, test::Environment environment = {}) {
    arguments.insert(arguments.begin(), ROOFMARK);
    environment["XDG_CACHE_HOME"] = directory_.path();
    environment["LC_ALL"] = "C.UTF-8";
    return test::Run(arguments, environment, directory_.path(), 300);
  }
  std::string Write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(WriteFile(directory_.File(name), text, IfExists::kReplace));
    return name;
  }
  // Without content on the disk.
  std::string Large(const std::string& name, off_t bytes) {
    Write(name, "");
    EXPECT_EQ(truncate(directory_.File(name).c_str(), bytes), 0);
    return name;
  }
  test::TempDir directory_;
};

TEST_F(HostileFiles, DevicesAndLargeFilesAreNotRead) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"report"}, {"machine", "--show"}, {"merge", "-o", "m.json"}}) {
    std::vector<std::string> arguments = command;
    arguments.push_back("/dev/zero");
    const Ended device = Roofmark(arguments);
    EXPECT_EQ(device.status, 1) << device.out;
    EXPECT_THAT(device.err, HasSubstr("cannot read /dev/zero: it is a device, not a file"));
    arguments.back() = Large("large", off_t{1} << 31);
    const Ended large = Roofmark(arguments);
    EXPECT_EQ(large.status, 1) << large.out;
    EXPECT_THAT(large.err, HasSubstr("it has 2147483648 bytes, and the limit is"));
  }
  const Ended topology = Roofmark({"machine", "--topology", Large("large.xml", 500'000'000)});
  EXPECT_EQ(topology.status, 1);
  EXPECT_THAT(topology.err, HasSubstr("it has 500000000 bytes, and the limit is 16777216"));
}

TEST_F(HostileFiles, RanksThatNoJobHas) {
  const std::string part =
      R"({"format": "roofmark-roofline", "version": 1, "run": {"ranks": 4294967295,
    "ranks_merged": 1}, "metrics": {}, "paths": []})";
  const Ended merge = Roofmark({"merge", "-o", "m.json", Write("part.json", part)});
  EXPECT_EQ(merge.status, 1);
  EXPECT_THAT(merge.err, HasSubstr("/run/ranks is 4294967295; it can be 1 to 16777216"));
}

TEST_F(HostileFiles, FiguresThatNoMachineHas) {
  const std::string machine = R"({"format": "roofmark-machine", "version": 1, "hardware": {},
    "ceilings": [{"id": "bandwidth.DRAM.triad", "unit": "GB/s", "counted_factor": 1e308,
                  "curve": [{"cores": 1, "value": 10}]}]})";
  const Ended show = Roofmark({"machine", "--show", Write("m.json", machine)});
  EXPECT_EQ(show.status, 1);
  EXPECT_THAT(show.err, HasSubstr("counted_factor is 1e+308; it can be 0 to 1000"));
}

// What stands in a file, or is its name, does not control the terminal; `script` is one.
TEST_F(HostileFiles, NothingControlsTheTerminal) {
  const std::string machine = R"({"format": "roofmark-machine", "version": 1, "hardware": {},
    "measured_at": "\u001b]0;title\u0007\u009b31m\u202edrow",
    "ceilings": [{"id": "bandwidth.DRAM.triad", "unit": "GB/s",
                  "curve": [{"cores": 1, "value": 10}]}]})";
  const std::string name = Write("\x1b[31m.json", machine);
  const Ended shown = test::Run({"script", "-qec", ROOFMARK " machine --show *.json", "/dev/null"},
                                {{"LC_ALL", "C.UTF-8"}}, directory_.path(), 300);
  EXPECT_EQ(shown.status, 0) << shown.out;
  EXPECT_THAT(shown.out, HasSubstr("measured \\x1B]0;title\\x07\\xC2\\x9B31m\\u{202E}drow"));
  EXPECT_THAT(shown.out, HasSubstr("kept in \\x1B[31m.json"));
  EXPECT_EQ(shown.out.find_first_of("\x1b\x07"), std::string::npos);
  const Ended said = Roofmark({"report", name});
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.err, HasSubstr("\\x1B[31m.json is no roofline file"));
  EXPECT_EQ(said.err.find('\x1b'), std::string::npos);
}

TEST_F(HostileFiles, CpusWithoutEnd) {
  const Result<std::string> good = ReadFile(TOPOLOGY);
  ASSERT_TRUE(good) << good.error();
  const std::string endless =
      std::regex_replace(*good, std::regex("cpuset=\"0x[0-9a-f]+\""), "cpuset=\"0xf...f\"");
  const Ended ended = Roofmark({"machine", "--topology", Write("endless.xml", endless)});
  EXPECT_EQ(ended.status, 1) << ended.out;
  EXPECT_THAT(ended.err, HasSubstr("it names CPUs beyond the limit of 1048576"));
}

TEST_F(HostileFiles, WhatHwlocDoesNotSurviveIsSaid) {
  const Ended good = Roofmark({"machine", "--topology", TOPOLOGY, "--quick"});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("plan of a quick measurement"));
  const Ended crashed =
      Roofmark({"machine", "--topology", TOPOLOGY}, {{"LD_PRELOAD", CRASHING_HWLOC}});
  EXPECT_EQ(crashed.status, 1);
  EXPECT_THAT(crashed.err, test::Says(message::kNoTopology, testing::_, "hwloc crashed"));
}

}  // namespace
}  // namespace roofmark
